import { dirname } from 'node:path';
import { formatAge, formatCount } from '../../context/words.ts';
import { stateFileOf } from '../../continuity/mirror/mirror.ts';
import { shorten } from '../../model/shorten.ts';
import { type GitSnapshot, TASK_MARKS, type WorkItem } from '../../model/work.ts';
import type { Store } from '../../store/store.ts';
import { type Call, printJson } from './command.ts';
import { printWrapped } from './rows.ts';

export function showWorkItem(call: Call, store: Store, work: WorkItem): number {
  const { paint, out, now, paths, options } = call;
  const sessions = store.listWorkItemSessions(work.id);
  const plans = store.listPlans(work.id);
  const tasks = store.listTasks(work.id);
  const handoffs = store.listHandoffs({ workId: work.id, limit: 100 });
  const notes = store.listWorkNotes(work.id);
  const git = store.listGitStates(work.id, 1)[0] ?? null;
  if (options.json) {
    printJson(call, { ...work, sessions, plans, tasks, handoffs, notes, git });
    return 0;
  }
  const section = (title: string, lines: string[]) => {
    if (lines.length === 0) return;
    out(`\n${paint.bold(title)}`);
    for (const line of lines) printWrapped(call, line, 2);
  };
  const mode = work.closedAt === null ? work.mode : `closed ${formatAge(work.closedAt, now())}`;
  printWrapped(call, `${paint.bold(work.name)} · ${work.title}`, 2);
  printWrapped(
    call,
    paint.dim([work.project, mode, work.branch ?? [], work.worktree ?? []].flat().join(' · ')),
    2,
  );
  printWrapped(
    call,
    paint.dim(
      `opened ${formatAge(work.openedAt, now())}, changed ${formatAge(work.changedAt, now())}, ${formatCount(sessions.length, 'session')}`,
    ),
    2,
  );
  section('Next steps', work.nextSteps === '' ? [] : [work.nextSteps]);
  section(
    'Tasks',
    tasks
      .filter(({ state }) => state !== 'dropped')
      .map(({ number, state, subject }) => `${TASK_MARKS[state]} ${number}. ${shorten(subject, 100)}`),
  );
  section(
    'Plan',
    plans
      .slice(0, 3)
      .map(({ version, state, at }) => `version ${version}, ${state}, ${formatAge(at, now())}`),
  );
  section(
    'Handoffs',
    handoffs
      .slice(0, 3)
      .map(({ number, state, at }) => `${work.name}/${number}, ${state}, ${formatAge(at, now())}`),
  );
  section(
    'Notes',
    notes.map(({ text, at }) => `- ${text} ${paint.dim(formatAge(at, now()))}`),
  );
  section('Git', git ? gitLines(git, now()) : []);
  out('');
  printWrapped(call, paint.dim(`Files: ${dirname(stateFileOf(paths, work))}`), 2);
  return 0;
}

function gitLines({ state, at, folder }: GitSnapshot, now: number): string[] {
  const dirty = state.dirty.length + state.moreDirty;
  const where = [state.branch ?? 'no branch', state.head?.slice(0, 12) ?? []].flat().join(' at ');
  return [
    `${where}, ${dirty === 0 ? 'nothing uncommitted' : `${formatCount(dirty, 'file')} uncommitted`} (${formatAge(at, now)})`,
    folder,
  ];
}
