import type { Distilled, Observation } from '../../model/memory.ts';
import type { TurnStore } from '../../store/store.ts';
import type { CorrectedMemory, MemoryTexts, StoredTurn } from '../../store/types/memory.ts';
import { openCheckout } from '../checkout-files.ts';
import { type ReadWords, splitTurn } from '../split-turn.ts';
import type { Turn } from '../turn.ts';
import { findChangedSettings, statesOldValue } from './changed-settings.ts';
import { cutMemory } from './cut-memory.ts';
import { createPersonTest, listEarlierMemories, readPrompts } from './earlier-memories.ts';
import {
  type Corrections,
  type Corrector,
  type EarlierSentence,
  findCorrector,
  readCorrections,
} from './find-corrected.ts';
import { findReplacedValues, type ReplacedValues } from './replaced-values.ts';
import { type EarlierEdit, hasCommit } from './undone-work.ts';

/** What was put in earlier is seldom taken out again. */
const TURNS_LOOKED_BACK = 5;
/** A correction mostly follows at once. */
const TURNS_LOOKED_AHEAD = 20;

/** What is left of earlier memories after this turn took back some of what they say. */
export function listCorrected(
  store: TurnStore,
  stored: StoredTurn,
  pieces: Turn[],
  readWords: ReadWords,
): CorrectedMemory[] {
  return [
    ...listCorrectedInSession(store, stored, pieces, readWords),
    ...listOutdated(store, stored, pieces),
  ];
}

/** What earlier sessions said of a value that this turn has changed in the same file. */
function listOutdated(store: TurnStore, stored: StoredTurn, pieces: Turn[]): CorrectedMemory[] {
  const settings = pieces.flatMap(findChangedSettings);
  if (settings.length === 0) return [];
  const paths = [...new Set(settings.map(({ path }) => path))];
  const files = openCheckout(stored).placed({ filesRead: [], filesModified: paths }).filesModified;
  return store.listFileObservations(stored.id, files).flatMap((memory) => {
    const left = cutMemory(memory, (text) => statesOldValue(text, settings));
    return left === memory ? [] : [{ memory: memory.id, left }];
  });
}

function listCorrectedInSession(
  store: TurnStore,
  stored: StoredTurn,
  pieces: Turn[],
  readWords: ReadWords,
): CorrectedMemory[] {
  const memories = listEarlierMemories(store, stored);
  if (memories.length === 0) return [];
  const last = Math.max(...memories.map(({ turnId }) => turnId ?? 0));
  const before = store.readTurn(last);
  const corrections = readCorrections(
    pieces,
    listEarlierEdits(createSessionReader(store, stored.sessionId), stored),
    before ? splitTurn(store, before, readWords(before)) : [],
  );
  const isPersons = createPersonTest(readPrompts(store, memories));
  return memories.flatMap((memory) => {
    const place = { files: memory.filesModified, isJustSaid: memory.turnId === last };
    const reportOf = reportsWork(memory.type) ? (memory.turnId ?? undefined) : undefined;
    const isCorrected = (text: string) =>
      findCorrector({ text, ...place, byPerson: isPersons(text), reportOf }, corrections) !== null;
    const left = cutMemory(memory, isCorrected);
    return left === memory ? [] : [{ memory: memory.id, left }];
  });
}

function listEarlierEdits(session: SessionReader, stored: StoredTurn): EarlierEdit[] {
  const turns = session
    .listTurnIds()
    .filter((id) => id < stored.id)
    .slice(-TURNS_LOOKED_BACK)
    .map((turnId) => ({ turnId, ...session.readWork(turnId) }));
  const lastCommit = turns.findLastIndex(({ commits }) => commits);
  return turns.flatMap(({ turnId, edits }, index) =>
    edits.map((edit) => ({ ...edit, turnId, isCommitted: index <= lastCommit })),
  );
}

interface TurnWork {
  edits: ReplacedValues[];
  commits: boolean;
}

