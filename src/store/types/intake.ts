import type { CapturedEvent } from '../../model/agent-event.ts';
import type { Place } from '../../model/project.ts';

/** One parsed spool file, possibly without events. */
export interface SpoolIntake {
  name: string;
  agent: string;
  hook: string;
  via: string;
  at: number;
  place?: Place;
  /** Names of fields that the agent's adapter has never seen. */
  unknownFields?: string[];
  events: CapturedEvent[];
}

export interface IngestResult {
  files: number;
  stored: number;
  doubled: number;
}
