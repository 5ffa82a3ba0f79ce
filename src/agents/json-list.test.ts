import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { jsonList } from './json-list.ts';

const { readRecords, isRecordStart } = jsonList('messages');

function write(text: string): string {
  const path = join(tempFolder(), 'list.json');
  writeFileSync(path, text);
  return path;
}

function valuesIn(text: string) {
  return [...readRecords(write(text), 0)].map((record) =>
    'value' in record ? record.value : record.problem,
  );
}

test('returns the items of the list as records with their offsets', () => {
  const text = '{"a": ["messages", {"x": 1}], "messages": [{"é": "}]\\""}, [2]], "z": {"messages": [{}]}}';
  const path = write(text);
  const records = [...readRecords(path, 0)];
  expect(records.map((record) => 'value' in record && record.value)).toEqual([{ é: '}]"' }, [2]]);
  const [first, second] = records;
  expect([...readRecords(path, first?.end ?? 0)]).toEqual([second]);
  expect([0, first?.start, first?.end, second?.start].map((at) => isRecordStart(path, at ?? -1))).toEqual(
    Array(4).fill(true),
  );
  expect(isRecordStart(path, 1)).toBe(false);
});

test.each([
  ['a truncated file', '{"messages": [{"a": 1}, {"b": ', [{ a: 1 }]],
  ['a broken item', '{"messages": [{"a": 1 2}, {"b": 2}]}', ['it is not JSON', { b: 2 }]],
  ['a value that is not a list', '{"messages": {"a": {}}}', []],
  ['an empty file', '', []],
])('reads %s', (_, text, expected) => {
  expect(valuesIn(text)).toEqual(expected);
});

test('reads any items with any indentation', () => {
  const item = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()));
  fc.assert(
    fc.property(fc.array(item), fc.jsonValue(), fc.nat(3), (messages, other, indent) => {
      const text = JSON.stringify({ other, messages, after: other }, null, indent);
      expect(valuesIn(text)).toEqual(JSON.parse(JSON.stringify(messages)));
    }),
    { numRuns: 50 },
  );
});
