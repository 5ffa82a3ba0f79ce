import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { rememberTurn } from '../../../test/support/memories.ts';
import { openPlainStore, type PlainStore } from '../../../test/support/plain-store.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { findPlace } from '../../capture/place.ts';
import { redactValue } from '../../capture/redact/redact-value.ts';
import { cleanNotes, refreshNotes, updateDistilledFolders, writeNotes } from './notes.ts';
import type { NoteOutcome } from './update-folder.ts';

const NOON = new Date(2026, 10, 14, 12, 0).getTime();
const MINUTE = 60_000;

let store: PlainStore;
let root: string;
let top: string;

beforeEach(() => {
  root = tempFolder();
  top = join(root, 'shop');
  store = openPlainStore(join(root, 'home/cairn.db'));
  mkdirSync(top);
});
afterEach(() => store.close());

describe('in a repository', () => {
  beforeEach(() => {
    git('init', '-q', '-b', 'main');
    put('src/money.ts', 'src/deep/cents.ts', 'docs/a.md', 'README.md');
    git('add', '-A');
    git('commit', '-qm', 'start');
  });

  it('writes one block per folder, about the files directly in it', () => {
    learn(
      ['Round half to even', ['src/money.ts']],
      ['Cents are whole', ['src/deep/cents.ts', 'src/money.ts']],
    );
    learn(['Of the whole', ['README.md']], ['Nowhere', []], ['Outside', ['/etc/hosts', '../x/y.ts']]);
    expect(changes(notes())).toEqual(['new src/CLAUDE.md', 'new src/deep/CLAUDE.md']);
    expect(rows('src/CLAUDE.md')).toEqual([
      '2026-11-14',
      '- 12:00 · decision · Cents are whole · #2',
      '- 12:00 · decision · Round half to even · #1',
    ]);
    expect(rows('src/deep/CLAUDE.md')).toEqual(['2026-11-14', '- 12:00 · decision · Cents are whole · #2']);
    expect(status()).toEqual(['?? src/CLAUDE.md', '?? src/deep/CLAUDE.md']);
  });

  it('changes nothing when run again, and writes nothing in a dry run', () => {
    learn(['Round half to even', ['src/money.ts']]);
    expect(changes(notes({ isDryRun: true }))).toEqual(['new src/CLAUDE.md']);
    expect([status(), store.listNotedFolders()]).toEqual([[], []]);
    notes();
    const { ino, mtimeMs } = statSync(join(top, 'src/CLAUDE.md'));
    expect(changes(notes())).toEqual(['unchanged src/CLAUDE.md']);
    expect(statSync(join(top, 'src/CLAUDE.md'))).toMatchObject({ ino, mtimeMs });
  });

  it('lists the latest memories up to the limit, without superseded ones', () => {
    for (const title of ['One', 'Two', 'Three']) learn([title, ['src/money.ts']]);
    const old = store.listRecentMemories({ limit: 9 }).find(({ title }) => title === 'Two')?.id ?? 0;
    learn(['Four', ['src/money.ts'], { supersedes: old }]);
    notes({ rows: 2 });
    expect(rows('src/CLAUDE.md').slice(1)).toEqual([
      expect.stringContaining('Four · #4'),
      expect.stringContaining('Three · #3'),
    ]);
  });

  it('preserves everything outside the tags byte for byte, and cleaning restores the files', () => {
    const texts: [string, string][] = [
      ['src/CLAUDE.md', '# Mine\r\n\r\nText \xff\xfe\x80\r\n'],
      ['src/deep/CLAUDE.md', '\xef\xbb\xbf# Mine\n\nno line end'],
      ['docs/AGENTS.md', ''],
    ];
    for (const [path, text] of texts) put([path, Buffer.from(text, 'latin1')]);
    chmodSync(join(top, 'src/CLAUDE.md'), 0o640);
    learn(['A', ['src/money.ts', 'src/deep/cents.ts', 'docs/a.md']]);
    expect(changes(notes())).toEqual([
      'changed docs/AGENTS.md',
      'changed src/CLAUDE.md',
      'changed src/deep/CLAUDE.md',
    ]);
    for (const [path, text] of texts) expect(bytes(path).startsWith(text)).toBe(true);
    expect(bytes('src/CLAUDE.md')).not.toMatch(/(?<!\r)\n/);
    expect(bytes('src/deep/CLAUDE.md')).toMatch(/<\/cairn-notes>$/);
    expect(statSync(join(top, 'src/CLAUDE.md')).mode & 0o777).toBe(0o640);

    put(['src/deep/CLAUDE.md', Buffer.from(bytes('src/deep/CLAUDE.md'), 'latin1')]);
    expect(changes(clean(true))).toHaveLength(3);
    expect(changes(clean())).toEqual([
      'removed docs/AGENTS.md',
      'changed src/CLAUDE.md',
      'changed src/deep/CLAUDE.md',
    ]);
    expect(texts.map(([path]) => (existsSync(join(top, path)) ? bytes(path) : ''))).toEqual(
      texts.map(([, text]) => text),
    );
    expect([changes(clean()), store.listNotedFolders()]).toEqual([[], []]);
  });

  it('writes nothing in ignored, hidden, linked or missing folders and other repositories', () => {
    put(['.gitignore', 'dist/\nlogs/*\n'], 'dist/a.js', 'dist/deep/b.js', 'logs/x.log', '.github/ci.yml');
    put('nested/a.ts', 'gone/a.ts', 'empty-module/a.c', 'kept/a.ts', ':odd*/a.ts');
    git('init', '-q', join(top, 'nested'));
    rmSync(join(top, 'gone'), { recursive: true });
    const library = join(root, 'library');
    mkdirSync(library);
    git('-C', library, 'init', '-q');
    writeFileSync(join(library, 'b.c'), '');
    git('-C', library, 'add', '-A');
    git('-C', library, 'commit', '-qm', 'start');
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'module');
    // Many empty lines: a pattern for the whole file took hours.
    const modules = `${'\n'.repeat(500_000)}[submodule "e"]\n\tpath = "empty-module"  \n`;
    writeFileSync(join(top, '.gitmodules'), modules, { flag: 'a' });
    symlinkSync('src', join(top, 'link'));
    symlinkSync(library, join(top, 'outside'));
    const files = [
      'dist/a.js',
      'dist/deep/b.js',
      'logs/x.log',
      '.github/ci.yml',
      '.git/config',
      '.git/hooks/x',
    ];
    const others = ['nested/a.ts', 'nested/deep/a.ts', 'gone/a.ts', 'module/b.c', 'empty-module/a.c'];
    const odd = ['link/money.ts', 'outside/b.c', 'a/../src/money.ts', 'kept/a.ts', ':odd*/a.ts', 'nul\0/a'];
    learn(['A', [...files, ...others, ...odd]]);
    expect(changes(notes())).toEqual(['new :odd*/CLAUDE.md', 'new kept/CLAUDE.md']);
    expect(found(root)).toEqual(['shop/:odd*/CLAUDE.md', 'shop/kept/CLAUDE.md']);
    expect(existsSync(join(top, 'gone'))).toBe(false);
  });

  it('removes notes from a folder that is ignored now', () => {
    learn(['A', ['src/money.ts', 'docs/a.md']]);
    notes();
    put(['.gitignore', 'docs/\n']);
    expect(changes(notes())).toEqual(['unchanged src/CLAUDE.md', 'removed docs/CLAUDE.md']);
    expect(store.listNotedFolders().map(({ folder }) => relative(top, folder))).toEqual(['src']);
  });

  it('writes only in the given checkout; cleaning and forgetting also change worktrees', () => {
    const worktree = join(root, 'shop-feature');
    git('worktree', 'add', '-q', '-b', 'feature', worktree);
    learn(['A', ['src/money.ts']]);
    const other = { top: worktree, projectId: project() };
    expect(changes(writeNotes(store, other, { redact: redactValue, rows: 50 }))).toEqual([
      'new ../shop-feature/src/CLAUDE.md',
    ]);
    expect(status()).toEqual([]);
    put(['../shop-feature/.gitignore', 'docs\n']);
    learn(['B', ['docs/a.md']]);
    expect(changes(writeNotes(store, other, { redact: redactValue, rows: 50 }))).toEqual([
      'unchanged ../shop-feature/src/CLAUDE.md',
    ]);
    notes();
    expect(changes(refreshNotes(store, { gone: [1] }, { redact: redactValue, rows: 50 }))).toEqual([
      'removed ../shop-feature/src/CLAUDE.md',
      'removed src/CLAUDE.md',
    ]);
    notes();
    writeNotes(store, other, { redact: redactValue, rows: 50 });
    expect(changes(clean())).toHaveLength(3);
    expect(found(root)).toEqual([]);
  });

  it('cleans blocks that came with a clone, also in the top folder, but not in ignored folders', () => {
    const block = '<cairn-notes>\nx\n</cairn-notes>\n';
    put(
      ['src/AGENTS.md', `a\n\n${block}`],
      ['CLAUDE.md', block],
      ['dist/CLAUDE.md', block],
      ['.gitignore', 'dist\n'],
    );
    git('add', 'src/AGENTS.md');
    expect(changes(cleanNotes(store, { top, projectId: null }))).toEqual([
      'removed CLAUDE.md',
      'changed src/AGENTS.md',
    ]);
    expect(found(top)).toEqual(['dist/CLAUDE.md', 'src/AGENTS.md']);
  });

  it('throws if git fails, and writes nothing', () => {
    learn(['A', ['src/money.ts']]);
    writeFileSync(join(top, '.git/config'), 'torn [');
    expect(() => notes()).toThrow(/^Cannot ask git which files are ignored: .+\. Nothing was changed\.$/);
    expect(found(top)).toEqual([]);
  });
});

