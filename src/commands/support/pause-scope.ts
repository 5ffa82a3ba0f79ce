import { findOwnSession } from '../../agents/all.ts';
import type { PauseScope } from '../../capture/pauses.ts';
import { findPlace } from '../../capture/place.ts';
import { type Call, UsageError } from './command.ts';
import { rejectExtra, requireArgument } from './usage.ts';

/** The scope of `pause` and `unpause`: options and description. */
export function findPauseScope({ options, positionals, env }: Call): {
  scope: PauseScope;
  name: string;
  flag: string;
} {
  const [session = findOwnSession(env)] = positionals;
  if (options.project && options.session)
    throw new UsageError('Give either --project or --session, not both.');
  if (options.project) {
    const folder = env.projectDir ?? process.cwd();
    return { scope: { folder }, name: `the project ${findPlace(folder).name}`, flag: ' --project' };
  }
  if (!options.session) {
    rejectExtra(positionals);
    return { scope: { all: true }, name: 'everything', flag: '' };
  }
  const id = requireArgument(session, 'session id', 'See: cairn sessions --json');
  return { scope: { session: id }, name: `session ${id}`, flag: ` --session ${id}` };
}
