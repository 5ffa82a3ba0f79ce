import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';

/** Opening a FIFO without a writer for reading blocks. */
export const FIFO_PLACES = [
  '.git',
  '.git/HEAD',
  '.git/index',
  '.git/config',
  '.git/packed-refs',
  '.git/refs/heads/main',
  '.git/commondir',
  '.git/logs/HEAD',
  '.git/info/exclude',
  '.gitignore',
  '.gitattributes',
  'CLAUDE.md',
  'AGENTS.md',
  'src/CLAUDE.md',
  'src/a.txt',
  'transcript.jsonl',
];

export function makeFifoRepository({ root, env }, place) {
  const folder = join(root, 'fifos', place.replaceAll(/\W+/g, '-'));
  fs.mkdirSync(join(folder, 'src'), { recursive: true });
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=R', '-c', 'user.email=r@example.invalid', ...args], {
      cwd: folder,
      env,
      stdio: 'pipe',
    });
  git('init', '-q', '-b', 'main');
  for (const file of ['src/a.txt', 'CLAUDE.md']) fs.writeFileSync(join(folder, file), 'one\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'start');
  const fifo = join(folder, place);
  fs.rmSync(fifo, { recursive: true, force: true });
  fs.mkdirSync(join(fifo, '..'), { recursive: true });
  execFileSync('mkfifo', [fifo]);
  return { folder, transcript: join(folder, 'transcript.jsonl') };
}
