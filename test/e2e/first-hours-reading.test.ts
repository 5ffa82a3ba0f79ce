import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeSpoolFile } from '../../src/capture/spool.ts';
import { packageRoot } from '../../src/platform/installation.ts';
import { pathsOf } from '../../src/platform/paths.ts';
import { runProgram } from '../support/hook-call.ts';
import { makeRepository } from '../support/run-cairn.ts';
import { tempFolder } from '../support/temp.ts';
import { ENDED, openTerminal, type Terminal } from '../support/terminal.ts';

/** What a person reads in the first hours: local times, their own project, and a message where there is nothing. */

const CLI = join(packageRoot(), 'dist/cli.mjs');
const DAY = 86_400_000;

let home: string;
let project: string;
let terminal: Terminal | undefined;

beforeEach(() => {
  home = tempFolder();
  project = makeRepository(join(home, 'orchard'));
});

afterEach(async () => {
  await terminal?.close();
  terminal = undefined;
});

const environment = { PATH: process.env.PATH ?? '', CAIRN_NO_WORKER: '1', TZ: 'Asia/Tokyo' };

async function cairn(args: string[], cwd = project) {
  return runProgram(process.execPath, [CLI, ...args], { cwd, env: { HOME: home, ...environment } });
}

async function showOnTerminal(args: string[], { columns = 60, term = 'xterm' } = {}): Promise<string> {
  const options = { cwd: project, root: home, columns, env: { HOME: home, ...environment } };
  terminal = await openTerminal(['env', `TERM=${term}`, process.execPath, CLI, ...args], options);
  const text = await terminal.shows(ENDED);
  await terminal.close();
  return text;
}

/** A session that reads one file, as the hooks report it. */
function spoolSession(): void {
  const paths = pathsOf(join(home, '.cairn'));
  const common = { session_id: 'first', cwd: project, prompt_id: 'p' };
  const read = { tool_name: 'Read', tool_use_id: 't1', tool_input: { file_path: join(project, 'tree.md') } };
  for (const [hook, fields] of Object.entries({
    UserPromptSubmit: { prompt: 'Which trees need water?' },
    PreToolUse: read,
    PostToolUse: { ...read, tool_response: { file: { content: 'plums' } } },
    Stop: { last_assistant_message: 'The plums do.' },
  }))
    writeSpoolFile(
      paths,
      { agent: 'claude-code', hook, via: 'settings', projectDir: project },
      'first',
      Buffer.from(JSON.stringify({ ...common, hook_event_name: hook, ...fields })),
    );
}

describe('search', () => {
  test.each([
    ['since:banana', 'Unknown date in since:banana. Use a date such as 2026-11-10, yesterday, 3d or 2w.'],
    ['before:', 'Nothing about'],
    ['before:someday', 'Unknown date in before:someday.'],
    ['type:foo', 'Unknown type in type:foo. Use one of preference, decision'],
    ['kind:bar', 'Unknown kind in kind:bar. Use one of observation, summary, note, prompt, error.'],
  ])('with the operator %s', async (operator, says) => {
    const { exitCode, stdout, stderr } = await cairn(['search', 'plums', operator]);
    const isKnown = says.startsWith('Nothing');
    expect(exitCode).toBe(isKnown ? 0 : 1);
    expect(isKnown ? stdout : stderr).toContain(says);
  });

  test('outside a project names the project of a memory', async () => {
    await cairn(['remember', 'Plums need sun.']);
    const elsewhere = join(home, 'elsewhere');
    mkdirSync(elsewhere);
    expect((await cairn(['search', 'plums'], elsewhere)).stdout).toMatch(/note +orchard Plums need sun/);
    expect((await cairn(['search', 'plums'])).stdout).not.toContain('orchard');
  });
});

describe('times', () => {
  test('are local in show and why', async () => {
    await cairn(['remember', 'Plums need sun.']);
    const { at } = JSON.parse((await cairn(['show', '1', '--json'])).stdout);
    const inTokyo = new Date(at + 9 * 3_600_000).toISOString();
    const local = `${inTokyo.slice(0, 10)} ${inTokyo.slice(11, 16)}`;
    for (const command of ['show', 'why']) {
      const { stdout } = await cairn([command, '1']);
      expect(stdout).toContain(local);
      expect(stdout).not.toMatch(/\d{4}-\d\d-\d\dT/);
    }
  });

  test('timeline yesterday lists nothing of today', async () => {
    await cairn(['remember', 'Plums need sun.']);
    await cairn(['remember', 'Pears are ripe.']);
    const { database } = pathsOf(join(home, '.cairn'));
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const db = new DatabaseSync(database);
    db.prepare('UPDATE memories SET at = at - ? WHERE id = 1').run(DAY);
    db.close();
    const { stdout } = await cairn(['timeline', 'yesterday']);
    expect(stdout).toContain('Plums need sun');
    expect(stdout).not.toContain('Pears are ripe');
    expect((await cairn(['timeline', 'yesterday', '--after', '5'])).stdout).toContain('Pears are ripe');
    expect((await cairn(['timeline', 'today'])).stdout).not.toContain('Plums');
  });
});

describe('a session', () => {
  beforeEach(spoolSession);

  test('lists a read once, and shows its prompt by the number in the timeline', async () => {
    const { stdout } = await cairn(['show', 's1']);
    expect(stdout.match(/Read .*tree\.md/g)).toHaveLength(1);
    const name = /\bp\d+\b/.exec((await cairn(['timeline'])).stdout)?.[0] ?? '';
    expect((await cairn(['show', name])).stdout).toContain('Which trees need water?');
    expect(await cairn(['show', 'p99'])).toMatchObject({
      exitCode: 1,
      stderr: 'cairn: There is no prompt p99. See: cairn timeline --all\n',
    });
  });

  test('is counted as "1 prompt"', async () => {
    expect((await cairn(['sessions'])).stdout).toContain('1 prompt, ');
    expect((await cairn(['doctor'])).stdout).toContain('1 session, ');
  });
});

describe('on a terminal', () => {
  test('lists are cut to its width', async () => {
    await cairn(['remember', `Plums ${'need a lot of sun and water '.repeat(3)}`]);
    for (const command of ['recent', 'timeline']) {
      const lines = (await showOnTerminal([command], { columns: 40 })).split('\n');
      const [row] = lines.filter((line) => line.includes('#1'));
      expect(row).toMatch(/…$/);
    }
  });

  test('TERM=dumb gets no interactive search', async () => {
    expect(await showOnTerminal(['search'], { term: 'dumb' })).toContain('Missing search terms.');
  });
});

test.each([
  ['stats', 'Nothing was captured yet. Is an agent connected? See: cairn status\n'],
  ['logs', 'The log is empty. To log more: cairn config set log.level debug\n'],
])('%s prints a message if there is nothing', async (command, says) => {
  expect(await cairn([command])).toEqual({ exitCode: 0, stdout: says, stderr: '' });
});
