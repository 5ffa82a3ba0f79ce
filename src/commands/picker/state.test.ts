import { expect, test } from 'vitest';
import { handleKey, type Key, type PickerState } from './state.ts';

const start: PickerState = {
  ...{ typed: 'port mix', chosen: 1, showsDetails: false },
  ...{ isEverywhere: false, asksToForget: false },
};

test.each<{ does: string; key: Key; state: Partial<PickerState> }>([
  {
    does: 'a letter is added and selects the first hit',
    key: { name: 'a', text: 'a' },
    state: { typed: 'port mixa', chosen: 0 },
  },
  { does: 'pasted text is added', key: { text: '日本 x' }, state: { typed: 'port mix日本 x', chosen: 0 } },
  { does: 'backspace deletes a letter', key: { name: 'backspace' }, state: { typed: 'port mi', chosen: 0 } },
  { does: 'Ctrl-W deletes a word', key: { name: 'w', ctrl: true }, state: { typed: 'port ', chosen: 0 } },
  { does: 'Ctrl-U deletes everything', key: { name: 'u', ctrl: true }, state: { typed: '', chosen: 0 } },
  { does: 'down selects the next hit', key: { name: 'down' }, state: { chosen: 2 } },
  { does: 'Ctrl-P selects the previous hit', key: { name: 'p', ctrl: true }, state: { chosen: 0 } },
  { does: 'page down stops at the last hit', key: { name: 'pagedown' }, state: { chosen: 2 } },
  { does: 'page up stops at the first hit', key: { name: 'pageup' }, state: { chosen: 0 } },
  { does: 'Tab shows details', key: { name: 'tab', text: '\t' }, state: { showsDetails: true } },
  {
    does: 'Ctrl-A searches every project',
    key: { name: 'a', ctrl: true },
    state: { isEverywhere: true, chosen: 0 },
  },
  { does: 'Ctrl-X asks for confirmation', key: { name: 'x', ctrl: true }, state: { asksToForget: true } },
  { does: 'F1 adds nothing', key: { name: 'f1', text: '\u001bOP' }, state: {} },
  { does: 'Alt-x adds nothing', key: { name: 'x', meta: true, text: 'x' }, state: {} },
])('$does', ({ key, state }) => {
  expect(handleKey(start, key, 3)).toEqual({ state: { ...start, ...state } });
});

test.each<{ key: Key; hits: number; after: unknown }>([
  { key: { name: 'escape' }, hits: 3, after: { end: 'leave' } },
  { key: { name: 'c', ctrl: true }, hits: 3, after: { end: 'leave' } },
  { key: { name: 'return', text: '\r' }, hits: 3, after: { end: 'open' } },
  { key: { name: 'return', text: '\r' }, hits: 0, after: { state: start } },
])('$key.name with $hits hits', ({ key, hits, after }) => {
  expect(handleKey(start, key, hits)).toEqual(after);
});

test.each<{ name: string; state?: Partial<PickerState>; key: Key; hits?: number; after: object }>([
  { name: 'Ctrl-Y', key: { name: 'y', ctrl: true }, after: { action: 'copy' } },
  { name: 'Ctrl-T', key: { name: 't', ctrl: true }, after: { action: 'pin' } },
  { name: 'Ctrl-T without hits', key: { name: 't', ctrl: true }, hits: 0, after: {} },
  {
    name: 'y confirms',
    state: { asksToForget: true },
    key: { name: 'y', text: 'y' },
    after: { action: 'forget' },
  },
  {
    name: 'Enter does not confirm',
    state: { asksToForget: true },
    key: { name: 'return', text: '\r' },
    after: {},
  },
  { name: 'Escape does not confirm', state: { asksToForget: true }, key: { name: 'escape' }, after: {} },
])('$name', ({ state, key, hits = 3, after }) => {
  const answered = { ...start, asksToForget: false };
  expect(handleKey({ ...start, ...state }, key, hits)).toEqual({ state: answered, ...after });
});
