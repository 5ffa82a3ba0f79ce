import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toStoredPlace } from '../../src/capture/stored-place.ts';
import { updateIndex } from '../../src/indexing/update-index.ts';
import { isObject, type JsonObject } from '../../src/model/json.ts';
import { afterIntake, callHook, type HookWorld, makeHookWorld, recorded } from '../support/hook-call.ts';
import { findLeaks, type NamedSecret } from '../support/leaks.ts';
import { type McpClient, startMcp } from '../support/mcp-client.ts';
import { rememberTurn } from '../support/memories.ts';
import { runCairn } from '../support/run-cairn.ts';
import { tempFolder } from '../support/temp.ts';

/** The built product, by every way in which text enters: no byte of a secret may remain, except in the spool. */

const SESSION = '0b9d6f0e-1111-4000-8000-000000000001';

let world: HookWorld;
let secrets: NamedSecret[];
let clients: McpClient[];

beforeEach(() => {
  world = makeHookWorld(tempFolder(), '.cairn');
  secrets = [];
  clients = [];
  git('init', '-q', '-b', 'main');
});

afterEach(() => {
  for (const { process: server } of clients) if (server.exitCode === null) server.kill();
});

test('redacts a password in a prompt that matches a memory by the words of the password', async () => {
  rememberRetries();
  // Parts of it are words of the memory and of nothing else in the prompt: the reason for the match would contain it.
  const password = secret('password', 'RetriesThreeTimes7xQ');
  const prompt = `why would the payment client charge people twice? DB_PASSWORD=${password} is set`;
  // A hook that exceeds its time prints nothing: a slow machine may need another session.
  let answer = '';
  for (let session = 10; session < 30 && answer === ''; session++) {
    const scene = { session_id: SESSION.replace(/01$/, `${session}`), cwd: world.project };
    const input = recorded('events/UserPromptSubmit', { ...scene, prompt });
    answer = (await callHook(world, session % 2 === 0 ? 'shell' : 'node', 'UserPromptSubmit', { input }))
      .stdout;
  }
  expect(reasonsOfFirst().map(({ source }) => source)).toContain('prompt');
  expect(leaks()).toEqual([]);
});

test('redacts everything that an agent passes to a tool', async () => {
  rememberRetries();
  const client = await connect();
  const password = secret('search', 'RetriesThreeTimes7xQ');
  await call(client, 'search', { query: `payment client DB_PASSWORD=${password}` });
  expect(reasonsOfFirst().map(({ source }) => source)).toEqual(['mcp']);
  await call(client, 'remember', {
    text: `Plums are sweet. Their key: ${token('remember text')}`,
    files: [`src/${token('remember files')}.ts`, `/abs/${token('remember absolute file')}`],
  });
  await call(client, 'update', {
    id: '1',
    title: `Retries ${token('update title')}`,
    text: `It says\n${token('update text')}`,
  });
  await call(client, 'tasks', { add: [`Rotate ${token('task')}`, `Rotate ${token('task again')}`] });
  await call(client, 'handoff', {
    ...{ goal: `Use ${token('goal')}`, state: token('state'), decisions: `- ${token('decision')}` },
    ...{ deadEnds: token('dead end'), files: `src/${token('handoff file')}.ts: changed` },
    ...{ questions: token('question'), nextSteps: `- ${token('next step')}`, note: token('note') },
  });
  await call(client, 'timeline', { around: token('timeline') });
  await call(client, 'file_history', { path: `src/${token('history')}.ts` });
  await call(client, 'get', { ids: [token('get')] });
  await call(client, 'remember', { text: 'x', [token('argument name')]: token('argument') });
  await call(client, 'forget', { ids: [token('forget')] });
  expect(leaks()).toEqual([]);
});

test('redacts everything that a person types', async () => {
  rememberRetries();
  cairn('remember', '--file', `src/${token('file')}.ts`, '--alias', token('alias'), `A: ${token('text')}`);
  cairn('edit', '1', '--title', `B ${token('title')}`, '--text', `C ${token('narrative')}`);
  cairn('edit', '1', '--add-fact', `D ${token('fact')}`, '--alias', token('added alias'));
  cairn('work', 'new', `Mend the gate with ${token('work')}`);
  cairn('work', 'note', `The key is ${token('work note')}`);
  cairn('work', 'rename', 'mend-gate', `Paint ${token('work title')} red`);
  cairn('tasks', 'add', `Oil ${token('task')}`);
  cairn('handoff', 'save', `Take ${token('handoff note')}`);
  const parts = { goal: token('goal'), files: [{ path: token('path'), what: token('what') }] };
  runCairn({ ...machine(), stdin: JSON.stringify(parts) }, 'handoff', 'save', '-');
  cairn('project', 'rename', 'project', `shop-${token('project alias')}`);
  cairn('search', token('search'));
  cairn('context', '--for', 'prompt', '--prompt', `payment client retries ${token('prompt')}`);
  cairn('pause', '--session', token('paused session'));
  expect(leaks()).toEqual([]);
});

