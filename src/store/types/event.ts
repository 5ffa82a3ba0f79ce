import type { AgentEvent, FileTouch, Priority, ToolAction, ToolOutcome } from '../../model/agent-event.ts';
import type { Json } from '../../model/json.ts';

export interface StoredPrompt {
  number: number;
  at: number;
  text: string;
  origin: 'person' | 'machine';
  isPrivate: boolean;
}

export interface StoredEvent {
  id: number;
  at: number;
  kind: AgentEvent['kind'];
  prompt: number | null;
  tool: string | null;
  does: ToolAction | null;
  callId: string | null;
  outcome: ToolOutcome | null;
  subagent: string | null;
  priority: Priority;
  durationMs: number | null;
  input: Json;
  response: Json;
  text: string | null;
  files: FileTouch[];
  spoolName: string;
}
