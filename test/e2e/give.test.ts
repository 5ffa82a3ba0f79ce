import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findPlace } from '../../src/capture/place.ts';
import { updateIndex } from '../../src/indexing/update-index.ts';
import { blobHash } from '../../src/platform/git/checkout.ts';
import { hookProgram } from '../../src/platform/installation.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import {
  afterIntake,
  callHook,
  type HookWay,
  type HookWorld,
  makeHookWorld,
  recorded,
  SILENCE,
} from '../support/hook-call.ts';
import { type PastTurn, rememberTurn } from '../support/memories.ts';
import { openPlainStore, type PlainStore } from '../support/plain-store.ts';
import { tempFolder } from '../support/temp.ts';

/** Hooks called as by an agent: as processes, through the installed script or with node alone. */

const SESSION = '0b9d6f0e-1111-4000-8000-000000000001';
const WAYS: HookWay[] = ['shell', 'node'];
const ABOUT_RETRIES = 'why does the payment client retry three times only?';

describe('a hook gives', () => {
  test.each(WAYS)('a starting session its memories, and records them, by %s', async (way) => {
    const world = worldWithMemories();
    const { context, notice } = await answerOf(world, way, 'SessionStart', { source: 'startup' });
    expect(notice).toMatch(/^Cairn: gave the agent 3 memories \(2 in full\), \d+ tokens\. See: cairn open$/);
    expect(context).toMatch(
      /^<cairn-context>\n.*#2 decision, .*#1 gotcha, .*R #3 Renamed a file .*<\/cairn-context>$/s,
    );
    // A line of the index does not count as given.
    expect(listGiven(world)).toEqual([
      { source: 'start', agentSession: SESSION, memoryId: 1 },
      { source: 'start', agentSession: SESSION, memoryId: 2 },
    ]);
  });

  test.each(WAYS)('a prompt the memories related to it, once, by %s', async (way) => {
    const world = worldWithMemories();
    const first = await answerOf(world, way, 'UserPromptSubmit', { prompt: ABOUT_RETRIES });
    expect(first).toEqual({
      context: expect.stringMatching(
        /^<cairn-context>\n.+\n#2 decision, .*The payment client retries three times.*<\/cairn-context>$/s,
      ),
    });
    expect(listGiven(world)).toContainEqual({ source: 'prompt', agentSession: SESSION, memoryId: 2 });
    expect(await call(world, way, 'UserPromptSubmit', { prompt: ABOUT_RETRIES })).toEqual(SILENCE);
  });

  const silentPrompts = [
    { name: 'about something else', prompt: 'please write a haiku on the sea' },
    { name: 'too short to be about anything', prompt: 'go on' },
    { name: 'a slash command', prompt: '/review why does the payment client retry three times only?' },
    { name: 'of a machine', prompt: `<task-notification>${ABOUT_RETRIES}</task-notification>` },
    { name: 'with its subject in a private part', prompt: `do it <private>${ABOUT_RETRIES}</private>` },
    { name: 'that is entirely private', prompt: `<private>${ABOUT_RETRIES}</private>` },
  ];
  test.each(silentPrompts)('a prompt $name nothing', async ({ prompt }) => {
    const world = worldWithMemories();
    expect(await call(world, 'shell', 'UserPromptSubmit', { prompt })).toEqual(SILENCE);
    expect(listGiven(world)).toEqual([]);
  });

  test('a prompt nothing that the session start has given in full', async () => {
    const world = worldWithMemories();
    await answerOf(world, 'shell', 'SessionStart', { source: 'startup' });
    expect(await call(world, 'shell', 'UserPromptSubmit', { prompt: ABOUT_RETRIES })).toEqual(SILENCE);
  });

  test('a prompt its memories while another process writes, and again later because that was not recorded', async () => {
    const world = worldWithMemories();
    const db = openDatabase(world.paths.database);
    db.exec('BEGIN IMMEDIATE');
    try {
      const unnoted = await answerOf(world, 'shell', 'UserPromptSubmit', { prompt: ABOUT_RETRIES });
      expect(unnoted.context).toContain('#2 decision');
    } finally {
      db.exec('ROLLBACK');
      db.close();
    }
    const later = await answerOf(world, 'shell', 'UserPromptSubmit', { prompt: ABOUT_RETRIES });
    expect(later.context).toContain('#2 decision');
    expect(await call(world, 'shell', 'UserPromptSubmit', { prompt: ABOUT_RETRIES })).toEqual(SILENCE);
  });

  test('a prompt after a compaction the same memories again', async () => {
    const world = worldWithMemories();
    await answerOf(world, 'shell', 'UserPromptSubmit', { prompt: ABOUT_RETRIES });
    await call(world, 'shell', 'PreCompact', { trigger: 'auto' });
    afterIntake(world, () => {});
    await call(world, 'shell', 'SessionStart', { source: 'compact' });
    const again = await answerOf(world, 'shell', 'UserPromptSubmit', { prompt: ABOUT_RETRIES });
    expect(again.context).toContain('#2 decision');
    expect(await call(world, 'shell', 'UserPromptSubmit', { prompt: ABOUT_RETRIES })).toEqual(SILENCE);
  });

  test('nothing if prompts are switched off, without starting node', async () => {
    const world = worldWithMemories({ 'context.prompt': 'off' });
    expect(await call(world, 'shell', 'UserPromptSubmit', { prompt: ABOUT_RETRIES })).toEqual(SILENCE);
    ruinNode(world);
    expect(await call(world, 'shell', 'UserPromptSubmit', { prompt: ABOUT_RETRIES })).toEqual(SILENCE);
    expect(readdirSync(world.paths.spool)).toHaveLength(2);
  });

  test('memories again from the next session on, after prompts are switched on', async () => {
    const world = worldWithMemories();
    writeFileSync(world.paths.quietPrompts, '');
    expect(await call(world, 'shell', 'UserPromptSubmit', { prompt: ABOUT_RETRIES })).toEqual(SILENCE);
    await call(world, 'shell', 'SessionStart', { source: 'resume' });
    const answer = await answerOf(world, 'shell', 'UserPromptSubmit', { prompt: ABOUT_RETRIES });
    expect(answer.context).toContain('#2 decision');
  });
});

