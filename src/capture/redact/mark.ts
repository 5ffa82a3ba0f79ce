/** What stands where a secret stood. */
export function redactionMark(kind: string): string {
  return `[redacted:${kind}]`;
}