describe('the file of a folder', () => {
  beforeEach(() => {
    put('src/a.ts');
    learn(['A', ['src/a.ts']]);
  });

  test.each([
    ['is created for the agent if there is none', {}, ['new src/CLAUDE.md']],
    ['is the existing one', { 'AGENTS.md': 'x\n' }, ['changed src/AGENTS.md']],
    [
      'is the one of the agent if there are two',
      { 'AGENTS.md': 'x\n', 'CLAUDE.md': 'y\n' },
      ['changed src/CLAUDE.md'],
    ],
    [
      'is the one with a block',
      { 'AGENTS.md': 'x\n\n<cairn-notes>\n</cairn-notes>\n', 'CLAUDE.md': 'y\n' },
      ['changed src/AGENTS.md'],
    ],
    [
      'is only one of two with a block',
      { 'AGENTS.md': '<cairn-notes>\n</cairn-notes>\n', 'CLAUDE.md': '<cairn-notes>\n</cairn-notes>\n' },
      ['changed src/CLAUDE.md', 'removed src/AGENTS.md'],
    ],
  ])('%s', (_, files, expected) => {
    for (const [name, text] of Object.entries(files)) put([`src/${name}`, text]);
    expect(changes(notes())).toEqual(expected);
    expect(found(top).filter((path) => bytes(path).includes('<cairn-notes>'))).toHaveLength(1);
    expect(changes(notes())).toHaveLength(1);
  });

  test.each([
    ['CLAUDE.md', 'AGENTS.md'],
    ['AGENTS.md', 'CLAUDE.md'],
  ])('is written once if %s is a link to %s, which stays a link', (link, target) => {
    put([`src/${target}`, 'x\n']);
    symlinkSync(target, join(top, 'src', link));
    expect(changes(notes())).toEqual([`changed src/${target}`]);
    expect(readlinkSync(join(top, 'src', link))).toBe(target);
    expect(bytes(`src/${target}`).match(/<cairn-notes>/g)).toHaveLength(1);
    clean();
    expect(bytes(`src/${target}`)).toBe('x\n');
  });

  it('is created as the target of a broken link to the other file', () => {
    symlinkSync('AGENTS.md', join(top, 'src/CLAUDE.md'));
    expect(changes(notes())).toEqual(['new src/AGENTS.md']);
    expect(changes(clean())).toEqual(['removed src/AGENTS.md']);
    expect(changes(notes())).toEqual(['new src/AGENTS.md']);
  });
});

