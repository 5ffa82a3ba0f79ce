import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * Ways in which a repository makes git run a program. The program of a trick only appends the trick's name to the file
 * `wasRun`. `prove` is a plain git call that runs it: a test fails if a trick no longer works with this git.
 */
interface Trick {
  name: string;
  /** Lines for the repository's configuration; `run` is the program of this trick. */
  config?(run: string, repository: HostileRepository): string;
  /** Any setup that a few lines of configuration cannot do. */
  arm?(run: string, repository: HostileRepository): void;
  prove: string[];
}

export interface HostileRepository {
  /** The top of the work tree. */
  top: string;
  gitDir: string;
  /** Outside the repository: programs, and a home without configuration. */
  outside: string;
  wasRun: string;
}

/** git reads a file whose times have changed, and passes its content to a filter first. */
function filterTrick(name: string, more: Omit<Trick, 'name' | 'prove'> = {}): Trick {
  return {
    name,
    config: (run) => section(`filter "${name}"`, { clean: run }),
    ...more,
    // Only this file: git gives up after a few failing filters.
    prove: ['status', '--', `a.${name}`],
  };
}

const TRICKS: Trick[] = [
  filterTrick('clean-filter'),
  filterTrick('process-filter', {
    config: (run) => section('filter "process-filter"', { process: run }),
  }),
  filterTrick('included-config', {
    config: (_run, { gitDir }) => section('include', { path: join(gitDir, 'included') }),
    arm: (run, { gitDir }) =>
      writeFileSync(join(gitDir, 'included'), section('filter "included-config"', { clean: run })),
  }),
  filterTrick('conditional-include', {
    config: (_run, { gitDir }) => section('includeIf "gitdir:/**"', { path: join(gitDir, 'conditional') }),
    arm: (run, { gitDir }) =>
      writeFileSync(join(gitDir, 'conditional'), section('filter "conditional-include"', { clean: run })),
  }),
  filterTrick('worktree-config', {
    config: () => section('extensions', { worktreeConfig: 'true' }),
    arm: (run, { gitDir }) =>
      writeFileSync(join(gitDir, 'config.worktree'), section('filter "worktree-config"', { clean: run })),
  }),
  {
    name: 'attributes-file',
    config: (run, { gitDir }) =>
      section('core', { attributesFile: join(gitDir, 'more-attributes') }) +
      section('filter "attributes-file"', { clean: run }),
    arm: (_run, { gitDir }) =>
      writeFileSync(join(gitDir, 'more-attributes'), 'plain.txt filter=attributes-file\n'),
    prove: ['status', '--', 'plain.txt'],
  },
  {
    name: 'fsmonitor',
    config: (run) => section('core', { fsmonitor: run }),
    prove: ['status', '--', 'plain.txt'],
  },
  {
    name: 'external-diff',
    config: (run) => section('diff', { external: run }),
    prove: ['diff', 'HEAD~1', '--', 'plain.txt'],
  },
  {
    name: 'textconv',
    config: (run) => section('diff "textconv"', { textconv: run }),
    prove: ['diff', '--no-ext-diff', 'HEAD~1', '--', 'a.textconv'],
  },
  {
    name: 'merge-driver',
    config: (run) => section('merge "merge-driver"', { driver: run }),
    prove: ['merge-tree', '--write-tree', 'main', 'side'],
  },
  {
    name: 'signature',
    config: (run) => section('log', { showSignature: 'true' }) + section('gpg', { program: run }),
    prove: ['log', '-1'],
  },
  {
    name: 'hooks-path',
    config: (_run, { gitDir }) => section('core', { hooksPath: join(gitDir, 'more-hooks') }),
    arm: (run, { gitDir }) => {
      mkdirSync(join(gitDir, 'more-hooks'));
      writeFileSync(join(gitDir, 'more-hooks/post-index-change'), `#!/bin/sh\nexec ${run}\n`, {
        mode: 0o755,
      });
    },
    prove: ['update-index', '--force-write-index'],
  },
  {
    name: 'hook',
    arm: (run, { gitDir }) => {
      mkdirSync(join(gitDir, 'hooks'), { recursive: true });
      writeFileSync(join(gitDir, 'hooks/post-index-change'), `#!/bin/sh\nexec ${run}\n`, { mode: 0o755 });
    },
    prove: ['-c', 'core.hooksPath=hooks-of-this', 'update-index', '--force-write-index'],
  },
  {
    name: 'lazy-fetch',
    config: (run, { outside }) =>
      section('extensions', { partialClone: 'lazy' }) +
      section('remote "lazy"', { promisor: 'true', url: join(outside, 'elsewhere'), uploadpack: run }),
    prove: ['log', '--name-only', '--no-show-signature'],
  },
  {
    name: 'ssh-command',
    config: (run) => section('core', { sshCommand: run }),
    prove: ['ls-remote', 'ssh://host.invalid/repository'],
  },
  {
    name: 'protocol-ext',
    config: (run) =>
      section('protocol "ext"', { allow: 'always' }) + section('remote "ext"', { url: `ext::${run}` }),
    prove: ['ls-remote', 'ext'],
  },
  {
    name: 'alternate-refs',
    config: (run) => section('core', { alternateRefsCommand: run }),
    arm: (_run, { gitDir, outside }) =>
      writeFileSync(join(gitDir, 'objects/info/alternates'), `${join(outside, 'elsewhere/.git/objects')}\n`),
    prove: ['rev-list', '--alternate-refs'],
  },
  {
    name: 'alias',
    config: (run) => section('alias', { hostile: `!${run}` }),
    prove: ['hostile'],
  },
  {
    name: 'editor',
    config: (run) => section('core', { editor: run }),
    prove: ['-c', 'user.name=t', '-c', 'user.email=t@t', 'tag', '-a', 'hostile'],
  },
  {
    name: 'credential-helper',
    config: (run) => section('credential', { helper: `!${run}` }),
    prove: ['credential', 'fill'],
  },
  {
    name: 'ask-pass',
    config: (run) => section('core', { askPass: run }),
    prove: ['-c', 'credential.helper=', 'credential', 'fill'],
  },
  {
    name: 'submodule',
    arm: (run, { top }) => {
      const library = join(top, 'library');
      appendFileSync(join(library, '.git/config'), section('core', { fsmonitor: run }));
    },
    prove: ['status', '--', 'library'],
  },
];

