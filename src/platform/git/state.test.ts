import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { readGitState } from './state.ts';

const LONG = { timeoutMs: 20_000 };

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('readGitState', () => {
  it('reads a clean checkout from a subfolder', async () => {
    const repo = repository({ 'src/a.ts': 'a' });
    expect(await readGitState(join(repo, 'src'), LONG)).toEqual({
      branch: 'main',
      head: headOf(repo),
      dirty: [],
      moreDirty: 0,
    });
  });

  it('lists every file that differs from the commit', async () => {
    const files = ['changed', 'changed-and-staged', 'changed-mode', 'deleted', 'removed', 'old-name', 'same'];
    const repo = repository(Object.fromEntries(files.map((name) => [`src/${name}.ts`, name])));
    put(repo, 'src/changed.ts', 'other');
    put(repo, 'src/changed-and-staged.ts', 'other');
    put(repo, 'src/staged.ts', 'new');
    git(repo, 'add', 'src/changed-and-staged.ts', 'src/staged.ts');
    git(repo, 'update-index', '--chmod=+x', 'src/changed-mode.ts');
    rmSync(join(repo, 'src/deleted.ts'));
    git(repo, 'rm', '--quiet', 'src/removed.ts');
    git(repo, 'mv', 'src/old-name.ts', 'src/new-name.ts');
    put(repo, 'src/untracked.ts', 'new');
    put(repo, 'folder/of/new.ts', 'new');
    put(repo, '.gitignore', 'ignored/\n.gitignore\n');
    put(repo, 'ignored/file.ts', 'ignored');
    // Rewritten with the same content.
    put(repo, 'src/same.ts', 'same');
    utimesSync(join(repo, 'src/same.ts'), 1, 1);
    expect((await readGitState(repo, LONG))?.dirty.toSorted()).toEqual([
      'folder/',
      'src/changed-and-staged.ts',
      'src/changed-mode.ts',
      'src/changed.ts',
      'src/deleted.ts',
      'src/new-name.ts',
      'src/old-name.ts',
      'src/removed.ts',
      'src/staged.ts',
      'src/untracked.ts',
    ]);
  });

  it('lists files in conflict', async () => {
    const repo = repository({ 'a b.ts': 'base' });
    commitOn(repo, 'other', { 'a b.ts': 'theirs' });
    git(repo, 'checkout', '--quiet', 'main');
    commit(repo, { 'a b.ts': 'ours' });
    expect(() => git(repo, 'merge', '--quiet', 'other')).toThrow();
    expect((await readGitState(repo, LONG))?.dirty).toEqual(['a b.ts']);
  });

  it.each([
    ['spaces', ' a  b '],
    ['a line break', 'a\nb'],
    ['quotes', `"a" 'b' \\ \`c\` $d`],
    ['other alphabets', 'größe/日本語.ts'],
    ['text like output of git', '# branch.head x'],
    ['a leading dash', '-rf'],
  ])('lists a file name with %s', async (_name, name) => {
    const repo = repository({ [`in/${name}`]: 'a', plain: 'a' });
    put(repo, `in/${name}`, 'changed');
    put(repo, `in/new ${name}`, 'new');
    const untracked = `in/new ${name.includes('/') ? `${dirname(name)}/` : name}`;
    expect((await readGitState(repo, LONG))?.dirty).toEqual([`in/${name}`, untracked]);
  });

  it.runIf(process.platform === 'linux')('lists a file name that is not UTF-8', async () => {
    const repo = repository();
    writeFileSync(Buffer.concat([Buffer.from(`${repo}/a`), Buffer.from([0xff, 0xc3])]), 'new');
    put(repo, 'b', 'new');
    expect((await readGitState(repo, LONG))?.dirty).toEqual(['a\ufffd\ufffd', 'b']);
  });

  it('lists at most 200 files and counts the rest', async () => {
    const repo = repository();
    for (let number = 0; number < 230; number++) put(repo, `file-${String(number).padStart(3, '0')}`, 'new');
    const state = await readGitState(repo, LONG);
    expect([state?.dirty.length, state?.dirty.at(-1), state?.moreDirty]).toEqual([200, 'file-199', 30]);
  });

  it('works before the first commit', async () => {
    const repo = tempFolder();
    git(repo, 'init', '--quiet', '--initial-branch', 'first');
    put(repo, 'a.ts', 'new');
    expect(await readGitState(repo, LONG)).toEqual({ branch: 'first', dirty: ['a.ts'], moreDirty: 0 });
  });

  it('omits the branch of a detached head', async () => {
    const repo = repository();
    git(repo, 'checkout', '--quiet', '--detach');
    expect(await readGitState(repo, LONG)).toEqual({ head: headOf(repo), dirty: [], moreDirty: 0 });
  });

  it('counts the commits ahead of and behind the upstream', async () => {
    const upstream = repository({ a: 'a' });
    const repo = join(tempFolder(), 'clone');
    git(upstream, 'clone', '--quiet', upstream, repo);
    const { ahead, behind } = (await readGitState(repo, LONG)) ?? {};
    expect([ahead, behind]).toEqual([0, 0]);

    commit(repo, { b: 'b' });
    commit(repo, { c: 'c' });
    commit(upstream, { d: 'd' });
    git(repo, 'fetch', '--quiet');
    expect(await readGitState(repo, LONG)).toEqual({
      branch: 'main',
      head: headOf(repo),
      dirty: [],
      moreDirty: 0,
      ahead: 2,
      behind: 1,
    });
  });

  it('reports branch and changes of a worktree separately', async () => {
    const repo = repository({ a: 'a' });
    const worktree = join(tempFolder(), 'feature');
    git(repo, 'worktree', 'add', '--quiet', '-b', 'feature', worktree);
    put(worktree, 'a', 'changed');
    expect(await readGitState(worktree, LONG)).toEqual({
      branch: 'feature',
      head: headOf(repo),
      dirty: ['a'],
      moreDirty: 0,
    });
    expect((await readGitState(repo, LONG))?.dirty).toEqual([]);
  });

  it('lists a submodule only if another commit is checked out, and reads it as a checkout', async () => {
    const library = repository({ a: 'a' });
    const repo = repository();
    git(repo, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'library');
    git(repo, 'commit', '--quiet', '-m', 'with a library');
    put(join(repo, 'library'), 'a', 'changed');
    expect((await readGitState(repo, LONG))?.dirty).toEqual([]);
    expect((await readGitState(join(repo, 'library'), LONG))?.dirty).toEqual(['a']);

    commit(join(repo, 'library'), { a: 'committed' });
    expect((await readGitState(repo, LONG))?.dirty).toEqual(['library']);
  });

  it('neither takes nor waits for a lock, and leaves the index unchanged', async () => {
    const repo = repository({ a: 'a' });
    // Git would otherwise refresh the index entry of this unchanged file.
    utimesSync(join(repo, 'a'), 1, 1);
    const before = readFileSync(join(repo, '.git/index'));
    writeFileSync(join(repo, '.git/index.lock'), '');
    expect((await readGitState(repo, LONG))?.dirty).toEqual([]);
    expect(readFileSync(join(repo, '.git/index')).equals(before)).toBe(true);
  });

  it('does not start core.fsmonitor of the repository', async () => {
    const repo = repository({ a: 'a' });
    const mark = join(tempFolder(), 'was-here');
    git(repo, 'config', 'core.fsmonitor', `touch '${mark}'; false`);
    expect((await readGitState(repo, LONG))?.dirty).toEqual([]);
    expect(existsSync(mark)).toBe(false);
  });

  it.each([
    ['outside git', () => tempFolder()],
    ['in a missing folder', () => join(tempFolder(), 'gone')],
    ['for a path with a NUL', () => '/\0'],
    ['in an incomplete checkout', () => brokenCheckout()],
    ['in a worktree whose repository is missing', () => orphanedWorktree()],
  ])('returns undefined %s', async (_name, folder) => {
    expect(await readGitState(folder(), LONG)).toBeUndefined();
  });

  it('returns undefined without git', async () => {
    const repo = repository();
    vi.stubEnv('PATH', tempFolder());
    expect(await readGitState(repo, LONG)).toBeUndefined();
  });
});

