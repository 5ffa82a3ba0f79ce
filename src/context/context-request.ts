import type { Settings } from '../config/settings.ts';
import type { ProjectLocation } from '../memory/locate.ts';
import type { Redacted } from '../model/redacted.ts';

/** For which session a context is made, and where. */
export interface ContextRequest extends Pick<ProjectLocation, 'project' | 'top' | 'worktree' | 'branches'> {
  agent: string;
  /** The agent's own name of its session. */
  agentSession: Redacted;
  settings: Settings;
  /** The most characters which the agent takes at once. */
  longest: number;
  now: number;
}
