import type { Count } from './memory.ts';

/** What sessions made of a span of time. */
export interface Period {
  sessions: PeriodSession[];
  /** Of all contexts that agents were given. */
  tokensGiven: number;
  memoriesGiven: number;
}

export interface PeriodSession {
  id: number;
  agent: string;
  project: string;
  /** The first prompt of all; null if it is private. */
  title: string | null;
  firstSeen: number;
  lastSeen: number;
  endedAt: number | null;
  /** Of its first memory within the span. */
  at: number;
  /** Without summaries. */
  byType: Count[];
}

/** Day by day, in local time, the latest first. */
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