test('redacts names that git knows: branches, remotes, folders, files', async () => {
  const branch = `fix/${token('branch')}`;
  writeFileSync(join(world.project, `${token('changed file')}.ts`), '');
  git('checkout', '-q', '-b', branch);
  git('remote', 'add', 'origin', `https://robin:p@${token('remote password')}@host.invalid/shop.git`);
  const worktree = join(world.root, token('worktree'));
  git('-c', 'user.name=r', '-c', 'user.email=r@x', 'commit', '-qm', token('commit message'), '--allow-empty');
  git('worktree', 'add', '-q', worktree, '-b', `side-${token('other branch')}`);
  for (const folder of [world.project, worktree]) {
    const scene = { session_id: SESSION, cwd: folder };
    const env = { CLAUDE_PROJECT_DIR: folder };
    const capture = (hook: string, recording: string, fields: JsonObject) =>
      callHook(world, 'shell', hook, {
        env,
        cwd: folder,
        input: recorded(recording, { ...scene, ...fields }),
      });
    await capture('SessionStart', 'events/SessionStart.startup', {});
    await capture('UserPromptSubmit', 'events/UserPromptSubmit', { prompt: 'mend the gate of the orchard' });
    await capture('Stop', 'events/Stop', {});
    runCairn({ ...machine(), cwd: folder }, 'remember', 'The gate squeaks.');
    runCairn({ ...machine(), cwd: folder }, 'work', 'new', 'Oil the gate');
    runCairn({ ...machine(), cwd: folder }, 'handoff', 'save', 'Half done');
    runCairn({ ...machine(), cwd: folder }, 'worker', 'run');
  }
  afterIntake(world, (store) => {
    expect(store.findProject(toStoredPlace(world.project))).not.toBeNull();
    expect(store.findProject(toStoredPlace(worktree))).not.toBeNull();
  });
  expect(leaks()).toEqual([]);
});

test('redacts what is imported', () => {
  const line = {
    ...{ key: `else:${token('key')}`, kind: 'note', type: null, title: `T ${token('title')}` },
    ...{ subtitle: token('subtitle'), narrative: token('narrative'), facts: [token('fact')] },
    ...{ concepts: [token('concept')], aliases: [token('alias')], parts: null, scope: 'project' },
    ...{ strength: 1, saidBy: token('said by'), distiller: token('distiller'), at: '2026-01-10T10:00:00Z' },
    ...{ pinnedAt: null, editedAt: null, mergedAt: null, prompt: 1, supersededBy: null },
    session: { agent: token('agent'), id: token('session') },
    ...{ branch: token('branch'), commit: token('commit') },
    files: [{ path: token('file'), how: 'write', hash: token('hash'), symbols: [token('symbol')] }],
    project: { name: token('project'), remote: `https://u:${token('remote')}@host.invalid/a` },
  };
  const exported = cairn('export', '--all').stdout.split('\n')[0] ?? '';
  const file = join(world.root, 'export.jsonl');
  writeFileSync(file, `${exported}\n${JSON.stringify(line)}\n`);
  expect(cairn('import', 'cairn', file).stdout).toMatch(/^Imported 1 memory/);
  const memory = join(world.root, '.claude/projects', world.project.replace(/[^A-Za-z0-9]/g, '-'), 'memory');
  mkdirSync(memory, { recursive: true });
  writeFileSync(
    join(memory, 'MEMORY.md'),
    `## ${token('heading')}\n- Apples are red, says ${token('memory.md')}\n`,
  );
  expect(cairn('import', 'memory-md').stdout).toMatch(/^Imported 1 memory/);
  expect(leaks()).toEqual([]);
});

/** Adds a made-up secret; put together here to keep scanners from reporting this file. */
function token(name: string): string {
  const number = String(secrets.length).padStart(2, '0');
  return secret(name, ['ghp', `${number}a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwX`].join('_'));
}

function secret(name: string, bytes: string): string {
  secrets.push({ name, secret: bytes });
  return bytes;
}

/** The spool contains what agents sent, unredacted, until the next intake removes it. */
function leaks(): string[] {
  afterIntake(world, () => {});
  rmSync(join(world.paths.spool), { recursive: true, force: true });
  const shown = readdirSync(world.home);
  expect(shown).toContain('cairn.db');
  return findLeaks(world.home, secrets);
}

function rememberRetries(): void {
  afterIntake(world, (store) => {
    rememberTurn(store, {
      at: Date.now() - 86_400_000,
      place: toStoredPlace(world.project),
      observations: [
        {
          type: 'decision',
          title: 'The payment client retries three times',
          narrative: 'More retries would charge people twice.',
        },
      ],
    });
    updateIndex(store);
  });
}

function reasonsOfFirst(): { source: string; reason: string }[] {
  return afterIntake(world, (store) =>
    store.listInjections(1).map(({ source, reason }) => ({ source, reason })),
  );
}

function machine(): { home: string; cwd: string } {
  return { home: world.root, cwd: world.project };
}

function cairn(...args: string[]) {
  const run = runCairn(machine(), ...args);
  expect(run).toMatchObject({ exitCode: 0 });
  return run;
}

async function connect(): Promise<McpClient> {
  const client = startMcp({ ...world.env, CLAUDE_CODE_SESSION_ID: SESSION }, world.project);
  clients.push(client);
  await client.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  return client;
}

async function call(client: McpClient, name: string, args: JsonObject): Promise<JsonObject> {
  const { result } = await client.request('tools/call', { name, arguments: args });
  if (!isObject(result)) throw new Error(`${name} was not answered.`);
  return result;
}

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: world.project, stdio: 'ignore' });
}
