import type { Place } from '../model/project.ts';

/**
 * What is asked at every turn and at every keystroke. Nothing is changed, not even brought up to date, so the
 * database may be of another version: what it does not know is left out.
 */
export interface Glance {
  /** How many memories a project has. */
  memories(place: Place): number;
  work(agentSession: string): WorkGlance | null;
  files(place: Place, agentSession: string): RememberedFile[];
  close(): void;
}

export interface WorkGlance {
  name: string;
  done: number;
  /** Without those that were dropped. */
  tasks: number;
}

/** A file of which something is remembered, or that this session has touched. */
export interface RememberedFile {
  /** Relative to the top of the checkout, or absolute. */
  path: string;
  /** In how many of the latest memories it was changed. */
  changes: number;
  at: number;
  /** A session of the present work was about it, this one included. */
  isOfWork: boolean;
}
