import type { Json, JsonObject } from '../model/json.ts';

/**
 * The payloads that Claude Code passes to a hook, by event. Loose on purpose: clients add and drop fields, so a field
 * that was not seen in every payload is optional, and any further field can be read as Json.
 */
export interface HookEvents {
  SessionStart: HookEvent & { source: string; model?: string };
  Setup: HookEvent & { trigger: string };
  InstructionsLoaded: HookEvent & { file_path: string; memory_type: string; load_reason: string };
  UserPromptSubmit: HookEvent & { prompt: string };
  UserPromptExpansion: HookEvent & { prompt: string; command_name?: string; command_args?: string };
  PreToolUse: ToolEvent & { tool_use_id: string };
  /** The client gives no call id here. */
  PermissionRequest: ToolEvent & { permission_suggestions?: Json };
  PermissionDenied: ToolEvent & { tool_use_id: string; reason?: string };
  /** The shape of `tool_response` is the tool's own: an object, or a list of blocks from an MCP tool. */
  PostToolUse: ToolEvent & { tool_use_id: string; tool_response: Json; duration_ms?: number };
  PostToolUseFailure: ToolEvent & { tool_use_id: string; error: string; is_interrupt?: boolean };
  /** Here `tool_response` is the text shown to the model. The only event that lists refused calls. */
  PostToolBatch: HookEvent & { tool_calls: JsonObject[] };
  MessageDisplay: HookEvent & { delta: string; final: boolean };
  SubagentStart: HookEvent & { agent_id: string; agent_type: string };
  /** An empty `agent_type` is the hidden agent that compacts. */
  SubagentStop: StopEvent & { agent_id: string; agent_type: string; agent_transcript_path?: string };
  Stop: StopEvent;
  StopFailure: HookEvent & { error: string; last_assistant_message?: string };
  PreCompact: HookEvent & { trigger: string; custom_instructions?: string | null };
  PostCompact: HookEvent & { trigger: string; compact_summary: string };
  SessionEnd: HookEvent & { reason: string };
  Notification: HookEvent & { message: string; notification_type: string };
  TaskCreated: TaskEvent;
  TaskCompleted: TaskEvent;
  TeammateIdle: HookEvent;
  CwdChanged: HookEvent & { old_cwd: string; new_cwd: string };
  FileChanged: HookEvent & { file_path: string; event: string };
  ConfigChange: HookEvent & { source: string; file_path?: string };
  DirectoryAdded: HookEvent & { directory: string; source?: string };
  PreModelSwitch: ModelSwitchEvent;
  PostModelSwitch: ModelSwitchEvent;
  Elicitation: HookEvent & { mcp_server_name: string; message: string };
  ElicitationResult: HookEvent;
  WorktreeCreate: HookEvent & { name: string };
  WorktreeRemove: HookEvent & { worktree_path: string };
}

export interface HookEvent {
  hook_event_name: string;
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  /** Set inside a subagent. */
  agent_id?: string;
  agent_type?: string;
  [field: string]: Json | undefined;
}

export interface ToolEvent extends HookEvent {
  tool_name: string;
  tool_input: JsonObject;
}

export interface StopEvent extends HookEvent {
  /** The turn continues because of a stop hook. Blocking again would loop endlessly. */
  stop_hook_active: boolean;
  last_assistant_message?: string;
}

interface TaskEvent extends HookEvent {
  task_id: string;
  task_subject: string;
  task_description?: string;
}

interface ModelSwitchEvent extends HookEvent {
  from_model: string;
  to_model: string;
  source?: string;
}
