import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import type { JsonObject } from '../../model/json.ts';
import {
  type Dialect,
  type EventReader,
  readCompactStart,
  readPrompt,
  readSessionEnd,
  readSessionStart,
  readSubagentEnd,
  readToolStart,
  readToolSuccess,
  readTurnEnd,
} from '../dialect/events.ts';
import { name } from '../dialect/wire.ts';
import { tools } from './tools.ts';

export const dialect: Dialect = {
  tools,
  events: new Map<string, EventReader>([
    ['SessionStart', readSessionStart],
    ['UserPromptSubmit', readOwnPrompt],
    ['PreToolUse', readToolStart],
    // A call that fails is not reported: the transcript has it.
    ['PostToolUse', readToolSuccess],
    ['SubagentStop', readSubagentEnd],
    ['PreCompact', readCompactStart],
    ['Stop', readTurnEnd],
    ['SessionEnd', readSessionEnd],
  ]),
};

/** The transcript has the same id. */
function readOwnPrompt(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  const promptId = name(wire.message_id);
  return readPrompt(wire, { ...origin, ...(promptId !== undefined && { promptId }) });
}
