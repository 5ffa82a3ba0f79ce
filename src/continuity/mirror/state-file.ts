import type { GitSnapshot, Handoff, Plan, Task, WorkItem, WorkNote, WorkSession } from '../../model/work.ts';
import { blobHash } from '../../platform/git/checkout.ts';

/** Increased when a field changes its meaning; `read-state-file.ts` must then read the older format too. */
export const STATE_FORMAT = 1;

const ABOUT =
  'Written by Cairn from its database. You may change name, title, mode, nextSteps, tasks and notes here: ' +
  'Cairn reads them back. Other fields are read-only.';

/** Everything about a work item at one point in time. */
export interface WorkItemRecord {
  work: WorkItem;
  sessions: WorkSession[];
  plans: WithFile<Plan>[];
  tasks: Task[];
  handoffs: WithFile<Handoff>[];
  notes: WorkNote[];
  git: GitSnapshot | null;
}

/** With the name of its Markdown file and git's hash of the content. */
export type WithFile<T> = T & { file: string; hash: string };

/**
 * A work item as readable JSON. Its last field has digests of each piece as written, so the file itself shows whether
 * and where a person has changed it.
 */
export function formatState(record: WorkItemRecord): string {
  const blank = formatRecord(record, '');
  return formatRecord(record, [blobHash(Buffer.from(blank)), ...stampsOf(record)].join(' '));
}

/** Whether the text is exactly as Cairn wrote it, at any time. */
export function isUnedited(text: string): boolean {
  const match = /"written": "([0-9a-f]+)[^"\n]*"\n\}\n$/.exec(text);
  if (!match) return false;
  const blank = `${text.slice(0, match.index)}"written": ""\n}\n`;
  return blobHash(Buffer.from(blank)) === match[1];
}

/** The stamp of one piece of a state file: its name and a digest of its value. */
export function formatStamp(piece: string, value: string): string {
  return `${piece}:${digest(value)}`;
}

function stampsOf({ work, tasks, notes, ...rest }: WorkItemRecord): string[] {
  return [
    formatStamp('name', work.name),
    formatStamp('title', work.title),
    formatStamp('mode', work.mode),
    formatStamp('nextSteps', work.nextSteps),
    ...tasks.flatMap(({ number, state, subject }) => [
      formatStamp(`task${number}`, ''),
      formatStamp(`state${number}`, state),
      formatStamp(`subject${number}`, subject),
    ]),
    ...notes.map(({ text }) => formatStamp('note', text)),
    formatStamp('rest', JSON.stringify(listFacts({ work, tasks, notes, ...rest }))),
  ];
}

function formatRecord(record: WorkItemRecord, written: string): string {
  const { work, tasks, notes } = record;
  const { id, ...facts } = listFacts(record);
  const state = {
    about: ABOUT,
    format: STATE_FORMAT,
    id,
    name: work.name,
    title: work.title,
    mode: work.mode,
    nextSteps: work.nextSteps,
    tasks: tasks.map(({ number, state, subject }) => ({ number, state, subject })),
    notes: notes.map(({ at, text }) => ({ at: iso(at), text })),
    ...facts,
    written,
  };
  return `${JSON.stringify(state, null, 2)}\n`;
}

/** The read-only fields. */
export function listFacts({ work, sessions, plans, handoffs, git }: WorkItemRecord) {
  return {
    id: work.id,
    project: work.project,
    branch: work.branch,
    worktree: work.worktree,
    opened: iso(work.openedAt),
    changed: iso(work.changedAt),
    closed: work.closedAt === null ? null : iso(work.closedAt),
    sessions: sessions.map(({ agent, agentSession, by, boundAt, endedAt }) => ({
      agent,
      session: agentSession,
      by,
      bound: iso(boundAt),
      ended: endedAt === null ? null : iso(endedAt),
    })),
    plans: plans.map(({ version, state, at, file, hash }) => ({ version, state, at: iso(at), file, hash })),
    handoffs: handoffs.map(({ number, state, by, at, file, hash }) => ({
      number,
      state,
      by,
      at: iso(at),
      file,
      hash,
    })),
    git: git && { at: iso(git.at), moment: git.moment, folder: git.folder, ...git.state },
  };
}

export const READ_ONLY_FIELDS = [
  ...['id', 'project', 'branch', 'worktree', 'opened', 'changed', 'closed'],
  ...['sessions', 'plans', 'handoffs', 'git'],
];

function iso(at: number): string {
  return new Date(at).toISOString();
}

function digest(text: string): string {
  return blobHash(Buffer.from(text)).slice(0, 8);
}
