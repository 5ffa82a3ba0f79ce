const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether a text shows nothing: a name of spaces or zero-width characters could not be read or clicked. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}
