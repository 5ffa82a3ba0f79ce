/** Replaces a secret. */
export function formatMark(kind: string): string {
  return `[redacted:${kind}]`;
}
