import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, test } from 'vitest';
import { buildOptionalCommand } from '../../src/agents/claude-code/optional-programs.ts';
import { findPlace } from '../../src/capture/place.ts';
import { readWindowNote } from '../../src/continuity/meter/window-note.ts';
import { cairn } from '../support/home-watch.ts';
import { type HookWorld, makeHookWorld, recorded, runProgram } from '../support/hook-call.ts';
import { rememberTurn } from '../support/memories.ts';
import { openPlainStore } from '../support/plain-store.ts';
import { makeRepository } from '../support/run-cairn.ts';
import { tempFolder } from '../support/temp.ts';
import { startPruning } from '../support/works.ts';

const PROGRAMS = { statusLine: 'statusline', fileSuggestion: 'suggest-files' };

/** What Claude Code asks for beside its hooks, as it asks: the installed command in a shell. */
function ask(
  world: HookWorld,
  key: keyof typeof PROGRAMS,
  input: string | Uint8Array,
  more: { theirs?: string; env?: object } = {},
) {
  const parts = { platform: 'linux' as const, launcher: world.launcher, interpreter: '', hookProgram: '' };
  const command = buildOptionalCommand(key, PROGRAMS[key], parts).command(more.theirs) ?? '';
  const env = { ...world.env, NO_COLOR: '1', COLUMNS: '100', ...more.env };
  return runProgram('/bin/sh', ['-c', command], { cwd: world.project, env, input });
}

const line = (world: HookWorld, more?: Parameters<typeof ask>[3]) =>
  ask(world, 'statusLine', told(world), more);

function told(world: HookWorld): string {
  const workspace = { current_dir: world.project, project_dir: world.project };
  return recorded('programs/statusline.after-responses', {
    session_id: 'one',
    cwd: world.project,
    workspace,
  });
}

function said(stdout: string) {
  return { stdout: `${stdout}\n`, stderr: '', exitCode: 0 };
}

function withWork(world: HookWorld): void {
  const store = openPlainStore(world.paths.database);
  const place = findPlace(world.project);
  rememberTurn(store, {
    session: 'one',
    at: 1_000,
    place,
    observations: [{ title: 'Apples', filesModified: ['b.ts'] }],
  });
  startPruning(store, { place, session: 'one', tasks: ['done', 'open'], at: 2_000 });
  store.close();
}

/** Where there is room, the line says how to see them. */
const OPEN = ', see: cairn open';

describe('the status line', () => {
  test('model, context left, work, tasks, memory; and the window is noted for the meter', async () => {
    const world = makeHookWorld(tempFolder());
    withWork(world);
    expect(await line(world)).toEqual(said(`Opus 5.5 · ░░░░░░░░░░ 99% left · pruning 1/2 · cairn 1${OPEN}`));
    expect(readWindowNote(world.paths, 'one')).toEqual({
      size: 1_000_000,
      used: 14_226,
      model: 'claude-opus-5-5',
      at: expect.any(Number),
    });
    // Compiled once, as for hooks.
    expect(readdirSync(world.paths.code).filter((name) => name.startsWith('statusline-'))).toHaveLength(1);
    expect(await line(world)).toEqual(said(`Opus 5.5 · ░░░░░░░░░░ 99% left · pruning 1/2 · cairn 1${OPEN}`));
    expect(await cairnLine(world)).toEqual(
      said(`Opus 5.5 · ░░░░░░░░░░ 99% left · pruning 1/2 · cairn 1${OPEN}`),
    );
  });

  const cairnLine = (world: HookWorld) =>
    runProgram(process.execPath, [join(import.meta.dirname, '../../dist/cli.mjs'), 'statusline'], {
      ...{ cwd: world.project, env: { ...world.env, NO_COLOR: '1' }, input: told(world) },
    });

  test('as wide as the terminal, and in colour unless NO_COLOR says otherwise', async () => {
    const world = makeHookWorld(tempFolder());
    withWork(world);
    expect(await line(world, { env: { COLUMNS: '36' } })).toEqual(said('99% left · pruning 1/2 · cairn 1'));
    expect((await line(world, { env: { NO_COLOR: '' } })).stdout).toContain('\u001b[32m');
  });

  const bare = 'Opus 5.5 · ░░░░░░░░░░ 99% left';
  const days: { name: string; harm(world: HookWorld): unknown; says: string }[] = [
    {
      name: 'no home',
      harm: ({ home }) => rmSync(home, { recursive: true }),
      says: `${bare} · cairn 0${OPEN}`,
    },
    {
      name: 'a file in the place of the home',
      harm({ home }) {
        rmSync(home, { recursive: true });
        writeFileSync(home, '');
      },
      says: `${bare} · cairn 0${OPEN}`,
    },
    {
      name: 'no database',
      harm: ({ paths }) => rmSync(paths.database),
      says: `${bare} · cairn 0${OPEN}`,
    },
    {
      name: 'a damaged database',
      harm: ({ paths }) => writeFileSync(paths.database, 'x'.repeat(5_000)),
      says: `${bare} · cairn: problem, run cairn doctor`,
    },
    {
      name: 'a database of a version that knows none of this',
      harm: ({ paths }) => inDatabase(paths.database, 'DROP TABLE work_sessions; PRAGMA user_version = 99'),
      says: `${bare} · cairn 1${OPEN}`,
    },
    { name: 'paused', harm: (world) => cairn(world, 'pause'), says: `${bare} · pruning 1/2 · cairn paused` },
    {
      name: 'a hook that captures nothing',
      harm: ({ paths }) =>
        writeFileSync(
          paths.captureBroken,
          JSON.stringify({ agent: 'claude-code', hook: 'Stop', at: Date.now(), count: 2 }),
        ),
      says: `${bare} · pruning 1/2 · cairn: problem, run cairn doctor`,
    },
    {
      name: 'events that cannot be stored',
      harm: ({ paths }) => writeFileSync(join(paths.state, 'stalled'), '{"count":9}'),
      says: `${bare} · pruning 1/2 · cairn: problem, run cairn doctor`,
    },
    {
      name: 'a home that cannot be written',
      harm: ({ paths }) => chmodSync(paths.state, 0o500),
      says: `${bare} · pruning 1/2 · cairn 1${OPEN}`,
    },
    {
      name: 'a project that is gone',
      harm: ({ project }) => rmSync(project, { recursive: true }),
      says: `${bare} · pruning 1/2 · cairn 1${OPEN}`,
    },
  ];
  test.each(days)('$name', async ({ harm, says }) => {
    const world = makeHookWorld(tempFolder());
    withWork(world);
    const input = told(world);
    await harm(world);
    const here = { ...world, project: existsSync(world.project) ? world.project : world.root };
    expect(await ask(here, 'statusLine', input)).toEqual(said(says));
    if (existsSync(world.paths.state)) chmodSync(world.paths.state, 0o700);
  });

  test('a database that somebody holds is left out', async () => {
    const world = makeHookWorld(tempFolder());
    await cairn(world, 'remember', 'Apples are pressed dry.');
    const holder = new DatabaseSync(world.paths.database);
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    try {
      expect(await line(world)).toEqual(said(`${bare} · cairn`));
    } finally {
      holder.close();
    }
  });

  test.each(['', '{', '[]', 'null', '{"model": {"display_name": 7}}', '\u0000\u0001'])(
    'input that cannot be understood: %j',
    async (input) => {
      const world = makeHookWorld(tempFolder());
      expect(await ask(world, 'statusLine', input)).toEqual(said(`cairn 0${OPEN}`));
    },
  );

  test('another one comes first, with the same input and the same environment', async () => {
    const world = makeHookWorld(tempFolder());
    const theirs = `printf 'columns %s\\n' "$COLUMNS"; sed -n 's/.*"session_id":"\\([^"]*\\)".*/it'"'"'s \\1/p'`;
    expect(await line(world, { theirs })).toEqual(said(`columns 100\nit's one\n${bare} · cairn 0${OPEN}`));
    expect(await line(world, { theirs: 'exit 3' })).toEqual(said(`${bare} · cairn 0${OPEN}`));
    rmSync(world.home, { recursive: true });
    expect(await line(world, { theirs: 'echo theirs' })).toEqual(said(`theirs\n${bare} · cairn 0${OPEN}`));
    expect(existsSync(world.home)).toBe(false);
  });
});

