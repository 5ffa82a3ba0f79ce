import type { PauseScope } from '../capture/paused.ts';
import { placeOf } from '../capture/place.ts';
import { type Call, UsageError } from './command.ts';

/** What `pause` and `resume` are about, in their options and in words. */
export function pauseScope({ options, positionals, env }: Call): {
  scope: PauseScope;
  name: string;
  flag: string;
} {
  const [session = env.sessionId] = positionals;
  if (options.project && options.session) throw new UsageError('Either --project or --session.');
  if (options.project) {
    const folder = env.projectDir ?? process.cwd();
    return { scope: { folder }, name: `the project ${placeOf(folder).name}`, flag: ' --project' };
  }
  if (!options.session) {
    if (positionals.length) throw new UsageError('Without --session there is nothing to name.');
    return { scope: { all: true }, name: 'everything', flag: '' };
  }
  if (!session) throw new UsageError('Which session? Give its id: cairn sessions --json');
  return { scope: { session }, name: `session ${session}`, flag: ` --session ${session}` };
}
