import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { putInOutbox } from '../../src/capture/outbox.ts';
import { distillTurn } from '../../src/distill/distill-turn.ts';
import { updateIndex } from '../../src/indexing/update-index.ts';
import { createLog } from '../../src/platform/log.ts';
import { recall } from '../../src/recall/recall.ts';
import {
  afterIntake,
  callHook,
  type HookWorld,
  makeHookWorld,
  recorded,
  runProgram,
} from '../support/hook-call.ts';
import type { ProcessRun } from '../support/hooks-library.ts';
import type { PlainStore } from '../support/plain-store.ts';
import { tempFolder } from '../support/temp.ts';

/** Memories managed by hand, with the built command, as a person types it. */

const cli = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url));
const transcripts = fileURLToPath(
  new URL('../../src/agents/claude-code/payloads/transcripts', import.meta.url),
);

let world: HookWorld;
beforeEach(() => {
  world = makeHookWorld(tempFolder());
});

describe('remember', () => {
  test('prints the number, recognises a known text, and reads a text from stdin', async () => {
    writeFileSync(join(world.project, 'money.ts'), 'export const half = 0.5;\n');
    const noted = await cairn(
      'remember',
      '--type',
      'decision',
      '--file',
      'money.ts',
      '--alias',
      'cash',
      'Round',
      'up.',
    );
    expect(noted).toEqual(prints('Remembered as #1.'));
    expect(await cairn('remember', 'round up')).toEqual(prints('Already known as #1. It ranks higher now.'));
    const fromStdin = await cairnWith(
      { input: 'Answer in German.\nAlways.\n' },
      'remember',
      '--global',
      '--pin',
      '-',
    );
    expect(fromStdin).toEqual(prints('Remembered as #2.'));
    expect(ask((store) => [store.getMemory(1), store.getMemory(2)])).toMatchObject([
      {
        type: 'decision',
        title: 'Round up',
        filesRead: ['money.ts'],
        pins: [{ path: 'money.ts' }],
        aliases: ['cash'],
        strength: 2,
        project: 'project',
        saidBy: 'person',
        distiller: 'hand',
      },
      { title: 'Answer in German', narrative: 'Always.', scope: 'global', pinnedAt: expect.any(Number) },
    ]);
    expect(JSON.parse((await cairn('remember', '--json', 'Something', 'else')).stdout)).toEqual({
      id: 3,
      isNew: true,
    });
  });

  test('replaces an outdated memory', async () => {
    await cairn('remember', 'The export starts at two');
    expect(await cairn('remember', '--replaces', '#1', 'The export starts at four')).toEqual(
      prints('Remembered as #2.\nIt replaces #1.'),
    );
    expect((await cairn('recent')).stdout).toContain('at two (replaced by #2)');
    expect((await cairn('why', '2')).stdout).toContain('replaced');
  });

  test.each([
    { args: ['remember', '--replaces', 'two', 'x'], says: 'Not a memory number: two.' },
    { args: ['remember', '--replaces', '7', 'x'], says: 'There is no memory 7.\n' },
    { args: ['remember'], says: 'Missing text to remember.\n\nUsage: cairn remember' },
    { args: ['remember', ' '], says: 'There is nothing to remember.\n' },
    { args: ['remember', '-'], says: 'There is nothing to remember.\n' },
    { args: ['remember', '<private>all</private>'], says: 'The whole text is private.\n' },
    { args: ['remember', '--type', 'rule', 'x'], says: '--type must be one of: preference, ' },
    { args: ['edit'], says: 'Missing memory number. See: cairn recent' },
    { args: ['edit', 'x'], says: 'Not a memory number: x.' },
    { args: ['edit', '7', '--title', 'x'], says: 'There is no memory 7. See: cairn recent --all\n' },
    {
      args: ['edit', '1'],
      says: 'Missing change: give an option. An editor is opened only on a terminal.\n\nUsage',
    },
    { args: ['edit', '1', '--scope', 'all'], says: '--scope must be one of: project, global.' },
    { args: ['pin', '7'], says: 'There is no memory 7.' },
    { args: ['why', '7'], says: 'There is no memory 7.' },
    { args: ['forget'], says: 'Missing memory, prompt or session. See: cairn recent\n\nUsage' },
    { args: ['forget', 'x1'], says: 'Not a memory (12), prompt (p34) or session (s5): x1.' },
    {
      args: ['forget', '7', 'p8', 's9'],
      says: 'There is no memory 7, no prompt p8, no session s9. Nothing was',
    },
  ])('wrong usage: cairn $args', async ({ args, says }) => {
    const { stdout, stderr, exitCode } = await cairn(...args);
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: '',
      stderr: expect.stringContaining(says),
      exitCode: 1,
    });
  });
});

