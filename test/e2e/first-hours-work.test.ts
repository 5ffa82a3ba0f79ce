import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { writeSpoolFile } from '../../src/capture/spool.ts';
import { pathsOf } from '../../src/platform/paths.ts';
import { makeRepository, runCairn } from '../support/run-cairn.ts';
import { tempFolder } from '../support/temp.ts';

/** A prompt joins a work item that waits only if it is about the same. */

const PLAN =
  '# Readable parser errors\n\n1. Add a source location to every token\n2. Show a caret\n\nCheck: `npm test`';

let home: string;
let project: string;

beforeEach(() => {
  home = tempFolder();
  project = makeRepository(join(home, 'project'));
  hook('first', 'UserPromptSubmit', { prompt: 'Make the parser errors readable', permission_mode: 'plan' });
  const call = { tool_name: 'ExitPlanMode', tool_use_id: 'plan', tool_input: { plan: PLAN } };
  hook('first', 'PreToolUse', call);
  hook('first', 'PostToolUse', { ...call, tool_response: { plan: PLAN } });
  hook('first', 'SessionEnd', { reason: 'clear' });
});

function hook(session: string, event: string, fields: object): void {
  writeSpoolFile(
    pathsOf(join(home, '.cairn')),
    { agent: 'claude-code', hook: event, via: 'settings', projectDir: project },
    session,
    Buffer.from(JSON.stringify({ session_id: session, hook_event_name: event, cwd: project, ...fields })),
  );
}

function workItems(): { title: string; mode: string }[] {
  // Ingests the spool and follows it.
  runCairn({ home, cwd: project }, 'remember', 'Something.');
  return JSON.parse(runCairn({ home, cwd: project }, 'work', 'list', '--json').stdout);
}

test.each([
  ['Upgrade npm on the build machine', 2],
  ['Which tokens does the staging server accept for deploys?', 2],
  ['continue', 1],
  ['show the caret under the token', 1],
])('%s', (prompt, count) => {
  expect(workItems()).toMatchObject([{ mode: 'has_plan' }]);
  hook('second', 'UserPromptSubmit', { prompt });
  expect(workItems()).toHaveLength(count);
});
