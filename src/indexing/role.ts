/** What other programs call the two sides of a conversation. */
const PERSON = new Set(['person', 'user', 'human', 'me']);
const AGENT = new Set(['agent', 'assistant', 'ai', 'bot', 'model', 'system']);

/** Null for a name; 'none' for text that no speaker said. */
export function parseRole(saidBy: string): 'person' | 'agent' | 'none' | null {
  const lower = saidBy.toLowerCase();
  if (lower === 'distiller' || lower === '') return 'none';
  if (PERSON.has(lower)) return 'person';
  return AGENT.has(lower) ? 'agent' : null;
}