describe('edit', () => {
  test('by options', async () => {
    await cairn('remember', 'Round up. Banks do so.');
    const args = [
      '--title',
      'Round to even',
      '--type',
      'gotcha',
      '--alias',
      'cash',
      '--add-fact',
      'It is fair',
    ];
    expect(await cairn('edit', '#1', ...args, '--scope', 'global')).toEqual(prints('Changed #1.'));
    expect(ask((store) => store.getMemory(1))).toMatchObject({
      title: 'Round to even',
      narrative: 'Banks do so.',
      type: 'gotcha',
      aliases: ['cash'],
      facts: ['It is fair'],
      scope: 'global',
      editedAt: expect.any(Number),
    });
  });

  const hasTerminal = spawnSync('script', ['--version']).status === 0;
  test.skipIf(!hasTerminal)('in an editor, which keeps a text that cannot be parsed as a draft', async () => {
    await cairn('remember', 'Round up. Banks do so.');
    const draft = join(world.home, 'drafts/memory-1.md');
    expect(await inEditor('true')).toMatch(/^Nothing was changed\./);
    expect(await inEditor(`sed -i 's/^# .*/no title/'`)).toMatch(
      /The title is missing: .+ Nothing was changed; your text is kept in .+memory-1\.md\. Continue: cairn edit 1/,
    );
    expect(readFileSync(draft, 'utf8')).toContain('no title');
    expect(await inEditor(`sed -i 's/no title/# Round to even/'`)).toMatch(
      /^Continuing your unsaved edit\.\r?\nChanged #1\./,
    );
    expect(readdirSync(join(world.home, 'drafts'))).toEqual([]);
    expect(ask((store) => store.getMemory(1))).toMatchObject({
      title: 'Round to even',
      narrative: 'Banks do so.',
    });
    expect(await inEditor('false')).toMatch(/^Nothing was changed\./);
  });

  async function inEditor(editor: string): Promise<string> {
    const env = { ...world.env, EDITOR: editor, TERM: 'xterm', NO_COLOR: '1' };
    const line = `'${process.execPath}' '${cli}' edit 1`;
    return (await runProgram('script', ['-qec', line, '/dev/null'], { cwd: world.project, env })).stdout;
  }
});

