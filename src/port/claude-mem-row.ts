import { splitTitle } from '../curation/remember.ts';
import { OBSERVATION_TYPES, type ObservationType } from '../model/memory.ts';
import type { ClaudeMemRow, ClaudeMemTable } from '../store/sqlite/claude-mem.ts';
import type { NewMemory, PortableFile } from '../store/types/port.ts';

/** A memory without its project: claude-mem stores only the name of the project's folder. */
type ClaudeMemMemory = Omit<NewMemory, 'projectId'>;

/** Includes the time, because the database of another machine has the same numbers. */
export function makeRowKey(table: ClaudeMemTable, row: ClaudeMemRow): string {
  return `claude-mem:${table}:${row.id}@${timeOf(row)}`;
}

/** Texts are cleaned before anything is derived from them: half a secret in a title is not recognised. */
type Clean = (text: string) => string;

/** Tolerates missing columns. Null if nothing may be kept. */
export function parseObservation(row: ClaudeMemRow, clean: Clean): ClaudeMemMemory | null {
  if (isByHand(row)) return noteIn(row, clean);
  const text = clean(textIn(row.text));
  const ownTitle = clean(textIn(row.title)).replace(/\s+/g, ' ');
  const narrative = clean(textIn(row.narrative)) || (ownTitle ? text : '');
  const facts = cleanList(row.facts, clean);
  const title = ownTitle || headingOf(narrative || text || facts[0] || '');
  if (title === '') return null;
  const concepts = cleanList(row.concepts, clean);
  const { type, extra } = typeOf(textIn(row.type), concepts);
  return {
    ...common('observations', row),
    kind: 'observation',
    type,
    title,
    subtitle: clean(textIn(row.subtitle)),
    narrative: narrative || (text === title ? '' : text),
    facts,
    concepts: [...new Set([...concepts, ...extra])],
    parts: null,
    files: parseFiles(row),
  };
}

/** A note that the agent was asked to remember. claude-mem stores it as an observation, possibly with a generated title. */
function noteIn(row: ClaudeMemRow, clean: Clean): ClaudeMemMemory | null {
  const ownTitle = textIn(row.title);
  const text = textIn(row.narrative);
  const isTitleOfText = text.startsWith(ownTitle.replace(/\.\.\.$/, ''));
  const { title, narrative } = isTitleOfText
    ? splitTitle(clean(text))
    : { title: clean(ownTitle), narrative: clean(text) };
  if (title === '') return null;
  return {
    ...common('observations', row),
    kind: 'note',
    type: null,
    title: title.replace(/\s+/g, ' '),
    subtitle: '',
    narrative,
    facts: [],
    concepts: [],
    parts: null,
    saidBy: 'agent',
    files: [],
  };
}

export function parseSummary(row: ClaudeMemRow, clean: Clean): ClaudeMemMemory | null {
  const filesRead = listIn(row.files_read);
  const filesModified = listIn(row.files_edited);
  const texts = {
    request: clean(textIn(row.request)),
    investigated: clean(textIn(row.investigated)),
    learned: clean(textIn(row.learned)),
    completed: clean(textIn(row.completed)),
    nextSteps: clean(textIn(row.next_steps)),
    notes: clean(textIn(row.notes)),
  };
  const [first] = [texts.request, texts.completed, texts.learned, ...Object.values(texts)].filter(Boolean);
  if (first === undefined) return null;
  return {
    ...common('session_summaries', row),
    kind: 'summary',
    type: null,
    title: headingOf(first),
    subtitle: '',
    narrative: '',
    facts: [],
    concepts: [],
    parts: { ...texts, filesRead, filesModified },
    files: parseFiles(row),
  };
}

export interface ClaudeMemPrompt {
  session: string;
  number: number;
  text: string;
  at: number;
}

/** claude-mem's text for a prompt with only a picture. */
const NO_WORDS = '[media prompt]';

export function parsePrompt(row: ClaudeMemRow): ClaudeMemPrompt | null {
  const session = textIn(row.content_session_id) || textIn(row.claude_session_id);
  const number = numberIn(row.prompt_number);
  const text = textIn(row.prompt_text);
  return session && number && text && text !== NO_WORDS ? { session, number, text, at: timeOf(row) } : null;
}

/** claude-mem's id of the session; none if it is generated. */
export function readSessionName(row: ClaudeMemRow): string {
  return isByHand(row) ? '' : textIn(row.memory_session_id) || textIn(row.sdk_session_id);
}

function isByHand(row: ClaudeMemRow): boolean {
  return textIn(row.memory_session_id).startsWith('manual-');
}

function common(table: ClaudeMemTable, row: ClaudeMemRow) {
  const model = textIn(row.generated_by_model);
  return {
    key: makeRowKey(table, row),
    aliases: [],
    scope: 'project' as const,
    strength: 1,
    saidBy: 'distiller',
    distiller: model === '' ? 'claude-mem' : `claude-mem ${model}`,
    at: timeOf(row),
    pinnedAt: null,
    editedAt: null,
    mergedAt: null,
    session: null,
    prompt: numberIn(row.prompt_number),
    branch: null,
    commit: null,
  };
}

/** A worktree's project is `parent/worktree`, and the parent after a merge. */
export function readProjectName(row: Record<string, unknown>): string {
  const [name] = (textIn(row.merged_into_project) || textIn(row.project)).split('/');
  return name || 'unknown';
}

/** Some concepts of claude-mem correspond to our types. An unknown type is kept as a concept. */
function typeOf(type: string, concepts: string[]): { type: ObservationType; extra: string[] } {
  const ours = OBSERVATION_TYPES.find((known) => known === type);
  if (ours && ours !== 'discovery') return { type: ours, extra: [] };
  const extra = ours || type === '' ? [] : [type];
  if (type === 'security_alert' || concepts.includes('gotcha')) return { type: 'gotcha', extra };
  if (concepts.includes('how-it-works')) return { type: 'how-it-works', extra };
  return { type: 'discovery', extra };
}

/** Summaries have another column for changed files. */
export function parseFiles(row: ClaudeMemRow): PortableFile[] {
  const asFile = (path: string, how: 'read' | 'write') => ({ path, how, hash: null, symbols: [] });
  const modified = listIn(row.files_modified ?? row.files_edited);
  return [
    ...listIn(row.files_read).map((path) => asFile(path, 'read')),
    ...modified.map((path) => asFile(path, 'write')),
  ].filter(({ path }) => !path.includes('\0'));
}

function cleanList(value: unknown, clean: Clean): string[] {
  return listIn(value)
    .map(clean)
    .filter((item) => item !== '');
}

function headingOf(text: string): string {
  return splitTitle(text).title.replace(/\s+/g, ' ');
}

function timeOf(row: ClaudeMemRow): number {
  const epoch = numberIn(row.created_at_epoch);
  // The first versions stored seconds.
  if (epoch) return epoch < 100_000_000_000 ? epoch * 1_000 : epoch;
  const at = Date.parse(textIn(row.created_at));
  return Number.isNaN(at) ? 0 : at;
}

/** Lists are stored as JSON; other text is a list of lines. */
function listIn(value: unknown): string[] {
  const text = textIn(value);
  if (text === '') return [];
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list.filter((item) => typeof item === 'string' && item.trim() !== '');
  } catch {}
  return text
    .split('\n')
    .map((line) => line.replace(/^\s*[-*]\s+/, '').trim())
    .filter((line) => line !== '');
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : null;
}
