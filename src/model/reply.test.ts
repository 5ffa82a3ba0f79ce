import { expect, test } from 'vitest';
import { all, block, context, joinNotices, nothing, notice, output, permission } from './reply.ts';

test.each([
  ['nothing', nothing, {}],
  ['context', context('for the model'), { context: 'for the model' }],
  ['notice', notice('for the person'), { notice: 'for the person' }],
  ['block', block('not on main'), { block: { reason: 'not on main' } }],
  ['block with context', block('no', 'why'), { block: { reason: 'no' }, context: 'why' }],
  ['permission', permission('allow'), { permission: { decision: 'allow' } }],
  [
    'permission with all it can say',
    permission('ask', { reason: 'sure?', updatedInput: { command: 'ls' } }),
    { permission: { decision: 'ask', reason: 'sure?', updatedInput: { command: 'ls' } } },
  ],
  ['output', output({ stdout: 'cut' }), { output: { stdout: 'cut' } }],
  ['output that is null', output(null), { output: null }],
])('%s', (_name, reply, expected) => {
  expect(reply).toEqual(expected);
});

test.each([
  ['no replies', [], {}],
  ['an empty reply and undefined', [context('a'), undefined, nothing], { context: 'a' }],
  ['texts are joined by a blank line', [context('a'), context('b')], { context: 'a\n\nb' }],
  ['notices are joined too', [notice('a'), notice('b'), notice('c')], { notice: 'a\n\nb\n\nc' }],
  [
    'reasons and their contexts are joined too',
    [block('a', 'x'), block('b', 'y')],
    { block: { reason: 'a\n\nb' }, context: 'x\n\ny' },
  ],
  ['different parts are combined', [context('a'), notice('b')], { context: 'a', notice: 'b' }],
  [
    'the strictest permission wins',
    [permission('ask', { reason: 'a' }), permission('deny', { reason: 'd' }), permission('allow')],
    { permission: { decision: 'deny', reason: 'd' } },
  ],
  ['the last output wins', [output('first'), output(0)], { output: 0 }],
])('all: %s', (_name, replies, expected) => {
  expect(all(...replies)).toEqual(expected);
});

test.each([
  ['two', 'a', 'b', 'a\n\nb'],
  ['only the first', 'a', undefined, 'a'],
  ['only the second', '', 'b', 'b'],
  ['neither', undefined, undefined, ''],
])('joinNotices: %s', (_name, first, second, expected) => {
  expect(joinNotices(first, second)).toBe(expected);
});

test('all does not modify its arguments', () => {
  const first = block('a');
  all(first, block('b'));
  expect(first).toEqual({ block: { reason: 'a' } });
});
