import { checkAgent } from '../support/agent-checks.ts';
import { openCodeCalls, openCodeSteps, prepareOpenCode, runOpenCode } from '../support/opencode.ts';

checkAgent({
  client: {
    id: 'opencode',
    version: '1.18.33',
    package: 'opencode-ai',
    programs: ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].map(
      (machine) => `opencode-${machine}/bin/opencode`,
    ),
  },
  prepare: (world) => prepareOpenCode(world, '.config/opencode/opencode.json'),
  run: (modelUrl, prompt) => runOpenCode(modelUrl, ['run', prompt]),
  steps: openCodeSteps,
  calls: openCodeCalls,
});
