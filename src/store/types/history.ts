import type { StoredPrompt } from './event.ts';

export interface TimelineQuery {
  /** This project and global memories; null for every project. */
  projectId: number | null;
  sessionId?: number;
  around: Moment | { at: number };
  /** How many before and after it, not counting itself. */
  before: number;
  after: number;
}

export interface Moment {
  what: 'memory' | 'prompt';
  id: number;
  at: number;
}

export interface NumberedPrompt extends StoredPrompt {
  id: number;
  sessionId: number;
  project: string | null;
  projectId: number | null;
  branch: string | null;
}

export interface FileHistoryQuery {
  projectId: number | null;
  /** Relative to the top of the checkout, or absolute; a folder matches its contents. */
  path: string;
  /** Any file with this name or path suffix. */
  anywhere?: boolean;
  limit: number;
}
