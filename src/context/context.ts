/** What an agent is given, and why each part of it. */
export interface Context {
  /** Empty where there is nothing to say. */
  text: string;
  /** At most: every line was counted by itself. */
  tokens: number;
  shown: Shown[];
}

export interface Shown {
  memoryId: number;
  title: string;
  /** Only what was given in full need not be given again. */
  how: 'full' | 'line';
  tokens: number;
  reasons: string[];
}

export const NO_CONTEXT: Context = Object.freeze({ text: '', tokens: 0, shown: [] });

/** One after the other. */
export function joined(...contexts: Context[]): Context {
  const said = contexts.filter(({ text }) => text !== '');
  if (said.length < 2) return said[0] ?? NO_CONTEXT;
  return {
    text: said.map(({ text }) => text).join('\n'),
    tokens: said.reduce((sum, { tokens }) => sum + tokens, 0),
    shown: said.flatMap(({ shown }) => shown),
  };
}

const OPENING = '<cairn-context>';
const CLOSING = '</cairn-context>';

/** The marks keep it from ever being captured again; nothing inside may end them early. */
export function wrapped(
  lines: string[],
  { tokens, shown = [] }: { tokens: number; shown?: Shown[] },
): Context {
  return { text: `${OPENING}\n${withoutMarks(lines.join('\n'))}\n${CLOSING}`, tokens, shown };
}

/** What the marks take of a budget. */
export const FRAME = `${OPENING}\n${CLOSING}`;

function withoutMarks(text: string): string {
  return text.replace(/<(?=\s*\/?\s*(?:cairn-context|claude-mem-context|private)\b)/gi, '‹');
}
