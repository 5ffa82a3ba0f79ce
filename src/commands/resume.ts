import { listPauses, resume } from '../capture/paused.ts';
import type { Command } from './command.ts';
import { pauseScope } from './pause-scope.ts';

export const command: Command = {
  name: 'resume',
  summary: 'Capture again what was paused',
  usage: 'resume [--project | --session [<id>]]',
  options: { project: { type: 'boolean' }, session: { type: 'boolean' } },
  words: 1,
  run(call) {
    const { scope, name } = pauseScope(call);
    const wasPaused = resume(call.paths, scope);
    const still = listPauses(call.paths).map(({ what }) => what);
    call.out(
      wasPaused ? `Capturing ${name} again.` : `${name[0]?.toUpperCase()}${name.slice(1)} was not paused.`,
    );
    if (still.length) call.out(`Still paused: ${still.join(', ')}`);
    return 0;
  },
};
