import type { ObservationType, Summary } from '../model/memory.ts';
import type { Place } from '../model/project.ts';
import type { Redacted } from '../model/redacted.ts';
import type { Wording } from '../model/wording.ts';
import type { FilePin, MemoryKind } from './memory-store.ts';

/** What people and agents do with memories by hand. */
export interface CurationStore {
  /** The same words again, in the same project, make the note that is there stronger. */
  addNote(note: Redacted<NewNote>, now: number): { id: number; isNew: boolean };
  /** From then on distilling leaves it alone. @returns false when there is no such memory. */
  editMemory(id: number, change: Redacted<MemoryChange>, now: number): boolean;
  /** Null unpins. @returns false when there is no such memory. */
  pinMemory(id: number, pinnedAt: number | null): boolean;
  memoryHistory(id: number): MemoryHistory | null;
  /**
   * Removes memories, and what other memories repeat of them, so that neither distilling nor an import brings
   * them back. With a target that is not there nothing is done at all.
   */
  forget(targets: ForgetTargets, options: ForgetOptions, now: number): Forgotten;
  /** Whether something of this text, or all of what came from there, was forgotten. */
  isForgotten(what: { origin?: string; text?: string }): boolean;
  /**
   * Writes the whole database anew, so that of what was deleted no byte stays in its files. @returns false when
   * another process that reads it keeps old pages alive.
   */
  wipeRemains(): boolean;
}

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
  /** What those were called whose name told of it, and are called now: their files lie under it. */
  renamedWorks: { from: string; to: string }[];
  /** For whoever looks through other files for the same. */
  wording: Wording;
}

export interface ForgottenMemory {
  id: number;
  kind: MemoryKind;
  title: string;
  projectId: number | null;
  files: string[];
}
