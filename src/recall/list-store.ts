import { buildSearchText } from '../indexing/search-text.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import type {
  QueryWords,
  ScopeCounts,
  SearchDoc,
  SearchFilter,
  SearchScope,
  SearchSource,
} from '../store/types/search.ts';
import type { RecallStore } from './gather-candidates.ts';
import { hasTerm, orderByWords } from './list-order.ts';
import { readNeighbours } from './list-sessions.ts';

export interface ListedMemory {
  memory: StoredMemory;
  /** The agent whose session has left it. */
  agent: string | null;
  /** Names in its files. */
  symbols: string[];
}

/** Of all memories that the listed ones were selected from. */
export interface ListStatistics {
  docs: number;
  /** How many have a term; undefined if that was not counted. */
  countTerm(term: string): number | undefined;
}

export interface ListDoc extends SearchDoc {
  agent: string | null;
  project: string | null;
  files: string[];
}

/** Recall's reading contract over a list of memories; the same answers as the store gives that has them. */
export function createListStore(
  listed: ListedMemory[],
  statistics?: ListStatistics,
): RecallStore & Required<Pick<RecallStore, 'readSearchSource'>> {
  const sources = new Map(listed.map((each) => [each.memory.id * 2, toSource(each)]));
  const docs = new Map(listed.map((each) => [each.memory.id * 2, toDoc(each)]));
  const all = [...docs.values()];

  function countTerms(scope: SearchScope, terms: string[]): ScopeCounts {
    const inside = all.filter((doc) => isInScope(doc, scope));
    const counted = all.filter((doc) => isInProjects(doc, scope));
    const words = counted.reduce((sum, doc) => sum + doc.words, 0);
    return {
      docs: statistics?.docs ?? counted.length,
      averageWords: counted.length > 0 ? words / counted.length : 0,
      terms: terms.map((term) =>
        Math.max(inside.filter((doc) => hasTerm(doc, term)).length, statistics?.countTerm(term) ?? 0),
      ),
    };
  }

  return {
    countTerms,
    findSearchCandidates(words: QueryWords, filter: SearchFilter, limit: number): number[] {
      const isWanted = (doc: ListDoc) =>
        words.any.some((term) => hasTerm(doc, term)) ||
        words.pairs.some((pair) => pair.every((term) => hasTerm(doc, term)));
      const found = all.filter((doc) => isFitting(doc, filter) && isWanted(doc));
      return orderByWords(found, all, [...words.any, ...words.pairs.flat()])
        .slice(0, limit)
        .map(({ id }) => id);
    },
    listNewestDocs: (filter: SearchFilter, limit: number): number[] =>
      all
        .filter((doc) => isFitting(doc, filter))
        .sort((one, other) => other.at - one.at || other.id - one.id)
        .slice(0, limit)
        .map(({ id }) => id),
    readSearchDocs: (ids: number[], around: number): SearchDoc[] => readNeighbours(docs, ids, around),
    readSearchSource: (id: number): SearchSource | null => sources.get(id) ?? null,
  };
}

function toSource({ memory, symbols }: ListedMemory): SearchSource {
  const { kind, type, title, subtitle, narrative, facts, concepts, parts, aliases, branch, saidBy } = memory;
  return {
    ...{ kind, type, title, subtitle, narrative, facts, concepts, parts, aliases, branch, saidBy, symbols },
    files: filesOf(memory),
    request: '',
    siblings: [],
    isSuperseded: memory.supersededBy !== null,
  };
}

function filesOf({ filesModified, filesRead }: StoredMemory): string[] {
  return [...new Set([...filesModified, ...filesRead])];
}

function toDoc(listed: ListedMemory): ListDoc {
  const { memory, agent } = listed;
  const text = buildSearchText(toSource(listed));
  const {
    id,
    kind,
    type,
    projectId,
    project,
    sessionId,
    at,
    branch,
    saidBy,
    supersededBy,
    pinnedAt,
    mergedAt,
  } = memory;
  return {
    ...text,
    ...{
      kind,
      type,
      projectId,
      project,
      sessionId,
      at,
      branch,
      saidBy,
      supersededBy,
      pinnedAt,
      mergedAt,
      agent,
    },
    id: id * 2,
    isGlobal: memory.scope === 'global' ? 1 : 0,
    words: countWords(text.title) + countWords(text.body),
    files: filesOf(memory).map((path) => `/${path.toLowerCase()}/`),
    previous: null,
    next: null,
  };
}

/** Texts of the index have a space before and after each word. */
function countWords(words: string): number {
  return words === '' ? 0 : words.split(' ').length - 2;
}

function isInProjects({ projectId, project }: ListDoc, { projects }: SearchScope): boolean {
  if (projects === null) return true;
  const names = projects.map((asked) => String(asked).toLowerCase());
  return (
    (projectId !== null && projects.includes(projectId)) ||
    (project !== null && names.includes(project.toLowerCase()))
  );
}

function isInScope(doc: ListDoc, scope: SearchScope): boolean {
  return scope.kinds.includes(doc.kind) && (doc.isGlobal === 1 || isInProjects(doc, scope));
}

function isFitting(doc: ListDoc, filter: SearchFilter): boolean {
  const { phrases, without, types, branches, agents, files, since, before } = filter;
  return (
    isInScope(doc, filter) &&
    phrases.every((phrase) => hasTerm(doc, phrase)) &&
    !without.some((phrase) => hasTerm(doc, phrase)) &&
    (types.length === 0 || (doc.type !== null && types.includes(doc.type))) &&
    (branches.length === 0 || (doc.branch !== null && branches.includes(doc.branch))) &&
    (agents.length === 0 || (doc.agent !== null && agents.includes(doc.agent))) &&
    (files.length === 0 || files.some((asked) => doc.files.some((path) => isPathIn(path, asked)))) &&
    (since === null || doc.at >= since) &&
    (before === null || doc.at < before) &&
    (!filter.withoutSuperseded || doc.supersededBy === null)
  );
}

/** `asked`: a suffix or a folder, where `*` and `?` stand for others. */
function isPathIn(path: string, asked: string): boolean {
  const plain = asked.toLowerCase().replace(/^[./]+|\/+$/g, '');
  const pattern = plain
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`/${pattern}/`, 's').test(path);
}
