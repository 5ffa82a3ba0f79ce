import { expect, test } from 'vitest';
import type { TurnStore } from '../store/store.ts';
import type { StoredEvent } from '../store/types/event.ts';
import type { StoredTurn } from '../store/types/memory.ts';
import { splitTurn } from './split-turn.ts';

const TURN: StoredTurn = {
  ...{ id: 1, sessionId: 1, agent: 'claude-code', agentSession: 's', transcript: null, project: null },
  ...{ folder: '/shop', branch: null, closedBy: 'turn-end', hasClosingWords: true, nextOpenedAt: null },
  ...{ openedAt: 0, lastAt: 0, prompts: [], promptIds: [], earlierPrompts: [], earlierWords: '' },
};

function storeOf(events: StoredEvent[]): TurnStore {
  const listTurnEvents = (_turn: number, after: number, limit: number) =>
    events.filter(({ id }) => id > after).slice(0, limit);
  return { listTurnEvents } as TurnStore;
}

const calls = (count: number) => Array.from({ length: count }, (_, at) => event(at + 1, 'tool-end'));
const words = [1, 500, 1_200, 1_500].map((call) => ({ text: `before ${call}`, nextCall: `call-${call}` }));

test.each([
  [1, ['Done.']],
  [999, ['Done.']],
  [1_000, ['', 'Done.']],
  [1_999, ['', 'Done.']],
  [2_000, ['', '', 'Done.']],
])('after %i calls and the final message, the last piece has that message', (count, expected) => {
  const turns = splitTurn(
    storeOf([...calls(count), { ...event(count + 1, 'turn-end'), text: 'Done.' }]),
    TURN,
  );
  expect(turns.map(({ closingWords }) => closingWords)).toEqual(expected);
  expect(turns.map((turn) => turn.calls.length).reduce((sum, each) => sum + each)).toBe(count);
});

test('words are in the piece of their call, once, also if the turn was cut off', () => {
  const turns = splitTurn(storeOf(calls(1_400)), TURN, words);
  expect(turns.map(({ said }) => said.map(({ text }) => text))).toEqual([
    ['before 1', 'before 500'],
    // Call 1,500 was cut off.
    ['before 1200', 'before 1500'],
  ]);
});

function event(id: number, kind: StoredEvent['kind']): StoredEvent {
  return {
    ...{
      id,
      at: id,
      kind,
      prompt: 1,
      tool: 'Bash',
      does: 'command',
      callId: `call-${id}`,
      outcome: 'success',
    },
    ...{ subagent: null, priority: 'normal', durationMs: null, input: {}, response: '', text: null },
    ...{ files: [], spoolName: `${id}` },
  };
}
