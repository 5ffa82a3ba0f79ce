import { arch, platform } from 'node:os';
import { checkAgent } from '../support/agent-checks.ts';
import {
  askBeforeTools,
  openCodeCalls,
  openCodeDelegation,
  openCodeSteps,
  prepareOpenCode,
  runOpenCode,
} from '../support/opencode.ts';
import { checkSubagents } from '../support/subagent-checks.ts';

const machine = `${platform()}-${arch()}`;

checkAgent({
  client: {
    id: 'kilo',
    version: '7.7.9',
    package: `@kilocode/cli-${machine}`,
    programs: [`@kilocode/cli-${machine}/bin/kilo`],
  },
  prepare(world) {
    prepareOpenCode(world, '.config/kilo/kilo.jsonc', '@kilocode/plugin');
    askBeforeTools(world, '.config/kilo/kilo.jsonc');
  },
  installFlags: ['--allow-tools'],
  run: (modelUrl, prompt) => runOpenCode(modelUrl, ['run', prompt]),
  steps: openCodeSteps,
  calls: openCodeCalls,
  more: (rig) => checkSubagents('kilo', rig, openCodeDelegation),
});