describe('a folder with a problem is reported and does not stop others', () => {
  const bad: [string, () => void, RegExp][] = [
    [
      'a folder',
      () => mkdirSync(join(top, 'bad/CLAUDE.md')),
      /^bad\/CLAUDE\.md: it is a folder; left alone$/,
    ],
    [
      'a link out of the project',
      () => symlinkSync('/etc/hosts', join(top, 'bad/CLAUDE.md')),
      /^bad\/CLAUDE\.md: it is a link to \/etc\/hosts; notes go only into a file of this folder$/,
    ],
    [
      'a link to another folder',
      () => symlinkSync('../CLAUDE.md', join(top, 'bad/AGENTS.md')),
      /^bad\/AGENTS\.md: it is a link to .+shop\/CLAUDE\.md; notes go only/,
    ],
    [
      'a broken link',
      () => symlinkSync('nothing', join(top, 'bad/CLAUDE.md')),
      /: it is a broken link; left unchanged$/,
    ],
    [
      'a link to itself',
      () => symlinkSync('CLAUDE.md', join(top, 'bad/CLAUDE.md')),
      /: it is a broken link; left unchanged$/,
    ],
    ['a FIFO', () => execFileSync('mkfifo', [join(top, 'bad/CLAUDE.md')]), /: it is not a file; left alone$/],
    [
      'a file with two names',
      () => linkSync(join(top, 'CLAUDE.md'), join(top, 'bad/CLAUDE.md')),
      /: it has several names \(hard links\); left alone$/,
    ],
    [
      'UTF-16',
      () => put(['bad/CLAUDE.md', Buffer.from('\ufeff# Mine\n', 'utf16le')]),
      /: it is not plain text \(UTF-8\); left alone$/,
    ],
    [
      'a read-only file',
      () => {
        put(['bad/CLAUDE.md', 'x\n']);
        chmodSync(join(top, 'bad/CLAUDE.md'), 0o444);
      },
      /^bad: its file is read-only; left alone\. .+chmod u\+w$/,
    ],
    [
      'a start without its end',
      () => put(['bad/CLAUDE.md', 'x\n<cairn-notes>\ny\n']),
      /: <\/cairn-notes> is missing; left alone\. Put the tags right or remove them, then run: cairn notes$/,
    ],
    [
      'the end before the start',
      () => put(['bad/AGENTS.md', '</cairn-notes>\ny\n<cairn-notes>\n']),
      /^bad\/AGENTS\.md: <\/cairn-notes> comes before <cairn-notes>; left alone\./,
    ],
    [
      'two blocks',
      () => put(['bad/CLAUDE.md', '<cairn-notes>\n</cairn-notes>\n'.repeat(2)]),
      /: it has more than one block; left alone\./,
    ],
  ];

  beforeEach(() => {
    put('bad/a.ts', 'src/a.ts', ['CLAUDE.md', '# Top\n']);
    learn(['A', ['bad/a.ts', 'src/a.ts']]);
  });

  test.each(bad)('%s', (_, spoil, says) => {
    spoil();
    const before = listStats(join(top, 'bad'));
    const outcomes = notes();
    expect(outcomes.map(({ problem }) => problem !== undefined)).toEqual([true, false]);
    expect(describeProblem(outcomes[0])).toMatch(says);
    expect(changes(outcomes.slice(1))).toEqual(['new src/CLAUDE.md']);
    expect(listStats(join(top, 'bad'))).toEqual(before);
    expect(bytes('CLAUDE.md')).toBe('# Top\n');
  });

  test.each(['x\n<cairn-notes>\ny\n', '</cairn-notes>\ny\n<cairn-notes>\n'])(
    'cleaning leaves %j unchanged, too',
    (text) => {
      put(['bad/CLAUDE.md', text]);
      notes();
      expect(clean().map(describeProblem)).toEqual([
        expect.stringMatching(/^bad\/CLAUDE\.md: .+; left alone\./),
        expect.stringMatching(/src\/CLAUDE\.md: undefined$/),
      ]);
      expect(bytes('bad/CLAUDE.md')).toBe(text);
      expect(store.listNotedFolders().map(({ folder }) => relative(top, folder))).toEqual(['bad']);
    },
  );
});

