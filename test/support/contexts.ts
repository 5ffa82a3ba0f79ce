import { DATA_SENTENCE } from '../../src/model/framed.ts';

/** All contexts from Cairn in the messages of a request. */
export function contextsIn(messages: unknown): string[] {
  if (typeof messages === 'string') return messages.match(/<cairn-context>.*?<\/cairn-context>/gs) ?? [];
  if (typeof messages !== 'object' || messages === null) return [];
  return Object.values(messages).flatMap(contextsIn);
}

/** The contexts with a work item in progress. */
export function worksIn(messages: unknown): string[] {
  return contextsIn(messages).filter((context) => context.includes('Work in progress: '));
}

/** The text of an MCP answer without its frame. */
export function withoutFrame(text: string): string {
  const inside = text.replace(/^<cairn-context>\n|\n<\/cairn-context>$/g, '');
  return inside.startsWith(`${DATA_SENTENCE}\n`) ? inside.slice(DATA_SENTENCE.length + 1) : inside;
}