describe.skipIf(process.platform === 'win32')('the time limit of git', () => {
  it('kills a git that takes longer', async () => {
    const repo = repository();
    const started = slowGit();
    const state = readGitState(repo, { timeoutMs: 2_000 });
    const pid = await firstLineOf(started);
    expect(await state).toBeUndefined();
    await untilGone(Number(pid));
  });

  it('accepts an answer that arrived while the event loop was blocked', async () => {
    const repo = repository();
    const state = readGitState(repo, { timeoutMs: 1 });
    execFileSync(process.execPath, ['-e', 'setTimeout(() => {}, 2_000)']);
    expect((await state)?.branch).toBe('main');
  });
});

function repository(files: Record<string, string> = {}): string {
  const folder = join(tempFolder(), 'repo');
  mkdirSync(folder);
  git(folder, 'init', '--quiet', '--initial-branch', 'main');
  commit(folder, files);
  return folder;
}

function commitOn(repo: string, branch: string, files: Record<string, string>): void {
  git(repo, 'checkout', '--quiet', '-b', branch);
  commit(repo, files);
}

function commit(repo: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) put(repo, path, content);
  git(repo, 'add', '--all');
  git(repo, 'commit', '--quiet', '--allow-empty', '-m', 'a commit');
}

function put(folder: string, path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

function headOf(repo: string): string {
  return git(repo, 'rev-parse', 'HEAD').trim();
}

function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
  return execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'pipe', encoding: 'utf8' });
}

function brokenCheckout(): string {
  const folder = tempFolder();
  put(folder, '.git/HEAD', 'ref: refs/heads/main\n');
  return folder;
}

function orphanedWorktree(): string {
  const repo = repository();
  const worktree = join(tempFolder(), 'feature');
  git(repo, 'worktree', 'add', '--quiet', worktree);
  renameSync(repo, `${repo}-moved`);
  return worktree;
}

/** Replaces git by a program that sleeps. @returns the file to which it writes its process id. */
function slowGit(): string {
  const folder = tempFolder();
  const started = join(folder, 'pid');
  const sleep = execFileSync('sh', ['-c', 'command -v sleep'], { encoding: 'utf8' }).trim();
  symlinkSync(sleep, join(folder, 'sleep'));
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho $$ >'${started}'\nexec sleep 60\n`, { mode: 0o755 });
  vi.stubEnv('PATH', folder);
  return started;
}

async function firstLineOf(path: string): Promise<string> {
  for (;;) {
    const [line, rest] = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
    if (line && rest !== undefined) return line;
    await wait(5);
  }
}

async function untilGone(pid: number): Promise<void> {
  while (isThere(pid)) await wait(10);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
