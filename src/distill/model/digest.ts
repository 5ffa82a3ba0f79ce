import type { Evidence } from '../offline/evidence.ts';
import type { KeptSentence } from '../offline/rating/rated-sentence.ts';
import { stripScaffolding } from '../offline/text/plain.ts';
import { shorten } from '../offline/text/shorten.ts';
import type { Turn } from '../turn.ts';
import { describeWork } from './describe-work.ts';
import type { Findings } from './findings.ts';
import { clipMiddle, fitEntries } from './fit-entries.ts';
import { listStatements } from './outdated.ts';

/** In characters, however long the turn was. */
export const LONGEST_DIGEST = 12_000;

const LONGEST = {
  request: 2_400,
  pasted: 800,
  before: 300,
  earlier: 120,
  claims: 6_000,
  said: 1_200,
  work: 3_000,
};
const MOST_EARLIER_PROMPTS = 2;
/** If the rules kept less than this, and less than half, the closing words are shown as they are. */
const FEW_CLAIMS = 300;
/** A prompt of fewer words refers to what was said before. */
const SHORT_PROMPT = 80;

/**
 * A turn as a model is shown it: the request, the sentences that the rules kept, a line for each thing done, and what
 * the session's memories said before it.
 */
export function digestTurn(turn: Turn, { claims, evidence }: Findings, earlier: string[] = []): string {
  const isShort = turn.prompt.length <= SHORT_PROMPT;
  const text = [
    section('The person asked before', isShort ? earlierPrompts(turn) : ''),
    section('The agent had last said', isShort ? clipMiddle(words(turn.earlierWords), LONGEST.before) : ''),
    section(turn.promptOrigin === 'person' ? 'The person asks' : 'A notice to the agent', request(turn)),
    section('What the agent did', fitEntries(describeWork(turn, evidence), LONGEST.work)),
    section('Claims', listClaims(claims.filter((claim) => !isShown(claim, turn, evidence)))),
    section("The agent's closing words", closingWords(turn, claims)),
    section('Stored before this turn', listStatements(earlier)),
    section('How the turn ended', turn.closedBy === 'turn-end' ? '' : ENDINGS[turn.closedBy]),
  ].join('');
  return clipMiddle(text.trim(), LONGEST_DIGEST);
}

const ENDINGS = {
  prompt: 'cut off by the next prompt',
  compaction: 'goes on after a compaction',
  'session-end': 'cut off by the end of the session',
  gap: 'never ended',
};

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
  const latest = earlierPrompts
    .slice(-MOST_EARLIER_PROMPTS)
    .map((prompt) => shorten(words(prompt), LONGEST.earlier));
  return latest.filter((prompt) => prompt !== '').join('\n');
}

/** A pasted code block is usually the subject: an error, a log. */
function request({ prompt }: Turn): string {
  const pasted = [...prompt.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].map(([, text]) => text?.trim() ?? '');
  const room = LONGEST.request - LONGEST.pasted;
  return `${clipMiddle(words(prompt), room)}\n\n${clipMiddle(pasted.join('\n\n'), LONGEST.pasted)}`.trim();
}

/** In the request, or as the subject of a commit. */
function isShown({ from, text }: KeptSentence, { prompt }: Turn, { commits }: Evidence): boolean {
  if (from === 'person') return prompt.length <= LONGEST.request - LONGEST.pasted && prompt.includes(text);
  return from === 'commit' && commits.some(({ subject }) => subject === text);
}

/** `3.4 closing: …`, the weightiest, in the order in which they were said. */
function listClaims(claims: KeptSentence[]): string {
  const lines = claims.map(({ score, from, statement }) => ({
    score,
    line: `${score.toFixed(1)} ${from}: ${statement.replace(/\s+/g, ' ')}`,
  }));
  let room = LONGEST.claims;
  const shown = new Set(
    lines
      .toSorted((a, b) => b.score - a.score)
      .filter(({ line }) => {
        room -= line.length + 1;
        return room >= 0;
      }),
  );
  return lines
    .filter((line) => shown.has(line))
    .map(({ line }) => line)
    .join('\n');
}

/** Shown only where the rules kept little of them. */
function closingWords(turn: Turn, claims: KeptSentence[]): string {
  const said = words(turn.closingWords);
  const kept = claims.reduce((length, { statement }) => length + statement.length, 0);
  return kept < Math.min(FEW_CLAIMS, said.length / 2) ? clipMiddle(said, LONGEST.said) : '';
}
