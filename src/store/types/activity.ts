import type { Count } from './memory.ts';

/** What happened in a span of time, by session. */
export interface Period {
  sessions: PeriodSession[];
  /** In all contexts that agents received. */
  tokensGiven: number;
  memoriesGiven: number;
}

export interface PeriodSession {
  id: number;
  agent: string;
  project: string;
  /** The session's first prompt; null if it is private. */
  title: string | null;
  firstSeen: number;
  lastSeen: number;
  endedAt: number | null;
  /** The time of its first memory within the span. */
  at: number;
  /** Excludes summaries. */
  byType: Count[];
}

/** By day in local time, latest first. */
export interface Activity {
  memoriesByDay: Count[];
  givenByDay: { name: string; contexts: number; tokens: number }[];
  reuse: {
    memories: number;
    /** Given to an agent at least once, and in more than one session. */
    given: number;
    givenAgain: number;
  };
}
