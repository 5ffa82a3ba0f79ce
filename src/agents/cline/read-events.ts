import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { toolEnd } from '../dialect/events.ts';
import { field, textOfBlocks } from '../dialect/tools.ts';
import { name, text } from '../dialect/wire.ts';
import { splitCall, splitResult, tools } from './tools.ts';
import { readUserInput } from './user-input.ts';

type EventReader = (context: JsonObject, origin: EventOrigin) => AgentEvent[];

/** The hooks of a plugin, as `plugins/cline/cairn.js` sends them: `{ sessionId, rootPath, context }`. */
const READERS = new Map<string, EventReader>([
  ['setup', (_, origin) => [{ kind: 'session-start', ...origin, source: 'startup' }]],
  ['beforeRun', readPrompt],
  ['afterTool', readToolEnds],
  ['afterRun', readRunEnd],
]);

/** The events that the plugin reports. */
export const eventNames: string[] = [...READERS.keys()];

export function toEvents(eventName: string, payload: Json): AgentEvent[] {
  const context = field(payload, 'context');
  const sessionId = name(field(payload, 'sessionId'));
  if (!isObject(context) || sessionId === undefined) return [];
  const cwd = text(field(payload, 'rootPath'));
  const origin = { sessionId, ...(cwd !== undefined && { cwd }), ...readSubagent(context) };
  return READERS.get(eventName)?.(context, origin) ?? [];
}

function readSubagent({ snapshot }: JsonObject): Pick<EventOrigin, 'subagent'> {
  const id = name(field(snapshot, 'agentId'));
  const isSubagent = name(field(snapshot, 'parentAgentId')) !== undefined;
  return isSubagent && id !== undefined ? { subagent: { id, type: '' } } : {};
}

/** The last message is the prompt; for a subagent, it is the task. */
function readPrompt({ snapshot }: JsonObject, origin: EventOrigin): AgentEvent[] {
  const messages = field(snapshot, 'messages');
  const content = field(Array.isArray(messages) ? messages.at(-1) : undefined, 'content');
  const words = textOfBlocks(content);
  const typed = readUserInput(words) ?? { text: words };
  if (origin.subagent || typed.text === '') return [];
  const mode = typed.mode === 'plan' ? { permissionMode: 'plan' } : {};
  return [{ kind: 'prompt', ...origin, ...mode, text: typed.text, origin: 'person' }];
}

function readToolEnds({ toolCall, result, durationMs }: JsonObject, origin: EventOrigin): AgentEvent[] {
  const tool = name(field(toolCall, 'toolName')) ?? 'unknown';
  const id = name(field(toolCall, 'toolCallId')) ?? '';
  const calls = splitCall(tool, id, field(toolCall, 'input') ?? null);
  const isError = field(result, 'isError') === true;
  const results = splitResult(tool, id, field(result, 'output') ?? null, isError);
  return calls.map(({ id, input }, index) => {
    const { outcome, response } = results[index] ?? { outcome: 'failure', response: null };
    const wire = { tool_name: tool, tool_use_id: id, tool_input: input, duration_ms: durationMs ?? null };
    return toolEnd(wire, origin, tools, { outcome, response });
  });
}

function readRunEnd({ result }: JsonObject, origin: EventOrigin): AgentEvent[] {
  const answer = text(field(result, 'outputText')) ?? '';
  if (origin.subagent) return [{ kind: 'subagent-end', ...origin, text: answer }];
  const error = PROBLEMS.get(name(field(result, 'status')) ?? '');
  return [{ kind: 'turn-end', ...origin, text: answer, continued: false, ...(error && { error }) }];
}

const PROBLEMS = new Map<string, string>([
  ['aborted', 'interrupted'],
  ['failed', 'error'],
]);
