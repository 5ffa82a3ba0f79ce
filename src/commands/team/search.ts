import { createReliability } from '../../context/reliability.ts';
import { locate } from '../../memory/locate.ts';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import type { HitKind } from '../../recall/request.ts';
import { TeamError } from '../../team/feed.ts';
import type { TeamHits } from '../../team/search/rank-candidates.ts';
import { openTeamMemories } from '../../team/search/read-team-memory.ts';
import { searchTeam } from '../../team/search/search-team.ts';
import { formatTeamId } from '../../team/search/team-id.ts';
import { type Call, CommandError, printJson } from '../support/command.ts';
import { printMemoryText } from '../support/show-memory.ts';
import { withTeam } from './open.ts';

/** @returns null if the server cannot search because the team is encrypted. */
export function searchWithTeam(
  call: Call,
  { text, limit, kinds }: { text: string; limit: number; kinds: HitKind[] },
): Promise<TeamHits | null> {
  return withTeam(call, async ({ store, feed }) => {
    if (store.getTeam()?.isEncrypted) return null;
    const location = locate(store, process.cwd());
    const { project, branches } = location;
    const request = {
      ...{ text, limit, now: call.now(), projectId: project?.id ?? null },
      ...(call.options.superseded === true && { withSuperseded: true }),
      ...(branches.current !== undefined && { branch: branches.current }),
      ...(kinds.length > 0 && { kinds }),
    };
    const result = await searchTeam(store, feed, request, createReliability(location)).catch(suggestLocal);
    if (result.outcome === 'unusable') throw new CommandError(withCairnCommand(result.problem));
    return result;
  });
}

function suggestLocal(error: unknown): never {
  if (!(error instanceof TeamError) || error.reason === 'access') throw error;
  throw new CommandError(
    withCairnCommand(`${error.message}\nSearch what this machine has: cairn search --all <words>`),
  );
}

/** `cairn show t1a2b3c4d` */
export function showTeamMemory(call: Call, beginning: string): Promise<number> {
  return withTeam(call, async ({ store, feed }) => {
    const [opened, another] = await openTeamMemories(store, feed, [beginning]);
    if (!opened)
      throw new CommandError(
        withCairnCommand(`The team has no memory t${beginning}. Find one: cairn search --team <words>`),
      );
    if (another)
      throw new CommandError(
        `Several memories of the team begin with t${beginning}: t${opened.item}, t${another.item}`,
      );
    const { item, localId, memory } = opened;
    if (call.options.json) {
      const { id: _, projectId: _p, supersededBy: _s, ...text } = memory;
      printJson(call, { ...text, item, localId });
      return 0;
    }
    const name = localId === null ? formatTeamId(item) : `#${localId}`;
    const where = localId === null ? 'not pulled' : `here as #${localId}`;
    printMemoryText(call, memory, { name, origin: [where] });
    return 0;
  });
}
