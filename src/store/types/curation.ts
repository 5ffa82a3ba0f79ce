import type { ObservationType, Summary } from '../../model/memory.ts';
import type { Place } from '../../model/project.ts';
import type { Wording } from '../../model/wording.ts';
import type { FilePin, MemoryKind } from './memory.ts';

export interface NewNote {
  type: ObservationType | null;
  title: string;
  narrative: string;
  aliases: string[];
  /** As memories name files: from the top of the checkout. */
  files: string[];
  pins: FilePin[];
  scope: 'project' | 'global';
  /** 'person' or 'agent'. */
  saidBy: string;
  isPinned: boolean;
  /** Where it was said; a note for one project makes that project known. */
  place: Place;
  commit?: string;
  /** The agent's own name of the session in which it was said. */
  agentSession?: string;
}

/** What is not named stays as it is. */
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

/** What became of a memory, beyond what it says itself. */
export interface MemoryHistory {
  /** What the person had asked for. */
  prompt: string | null;
  agent: string | null;
  agentSession: string | null;
  /** Turns in which it was met again. */
  metIn: { sessionId: number; prompt: number | null; at: number }[];
  /** Memories whose place it took. */
  replaced: number[];
}

export interface ForgetTargets {
  memories: number[];
  prompts: number[];
  sessions: number[];
}

export interface ForgetOptions {
  /** Also the raw events and prompts, and whatever else tells of the same. */
  withSource: boolean;
  /** Only tells what would be removed. */
  isDryRun: boolean;
  /** Keeps what is removed in the trash. Otherwise trash that tells of it goes, too. */
  isUndoable?: boolean;
}

export interface TrashEntry {
  id: number;
  at: number;
  targets: ForgetTargets;
  memories: ForgottenMemory[];
  withSource: boolean;
  /** What was forgotten, to be found in files when the entry is deleted. */
  texts: string[];
  renamedWorks: Forgotten['renamedWorks'];
}

export interface Forgotten {
  /** Targets that are not there. */
  missing: ForgetTargets;
  memories: ForgottenMemory[];
  /** Memories that lost sentences. */
  trimmed: (ForgottenMemory & { sentences: number })[];
  /** Raw texts that were removed, and those that stay. */
  prompts: number;
  events: number;
  keptEvents: number;
  injections: number;
  /** Works that lost something of theirs. */
  works: number;
  /** What those were called whose name mentioned it, and are called now: their files lie under it. */
  renamedWorks: { from: string; to: string }[];
  /** For callers that search other files for the same. */
  wording: Wording;
}

export interface ForgottenMemory {
  id: number;
  kind: MemoryKind;
  title: string;
  projectId: number | null;
  files: string[];
}
