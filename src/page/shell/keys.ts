import { useLayoutEffect, useRef } from 'preact/hooks';

export interface Action {
  /** The name in the list of keys and in the palette. */
  label: string;
  run(): void;
}

/** By key: one as in KeyboardEvent, or two in sequence such as `g f`. */
export type KeyMap = Record<string, Action>;

const STORED_SWITCH = 'cairn.keys';
const SEQUENCE_MS = 1_200;
/** The latest layer comes first: the component on top decides. */
const layers: { current: KeyMap }[] = [];
let first: { key: string; at: number } | null = null;

/** Active while the component is shown. */
export function useKeys(map: KeyMap): void {
  const layer = useRef(map);
  layer.current = map;
  // Runs before the next paint: a visible component already handles its keys.
  useLayoutEffect(() => {
    layers.unshift(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, []);
}

/** Every key once, with its current action. */
export function listActions(): [key: string, action: Action][] {
  const known = new Map<string, Action>();
  for (const { current } of layers)
    for (const [key, action] of Object.entries(current)) if (!known.has(key)) known.set(key, action);
  return [...known];
}

export function areKeysOn(): boolean {
  return localStorage.getItem(STORED_SWITCH) !== 'off';
}

/** Single keys can be turned off for people who use speech input. */
export function switchKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(STORED_SWITCH);
  else localStorage.setItem(STORED_SWITCH, 'off');
}

export function startKeys(onPalette: () => void): void {
  addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      onPalette();
      return;
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
    if (event.key.length === 1 && !areKeysOn()) return;
    const action = findAction(event.key);
    if (!action || pressesControl(event)) return;
    event.preventDefault();
    action.run();
  });
}

function findAction(key: string): Action | undefined {
  const actions = new Map(listActions());
  const sequence =
    first && Date.now() - first.at < SEQUENCE_MS ? actions.get(`${first.key} ${key}`) : undefined;
  first = [...actions.keys()].some((known) => known.startsWith(`${key} `)) ? { key, at: Date.now() } : null;
  return sequence ?? actions.get(key);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.matches('input, textarea, select, [contenteditable]');
}

/** Enter on a button or link activates that control. */
function pressesControl({ key, target }: KeyboardEvent): boolean {
  return key === 'Enter' && target instanceof HTMLElement && target.matches('a, button, summary');
}
