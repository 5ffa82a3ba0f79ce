/** The state of the picker, independent of the terminal. */
export interface PickerState {
  typed: string;
  /** Index of the selected hit. */
  chosen: number;
  showsDetails: boolean;
  /** Whether to search every project instead of this one. */
  isEverywhere: boolean;
  /** Whether the picker asks for confirmation to forget the selected hit; only `y` confirms. */
  asksToForget: boolean;
}

/** What a key does with the selected hit. */
export type PickerAction = 'copy' | 'pin' | 'forget';

export interface Key {
  /** The key's name in readline: `up`, `return`, `tab` … */
  name?: string | undefined;
  ctrl?: boolean | undefined;
  meta?: boolean | undefined;
  text?: string | undefined;
}

export type KeyResult = { state: PickerState; action?: PickerAction } | { end: 'open' | 'leave' };

const PAGE = 10;

/** Applies a key. `hits` is the number of hits. */
export function handleKey(state: PickerState, key: Key, hits: number): KeyResult {
  const { typed, chosen } = state;
  const go = (to: number): KeyResult => ({
    state: { ...state, chosen: Math.max(0, Math.min(hits - 1, to)) },
  });
  const write = (text: string): KeyResult => ({ state: { ...state, typed: text, chosen: 0 } });

  if (state.asksToForget) {
    const isAgreed = !key.ctrl && !key.meta && key.text?.toLowerCase() === 'y';
    const answered = { ...state, asksToForget: false };
    return isAgreed ? { state: answered, action: 'forget' } : { state: answered };
  }
  if (key.ctrl) {
    switch (key.name) {
      case 'a':
        return { state: { ...state, isEverywhere: !state.isEverywhere, chosen: 0 } };
      case 'y':
        return hits > 0 ? { state, action: 'copy' } : { state };
      case 't':
        return hits > 0 ? { state, action: 'pin' } : { state };
      case 'x':
        return { state: { ...state, asksToForget: hits > 0 } };
      case 'c':
        return { end: 'leave' };
      case 'd':
        return typed === '' ? { end: 'leave' } : { state };
      case 'n':
        return go(chosen + 1);
      case 'p':
        return go(chosen - 1);
      case 'u':
        return write('');
      case 'w':
        return write(typed.replace(/\S+\s*$/, ''));
      case 'h':
        return write([...typed].slice(0, -1).join(''));
      default:
        return { state };
    }
  }
  switch (key.name) {
    case 'escape':
      return { end: 'leave' };
    case 'return':
    case 'enter':
      return hits > 0 ? { end: 'open' } : { state };
    case 'up':
      return go(chosen - 1);
    case 'down':
      return go(chosen + 1);
    case 'pageup':
      return go(chosen - PAGE);
    case 'pagedown':
      return go(chosen + PAGE);
    case 'tab':
      return { state: { ...state, showsDetails: !state.showsDetails } };
    case 'backspace':
      return write([...typed].slice(0, -1).join(''));
    default:
      return isWriting(key) ? write(typed + (key.text ?? '')) : { state };
  }
}

/** Keys without a character, such as F1, send an escape sequence instead. */
function isWriting({ meta, text }: Key): boolean {
  return !meta && text !== undefined && text !== '' && !/\p{Cc}/u.test(text);
}
