import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { TASK_STATES, type TaskState, WORK_MODES, type WorkMode } from '../../model/work.ts';
import { formatStamp, READ_ONLY_FIELDS, STATE_FORMAT } from './state-file.ts';

/** The editable fields of a state file. A missing field changes nothing. */
export interface EditableState {
  name?: string;
  title?: string;
  mode?: WorkMode;
  nextSteps?: string;
  tasks?: EditableTask[];
  notes?: string[];
  /** Digests of the Markdown files as they were written, by name. */
  hashes: Map<string, string>;
  unknown: string[];
  /** Whether a read-only field was changed. */
  isRestChanged: boolean;
  /** Whether Cairn wrote this piece with this value; without `value`, whether it wrote the piece at all. */
  wasWritten: (piece: string, value?: string) => boolean;
}

export interface EditableTask {
  number?: number;
  state: TaskState;
  subject: string;
}

/** `migrated` describes what was converted from an older format. */
export type StateFileResult = { state: EditableState; migrated: string[] } | { problem: string };

export function readStateFile(text: string): StateFileResult {
  const value = parsed(text);
  if ('problem' in value) return value;
  if (!isObject(value.json)) return { problem: 'it does not contain a JSON object' };
  const { format } = value.json;
  if (format === undefined) {
    const { state, migrated } = fromFormat0(value.json);
    return read(state, migrated);
  }
  if (format !== STATE_FORMAT)
    return { problem: `its format is ${shown(format)}, and this Cairn knows ${STATE_FORMAT}` };
  return read(value.json, []);
}

function read(state: JsonObject, migrated: string[]): StateFileResult {
  const problems: string[] = [];
  const text = (field: string): string | undefined => {
    const value = state[field];
    if (value === undefined || typeof value === 'string') return value;
    problems.push(`${field} is ${shown(value)}, not a text`);
    return undefined;
  };
  const [name, title, nextSteps] = [text('name'), text('title'), text('nextSteps')];
  const mode = oneOf(WORK_MODES, state.mode, 'mode', problems);
  const tasks = listOf(state.tasks, 'tasks', problems)?.map((task, at) => taskFrom(task, at, problems));
  const notes = listOf(state.notes, 'notes', problems)?.map((note, at) => noteFrom(note, at, problems));
  if (title?.trim() === '') problems.push('its title is empty');
  for (const number of findDuplicates(tasks ?? [])) problems.push(`task ${number} is there twice`);
  if (problems.length > 0) return { problem: problems.join('; ') };

  const stamps = new Set(typeof state.written === 'string' ? state.written.split(' ') : []);
  const isStamped = stamps.size > 0;
  const rest = JSON.stringify(Object.fromEntries(READ_ONLY_FIELDS.map((field) => [field, state[field]])));
  return {
    migrated,
    state: {
      ...(name !== undefined && { name }),
      ...(title !== undefined && { title }),
      ...(mode !== undefined && { mode }),
      ...(nextSteps !== undefined && { nextSteps }),
      ...(tasks && { tasks }),
      ...(notes && { notes }),
      hashes: hashesIn(state),
      unknown: Object.keys(state).filter((field) => !KNOWN.has(field)),
      isRestChanged: isStamped && !stamps.has(formatStamp('rest', rest)),
      wasWritten: (piece, value = '') => stamps.has(formatStamp(piece, value)),
    },
  };
}

const KNOWN = new Set([
  ...['about', 'format', 'name', 'title', 'mode', 'nextSteps', 'tasks', 'notes', 'written'],
  ...READ_ONLY_FIELDS,
]);

function taskFrom(value: Json, at: number, problems: string[]): EditableTask {
  const where = `task ${at + 1} of the list`;
  const task = isObject(value) ? value : typeof value === 'string' ? { subject: value } : {};
  const { number, subject, state = 'open' } = task;
  if (typeof subject !== 'string' || subject.trim() === '') problems.push(`${where} has no subject`);
  if (number !== undefined && !(Number.isSafeInteger(number) && Number(number) > 0))
    problems.push(`${where} has the number ${shown(number)}`);
  return {
    subject: String(subject),
    state: oneOf(TASK_STATES, state, `the state of ${where}`, problems) ?? 'open',
    ...(typeof number === 'number' && { number }),
  };
}

