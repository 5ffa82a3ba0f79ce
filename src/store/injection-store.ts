import type { Redacted } from '../model/redacted.ts';

/** Through which door a memory came to an agent. */
export type Door = 'start' | 'prompt' | 'file' | 'mcp';

export interface Injection {
  agent: string;
  agentSession: string;
  door: Door;
  memoryId: number;
  tokens: number;
  /** Why this one, in words for people. */
  reason: string;
  at: number;
}

/** What agents were given, so that nothing is given twice and people can ask why. */
export interface InjectionStore {
  noteInjections(injections: Redacted<Injection>[]): void;
  /** The memories that a session has been given since a time, whichever way. */
  givenTo(agentSession: string, since?: number): Set<number>;
  injectionsOf(memoryId: number): Injection[];
}
