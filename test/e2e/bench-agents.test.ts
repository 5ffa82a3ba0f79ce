import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { installers } from '../../src/agents/install/installers.ts';
import { PLACE } from '../support/install-place.ts';

const bench = new URL('../../bench/run.mjs', import.meta.url).pathname;
const hooksOf = (installer: (typeof installers)[number]) =>
  installer.listParts(PLACE).flatMap(({ hooks }) => hooks?.events ?? []);
/**
 * One of each kind: with several recordings of a session start, with a here-document, without answers, without a start.
 */
const MEASURED = ['claude-code', 'cursor', 'windsurf', 'kimi'];
const measured = installers
  .filter(({ id }) => MEASURED.includes(id))
  .map((installer) => ({ id: installer.id, events: hooksOf(installer) }));

/** Events that each JavaScript plugin reports in its own format. */
const PLUGINS = [
  { id: 'opencode', events: ['tool.execute.after', 'session.created', 'chat.message'] },
  { id: 'pi', events: ['tool_result', 'session_start', 'before_agent_start'] },
  { id: 'cline', events: ['afterTool', 'setup', 'beforeRun'] },
];

test.each([...measured, ...PLUGINS])('the hooks of $id can be measured', async ({ id, events }) => {
  const args = [bench, 'hooks', '--agent', id, '--runs', '1', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const rows: { figures: { name: string; median: number } }[] = JSON.parse(stdout).sections[0].rows;
  const names = rows.filter(({ figures }) => figures.median > 0).map(({ figures }) => figures.name);
  expect(names).toEqual(
    expect.arrayContaining(events.map((event) => expect.stringMatching(new RegExp(`^${event} \\(`)))),
  );
});