describe('before a file is read', () => {
  test('its memories are given once, without a decision about the permission', async () => {
    const world = await begin();
    const { stdout } = await read(world, 'src/cache.ts');
    const { hookSpecificOutput, ...rest } = JSON.parse(stdout);
    expect({ rest, hookSpecificOutput }).toEqual({
      rest: {},
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        additionalContext: expect.stringMatching(
          /^<cairn-context>\n.+src\/cache\.ts.+\n#1 gotcha.*<\/cairn-context>$/s,
        ),
      },
    });
    expect(await read(world, 'src/cache.ts')).toEqual(SILENCE);
  });

  test('a file that has changed since is marked as changed', async () => {
    const world = await begin();
    put(world, 'src/cache.ts', 'changed by somebody');
    expect((await read(world, 'src/cache.ts')).stdout).toContain(
      '(src/cache.ts has changed since. Check before you rely on this.)',
    );
  });

  const silent = [
    { name: 'without memories', path: 'src/other.ts' },
    { name: 'with only trivial memories', path: 'src/renamed.ts' },
    { name: 'with only a similar ending', path: 'src/not-src/cache.tsx' },
  ];
  test.each(silent)('a file $name is read without node', async ({ path }) => {
    const world = await begin();
    ruinNode(world);
    expect(await read(world, path)).toEqual(SILENCE);
    expect(readdirSync(world.paths.spool)).toHaveLength(1);
  });

  test('a file whose memories were given is read without node from then on', async () => {
    const world = await begin();
    await read(world, 'src/cache.ts');
    ruinNode(world);
    expect(await read(world, 'src/cache.ts')).toEqual(SILENCE);
  });

  test('two concurrent reads get the memories once', async () => {
    const world = await begin();
    const runs = await Promise.all([read(world, 'src/cache.ts'), read(world, 'src/cache.ts')]);
    expect(runs.filter(({ stdout }) => stdout !== '')).toHaveLength(1);
  });

  test('a subagent gets nothing, and the session still gets them', async () => {
    const world = await begin();
    expect(await read(world, 'src/cache.ts', { agent_id: 'a1', agent_type: 'Explore' })).toEqual(SILENCE);
    expect((await read(world, 'src/cache.ts')).stdout).toContain('#1 gotcha');
  });

  test('the end of plan mode is silent', async () => {
    const world = await begin();
    const input = recorded('tools/PreToolUse.ExitPlanMode.with-plan', { session_id: SESSION });
    ruinNode(world);
    expect(await callHook(world, 'shell', 'PreToolUse', { input, env: OF_SESSION })).toEqual(SILENCE);
  });

  test('with context.file off there is no list of files', async () => {
    const world = await begin({ 'context.file': 'off' });
    expect(existsSync(join(world.paths.knownFiles, SESSION))).toBe(false);
    expect(await read(world, 'src/cache.ts')).toEqual(SILENCE);
  });

  test('the answering program alone does the same', async () => {
    const world = await begin();
    expect((await read(world, 'src/cache.ts', {}, 'node')).stdout).toContain('#1 gotcha');
    expect(await read(world, 'src/cache.ts', {}, 'node')).toEqual(SILENCE);
  });
});

