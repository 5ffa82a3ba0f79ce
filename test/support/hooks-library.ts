import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the public library where files in the folder find it as `cairn-memory/hooks`. */
export async function installHooksLibrary(folder: string): Promise<void> {
  const target = join(folder, 'node_modules', 'cairn-memory');
  mkdirSync(target, { recursive: true });
  copyFileSync(join(repository, 'package.json'), join(target, 'package.json'));
  for (const [format, file] of [
    ['esm', 'hooks.mjs'],
    ['cjs', 'hooks.cjs'],
  ] as const) {
    await build({
      entryPoints: [join(repository, 'src/hooks/sdk.ts')],
      outfile: join(target, 'dist', file),
      bundle: true,
      platform: 'node',
      target: 'node20',
      format,
      logLevel: 'error',
    });
  }
}

export interface ProcessRun {
  stdout: string;
  stderr: string;
  exitCode: number | null;
}

/** `input: null` leaves stdin open, like an agent that never sends the event. */
export async function run(
  command: string,
  args: string[],
  { cwd, input, env = {} }: { cwd: string; input: string | null; env?: Record<string, string> },
): Promise<ProcessRun> {
  const child = spawn(command, args, { cwd, env: { ...process.env, CAIRN_GUARD: '', ...env } });
  const seen = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    seen.stderr += text;
  });
  // A hook may exit before it has read its input.
  child.stdin.on('error', () => {});
  if (input !== null) child.stdin.end(input);
  const exitCode = await new Promise<number | null>((done, fail) => {
    child.on('error', fail).on('close', done);
  });
  return { ...seen, exitCode };
}
