import { forgetEverywhere } from '../../curation/forget.ts';
import type { CurationOptions } from '../../curation/options.ts';

/** How many items are forgotten in one pass over all files of the home. */
const ITEMS_AT_ONCE = 500;

/** Removes items that the team has deleted from every table and file, like `cairn forget`. @returns how many. */
export function forgetDeadItems(curation: CurationOptions): number {
  const { store } = curation;
  const dead = store.listItemsToForget(ITEMS_AT_ONCE);
  if (dead.length === 0) return 0;
  const memories: number[] = [];
  for (const item of dead) {
    if (item.rowId === null) continue;
    if (store.readSharedRow('memory', item.rowId)) memories.push(item.rowId);
    else store.saveTeamItem({ ...item, author: null, rowId: null });
  }
  if (memories.length > 0)
    forgetEverywhere(curation, { memories, prompts: [], sessions: [], withSource: false });
  return dead.length;
}
