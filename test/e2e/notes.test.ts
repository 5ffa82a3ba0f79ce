import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { stripPrivate } from '../../src/capture/private.ts';
import { saveSetting } from '../../src/config/settings.ts';
import {
  afterIntake,
  callHook,
  type HookWorld,
  makeHookWorld,
  recorded,
  runProgram,
} from '../support/hook-call.ts';
import type { ProcessRun } from '../support/hooks-library.ts';
import { tempFolder } from '../support/temp.ts';

/** Folder notes with the built command, as a person types it. */

const cli = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url));
const worker = fileURLToPath(new URL('../../dist/worker.cjs', import.meta.url));

let world: HookWorld;
beforeEach(() => {
  world = makeHookWorld(tempFolder());
  git('init', '-q');
  put('src/money.ts', 'export const half = 0.5;\n');
  put('docs/money.md', '# Money\n');
});

describe('cairn notes', () => {
  test('shows, writes, changes nothing the second time, and cleans', async () => {
    await remember('src/money.ts', 'Round half to even.');
    put('src/CLAUDE.md', '# Mine\r\n');
    const dry = await cairn('notes', '--dry-run');
    expect(dry.stdout).toMatch(
      /^--- src\/CLAUDE\.md\n\+\+\+ src\/CLAUDE\.md\n@@ -1,1 \+1,\d+ @@\n # Mine\n\+\n\+<cairn-notes>\n/,
    );
    expect(dry.stdout).toMatch(/\n\+- \d\d:\d\d · note · Round half to even · #1\n/);
    expect(text('src/CLAUDE.md')).toBe('# Mine\r\n');

    expect(await cairn('notes')).toEqual(prints('changed src/CLAUDE.md'));
    expect(await cairnIn('src', 'notes')).toEqual(prints('1 note up to date, nothing to change.'));
    expect(await cairn('notes', '--clean', '--dry-run')).toMatchObject({
      stdout: expect.stringMatching(/\n-<cairn-notes>\n/),
      exitCode: 0,
    });
    expect(await cairnIn('src', 'notes', '--clean')).toEqual(prints('changed CLAUDE.md'));
    expect(text('src/CLAUDE.md')).toBe('# Mine\r\n');
    expect(await cairn('notes', '--clean')).toEqual(prints('There are no folder notes in this project.'));
  });

  test('as JSON reports problems, with exit code 1', async () => {
    await remember('src/money.ts', 'Round half to even.');
    await remember('docs/money.md', 'Explain rounding.');
    put('docs/AGENTS.md', 'x\n<cairn-notes>\n');
    const { stdout, ...rest } = await cairn('notes', '--json');
    expect(rest).toEqual({ stderr: '', exitCode: 1 });
    expect(JSON.parse(stdout)).toEqual([
      {
        path: join(world.project, 'docs/AGENTS.md'),
        problem: expect.stringContaining('</cairn-notes> is missing'),
      },
      { path: join(world.project, 'src/CLAUDE.md'), change: 'new' },
    ]);
    expect(await cairn('notes')).toEqual({
      stdout: '1 note up to date, nothing to change.\n',
      stderr:
        'docs/AGENTS.md: </cairn-notes> is missing; left alone. Put the tags right or remove them, then run: cairn notes\n',
      exitCode: 1,
    });
  });

  test('without git on the PATH writes nothing and reports it', async () => {
    await remember('src/money.ts', 'Round half to even.');
    const { stderr, exitCode } = await runProgram(process.execPath, [cli, 'notes'], {
      cwd: world.project,
      env: { ...world.env, PATH: '/nowhere' },
    });
    expect({ stderr, exitCode }).toEqual({
      stderr: expect.stringMatching(/^cairn: Cannot ask git which files are ignored: .*ENOENT.*\n$/),
      exitCode: 1,
    });
    expect(existsSync(join(world.project, 'src/CLAUDE.md'))).toBe(false);
  });

  test('ignores the repository of the git hook that runs it', async () => {
    await remember('src/money.ts', 'Round half to even.');
    const other = join(world.root, 'other');
    git('init', '-q', other);
    const env = { ...world.env, GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other };
    put('.gitignore', 'docs\n');
    await remember('docs/money.md', 'Explain rounding.');
    const run = await runProgram(process.execPath, [cli, 'notes'], { cwd: world.project, env });
    expect(run).toEqual(prints('new     src/CLAUDE.md'));
  });

  test('run concurrently leaves one block, and all that a person wrote', async () => {
    for (let number = 0; number < 8; number++) {
      put(`p${number}/a.ts`, '');
      put(`p${number}/CLAUDE.md`, 'first\n');
      await remember(`p${number}/a.ts`, `Thing ${number} is done.`);
    }
    const runs = Array.from({ length: 6 }, (_, index) => cairn('notes', ...(index === 3 ? ['--clean'] : [])));
    for (const run of await Promise.all(runs)) expect(run.stderr).toBe('');
    await cairn('notes');
    for (let number = 0; number < 8; number++) {
      const written = text(`p${number}/CLAUDE.md`);
      expect(written.startsWith('first\n\n<cairn-notes>\n')).toBe(true);
      expect(written.match(/cairn-notes>/g)).toHaveLength(2);
    }
    expect(git('status', '--porcelain', '-uall').match(/\.cairn$/m)).toBeNull();
  });
});

test('a forgotten memory is removed from the notes, and forget reports it', async () => {
  await remember('src/money.ts', 'Round half to even.');
  await remember('docs/money.md', 'Explain the rounding.');
  await cairn('notes');
  const src = join(world.project, 'src/CLAUDE.md');
  expect((await cairn('forget', '1', '--dry-run')).stdout).toBe(
    `Would forget: note 1, the notes in ${src}.\n`,
  );
  expect((await cairn('forget', '1', '--yes')).stdout).toMatch(
    /^Forgot: note 1, .*the notes in .+src\/CLAUDE\.md\.\nUndo within 7 days: .+\n$/,
  );
  expect(existsSync(src)).toBe(false);
  put('docs/CLAUDE.md', text('docs/CLAUDE.md').replace('</cairn-notes>', ''));
  expect((await cairn('forget', '2', '--yes')).stderr).toBe(
    `${join(world.project, 'docs/CLAUDE.md')} may still contain it: </cairn-notes> is missing; left alone. Put the tags right or remove them, then run: cairn notes\n`,
  );
});

describe('notes.auto', () => {
  test.each(['off', 'on'])('is %s', async (value) => {
    saveSetting(world.paths.config, 'notes.auto', value);
    saveSetting(world.paths.config, 'worker.idleSeconds', 0);
    await work('src/money.ts');
    await runProgram(process.execPath, [worker], { cwd: world.root, env: world.env });
    const memories = afterIntake(world, (store) =>
      store.listRecentMemories({ limit: 9, kind: 'observation' }),
    );
    expect(memories.map(({ filesModified }) => filesModified)).toEqual([['src/money.ts']]);
    expect(existsSync(join(world.project, 'src/CLAUDE.md'))).toBe(value === 'on');
    if (value === 'off') return;
    const written = text('src/CLAUDE.md');
    expect(written).toContain(`${memories[0]?.title} · #${memories[0]?.id}\n`);
    expect(stripPrivate(`a\n${written}b`)).toBe('a\n\nb');
    expect(await cairn('notes')).toEqual(prints('1 note up to date, nothing to change.'));
    expect((await cairn('notes', '--clean')).stdout).toBe(
      'removed src/CLAUDE.md\nThey come back after the next turn: notes.auto is on. Turn it off: cairn config unset notes.auto\n',
    );
  });
});

/** A turn in which an agent changes a file, as its hooks report it. */
async function work(path: string): Promise<void> {
  const common = { session_id: 'session-1', cwd: world.project };
  const file = join(world.project, path);
  const callEvent = (event: string, name: string, more: object) =>
    callHook(world, 'shell', event, { input: recorded(name, { ...common, ...more }) });
  await callEvent('UserPromptSubmit', 'events/UserPromptSubmit', {
    prompt: 'Round half to even in money.ts',
    prompt_id: 'p1',
  });
  await callEvent('PostToolUse', 'tools/PostToolUse.Edit', {
    prompt_id: 'p1',
    tool_input: { file_path: file, old_string: '0.5', new_string: '0.50' },
    tool_response: {
      filePath: file,
      oldString: '0.5',
      newString: '0.50',
      originalFile: 'export const half = 0.5;\n',
      structuredPatch: [
        {
          oldStart: 1,
          oldLines: 1,
          newStart: 1,
          newLines: 1,
          lines: ['-export const half = 0.5;', '+export const half = 0.50;'],
        },
      ],
    },
  });
  await callEvent('Stop', 'events/Stop', {
    prompt_id: 'p1',
    last_assistant_message: 'Money is now rounded half to even in src/money.ts.',
  });
}

async function remember(path: string, words: string): Promise<void> {
  expect((await cairn('remember', '--file', path, words)).exitCode).toBe(0);
}

function cairn(...args: string[]): Promise<ProcessRun> {
  return cairnIn('.', ...args);
}

function cairnIn(folder: string, ...args: string[]): Promise<ProcessRun> {
  return runProgram(process.execPath, [cli, ...args], {
    cwd: join(world.project, folder),
    // As typed by a person, not by an agent.
    env: { ...world.env, CLAUDECODE: '' },
  });
}

function prints(line: string): ProcessRun {
  return { stdout: `${line}\n`, stderr: '', exitCode: 0 };
}

function put(path: string, content: string): void {
  mkdirSync(dirname(join(world.project, path)), { recursive: true });
  writeFileSync(join(world.project, path), content);
}

function text(path: string): string {
  return readFileSync(join(world.project, path), 'utf8');
}

function git(...args: string[]): string {
  return spawnSync('git', args, { cwd: world.project, encoding: 'utf8', env: world.env }).stdout;
}
