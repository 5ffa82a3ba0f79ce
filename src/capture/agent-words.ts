import type { Transcripts } from '../agents/agent.ts';
import { agentById } from '../agents/all.ts';
import type { Redacted } from '../model/redacted.ts';
import type { Paths } from '../platform/paths.ts';
import type { StoredTurn } from '../store/types/memory.ts';
import { listPausedPeriods } from './pauses.ts';
import { isUnreadable } from './reconcile.ts';
import { redactValue } from './redact/redact-value.ts';

/** One text of the agent, and the call that followed it. */
export interface AgentWords {
  text: string;
  /** Null after the last call. */
  nextCall: string | null;
}

export interface TurnWords {
  words: Redacted<AgentWords[]>;
  /** This turn's calls in the transcript so far. */
  calls: Set<string>;
}

const NO_WORDS: TurnWords = { words: redactValue([]), calls: new Set() };
/** A turn's records are usually at the end of its transcript, so this much of it is read first. */
const FIRST_TAIL_BYTES = 1024 * 1024;
const LONGEST_TAIL_BYTES = 64 * 1024 * 1024;
const MOST_WORDS = 400;
const LONGEST_WORDS = 8_000;
/** Hooks and transcript use the same clock, but a record is stamped a moment before its hook runs. */
const SLACK_MS = 500;

/**
 * The agent's words between its calls are only in the transcript. Hooks report the closing words, or none if the turn
 * was cut off.
 */
export function readTurnWords(paths: Paths, turn: StoredTurn): TurnWords {
  const transcripts = agentById(turn.agent)?.transcripts;
  if (!transcripts || turn.transcript === null) return NO_WORDS;
  try {
    return readWords(transcripts, turn.transcript, turn, paths);
  } catch (error) {
    if (isUnreadable(error)) return NO_WORDS;
    throw error;
  }
}

function readWords(transcripts: Transcripts, path: string, turn: StoredTurn, paths: Paths): TurnWords {
  const paused = listPausedPeriods(paths, turn.folder ?? undefined, turn.agentSession);
  const until = turn.nextOpenedAt ?? Number.POSITIVE_INFINITY;
  const words: AgentWords[] = [];
  const calls = new Set<string>();
  let firstWithoutCall = 0;
  let began: PromptPlace | null = null;
  for (const record of transcripts.readRecords(path, findStart(transcripts, path, turn))) {
    if ('problem' in record) continue;
    const at = transcripts.timeOf(record.value);
    if (at === undefined) continue;
    if (at >= until) break;
    const isOfItsTime = at >= turn.openedAt - SLACK_MS || began === 'own';
    if (paused.some(({ from, to }) => at >= from && at <= to)) continue;
    for (const part of transcripts.readAnswer(record.value)) {
      if ('prompt' in part) {
        const place = placePrompt(turn, part.prompt, at, began);
        // What precedes the turn's own prompt, or an earlier one, is of earlier turns.
        if (place === 'earlier' || (place === 'own' && began !== 'own' && began !== 'later')) {
          words.length = 0;
          calls.clear();
        }
        began = place ?? began;
        // No call of another turn follows these words.
        firstWithoutCall = words.length;
      } else if (!isOfItsTime || began === 'later') {
      } else if ('text' in part) {
        if (words.length < MOST_WORDS)
          words.push({ text: part.text.slice(0, LONGEST_WORDS), nextCall: null });
      } else {
        calls.add(part.callId);
        for (const before of words.slice(firstWithoutCall)) before.nextCall = part.callId;
        firstWithoutCall = words.length;
      }
    }
  }
  const isExact = began === 'own' || began === 'later';
  // The client may stamp the closing words of the turn before later than the prompt that follows them.
  const own = isExact
    ? words
    : words.filter(({ text }) => !turn.earlierWords.includes(redactValue(text).trim()));
  return { words: redactValue(own), calls };
}
/** The turn that a prompt in the transcript starts. */
type PromptPlace = 'earlier' | 'own' | 'later';

/** Exact by the prompt's id; by time, only an earlier turn, or this one, can be told from a later one: null. */
function placePrompt(
  { promptIds, openedAt }: StoredTurn,
  id: string | null,
  at: number,
  began: PromptPlace | null,
): PromptPlace | null {
  if (id === null || promptIds.length === 0) return at <= openedAt ? 'earlier' : null;
  if (promptIds.includes(id)) return 'own';
  return began === 'own' || began === 'later' ? 'later' : 'earlier';
}

/** The offset to read from to get every record since the turn was opened. */
function findStart(transcripts: Transcripts, path: string, turn: StoredTurn): number {
  const { agentSession, openedAt: since } = turn;
  const { files } = transcripts.findSession(path, agentSession);
  const size = files.find((file) => file.path === path)?.size ?? 0;
  for (let tail = FIRST_TAIL_BYTES; tail < size && tail <= LONGEST_TAIL_BYTES; tail *= 4) {
    const start = size - tail;
    for (const record of transcripts.readRecords(path, start)) {
      const at = 'problem' in record ? undefined : transcripts.timeOf(record.value);
      if (at === undefined) continue;
      if (at < since - SLACK_MS) return start;
      break;
    }
  }
  return Math.max(0, size - LONGEST_TAIL_BYTES);
}
