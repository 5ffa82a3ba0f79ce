/**
 * Characters that a terminal acts on instead of showing them: C0 (with ESC and BEL), DEL, C1, and the controls that
 * reorder or break lines. Stored text comes from prompts, tool output and file names, so any author may have written it.
 */
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const CONTROLS = new RegExp(CONTROL, 'gu');
const CONTROLS_IN_TEXT = new RegExp(`(?![\\n\\t])${CONTROL.source}`, 'gu');

/** Also true for a line break and a tab: used for names. */
export function hasControls(text: string): boolean {
  return CONTROL.test(text);
}

/**
 * Makes text safe to print to a terminal. Each control character becomes one visible character (ESC becomes ␛), so
 * columns stay aligned; line breaks and tabs are kept.
 */
export function showControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROLS_IN_TEXT, controlPicture);
}

/** For a row of fixed width: every control character, including a line break, becomes a space. */
export function blankControls(text: string): string {
  return text.replace(CONTROLS, ' ');
}

/** JSON with all control characters escaped: `JSON.stringify` escapes C0 only. It parses to the same value. */
export function stringifySafely(value: unknown, space?: number): string {
  return JSON.stringify(value, null, space).replace(CONTROLS, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;

function controlPicture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
  return code === DELETE ? '␡' : '\ufffd';
}
