import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { toolEnd } from '../dialect/events.ts';
import { field } from '../dialect/tools.ts';
import { name, text } from '../dialect/wire.ts';
import { outcomeOfError, outcomeOfResult, typedText } from './message-parts.ts';
import { tools } from './tools.ts';

type EventReader = (sent: JsonObject, origin: EventOrigin) => AgentEvent[];

/** The hooks and events of the agent, as `plugins/opencode/cairn.js` sends them. */
const READERS = new Map<string, EventReader>([
  ['session.created', readStart],
  ['chat.message', readPrompt],
  ['tool.execute.after', readToolEnd],
  ['tool.error', readToolError],
  [
    'experimental.session.compacting',
    (_, origin) => [{ kind: 'compact-start', ...origin, trigger: 'unknown' }],
  ],
  ['session.compacted', (_, origin) => [{ kind: 'compact-end', ...origin, trigger: 'unknown', summary: '' }]],
  ['session.idle', readIdle],
  ['session.deleted', (_, origin) => [{ kind: 'session-end', ...origin, reason: 'deleted' }]],
  ['dispose', (_, origin) => [{ kind: 'session-end', ...origin, reason: 'exit' }]],
]);

/** The events that the plugin reports. */
export const eventNames: string[] = [...READERS.keys()];

export function toEvents(eventName: string, payload: Json): AgentEvent[] {
  if (!isObject(payload)) return [];
  const origin = readOrigin(payload);
  return origin ? (READERS.get(eventName)?.(payload, origin) ?? []) : [];
}

/** A subagent works in a separate session below the person's. */
function readOrigin({ sessionID, parentID, directory, input, properties }: JsonObject): EventOrigin | null {
  const id = name(sessionID) ?? name(field(input, 'sessionID')) ?? name(field(properties, 'sessionID'));
  if (id === undefined) return null;
  const parent = name(parentID);
  const cwd = text(directory) ?? text(field(field(properties, 'info'), 'directory'));
  return {
    sessionId: parent ?? id,
    ...(cwd !== undefined && { cwd }),
    ...(parent !== undefined && { subagent: { id, type: '' } }),
  };
}

function readStart({ source }: JsonObject, origin: EventOrigin): AgentEvent[] {
  return [{ kind: 'session-start', ...origin, source: name(source) ?? 'startup' }];
}

function readPrompt({ output, command }: JsonObject, origin: EventOrigin): AgentEvent[] {
  const isPlan = field(field(output, 'message'), 'agent') === 'plan';
  return [
    {
      kind: 'prompt',
      ...origin,
      ...(isPlan && { permissionMode: 'plan' }),
      text: text(command) ?? typedText(field(output, 'parts')),
      origin: 'person',
    },
  ];
}

function readToolEnd({ input, output }: JsonObject, origin: EventOrigin): AgentEvent[] {
  const outcome = outcomeOfResult(field(output, 'metadata'));
  const response = field(output, 'output') ?? field(output, 'content') ?? null;
  return [toolEnd(wireCall(input), origin, tools, { outcome, response })];
}

function readToolError({ input, error }: JsonObject, origin: EventOrigin): AgentEvent[] {
  const words = text(error) ?? '';
  return [toolEnd(wireCall(input), origin, tools, { outcome: outcomeOfError(words), response: words })];
}

function wireCall(input: Json | undefined): JsonObject {
  return {
    tool_name: field(input, 'tool') ?? null,
    tool_use_id: field(input, 'callID') ?? null,
    tool_input: field(input, 'args') ?? null,
  };
}

function readIdle({ text: value, error }: JsonObject, origin: EventOrigin): AgentEvent[] {
  const words = text(value) ?? '';
  if (origin.subagent) return [{ kind: 'subagent-end', ...origin, text: words }];
  const problem = name(error);
  const why = problem === 'MessageAbortedError' ? 'interrupted' : problem;
  return [{ kind: 'turn-end', ...origin, text: words, continued: false, ...(why && { error: why }) }];
}