test('cleaning reports each file that it cannot change once', () => {
  put('src/a.ts', 'lib/a.ts');
  learn(['A', ['src/a.ts', 'lib/a.ts']]);
  notes();
  linkSync(join(top, 'src/CLAUDE.md'), join(top, 'src/copy'));
  put(['lib/CLAUDE.md', '<cairn-notes>\n']);
  symlinkSync('CLAUDE.md', join(top, 'lib/AGENTS.md'));
  expect(clean().map(describeProblem)).toEqual([
    expect.stringMatching(/^lib\/CLAUDE\.md: <\/cairn-notes> is missing; left alone/),
    'src/CLAUDE.md: it has several names (hard links); left alone',
  ]);
});

test('does not follow a folder that became a link', () => {
  put('src/a.ts');
  learn(['A', ['src/a.ts']]);
  notes();
  renameSync(join(top, 'src'), join(root, 'elsewhere'));
  symlinkSync('../elsewhere', join(top, 'src'));
  const before = listStats(join(root, 'elsewhere'));
  expect([changes(notes()), changes(clean()), store.listNotedFolders()]).toEqual([[], [], []]);
  expect(listStats(join(root, 'elsewhere'))).toEqual(before);
});

describe('outside git', () => {
  it('skips usually ignored folders and other repositories', () => {
    const kept = ['src/a.ts', 'src/deep/b.ts'];
    const ignored = [
      'node_modules/x/a.js',
      'dist/a.js',
      '.venv/lib/a.py',
      'packages/p/build/a.js',
      'repo/a.ts',
      'a.ts',
    ];
    put(...kept, ...ignored);
    git('init', '-q', join(top, 'repo'));
    learn(['A', [...kept, ...ignored]]);
    expect(changes(notes())).toEqual(['new src/CLAUDE.md', 'new src/deep/CLAUDE.md']);
    expect(found(top)).toEqual(['src/CLAUDE.md', 'src/deep/CLAUDE.md']);
    put(
      ['node_modules/x/CLAUDE.md', '<cairn-notes>\n</cairn-notes>\n'],
      ['docs/AGENTS.md', '<cairn-notes>\n</cairn-notes>'],
    );
    expect(changes(clean())).toEqual([
      'removed docs/AGENTS.md',
      'removed src/CLAUDE.md',
      'removed src/deep/CLAUDE.md',
    ]);
    expect(found(top)).toEqual(['node_modules/x/CLAUDE.md']);
  });
});

