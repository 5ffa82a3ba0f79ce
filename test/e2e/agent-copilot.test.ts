import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkAgent } from '../support/agent-checks.ts';
import {
  cairnIn,
  leaveMemory,
  makeAgentWorld,
  readCaptured,
  removeAgentWorld,
  startProject,
} from '../support/agent-world.ts';
import { copilot } from '../support/copilot.ts';

checkAgent({
  ...copilot,
  steps: (project) => [
    { call: 'create', input: { path: join(project, 'a.txt'), file_text: 'hello\n' } },
    { call: 'bash', input: { command: 'cat a.txt; exit 3', description: 'print it' } },
    { call: 'view', input: { path: join(project, 'a.txt') } },
    { call: 'view', input: { path: join(project, 'missing.txt') } },
    { call: 'cairn-search', input: { query: 'port' } },
  ],
  calls: ['create success', 'bash failure', 'view success', 'view failure', 'cairn-search success'],
});

test('a prompt gets its context as a part of the prompt', async () => {
  const world = makeAgentWorld();
  try {
    await startProject(world);
    await leaveMemory(world, 'We decided: the orchard server listens on port 7070, because 8080 is taken.');
    await cairnIn(world, ['install', 'copilot', '--yes']);
    const { hooks } = JSON.parse(readFileSync(join(world.home, '.copilot/hooks/cairn.json'), 'utf8'));
    const prompt = 'which port has the orchard server?';
    const payload = { sessionId: 'a', cwd: world.project, prompt, transformedPrompt: `<now/>\n${prompt}` };
    const { status, stdout } = spawnSync('bash', ['-c', hooks.userPromptTransformed[0].bash], {
      input: JSON.stringify(payload),
      env: { ...world.env, COPILOT_CLI: '1' },
      encoding: 'utf8',
    });
    expect({ status, reply: JSON.parse(stdout) }).toEqual({
      status: 0,
      reply: {
        modifiedTransformedPrompt: expect.stringMatching(
          /^<now\/>\nwhich port has the orchard server\?\n\n<cairn-context>[\s\S]*7070[\s\S]*<\/cairn-context>$/,
        ),
      },
    });
    // Another hook reports the prompt.
    expect((await readCaptured(world, 'copilot')).prompts).toEqual([]);
  } finally {
    await removeAgentWorld(world);
  }
});
