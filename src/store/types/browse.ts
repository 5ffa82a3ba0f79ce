import type { ObservationType } from '../../model/memory.ts';
import type { MemoryKind } from './memory.ts';

/** Where the next page begins: after the last row of the page before. */
export interface PageStart {
  at: number;
  id: number;
}

export interface MemoryFilter {
  projectId?: number | undefined;
  sessionId?: number | undefined;
  turnId?: number | undefined;
  agent?: string | undefined;
  kind?: MemoryKind | undefined;
  type?: ObservationType | undefined;
  isPinned?: boolean | undefined;
  isSuperseded?: boolean | undefined;
  /** From `since` on, and before `before`. */
  since?: number | undefined;
  before?: number | undefined;
}

export interface SessionFilter {
  projectId?: number | undefined;
  agent?: string | undefined;
  isOpen?: boolean | undefined;
}

export interface TurnDigest {
  id: number;
  sessionId: number;
  prompt: number | null;
  /** Null if it is private, or no hook reported it. */
  request: string | null;
  openedAt: number;
  lastAt: number;
  closedAt: number | null;
  closedBy: string | null;
  distilledAt: number | null;
  distiller: string | null;
  events: number;
  memories: number[];
}
