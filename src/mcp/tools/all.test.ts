import { expect, test } from 'vitest';
import { TOOL_NAMES } from '../../model/tool-names.ts';
import { tools } from './all.ts';

test('the list for agents that allow tools by name has every tool', () => {
  expect(tools.map(({ name }) => name).sort()).toEqual(TOOL_NAMES.toSorted());
});
