import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runSession } from '../support/claude-code.ts';
import { recordHooks } from '../support/hook-recorder.ts';
import { SHOP, TOUR_PROMPTS, tourScript } from '../support/tour-session.ts';
import { makeWorld, type World } from '../support/world.ts';

// Records the session of `cairn tour` with the real client. It writes into the source tree, therefore only on request:
// CAIRN_RECORD=1 npm run e2e -- test/e2e/record-tour.test.ts

const RECORDING = fileURLToPath(new URL('../../src/capture/sample/session.jsonl', import.meta.url));

const SESSION_ID = '5b0c1f6e-70a3-4c0e-9d52-3f1f0e8a7c11';

const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Stop',
  'SessionEnd',
];

test.runIf(process.env.CAIRN_RECORD === '1')('records the session of the tour', async () => {
  const world = await makeWorld(SHOP);
  try {
    const { hooks, recorded } = await recordHooks(join(world.root, 'hooks'), EVENTS);
    const run = await runSession(world, {
      script: tourScript(world.project),
      prompts: TOUR_PROMPTS,
      args: ['--session-id', SESSION_ID],
      settings: { permissions: { allow: ['Bash', 'Edit', 'Read'] }, hooks },
    });
    expect(run.requests.map((request) => request.scripted)).not.toContain(false);

    const lines = (await recorded()).map((call) => `${JSON.stringify(call)}\n`).join('');
    const portable = withoutMachinePaths(lines, world);
    expect(portable).not.toContain(world.root);
    await mkdir(dirname(RECORDING), { recursive: true });
    await writeFile(RECORDING, portable);
  } finally {
    await world.remove();
  }
});

function withoutMachinePaths(text: string, world: World): string {
  // The client names the project's transcript folder after the project's path.
  const transcriptFolder = world.project.replaceAll(/[^A-Za-z0-9]/g, '-');
  return text
    .replaceAll(`/projects/${transcriptFolder}/`, '/projects/shop/')
    .replaceAll(world.project, '{{PROJECT}}')
    .replaceAll(world.home, '{{HOME}}');
}
