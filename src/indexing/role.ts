/** Names of the two sides of a conversation in other programs. */
const PERSON = new Set(['person', 'user', 'human', 'me']);
const AGENT = new Set(['agent', 'assistant', 'ai', 'bot', 'model', 'system']);

/** Null for a name; 'none' for text without a speaker. */
export function parseRole(saidBy: string): 'person' | 'agent' | 'none' | null {
  const lower = saidBy.toLowerCase();
  if (lower === 'distiller' || lower === '') return 'none';
  if (PERSON.has(lower)) return 'person';
  return AGENT.has(lower) ? 'agent' : null;
}
