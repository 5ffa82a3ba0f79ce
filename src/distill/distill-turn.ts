import { redactValue } from '../capture/redact/redact-value.ts';
import type { Distilled, Observation, Summary } from '../model/memory.ts';
import { countTokens } from '../model/tokens.ts';
import { headCommit } from '../platform/git/checkout.ts';
import type { TurnStore } from '../store/store.ts';
import type { Job } from '../store/types/job.ts';
import type { CorrectedMemory, DistilledTurn, StoredTurn } from '../store/types/memory.ts';
import { absorbNotes } from './absorb-notes.ts';
import { addChangedFiles } from './changed-files.ts';
import { openCheckout } from './checkout-files.ts';
import { cutTakenBack, listCorrected } from './corrections/correct-session.ts';
import { distillOffline } from './offline/distill.ts';
import { relate } from './relate.ts';
import { type ReadWords, splitTurn } from './split-turn.ts';

export interface DistillOptions {
  now: () => number;
  /** Another job for this turn, queued with the result. */
  next?: string | undefined;
  /** What the agent said between its calls. */
  readWords?: ReadWords;
}

/** Distils one turn without a model and stores the result. */
export function distillTurn(
  store: TurnStore,
  job: Job,
  { now, next, readWords = () => [] }: DistillOptions,
): boolean {
  const stored = store.readTurn(job.turnId);
  const pieces = stored ? addChangedFiles(splitTurn(store, stored, readWords(stored)), stored, now()) : [];
  const distilled = join(pieces.map(distillOffline));
  return saveResult(store, job, stored, distilled, {
    distiller: 'offline',
    now,
    next: isEmpty(distilled) ? undefined : next,
    corrected: stored ? listCorrected(store, stored, pieces, readWords) : [],
    readWords,
  });
}

interface ResultOptions {
  distiller: string;
  now: () => number;
  next?: string | undefined;
  /** What the turn took back of earlier memories. */
  corrected?: CorrectedMemory[];
  /** What the agent said between its calls in later turns, which may take back what this one says. */
  readWords: ReadWords;
}

/** Stores a result and its relations to older memories. */
export function saveResult(
  store: TurnStore,
  job: Job,
  stored: StoredTurn | null,
  distilled: Distilled,
  { distiller, now, next, corrected = [], readWords }: ResultOptions,
): boolean {
  const { observations, summary } = stored ? cutTakenBack(store, stored, distilled, readWords) : distilled;
  const commit = stored?.folder ? headCommit(stored.folder) : undefined;
  const ground = openCheckout(stored);
  const absorbed = absorbNotes(observations, store.listTurnNotes(job.turnId));
  const result: DistilledTurn = {
    distiller,
    observations: absorbed.observations.map((found) => {
      const observation = ground.placed(found);
      return {
        ...observation,
        tokens: tokensOf(observation),
        pins: ground.pinsOf(observation),
        ...relate(observation, store.findSimilarMemories(job.turnId, observation.type, filesOf(observation))),
      };
    }),
    summary: summary && {
      ...ground.placed(summary),
      title: titleOf(summary),
      tokens: countTokens(Object.values(summary).flat().join('\n')),
    },
    corrected,
    notes: absorbed.notes.map(({ note, evidence }) => {
      const { type, filesRead, filesModified, events } = ground.placed(evidence);
      const pins = ground.pinsOf({ ...evidence, filesRead, filesModified });
      return { note, type, filesRead, filesModified, pins, events };
    }),
    ...(commit && { commit }),
    ...(next && { next }),
  };
  return store.saveDistilled(job, redactValue(result), now());
}

function join(pieces: Distilled[]): Distilled {
  const summaries = pieces.flatMap(({ summary }) => (summary ? [summary] : []));
  return {
    observations: joinObservations(pieces.flatMap(({ observations }) => observations)),
    summary: joinSummaries(summaries),
  };
}

/** The same work in several pieces is one observation. */
function joinObservations(observations: Observation[]): Observation[] {
  const joined = new Map<string, Observation>();
  for (const piece of observations) {
    const key = `${piece.type} ${piece.title.toLowerCase()}`;
    const known = joined.get(key);
    const union = (part: 'facts' | 'concepts' | 'filesRead' | 'filesModified') => [
      ...new Set([...(known?.[part] ?? []), ...piece[part]]),
    ];
    joined.set(key, {
      ...piece,
      facts: union('facts').slice(0, 12),
      concepts: union('concepts').slice(0, 12),
      filesRead: union('filesRead'),
      filesModified: union('filesModified'),
      events: [...(known?.events ?? []), ...piece.events],
    });
  }
  return [...joined.values()];
}

function joinSummaries([first, ...rest]: Summary[]): Summary | null {
  if (!first) return null;
  return rest.reduce((whole, piece) => {
    const text = (part: 'investigated' | 'learned' | 'completed' | 'notes') =>
      [whole[part], piece[part]].filter(Boolean).join(' ');
    return {
      request: whole.request,
      investigated: text('investigated'),
      learned: text('learned'),
      completed: text('completed'),
      notes: text('notes'),
      // Next steps of an earlier piece were done, or are listed again at the end.
      nextSteps: piece.nextSteps,
      filesRead: [...new Set([...whole.filesRead, ...piece.filesRead])],
      filesModified: [...new Set([...whole.filesModified, ...piece.filesModified])],
    };
  }, first);
}

function filesOf({ filesModified, filesRead }: Observation): string[] {
  return [...filesModified, ...filesRead];
}

function isEmpty({ observations, summary }: Distilled): boolean {
  return observations.length === 0 && summary === null;
}

function titleOf({ request, completed, learned }: Summary): string {
  return request || completed || learned;
}

function tokensOf({ title, subtitle, narrative, facts }: Observation): number {
  return countTokens([title, subtitle, narrative, ...facts].join('\n'));
}
