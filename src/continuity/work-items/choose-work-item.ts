import type { BoundBy, WorkItem } from '../../model/work.ts';
import type { ContinuityStore } from '../../store/store.ts';
import { distinctiveWords, promptWords } from './content-words.ts';
import { isAgreement, isContinuePrompt } from './prompt-intent.ts';
import { findWaitingWorkItems, isOpenElsewhere } from './waiting-work-items.ts';
import { findOverlaps, pickClosest, type WordOverlap } from './word-overlap.ts';
import { findNameInPrompt } from './work-items.ts';

export interface WorkItemRequest {
  agentSession: string;
  projectId: number;
  worktree: string | null;
  branch: string | null;
  /** The redacted prompt. */
  text: string;
  now: number;
}

export interface WorkItemChoice {
  work: WorkItem | 'new';
  by: BoundBy;
}

const CANDIDATES = 100;
const FORGOTTEN_MS = 60 * 86_400_000;
const MOST_NAMES = 20;
/** At its start a session is shown one of this many latest work items. */
const MOST_SHOWN = 10;
/** This many distinctive words identify a subject. */
const ENOUGH_WORDS = 2;
/** So does this many words of any kind. */
const MANY_WORDS = 4;
/** A single common word is chance. A match needs several, and a share of the prompt's words, or the name of a file. */
const SHARED_WORDS = 2;
const IN_COMMON = 0.3;
const MOSTLY = 0.5;

/**
 * The work item a prompt belongs to: the one of its session, the one it names, a pending one, or a clearly similar
 * one; else a new one. Null for a prompt without a subject.
 */
export function chooseWorkItem(store: ContinuityStore, request: WorkItemRequest): WorkItemChoice | null {
  const { agentSession, text, now } = request;
  const own = store.findSessionWorkItem(agentSession);
  if (own && own.closedAt === null) return { work: own, by: store.getBinding(agentSession)?.by ?? 'new' };
  if (!hasContent(text)) return null;
  const named = findNamedWorkItem(store, request);
  if (named) return { work: named, by: 'name' };

  const words = promptWords(text);
  const isContinue = isContinuePrompt(text);
  if (words.size === 0 && !isContinue && !isAgreement(text)) return null;
  const left = store.listLeftWorkItems(agentSession);
  const isLeft = ({ id }: WorkItem) => left.has(id);
  const staged = findWaitingWorkItems(store, request, now).filter((work) => !isLeft(work));
  const waiting = findWaiting(store, request, staged).filter((work) => !isLeft(work));
  const distinctive = distinctiveWords(words);
  // The work item of a killed session needs a prompt that clearly asks to continue.
  const isMeant = ({ mode }: WorkItem) => mode !== 'active' || isContinue || words.size === 0;
  const offered = waiting.find(isMeant) ?? (isContinue || words.size === 0 ? staged[0] : undefined);
  if (offered && hasNoOtherSubject(store, offered, distinctive)) return { work: offered, by: 'staged' };
  if (words.size === 0) return null;

  const recent = findRecent(store, request).filter((work) => !isLeft(work));
  const shown = recent.slice(0, MOST_SHOWN).find(({ id }) => store.wasWorkItemShown(agentSession, id, 0));
  const isVague = distinctive.length < ENOUGH_WORDS && words.size < MANY_WORDS;
  if (isVague && shown) return { work: shown, by: 'staged' };
  if (isContinue) return recent[0] ? { work: recent[0], by: 'similar' } : null;
  const isWaiting = (work: WorkItem) => waiting.some(({ id }) => id === work.id);
  const all = [...waiting, ...recent.filter((work) => !isWaiting(work))];
  const overlaps = findOverlaps(store, all, words);
  const mentioned = findMentioned(distinctive, overlaps.slice(0, waiting.length));
  if (mentioned) return { work: mentioned, by: 'staged' };
  const closest = pickClosest(words, overlaps);
  return closest ? { work: closest, by: 'similar' } : { work: 'new', by: 'new' };
}

