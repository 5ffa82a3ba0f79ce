/**
 * Tells which of many literals a text may hold, in one pass. To search for each of fifty literals on its own
 * takes longer than all rules together; here four characters are hashed to a bit, so that now and then a rule
 * is tried in vain, but none is missed.
 */
export function indexHints(rules: { hints: string[] }[]): (text: string) => boolean[] {
  const slots = new Uint32Array(1 << 16);
  const short = rules.map(({ hints }) => hints.filter((hint) => hint.length < 4));
  for (const [number, { hints }] of rules.entries()) {
    for (const hint of hints)
      if (hint.length >= 4) slots[hashOf(hint)] = (slots[hashOf(hint)] ?? 0) | (1 << number);
  }
  return (text) => {
    let hash = 0;
    let seen = 0;
    for (let index = 0; index < text.length; index++) {
      hash = ((hash << 4) ^ text.charCodeAt(index)) & 0xffff;
      seen |= slots[hash] ?? 0;
    }
    return rules.map(
      (_, number) =>
        (seen & (1 << number)) !== 0 || (short[number] ?? []).some((hint) => text.includes(hint)),
    );
  };
}

/** Of the first four characters; the fifth one before has been shifted out of the sixteen bits. */
function hashOf(hint: string): number {
  let hash = 0;
  for (let index = 0; index < 4; index++) hash = ((hash << 4) ^ hint.charCodeAt(index)) & 0xffff;
  return hash;
}
