import { emitKeypressEvents } from 'node:readline';
import type { PresentedHit } from '../../context/present-hits.ts';
import { formatMemory, formatPrompt } from '../../context/present-record.ts';
import { locate } from '../../memory/locate.ts';
import { parseReference } from '../../model/reference.ts';
import { MISSING_TERMS } from '../../model/value-problems.ts';
import type { Store } from '../../store/store.ts';
import { type Call, UsageError } from '../support/command.ts';
import { readIndexedMemory, readMemory } from '../support/memory.ts';
import { toTerminal } from '../support/paint.ts';
import { showMemory } from '../support/show-memory.ts';
import { actOnHit } from './act.ts';
import { drawPicker } from './screen.ts';
import { handleKey, type Key, type PickerState } from './state.ts';

type Find = (store: Store, asked: { typed: string; isEverywhere: boolean; limit: number }) => PresentedHit[];

const MOST_HITS = 50;
/** Delay of the search after a change; another key within it restarts the delay. */
const SETTLE_MS = 40;

const ENTER_SCREEN = '\u001b[?1049h';
const LEAVE_SCREEN = '\u001b[?1049l';

/** Type to filter, choose, open. Always restores the terminal. */
export async function pick(call: Call, find: Find): Promise<number> {
  if (!process.stdin.isTTY) throw new UsageError(MISSING_TERMS);
  const chosen = await choose(call, find);
  const reference = chosen && parseReference(chosen.entry.id);
  if (!reference) return 0;
  return readMemory(call, (store) => {
    if (reference.what === 'memory') return showMemory(call, store, reference.id);
    for (const prompt of store.getPrompts([reference.id])) call.out(formatPrompt(prompt));
    return 0;
  });
}

function choose(call: Call, find: Find): Promise<PresentedHit | null> {
  const stdin = process.stdin;
  const stdout = process.stdout;
  let state: PickerState = {
    ...{ typed: '', chosen: 0, showsDetails: false, asksToForget: false },
    isEverywhere: call.options.all === true,
  };
  let message = '';
  let hits: PresentedHit[] = [];
  let where = '';
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    // Output on stderr would disturb the screen.
    readIndexedMemory({ ...call, err: () => {} }, (store) => {
      const { project } = locate(store, process.cwd());
      const isEverywhere = state.isEverywhere || !project;
      where = isEverywhere ? 'every project' : project.name;
      hits = find(store, { typed: state.typed, isEverywhere, limit: MOST_HITS });
    });
    state = { ...state, chosen: Math.max(0, Math.min(state.chosen, hits.length - 1)) };
    draw();
  }

  /** OSC 52 makes the terminal set the clipboard, even over ssh. Base64 contains no control characters. */
  function copy(text: string): void {
    stdout.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
  }

  function draw(): void {
    const { memory, entry } = hits[state.chosen] ?? {};
    const details = memory ? formatMemory(memory) : (entry?.title ?? '');
    const size = { columns: stdout.columns || 80, rows: stdout.rows || 24 };
    const { lines, cursor } = drawPicker(state, { hits, details, where, message }, size, call.paint);
    const rows = lines.map((line) => `${toTerminal(line)}\u001b[K`).join('\r\n');
    stdout.write(`\u001b[?25l\u001b[H${rows}\u001b[J\u001b[1;${cursor + 1}H\u001b[?25h`);
  }

  return new Promise((resolve, reject) => {
    function leave(): void {
      clearTimeout(timer);
      stdin.off('keypress', onKey);
      stdout.off('resize', draw);
      for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, onSignal);
      stdin.setRawMode(false);
      stdin.pause();
      stdout.write(LEAVE_SCREEN);
    }

    function onSignal(): void {
      leave();
      resolve(null);
    }

    /** Leaves raw mode if a search fails. */
    function guarded(work: () => void): void {
      try {
        work();
      } catch (error) {
        leave();
        reject(error);
      }
    }

    function onKey(text: string | undefined, key: Omit<Key, 'text'>): void {
      guarded(() => {
        const before = state;
        const after = handleKey(state, { ...key, text }, hits.length);
        if ('end' in after) {
          leave();
          resolve(after.end === 'open' ? (hits[state.chosen] ?? null) : null);
          return;
        }
        state = after.state;
        const chosen = hits[state.chosen];
        message = after.action && chosen ? actOnHit(call, after.action, chosen, copy) : '';
        if (after.action && after.action !== 'copy') return look();
        draw();
        if (state.typed === before.typed && state.isEverywhere === before.isEverywhere) return;
        clearTimeout(timer);
        timer = setTimeout(() => guarded(look), SETTLE_MS);
      });
    }

    emitKeypressEvents(stdin);
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on('keypress', onKey);
    stdout.on('resize', draw);
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
    stdout.write(ENTER_SCREEN);
    guarded(look);
  });
}
