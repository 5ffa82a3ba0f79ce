import { pause } from '../capture/pauses.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import type { Command } from './support/command.ts';
import { findPauseScope } from './support/pause-scope.ts';

export const command: Command = {
  name: 'pause',
  summary: 'Pause capture: everywhere, in this project or in one session',
  usage: 'pause [--project | --session [<id>]]',
  help: 'While paused, hooks write nothing. --session without an id means the session of the agent that runs this.',
  options: { project: { type: 'boolean' }, session: { type: 'boolean' } },
  words: 1,
  run(call) {
    const scope = findPauseScope(call);
    pause(call.paths, scope.scope, call.now());
    call.out(withCairnCommand(`Paused ${scope.name}. Nothing is captured until: cairn unpause${scope.flag}`));
    return 0;
  },
};
