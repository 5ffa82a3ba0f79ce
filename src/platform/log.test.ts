import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { createLog, describeError, type LogLevel, removeOldLogs } from './log.ts';

const NOON = Date.UTC(2026, 10, 15, 12);
const DAY = 86_400_000;

let folder: string;
beforeEach(() => {
  folder = join(tempFolder(), 'logs');
});

test('writes each line as a JSON object with time, level, sender and message', () => {
  log().info('handed over', { hook: 'Stop', bytes: 12, missing: undefined, text: 'two\nlines' });
  const text = readFileSync(join(folder, '2026-11-15.jsonl'), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    {
      time: '2026-11-15T12:00:00.000Z',
      level: 'info',
      from: 'test',
      pid: process.pid,
      message: 'handed over',
      hook: 'Stop',
      bytes: 12,
      text: 'two\nlines',
    },
  ]);
});

test.each<[LogLevel | 'off', string[]]>([
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['info', ['info', 'warn', 'error']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
  ['off', []],
])('writes the messages for level %s', (level, written) => {
  const all = log({ level });
  all.debug('debug');
  all.info('info');
  all.warn('warn');
  all.error('error');
  expect(messages()).toEqual(written);
});

test('writes a file per day, readable by its owner only', () => {
  let at = NOON;
  const daily = log({ now: () => at });
  daily.info('today');
  at += DAY;
  daily.info('tomorrow');
  expect(readdirSync(folder)).toEqual(['2026-11-15.jsonl', '2026-11-16.jsonl']);
  expect(statSync(join(folder, '2026-11-15.jsonl')).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('an unwritable log does not throw and is reported once', () => {
  writeFileSync(folder, 'in the way');
  const reports: string[] = [];
  const broken = log({ onTrouble: (message) => reports.push(message) });
  broken.info('one');
  broken.error('two');
  expect(reports).toEqual([`Cairn cannot write its log ${join(folder, '2026-11-15.jsonl')}: ENOTDIR`]);
});

test.each([
  ['a JSON error, whose message quotes the text', jsonError('{"password": hunter2}'), 'SyntaxError'],
  ['an error', new RangeError('too far'), 'RangeError: too far'],
  ['a thrown string', 'hunter2', 'string'],
  ['undefined', undefined, 'undefined'],
])('describeError describes %s', (_name, error, description) => {
  expect(describeError(error)).toBe(description);
});

describe('removeOldLogs', () => {
  test('removes old logs and leaves other files alone', () => {
    mkdirSync(folder);
    const names = [
      '2026-10-31.jsonl',
      '2026-11-01.jsonl',
      '2026-11-15.jsonl',
      'notes.txt',
      '2020-01-01.jsonl.bak',
    ];
    for (const name of names) writeFileSync(join(folder, name), '');
    removeOldLogs(folder, 14, NOON);
    expect(readdirSync(folder).sort()).toEqual([
      '2020-01-01.jsonl.bak',
      '2026-11-01.jsonl',
      '2026-11-15.jsonl',
      'notes.txt',
    ]);
  });

  test('ignores a missing folder', () => {
    expect(() => removeOldLogs(folder, 14, NOON)).not.toThrow();
  });
});

function log(options: Partial<Parameters<typeof createLog>[0]> = {}) {
  return createLog({ folder, from: 'test', now: () => NOON, ...options });
}

function messages(): string[] {
  try {
    const text = readFileSync(join(folder, '2026-11-15.jsonl'), 'utf8');
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).message);
  } catch {
    return [];
  }
}

function jsonError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
