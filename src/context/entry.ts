import { quoteStored, toOneLine } from '../framing/stored-lines.ts';
import { shorten } from '../model/shorten.ts';
import { describeFreshness, type Freshness } from '../recall/freshness.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { costOf } from './budget.ts';
import { describeAuthor, describeKind } from './colleagues.ts';
import { formatDay, formatTime } from './words.ts';

/** In a line of an index. */
const LONGEST_TITLE = 110;
/** A longer fact is a narrative. */
const LONGEST_FACT = 300;

/**
 * A memory in full: its content first, then its origin, as far as they fit. Warnings about changes are at the
 * end, where they are not overlooked.
 */
export function formatFullEntry(
  memory: StoredMemory,
  freshness: Freshness,
  mostTokens: number,
): FullEntry | null {
  const { title, facts: others } = spellOut(memory);
  const head = `#${memory.id} ${describeKind(memory)}, ${formatDay(memory.at)}: ${shorten(title, LONGEST_FACT)}`;
  const mark = describeFreshness(freshness);
  const foot = mark ? [`(${toOneLine(mark)}. Check before you rely on this.)`] : [];
  let tokens = [head, ...foot].reduce((sum, line) => sum + costOf(line), 0);
  if (tokens > mostTokens) return null;
  const facts = others.map((fact) => `- ${quoteStored(shorten(fact, LONGEST_FACT))}`);
  const story = paragraphs(memory);
  const kept = new Set<string>();
  for (const line of [...facts, ...story]) {
    const cost = costOf(line);
    if (tokens + cost > mostTokens) continue;
    tokens += cost;
    kept.add(line);
  }
  const body = [...story, ...facts].filter((line) => kept.has(line));
  return { text: [head, ...body, ...foot].join('\n'), tokens };
}

/** A title that is a fact cut short is given as that fact. */
function spellOut({ title, facts }: StoredMemory): Pick<StoredMemory, 'title' | 'facts'> {
  const cut = title.endsWith('…') ? title.slice(0, -1) : '';
  const whole = facts.find((fact) => cut !== '' && fact.toLowerCase().startsWith(cut.toLowerCase()));
  return whole === undefined
    ? { title, facts }
    : { title: toOneLine(whole), facts: facts.filter((fact) => fact !== whole) };
}

export interface FullEntry {
  text: string;
  tokens: number;
}

function paragraphs({ narrative, subtitle, parts, distiller }: StoredMemory): string[] {
  // The subtitle of an offline memory is its evidence: a commit, a test.
  const story = narrative || (distiller === 'offline' ? '' : subtitle);
  const texts = parts ? [parts.completed, parts.learned] : [story];
  return texts.flatMap((text) => (text ? [quoteStored(toOneLine(text))] : []));
}

/** One letter each, to save tokens. */
const MARKS: Record<string, string> = {
  preference: 'P',
  decision: 'D',
  bugfix: 'B',
  gotcha: 'G',
  feature: 'F',
  refactor: 'R',
  change: 'C',
  discovery: 'I',
  'how-it-works': 'H',
  summary: 'S',
  note: 'N',
};

/** An index line: enough to decide whether to open the memory, and what that costs. */
export function formatIndexLine(memory: StoredMemory, freshness: Freshness): string {
  const source = memory.author === null ? '' : ` · ${describeAuthor(memory.author)}`;
  const stale = { unchanged: '', unknown: '', changed: ' ~', gone: ' ✗' }[freshness.state];
  return `${formatTime(memory.at)} ${markOf(memory)} #${memory.id} ${shorten(memory.title, LONGEST_TITLE)}${source} (${memory.tokens})${stale}`;
}

/** The legend for the marks of these lines. */
export function formatLegend(entries: { memory: StoredMemory; freshness: Freshness }[]): string {
  const kinds = new Set(entries.map(({ memory }) => memory.type ?? memory.kind));
  const states = new Set(entries.map(({ freshness }) => freshness.state));
  return [
    ...[...kinds].map((kind) => `${MARKS[kind] ?? 'N'} ${kind}`),
    '(tokens to open)',
    ...(states.has('changed') ? ['~ its files have changed since'] : []),
    ...(states.has('gone') ? ['✗ its files are gone'] : []),
  ].join(', ');
}

function markOf(memory: StoredMemory): string {
  return MARKS[memory.type ?? memory.kind] ?? 'N';
}
