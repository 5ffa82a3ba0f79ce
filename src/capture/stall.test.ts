import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import { takeFromOutbox } from './outbox.ts';
import { clearStall, readStall, recordStall } from './stall.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 15);
const NOTICE =
  'Cairn could not store events 2 times in a row: The disk is full. ' +
  'They are kept and will be stored when this is cured. Run: cairn doctor';

let paths: Paths;
beforeEach(() => {
  paths = pathsOf(tempFolder());
});

test('counts from the first failure, and keeps the latest cause', () => {
  recordStall(paths, 'The disk is full.', 3, NOW);
  recordStall(paths, 'The database is in use by another process.', 3, NOW + MINUTE);
  expect(readStall(paths)).toEqual({
    since: NOW,
    count: 2,
    cause: 'The database is in use by another process.',
    isReported: false,
  });
  clearStall(paths);
  expect(readStall(paths)).toBeNull();
});

test.each([
  [
    'notifies after enough failures while a file is pending for long',
    { failures: 2, oldest: 11 * MINUTE },
    [null, NOTICE],
  ],
  ['notifies only once', { failures: 4, oldest: 11 * MINUTE }, [null, NOTICE, null, null]],
  ['does not notify after too few failures', { failures: 1, oldest: 11 * MINUTE }, [null]],
  ['does not notify if no file is pending for long', { failures: 3, oldest: 9 * MINUTE }, [null, null, null]],
  ['does not notify for an empty spool', { failures: 3, oldest: null }, [null, null, null]],
])('%s', (_name, { failures, oldest }, expected) => {
  if (oldest !== null) waitingSince(NOW - oldest);
  const notices = Array.from({ length: failures }, () => {
    recordStall(paths, 'The disk is full.', 2, NOW);
    return takeFromOutbox(paths);
  });
  expect(notices).toEqual(expected);
});

test('notifies again after a success', () => {
  waitingSince(NOW - 11 * MINUTE);
  const failTwice = () => {
    for (let i = 0; i < 2; i++) recordStall(paths, 'The disk is full.', 2, NOW);
    return takeFromOutbox(paths);
  };
  expect(failTwice()).toBe(NOTICE);
  clearStall(paths);
  expect(failTwice()).toBe(NOTICE);
});

test('ignores an unreadable mark', () => {
  mkdirSync(paths.state);
  writeFileSync(join(paths.state, 'stalled'), '{"count":');
  expect(readStall(paths)).toBeNull();
});

function waitingSince(at: number): void {
  const file = join(paths.spool, 's1.waiting');
  mkdirSync(paths.spool, { recursive: true });
  writeFileSync(file, '');
  utimesSync(file, at / 1000, at / 1000);
}
