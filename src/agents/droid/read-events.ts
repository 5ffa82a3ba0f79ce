import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import type { JsonObject } from '../../model/json.ts';
import { COMMON_EVENTS, type Dialect, type EventReader, readPrompt } from '../dialect/events.ts';
import { name } from '../dialect/wire.ts';
import { tools } from './tools.ts';

/** A call that fails is not reported: the transcript has it. */
export const dialect: Dialect = {
  tools,
  events: new Map<string, EventReader>([...COMMON_EVENTS, ['UserPromptSubmit', readOwnPrompt]]),
};

/** The transcript has the same id. */
function readOwnPrompt(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  const promptId = name(wire.message_id);
  return readPrompt(wire, { ...origin, ...(promptId !== undefined && { promptId }) });
}
