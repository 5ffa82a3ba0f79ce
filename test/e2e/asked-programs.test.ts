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

/** Runs a program that Claude Code calls apart from hooks, as it does: the installed command in a shell. */
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
  ask(world, 'statusLine', statusInput(world), more);

function statusInput(world: HookWorld): string {
  const workspace = { current_dir: world.project, project_dir: world.project };
  return recorded('programs/statusline.after-responses', {
    session_id: 'one',
    cwd: world.project,
    workspace,
  });
}

function prints(stdout: string) {
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

/** If there is room, the line says how to see the memories. */
const OPEN = ', see: cairn open';

describe('the status line', () => {
  test('shows model, context left, work item, tasks and memories, and records the window for the meter', async () => {
    const world = makeHookWorld(tempFolder());
    withWork(world);
    expect(await line(world)).toEqual(
      prints(`Opus 5.5 · ░░░░░░░░░░ 99% left · pruning 1/2 · cairn 1${OPEN}`),
    );
    expect(readWindowNote(world.paths, 'one')).toEqual({
      size: 1_000_000,
      used: 14_226,
      model: 'claude-opus-5-5',
      at: expect.any(Number),
    });
    // The code cache is written once, as for hooks.
    expect(readdirSync(world.paths.code).filter((name) => name.startsWith('statusline-'))).toHaveLength(1);
    expect(await line(world)).toEqual(
      prints(`Opus 5.5 · ░░░░░░░░░░ 99% left · pruning 1/2 · cairn 1${OPEN}`),
    );
    expect(await cairnLine(world)).toEqual(
      prints(`Opus 5.5 · ░░░░░░░░░░ 99% left · pruning 1/2 · cairn 1${OPEN}`),
    );
  });

  const cairnLine = (world: HookWorld) =>
    runProgram(process.execPath, [join(import.meta.dirname, '../../dist/cli.mjs'), 'statusline'], {
      ...{ cwd: world.project, env: { ...world.env, NO_COLOR: '1' }, input: statusInput(world) },
    });

  test('is as wide as the terminal, and coloured unless NO_COLOR is set', async () => {
    const world = makeHookWorld(tempFolder());
    withWork(world);
    expect(await line(world, { env: { COLUMNS: '36' } })).toEqual(prints('99% left · pruning 1/2 · cairn 1'));
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
      name: 'a file in place of the home',
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
      name: 'a database of an unknown version',
      harm: ({ paths }) => inDatabase(paths.database, 'DROP TABLE work_sessions; PRAGMA user_version = 99'),
      says: `${bare} · cairn 1${OPEN}`,
    },
    { name: 'paused', harm: (world) => cairn(world, 'pause'), says: `${bare} · pruning 1/2 · cairn paused` },
    {
      name: 'a hook that fails to capture',
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
      name: 'a home that is not writable',
      harm: ({ paths }) => chmodSync(paths.state, 0o500),
      says: `${bare} · pruning 1/2 · cairn 1${OPEN}`,
    },
    {
      name: 'a deleted project',
      harm: ({ project }) => rmSync(project, { recursive: true }),
      says: `${bare} · pruning 1/2 · cairn 1${OPEN}`,
    },
  ];
  test.each(days)('works with $name', async ({ harm, says }) => {
    const world = makeHookWorld(tempFolder());
    withWork(world);
    const input = statusInput(world);
    await harm(world);
    const here = { ...world, project: existsSync(world.project) ? world.project : world.root };
    expect(await ask(here, 'statusLine', input)).toEqual(prints(says));
    if (existsSync(world.paths.state)) chmodSync(world.paths.state, 0o700);
  });

  test('omits the counts while another process locks the database', async () => {
    const world = makeHookWorld(tempFolder());
    await cairn(world, 'remember', 'Apples are pressed dry.');
    const holder = new DatabaseSync(world.paths.database);
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    try {
      expect(await line(world)).toEqual(prints(`${bare} · cairn`));
    } finally {
      holder.close();
    }
  });

  test.each(['', '{', '[]', 'null', '{"model": {"display_name": 7}}', '\u0000\u0001'])(
    'works with invalid input: %j',
    async (input) => {
      const world = makeHookWorld(tempFolder());
      expect(await ask(world, 'statusLine', input)).toEqual(prints(`cairn 0${OPEN}`));
    },
  );

  test("runs the person's own command first, with the same input and environment", async () => {
    const world = makeHookWorld(tempFolder());
    const theirs = `printf 'columns %s\\n' "$COLUMNS"; sed -n 's/.*"session_id":"\\([^"]*\\)".*/it'"'"'s \\1/p'`;
    expect(await line(world, { theirs })).toEqual(prints(`columns 100\nit's one\n${bare} · cairn 0${OPEN}`));
    expect(await line(world, { theirs: 'exit 3' })).toEqual(prints(`${bare} · cairn 0${OPEN}`));
    rmSync(world.home, { recursive: true });
    expect(await line(world, { theirs: 'echo theirs' })).toEqual(prints(`theirs\n${bare} · cairn 0${OPEN}`));
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

  test('list remembered files first, and only matching ones', async () => {
    const world = makeProject();
    withWork(world);
    expect(await suggest(world, '')).toEqual(prints('b.ts\na.ts\nc.ts\ndeep/d.ts'));
    expect(await suggest(world, 'd')).toEqual(prints('deep/d.ts\ndeep/'));
    expect(await suggest(world, 'no such file')).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(await ask(world, 'fileSuggestion', asking(world, 'ts', join(world.project, 'deep')))).toEqual(
      prints('d.ts\n../b.ts\n../a.ts\n../c.ts'),
    );
  });

  test('work without a home, a database, git, the folder or valid input', async () => {
    const world = makeProject();
    rmSync(world.home, { recursive: true });
    expect(await suggest(world, 'b')).toEqual(prints('b.ts'));
    rmSync(join(world.project, '.git'), { recursive: true });
    expect(await suggest(world, 'b')).toEqual(prints('b.ts'));
    expect(await ask(world, 'fileSuggestion', '{')).toMatchObject({ stderr: '', exitCode: 0 });
    expect(await ask(world, 'fileSuggestion', asking(world, '', '/gone/altogether'))).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 0,
    });
    expect(existsSync(world.home)).toBe(false);
  });

  test('complete an absolute path and a path in ~ as they are typed', async () => {
    const world = makeProject();
    expect(await suggest(world, `${world.project}/de`)).toEqual(prints(`${world.project}/deep/`));
    expect(await suggest(world, '~/proj')).toEqual(prints('~/project/'));
  });

  test('list those of another command first, without duplicates', async () => {
    const world = makeProject();
    expect(await suggest(world, 's', { theirs: 'echo theirs.ts; echo c.ts' })).toEqual(
      prints('theirs.ts\nc.ts\na.ts\nb.ts\ndeep/d.ts'),
    );
  });

  test("do not change git's index", async () => {
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
