import { execFileSync } from 'node:child_process';
import { chownSync, lchownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeRepository } from '../../../test/support/run-cairn.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { findCheckout, headCommit } from './checkout.ts';
import { findChangedFiles } from './index-file.ts';
import { repositoryIn } from './run.ts';
import { readGitState } from './state.ts';

const OTHER_USER = 4_711;

let home: string;
let shared: string;
let project: string;
beforeEach(() => {
  home = tempFolder();
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_CONFIG_HOME', '');
  vi.stubEnv('SUDO_UID', undefined);
  shared = makeRepository(join(tempFolder(), 'shared'));
  project = join(shared, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'a.ts'), '');
});
afterEach(() => vi.unstubAllEnvs());

/** Only root can give files away. */
describe.runIf(process.getuid?.() === 0)('a repository of another user', () => {
  const giveAway: [string, () => void][] = [
    ['all files of .git', () => execFileSync('chown', ['-R', String(OTHER_USER), join(shared, '.git')])],
    ['the .git folder', () => chownSync(join(shared, '.git'), OTHER_USER, OTHER_USER)],
    ['the top folder', () => chownSync(shared, OTHER_USER, OTHER_USER)],
    ['a link to our repository', () => linkOfOther()],
    ['our link to their repository', () => linkToOther()],
    ['a .git file that points to our repository', () => pointer({ file: OTHER_USER })],
    ['our .git file that points to their repository', () => pointer({ target: OTHER_USER })],
    ['the common directory of our worktree', () => commonDirOfOther()],
  ];

  it.each(giveAway)('is ignored if they own %s', async (_name, act) => {
    expect(findCheckout(project)?.top).toBe(shared);
    act();
    expect(findCheckout(project)).toBeNull();
    expect(headCommit(project)).toBeUndefined();
    expect(findChangedFiles(shared, ['project/a.ts'], { since: 0 })).toEqual([]);
    expect(await readGitState(project, { timeoutMs: 20_000 })).toBeUndefined();
  });

  it('inside a repository of ours resolves to ours', () => {
    const inner = makeRepository(join(project, 'inner'));
    chownSync(join(inner, '.git'), OTHER_USER, OTHER_USER);
    expect(findCheckout(inner)?.top).toBe(shared);
  });

  it('is refused by its common directory too', () => {
    const place = join(shared, '.git');
    execFileSync(
      'git',
      ['-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'a', '--allow-empty'],
      {
        cwd: shared,
      },
    );
    expect(repositoryIn(place)).not.toBeNull();
    chownSync(place, OTHER_USER, OTHER_USER);
    expect(repositoryIn(place)).toBeNull();
  });

  it.each([
    ['is used if safe.directory lists this folder', () => `directory = ${shared}`, true],
    ['is used if safe.directory lists a link to it', () => `directory = ${linkTo(shared)}`, true],
    ['is used if safe.directory is *', () => 'directory = *', true],
    [
      'is used if safe.directory lists all folders below its parent',
      () => `directory = ${join(shared, '..')}/*`,
      true,
    ],
    ['is ignored if safe.directory lists another folder', () => `directory = ${home}`, false],
    [
      'is ignored if safe.directory lists it and is then reset',
      () => `directory = ${shared}\n\tdirectory =`,
      false,
    ],
  ])('%s', (_name, line, isUsed) => {
    chownSync(join(shared, '.git'), OTHER_USER, OTHER_USER);
    writeFileSync(join(home, '.gitconfig'), `[safe]\n\t${line()}\n`);
    expect(findCheckout(project) !== null).toBe(isUsed);
  });

  it("is ignored despite safe.directory in the repository's own configuration", () => {
    execFileSync('git', ['config', 'safe.directory', '*'], { cwd: shared });
    chownSync(join(shared, '.git'), OTHER_USER, OTHER_USER);
    expect(findCheckout(project)).toBeNull();
  });

  it.each([
    ['is used if SUDO_UID is its owner', String(OTHER_USER), true],
    ['is ignored if SUDO_UID is another user', '1', false],
    ['is ignored if SUDO_UID is not a number', `${OTHER_USER}x`, false],
  ])('%s', (_name, sudoUid, isUsed) => {
    execFileSync('chown', ['-R', String(OTHER_USER), shared]);
    vi.stubEnv('SUDO_UID', sudoUid);
    expect(findCheckout(project) !== null).toBe(isUsed);
  });
});

describe.skipIf(process.platform === 'win32')('files that block when read', () => {
  const spoil: [string, () => void][] = [
    ['.git', () => replaceByFifo('.git')],
    ['.git/HEAD', () => replaceByFifo('.git/HEAD')],
    ['a link from .git/HEAD to a device', () => replaceByLink('.git/HEAD', '/dev/zero')],
  ];
  it.each(spoil)('no checkout is found with %s', (_name, act) => {
    act();
    expect(findCheckout(project)).toBeNull();
    expect(headCommit(project)).toBeUndefined();
  });

  it.each(['index', 'config', 'packed-refs', 'commondir', 'shallow', 'info/exclude', 'refs/heads/main'])(
    'the checkout is still found with .git/%s',
    async (name) => {
      replaceByFifo(`.git/${name}`);
      expect(findCheckout(project)).toMatchObject({ top: shared, branch: 'main' });
      expect(headCommit(project)).toBeUndefined();
      expect(findChangedFiles(shared, ['project/a.ts'], { since: 0 })).toEqual([]);
      const state = await readGitState(project, { timeoutMs: 2_000 });
      if (name === 'index') expect(state).toBeUndefined();
    },
  );
});

describe('a HEAD with invalid content', () => {
  it.each([
    '--output=/tmp/x',
    'ref: ../../../etc/passwd',
    'ref: refs/../../config',
    'not a commit',
    'ref: --all',
  ])('%j is neither a branch nor a commit', (text) => {
    writeFileSync(join(shared, '.git/HEAD'), `${text}\n`);
    expect(findCheckout(project)).toEqual({
      top: shared,
      commonDir: join(shared, '.git'),
      isWorktree: false,
    });
    expect(headCommit(project)).toBeUndefined();
  });
});

function linkOfOther(): void {
  renameSync(join(shared, '.git'), join(home, 'repository'));
  symlinkSync(join(home, 'repository'), join(shared, '.git'));
  lchownSync(join(shared, '.git'), OTHER_USER, OTHER_USER);
}

function linkToOther(): void {
  renameSync(join(shared, '.git'), join(home, 'repository'));
  symlinkSync(join(home, 'repository'), join(shared, '.git'));
  chownSync(join(home, 'repository'), OTHER_USER, OTHER_USER);
}

function pointer({ file, target }: { file?: number; target?: number }): void {
  const repository = join(home, 'repository');
  renameSync(join(shared, '.git'), repository);
  writeFileSync(join(shared, '.git'), `gitdir: ${repository}\n`);
  if (file) chownSync(join(shared, '.git'), file, file);
  if (target) chownSync(repository, target, target);
}

function commonDirOfOther(): void {
  const repository = join(home, 'repository');
  const gitDir = join(home, 'of-worktree');
  renameSync(join(shared, '.git'), repository);
  mkdirSync(gitDir);
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(gitDir, 'commondir'), `${repository}\n`);
  writeFileSync(join(shared, '.git'), `gitdir: ${gitDir}\n`);
  chownSync(repository, OTHER_USER, OTHER_USER);
}

function linkTo(folder: string): string {
  const link = join(home, 'link');
  symlinkSync(folder, link);
  return link;
}

function replaceByFifo(name: string): void {
  execFileSync('rm', ['-rf', join(shared, name)]);
  execFileSync('mkfifo', [join(shared, name)]);
}

function replaceByLink(name: string, target: string): void {
  execFileSync('rm', ['-rf', join(shared, name)]);
  symlinkSync(target, join(shared, name));
}
