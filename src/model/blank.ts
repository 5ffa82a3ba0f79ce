const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether a text has no visible character: a name of spaces or zero-width characters cannot be read or clicked. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}
