import type { Settings } from '../config/settings.ts';
import type { ProjectLocation } from '../memory/locate.ts';
import type { Redacted } from '../model/redacted.ts';

/** The session and place that a context is built for. */
export interface ContextRequest extends Pick<ProjectLocation, 'project' | 'top' | 'worktree' | 'branches'> {
  agent: string;
  agentSession: Redacted;
  settings: Settings;
  /** Maximum characters per hook. */
  longest: number;
  now: number;
}
