import { countTokens } from '../../model/tokens.ts';
import type { ListedMemory } from '../../recall/list-store.ts';
import type { StoredMemory } from '../../store/types/memory.ts';
import type { TeamMemory } from './team-memory.ts';

export interface FormOptions {
  id: number;
  project: string;
  projectId: number;
  supersededBy: number | null;
  author: string | null;
}

/** Converts a memory of the server to the form of a stored one. */
export function toListed(memory: TeamMemory, options: FormOptions): ListedMemory {
  const symbols = memory.text.files.flatMap((file) => file.symbols);
  return { memory: toStoredForm(memory, options), agent: null, symbols };
}

export function toStoredForm({ text, pinnedAt }: TeamMemory, options: FormOptions): StoredMemory {
  const { files, ...fields } = text;
  const { title, subtitle, narrative, facts, parts } = text;
  const pathsOf = (how: 'read' | 'write') => files.filter((file) => file.how === how).map(({ path }) => path);
  return {
    ...fields,
    ...options,
    tokens: countTokens(
      [title, subtitle, narrative, ...facts, ...Object.values(parts ?? {}).flat()].join('\n'),
    ),
    filesRead: pathsOf('read'),
    filesModified: pathsOf('write'),
    pins: files.flatMap(({ path, hash, symbols }) => (hash === null ? [] : [{ path, hash, symbols }])),
    ...{ strength: 1, prompt: null, scope: 'project', pinnedAt, mergedAt: null },
    ...{ turnId: null, sessionId: null, origin: null },
  };
}
