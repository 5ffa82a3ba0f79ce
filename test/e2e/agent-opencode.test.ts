import { checkAgent } from '../support/agent-checks.ts';
import { openCode, openCodeCalls, openCodeSteps } from '../support/opencode.ts';

checkAgent({ ...openCode, steps: openCodeSteps, calls: openCodeCalls });
