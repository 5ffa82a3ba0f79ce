import { isPaused } from '../capture/pauses.ts';
import { redactValue } from '../capture/redact/redact-value.ts';
import { INDEXED_STOP_WORDS, STOP_WORDS } from '../indexing/stop-words.ts';
import { tokenise } from '../indexing/tokenise.ts';
import type { Paths } from '../platform/paths.ts';
import type { Store } from '../store/store.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { cleanText } from './clean-text.ts';
import type { CurationOptions } from './options.ts';

/** Who opens a memory this long after a search without success probably found by other means what was meant. */
const MINUTES = 5;
const MOST_WORDS = 4;
const LONGEST = 60;

/** A terminal or an agent's session, and where it is. */
export interface Searcher {
  paths: Paths;
  /** The agent's own id of the session, or the shell that the command was typed in. */
  searcher: string;
  folder: string;
  agentSession?: string;
}

/** Keeps the words of a search that found nothing good for a few minutes; nothing while capture is paused. */
export function recordWeakSearch(
  { store, settings, now }: Pick<CurationOptions, 'store' | 'settings' | 'now'>,
  words: string,
  { paths, searcher, folder, agentSession }: Searcher,
): void {
  const clean = cleanText({ settings }, words);
  const typed = clean.split(/\s+/).filter(Boolean);
  if (clean !== words.trim() || typed.length === 0 || typed.length > MOST_WORDS || clean.length > LONGEST)
    return;
  // A secret was typed: what is left of the words means nothing.
  if (clean.includes('[redacted:')) return;
  if (isPaused(paths, folder, agentSession)) return;
  store.recordWeakSearch(searcher, redactValue(clean), now(), now() - MINUTES * 60_000);
}

/** What an opened memory could be called: the words that were searched for before and that it lacks. */
export function findAliasToLearn(
  store: Pick<Store, 'findWeakSearch' | 'listLearntAliases'>,
  memory: StoredMemory,
  searcher: string,
  now: number,
): string | null {
  const words = store.findWeakSearch(searcher, now - MINUTES * 60_000);
  if (words === null) return null;
  const known = new Set(textsOf(memory, store.listLearntAliases(memory.id)).flatMap(tokenise));
  const telling = words.split(/\s+/).filter((word) => tokenise(word).some(isTelling));
  const missing = telling.filter((word) => !tokenise(word).some((term) => known.has(term)));
  // What it has half of the words of was found by those.
  return missing.length > 0 && missing.length * 2 >= telling.length ? missing.join(' ') : null;
}

export function learnAlias(
  store: Store,
  memoryId: number,
  alias: string,
  searcher: string,
  now: number,
): void {
  store.learnAlias(memoryId, redactValue(alias), now);
  store.dropWeakSearch(searcher);
}

export function describeLearnt(id: number, alias: string): string {
  return `Learnt: “${alias}” finds #${id} from now on. Undo: cairn edit ${id} --remove-alias "${alias}"`;
}

function isTelling(term: string): boolean {
  return /[^\d.]/.test(term) && term.length > 1 && !STOP_WORDS.has(term) && !INDEXED_STOP_WORDS.has(term);
}

function textsOf(memory: StoredMemory, learnt: string[]): string[] {
  const { title, subtitle, narrative, facts, concepts, aliases, parts, filesRead, filesModified } = memory;
  const sections = parts ? Object.values(parts).flat() : [];
  return [
    title,
    subtitle,
    narrative,
    ...facts,
    ...concepts,
    ...aliases,
    ...learnt,
    ...sections,
    ...filesRead,
    ...filesModified,
  ];
}