/** A repository with all of these tricks at once, as from an unpacked archive. */
export function makeHostileRepository(folder: string): HostileRepository {
  const top = join(folder, 'project');
  const outside = join(folder, 'outside');
  const repository = { top, outside, gitDir: join(top, '.git'), wasRun: join(outside, 'was-run') };
  for (const made of [top, join(outside, 'home')]) mkdirSync(made, { recursive: true });
  makeContent(repository);
  for (const trick of TRICKS) {
    const run = makePayload(repository, trick.name);
    appendFileSync(join(repository.gitDir, 'config'), trick.config?.(run, repository) ?? '');
    trick.arm?.(run, repository);
  }
  touchFiles(repository);
  return repository;
}

export const TRICK_NAMES = TRICKS.map(({ name }) => name);

/** The tricks that plain git falls for when a person runs it there. */
export function provenTricks(repository: HostileRepository): string[] {
  return TRICKS.filter(({ name, prove }) => {
    rmSync(repository.wasRun, { force: true });
    touchFiles(repository);
    const args = prove.map((arg) => arg.replace('hooks-of-this', join(repository.gitDir, 'hooks')));
    spawnSync('git', args, {
      cwd: repository.top,
      env: plainEnvironment(repository),
      input: 'protocol=https\nhost=host.invalid\n\n',
      timeout: 60_000,
    });
    return programsRun(repository).includes(name);
  }).map(({ name }) => name);
}

/** Resets the repository after a proof, which may have refreshed git's index. */
export function rearm(repository: HostileRepository): void {
  rmSync(repository.wasRun, { force: true });
  touchFiles(repository);
}

/** The names of the tricks whose program was started since the last reset. */
export function programsRun({ wasRun }: HostileRepository): string[] {
  const names = existsSync(wasRun) ? readFileSync(wasRun, 'utf8').split('\n').filter(Boolean) : [];
  return [...new Set(names)].sort();
}

/** Writes a program that records its name, for tricks outside of git's configuration. */
export function makePayload({ outside, wasRun }: HostileRepository, name: string, path?: string): string {
  const program = path ?? join(outside, `run-${name}`);
  writeFileSync(program, `#!/bin/sh\necho ${name} >>'${wasRun}'\nexit 1\n`, { mode: 0o755 });
  return program;
}

/** The same repository behind a `.git` file that points into the work tree. */
export function moveBehindPointer(repository: HostileRepository): HostileRepository {
  const gitDir = join(repository.top, 'store.git');
  renameSync(repository.gitDir, gitDir);
  writeFileSync(join(repository.top, '.git'), 'gitdir: store.git\n');
  return { ...repository, gitDir };
}

