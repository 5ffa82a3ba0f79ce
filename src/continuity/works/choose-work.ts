import type { BoundBy, Work } from '../../model/work.ts';
import type { ContinuityStore } from '../../store/continuity-store.ts';
import { agrees, wantsToGoOn } from './going-on.ts';
import { type Likeness, likenessOf, mostAlike } from './likeness.ts';
import { isBeingWorkedOn, stagedWorks } from './staged.ts';
import { tellingOf, wordsOfPrompt } from './telling-words.ts';
import { namedInFull } from './works.ts';

export interface Asked {
  agentSession: string;
  projectId: number;
  worktree: string | null;
  branch: string | null;
  /** The person's words, without what is private or secret. */
  text: string;
  now: number;
}

export interface Choice {
  work: Work | 'new';
  by: BoundBy;
}

const CANDIDATES = 100;
const FORGOTTEN_MS = 60 * 86_400_000;
const MOST_NAMES = 20;
/** A session is told of one of the latest works when it begins. */
const MOST_TOLD = 10;
/** So many telling words say what a prompt is about. */
const ENOUGH_WORDS = 2;
/** And so many of any sort, that something is told. */
const MANY_WORDS = 4;
/** Less than this share in common with what is staged, and it is about something else. */
const IN_COMMON = 0.15;

/**
 * Which work a prompt belongs to: the one its session has, the one it names, the one that waits, the one that is
 * clearly about the same; else a new one. Null for a prompt that says nothing of what it is about.
 */
export function chooseWork(store: ContinuityStore, asked: Asked): Choice | null {
  const { agentSession, text, now } = asked;
  const own = store.workOfSession(agentSession);
  if (own && own.closedAt === null) return { work: own, by: store.boundBy(agentSession) ?? 'new' };
  if (!saysSomething(text)) return null;
  const named = namedWork(store, asked);
  if (named) return { work: named, by: 'name' };

  const words = wordsOfPrompt(text);
  const goesOn = wantsToGoOn(text);
  if (words.size === 0 && !goesOn && !agrees(text)) return null;
  const staged = stagedWorks(store, asked, now);
  const waiting = waitingWorks(store, asked, staged);
  const telling = tellingOf(words);
  // What a session was at when it was killed is gone on with only by whoever plainly wants to go on.
  const isMeant = ({ mode }: Work) => mode !== 'active' || goesOn || words.size === 0;
  const offered = waiting.find(isMeant) ?? (goesOn || words.size === 0 ? staged[0] : undefined);
  if (telling.length < ENOUGH_WORDS && offered) return { work: offered, by: 'staged' };
  if (words.size === 0) return null;

  const recent = recentWorks(store, asked);
  const told = recent.slice(0, MOST_TOLD).find(({ id }) => store.wasTold(agentSession, id, 0));
  const saysLittle = telling.length < ENOUGH_WORDS && words.size < MANY_WORDS;
  if (saysLittle && told) return { work: told, by: 'staged' };
  if (goesOn) return recent[0] ? { work: recent[0], by: 'similar' } : null;
  const isWaiting = (work: Work) => waiting.some(({ id }) => id === work.id);
  const all = [...waiting, ...recent.filter((work) => !isWaiting(work))];
  const likeness = likenessOf(store, all, words);
  const spoken = spokenOf(telling, likeness.slice(0, waiting.length));
  if (spoken) return { work: spoken, by: 'staged' };
  const alike = mostAlike(words, likeness);
  return alike ? { work: alike, by: 'similar' } : { work: 'new', by: 'new' };
}

/** A slash command is not about anything: what it does, the agent is told elsewhere. */
export function saysSomething(text: string): boolean {
  const said = text.replace(/\[(?:private|redacted:[\w-]{1,40})\]/g, '').trim();
  return said !== '' && !/^\/[A-Za-z][\w:.-]*(?:\s|$)/.test(said);
}

/** As names are; bounded, since a pasted text may be one long word. */
const WITH_HYPHEN = /[^\s"'`“”„«»()[\]{},;:!?/\\]{1,50}-[^\s"'`“”„«»()[\]{},;:!?/\\]{1,50}/g;

/** `work: <name>` names any work; a name in passing only one of this project, and only if it cannot be a mere word. */
function namedWork(store: ContinuityStore, { text, projectId }: Asked): Work | null {
  const inFull = namedInFull(text);
  if (inFull) return store.workByName(inFull.replace(/[.!?"'`]+$/, ''));
  const names = text.slice(0, 4_000).match(WITH_HYPHEN) ?? [];
  const works = new Map<number, Work>();
  for (const name of [...new Set(names)].slice(0, MOST_NAMES)) {
    const work = store.workByName(name.replace(/\.+$/, '').toLowerCase());
    if (work && work.projectId === projectId) works.set(work.id, work);
  }
  return works.size === 1 ? ([...works.values()][0] ?? null) : null;
}

/** What nobody is at: first what the session was given when it began. */
function waitingWorks(store: ContinuityStore, asked: Asked, staged: Work[]): Work[] {
  const { agentSession, now } = asked;
  const waiting = staged.filter((work) => !isBeingWorkedOn(store, work, agentSession, now));
  const given = givenTo(store, asked);
  return given ? [given, ...waiting.filter(({ id }) => id !== given.id)] : waiting;
}

/** The likeliest that has something in common with what was said; none, and it is plainly about something else. */
function spokenOf(telling: string[], waiting: Likeness[]): Work | null {
  const shares = waiting.map(({ work, shared }) => ({
    work,
    share: telling.filter((word) => shared.has(word)).length / telling.length,
  }));
  const best = Math.max(IN_COMMON, ...shares.map(({ share }) => share));
  return shares.find(({ share }) => share >= best)?.work ?? null;
}

/** What the session was told of when it began. */
function givenTo(store: ContinuityStore, { projectId, agentSession }: Asked): Work | null {
  const given = store
    .handoffs({ projectId, states: ['given'], limit: 20 })
    .find((handoff) => handoff.givenTo === agentSession);
  return given ? store.work(given.workId) : null;
}

/** Where one stands first, then the latest. */
function recentWorks(store: ContinuityStore, { projectId, worktree, now }: Asked): Work[] {
  const works = store
    .works({ projectId, limit: CANDIDATES })
    .filter(({ changedAt }) => now - changedAt < FORGOTTEN_MS);
  const isHere = (work: Work) => work.worktree === worktree;
  return [...works.filter(isHere), ...works.filter((work) => !isHere(work))];
}
