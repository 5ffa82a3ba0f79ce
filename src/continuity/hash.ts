/** Loaded when it is needed: it costs 5 ms, and most hooks do without. */
export function hashOf(text: string): string {
  const { hash } = process.getBuiltinModule('node:crypto');
  return hash('sha1', text, 'hex').slice(0, 16);
}
