import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import type { JsonObject } from '../../model/json.ts';
import {
  COMMON_EVENTS,
  type Dialect,
  type EventReader,
  readPrompt,
  readSessionStart,
  readSubagentEnd,
} from '../dialect/events.ts';
import { name, text } from '../dialect/wire.ts';
import { tools } from './tools.ts';

/**
 * Failed calls are not reported; they are in the transcript. A subagent works in a separate session; only its start
 * names the session that started it, which gets the subagent's report.
 */
export const dialect: Dialect = {
  tools,
  events: new Map<string, EventReader>([
    ...COMMON_EVENTS,
    ['SessionStart', readOwnStart],
    ['UserPromptSubmit', readOwnPrompt],
    [
      'SubagentStop',
      (wire, origin) => readSubagentEnd({ last_assistant_message: wire.task_result ?? null }, origin),
    ],
  ]),
};

/** Ignores starts of subagents: they must not get a handoff that is pending for the person's next session. */
function readOwnStart(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  return text(wire.calling_session_id) === undefined ? readSessionStart(wire, origin) : [];
}

/** `message_id` is the same id as in the transcript. */
function readOwnPrompt(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  const promptId = name(wire.message_id);
  const read = readPrompt(wire, { ...origin, ...(promptId !== undefined && { promptId }) });
  return read.map((event) =>
    event.kind === 'prompt' && isTask(event.text) ? { ...event, origin: 'machine' } : event,
  );
}

/** Whether a prompt is the agent's task for a subagent. */
export function isTask(prompt: string): boolean {
  return prompt.startsWith('# Task Tool Invocation\n');
}
