import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface ProgramCall {
  program: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  input: string;
}

export interface ProgramEnd {
  /** Null if a signal ended it. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

const MOST_OUTPUT = 2_000_000;

/** Runs a program to its end. On abort it is killed with its child processes. */
export function runProgram(call: ProgramCall, signal: AbortSignal): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const { program, args, cwd, env, input } = call;
    // `detached` makes a process group, which can be killed as a whole.
    const child = spawn(program, args, { cwd, env, detached: true, windowsHide: true });
    const giveUp = () => {
      killGroup(child);
      reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    child.once('error', (error) => {
      signal.removeEventListener('abort', giveUp);
      reject(error);
    });
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    child.once('close', (exitCode) => {
      signal.removeEventListener('abort', giveUp);
      resolve({ exitCode, stdout: stdout(), stderr: stderr() });
    });
    // The program may end before it has read all input; its exit code reports that.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/**
 * Asks a program that reads requests and writes answers line by line and does not end by itself: returns the first
 * line for which `isAnswer` holds, then kills the program. Rejects if it ends before that.
 */
export function askProgram(
  call: ProgramCall,
  isAnswer: (line: string) => boolean,
  signal: AbortSignal,
): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    signal.throwIfAborted();
    const { program, args, cwd, env, input } = call;
    const child = spawn(program, args, { cwd, env, detached: true, windowsHide: true });
    const end = () => {
      killGroup(child);
      signal.removeEventListener('abort', giveUp);
    };
    const giveUp = () => {
      end();
      reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    child.once('error', (error) => {
      signal.removeEventListener('abort', giveUp);
      reject(error);
    });
    child.once('close', () => {
      signal.removeEventListener('abort', giveUp);
      reject(new Error(`${program} ended without an answer`));
    });
    // A full, unread pipe would block the program.
    child.stderr.resume();
    child.stdin.on('error', () => {});
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!isAnswer(line)) return;
      resolve(line);
      end();
    });
    child.stdin.write(input);
  });
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MOST_OUTPUT) chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The system has no process groups, or the program has just ended.
    child.kill('SIGKILL');
  }
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
}
