import { wordsIn } from '../../model/wording.ts';
import type { TurnStore } from '../../store/store.ts';
import type { CorrectedMemory, StoredMemory, StoredTurn } from '../../store/types/memory.ts';
import { cutMemory, listStatements } from './cut-memory.ts';

/** Each of their sentences is compared with each of this turn. */
const MOST_MEMORIES = 40;

/** Of the turns before this one, in the same session; the oldest first. */
export function listEarlierMemories(store: TurnStore, { id }: StoredTurn): StoredMemory[] {
  return store.listEarlierMemories(id).slice(-MOST_MEMORIES);
}

/** What the session's memory says before this turn, the latest first; without the person's own words. */
export function listEarlierStatements(store: TurnStore, stored: StoredTurn): string[] {
  const memories = listEarlierMemories(store, stored);
  const isPersons = createPersonTest(readPrompts(store, memories));
  const statements = memories.toReversed().flatMap(listStatements);
  return [...new Set(statements)].filter((statement) => !isPersons(statement));
}

/** What is left of the session's earlier memories without these statements. */
export function cutEarlierMemories(
  store: TurnStore,
  stored: StoredTurn,
  statements: string[],
): CorrectedMemory[] {
  const gone = new Set(statements);
  if (gone.size === 0) return [];
  return listEarlierMemories(store, stored).flatMap((memory) => {
    const left = cutMemory(memory, (statement) => gone.has(statement));
    return left === memory ? [] : [{ memory: memory.id, left }];
  });
}

/** What the person typed in the turns that these memories were made of. */
export function readPrompts(store: TurnStore, memories: StoredMemory[]): string[] {
  const turns = new Set(memories.map(({ turnId }) => turnId ?? 0));
  return [...turns].flatMap((id) => store.readTurn(id)?.prompts ?? []).map(({ text }) => text);
}

/** Tells whether a sentence is one that the person typed. */
export function createPersonTest(prompts: string[]): (text: string) => boolean {
  const typed = ` ${prompts.flatMap(wordsIn).join(' ')} `;
  return (text) => typed.includes(` ${wordsIn(text).join(' ')} `);
}
