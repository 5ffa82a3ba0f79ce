import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { packageRoot } from '../../src/platform/installation.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { tempFolder } from '../support/temp.ts';

const payloads = join(packageRoot(), 'src/agents/claude-code/payloads/transcripts');

let root: string;
let projects: string;
let database: string;

beforeEach(() => {
  root = tempFolder();
  projects = join(root, '.claude/projects');
  database = join(root, '.cairn/cairn.db');
});

function start(...args: string[]) {
  const child = spawn(process.execPath, [join(packageRoot(), 'dist/cli.mjs'), 'import', ...args], {
    cwd: root,
    env: { HOME: root, PATH: process.env.PATH, CAIRN_NO_WORKER: '1' },
  });
  const seen = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      seen[name] += text;
    });
  const ended = once(child, 'close').then(([exitCode]) => ({ exitCode: exitCode as number | null, ...seen }));
  return { child, ended };
}

function stored() {
  const store = openSqliteStore(database);
  const { sessions, prompts, events } = store.countEverything();
  store.close();
  return { sessions, prompts, events };
}

test.each<[string, string[], string]>([
  ['an unknown source', ['emacs'], 'Unknown source: emacs.'],
  ['an option of another source', ['claude-code', '--db', 'x'], 'Unknown option for claude-code: --db'],
  ['a superfluous argument', ['claude-mem', 'x.db'], 'Unexpected argument: x.db'],
  ['a missing folder', ['claude-code'], 'There are no transcripts'],
])('%s is an error', async (_name, args, expected) => {
  const { exitCode, stdout, stderr } = await start(...args).ended;
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining(expected),
  });
  expect(existsSync(database)).toBe(false);
});

test('an invalid date is an error', async () => {
  mkdirSync(projects, { recursive: true });
  const { exitCode, stderr } = await start('claude-code', '--since', 'yesterday-ish').ended;
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining('--since takes a date'),
  });
});

test('--dry-run counts, an import stores, and a second import finds nothing new', async () => {
  cpSync(payloads, projects, { recursive: true });
  const dry = await start('claude-code', '--dry-run').ended;
  expect(dry).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: expect.stringMatching(/would be imported. Nothing was stored.\n$/),
  });
  expect(existsSync(join(root, '.cairn'))).toBe(false);

  const first = await start('claude-code').ended;
  expect(first).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: expect.stringMatching(/^Imported 14 prompts and \d+ tool calls/),
  });
  const once = stored();
  expect(await start('claude-code').ended).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: 'Nothing new in 5 sessions.\n',
  });
  expect(stored()).toEqual(once);
});

test('broken lines are reported in JSON', async () => {
  const path = join(projects, 'p/broken.jsonl');
  mkdirSync(join(projects, 'p'), { recursive: true });
  const line = {
    type: 'user',
    uuid: 'u',
    timestamp: '2025-01-01T00:00:00Z',
    cwd: '/p',
    message: { content: 'hello' },
  };
  writeFileSync(path, `not json\n${JSON.stringify(line)}\n`);
  const { exitCode, stdout } = await start('claude-code', '--json').ended;
  expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
    exitCode: 0,
    prompts: 1,
    broken: 1,
    brokenLines: [{ where: `${path}:1`, why: 'it is not JSON' }],
  });
});

test('Ctrl-C stops an import, which can be continued later', async () => {
  const lines = readFileSync(join(payloads, 'killed', nameIn('killed')), 'utf8')
    .trimEnd()
    .split('\n');
  const folder = join(projects, 'many');
  mkdirSync(folder, { recursive: true });
  const sessions = 400;
  for (let session = 0; session < sessions; session++) {
    const copy = lines.map((line) => line.replaceAll(/"(uuid|promptId)":"/g, `"$1":"${session}-`));
    writeFileSync(join(folder, `session-${session}.jsonl`), `${copy.join('\n')}\n`);
  }
  const { child, ended } = start('claude-code');
  while (!existsSync(database)) await new Promise((later) => setTimeout(later, 20));
  await new Promise((later) => setTimeout(later, 100));
  child.kill('SIGINT');
  const { exitCode, stdout } = await ended;
  expect({ exitCode, stdout }).toEqual({
    exitCode: 130,
    stdout: expect.stringContaining('Run the same command to continue.'),
  });
  expect(stored().sessions).toBeLessThan(sessions);
  expect((await start('claude-code').ended).exitCode).toBe(0);
  expect(stored()).toMatchObject({ sessions, prompts: sessions });
});

function nameIn(folder: string): string {
  const name = readFileSync(join(payloads, folder, 'hooks.json'), 'utf8').match(
    /"session_id":"([^"]+)"/,
  )?.[1];
  return `${name}.jsonl`;
}
