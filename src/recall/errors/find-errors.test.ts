import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MemoryStoreForTest, openMemoryStore } from '../../../test/support/memory-store.ts';
import { rebuildIndex } from '../../indexing/update-index.ts';
import { recall } from '../recall.ts';
import type { RecallRequest } from '../request.ts';
import { findErrors } from './find-errors.ts';

const STACK = [
  'Exit code 1',
  "TypeError: Cannot read properties of undefined (reading 'price')",
  '    at totalOf (/home/ada/shop/src/cart/total.ts:41:12)',
  '    at /home/ada/shop/src/main.ts:7:3',
].join('\n');

let memory: MemoryStoreForTest;
beforeEach(() => {
  memory = openMemoryStore();
});
afterEach(() => memory.close());

function request(text: string, rest: Partial<RecallRequest> = {}): RecallRequest {
  return { text, projectId: 1, reach: 'project', limit: 10, now: Date.now(), ...rest };
}

function errors(text: string, rest?: Partial<RecallRequest>) {
  return findErrors(memory.store, request(text, rest), 5).hits.map(
    ({ error: { name, message }, times, fix }) => ({
      error: [name, message].filter(Boolean).join(': '),
      times,
      fix,
    }),
  );
}

const PRICE = "TypeError: Cannot read properties of undefined (reading 'price')";

describe('errors of failed calls', () => {
  it.each([
    'TypeError price',
    "TypeError: Cannot read properties of undefined (reading 'price')",
    'cannot read properties of undefined',
    'kind:error price',
    'kind:error',
    // Elsewhere, in another file, at another line.
    STACK.replaceAll('/home/ada/shop', '/srv/other').replace('41:12', '97:1'),
  ])('are found by %j', (text) => {
    memory.addFailure(STACK, { turn: 1 });
    expect(errors(text)).toEqual([{ error: PRICE, times: 1, fix: null }]);
  });

  it.each([
    'price of the cart',
    'undefined',
    'ECONNRESET',
    'kind:note TypeError',
    'type:decision TypeError',
    'TypeError: Failed to fetch',
    'RangeError: x\n    at totalOf (/srv/total.ts:1:1)',
  ])('are not found by %j', (text) => {
    memory.addFailure(STACK, { turn: 1 });
    expect(errors(text)).toEqual([]);
  });

  it('lead to the memory of the fix: of the same turn, of another that saw the same error, or a later one', () => {
    memory.addFailure(STACK, { turn: 1 });
    expect(errors('TypeError')).toEqual([{ error: PRICE, times: 1, fix: null }]);
    const later = memory.addNote('Carts without a price', { turn: 4, session: 1, type: 'bugfix', at: 9 });
    expect(errors('TypeError')[0]?.fix).toBe(later);
    memory.addFailure(STACK.replace('41:12', '44:1'), { turn: 3 });
    memory.addNote('Looked at the cart', { turn: 3, session: 1, type: 'discovery', at: 3 });
    const fix = memory.addNote('The price is read after the guard', {
      turn: 3,
      session: 1,
      type: 'bugfix',
      at: 3,
    });
    expect(errors('TypeError')).toEqual([{ error: PRICE, times: 2, fix }]);
  });

  it('stay when the raw event is emptied for its age, also in a rebuilt index', () => {
    memory.addFailure(STACK, { turn: 1 });
    memory.db.exec("UPDATE events SET response = NULL, detail = '{}', emptied_at = 5");
    rebuildIndex(memory.store);
    expect(errors('TypeError')).toEqual([{ error: PRICE, times: 1, fix: null }]);
  });

  it('go when they are forgotten', () => {
    memory.addFailure(STACK, { turn: 1 });
    const about = memory.addNote('About the cart', { turn: 1, session: 1 });
    memory.store.forget(
      { memories: [about], prompts: [], sessions: [] },
      { withSource: true, isDryRun: false },
      10,
    );
    expect(errors('kind:error')).toEqual([]);
    expect(memory.db.prepare('SELECT * FROM errors').all()).toEqual([]);
  });

  it('belong to their project', () => {
    memory.addFailure(STACK, { turn: 1 });
    expect(errors('TypeError', { projectId: 2 })).toEqual([]);
    expect(errors('TypeError', { projectId: 2, reach: 'all' })).toHaveLength(1);
  });
});

describe('the name of an error', () => {
  function found(text: string): number[] {
    return recall(memory.store, request(text)).map(({ id }) => id);
  }

  it('finds what contains it, or nothing', () => {
    memory.addNote('The module was not loaded; nothing found in the folder');
    expect(found('MODULE_NOT_FOUND')).toEqual([]);
    const id = memory.addNote('ERR_MODULE_NOT_FOUND needs the file extension');
    expect(found('MODULE_NOT_FOUND')).toEqual([id]);
    expect(found('ECONNRESET')).toEqual([]);
  });

  it('puts what contains it first, whatever else was asked', () => {
    for (let number = 0; number < 5; number++)
      memory.addNote(`The uploader retries uploads of images ${number}`);
    const id = memory.addNote('ECONNRESET');
    const [first, ...rest] = found('why does the uploader retry uploads of images after ECONNRESET');
    expect(first).toBe(id);
    expect(rest.length).toBeGreaterThan(0);
  });
});
