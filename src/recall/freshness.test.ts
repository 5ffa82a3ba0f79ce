import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { blobHash } from '../platform/git/checkout.ts';
import type { FilePin } from '../store/types/memory.ts';
import { createFreshness, describeFreshness, type Freshness } from './freshness.ts';

const BEFORE = 'export function retry() {}\nexport const MOST_TRIES = 3;\n';

describe('a memory about files', () => {
  let top: string;
  beforeEach(() => {
    top = tempFolder();
    put('src/a.ts', BEFORE);
  });

  interface Case {
    name: string;
    pins: FilePin[];
    now: Record<string, string | null>;
    is: Partial<Freshness>;
    words: string;
  }

  const a = pin('src/a.ts', BEFORE);
  const named = pin('src/a.ts', BEFORE, ['retry', 'MOST_TRIES']);
  const b = pin('src/b.ts', 'b');
  const cases: Case[] = [
    { name: 'nothing noted', pins: [], now: {}, is: { state: 'unknown' }, words: '' },
    { name: 'as it was', pins: [a], now: {}, is: { state: 'unchanged' }, words: '' },
    {
      name: 'changed',
      pins: [a],
      now: { 'src/a.ts': 'other' },
      is: { state: 'changed', changed: ['src/a.ts'], namesRemain: false },
      words: 'src/a.ts has changed since',
    },
    {
      name: 'changed, with all the names still there',
      pins: [named],
      now: { 'src/a.ts': `${BEFORE}// more` },
      is: { state: 'changed', changed: ['src/a.ts'], namesRemain: true },
      words: 'src/a.ts has changed since, but still contains the names in this memory',
    },
    {
      name: 'changed, with one name less',
      pins: [named],
      now: { 'src/a.ts': 'export function retry() {}' },
      is: { state: 'changed', changed: ['src/a.ts'], namesRemain: false },
      words: 'src/a.ts has changed since',
    },
    {
      name: 'changed, without any of the names',
      pins: [named],
      now: { 'src/a.ts': 'nothing of it' },
      is: { state: 'gone', gone: ['src/a.ts'] },
      words: 'src/a.ts is gone, or no longer contains the names in this memory',
    },
    {
      name: 'the file is gone',
      pins: [a],
      now: { 'src/a.ts': null },
      is: { state: 'gone', gone: ['src/a.ts'] },
      words: 'src/a.ts is gone, or no longer contains the names in this memory',
    },
    {
      name: 'one of two is gone',
      pins: [a, b],
      now: {},
      is: { state: 'changed', changed: [], gone: ['src/b.ts'] },
      words: 'src/b.ts is gone, or no longer contains the names in this memory',
    },
    {
      name: 'a file too large to look at',
      pins: [a],
      now: { 'src/a.ts': 'x'.repeat(1_000_001) },
      is: { state: 'unknown' },
      words: '',
    },
    {
      name: 'a folder in its place',
      pins: [pin('src', 'x')],
      now: {},
      is: { state: 'gone', gone: ['src'] },
      words: 'src is gone, or no longer contains the names in this memory',
    },
    {
      name: 'a file where its folder was',
      pins: [pin('src/a.ts/index.ts', 'x')],
      now: {},
      is: { state: 'gone', gone: ['src/a.ts/index.ts'] },
      words: 'src/a.ts/index.ts is gone, or no longer contains the names in this memory',
    },
    {
      name: 'a path that cannot be looked up',
      pins: [pin(`src/${'x'.repeat(300)}`, 'x')],
      now: {},
      is: { state: 'unknown' },
      words: '',
    },
  ];

  test.each(cases)('$name', ({ pins, now, is, words }) => {
    for (const [path, content] of Object.entries(now)) {
      if (content === null) rmSync(join(top, path));
      else put(path, content);
    }
    const freshness = createFreshness(top)({ pins, at: 0 });
    expect(freshness).toMatchObject(is);
    expect(describeFreshness(freshness)).toBe(words);
  });

  test('a file outside the checkout is named by its whole path', () => {
    const elsewhere = join(tempFolder(), 'notes.md');
    writeFileSync(elsewhere, 'hello');
    expect(createFreshness(top)({ pins: [pin(elsewhere, 'hello')], at: 0 }).state).toBe('unchanged');
  });

  test('what was written before the memory was made need not be read', () => {
    const made = Date.now() + 60_000;
    expect(createFreshness(top)({ pins: [pin('src/a.ts', 'not compared')], at: made }).state).toBe(
      'unchanged',
    );
  });

  test('all files together are looked at only up to a limit', () => {
    const large = 'y'.repeat(900_000);
    const pins = Array.from({ length: 6 }, (_, number) => pin(`src/${number}.bin`, large));
    for (const { path } of pins) put(path, large);
    const freshnessOf = createFreshness(top);
    expect(pins.map((each) => freshnessOf({ pins: [each], at: 0 }).state)).toEqual([
      ...Array(4).fill('unchanged'),
      ...Array(2).fill('unknown'),
    ]);
  });

  function put(path: string, content: string): void {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), content);
  }
});

function pin(path: string, content: string, symbols: string[] = []): FilePin {
  return { path, hash: blobHash(Buffer.from(content)), symbols };
}