/** Reads the turns of a session, each once: of a long session every turn is compared with many others. */
interface SessionReader {
  listTurnIds(): number[];
  readWork(turnId: number): TurnWork;
}

function createSessionReader(store: TurnStore, sessionId: number): SessionReader {
  let ids: number[] | undefined;
  const works = new Map<number, TurnWork>();
  const readWork = (id: number): TurnWork => {
    const turn = store.readTurn(id);
    const pieces = turn ? splitTurn(store, turn) : [];
    return { edits: pieces.flatMap(findReplacedValues), commits: pieces.some(hasCommit) };
  };
  return {
    listTurnIds: () => (ids ??= store.listTurnIds(sessionId)),
    readWork: (id) => {
      const known = works.get(id) ?? readWork(id);
      works.set(id, known);
      return known;
    },
  };
}

/** A later turn of the session, and what it takes back. */
export interface LaterCorrections {
  prompt: number | null;
  isNext: boolean;
  corrections: Corrections;
}

/**
 * What the turns after this one say against it; none for the last turn of a session. A turn that is not distilled yet
 * corrects this one when it is.
 */
export function readLaterCorrections(
  store: TurnStore,
  stored: StoredTurn,
  readWords: ReadWords,
): LaterCorrections[] {
  const ids = store.listDistilledAfter(stored.id, TURNS_LOOKED_AHEAD);
  if (ids.length === 0) return [];
  const session = createSessionReader(store, stored.sessionId);
  const nextId = session.listTurnIds().find((id) => id > stored.id);
  return ids
    .flatMap((id) => store.readTurn(id) ?? [])
    .map((later) => ({
      prompt: later.prompts[0]?.number ?? null,
      isNext: later.id === nextId,
      corrections: readCorrections(
        splitTurn(store, later, readWords(later)),
        listEarlierEdits(session, later),
        later.id === nextId ? splitTurn(store, stored, readWords(stored)) : [],
      ),
    }));
}

/** The first later turn that takes a sentence back. */
export function findLaterCorrector(
  sentence: Omit<EarlierSentence, 'isJustSaid'>,
  later: LaterCorrections[],
): { by: Corrector; prompt: number | null } | null {
  for (const { prompt, isNext, corrections } of later) {
    const by = findCorrector({ ...sentence, isJustSaid: isNext }, corrections);
    if (by !== null) return { by, prompt };
  }
  return null;
}

/** A turn that is distilled again, or by a model, must not bring back what later turns took back. */
export function cutTakenBack(
  store: TurnStore,
  stored: StoredTurn,
  distilled: Distilled,
  readWords: ReadWords,
): Distilled {
  const later = readLaterCorrections(store, stored, readWords);
  if (later.length === 0) return distilled;
  const isPersons = createPersonTest(stored.prompts.map(({ text }) => text));
  const cut = (texts: MemoryTexts, files: string[], type: string | null) => {
    const reportOf = reportsWork(type) ? stored.id : undefined;
    return cutMemory(
      texts,
      (text) => findLaterCorrector({ text, files, byPerson: isPersons(text), reportOf }, later) !== null,
    );
  };
  const observations = distilled.observations.flatMap((observation): Observation[] => {
    const left = cut({ ...observation, parts: null }, observation.filesModified, observation.type);
    return left ? [{ ...observation, title: left.title, narrative: left.narrative, facts: left.facts }] : [];
  });
  const { summary } = distilled;
  const texts = { title: '', subtitle: '', narrative: '', facts: [], parts: summary };
  return { observations, summary: summary && (cut(texts, summary.filesModified, null)?.parts ?? null) };
}

/** Of no type: a summary. Other types say what holds, whatever becomes of the work. */
const WORK: ReadonlySet<string | null> = new Set([null, 'bugfix', 'feature', 'refactor', 'change']);

function reportsWork(type: string | null): boolean {
  return WORK.has(type);
}