describe('updateDistilledFolders', () => {
  let worktree: string;
  beforeEach(() => {
    git('init', '-q', '-b', 'main');
    put('src/a.ts', 'docs/a.md', 'lib/a.ts');
    git('add', '-A');
    git('commit', '-qm', 'start');
    worktree = join(root, 'feature');
    git('worktree', 'add', '-q', '-b', 'feature', worktree);
  });
  const distilled = (since: number) =>
    changes(updateDistilledFolders(store, since, { redact: redactValue, rows: 50 }));

  it('updates only folders of new memories, in the checkouts of their sessions', () => {
    learn(['Earlier', ['docs/a.md']]);
    learn(['A', ['src/a.ts']]);
    rememberTurn(store, {
      session: 'w',
      at: NOON + 99 * MINUTE,
      place: findPlace(worktree),
      observations: [observation('B', ['src/a.ts'])],
    });
    expect(distilled(NOON + MINUTE)).toEqual(['new ../feature/src/CLAUDE.md', 'new src/CLAUDE.md']);
    expect(distilled(NOON + 999 * MINUTE)).toEqual([]);
    expect(found(root)).toEqual(['feature/src/CLAUDE.md', 'shop/src/CLAUDE.md']);
    expect(rows('src/CLAUDE.md')).toHaveLength(3);
  });

  it('updates folders whose memory was superseded', () => {
    learn(['A', ['docs/a.md']]);
    notes();
    learn(['B', ['src/a.ts'], { supersedes: 1 }]);
    expect(distilled(NOON + MINUTE)).toEqual(['new src/CLAUDE.md', 'removed docs/CLAUDE.md']);
  });

  it('reports a checkout with a broken git directory', () => {
    learn(['A', ['src/a.ts']]);
    rememberTurn(store, {
      session: 'w',
      at: NOON,
      place: findPlace(worktree),
      observations: [observation('B', ['src/a.ts'])],
    });
    writeFileSync(join(top, '.git/info/exclude'), 'src\n');
    rmSync(join(worktree, '.git'));
    writeFileSync(join(worktree, '.git'), 'gitdir: /nowhere\n');
    const outcomes = updateDistilledFolders(store, 0, { redact: redactValue, rows: 50 });
    expect(outcomes.map(({ path, problem }) => [relative(root, path), problem !== undefined])).toEqual([
      ['feature', true],
    ]);
  });
});

