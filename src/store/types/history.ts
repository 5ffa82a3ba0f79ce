import type { StoredPrompt } from './event.ts';

export interface TimelineQuery {
  /** This project's and what is global; every project's where it is null. */
  projectId: number | null;
  /** Of this session only. */
  sessionId?: number;
  /** A memory, a prompt, or only a time. */
  around: Moment | { at: number };
  /** How many before it and how many after it; itself comes on top. */
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
  /** Null for every project. */
  projectId: number | null;
  /** Relative to the top of the checkout, or absolute; a folder stands for what is in it. */
  path: string;
  /** Any file with this name or this end of its path. */
  anywhere?: boolean;
  limit: number;
}
