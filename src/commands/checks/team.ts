import { formatAge, formatCount } from '../../context/words.ts';
import type { TeamStore } from '../../store/store.ts';
import type { Call } from '../support/command.ts';
import { type Check, ok, warn } from './check.ts';

/** The team as of the last sync, without asking the server. Empty if the home is in no team. */
export function checkTeam(
  { now }: Pick<Call, 'now'>,
  store: Pick<TeamStore, 'getTeam' | 'countTeam'>,
): Check[] {
  const team = store.getTeam();
  if (!team) return [];
  const { pending, marked, aside, refused } = store.countTeam();
  if (team.problem) return [warn('team', team.problem.message, 'See: cairn team status')];
  if (aside + refused > 0)
    return [
      warn(
        'team',
        `${formatCount(aside + refused, 'change')} could not be exchanged`,
        'Run: cairn team repair',
      ),
    ];
  const synced = team.syncedAt === null ? 'not synced yet' : `synced ${formatAge(team.syncedAt, now())}`;
  const unsent = pending + marked > 0 ? `, ${formatCount(pending + marked, 'change')} to send` : '';
  return [ok('team', `${team.member} on ${team.server}, ${synced}${unsent}`)];
}