describe('file suggestions', () => {
  const suggest = (world: HookWorld, query: string, more?: Parameters<typeof ask>[3]) =>
    ask(world, 'fileSuggestion', asking(world, query), more);

  function asking(world: HookWorld, query: string, cwd = world.project): string {
    return recorded('programs/file-suggestion.stdin', { session_id: 'one', cwd, query });
  }

  function makeProject() {
    const world = makeHookWorld(tempFolder());
    makeRepository(world.project);
    mkdirSync(join(world.project, 'deep'));
    for (const name of ['a.ts', 'b.ts', 'c.ts', 'deep/d.ts']) writeFileSync(join(world.project, name), '');
    execFileSync('git', ['add', '-A'], { cwd: world.project });
    return world;
  }

  test('what is remembered comes first, and only what fits', async () => {
    const world = makeProject();
    withWork(world);
    expect(await suggest(world, '')).toEqual(said('b.ts\na.ts\nc.ts\ndeep/d.ts'));
    expect(await suggest(world, 'd')).toEqual(said('deep/d.ts\ndeep/'));
    expect(await suggest(world, 'no such file')).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(await ask(world, 'fileSuggestion', asking(world, 'ts', join(world.project, 'deep')))).toEqual(
      said('d.ts\n../b.ts\n../a.ts\n../c.ts'),
    );
  });

  test('nothing stands in its way: no home, no database, no git, no folder, no sense', async () => {
    const world = makeProject();
    rmSync(world.home, { recursive: true });
    expect(await suggest(world, 'b')).toEqual(said('b.ts'));
    rmSync(join(world.project, '.git'), { recursive: true });
    expect(await suggest(world, 'b')).toEqual(said('b.ts'));
    expect(await ask(world, 'fileSuggestion', '{')).toMatchObject({ stderr: '', exitCode: 0 });
    expect(await ask(world, 'fileSuggestion', asking(world, '', '/gone/altogether'))).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 0,
    });
    expect(existsSync(world.home)).toBe(false);
  });

  test('a path from the root is completed as it is', async () => {
    const world = makeProject();
    expect(await suggest(world, `${world.project}/de`)).toEqual(said(`${world.project}/deep/`));
    expect(await suggest(world, '~/proj')).toEqual(said('~/project/'));
  });

  test('what another command suggests comes first, and nothing comes twice', async () => {
    const world = makeProject();
    expect(await suggest(world, 's', { theirs: 'echo theirs.ts; echo c.ts' })).toEqual(
      said('theirs.ts\nc.ts\na.ts\nb.ts\ndeep/d.ts'),
    );
  });

  test('git is asked without touching the repository', async () => {
    const world = makeProject();
    const index = () => readFileSync(join(world.project, '.git/index'));
    const before = index();
    await suggest(world, '');
    expect(index().equals(before)).toBe(true);
  });
});

function inDatabase(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}
