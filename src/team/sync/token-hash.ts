/** FNV-1a as a signed 32-bit number. The server finds candidates by it and never sees the word. */
export function hashToken(token: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < token.length; index += 1)
    hash = Math.imul(hash ^ token.charCodeAt(index), 0x01000193);
  return hash | 0;
}
