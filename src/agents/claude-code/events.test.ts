import { expect, test } from 'vitest';
import { agentById, agents } from '../all.ts';
import { claudeCode } from './adapter.ts';
import { registeredEvents } from './events.ts';
import { allEvents } from './reply-rules.ts';

test('every registered event exists in the client and is converted', () => {
  const kinds = registeredEvents.map(({ event }) => {
    const payload = { session_id: 's', tool_calls: [{}] };
    return [event, allEvents.includes(event), claudeCode.toEvents(event, payload).map(({ kind }) => kind)];
  });
  expect(kinds).toEqual([
    ['Setup', true, ['setup']],
    ['SessionStart', true, ['session-start']],
    ['UserPromptSubmit', true, ['prompt']],
    ['PreToolUse', true, ['tool-start']],
    ['PermissionRequest', true, ['permission-request']],
    ['PostToolUse', true, ['tool-end']],
    ['PostToolUseFailure', true, ['tool-end']],
    ['PostToolBatch', true, ['tool-end']],
    ['SubagentStop', true, ['subagent-end']],
    ['PreCompact', true, ['compact-start']],
    ['PostCompact', true, ['compact-end']],
    ['Stop', true, ['turn-end']],
    ['StopFailure', true, ['turn-end']],
    ['SessionEnd', true, ['session-end']],
  ]);
});

test('agentById finds an agent by its unique id', () => {
  const ids = agents.map(({ id }) => id);
  expect([...new Set(ids)]).toEqual(ids);
  expect(agentById('claude-code')).toBe(claudeCode);
  expect(agentById('nobody')).toBeUndefined();
});
