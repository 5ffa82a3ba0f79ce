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
  /** Memories that the note is given in place of. */
  replaces?: number[];
  /** The current place; a note for a new project creates the project. */
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
  /** Also raw events and prompts, and other texts about the same. */
  withSource: boolean;
  isDryRun: boolean;
  /** Otherwise the entry in the trash is due at once, and matching trash is deleted, too. */
  isUndoable?: boolean;
  /** When the trash of it is emptied; without it after `forget.undoDays`. */
  dueAt?: number | null;
}

export interface TrashEntry {
  id: number;
  at: number;
  dueAt: number | null;
  targets: ForgetTargets;
  memories: ForgottenMemory[];
  withSource: boolean;
  /** What was forgotten, to be found in files when the entry is deleted. */
  texts: string[];
  renamedWorks: Forgotten['renamedWorks'];
}

export interface Forgotten {
  /** Of the entry in the trash; null if nothing was removed. */
  trashId: number | null;
  missing: ForgetTargets;
  memories: ForgottenMemory[];
  trimmed: (ForgottenMemory & { sentences: number })[];
  /** Raw texts that were removed, and those that stay. */
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
