import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  addWorktree,
  makeHostileRepository,
  makePayload,
  moveBehindPointer,
  programsRun,
  provenTricks,
  rearm,
  TRICK_NAMES,
} from '../../../test/support/hostile-repository.ts';
import { makeRepository } from '../../../test/support/run-cairn.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import {
  type GitLine,
  gitLine,
  type Repository,
  repositoryAt,
  repositoryIn,
  runGit,
  runGitSync,
} from './run.ts';
import { readGitState } from './state.ts';

const LIMITS = { timeoutMs: 20_000, maxBytes: 1_000_000 };

let temporary: string;
beforeEach(() => {
  temporary = tempFolder();
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  // No test may leave an overlay behind.
  expect(readdirSync(temporary).filter((name) => name.startsWith('cairn-git-'))).toEqual([]);
});

/** All git commands that Cairn runs. */
const QUESTIONS = [
  ['status', '--porcelain', '-z', '--no-renames', '-uall', '--ignore-submodules=dirty'],
  ['ls-files', '-z', '-co', '--exclude-standard'],
  ['ls-tree', '-r', '-d', '-z', '--name-only', 'HEAD'],
  ['log', '-n', '40', '--no-merges', '--name-only', '--format=', '-z'],
  ['status', '--porcelain', '-z', '--untracked-files=normal', '--no-renames', '--ignore-submodules=dirty'],
  ['ls-files', '-z', '--others', '--exclude-standard', '--', ':(literal)src/'],
  ['log', '--no-merges', '--max-count', '50', '--since=0', '--no-renames', '--name-only', '-z', '--format='],
  ['diff-tree', '-r', '--root', '--no-commit-id', '--no-renames', '--name-only', '-z', 'HEAD'],
  ['merge-base', '--is-ancestor', 'HEAD~1', 'HEAD'],
  ['rev-list', '--no-walk', '--timestamp', 'HEAD'],
];

