import type { MemoryFields } from './memory.ts';

export interface ImportWriteOptions {
  now: number;
  /** Rolls back and reports what would happen. */
  isDryRun: boolean;
}

export interface PortQuery {
  after: number;
  limit: number;
  projectId?: number;
  since?: number;
  withSuperseded: boolean;
}

export interface PortPage {
  memories: PortableMemory[];
  /** The last number of this page; null at the end. */
  last: number | null;
}

/** A memory without the numbers that only one database knows. */
interface MemoryContent extends MemoryFields {
  /** Stable across exports, imports and edits. */
  key: string;
  /** The agent's own id. With the prompt's number it identifies the turn. */
  session: { agent: string; id: string } | null;
  files: PortableFile[];
}

export interface PortableMemory extends MemoryContent {
  project: PortableProject | null;
  supersededBy: string | null;
}

export interface NewMemory extends MemoryContent {
  projectId: number | null;
}

export interface PortableFile {
  path: string;
  how: 'read' | 'write';
  hash: string | null;
  symbols: string[];
}

export interface PortableProject {
  name: string;
  remote?: string;
  /** Only without a remote: on another machine the path means nothing. */
  path?: string;
}

export interface AddedMemory {
  outcome: 'added' | 'known' | 'forgotten';
  id: number | null;
}

export interface PastPrompt {
  session: { agent: string; id: string };
  projectId: number | null;
  number: number;
  text: string;
  at: number;
  /** The program that the prompt is imported from. */
  from: string;
}

export interface ImportedMemory {
  id: number;
  origin: string;
  title: string;
  narrative: string;
  supersededBy: number | null;
}
