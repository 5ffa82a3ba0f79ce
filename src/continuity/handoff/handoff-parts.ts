import { relative, sep } from 'node:path';
import { isObject, type Json } from '../../model/json.ts';
import { shorten } from '../../model/shorten.ts';
import { splitPieces } from '../../model/wording.ts';
import type { HandoffParts, Task, WorkItem } from '../../model/work.ts';
import { findCheckout } from '../../platform/git/checkout.ts';
import type { Store } from '../../store/store.ts';
import type { StoredEvent, StoredPrompt } from '../../store/types/event.ts';
import type { StoredMemory } from '../../store/types/memory.ts';
import type { SessionDigest } from '../../store/types/session.ts';
import { hasContent } from '../work-items/choose-work-item.ts';

const WORK_ITEMS_READ = 300;
const MOST = {
  decisions: 15,
  deadEnds: 10,
  files: 20,
  questions: 5,
  nextSteps: 10,
  checkpoints: 3,
  notes: 5,
};
/** Reading more events would take too long. */
const MOST_EVENTS = 3_000;

/** Collects what the memory knows about a work item, without a model, for the session that continues it. */
export function collectHandoffParts(store: Store, work: WorkItem, folder: string): HandoffParts {
  const memories = store.listWorkItemMemories(work.id, WORK_ITEMS_READ);
  const summaries = memories.flatMap(({ parts }) => parts ?? []);
  const sessions = sessionsOf(store, work);
  const [last] = sessions;
  const raw = last && last.events <= MOST_EVENTS ? store.listSessionEvents(last.id) : null;
  const goal = goalOf(store, work);
  return {
    goal,
    state: stateOf(
      summaries.map(({ completed }) => completed),
      last?.lastPrompt && isNews(last.lastPrompt, goal) ? last.lastPrompt : null,
    ),
    decisions: ofType(memories, ['decision', 'preference']).map(formatWithReason).slice(0, MOST.decisions),
    deadEnds: [
      ...ofType(memories, ['gotcha']).map(formatWithReason),
      ...findAbandonedCommands(raw?.events ?? []),
    ].slice(0, MOST.deadEnds),
    files: filesOf(memories, sessions, findCheckout(folder)?.top ?? folder),
    questions: raw ? openQuestions(raw) : [],
    nextSteps: nextStepsOf(
      [...summaries.map((summary) => summary.nextSteps), work.nextSteps],
      store.listTasks(work.id),
    ),
    note: store
      .listWorkNotes(work.id)
      .slice(-MOST.notes)
      .map(({ text }) => text)
      .join('\n'),
  };
}

/** Ordered by their last event, latest first. */
function sessionsOf(store: Store, { id }: WorkItem): SessionDigest[] {
  return store
    .listWorkItemSessions(id)
    .slice(0, MOST.checkpoints)
    .flatMap(({ agentSession }) => digestOf(store, agentSession) ?? [])
    .sort((a, b) => b.lastSeen - a.lastSeen);
}

function digestOf(store: Store, id: string): SessionDigest | undefined {
  return store.findSessions(id).find(({ agentSession }) => agentSession === id);
}

/** Uses the first prompt, which has the full text; the title is cut from it. */
function goalOf(store: Store, work: WorkItem): string {
  const opening = store.listWorkItemSessions(work.id).findLast(({ by }) => by === 'new');
  const prompt = opening && digestOf(store, opening.agentSession)?.firstPrompt;
  return prompt && hasContent(prompt) ? shorten(prompt, 600) : work.title;
}

function isNews(lastPrompt: string, goal: string): boolean {
  return hasContent(lastPrompt) && shorten(lastPrompt, 600) !== goal;
}

function stateOf(completed: string[], lastPrompt: string | null): string {
  const checkpoints = completed
    .filter((text) => text !== '')
    .slice(0, MOST.checkpoints)
    .reverse();
  const lastRequest = lastPrompt === null ? [] : [`Asked last: ${shorten(lastPrompt, 300)}`];
  return [...checkpoints.map((text) => shorten(text, 600)), ...lastRequest].join('\n\n');
}

