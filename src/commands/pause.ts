import { pause } from '../capture/paused.ts';
import type { Command } from './command.ts';
import { pauseScope } from './pause-scope.ts';

export const command: Command = {
  name: 'pause',
  summary: 'Capture nothing: everywhere, in this project, or in this session',
  usage: 'pause [--project | --session [<id>]]',
  help: 'While paused nothing is written at all. --session without an id takes the session of the agent that runs this.',
  options: { project: { type: 'boolean' }, session: { type: 'boolean' } },
  words: 1,
  run(call) {
    const scope = pauseScope(call);
    pause(call.paths, scope.scope, call.now());
    call.out(`Paused ${scope.name}. Nothing is captured until: cairn resume${scope.flag}`);
    return 0;
  },
};
