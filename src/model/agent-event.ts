import type { Json } from './json.ts';

/**
 * All events of an agent, in the order of a session. Adapters produce them, everything else consumes them. A field
 * that is missing in the payload is missing here too.
 */
export type AgentEvent =
  | Setup
  | SessionStart
  | Prompt
  | ToolStart
  | PermissionRequest
  | ToolEnd
  | SubagentEnd
  | CompactStart
  | CompactEnd
  | TurnEnd
  | SessionEnd;

export type EventKind = AgentEvent['kind'];

export interface EventOrigin {
  sessionId: string;
  cwd?: string;
  transcriptPath?: string;
  promptId?: string;
  permissionMode?: string;
  subagent?: { id: string; type: string };
}

interface Setup extends EventOrigin {
  kind: 'setup';
  trigger: string;
}

interface SessionStart extends EventOrigin {
  kind: 'session-start';
  /** The agent's own word, such as startup, resume, clear, compact or fork. */
  source: string;
  model?: string;
}

interface Prompt extends EventOrigin {
  kind: 'prompt';
  text: string;
  /** A machine prompt is a notification or an expanded command, not the person's words. */
  origin: 'person' | 'machine';
}

interface ToolStart extends EventOrigin {
  kind: 'tool-start';
  call: ToolCall;
}

interface PermissionRequest extends EventOrigin {
  kind: 'permission-request';
  /** Without a call id, because the agent reports none here. */
  call: ToolCall;
}

interface ToolEnd extends EventOrigin {
  kind: 'tool-end';
  call: ToolCall;
  outcome: ToolOutcome;
  response: Json;
  durationMs?: number;
  /**
   * `call`: the agent reported the call itself. `batch`: with less detail, such as in a list of calls or without its exit
   * code; such a report only fills a gap.
   */
  reportedBy: 'call' | 'batch';
}

interface SubagentEnd extends EventOrigin {
  kind: 'subagent-end';
  text: string;
  transcriptOfSubagent?: string;
}

interface CompactStart extends EventOrigin {
  kind: 'compact-start';
  trigger: string;
  instructions?: string;
}

interface CompactEnd extends EventOrigin {
  kind: 'compact-end';
  trigger: string;
  summary: string;
}

interface TurnEnd extends EventOrigin {
  kind: 'turn-end';
  text: string;
  error?: string;
  /** Whether the turn continues because of a stop hook. */
  continued: boolean;
}

interface SessionEnd extends EventOrigin {
  kind: 'session-end';
  reason: string;
}

export type ToolOutcome = 'success' | 'failure' | 'refused';

export interface ToolCall {
  /** The agent's id of the call, which identifies duplicate deliveries. */
  id?: string;
  name: string;
  /** The kind of action, independent of the tool's name. */
  does: ToolAction;
  /**
   * The input as the agent reports it. For a `change`, adapters convert other forms to `content` (a new text),
   * `old_string` and `new_string`, or `edits`, a list of these; each with its own `file_path` if one call changes
   * several files.
   */
  input: Json;
  /** The shell command, if `does` is `command`. */
  command?: string;
  files: FileTouch[];
}

/** `change` alters files, `command` runs a shell, `meta` concerns the agent itself (tasks, questions, skills). */
export type ToolAction = 'change' | 'command' | 'read' | 'search' | 'delegate' | 'web' | 'meta' | 'other';

export interface FileTouch {
  path: string;
  how: 'read' | 'write';
}

export type Priority = 'high' | 'normal' | 'low';

/** An event from the spool, with its agent, time and file. */
export interface CapturedEvent {
  agent: string;
  event: AgentEvent;
  priority: Priority;
  at: number;
  /** The agent's project directory, which stays the same when the session changes its cwd. */
  projectDir?: string;
  /** How the hook was installed (settings, plugin …). The same event reported in two ways is stored once. */
  via: string;
  /** The name of the spool file, which identifies a file that is ingested twice. */
  spoolName: string;
  /** An entirely private prompt: only its number is stored, and its turn is dropped. */
  isPrivate?: boolean;
}
