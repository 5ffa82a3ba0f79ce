import { spawn } from 'node:child_process';

export interface TimedRun {
  ms: number;
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd: string;
  env: Record<string, string>;
  input?: string;
}

/** Runs a program as an agent runs hooks: waits until all its pipes are closed. */
export function runTimed(
  program: string,
  args: string[],
  { cwd, env, input = '' }: RunOptions,
): Promise<TimedRun> {
  return new Promise((resolve, reject) => {
    const began = process.hrtime.bigint();
    const child = spawn(program, args, { cwd, env, stdio: 'pipe' });
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        output[stream] += text;
      });
    }
    child.on('error', reject);
    child.on('close', (exitCode) => {
      resolve({ ms: Number(process.hrtime.bigint() - began) / 1e6, exitCode, ...output });
    });
    // A program that reads no input, such as /bin/true, may exit before the input is written.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

export function computeMedian(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
