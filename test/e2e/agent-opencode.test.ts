import { checkAgent } from '../support/agent-checks.ts';
import {
  askBeforeTools,
  openCode,
  openCodeCalls,
  openCodeDelegation,
  openCodeSteps,
} from '../support/opencode.ts';
import { checkSubagents } from '../support/subagent-checks.ts';

checkAgent({
  ...openCode,
  prepare(world, modelUrl) {
    openCode.prepare(world, modelUrl);
    askBeforeTools(world, '.config/opencode/opencode.json');
  },
  installFlags: ['--allow-tools'],
  steps: openCodeSteps,
  calls: openCodeCalls,
  more: (rig) => checkSubagents('opencode', rig, openCodeDelegation),
});
