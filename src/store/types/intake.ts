import type { CapturedEvent } from '../../model/agent-event.ts';
import type { Place } from '../../model/project.ts';

/** One spool file, read: what it told, maybe nothing. */
export interface SpoolIntake {
  name: string;
  agent: string;
  hook: string;
  via: string;
  at: number;
  place?: Place;
  events: CapturedEvent[];
}

export interface IngestResult {
  files: number;
  stored: number;
  /** Files or events that were there already. */
  doubled: number;
}
