import { toOneLine } from '../../framing/stored-lines.ts';
import { shorten } from '../../model/shorten.ts';
import type { Branches } from '../../recall/branch.ts';
import type { UndistilledTurn } from '../../store/types/context.ts';
import type { StoredMemory } from '../../store/types/memory.ts';
import { costOf } from '../budget.ts';
import type { ShownMemory } from '../context.ts';
import { formatDay, formatTime } from '../words.ts';

/** A line about past work, with its summary. */
export interface WorkLine {
  text: string;
  /** Missing if there is no memory yet. */
  shown?: ShownMemory;
}

const LONGEST_REQUEST = 160;
const LONGEST_OUTCOME = 300;
const MOST_STEPS = 3;
const OPEN_FOR_MS = 14 * 86_400_000;
/** Share of a step's words that a later record must contain for the step to count as done. */
const DONE_SHARE = 0.6;

/** The last request on this branch, or at all, and its result. */
export function describeLastSession(summaries: StoredMemory[], branches: Branches): WorkLine[] {
  const last = summaries.find((summary) => isHere(summary, branches)) ?? summaries[0];
  if (!last?.parts) return [];
  const { request, completed, learned } = last.parts;
  const outcome = completed || learned;
  const text = [
    `#${last.id} ${formatDay(last.at)} ${formatTime(last.at)}${last.branch ? ` on ${toOneLine(last.branch)}` : ''}:`,
    shorten(request || last.title, LONGEST_REQUEST),
    ...(outcome ? [`→ ${shorten(outcome, LONGEST_OUTCOME)}`] : []),
  ].join(' ');
  return [{ text, shown: lineOf(last, text, ['the last session here']) }];
}

/** The request of another session whose last turn is not distilled yet: it has just ended, or was killed. */
export function undistilledWork(turn: UndistilledTurn | null, top: string | undefined): WorkLine[] {
  if (!turn || turn.request === '') return [];
  const { at, branch, request, changedFiles } = turn;
  const files = changedFiles.map((path) => toOneLine(top ? path.replace(`${top}/`, '') : path)).join(', ');
  const text = [
    `${formatDay(at)} ${formatTime(at)}${branch ? ` on ${toOneLine(branch)}` : ''}:`,
    shorten(request, LONGEST_REQUEST),
    ...(files ? [`→ changed ${shorten(files, LONGEST_OUTCOME)}`] : []),
    '(not summarized yet)',
  ].join(' ');
  return [{ text }];
}

/** Next steps of the last sessions on this branch that no later session continued. */
export function listOpenSteps(
  summaries: StoredMemory[],
  later: StoredMemory[],
  { branches, now }: { branches: Branches; now: number },
): WorkLine[] {
  return summaries
    .filter((summary) => isHere(summary, branches) && now - summary.at < OPEN_FOR_MS)
    .slice(0, MOST_STEPS)
    .flatMap((summary) => {
      const step = summary.parts?.nextSteps ?? '';
      if (step === '' || isDone(step, summary, later)) return [];
      const text = `- ${shorten(step, LONGEST_OUTCOME)} (#${summary.id}, ${formatDay(summary.at)})`;
      return [{ text, shown: lineOf(summary, text, ['left open']) }];
    });
}

function isHere({ branch }: StoredMemory, { current }: Branches): boolean {
  return current === undefined || branch === null || branch === current;
}

function isDone(step: string, from: StoredMemory, records: StoredMemory[]): boolean {
  const wanted = wordsOf(step);
  if (wanted.size === 0) return true;
  return records.some((record) => {
    if (record.at <= from.at || record.id === from.id) return false;
    const text = [record.title, record.narrative, record.parts?.completed ?? '', ...record.facts].join(' ');
    const has = (isIn: (word: string) => boolean) =>
      [...wanted].filter(isIn).length >= wanted.size * DONE_SHARE;
    // Skip texts that contain none of the words, which are most: splitting all of them takes a hook too long.
    const lower = text.toLowerCase();
    if (!has((word) => lower.includes(word))) return false;
    const words = wordsOf(text);
    return has((word) => words.has(word));
  });
}

/** Ignores short words and different endings. */
function wordsOf(text: string): Set<string> {
  const isPlain = /^[\0-\x7f]*$/.test(text);
  const words = text.toLowerCase().match(isPlain ? /\w{4,}/g : /[\p{L}\p{N}_]{4,}/gu) ?? [];
  return new Set(words.map((word) => word.replace(/(?:ing|ed|es|s)$/, '')));
}

function lineOf(memory: StoredMemory, text: string, reasons: string[]): ShownMemory {
  return { memoryId: memory.id, title: memory.title, how: 'line', tokens: costOf(text), reasons };
}
