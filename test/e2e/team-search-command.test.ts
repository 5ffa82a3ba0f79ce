import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMcp } from '../support/mcp-client.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { type CairnRun, makeRepository, runCairn } from '../support/run-cairn.ts';

let postgres: Postgres;
const homes: string[] = [];
/** Anna shares the shop; Ben has joined, but has no checkout of it. */
let anna: Machine;
let ben: Machine;

interface Machine {
  home: string;
  cwd: string;
  cairn(args: string[], stdin?: string): CairnRun;
}

function makeMachine(folder: string, remote: string): Machine {
  const home = mkdtempSync(join(tmpdir(), 'cairn-test-'));
  homes.push(home);
  const cwd = makeRepository(join(home, folder), remote);
  return { home, cwd, cairn: (args, stdin = '') => runCairn({ home, cwd, stdin }, ...args) };
}

function ok(machine: Machine, args: string[], stdin?: string): string {
  const run = machine.cairn(args, stdin);
  expect(run, args.join(' ')).toMatchObject({ exitCode: 0 });
  return run.stdout;
}

beforeAll(async () => {
  postgres = await startPostgres();
  const url = postgres.adminUrl('searched');
  anna = makeMachine('shop', 'https://git.example.com/team/shop.git');
  ben = makeMachine('blog', 'https://git.example.com/team/blog.git');
  ok(anna, ['team', 'create', '-', '--name', 'Anna', '--machine', 'laptop'], url);
  ok(anna, ['remember', 'The shop starts with npm run dev']);
  ok(anna, ['team', 'share', '--yes']);
  ok(anna, ['remember', 'The payment provider sends every webhook twice. Deduplicate by event id.']);
  ok(anna, ['team', 'sync']);
  const link = ok(anna, ['team', 'invite', 'Ben', '--url', '-'], url);
  ok(ben, ['remember', 'The blog is built with make']);
  ok(ben, ['team', 'join', '-', '--machine', 'desk'], link);
});
afterAll(async () => {
  await postgres?.stop();
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

test('a person finds and opens a memory that was never pulled', () => {
  const found = ok(ben, ['search', '--team', 'webhook twice']);
  expect(found).toContain('shop The payment provider sends every webhook twice');
  expect(found).toContain('from Anna');
  expect(found).toContain('not pulled');
  const id = /t[0-9a-f]{8}/.exec(found)?.[0] ?? '';
  expect(ok(ben, ['show', id])).toMatch(
    /sends every webhook twice[\s\S]*from Anna · not pulled[\s\S]*Deduplicate by event id/,
  );
  expect(JSON.parse(ok(ben, ['search', '--team', 'webhook twice', '--json']))).toMatchObject([
    { id, from: 'Anna', localId: null, project: 'shop', memory: { kind: 'note' } },
  ]);
  expect(ok(ben, ['search', '--team', 'heron'])).toMatch(/^Nothing about "heron" in the team/);
  expect(ok(ben, ['search', 'webhook twice'])).toMatch(/^Nothing about/);
  expect(ben.cairn(['show', 't00000000']).stderr).toContain('The team has no memory t00000000');
});

test('a memory on this machine is shown by its number', () => {
  const [hit] = JSON.parse(ok(anna, ['search', '--team', 'webhook twice', '--json']));
  expect(hit).toMatchObject({ id: `#${hit.localId}`, from: null });
});

test('an agent finds a memory as data, and opens it by its id', async () => {
  const env = { HOME: ben.home, PATH: process.env.PATH ?? '', CAIRN_NO_WORKER: '1' };
  const client = startMcp(env, ben.cwd);
  const call = async (name: string, args: Record<string, string | boolean | string[]>) => {
    const { result } = await client.request('tools/call', { name, arguments: args });
    return JSON.stringify(result);
  };
  await client.request('initialize', {
    ...{ protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });
  const found = await call('search', { query: 'webhook twice', team: true });
  expect(found).toMatch(/1 hit in the team[\s\S]*from Anna[\s\S]*not pulled/);
  expect(found).toContain('<cairn-');
  const id = /t[0-9a-f]{8}/.exec(found)?.[0] ?? '';
  expect(await call('get', { ids: [id] })).toContain('Deduplicate by event id');
  await client.close();
});

test('a missing team and a missing server are reported', async () => {
  const alone = makeMachine('shop', 'https://git.example.com/team/shop.git');
  expect(alone.cairn(['search', '--team', 'webhook'])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('This home is in no team'),
  });
  await postgres.kill();
  const run = ben.cairn(['search', '--team', 'webhook']);
  expect(run.exitCode).toBe(1);
  expect(run.stderr).toMatch(/ECONNREFUSED|did not answer|connect/);
  expect(run.stderr).toContain('cairn search');
});