function noteFrom(value: Json, at: number, problems: string[]): string {
  const text = isObject(value) ? value.text : value;
  if (typeof text === 'string') return text;
  problems.push(`note ${at + 1} of the list has no text`);
  return '';
}

function hashesIn({ plans, handoffs }: JsonObject): Map<string, string> {
  const files = [plans, handoffs].flatMap((list) => (Array.isArray(list) ? list : []));
  return new Map(
    files.flatMap((entry) =>
      isObject(entry) && typeof entry.file === 'string' && typeof entry.hash === 'string'
        ? [[entry.file, entry.hash] as const]
        : [],
    ),
  );
}

/** The format before the field `format`: `id`, `summary`, `mode: 'implementing'`, `tasks[].status`. */
function fromFormat0(old: JsonObject): { state: JsonObject; migrated: string[] } {
  const migrated: string[] = [];
  const state: JsonObject = {};
  for (const [field, value] of Object.entries(old)) {
    if (field === 'id' && typeof value === 'string') state.name = value;
    else if (field === 'summary') state.title = value;
    else if (field === 'mode' && !WORK_MODES.some((mode) => mode === value)) {
      state.mode = 'idle';
      migrated.push(`mode ${shown(value)} became idle`);
    } else if (field === 'tasks' && Array.isArray(value)) state.tasks = value.map(taskOfFormat0);
    else if (field === 'notes' && typeof value === 'string') state.notes = value === '' ? [] : [value];
    else if (KNOWN.has(field)) state[field] = value;
    else migrated.push(`${field} was left out`);
  }
  if (typeof old.id === 'string') migrated.push('id became name');
  if (old.summary !== undefined) migrated.push('summary became title');
  return { state, migrated };
}

const STATES_OF_FORMAT_0: Record<string, TaskState> = {
  pending: 'open',
  in_progress: 'doing',
  completed: 'done',
  deleted: 'dropped',
};

function taskOfFormat0(value: Json): Json {
  if (!isObject(value)) return value;
  const { subject = value.content, status, state } = value;
  const known =
    typeof status === 'string'
      ? (Object.hasOwn(STATES_OF_FORMAT_0, status) && STATES_OF_FORMAT_0[status]) || status
      : (state ?? 'open');
  const number = Number(value.number ?? value.id);
  return { ...(subject !== undefined && { subject }), state: known, ...(number > 0 && { number }) };
}

function parsed(text: string): { json: Json } | { problem: string } {
  try {
    return { json: JSON.parse(text.replace(/^\uFEFF/, '')) };
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1];
    const line = position && text.slice(0, Number(position)).split('\n').length;
    return { problem: `it is not JSON${line ? ` (line ${line})` : ''}` };
  }
}

function listOf(value: Json | undefined, field: string, problems: string[]): Json[] | undefined {
  if (value === undefined || Array.isArray(value)) return value;
  problems.push(`${field} is ${shown(value)}, not a list`);
  return undefined;
}

function oneOf<T extends string>(
  known: readonly T[],
  value: Json | undefined,
  what: string,
  problems: string[],
): T | undefined {
  const found = known.find((entry) => entry === value);
  if (value !== undefined && found === undefined)
    problems.push(`${what} is ${shown(value)}, not one of ${known.join(', ')}`);
  return found;
}

function findDuplicates(tasks: EditableTask[]): number[] {
  const seen = new Set<number>();
  const twice = new Set<number>();
  for (const { number } of tasks) {
    if (number === undefined) continue;
    (seen.has(number) ? twice : seen).add(number);
  }
  return [...twice];
}

/** Shortens a value for a message. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
