import { checkAgent } from '../support/agent-checks.ts';
import { openCode, openCodeCalls, openCodeDelegation, openCodeSteps } from '../support/opencode.ts';
import { checkSubagents } from '../support/subagent-checks.ts';

checkAgent({
  ...openCode,
  steps: openCodeSteps,
  calls: openCodeCalls,
  more: (rig) => checkSubagents('opencode', rig, openCodeDelegation),
});
