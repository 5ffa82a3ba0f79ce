import type { ObservationType, Summary } from '../../model/memory.ts';
import type { Place } from '../../model/project.ts';
import type { Wording } from '../../model/wording.ts';
import type { FilePin, MemoryKind } from './memory.ts';

export interface NewNote {
  type: ObservationType | null;
  title: string;
  narrative: string;
  aliases: string[];
  /** Relative to the top of the checkout. */
  files: string[];
  pins: FilePin[];
  scope: 'project' | 'global';
  saidBy: string;
  isPinned: boolean;
  /** Outdated memories that the note replaces. */
  replaces?: number[];
  /** The current place. A note in a new project creates the project. */
  place: Place;
  commit?: string;
  agentSession?: string;
}

/** Missing fields stay unchanged. */
export interface MemoryChange {
  type?: ObservationType | null;
  title?: string;
  subtitle?: string;
  narrative?: string;
  facts?: string[];
  aliases?: string[];
  scope?: 'project' | 'global';
  parts?: Summary;
}

export interface MemoryHistory {
  prompt: string | null;
  agent: string | null;
  agentSession: string | null;
  /** Turns in which it was repeated. */
  repeatedIn: { sessionId: number; prompt: number | null; at: number }[];
  replaced: number[];
}

export interface ForgetTargets {
  memories: number[];
  prompts: number[];
  sessions: number[];
}

export interface ForgetOptions {
  /** Also forgets raw events and prompts, and other texts with the same wording. */
  withSource: boolean;
  isDryRun: boolean;
  /** Otherwise the entry in the trash is due at once, and matching trash is deleted, too. */
  isUndoable?: boolean;
  /** When the trash entry is deleted; without a time, after `forget.undoDays`. */
  dueAt?: number | null;
}

export interface TrashEntry {
  id: number;
  at: number;
  dueAt: number | null;
  targets: ForgetTargets;
  memories: ForgottenMemory[];
  withSource: boolean;
  /** The forgotten texts, to search files for when the entry is deleted. */
  texts: string[];
  renamedWorks: Forgotten['renamedWorks'];
}

export interface Forgotten {
  /** The number of the trash entry; null if nothing was removed. */
  trashId: number | null;
  missing: ForgetTargets;
  memories: ForgottenMemory[];
  trimmed: (ForgottenMemory & { sentences: number })[];
  /** Numbers of raw texts that were removed. */
  prompts: number;
  events: number;
  keptEvents: number;
  injections: number;
  works: number;
  /** Former and new names of work items whose name mentioned it; their folders are renamed. */
  renamedWorks: { from: string; to: string }[];
  /** For callers that search other files. */
  wording: Wording;
}

export interface ForgottenMemory {
  id: number;
  kind: MemoryKind;
  title: string;
  projectId: number | null;
  files: string[];
}