const OF_SESSION = { CLAUDE_CODE_SESSION_ID: SESSION };
const CACHE = 'export function clear() {}\n';

function worldWithMemories(settings: Record<string, string | number> = {}): HookWorld {
  const world = makeHookWorld(tempFolder());
  stopTheClock(world);
  put(world, '.git/HEAD', 'ref: refs/heads/main\n');
  put(world, 'src/cache.ts', CACHE);
  writeFileSync(world.paths.config, JSON.stringify(settings));
  const pins = [{ path: 'src/cache.ts', hash: blobHash(Buffer.from(CACHE)), symbols: [] }];
  remember(world, {
    at: Date.now() - 60_000,
    observations: [
      {
        type: 'gotcha',
        title: 'The cache is cleared on login only',
        facts: ['clear() does nothing while a request runs'],
        filesModified: ['src/cache.ts'],
        pins,
      },
      {
        type: 'decision',
        title: 'The payment client retries three times',
        facts: ['More retries would charge people twice'],
        filesModified: ['src/payment.ts'],
      },
      { type: 'refactor', title: 'Renamed a file', filesModified: ['src/renamed.ts'] },
    ],
  });
  return world;
}

/** A session that has begun and has got no context yet. */
async function begin(settings: Record<string, string> = {}): Promise<HookWorld> {
  const world = worldWithMemories({ 'context.tokens': 0, ...settings });
  await call(world, 'shell', 'SessionStart', { source: 'startup' });
  await call(world, 'shell', 'UserPromptSubmit', { prompt: 'hello' });
  for (const name of readdirSync(world.paths.spool)) rmSync(join(world.paths.spool, name));
  return world;
}

function remember(world: HookWorld, turn: Omit<PastTurn, 'place'>): void {
  withStore(world, (store) => {
    rememberTurn(store, { place: findPlace(world.project), ...turn });
    updateIndex(store);
  });
}

function withStore<T>({ paths }: HookWorld, ask: (store: PlainStore) => T): T {
  const store = openPlainStore(paths.database);
  try {
    return ask(store);
  } finally {
    store.close();
  }
}

function listGiven(world: HookWorld) {
  const injections = withStore(world, (store) => [1, 2, 3].flatMap((id) => store.listInjections(id)));
  return injections.map(({ source, agentSession, memoryId }) => ({ source, agentSession, memoryId }));
}

const PAYLOADS: Record<string, string> = {
  SessionStart: 'events/SessionStart.startup',
  UserPromptSubmit: 'events/UserPromptSubmit',
  PreCompact: 'events/PreCompact.auto',
  PreToolUse: 'tools/PreToolUse.Read',
};

function call(world: HookWorld, way: HookWay, event: string, changes: Record<string, unknown>) {
  const input = recorded(PAYLOADS[event] ?? '', { session_id: SESSION, cwd: world.project, ...changes });
  return callHook(world, way, event, { input, env: OF_SESSION, program: stoppedHook(world) });
}

function read(world: HookWorld, path: string, changes: Record<string, unknown> = {}, way: HookWay = 'shell') {
  return call(world, way, 'PreToolUse', { tool_input: { file_path: join(world.project, path) }, ...changes });
}

async function answerOf(world: HookWorld, way: HookWay, event: string, changes: Record<string, unknown>) {
  const { stdout, stderr, exitCode } = await call(world, way, event, changes);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  const { systemMessage, hookSpecificOutput } = JSON.parse(stdout);
  return {
    ...(systemMessage && { notice: systemMessage }),
    ...(hookSpecificOutput && { context: hookSpecificOutput.additionalContext }),
  };
}

function put({ project }: HookWorld, path: string, content: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), content);
}

/**
 * A hook that takes too long prints nothing, which may happen on a busy machine; `run.test.ts` tests the time budget.
 */
function stopTheClock(world: HookWorld): void {
  const still = 'const began = Date.now();\nDate.now = () => began;\n';
  writeFileSync(stoppedHook(world), `${still}require(${JSON.stringify(hookProgram())});\n`);
  setInScript(world, 'cairn_hook', stoppedHook(world));
}

function stoppedHook({ root }: HookWorld): string {
  return join(root, 'stopped-hook.cjs');
}

/** Any start of node fails loudly after this. */
function ruinNode(world: HookWorld): void {
  const program = join(world.root, 'no-node');
  writeFileSync(program, '#!/bin/sh\necho started; exit 2\n', { mode: 0o755 });
  setInScript(world, 'cairn_node', program);
}

function setInScript({ paths }: HookWorld, name: string, value: string): void {
  const script = readFileSync(paths.captureScript, 'utf8');
  writeFileSync(paths.captureScript, script.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}='${value}'`));
}