describe.skipIf(process.platform === 'win32')('a hostile repository', () => {
  it('tricks plain git in every way, but not runGit', async () => {
    const hostile = makeHostileRepository(join(tempFolder(), 'hostile'));
    expect(provenTricks(hostile)).toEqual(TRICK_NAMES);
    rearm(hostile);
    expect(await readGitState(hostile.top, LIMITS)).toMatchObject({ branch: 'main', moreDirty: 0 });
    for (const args of QUESTIONS) runGitSync(repositoryAt(hostile.top) as Repository, args, LIMITS);
    for (const args of QUESTIONS) runLine(gitLineFor(hostile.top, args));
    expect(programsRun(hostile)).toEqual([]);
  });

  it.each([
    ['runs no program behind a .git file', moveBehindPointer],
    ['runs no program in a linked worktree', addWorktree],
  ])('%s', async (_name, reshape) => {
    const hostile = reshape(makeHostileRepository(join(tempFolder(), 'hostile')));
    expect(provenTricks(hostile)).toEqual(expect.arrayContaining(['clean-filter', 'fsmonitor']));
    rearm(hostile);
    expect(await readGitState(hostile.top, LIMITS)).toBeDefined();
    for (const args of QUESTIONS) runGitSync(repositoryAt(hostile.top) as Repository, args, LIMITS);
    expect(programsRun(hostile)).toEqual([]);
  });

  it.each(['HOME', 'XDG_CONFIG_HOME'])('is not used as the home when %s is relative', (variable) => {
    const top = join(tempFolder(), 'repo');
    makeRepository(top);
    for (const file of ['.gitconfig', 'git/config']) {
      mkdirSync(join(top, file, '..'), { recursive: true });
      writeFileSync(join(top, file), '[test]\n\tname = hostile\n');
    }
    vi.stubEnv(variable, '.');
    expect(runGitSync(repositoryAt(top) as Repository, ['config', 'test.name'], LIMITS).stdout).toBe('');
  });

  it('runs no program when opened by its common directory', () => {
    const hostile = makeHostileRepository(join(tempFolder(), 'hostile'));
    const repository = repositoryIn(hostile.gitDir) as Repository;
    for (const args of QUESTIONS.slice(2)) runGitSync(repository, args, LIMITS);
    expect(runGitSync(repository, ['rev-parse', 'main~1'], LIMITS).status).toBe(0);
    expect(programsRun(hostile)).toEqual([]);
  });

  it('cannot lead git to another work tree', async () => {
    const elsewhere = tempFolder();
    writeFileSync(join(elsewhere, 'private'), '');
    const top = makeRepository(join(tempFolder(), 'project'));
    execFileSync('git', ['config', 'core.worktree', elsewhere], { cwd: top });
    expect(await readGitState(top, LIMITS)).toEqual({ branch: 'main', dirty: [], moreDirty: 0 });
  });

  it.each([
    ['GIT_DIR', 'elsewhere/.git'],
    ['GIT_WORK_TREE', 'elsewhere'],
    ['GIT_INDEX_FILE', 'elsewhere/index'],
    ['GIT_CONFIG_GLOBAL', 'hostile-config'],
    ['GIT_CONFIG_PARAMETERS', "'core.fsmonitor=/hostile'"],
    ['GIT_EXEC_PATH', 'elsewhere'],
    ['GIT_TRACE', 'trace'],
    ['GIT_TRACE2_EVENT', 'trace'],
    ['GIT_EXTERNAL_DIFF', '/hostile'],
  ])('an inherited %s does not reach git', async (variable, value) => {
    const outside = tempFolder();
    mkdirSync(join(outside, 'elsewhere'));
    const top = makeRepository(join(tempFolder(), 'project'));
    writeFileSync(join(top, 'new'), '');
    vi.stubEnv(variable, value.startsWith('/') || value.startsWith("'") ? value : join(outside, value));
    expect(await readGitState(top, LIMITS)).toEqual({ branch: 'main', dirty: ['new'], moreDirty: 0 });
    expect(readdirSync(outside)).toEqual(['elsewhere']);
  });

  it.each([
    ['.', (top: string) => top],
    ['', (top: string) => top],
    ['bin', (top: string) => join(top, 'bin')],
    ['the absolute path of a folder in the project', (top: string) => join(top, 'bin')],
  ])('its own git program is not run when PATH holds %j', async (entry, folderOf) => {
    const hostile = makeHostileRepository(join(tempFolder(), 'hostile'));
    const folder = folderOf(hostile.top);
    mkdirSync(folder, { recursive: true });
    makePayload(hostile, 'git-in-path', join(folder, 'git'));
    const path = [entry.startsWith('the') ? folder : entry, process.env.PATH].join(delimiter);
    expect(run('git status; true', { cwd: hostile.top, env: { PATH: path } })).toBeDefined();
    expect(programsRun(hostile)).toEqual(['git-in-path']);
    rearm(hostile);
    vi.stubEnv('PATH', path);
    vi.spyOn(process, 'cwd').mockReturnValue(hostile.top);
    expect(await readGitState(hostile.top, LIMITS)).toBeDefined();
    runLine(gitLineFor(hostile.top, ['status']));
    expect(programsRun(hostile)).toEqual([]);
  });
});

describe("the user's own configuration", () => {
  it('a global filter (git-lfs) is not run, and unchanged files stay clean', async () => {
    const hostile = makeHostileRepository(join(tempFolder(), 'hostile'));
    const run = makePayload(hostile, 'lfs');
    const home = tempFolder();
    writeFileSync(
      join(home, '.gitconfig'),
      `[filter "lfs"]\n\tclean = ${run}\n\tprocess = ${run}\n\trequired = true\n[core]\n\tfsmonitor = ${run}\n`,
    );
    const top = makeRepository(join(tempFolder(), 'project'));
    writeFileSync(join(top, '.gitattributes'), '*.bin filter=lfs\n');
    writeFileSync(join(top, 'same.bin'), 'same');
    writeFileSync(join(top, 'changed.bin'), 'same');
    commitAll(top);
    utimesSync(join(top, 'same.bin'), 1, 1);
    writeFileSync(join(top, 'changed.bin'), 'other');
    vi.stubEnv('HOME', home);
    expect((await readGitState(top, LIMITS))?.dirty).toEqual(['changed.bin']);
    expect(programsRun(hostile)).toEqual([]);
  });

  it('its excludesFile is honoured', async () => {
    const home = tempFolder();
    writeFileSync(join(home, 'ignored'), '*.log\n');
    writeFileSync(join(home, '.gitconfig'), `[core]\n\texcludesFile = ${join(home, 'ignored')}\n`);
    const top = makeRepository(join(tempFolder(), 'project'));
    for (const name of ['a.log', 'a.ts']) writeFileSync(join(top, name), '');
    vi.stubEnv('HOME', home);
    expect((await readGitState(top, LIMITS))?.dirty).toEqual(['a.ts']);
  });
});

