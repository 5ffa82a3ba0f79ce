import { expect, test } from 'vitest';
import { TOOL_NAMES } from '../../model/tool-names.ts';
import { tools } from './all.ts';

test('agents that allow each tool by its name get all of them', () => {
  expect(tools.map(({ name }) => name).sort()).toEqual(TOOL_NAMES.toSorted());
});
