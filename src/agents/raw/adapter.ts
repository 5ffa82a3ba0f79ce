import type { AgentEvent, EventOrigin, ToolCall } from '../../model/agent-event.ts';
import type { HookReply, PrintedReply } from '../../model/hook-reply.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { TASK_STATES, type WorkReport } from '../../model/work.ts';
import type { Agent, WorkToolCall } from '../agent.ts';
import { controlMarks } from './control-marks.ts';
import { files, name, object, objects, outcome, readAction, text } from './wire.ts';

/**
 * For any program without an adapter: JSON in and out, with Cairn's own event names from src/model/agent-event.ts.
 * docs/raw-agent.md shows each.
 */
export const raw: Agent = {
  id: 'raw',
  name: 'any program (raw JSON)',
  // A program calls `cairn hook raw` itself.
  hooks: { answered: [], prompts: [], reads: [], ends: [], showsSystemMessage: false },
  context: { start: true, prompt: true, read: true, tool: true },
  longestContext: 20_000,
  toEvents,
  print,
  blockIsFeedback: () => false,
  instructionsFile: 'AGENTS.md',
  controlMarks,
  lastUsage: () => null,
  windowOf: () => null,
  workTools: ['plan', 'tasks'],
  findWorkReports,
};

function toEvents(eventName: string, payload: Json): AgentEvent[] {
  if (!isObject(payload)) return [];
  const event = eventOf(name(payload.event) ?? eventName, readOrigin(payload), payload);
  return event ? [event] : [];
}

function eventOf(kind: string, origin: EventOrigin, fields: JsonObject): AgentEvent | null {
  switch (kind) {
    case 'session-start': {
      const model = name(fields.model);
      return { kind, ...origin, source: name(fields.source) ?? 'startup', ...(model && { model }) };
    }
    case 'prompt':
      return {
        kind,
        ...origin,
        text: text(fields.text) ?? '',
        origin: fields.origin === 'machine' ? 'machine' : 'person',
      };
    case 'tool-start':
    case 'permission-request':
      return { kind, ...origin, call: callOf(fields) };
    case 'tool-end': {
      const { outcome: ended, response, durationMs } = object(fields.tool);
      return {
        kind,
        ...origin,
        call: callOf(fields),
        outcome: outcome(ended),
        response: response ?? null,
        ...(typeof durationMs === 'number' && { durationMs }),
        reportedBy: 'call',
      };
    }
    case 'subagent-end':
      return { kind, ...origin, text: text(fields.text) ?? '' };
    case 'compact-start':
      return { kind, ...origin, trigger: name(fields.trigger) ?? 'unknown' };
    case 'compact-end':
      return {
        kind,
        ...origin,
        trigger: name(fields.trigger) ?? 'unknown',
        summary: text(fields.summary) ?? '',
      };
    case 'turn-end': {
      const error = name(fields.error);
      return { kind, ...origin, text: text(fields.text) ?? '', continued: false, ...(error && { error }) };
    }
    case 'session-end':
      return { kind, ...origin, reason: name(fields.reason) ?? 'other' };
    default:
      return null;
  }
}

function readOrigin(fields: JsonObject): EventOrigin {
  const cwd = name(fields.cwd);
  const promptId = name(fields.promptId);
  const permissionMode = name(fields.permissionMode);
  const subagent = isObject(fields.subagent) ? name(fields.subagent.id) : undefined;
  return {
    sessionId: name(fields.session) ?? 'unknown',
    ...(cwd && { cwd }),
    ...(promptId && { promptId }),
    ...(permissionMode && { permissionMode }),
    ...(subagent && { subagent: { id: subagent, type: name(object(fields.subagent).type) ?? '' } }),
  };
}

function callOf(fields: JsonObject): ToolCall {
  const tool = object(fields.tool);
  const id = name(tool.id);
  const command = name(tool.command);
  const isOfWork = tool.name === 'plan' || tool.name === 'tasks';
  return {
    ...(id && { id }),
    name: name(tool.name) ?? 'unknown',
    does: readAction(tool.does) ?? (isOfWork ? 'meta' : command ? 'command' : 'other'),
    input: tool.input ?? {},
    ...(command && { command }),
    files: files(tool.files),
  };
}

/** `plan`: its text is proposed when the call starts, accepted or refused when it ends. `tasks`: the whole list. */
function findWorkReports({ kind, tool, input, outcome: ended }: WorkToolCall): WorkReport[] {
  const fields = object(input);
  if (tool === 'plan') {
    const plan = text(fields.text) ?? '';
    const decision = kind !== 'tool-end' ? 'proposed' : ended === 'success' ? 'accepted' : 'refused';
    return plan === '' ? [] : [{ kind: 'plan', decision, text: plan }];
  }
  if (tool !== 'tasks' || kind !== 'tool-end' || ended !== 'success') return [];
  const tasks = objects(fields.tasks).flatMap((task) => {
    const subject = name(task.subject);
    const key = name(task.id) ?? subject;
    const state = TASK_STATES.find((known) => known === task.state);
    return key ? [{ key, ...(subject && { subject }), ...(state && { state }) }] : [];
  });
  return [{ kind: 'tasks', tasks, isWholeList: true }];
}

/** One line of JSON, or nothing. The caller decides what to do with a block. */
function print(_: string, { context, notice, block }: HookReply): PrintedReply {
  const output = {
    ...(context && { context }),
    ...(notice && { notice }),
    ...(block && { block: block.reason }),
  };
  const isSilent = Object.keys(output).length === 0;
  return { stdout: isSilent ? '' : `${JSON.stringify(output)}\n`, stderr: '', exitCode: 0, leftOut: [] };
}