describe('refreshNotes', () => {
  beforeEach(() => {
    put('src/a.ts', 'docs/a.md', 'lib/a.ts');
    learn(['A', ['src/a.ts', 'docs/a.md']], ['B', ['src/a.ts', 'lib/a.ts']]);
    notes();
  });
  const refresh = (what: { changed?: number[]; gone?: number[] }, isDryRun = false) =>
    changes(refreshNotes(store, what, { redact: redactValue, rows: 50, isDryRun }));

  it('updates every note that contains a forgotten memory', () => {
    expect(refresh({ gone: [1] }, true)).toEqual(['removed docs/CLAUDE.md', 'changed src/CLAUDE.md']);
    store.forget({ memories: [1], prompts: [], sessions: [] }, { withSource: false, isDryRun: false }, NOON);
    expect(refresh({ gone: [1] })).toEqual(['removed docs/CLAUDE.md', 'changed src/CLAUDE.md']);
    expect(refresh({ gone: [1] })).toEqual([]);
    expect(rows('src/CLAUDE.md').slice(1)).toEqual([expect.stringContaining('B · #2')]);
  });

  it('writes the new title of an edited memory, and changes no other folder', () => {
    store.editMemory(2, { title: 'C' }, NOON);
    learn(['Later', ['docs/a.md']]);
    expect(refresh({ changed: [2] })).toEqual(['changed lib/CLAUDE.md', 'changed src/CLAUDE.md']);
    expect(rows('lib/CLAUDE.md').slice(1)).toEqual([expect.stringContaining('C · #2')]);
  });

  it('omits a memory that is forgotten while notes are being written', () => {
    rmSync(join(top, 'src/CLAUDE.md'));
    let asked = 0;
    const late: PlainStore = {
      ...store,
      listFolderEntries(query) {
        const entries = store.listFolderEntries(query);
        if (query.folder !== 'src' || ++asked !== 1) return entries;
        put(['src/CLAUDE.md', '# Mine\n']);
        store.forget(
          { memories: [1], prompts: [], sessions: [] },
          { withSource: false, isDryRun: false },
          NOON,
        );
        return entries;
      },
    };
    expect(
      changes(writeNotes(late, { top, projectId: project() }, { redact: redactValue, rows: 50 })),
    ).toContain('changed src/CLAUDE.md');
    expect(rows('src/CLAUDE.md').slice(1)).toEqual([expect.stringContaining('B · #2')]);
  });

  it('reports damaged tags, and skips missing folders', () => {
    put(['lib/CLAUDE.md', bytes('lib/CLAUDE.md').replace('</cairn-notes>', '')]);
    renameSync(join(top, 'src'), join(top, 'moved'));
    const outcomes = refreshNotes(store, { gone: [2] }, { redact: redactValue, rows: 50 });
    expect(outcomes.map(describeProblem)).toEqual([
      expect.stringMatching(/^lib\/CLAUDE\.md: <\/cairn-notes> is missing/),
    ]);
  });
});

function learn(...memories: [title: string, files: string[], more?: { supersedes?: number }][]): void {
  const at = NOON + turns++ * MINUTE;
  const observations = memories.map(([title, files, more]) => ({ ...observation(title, files), ...more }));
  rememberTurn(store, { at: Math.max(at, NOON), place: findPlace(top), observations, folder: top });
}

let turns = 0;
beforeEach(() => {
  turns = 0;
});

function observation(title: string, filesModified: string[]) {
  return { title, filesModified };
}

function notes(how: { rows?: number; isDryRun?: boolean } = {}): NoteOutcome[] {
  return writeNotes(store, { top, projectId: project() }, { redact: redactValue, rows: 50, ...how });
}

function clean(isDryRun = false): NoteOutcome[] {
  return cleanNotes(store, { top, projectId: project() }, isDryRun);
}

function project(): number {
  return store.findProject(findPlace(top))?.id ?? 0;
}

function put(...files: (string | [path: string, content: string | Buffer])[]): void {
  for (const file of files) {
    const [path, content] = typeof file === 'string' ? [file, 'x\n'] : file;
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), content);
  }
}

function bytes(path: string): string {
  return readFileSync(join(top, path), 'latin1');
}

/** The lines below the introduction. */
function rows(path: string): string[] {
  const text = readFileSync(join(top, path), 'utf8');
  return text.split('\n').filter((line) => /^(?:- |\d{4}-)/.test(line));
}

function changes(outcomes: NoteOutcome[]): string[] {
  return outcomes.map(({ path, before, after, problem }) => {
    const change =
      before === null ? 'new' : after === null ? 'removed' : before.equals(after) ? 'unchanged' : 'changed';
    return `${problem ?? change} ${relative(top, path)}`;
  });
}

function describeProblem(outcome: NoteOutcome | undefined): string {
  return `${relative(top, outcome?.path ?? '')}: ${outcome?.problem}`;
}

/** Every file that agents would read, without links. */
function found(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(?:CLAUDE|AGENTS)\.md$|\.cairn$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

function listStats(folder: string) {
  return readdirSync(folder).map((name) => {
    const { mode, ino, mtimeMs } = lstatSync(join(folder, name));
    return { name, mode, ino, mtimeMs };
  });
}

function status(): string[] {
  const listed = git('status', '--porcelain', '-uall');
  return listed.split('\n').filter((line) => line !== '');
}

function git(...args: string[]): string {
  const who = ['-c', 'user.name=Robin', '-c', 'user.email=robin@example.invalid'];
  return execFileSync('git', [...who, ...args], {
    cwd: top,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' },
  });
}
