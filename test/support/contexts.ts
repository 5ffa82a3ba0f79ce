/** What Cairn gave, wherever in the messages of a request it stands. */
export function contextsIn(messages: unknown): string[] {
  if (typeof messages === 'string') return messages.match(/<cairn-context>.*?<\/cairn-context>/gs) ?? [];
  if (typeof messages !== 'object' || messages === null) return [];
  return Object.values(messages).flatMap(contextsIn);
}
