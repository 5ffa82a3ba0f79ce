import type { AgentEvent, EventOrigin, ToolCall } from '../../model/agent-event.ts';
import type { HookReply, PrintedReply } from '../../model/hook-reply.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { TASK_STATES, type WorkReport } from '../../model/work.ts';
import type { Agent, WorkToolCall } from '../agent.ts';
import { controlMarks } from './control-marks.ts';
import { files, name, object, objects, outcome, readAction, text } from './wire.ts';

/**
 * For any program without an adapter: our own event names as JSON, in and out. Events are named as in
 * src/model/agent-event.ts; docs/raw-agent.md shows each.
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

function eventOf(kind: string, origin: EventOrigin, said: JsonObject): AgentEvent | null {
  switch (kind) {
    case 'session-start': {
      const model = name(said.model);
      return { kind, ...origin, source: name(said.source) ?? 'startup', ...(model && { model }) };
    }
    case 'prompt':
      return {
        kind,
        ...origin,
        text: text(said.text) ?? '',
        origin: said.origin === 'machine' ? 'machine' : 'person',
      };
    case 'tool-start':
    case 'permission-request':
      return { kind, ...origin, call: callOf(said) };
    case 'tool-end': {
      const { outcome: ended, response, durationMs } = object(said.tool);
      return {
        kind,
        ...origin,
        call: callOf(said),
        outcome: outcome(ended),
        response: response ?? null,
        ...(typeof durationMs === 'number' && { durationMs }),
        reportedBy: 'call',
      };
    }
    case 'subagent-end':
      return { kind, ...origin, text: text(said.text) ?? '' };
    case 'compact-start':
      return { kind, ...origin, trigger: name(said.trigger) ?? 'unknown' };
    case 'compact-end':
      return { kind, ...origin, trigger: name(said.trigger) ?? 'unknown', summary: text(said.summary) ?? '' };
    case 'turn-end': {
      const error = name(said.error);
      return { kind, ...origin, text: text(said.text) ?? '', continued: false, ...(error && { error }) };
    }
    case 'session-end':
      return { kind, ...origin, reason: name(said.reason) ?? 'other' };
    default:
      return null;
  }
}

function readOrigin(said: JsonObject): EventOrigin {
  const cwd = name(said.cwd);
  const promptId = name(said.promptId);
  const permissionMode = name(said.permissionMode);
  const subagent = isObject(said.subagent) ? name(said.subagent.id) : undefined;
  return {
    sessionId: name(said.session) ?? 'unknown',
    ...(cwd && { cwd }),
    ...(promptId && { promptId }),
    ...(permissionMode && { permissionMode }),
    ...(subagent && { subagent: { id: subagent, type: name(object(said.subagent).type) ?? '' } }),
  };
}

function callOf(said: JsonObject): ToolCall {
  const tool = object(said.tool);
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

/** `plan` with a text in its input: asked for is proposed, ended is accepted or refused. `tasks` with all of them. */
function findWorkReports({ kind, tool, input, outcome: ended }: WorkToolCall): WorkReport[] {
  const said = object(input);
  if (tool === 'plan') {
    const plan = text(said.text) ?? '';
    const decision = kind !== 'tool-end' ? 'proposed' : ended === 'success' ? 'accepted' : 'refused';
    return plan === '' ? [] : [{ kind: 'plan', decision, text: plan }];
  }
  if (tool !== 'tasks' || kind !== 'tool-end' || ended !== 'success') return [];
  const tasks = objects(said.tasks).flatMap((task) => {
    const subject = name(task.subject);
    const key = name(task.id) ?? subject;
    const state = TASK_STATES.find((known) => known === task.state);
    return key ? [{ key, ...(subject && { subject }), ...(state && { state }) }] : [];
  });
  return [{ kind: 'tasks', tasks, isWholeList: true }];
}

/** One line of JSON, or nothing. The caller decides what to do with a block. */
function print(_: string, { context, notice, block }: HookReply): PrintedReply {
  const said = {
    ...(context && { context }),
    ...(notice && { notice }),
    ...(block && { block: block.reason }),
  };
  const isSilent = Object.keys(said).length === 0;
  return { stdout: isSilent ? '' : `${JSON.stringify(said)}\n`, stderr: '', exitCode: 0, leftOut: [] };
}
