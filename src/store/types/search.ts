import type { Summary } from '../../model/memory.ts';
import type { MemoryKind } from './memory.ts';

/** What can be found: memories and prompts of people. */
export type SearchKind = MemoryKind | 'prompt';

export interface SearchSource {
  kind: SearchKind;
  type: string | null;
  title: string;
  subtitle: string;
  narrative: string;
  facts: string[];
  concepts: string[];
  parts: Summary | null;
  aliases: string[];
  files: string[];
  symbols: string[];
  branch: string | null;
  saidBy: string;
  /** The person's request in its turn; empty for a memory without a turn and for a prompt. */
  request: string;
  /** Other memories of its turn that a summary could repeat. */
  siblings: string[];
  isSuperseded: boolean;
}

export interface SearchText {
  title: string;
  body: string;
  header: string;
  /** The share of its text in questions, from 0 to 1. */
  asks: number;
  /** The kinds of answers that it contains. */
  mentions: string;
}

/** The words of a memory's claims, each by itself, and of the header that they share. */
export interface ClaimWords {
  header: string;
  request: string;
  claims: { position: number; words: string }[];
}

/** Everything that is indexed of a document. */
export interface IndexedText extends SearchText {
  /** Null for a prompt and for a superseded memory. */
  claims: ClaimWords | null;
}

/** A claim in the index, or the header that a memory's claims share. */
export interface ClaimDoc {
  memoryId: number;
  /** The session of its memory; null for a note. */
  sessionId: number | null;
  /** From 1; 0 for the header. */
  position: number;
  /** The type of its memory, or the kind if it has no type. */
  type: string;
  words: string;
  /** Empty except in a header. */
  request: string;
}

export interface SearchScope {
  /** By id or name, with merged ones; null for every project. Global memories are always in scope. */
  projects: (number | string)[] | null;
  /** Prompts are in scope only if named. */
  kinds: SearchKind[];
}

export interface QueryWords {
  /** Any of these matches, … */
  any: string[];
  /** … or both of such a pair. */
  pairs: [string, string][];
}

export interface SearchFilter extends SearchScope {
  /** `phrases` must occur literally; `without` must not occur. */
  phrases: string[];
  without: string[];
  types: string[];
  branches: string[];
  agents: string[];
  /** Path suffixes, or folders. */
  files: string[];
  since: number | null;
  before: number | null;
  withoutSuperseded?: boolean;
}

export interface ScopeCounts {
  docs: number;
  /** Average number of words in title and body. */
  averageWords: number;
  /** One per term, in order. */
  terms: number[];
}

export interface SearchDoc extends SearchText {
  id: number;
  kind: SearchKind;
  type: string | null;
  projectId: number | null;
  sessionId: number | null;
  at: number;
  branch: string | null;
  saidBy: string;
  isGlobal: 0 | 1;
  supersededBy: number | null;
  pinnedAt: number | null;
  mergedAt: number | null;
  words: number;
  /** Its neighbours in the session, if they were read. */
  previous: number | null;
  next: number | null;
}
