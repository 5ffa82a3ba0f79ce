import { readSync, writeSync } from 'node:fs';
import type { PrintedReply } from '../model/hook-reply.ts';
import { createTail, divertStream, type Writer } from './divert-stream.ts';

/** The reader of an output. Every byte that a hook prints, and its exit, has an intent. */
export type Intent = 'DIAGNOSTIC' | 'MODEL_CONTEXT' | 'USER_HINT' | 'BLOCKING_FEEDBACK' | 'EXIT_SIGNAL';

type Channel = { stream: 'stdout' | 'stderr' | 'none'; heldOutput: 'stays' | 'goes first' | 'is dropped' };

/** The only place that maps an intent to an output and decides whether held stderr is printed. */
const CHANNELS: Record<Intent, Channel> = {
  DIAGNOSTIC: { stream: 'stderr', heldOutput: 'stays' },
  MODEL_CONTEXT: { stream: 'stdout', heldOutput: 'stays' },
  // The agent's message field, in the same JSON object as the context.
  USER_HINT: { stream: 'stdout', heldOutput: 'stays' },
  BLOCKING_FEEDBACK: { stream: 'stderr', heldOutput: 'goes first' },
  EXIT_SIGNAL: { stream: 'none', heldOutput: 'is dropped' },
};

/** `bytes` is less than the text's length if the reader closed the stream. */
export interface Emit {
  intent: Intent;
  bytes: number;
}

/** The part of `process` that a hook needs. */
export interface HookProcess {
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly stdout: Writer;
  readonly stderr: Writer;
  readonly pid: number;
  exitCode?: number | string | null | undefined;
  exit(code: number): void;
  kill(pid: number, signal: 'SIGALRM'): unknown;
  on(event: 'exit' | 'uncaughtException', listener: (error: unknown) => void): unknown;
}

interface Descriptors {
  /**
   * If set, input is read from it synchronously: opening the stream loads node's network modules, which costs a hook
   * 5 ms. Not for a process that has a timer running meanwhile.
   */
  stdin?: number;
  stdout: number;
  stderr: number;
}

export type HookIo = ReturnType<typeof createHookIo>;

/** Each hook call has one. Nothing else in a hook process may print or exit. */
export function createHookIo(outside: HookProcess = process, fds: Descriptors = { stdout: 1, stderr: 2 }) {
  const held = createTail(64 * 1024);
  const emits: Emit[] = [];
  let strayStdoutBytes = 0;
  let replyCode: 0 | 2 | undefined;
  let hasExited = false;
  let wakesWorker = false;
  let release: (() => void) | undefined;

  function emit(intent: Intent, text: string): void {
    const { stream, heldOutput } = CHANNELS[intent];
    if (heldOutput === 'goes first') writeWhole(fds.stderr, held.take());
    if (heldOutput === 'is dropped') held.take();
    emits.push({ intent, bytes: stream === 'none' ? 0 : writeWhole(fds[stream], Buffer.from(text)) });
  }

  /**
   * From now on, stray output is kept from the agent: stdout is counted and dropped, the end of stderr is kept.
   * Opening the streams costs 3 ms; `on first use` saves that time if nothing has opened them yet.
   */
  function hold(when: 'now' | 'on first use' = 'now'): void {
    if (release) return;
    const releaseStdout = divertStream(outside, 'stdout', (bytes) => {
      strayStdoutBytes += bytes.length;
    });
    const releaseStderr = divertStream(outside, 'stderr', held.add);
    release = () => {
      releaseStdout();
      releaseStderr();
    };
    if (when === 'now') void [outside.stdout, outside.stderr];
  }

  function restore(): void {
    release?.();
    release = undefined;
  }

  /** Prints a line for the operator, even while streams are held. */
  function diagnostic(line: string): void {
    emit('DIAGNOSTIC', `${line}\n`);
  }

  /** May be called once. `audience` is the reader of the JSON; exit code 2 is always blocking feedback. */
  function reply(printed: PrintedReply, audience: 'MODEL_CONTEXT' | 'USER_HINT' = 'MODEL_CONTEXT'): void {
    if (replyCode !== undefined) throw new DuplicateReplyError();
    replyCode = printed.exitCode;
    if (printed.exitCode === 2) emit('BLOCKING_FEEDBACK', printed.stderr);
    else if (printed.stdout !== '') emit(audience, printed.stdout);
  }

  /** Ends the process, by default with the code that belongs to the reply. */
  function exit(code: 0 | 2 = replyCode ?? 0): void {
    if (hasExited) return;
    hasExited = true;
    emit('EXIT_SIGNAL', '');
    restore();
    outside.exit(code === 0 && wakesWorker ? WAKE_CODE : code);
  }

  /**
   * Kills the process while one of its threads waits for a disk that does not answer: an exit would wait for that
   * thread. capture.sh handles this signal and exits with 0.
   */
  function abandon(): void {
    if (hasExited) return;
    hasExited = true;
    emit('EXIT_SIGNAL', '');
    restore();
    if (process.platform === 'win32') outside.exit(replyCode ?? 0);
    else outside.kill(outside.pid, 'SIGALRM');
  }

  /** Only below capture.sh, which starts the worker and exits with 0. */
  function wakeAtExit(): void {
    wakesWorker = true;
  }

  /** From now on the exit code is 0, even after an exception or a call of process.exit. */
  function failOpen(report: (error: unknown) => void): void {
    outside.on('uncaughtException', (error) => {
      report(error);
      exit(0);
    });
    outside.on('exit', () => {
      if (hasExited) return;
      report(new Error('the process ended before the hook had answered'));
      outside.exitCode = 0;
    });
  }

  /** The raw bytes: they are stored unchanged. */
  async function readInput(): Promise<Buffer> {
    if (fds.stdin !== undefined) return readWhole(fds.stdin);
    const chunks: Buffer[] = [];
    for await (const chunk of outside.stdin) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  }

  return {
    hold,
    restore,
    diagnostic,
    reply,
    exit,
    abandon,
    wakeAtExit,
    failOpen,
    readInput,
    /** What was printed so far, for the log. */
    emits: emits as readonly Emit[],
    strayStdoutBytes: () => strayStdoutBytes,
  };
}

/** A bug in Cairn: the agent would read two JSON objects as plain text, so the second is not printed. */
export class DuplicateReplyError extends Error {
  constructor() {
    super('a hook call replies once, and this one already has');
    this.name = 'DuplicateReplyError';
  }
}

/** Reads to the end of the input; waits if the input has nothing at the moment. */
function readWhole(fd: number): Buffer {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const size = readSome(fd, chunk);
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, size));
  }
}

function readSome(fd: number, into: Buffer): number {
  for (;;) {
    try {
      return readSync(fd, into);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      // Windows reports the end of a pipe this way.
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      sleep(WAIT_MS);
    }
  }
}

/**
 * Writes all bytes before it returns, because an exit would cut off the rest. Waits for a full pipe as long as its
 * reader reads; ignores a closed one. @returns the number of bytes written.
 */
function writeWhole(fd: number, bytes: Uint8Array): number {
  let done = 0;
  let waits = 0;
  while (done < bytes.length && waits < MOST_WAITS) {
    try {
      done += writeSync(fd, bytes, done);
      waits = 0;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return done;
      waits += 1;
      sleep(WAIT_MS);
    }
  }
  return done;
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** capture.sh knows this code. */
const WAKE_CODE = 3;
const WAIT_MS = 5;
const MOST_WAITS = 400;
