import { quoteStored, toOneLine } from '../../framing/stored-lines.ts';
import { shorten } from '../../model/shorten.ts';
import {
  type Handoff,
  PENDING_HANDOFF_STATES,
  type Plan,
  TASK_MARKS,
  type Task,
  type WorkItem,
} from '../../model/work.ts';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import type { ContinuityStore } from '../../store/store.ts';
import type { Budget } from '../budget.ts';
import { describeAuthor } from '../colleagues.ts';
import { formatAge, formatCount, formatDay } from '../words.ts';

export interface WorkItemOverview {
  work: WorkItem;
  plan: Plan | null;
  tasks: Task[];
  handoff: Handoff | null;
}

export interface WorkItemDetails extends WorkItemOverview {
  decisions: string[];
}

const LONGEST_LINE = 240;
const LONGEST_DECISION = 200;
const MOST_DECISIONS = 5;
/** Share of the budget: tasks are more important than the plan's text. */
const SHARE_OF_TASKS = 0.45;

export function readWorkItem(store: ContinuityStore, work: WorkItem): WorkItemDetails {
  return { ...readOverview(store, work), decisions: listDecisions(store, work) };
}

/** Reads a work item without its decisions, which take longer to find. */
export function readOverview(store: ContinuityStore, work: WorkItem): WorkItemOverview {
  const [handoff = null] = store.listHandoffs({ workId: work.id, states: PENDING_HANDOFF_STATES, limit: 1 });
  const tasks = store.listTasks(work.id).filter(({ state }) => state !== 'dropped');
  return { work, plan: store.findAcceptedPlan(work.id), tasks, handoff };
}

/** Whether there is something to continue. A session that only asked a question leaves nothing. */
export function hasSomethingLeft({ work, plan, tasks, handoff }: WorkItemOverview): boolean {
  return plan !== null || handoff !== null || tasks.some(isLeft) || work.nextSteps !== '';
}

function isLeft({ state }: Task): boolean {
  return state === 'open' || state === 'doing';
}

export function listDecisions(store: ContinuityStore, { id: workId }: WorkItem): string[] {
  return store
    .listWorkItemMemoryTitles(workId, { type: 'decision', limit: MOST_DECISIONS })
    .map(({ id, title }) => `${shorten(title, LONGEST_DECISION)} (#${id})`);
}

/** The work item for the session that continues it, within the budget; open tasks come first. */
export function formatWorkItem(details: WorkItemDetails, budget: Budget, now: number): string[] {
  const { work, plan, handoff } = details;
  const head = headLine(details, now);
  const ask = 'Check it against the current state before you continue: some of it may be done or outdated.';
  if (![head, ask].every((line) => budget.spend(line))) return [];
  const tasks = fitLines('Tasks:', taskLines(details.tasks), budget.part(SHARE_OF_TASKS));
  const handed = handoff ? handoffLines(handoff, budget) : [];
  const planned = plan ? planLines(plan, work, budget) : [];
  // A handoff has the decisions in its author's words.
  const decisions = handoff?.parts.decisions.length
    ? []
    : fitLines('Decided:', details.decisions.map(asItem), budget);
  const next = tasks.length + handed.length === 0 ? nextLine(work, budget) : [];
  const foot = withCairnCommand(
    `Mark tasks as done: the tool \`tasks\` of the MCP server cairn, or \`cairn tasks done <number>\` in a shell.`,
  );
  const howTo = tasks.length > 0 && budget.spend(foot) ? [foot] : [];
  return [head, ask, ...handed, ...planned, ...tasks, ...decisions, ...next, ...howTo];
}

/** A line that identifies one of several work items. */
export function formatTitleLine({ work, tasks }: WorkItemOverview): string {
  const waits = {
    has_plan: 'has a plan',
    has_handoff: 'was handed off',
    active: 'in progress',
    idle: 'idle',
  };
  return `- ${toOneLine(work.name)}: ${shorten(work.title, 100)} (${[waits[work.mode], ...formatTaskProgress(tasks)].join(', ')})`;
}

