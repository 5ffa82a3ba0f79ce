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
 * A call that fails is not reported: the transcript has it. A subagent works in a session of its own; only the start of
 * that names the session that asked it, which gets the subagent's report.
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

/** The agent tells a subagent what it needs: it must not take a handoff that waits for the person's next session. */
function readOwnStart(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  return text(wire.calling_session_id) === undefined ? readSessionStart(wire, origin) : [];
}

/** The transcript has the same id. */
function readOwnPrompt(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  const promptId = name(wire.message_id);
  const read = readPrompt(wire, { ...origin, ...(promptId !== undefined && { promptId }) });
  return read.map((event) =>
    event.kind === 'prompt' && isTask(event.text) ? { ...event, origin: 'machine' } : event,
  );
}

/** What the agent tells a subagent. */
export function isTask(prompt: string): boolean {
  return prompt.startsWith('# Task Tool Invocation\n');
}