function ofType(memories: StoredMemory[], types: string[]): StoredMemory[] {
  return memories.filter(({ type }) => type !== null && types.includes(type));
}

function formatWithReason({ title, narrative }: StoredMemory): string {
  const why = shorten(narrative, 300);
  return why === '' || why.startsWith(title) ? why || title : `${title}: ${why}`;
}

/** Commands whose last run failed and that did not succeed in another form. */
function findAbandonedCommands(events: StoredEvent[]): string[] {
  const last = new Map<string, { command: string; event: StoredEvent }>();
  for (const event of events) {
    const command = commandOf(event);
    if (command === null || LOOKING.test(command)) continue;
    const program = command.split(/\s+/).slice(0, 2).join(' ');
    last.delete(program);
    last.set(program, { command, event });
  }
  return [...last.values()]
    .filter(({ event }) => event.outcome === 'failure')
    .map(({ command, event }) => {
      const error = errorIn(event.response);
      return `\`${shorten(command, 120)}\` failed when it was last run${error && `: ${shorten(error, 200)}`}`;
    })
    .reverse();
}

/** Commands that only look around: a missing file or command is not a dead end. */
const LOOKING =
  /^\s*(?:\[|(?:ls|cat|grep|rg|find|fd|test|which|command|head|tail|stat|wc|sed|awk|diff|cd|echo|git (?:status|diff|log|show|grep|blame))\b)/;

function commandOf({ does, input }: StoredEvent): string | null {
  if (does !== 'command' || !isObject(input) || typeof input.command !== 'string') return null;
  return input.command.replace(/^\s*cd\s+[^&;|]+&&\s*/, '').trim() || null;
}

function errorIn(response: Json): string {
  const lines = (typeof response === 'string' ? response : '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:Error: )?Exit code \d+$/.test(line));
  return (
    lines.find((line) => /\b(?:error|fail(?:ed|ure)?|cannot|not found|denied)\b/i.test(line)) ??
    lines[0] ??
    ''
  );
}

/** The files with the last action on each, latest first. */
function filesOf(memories: StoredMemory[], sessions: SessionDigest[], top: string): HandoffParts['files'] {
  const files = new Map<string, string>();
  const add = (path: string, what: string) => {
    if (!files.get(path)) files.set(path, what);
  };
  for (const { changedFiles } of sessions) for (const path of changedFiles) add(relativeTo(path, top), '');
  for (const { kind, title, filesModified } of memories)
    for (const path of filesModified) add(path, kind === 'summary' ? '' : title);
  const all = [...files].map(([path, what]) => ({ path, what }));
  const more = all.length - MOST.files;
  return more > 0 ? [...all.slice(0, MOST.files), { path: `and ${more} more`, what: '' }] : all;
}

function relativeTo(path: string, top: string): string {
  return path.startsWith(top + sep) ? relative(top, path).split(sep).join('/') : path;
}

/** Questions in the agent's last message, if no prompt followed it. */
function openQuestions({ prompts, events }: { prompts: StoredPrompt[]; events: StoredEvent[] }): string[] {
  const closing = events.findLast(({ kind, text }) => kind === 'turn-end' && text);
  if (!closing?.text || prompts.some(({ at, origin }) => origin === 'person' && at > closing.at)) return [];
  return splitPieces(closing.text)
    .map((piece) => shorten(piece.replace(/^[\s>*#-]+|[*_]+$/g, ''), 300))
    .filter((piece) => piece.endsWith('?'))
    .slice(-MOST.questions);
}

function nextStepsOf(texts: string[], tasks: Task[]): string[] {
  const steps = texts.find((text) => text.trim() !== '');
  if (steps !== undefined)
    return splitPieces(steps)
      .map((piece) => piece.replace(/^\s*(?:[-*]|\d+[.)])?\s*/, '').trim())
      .filter((piece) => piece !== '')
      .slice(0, MOST.nextSteps);
  return tasks
    .filter(({ state }) => state === 'open' || state === 'doing')
    .map(({ subject }) => subject)
    .slice(0, MOST.nextSteps);
}
