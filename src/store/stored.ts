import type { ToolDeed } from '../model/agent-event.ts';
import type { Json } from '../model/json.ts';

/** Rows as the rest of Cairn sees them. */
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
  kind: string;
  prompt: number | null;
  tool: string | null;
  does: ToolDeed | null;
  callId: string | null;
  outcome: string | null;
  subagent: string | null;
  priority: string;
  durationMs: number | null;
  input: Json;
  response: Json;
  text: string | null;
  files: { path: string; how: string }[];
  spoolName: string;
}