/** Whether the prompt has no other subject: no distinctive word, or a single one that this work item has too. */
function hasNoOtherSubject(store: ContinuityStore, work: WorkItem, distinctive: string[]): boolean {
  const [word, ...more] = distinctive;
  if (word === undefined) return true;
  return more.length === 0 && findOverlaps(store, [work], new Set([word]))[0]?.shared.has(word) === true;
}

/** A slash command has no subject. */
export function hasContent(text: string): boolean {
  const typed = text.replace(/\[(?:private|redacted:[\w-]{1,40})\]/g, '').trim();
  return typed !== '' && !/^\/[A-Za-z][\w:.-]*(?:\s|$)/.test(typed);
}

/** Limited, because a pasted text may be a single long word. */
const WITH_HYPHEN = /[^\s"'`“”„«»()[\]{},;:!?/\\]{1,50}-[^\s"'`“”„«»()[\]{},;:!?/\\]{1,50}/g;

/**
 * `work: <name>` finds any work item. A name within a sentence finds only one of this project, and only if it is not an
 * ordinary word.
 */
function findNamedWorkItem(store: ContinuityStore, { text, projectId }: WorkItemRequest): WorkItem | null {
  const inFull = findNameInPrompt(text);
  if (inFull) return store.findWorkItem(inFull.replace(/[.!?"'`]+$/, ''));
  const names = text.slice(0, 4_000).match(WITH_HYPHEN) ?? [];
  const works = new Map<number, WorkItem>();
  for (const name of [...new Set(names)].slice(0, MOST_NAMES)) {
    const work = store.findWorkItem(name.replace(/\.+$/, '').toLowerCase());
    if (work && work.projectId === projectId) works.set(work.id, work);
  }
  return works.size === 1 ? ([...works.values()][0] ?? null) : null;
}

/** Work items without a session, starting with the one that this session was given. */
function findWaiting(store: ContinuityStore, request: WorkItemRequest, staged: WorkItem[]): WorkItem[] {
  const { agentSession, now } = request;
  const waiting = staged.filter((work) => !isOpenElsewhere(store, work, agentSession, now));
  const shown = findHandedOver(store, request);
  return shown ? [shown, ...waiting.filter(({ id }) => id !== shown.id)] : waiting;
}

/** The work item with the most words in common, if they are enough. */
function findMentioned(distinctive: string[], waiting: WordOverlap[]): WorkItem | null {
  const isFile = (word: string) => /[^./]\.[a-z]\w*$|[^/]\/[^/]/i.test(word);
  const [best] = waiting
    .map(({ work, shared }) => {
      const words = distinctive.filter((word) => shared.has(word));
      const share = words.length / distinctive.length;
      const isEnough =
        shared.size >= SHARED_WORDS && share >= (words.length >= SHARED_WORDS ? IN_COMMON : MOSTLY);
      return { work, count: words.length, isMeant: isEnough || words.some(isFile) };
    })
    .filter(({ isMeant }) => isMeant)
    .sort((a, b) => b.count - a.count);
  return best?.work ?? null;
}

/** The work item that the session was given at its start. */
function findHandedOver(
  store: ContinuityStore,
  { projectId, agentSession }: WorkItemRequest,
): WorkItem | null {
  const handoff = store
    .listHandoffs({ projectId, states: ['given'], limit: 20 })
    .find((handoff) => handoff.givenTo === agentSession);
  return handoff ? store.getWorkItem(handoff.workId) : null;
}

/** Those of the current checkout first, then the latest. */
function findRecent(store: ContinuityStore, { projectId, worktree, now }: WorkItemRequest): WorkItem[] {
  const works = store
    .listWorkItems({ projectId, limit: CANDIDATES })
    .filter(({ changedAt }) => now - changedAt < FORGOTTEN_MS);
  const isHere = (work: WorkItem) => work.worktree === worktree;
  return [...works.filter(isHere), ...works.filter((work) => !isHere(work))];
}