test('pin and unpin', async () => {
  await cairn('remember', 'Round up');
  expect(await cairn('pin', '1')).toEqual(prints('#1 is pinned: Round up'));
  expect(await cairn('pin', '1')).toEqual(prints('#1 is pinned already.'));
  expect((await cairn('show', '1')).stdout).toMatch(/^#1 note: Round up\n.* · pinned\n/);
  expect(await cairn('pin', '--remove', '1')).toEqual(prints('#1 is no longer pinned: Round up'));
  expect(await cairn('pin', '--remove', '1')).toEqual(prints('#1 was not pinned.'));
});

test('why shows where a memory comes from and which sessions were given it', async () => {
  await session('first', 'please remember: dates are always UTC, never local time', 'Noted.');
  distil();
  const to = { agent: 'claude-code', agentSession: 'later', source: 'prompt' as const };
  ask((store) => store.recordInjections([{ ...to, memoryId: 1, tokens: 12, reason: 'it fits', at: 0 }]));
  const { stdout } = await cairn('why', '1');
  expect(stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'TIME').split('\n')).toEqual([
    '#1 preference: Dates are always UTC, never local time',
    '  from      project · TIME · session s1 of claude-code · prompt 1',
    '  asked     “please remember: dates are always UTC, never local time”',
    '  made by   the distiller offline',
    '  given     to agents 1 ×',
    '   TIME with a prompt of claude-code later · 12 tokens · it fits',
    '',
  ]);
  expect(JSON.parse((await cairn('why', '1', '--json')).stdout)).toMatchObject({
    memory: { id: 1 },
    history: { agentSession: 'first', repeatedIn: [], replaced: [] },
    source: [],
    injections: [{ source: 'prompt', reason: 'it fits' }],
  });
});

describe('forget', () => {
  const phrase = 'lanterns of the quokka house are always violet-4711, never green';

  test('says what it would remove, what it removed and what stays', async () => {
    await session('first', `please remember: ${phrase}`, 'Noted. The tests pass.');
    distil();
    const gone = 'memory 1, summary 2, what 1 work item said about it';
    const stays = '1 raw event it was made from is kept. Delete it too: --with-source';
    expect(await cairn('forget', '1', '--dry-run')).toEqual(prints(`Would forget: ${gone}.`, stays));
    const undo = 'Undo within 7 days: cairn forget --undo 1';
    expect(await cairn('forget', '1', '--yes')).toEqual(prints(`Forgot: ${gone}.`, undo, stays));
    expect(await cairn('forget', 'p1', '--json', '--yes')).toMatchObject({ exitCode: 0 });
    expect(ask((store) => store.listSessionEvents(1).prompts)).toMatchObject([{ number: 1, text: '' }]);
  });

  test('--with-source leaves no byte of a memory in any file', async () => {
    await session('first', `please remember: ${phrase}, and tell nobody`, `Noted: ${phrase}.`, {
      stdout: `line\n${phrase}\n`,
    });
    await session('second', 'what is the weather like?', 'It rains in the mountains.');
    distil();
    ask((store) => {
      updateIndex(store);
      const to = { agent: 'claude-code', agentSession: 'later', source: 'start' as const };
      store.recordInjections([{ ...to, memoryId: 1, tokens: 12, reason: `says ${phrase}`, at: 0 }]);
    });
    await callHook(world, 'node', 'SessionStart', { input: recorded('events/SessionStart.startup') });
    createLog({ folder: world.paths.logs, from: 'test' }).warn('not polished', { reason: `bad: ${phrase}` });
    putInOutbox(world.paths, `Cairn could not store: ${phrase}`);
    mkdirSync(world.paths.torn, { recursive: true });
    writeFileSync(join(world.paths.torn, 'first.1'), `cairn1 claude-code Stop settings\n{"text":"${phrase}`);
    const database = readFileSync(world.paths.database);
    writeFileSync(`${world.paths.database}.damaged-2026`, Buffer.concat([database, Buffer.from(phrase)]));
    expect(filesWith('quokka').map((name) => name.replace(/-wal$|^[\d-]+(?=\.jsonl)/, ''))).toEqual(
      expect.arrayContaining(['cairn.db', 'cairn.db.damaged-2026', 'first.1', '.jsonl', 'outbox']),
    );

    expect(ask(found)).toContain(1);
    const run = await cairn('forget', '1', '--with-source', '--now', '--yes');
    expect(run).toMatchObject({ stderr: '', exitCode: 0 });
    expect(run.stdout).toMatch(
      /^Forgot: memory 1, summary 2, 1 prompt, 2 raw events, .+ log lines, .*state\/outbox/,
    );
    expect(filesWith('quokka', 'violet-4711', 'lantern')).toEqual([]);
    expect(filesWith('mountains')).not.toEqual([]);
    expect(ask(found)).toEqual([]);

    // The memory does not return when the turn continues and is distilled again.
    await hook('Stop', 'first', { last_assistant_message: `Again: ${phrase}.` });
    distil();
    expect(ask(found)).toEqual([]);
  });

  test('keeps sessions from being imported again', async () => {
    const config = join(world.root, '.claude');
    cpSync(transcripts, join(config, 'projects'), { recursive: true });
    const env = { CLAUDE_CONFIG_DIR: config };
    expect((await cairnWith({ env }, 'import', 'claude-code')).stdout).toMatch(/^Imported /);
    distil();
    const sessions = ask((store) => store.listRecentSessions({ limit: 99 })).map(({ id }) => `s${id}`);
    expect((await cairn('forget', ...sessions, '--with-source', '--now', '--yes')).exitCode).toBe(0);
    const left = () =>
      ask((store) => {
        const all = store.listRecentSessions({ limit: 99 }).map(({ id }) => store.listSessionEvents(id));
        const texts = all.flatMap(({ prompts, events }) => [
          ...prompts.map(({ text }) => text),
          ...events.flatMap(({ text, input }) => [text, input]),
        ]);
        return { memories: store.countEverything().memories, texts: texts.filter(Boolean) };
      });
    expect(left()).toEqual({ memories: 0, texts: [] });
    expect((await cairnWith({ env }, 'import', 'claude-code')).stdout).toBe('Nothing new in 5 sessions.\n');
    distil();
    expect(left()).toEqual({ memories: 0, texts: [] });
  });

  function found(store: PlainStore): number[] {
    updateIndex(store);
    const request = {
      text: 'quokka lantern',
      projectId: null,
      reach: 'all' as const,
      limit: 9,
      now: Date.now(),
    };
    return recall(store, request).map(({ id }) => id);
  }
});

