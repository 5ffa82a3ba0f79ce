import type { Distilled } from '../../model/memory.ts';
import { stripScaffolding } from '../offline/text/plain.ts';
import { shorten } from '../offline/text/shorten.ts';
import type { Turn, TurnCall } from '../turn.ts';
import { describeCall } from './describe-call.ts';
import { clipMiddle, type Entry, fitEntries } from './fit-entries.ts';

export interface DigestLimits {
  /** Maximum for a turn of up to `ordinaryCalls` calls … */
  ordinary: number;
  ordinaryCalls: number;
  /** … plus this for each further call … */
  perCall: number;
  /** … up to this. */
  most: number;
}

export const DIGEST_LIMITS: DigestLimits = {
  ordinary: 12_000,
  ordinaryCalls: 40,
  perCall: 60,
  most: 24_000,
};

const LONGEST = { request: 4_000, pasted: 1_500, before: 600, reports: 4_000, closing: 4_000, draft: 1_200 };
/** Share of the space that is reserved for calls. */
const LEAST_SHARE_OF_CALLS = 0.35;
const MOST_EARLIER_PROMPTS = 3;
const LONGEST_READS = 400;

/** A turn as shown to a model: prompts, changes and failures, in limited space. */
export function digestTurn(turn: Turn, offline: Distilled, limits: DigestLimits = DIGEST_LIMITS): string {
  const before = [
    section('The person asked before', earlierPrompts(turn)),
    section('The agent had last said', clipMiddle(words(turn.earlierWords), LONGEST.before)),
    section(turn.promptOrigin === 'person' ? 'The person asks' : 'A notice to the agent', request(turn)),
  ].join('');
  const after = [
    section('Reports of subagents, summaries', reports(turn)),
    section("The agent's closing words", clipMiddle(words(turn.closingWords), LONGEST.closing)),
    section('How the turn ended', turn.closedBy === 'turn-end' ? '' : ENDINGS[turn.closedBy]),
    section('Draft', draft(offline)),
  ].join('');

  const whole = roomFor(turn.calls.length, limits);
  const room = Math.max(whole - before.length - after.length, whole * LEAST_SHARE_OF_CALLS);
  const done = section('What the agent did', fitEntries(entriesOf(turn), room));
  return clipMiddle(`${before}${done}${after}`.trim(), limits.most);
}

const ENDINGS = {
  prompt: 'cut off by the next prompt',
  compaction: 'goes on after a compaction',
  'session-end': 'cut off by the end of the session',
  gap: 'never ended',
};

function roomFor(calls: number, { ordinary, ordinaryCalls, perCall, most }: DigestLimits): number {
  return Math.min(most, ordinary + perCall * Math.max(0, calls - ordinaryCalls));
}

function section(heading: string, text: string): string {
  // A heading in the text must not start one of our sections.
  const body = text.replace(/^(?=[^\S\n]*#{1,2}\s)/gm, '> ');
  return text === '' ? '' : `## ${heading}\n${body}\n\n`;
}

function words(text: string): string {
  return stripScaffolding(text)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function earlierPrompts({ earlierPrompts }: Turn): string {
  const latest = earlierPrompts.slice(-MOST_EARLIER_PROMPTS).map((prompt) => shorten(words(prompt), 200));
  return latest.filter((prompt) => prompt !== '').join('\n');
}

/** A pasted code block is usually the subject: an error, a log. */
function request({ prompt }: Turn): string {
  const pasted = [...prompt.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].map(([, text]) => text?.trim() ?? '');
  const room = LONGEST.request - LONGEST.pasted;
  return `${clipMiddle(words(prompt), room)}\n\n${clipMiddle(pasted.join('\n\n'), LONGEST.pasted)}`.trim();
}

function reports(turn: Turn): string {
  const longest = Math.floor(LONGEST.reports / Math.max(1, turn.reports.length));
  return turn.reports
    .map((report) => clipMiddle(words(report), longest))
    .filter(Boolean)
    .join('\n\n');
}

function draft({ observations }: Distilled): string {
  const lines = observations.map(
    ({ type, title, subtitle }) => `${type}: ${title}${subtitle && ` (${subtitle})`}`,
  );
  return clipMiddle(lines.join('\n'), LONGEST.draft);
}

function entriesOf({ calls, folder }: Turn): Entry[] {
  const entries: Entry[] = [];
  for (const group of readsTogether(calls)) {
    const [first, ...others] = group.flatMap((call) => describeCall(call, folder) ?? []);
    if (!first) continue;
    const names = new Set([first, ...others].map(({ line }) => line.replace(/^read /, '')));
    entries.push(
      others.length === 0
        ? first
        : { ...first, line: shorten(`read ${[...names].join(', ')}`, LONGEST_READS) },
    );
  }
  return entries;
}

/** Consecutive reads share one line; every other call has its own. */
function readsTogether(calls: TurnCall[]): TurnCall[][] {
  const groups: TurnCall[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    if (last?.[0] && isPlainRead(last[0]) && isPlainRead(call)) last.push(call);
    else groups.push([call]);
  }
  return groups;
}

function isPlainRead({ does, outcome, subagent }: TurnCall): boolean {
  return does === 'read' && outcome === 'success' && subagent === undefined;
}
