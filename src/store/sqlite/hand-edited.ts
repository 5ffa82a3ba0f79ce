import type { Observation } from '../../model/memory.ts';
import { measureOverlap, SAME_SUBJECT } from '../../model/same-memory.ts';
import { wordsIn } from '../../model/wording.ts';
import type { Database } from './open.ts';

/** Memories of a turn that a person edited, pinned or decided to share or not: distilling the turn again keeps them. */
export function findHandEdited(db: Database, turn: number) {
  const rows = db
    .prepare<{ id: number; type: string | null; title: string; events: string }>(`
      SELECT id, type, title,
        (SELECT json_group_array(event_id) FROM memory_events WHERE memory_id = memories.id) AS events
      FROM memories WHERE turn_id = ? AND (edited_at IS NOT NULL OR pinned_at IS NOT NULL
        OR id IN (SELECT memory_id FROM team_choices))`)
    .all(turn);
  const kept = rows.map((row) => ({
    ...row,
    words: new Set(wordsIn(row.title)),
    events: JSON.parse(row.events) as number[],
  }));

  return {
    ids: new Set(kept.map(({ id }) => id)),
    /** Whether an observation repeats one of them. */
    isTwin({ type, title, events }: Observation): boolean {
      const words = new Set(wordsIn(title));
      return kept.some((memory) => {
        const likeness = measureOverlap(words, memory.words);
        if (memory.type !== type) return likeness === 1;
        return likeness >= SAME_SUBJECT || events.some((event) => memory.events.includes(event));
      });
    },
  };
}
