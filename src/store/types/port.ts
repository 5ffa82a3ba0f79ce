import type { ObservationType, Summary } from '../../model/memory.ts';
import type { MemoryKind } from './memory.ts';

export interface ImportWriteOptions {
  now: number;
  /** Tells what would become of each, and takes it back. */
  isDryRun: boolean;
}

export interface PortQuery {
  /** The last number of the page before. */
  after: number;
  limit: number;
  projectId?: number;
  since?: number;
  withSuperseded: boolean;
}

export interface PortPage {
  memories: PortableMemory[];
  /** The last number of this page; null when nothing is left. */
  last: number | null;
}

/** Everything that a memory is, without the numbers which only one database knows. */
interface MemoryContent {
  /** The same wherever it goes, and however often it is edited. */
  key: string;
  kind: MemoryKind;
  type: ObservationType | null;
  title: string;
  subtitle: string;
  narrative: string;
  facts: string[];
  concepts: string[];
  aliases: string[];
  parts: Summary | null;
  scope: 'project' | 'global';
  strength: number;
  saidBy: string;
  distiller: string;
  at: number;
  pinnedAt: number | null;
  editedAt: number | null;
  mergedAt: number | null;
  /** By the agent's own name for it. With the prompt's number it tells the turn. */
  session: { agent: string; id: string } | null;
  prompt: number | null;
  branch: string | null;
  commit: string | null;
  files: PortableFile[];
}

export interface PortableMemory extends MemoryContent {
  project: PortableProject | null;
  /** The key of the memory that took its place. */
  supersededBy: string | null;
}

export interface NewMemory extends MemoryContent {
  projectId: number | null;
}

export interface PortableFile {
  path: string;
  how: 'read' | 'write';
  /** How it looked when the memory was made, where that is known. */
  hash: string | null;
  symbols: string[];
}

export interface PortableProject {
  name: string;
  remote?: string;
  /** Only where there is no remote: on another machine it says nothing. */
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
  /** Who kept it until now. */
  from: string;
}

export interface ImportedMemory {
  id: number;
  origin: string;
  title: string;
  narrative: string;
  supersededBy: number | null;
}