/** Names of files below the home that contain one of the words, in upper or lower case. */
function filesWith(...words: string[]): string[] {
  const files = readdirSync(world.home, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  return files
    .filter((file) => {
      const bytes = readFileSync(join(file.parentPath, file.name)).toString('latin1').toLowerCase();
      return words.some((word) => bytes.includes(word));
    })
    .map(({ name }) => name);
}

/** A turn with one command, as the agent's hooks report it. */
async function session(
  id: string,
  prompt: string,
  closing: string,
  response?: { stdout: string },
): Promise<void> {
  await hook('UserPromptSubmit', id, { prompt });
  const tool_response = { ...response, stderr: '', interrupted: false };
  if (response) await hook('PostToolUse', id, { tool_response }, 'tools/PostToolUse.Bash');
  await hook('Stop', id, { last_assistant_message: closing });
}

async function hook(
  event: string,
  session: string,
  changes: Record<string, unknown>,
  payload = `events/${event}`,
): Promise<void> {
  const input = recorded(payload, {
    session_id: session,
    prompt_id: `p-${session}`,
    cwd: world.project,
    ...changes,
  });
  await callHook(world, 'shell', event, { input });
}

function distil(): void {
  ask((store) => {
    for (;;) {
      const job = store.claimJob(['distil'], Date.now(), 60_000);
      if (!job) return;
      distillTurn(store, job, { now: Date.now });
    }
  });
}

function ask<T>(question: (store: PlainStore) => T): T {
  return afterIntake(world, question);
}

function cairn(...args: string[]): Promise<ProcessRun> {
  return cairnWith({}, ...args);
}

function cairnWith(
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string },
  ...args: string[]
): Promise<ProcessRun> {
  const options = { cwd: world.project, env: { ...world.env, ...env }, input };
  return runProgram(process.execPath, [cli, ...args], options);
}

function prints(...lines: string[]): ProcessRun {
  return { stdout: lines.map((line) => `${line}\n`).join(''), stderr: '', exitCode: 0 };
}
