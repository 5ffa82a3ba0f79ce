/** What stands where a secret stood. */
export function formatMark(kind: string): string {
  return `[redacted:${kind}]`;
}
