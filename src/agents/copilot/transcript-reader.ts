import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type { AnswerPart, TranscriptEvent, TranscriptOrigin, TranscriptReader } from '../agent.ts';
import { toolEnd } from '../dialect/events.ts';
import { name, text } from '../dialect/wire.ts';
import { timeOfRecord } from '../json-lines.ts';
import { outcomeOf } from './read-events.ts';
import { convertInput, tools } from './tools.ts';

/** A line: `{ type, data, id, timestamp }`. */
interface Line {
  data: JsonObject;
  key: string;
  at: number;
  start: number;
}

/**
 * Hooks report calls and prompts without an id, so these events have none either: a session whose hooks ran is taken
 * to have reported them.
 */
export function createTranscriptReader(origin: TranscriptOrigin): TranscriptReader {
  const { sessionId, path } = origin;
  let scene: EventOrigin = { sessionId, transcriptPath: path };
  let branch: string | undefined;
  let calls = new Map<string, JsonObject>();
  let answer: { text: string; line: Line } | null = null;
  let openSince: number | null = null;
  let end = 0;
  let lastAt = 0;

  function told({ at, key }: Line, event: AgentEvent): TranscriptEvent {
    return { event, at, key, ...(branch !== undefined && { branch }) };
  }

  function endTurn(): TranscriptEvent[] {
    const said = answer;
    answer = null;
    openSince = null;
    calls = new Map();
    if (!said) return [];
    const event: AgentEvent = { kind: 'turn-end', ...scene, text: said.text, continued: false };
    return [{ ...told(said.line, event), key: `${said.line.key}.turn-end` }];
  }

  function readStart(line: Line): TranscriptEvent[] {
    const place = isObject(line.data.context) ? line.data.context : {};
    const cwd = text(place.cwd);
    const model = name(line.data.selectedModel);
    if (cwd !== undefined) scene = { ...scene, cwd };
    branch = text(place.branch);
    return [told(line, { kind: 'session-start', ...scene, source: 'unknown', ...(model && { model }) })];
  }

  function readPrompt(line: Line): TranscriptEvent[] {
    const words = text(line.data.content);
    if (words === undefined) return [];
    const before = endTurn();
    openSince = line.start;
    return [...before, told(line, { kind: 'prompt', ...scene, text: words, origin: 'person' })];
  }

  function readAnswerLine(line: Line): TranscriptEvent[] {
    openSince ??= line.start;
    const words = textOfAnswer(line.data);
    const isMore = Array.isArray(line.data.toolRequests) && line.data.toolRequests.length > 0;
    if (isMore) answer = null;
    else if (words !== undefined) answer = { text: words, line };
    return [];
  }

  function readCallEnd(line: Line): TranscriptEvent[] {
    const id = name(line.data.toolCallId) ?? '';
    const call = calls.get(id);
    calls.delete(id);
    if (!call) return [];
    const { result, error, success } = line.data;
    const shown = text(isObject(result) ? result.content : undefined);
    const problem = text(isObject(error) ? error.message : error);
    const type = success === false ? 'failure' : 'success';
    const outcome = outcomeOf(text(call.toolName), type, shown ?? '');
    const wire = {
      tool_name: call.toolName ?? null,
      tool_input: convertInput(call.toolName, call.arguments),
    };
    return [told(line, toolEnd(wire, scene, tools, { outcome, response: shown ?? problem ?? null }))];
  }

  return {
    read(record, span) {
      end = span.end;
      if (!isObject(record)) return [];
      lastAt = timeOfRecord(record) ?? lastAt;
      const data = isObject(record.data) ? record.data : {};
      const key = name(record.id) ?? `${sessionId}.${span.start}`;
      const line = { data, key, at: lastAt, start: span.start };
      switch (record.type) {
        case 'session.start':
          return readStart(line);
        case 'user.message':
          return readPrompt(line);
        case 'assistant.message':
          return readAnswerLine(line);
        case 'tool.execution_start':
          calls.set(name(data.toolCallId) ?? '', data);
          return [];
        case 'tool.execution_complete':
          return readCallEnd(line);
        case 'session.shutdown':
          return endTurn();
        default:
          return [];
      }
    },
    finish: (isOver) => (isOver ? endTurn() : []),
    isAnswered: () => answer !== null && calls.size === 0,
    settledOffset: () => openSince ?? end,
    lastAt: () => lastAt,
  };
}

/** Calls are left out: those of the hooks have no id to find them by. */
export function readAnswer(record: Json): AnswerPart[] {
  if (!isObject(record) || record.type !== 'assistant.message' || !isObject(record.data)) return [];
  const words = textOfAnswer(record.data);
  return words === undefined ? [] : [{ text: words }];
}

/** Of the session itself, not of a subagent that one of its calls runs. */
function textOfAnswer(data: JsonObject): string | undefined {
  return text(data.parentToolCallId) === undefined ? text(data.content) : undefined;
}
