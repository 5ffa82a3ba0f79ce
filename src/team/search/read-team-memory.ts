import type { StoredMemory } from '../../store/types/memory.ts';
import type { TeamFeed } from '../feed.ts';
import { limitTime, listProjectNames } from './fetch-candidates.ts';
import type { LocalItems } from './rank-candidates.ts';
import { toStoredForm } from './stored-form.ts';
import { readTeamMemory } from './team-memory.ts';

const MOST_MS = 10_000;

export interface OpenedTeamMemory {
  item: string;
  /** The memory's number here; null if it was not pulled. */
  localId: number | null;
  /** In the form of a stored memory; its number is meaningless. */
  memory: StoredMemory;
}

/** Reads memories by prefixes of their ids, in one round trip to the server. @throws TeamError */
export function openTeamMemories(
  local: LocalItems,
  feed: TeamFeed,
  beginnings: string[],
): Promise<OpenedTeamMemory[]> {
  return limitTime(MOST_MS, async () => {
    const names = new Map(local.listTeamProjects().map(({ key, name }) => [key, name]));
    const projects = listProjectNames(await feed.listHeads(), names);
    const texts = await feed.readTexts(beginnings);
    return texts.flatMap((found) => {
      const memory = readTeamMemory(found);
      const known = local.getTeamItem(found.item);
      if (!memory || known?.isDead) return [];
      const project = projects.find(({ id }) => id === found.project)?.name ?? '';
      return [
        {
          ...{ item: found.item, localId: known?.rowId ?? null },
          memory: toStoredForm(memory, {
            id: 0,
            project,
            projectId: -found.project,
            supersededBy: null,
            author: memory.author,
          }),
        },
      ];
    });
  });
}
