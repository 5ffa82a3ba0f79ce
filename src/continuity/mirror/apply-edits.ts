import { redactValue } from '../../capture/redact/redact-value.ts';
import type { Redacted } from '../../model/redacted.ts';
import type { Task, WorkItem } from '../../model/work.ts';
import type { Log } from '../../platform/log.ts';
import type { Store } from '../../store/store.ts';
import type { NewTask } from '../../store/types/work.ts';
import { finishPlan } from '../plans/plan.ts';
import { TRANSITIONS, type WorkItemEvent } from '../work-items/transitions.ts';
import { changeMode } from '../work-items/work-items.ts';
import type { EditableState, EditableTask } from './read-state-file.ts';

/** A name must be valid as a folder and as an argument of commands. */
const NAME = /^(?=.{1,40}$)[\p{Ll}\p{Lo}\p{N}\p{M}]+(?:-[\p{Ll}\p{Lo}\p{N}\p{M}]+)*$/u;

export interface AppliedEdits {
  /** Descriptions of the stored changes. */
  taken: string[];
  /** Refused changes with the reason. */
  refused: string[];
}

/** An edited state file while its changes are applied. */
interface Edit extends AppliedEdits {
  store: Store;
  log: Log;
  at: number;
  work: WorkItem;
  edited: EditableState;
}

/**
 * Stores a person's changes to the state file of a work item. Unchanged values are ignored, because they may be older
 * than the database.
 */
export function applyStateEdits(
  { store, log, now }: { store: Store; log: Log; now: () => number },
  work: WorkItem,
  edited: EditableState,
): AppliedEdits {
  const edit: Edit = { store, log, at: now(), work, edited, taken: [], refused: [] };
  store.runInTransaction(() => {
    applyWords(edit);
    applyMode(edit);
    applyTasks(edit);
    finishPlan(store, work.id, { at: edit.at, log });
    applyNotes(edit);
  });
  const { taken, refused } = edit;
  for (const field of edited.unknown) refused.push(`there is no field "${field}"`);
  if (edited.isRestChanged)
    refused.push('only name, title, mode, nextSteps, tasks and notes can be changed there');
  return { taken, refused };
}

function applyWords({ store, at, work, edited, taken, refused }: Edit): void {
  const { name, title, nextSteps } = edited;
  if (name !== undefined && isEditedByPerson(edited, 'name', name, work.name)) {
    if (!NAME.test(name))
      refused.push(`"${name}" cannot be a name: small letters, digits and hyphens, 40 at most`);
    else taken.push(`its name is ${store.changeWorkItem(work.id, { name: redactValue(name) }, at).name}`);
  }
  if (title !== undefined && isEditedByPerson(edited, 'title', title, work.title)) {
    store.changeWorkItem(work.id, { title: cleanLine(title) }, at);
    taken.push('its title');
  }
  if (nextSteps !== undefined && isEditedByPerson(edited, 'nextSteps', nextSteps, work.nextSteps)) {
    store.changeWorkItem(work.id, { nextSteps: cleanEditedText(nextSteps), nextStepsAt: at }, at);
    taken.push('its next steps');
  }
}

/** The transition must be allowed, and the plan or handoff of the mode must exist. */
function applyMode({ store, log, at, work, edited, taken, refused }: Edit): void {
  const { mode } = edited;
  if (mode === undefined || !isEditedByPerson(edited, 'mode', mode, work.mode)) return;
  const { id } = work;
  if (mode === 'has_plan' && !store.findAcceptedPlan(id)) refused.push('there is no accepted plan');
  else if (
    mode === 'has_handoff' &&
    store.listHandoffs({ workId: id, states: ['staged'], limit: 1 }).length === 0
  )
    refused.push('no handoff waits: cairn handoff save');
  else {
    const [way] = Object.entries(TRANSITIONS[work.mode]).filter(([, to]) => to === mode);
    if (!way) refused.push(`a work item does not go from ${work.mode} to ${mode}`);
    else {
      changeMode(store, work, way[0] as WorkItemEvent, { at, log });
      taken.push(`its mode is ${mode}`);
    }
  }
}

function applyTasks(edit: Edit): void {
  const { store, at, work, edited, taken } = edit;
  if (!edited.tasks) return;
  const known = new Map(store.listTasks(work.id).map((task) => [task.number, task]));
  // Another process may have applied the same file and been killed before it rewrote it.
  const isTaken = ({ subject }: EditableTask) =>
    [...known.values()].some(
      (task) => task.subject === cleanLine(subject) && !edited.wasWritten(`task${task.number}`),
    );
  for (const task of edited.tasks) {
    const before = task.number === undefined ? undefined : known.get(task.number);
    if (before) changeTask(edit, before, task);
    // A task that Cairn wrote and that no longer exists was forgotten meanwhile, so it is not added again.
    else if ((task.number === undefined || !edited.wasWritten(`task${task.number}`)) && !isTaken(task))
      addTask(edit, task);
  }
  const kept = new Set(edited.tasks.map(({ number }) => number));
  for (const { id, number, state } of known.values()) {
    if (kept.has(number) || !edited.wasWritten(`task${number}`) || !/open|doing/.test(state)) continue;
    store.changeTask(id, { state: 'dropped' }, 'person', at);
    taken.push(`task ${number} is dropped`);
  }
}

function changeTask(
  { store, at, edited, taken }: Edit,
  before: Task,
  { state, subject }: EditableTask,
): void {
  const { number } = before;
  if (isEditedByPerson(edited, `state${number}`, state, before.state)) {
    store.changeTask(before.id, { state }, 'person', at);
    taken.push(`task ${number} is ${state}`);
  }
  if (isEditedByPerson(edited, `subject${number}`, subject, before.subject)) {
    store.changeTask(before.id, { subject: cleanLine(subject) }, 'person', at);
    taken.push(`the words of task ${number}`);
  }
}

function addTask({ store, at, work, taken }: Edit, { state, subject }: EditableTask): void {
  const fresh: NewTask = {
    workId: work.id,
    subject: cleanLine(subject),
    description: '',
    state,
    source: 'person',
    key: null,
    at,
  };
  const { number } = store.addTask(redactValue(fresh));
  taken.push(`task ${number} is new`);
}

function applyNotes({ store, at, work, edited, taken, refused }: Edit): void {
  if (!edited.notes) return;
  const known = store.listWorkNotes(work.id).map(({ text }) => text);
  const fresh = edited.notes.filter(
    (text) => text.trim() !== '' && !known.includes(text) && !edited.wasWritten('note', text),
  );
  for (const text of fresh) store.addWorkNote(work.id, cleanEditedText(text), at);
  if (fresh.length > 0) taken.push(fresh.length === 1 ? 'a note' : `${fresh.length} notes`);
  const { notes } = edited;
  if (known.some((text) => !notes.includes(text) && edited.wasWritten('note', text)))
    refused.push('notes can be added there, not removed');
}

function isEditedByPerson(edited: EditableState, piece: string, value: string, current: string): boolean {
  return value !== current && !edited.wasWritten(piece, value);
}

/** Redacted like any input. */
export function cleanEditedText(text: string): Redacted {
  return redactValue(redactValue(text).trim());
}

function cleanLine(text: string): Redacted {
  return redactValue(cleanEditedText(text).replace(/\s+/g, ' '));
}
