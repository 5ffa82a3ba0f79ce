import { listPauses, unpause } from '../capture/pauses.ts';
import type { Command } from './support/command.ts';
import { findPauseScope } from './support/pause-scope.ts';

export const command: Command = {
  name: 'unpause',
  summary: 'End a pause: capture again',
  usage: 'unpause [--project | --session [<id>]]',
  options: { project: { type: 'boolean' }, session: { type: 'boolean' } },
  words: 1,
  run(call) {
    const { scope, name, flag } = findPauseScope(call);
    const wasPaused = unpause(call.paths, scope);
    const still = listPauses(call.paths).map(({ what }) => what);
    const unpaused = flag === '' ? 'Capture' : `${name[0]?.toUpperCase()}${name.slice(1)}`;
    call.out(wasPaused ? `Capturing ${name} again.` : `${unpaused} was not paused.`);
    if (still.length) call.out(`Still paused: ${still.join(', ')}`);
    return 0;
  },
};