describe("the repository's own configuration", () => {
  it('core.fileMode and info/exclude are honoured', async () => {
    const top = makeRepository(join(tempFolder(), 'project'));
    for (const name of ['a.ts', 'b.ts']) writeFileSync(join(top, name), '');
    execFileSync('git', ['add', 'a.ts'], { cwd: top });
    commitAll(top);
    chmodSync(join(top, 'a.ts'), 0o755);
    expect((await readGitState(top, LIMITS))?.dirty).toEqual(['a.ts']);
    execFileSync('git', ['config', 'core.fileMode', 'false'], { cwd: top });
    writeFileSync(join(top, '.git/info/exclude'), 'excluded\n');
    writeFileSync(join(top, 'excluded'), '');
    expect((await readGitState(top, LIMITS))?.dirty).toEqual([]);
  });

  it.each([
    ['sha256 objects are supported', ['init', '-q', '-b', 'main', '--object-format=sha256']],
    ['a split index is supported', ['init', '-q', '-b', 'main']],
  ])('%s', async (name, init) => {
    const top = join(tempFolder(), 'project');
    mkdirSync(top);
    execFileSync('git', init, { cwd: top });
    for (const file of ['a.ts', 'b.ts']) writeFileSync(join(top, file), 'a');
    commitAll(top);
    if (name.includes('index')) execFileSync('git', ['update-index', '--split-index'], { cwd: top });
    writeFileSync(join(top, 'a.ts'), 'changed');
    const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: top, encoding: 'utf8' }).trim();
    expect(await readGitState(top, LIMITS)).toEqual({ branch: 'main', head, dirty: ['a.ts'], moreDirty: 0 });
  });
});

describe('limits', () => {
  it('fails if the output exceeds the limit', async () => {
    const top = makeRepository(join(tempFolder(), 'project'));
    for (let number = 0; number < 50; number++) writeFileSync(join(top, `file-${number}`), '');
    const args = ['ls-files', '-o'];
    const few = { ...LIMITS, maxBytes: 100 };
    const repository = repositoryAt(top) as Repository;
    expect(await runGit(repository, args, few)).toBeUndefined();
    expect(runGitSync(repository, args, few).status).toBeNull();
  });

  it.skipIf(process.platform === 'win32')(
    'ends git after the time limit when it blocks on a file',
    async () => {
      const top = makeRepository(join(tempFolder(), 'project'));
      execFileSync('mkfifo', [join(top, '.gitignore')]);
      writeFileSync(join(top, 'new'), '');
      const short = { ...LIMITS, timeoutMs: 1_000 };
      const args = ['ls-files', '-o', '--exclude-standard'];
      expect(await readGitState(top, short)).toBeUndefined();
      expect(runGitSync(repositoryAt(top) as Repository, args, short).status).toBeNull();
      expect(runLine(gitLineFor(top, args, 1_000))).toBe('');
    },
  );
});

function gitLineFor(top: string, args: string[], timeoutMs = LIMITS.timeoutMs): GitLine {
  return gitLine(repositoryAt(top) as Repository, `cairn_git ${args.join(' ')}`, { ...LIMITS, timeoutMs });
}

function runLine({ command, env }: GitLine): string {
  return run(command, { env });
}

function run(command: string, { cwd = '/', env }: { cwd?: string; env: Record<string, string> }): string {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('/bin/sh', ['-c', command], { cwd, env, encoding: 'utf8', stdio: [...stdio] });
  } catch {
    return '';
  }
}

function commitAll(top: string): void {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
  const filters = ['-c', 'filter.lfs.process=', '-c', 'filter.lfs.clean=', '-c', 'filter.lfs.required=false'];
  for (const args of [
    ['add', '-A'],
    ['commit', '-qm', 'a commit'],
  ])
    execFileSync('git', [...identity, ...filters, ...args], { cwd: top, stdio: 'pipe' });
}
