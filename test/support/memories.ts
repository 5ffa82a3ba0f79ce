import type { AgentEvent } from '../../src/model/agent-event.ts';
import type { Observation, Summary } from '../../src/model/memory.ts';
import type { Place } from '../../src/model/project.ts';
import { countTokens } from '../../src/model/tokens.ts';
import type { FilePin } from '../../src/store/types/memory.ts';
import type { PlainStore } from './plain-store.ts';

export interface PastTurn {
  session?: string;
  /** The time of the agent's closing words. */
  at: number;
  place: Place;
  /** The folder in which the session began. */
  folder?: string;
  commit?: string;
  observations?: (Partial<Observation> & { title: string; pins?: FilePin[] })[];
  summary?: Partial<Summary>;
}

/** Stores a turn and the result of distilling it, as capture and the worker do. */
export function rememberTurn(store: PlainStore, turn: PastTurn): void {
  const { session = 'earlier', at, place, folder = '/', commit, observations = [], summary } = turn;
  serial++;
  const promptId = `prompt-${serial}`;
  const ingest = (event: Bare, when: number) => {
    const name = `${session}.${serial}.${event.kind}`;
    const head = { name, agent: 'claude-code', via: 'settings', at: when };
    const full = { ...event, sessionId: session, promptId, cwd: folder } as AgentEvent;
    const captured = {
      agent: 'claude-code',
      event: full,
      priority: 'normal',
      at: when,
      via: 'settings',
      spoolName: name,
    } as const;
    return { ...head, hook: 'Hook', place, events: [captured] };
  };
  store.ingest(
    [
      ingest({ kind: 'prompt', text: summary?.request ?? 'go on', origin: 'person' }, at - 1),
      ingest({ kind: 'turn-end', text: 'Done.', continued: false }, at),
    ],
    at,
  );
  const job = store.claimJob(['distil'], at, 1_000);
  if (!job) throw new Error('The turn has left no job.');
  store.saveDistilled(
    job,
    {
      distiller: 'offline',
      observations: observations.map(asObservation),
      summary: summary ? asSummary(summary) : null,
      ...(commit && { commit }),
    },
    at,
  );
}

let serial = 0;

type Bare = AgentEvent extends infer E ? (E extends AgentEvent ? Omit<E, 'sessionId'> : never) : never;

function asObservation(fields: NonNullable<PastTurn['observations']>[number]) {
  const observation = {
    type: 'decision',
    subtitle: '',
    narrative: '',
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: [],
    events: [],
    ...fields,
  } satisfies Observation;
  const { title, narrative, facts } = observation;
  return { ...observation, tokens: countTokens([title, narrative, ...facts].join('\n')) };
}

function asSummary(fields: Partial<Summary>) {
  const summary = {
    request: '',
    investigated: '',
    learned: '',
    completed: '',
    nextSteps: '',
    notes: '',
    filesRead: [],
    filesModified: [],
    ...fields,
  };
  const tokens = countTokens(Object.values(summary).flat().join('\n'));
  return { ...summary, title: summary.request || summary.completed, tokens };
}
