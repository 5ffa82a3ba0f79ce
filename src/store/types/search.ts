import type { Summary } from '../../model/memory.ts';
import type { MemoryKind } from './memory.ts';

/** What can be found: memories, and what people asked. */
export type SearchKind = MemoryKind | 'prompt';

/** A memory or a prompt as it is to be indexed. */
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
}

/** Its words, with one space before and after each. */
export interface SearchText {
  title: string;
  body: string;
  header: string;
  /** The share of its text that is in questions, from 0 to 1. */
  asks: number;
  /** What could answer a question by its kind. */
  mentions: string;
}

export interface SearchScope {
  /** By id or by name, with whatever was merged into them; null for every project. What is global is always in scope. */
  projects: (number | string)[] | null;
  /** Prompts are in scope only where they are named. */
  kinds: SearchKind[];
}

export interface QueryWords {
  /** Any of these will do, … */
  any: string[];
  /** … or both of such a pair. */
  pairs: [string, string][];
}

export interface SearchFilter extends SearchScope {
  /** Words that must stand there as they are, one after the other; and such as must not. */
  phrases: string[];
  without: string[];
  types: string[];
  branches: string[];
  agents: string[];
  /** Ends of paths, or folders. */
  files: string[];
  since: number | null;
  before: number | null;
}

export interface ScopeCounts {
  docs: number;
  /** Words in a document's title and body, on average. */
  averageWords: number;
  /** As many as there were terms, in their order. */
  terms: number[];
}

export interface SearchDoc extends SearchText {
  id: number;
  kind: SearchKind;
  type: string | null;
  /** The project it counts as. */
  projectId: number | null;
  sessionId: number | null;
  at: number;
  branch: string | null;
  saidBy: string;
  isGlobal: 0 | 1;
  supersededBy: number | null;
  pinnedAt: number | null;
  mergedAt: number | null;
  /** Of title and body together. */
  words: number;
  /** Before and after it in its session, as far as that was looked up. */
  previous: number | null;
  next: number | null;
}