/** A linked worktree of the same repository. */
export function addWorktree(repository: HostileRepository): HostileRepository {
  const top = join(repository.outside, 'worktree');
  const gitDir = join(repository.gitDir, 'worktrees/worktree');
  mkdirSync(gitDir, { recursive: true });
  mkdirSync(top);
  writeFileSync(join(top, '.git'), `gitdir: ${gitDir}\n`);
  writeFileSync(join(gitDir, 'gitdir'), `${join(top, '.git')}\n`);
  writeFileSync(join(gitDir, 'commondir'), '../..\n');
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/side\n');
  writeFileSync(join(gitDir, 'index'), readFileSync(join(repository.gitDir, 'index')));
  for (const name of CONTENT) writeFileSync(join(top, name), readFileSync(join(repository.top, name)));
  const worktree = { ...repository, top };
  touchFiles(worktree);
  return worktree;
}

const FILTERED = TRICKS.filter(({ prove }) => prove[0] === 'status').map(({ name }) => `a.${name}`);
const CONTENT = ['.gitattributes', ...FILTERED, 'a.textconv', 'a.merge-driver', 'plain.txt'];

function makeContent(repository: HostileRepository): void {
  const { top, outside } = repository;
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      cwd: folder,
      env: plainEnvironment(repository),
      stdio: ['pipe', 'pipe', 'pipe'],
      encoding: 'utf8',
    }).trim();
  const start = (folder: string) => {
    mkdirSync(folder, { recursive: true });
    git(folder, 'init', '-q', '-b', 'main');
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'start');
  };
  start(join(outside, 'elsewhere'));
  start(top);
  start(join(top, 'library'));
  writeFileSync(join(top, 'library/index.txt'), '');
  git(join(top, 'library'), 'add', '-A');
  git(join(top, 'library'), 'commit', '-q', '-m', 'library');

  // A commit whose tree is missing: listing its files requires a fetch.
  writeFileSync(join(top, 'only-here.txt'), 'lost\n');
  git(top, 'add', 'only-here.txt');
  git(top, 'commit', '-q', '-m', 'lost');
  const lost = git(top, 'rev-parse', 'HEAD^{tree}');
  git(top, 'rm', '-q', 'only-here.txt');

  writeFileSync(join(top, '.gitattributes'), attributes());
  for (const name of CONTENT.slice(1)) writeFileSync(join(top, name), 'first\n');
  git(top, 'add', '-A');
  git(top, 'commit', '-q', '-m', 'first');
  git(top, 'checkout', '-q', '-b', 'side');
  writeFileSync(join(top, 'a.merge-driver'), 'theirs\n');
  git(top, 'commit', '-q', '-am', 'theirs');
  git(top, 'checkout', '-q', 'main');
  for (const name of CONTENT.slice(1)) writeFileSync(join(top, name), 'ours\n');
  git(top, 'commit', '-q', '-am', 'ours');
  sign(repository, git(top, 'cat-file', 'commit', 'HEAD'));
  rmSync(join(repository.gitDir, 'objects', lost.slice(0, 2), lost.slice(2)));
}

function attributes(): string {
  const filters = FILTERED.map((name) => `${name} filter=${name.slice(2)}`);
  return `${[...filters, 'a.textconv diff=textconv', 'a.merge-driver merge=merge-driver'].join('\n')}\n`;
}

/** Replaces the last commit with a signed one. */
function sign({ top, gitDir, outside }: HostileRepository, commit: string): void {
  const signature = ['gpgsig -----BEGIN PGP SIGNATURE-----', '', 'iQ==', '-----END PGP SIGNATURE-----'].join(
    '\n ',
  );
  const [head = '', ...message] = commit.split('\n\n');
  const id = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
    cwd: top,
    env: plainEnvironment({ outside }),
    input: `${head}\n${signature}\n\n${message.join('\n\n')}\n`,
    encoding: 'utf8',
  });
  writeFileSync(join(gitDir, 'refs/heads/main'), id);
}

function touchFiles({ top }: Pick<HostileRepository, 'top'>): void {
  const at = 1_000_000_000 + touched++;
  for (const name of CONTENT) if (existsSync(join(top, name))) utimesSync(join(top, name), at, at);
}
let touched = 0;

function plainEnvironment({ outside }: Pick<HostileRepository, 'outside'>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: join(outside, 'home'), GIT_CONFIG_NOSYSTEM: '1' };
}

function section(name: string, values: Record<string, string>): string {
  const lines = Object.entries(values).map(([key, value]) => `\t${key} = "${value}"`);
  return `[${name}]\n${lines.join('\n')}\n`;
}
