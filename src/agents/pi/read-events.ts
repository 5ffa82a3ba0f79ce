import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { toolEnd } from '../dialect/events.ts';
import { field, textOfBlocks } from '../dialect/tools.ts';
import { name, text } from '../dialect/wire.ts';
import { tools } from './tools.ts';

type EventReader = (event: JsonObject, origin: EventOrigin) => AgentEvent[];

/** The events of Pi, as `plugins/pi/cairn.js` sends them: `{ event, ctx: { cwd, sid, file } }`. */
const READERS = new Map<string, EventReader>([
  ['session_start', readStart],
  // A prompt sent while the agent works. Other prompts are reported when the agent starts.
  ['input', (event, origin) => (event.streamingBehavior ? [prompt(event.text, event, origin)] : [])],
  [
    'before_agent_start',
    (event, origin) => [prompt(text(event.typed) ?? event.prompt ?? null, event, origin)],
  ],
  ['tool_result', readToolEnd],
  [
    'session_before_compact',
    (event, origin) => [{ kind: 'compact-start', ...origin, trigger: name(event.reason) ?? 'unknown' }],
  ],
  ['session_compact', readCompactEnd],
  ['agent_end', readTurnEnd],
  [
    'session_shutdown',
    (event, origin) => [{ kind: 'session-end', ...origin, reason: name(event.reason) ?? 'unknown' }],
  ],
]);

/** The events that the plugin reports. */
export const eventNames: string[] = [...READERS.keys()];

export function toEvents(eventName: string, payload: Json): AgentEvent[] {
  const event = field(payload, 'event');
  const origin = readOrigin(field(payload, 'ctx'));
  return isObject(event) && origin ? (READERS.get(eventName)?.(event, origin) ?? []) : [];
}

function readOrigin(ctx: Json | undefined): EventOrigin | null {
  const sessionId = name(field(ctx, 'sid'));
  const cwd = text(field(ctx, 'cwd'));
  const transcriptPath = text(field(ctx, 'file'));
  if (sessionId === undefined) return null;
  return { sessionId, ...(cwd !== undefined && { cwd }), ...(transcriptPath && { transcriptPath }) };
}

const SOURCES = new Map<string, string>([
  ['new', 'clear'],
  ['reload', 'resume'],
]);

function readStart({ reason }: JsonObject, origin: EventOrigin): AgentEvent[] {
  const source = name(reason) ?? 'startup';
  return [{ kind: 'session-start', ...origin, source: SOURCES.get(source) ?? source }];
}

function prompt(words: Json | undefined, { source }: JsonObject, origin: EventOrigin): AgentEvent {
  const sender = source === 'extension' ? 'machine' : 'person';
  return { kind: 'prompt', ...origin, text: text(words) ?? '', origin: sender };
}

function readToolEnd(event: JsonObject, origin: EventOrigin): AgentEvent[] {
  const { toolName, toolCallId, input, content, isError } = event;
  const wire = {
    tool_name: toolName ?? null,
    tool_use_id: toolCallId ?? null,
    tool_input: input ?? null,
  };
  const outcome = isError === true ? 'failure' : 'success';
  return [toolEnd(wire, origin, tools, { outcome, response: textOfBlocks(content) })];
}

function readCompactEnd({ reason, compactionEntry }: JsonObject, origin: EventOrigin): AgentEvent[] {
  const summary = text(field(compactionEntry, 'summary')) ?? '';
  return [{ kind: 'compact-end', ...origin, trigger: name(reason) ?? 'unknown', summary }];
}

/** A turn end with the last message of the model. */
function readTurnEnd({ messages }: JsonObject, origin: EventOrigin): AgentEvent[] {
  const last = (Array.isArray(messages) ? messages.filter(isObject) : []).findLast(
    ({ role }) => role === 'assistant',
  );
  const error = PROBLEMS.get(name(last?.stopReason) ?? '');
  return [
    {
      kind: 'turn-end',
      ...origin,
      text: textOfBlocks(last?.content),
      continued: false,
      ...(error && { error }),
    },
  ];
}

const PROBLEMS = new Map<string, string>([
  ['aborted', 'interrupted'],
  ['error', 'error'],
]);
