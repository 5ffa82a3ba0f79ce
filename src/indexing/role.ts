/** Names of the two sides of a conversation in other programs. */
const PERSON = new Set([
  'person',
  'user',
  'human',
  'me',
  'i',
  'customer',
  'client',
  'end user',
  'human user',
]);
const AGENT = new Set([
  ...['agent', 'assistant', 'ai', 'bot', 'model', 'system', 'llm', 'gpt', 'chatgpt', 'copilot'],
  ...['ai assistant', 'ai agent', 'ai model', 'language model', 'virtual assistant', 'claude code', 'codex'],
]);

/** Null for a name; 'none' for text without a speaker. */
export function parseRole(saidBy: string): 'person' | 'agent' | 'none' | null {
  const name = saidBy.toLowerCase().replace(/[_-]/g, ' ');
  if (name === 'distiller' || name === '') return 'none';
  if (PERSON.has(name)) return 'person';
  return AGENT.has(name) ? 'agent' : null;
}