function headLine({ work, tasks }: WorkItemDetails, now: number): string {
  const facts = [
    ...(work.branch ? [`on ${toOneLine(work.branch)}`] : []),
    ...formatTaskProgress(tasks),
    `last worked on ${formatAge(work.changedAt, now)}`,
  ];
  return `Work in progress: ${toOneLine(work.name)}: ${shorten(work.title, LONGEST_LINE)} (${facts.join(', ')})`;
}

export function formatTaskProgress(tasks: Task[]): string[] {
  const counting = tasks.filter(({ state }) => state !== 'dropped');
  const done = counting.filter(({ state }) => state === 'done').length;
  return counting.length > 0 ? [`${done} of ${formatCount(counting.length, 'task')} done`] : [];
}

/** Open tasks in full, in order; finished ones only if they are few. */
function taskLines(tasks: Task[]): string[] {
  const done = tasks.filter(({ state }) => state === 'done');
  const open = tasks.filter(({ state }) => state === 'open' || state === 'doing');
  const shown = done.length > 6 ? done.slice(-3) : done;
  const left = done.length - shown.length;
  return [
    ...open.map(formatTask),
    ...shown.map(formatTask),
    ...(left > 0 ? [`(${left} more are done)`] : []),
  ];
}

export function formatTask({ number, subject, state }: Pick<Task, 'number' | 'subject' | 'state'>): string {
  return `${TASK_MARKS[state]} ${number} ${shorten(subject, LONGEST_LINE)}`;
}

function planLines(plan: Plan, { name }: WorkItem, budget: Budget): string[] {
  const heading = `Plan, version ${plan.version}, accepted ${formatDay(plan.decidedAt ?? plan.at)}:`;
  const text = quoteStored(plan.text);
  if (budget.spend(`${heading}\n${text}`)) return [heading, text];
  const pointer = withCairnCommand(`(More: \`cairn plan show ${toOneLine(name)}\`.)`);
  if (!budget.spend(`${heading}\n${pointer}`)) return [];
  const lines = text.split('\n');
  const cut = lines.findIndex((line) => !budget.spend(line));
  return [heading, ...lines.slice(0, cut === -1 ? lines.length : cut), pointer];
}

function handoffLines({ parts, number, at, by, from }: Handoff, budget: Budget): string[] {
  const state =
    by === 'agent' ? 'by the agent' : by === 'person' ? 'by the person' : 'when its window was full';
  const source = from === null ? state : `${describeAuthor(from)}, to you`;
  const heading = `Handed off (${number}, ${formatDay(at)}, ${source}):`;
  if (!budget.spend(heading)) return [];
  const sections: [string, string[]][] = [
    ['Goal', [parts.goal]],
    ['Note', [parts.note]],
    ['Next', parts.nextSteps],
    ['State', [parts.state]],
    ['Decided', parts.decisions],
    ['Dead ends', parts.deadEnds],
    ['Open questions', parts.questions],
    ['Files', parts.files.map(({ path, what }) => (what ? `${path}: ${what}` : path))],
  ];
  const lines = sections.flatMap(([name, details]) => {
    const items = details.filter((text) => text.trim() !== '');
    if (items.length === 1 && items[0] !== undefined) {
      const line = `${name}: ${shorten(items[0], 600)}`;
      return budget.spend(line) ? [line] : [];
    }
    return fitLines(
      `${name}:`,
      items.map((text) => asItem(shorten(text, LONGEST_LINE))),
      budget,
    );
  });
  return [heading, ...lines];
}

function nextLine({ nextSteps }: WorkItem, budget: Budget): string[] {
  const line = `Next: ${shorten(nextSteps, 400)}`;
  return nextSteps !== '' && budget.spend(line) ? [line] : [];
}

/** As many lines as fit, after the heading if there is at least one. */
function fitLines(heading: string, items: string[], budget: Budget): string[] {
  const [first, ...others] = items;
  if (first === undefined || !budget.spend(`${heading}\n${first}`)) return [];
  const cut = others.findIndex((line) => !budget.spend(line));
  const shown = cut === -1 ? others : others.slice(0, cut);
  const left = others.length - shown.length;
  const rest = left > 0 && budget.spend(`(${left} more)`) ? [`(${left} more)`] : [];
  return [heading, first, ...shown, ...rest];
}

function asItem(text: string): string {
  return `- ${text}`;
}
