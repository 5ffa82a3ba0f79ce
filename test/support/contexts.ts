import { DATA_SENTENCE } from '../../src/framing/frame.ts';

/** What Cairn gave, wherever in the messages of a request it stands. */
export function contextsIn(messages: unknown): string[] {
  if (typeof messages === 'string') return messages.match(/<cairn-context>.*?<\/cairn-context>/gs) ?? [];
  if (typeof messages !== 'object' || messages === null) return [];
  return Object.values(messages).flatMap(contextsIn);
}

/** Those that tell of a work. */
export function worksIn(messages: unknown): string[] {
  return contextsIn(messages).filter((context) => context.includes('Work in progress: '));
}

/** What an MCP answer says inside its frame. */
export function withoutFrame(text: string): string {
  const inside = text.replace(/^<cairn-context>\n|\n<\/cairn-context>$/g, '');
  return inside.startsWith(`${DATA_SENTENCE}\n`) ? inside.slice(DATA_SENTENCE.length + 1) : inside;
}
