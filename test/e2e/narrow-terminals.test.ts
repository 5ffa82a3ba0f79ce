import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeSpoolFile } from '../../src/capture/spool.ts';
import { packageRoot } from '../../src/platform/installation.ts';
import { pathsOf } from '../../src/platform/paths.ts';
import { makeRepository, runCairn } from '../support/run-cairn.ts';
import { ENDED, openTerminal } from '../support/terminal.ts';

/** No line of a list is wider than a narrow terminal. */

const COLUMNS = 40;
const LONG = 'Move the invoices of the second warehouse to the new tax rates before the end of the quarter';
const PLAN = `# ${LONG}\n\n1. ${LONG}, part one\n2. ${LONG}, part two\n`;

let home: string;
let project: string;

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-narrow-')));
  project = makeRepository(join(home, 'invoices'));
  const file = { file_path: join(project, 'tax.ts'), content: 'export const RATE = 0.19;\n' };
  const write = { tool_name: 'Write', tool_use_id: 't1', tool_input: file, tool_response: {} };
  const plan = { tool_name: 'ExitPlanMode', tool_use_id: 't2', tool_input: { plan: PLAN } };
  hook('UserPromptSubmit', { prompt: LONG });
  hook('PreToolUse', plan);
  hook('PostToolUse', { ...plan, tool_response: { plan: PLAN } });
  hook('PostToolUse', write);
  hook('Stop', { last_assistant_message: LONG });
  for (const args of [
    ['remember', LONG],
    ['remember', 'Every neighbour of the warehouse gets a crate of apples when the harvest is in'],
    ['work', 'note', LONG],
    ['tasks', 'add', LONG],
    ['handoff', 'save', LONG],
    ['forget', '2', '--yes'],
  ])
    expect(runCairn({ home, cwd: project }, ...args)).toMatchObject({ exitCode: 0 });
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

function hook(event: string, fields: object): void {
  writeSpoolFile(
    pathsOf(join(home, '.cairn')),
    { agent: 'claude-code', hook: event, via: 'settings', projectDir: project },
    'first',
    Buffer.from(JSON.stringify({ session_id: 'first', hook_event_name: event, cwd: project, ...fields })),
  );
}

/** The real terminal is wider than it reports: lines that are too long stay visible. */
async function linesOn(columns: number, args: string[]): Promise<string[]> {
  const cli = [process.execPath, join(packageRoot(), 'dist/cli.mjs'), ...args];
  const terminal = await openTerminal(['sh', '-c', `stty cols ${columns}; exec "$@"`, 'sh', ...cli], {
    ...{ cwd: project, root: home, columns: 250, rows: 200 },
    env: { HOME: home, PATH: process.env.PATH ?? '', CAIRN_NO_WORKER: '1' },
  });
  try {
    return (await terminal.shows(ENDED)).split(ENDED)[0]?.trimEnd().split('\n') ?? [];
  } finally {
    await terminal.close();
  }
}

/** Words that cannot be cut: a path, an address or an id that takes the whole line. */
function isOneWord(line: string): boolean {
  return /^\s*\S+$/.test(line) || /^\s*\S{1,2} \S+$/.test(line);
}

test.each([
  ['help'],
  ['work'],
  ['work list --all --closed'],
  ['work show'],
  ['plan list'],
  ['tasks'],
  ['handoff'],
  ['doctor'],
  ['status'],
  ['queue'],
  ['sessions'],
  ['recent'],
  ['timeline'],
  ['search invoices'],
  ['file tax.ts'],
  ['show s1'],
  ['why 1'],
  ['stats'],
  ['project list'],
  ['config list'],
  ['index'],
  ['forget --undo'],
])('cairn %s fits into 40 columns', async (command) => {
  const lines = await linesOn(COLUMNS, command.split(' '));
  expect(lines.join('')).not.toBe('');
  expect(lines.filter((line) => line.length > COLUMNS && !isOneWord(line))).toEqual([]);
});

test.each([60, 80])('doctor, work, handoff and tasks fit into %d columns', async (columns) => {
  for (const command of ['doctor', 'work', 'handoff', 'tasks']) {
    const lines = await linesOn(columns, [command]);
    expect(lines.filter((line) => line.length > columns && !isOneWord(line))).toEqual([]);
  }
});
