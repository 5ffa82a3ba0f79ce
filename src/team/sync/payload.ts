import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { parseJson } from '../../model/json.ts';
import { OBSERVATION_TYPES } from '../../model/memory.ts';
import { TASK_STATES } from '../../model/work.ts';
import { FILE, PARTS } from '../../port/export-line.ts';
import { SHARED_KINDS, type SharedKind, type SharedState, type SharedText } from '../../store/types/team.ts';
import type { Aspect } from '../feed.ts';

/** Must be increased when older Cairns cannot apply a change any more. */
const FORMAT = 1;

/** The content of a change: the new value of one aspect. */
export type ChangeValue =
  | { aspect: 'text'; what: SharedKind; value: SharedText }
  | { aspect: 'pin'; what: SharedKind; value: number | null }
  /** The uuid of the memory that replaced it. */
  | { aspect: 'supersession'; what: SharedKind; value: string | null }
  | { aspect: 'state'; what: SharedKind; value: SharedState };

/** A change that this Cairn cannot apply. */
export class UnusableChange extends Error {
  readonly reason: 'unknown' | 'bad' | 'sealed' | 'waiting';

  constructor(reason: 'unknown' | 'bad' | 'sealed' | 'waiting', message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The salt is deleted with the payload, so the remaining digest of a deleted text cannot be used to test guesses. */
export function encodePayload({ what, value }: ChangeValue): Uint8Array {
  return Buffer.from(JSON.stringify({ v: FORMAT, salt: randomBytes(12).toString('base64url'), what, value }));
}

/** @throws UnusableChange for a newer format or unknown content. */
export function decodePayload(aspect: Exclude<Aspect, 'deletion'>, payload: Uint8Array): ChangeValue {
  const json = parseJson(Buffer.from(payload).toString());
  const head = HEAD.safeParse(json);
  if (!head.success) throw new UnusableChange('bad', 'its payload is not what a Cairn writes');
  if (head.data.v > FORMAT)
    throw new UnusableChange('unknown', `its format is ${head.data.v}, this Cairn knows ${FORMAT}`);
  const parsed = CHANGES[aspect].safeParse(json);
  if (parsed.success) return { ...parsed.data, aspect } as ChangeValue;
  const where = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new UnusableChange('bad', `its ${aspect} cannot be read${where && ` (${where})`}`);
}

/** A string to compare values by; for a text only a hash. */
export function fingerprint({ aspect, value }: Pick<ChangeValue, 'aspect' | 'value'>): string {
  const json = JSON.stringify(value);
  return aspect === 'text' ? createHash('sha256').update(json).digest('base64url') : json;
}

/** The state of a memory that its turn no longer produces. */
export const WITHDRAWAL: ChangeValue = { aspect: 'state', what: 'memory', value: { isWithdrawn: true } };

export function isWithdrawal({ value }: { value: string }): boolean {
  return value === fingerprint(WITHDRAWAL);
}

const HEAD = z.object({ v: z.int(), what: z.string() });
const text = z.string();
const texts = z.array(text);
const textOrNull = z.nullable(text);
const filled = text.check(z.minLength(1));
const uuid = text.check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/));
/** The range of a Date: a command that prints another value would throw. */
const time = z.number().check(z.gte(0), z.lte(8.64e15));
const timeOrNull = z.nullable(time);
/** Leaves room above, because new numbers continue from the highest one. */
const number = z.int().check(z.gte(0), z.lte(1_000_000_000));
const what = z.enum(SHARED_KINDS);

const MEMORY = z.object({
  what: z.literal('memory'),
  kind: z.enum(['observation', 'summary', 'note']),
  type: z.nullable(z.enum(OBSERVATION_TYPES)),
  title: filled,
  ...{ subtitle: text, narrative: text, facts: texts, concepts: texts, aliases: texts },
  parts: z.nullable(PARTS),
  ...{
    branch: textOrNull,
    commit: textOrNull,
    distiller: filled,
    saidBy: filled,
    at: time,
    editedAt: timeOrNull,
  },
  files: z.array(FILE),
});

const WORK_ITEM = z.object({
  what: z.literal('work-item'),
  ...{ name: filled, title: text, branch: textOrNull, nextSteps: text, nextStepsAt: time, openedAt: time },
});

const PLAN = z.object({ what: z.literal('plan'), work: uuid, version: number, text, at: time });

const TASK = z.object({
  what: z.literal('task'),
  ...{ work: uuid, number, subject: text, description: text },
  source: z.enum(['agent', 'plan', 'person', 'mcp']),
  createdAt: time,
});

const HANDOFF = z.object({
  what: z.literal('handoff'),
  ...{ work: uuid, number },
  parts: z.object({
    ...{ goal: text, state: text, decisions: texts, deadEnds: texts, questions: texts, nextSteps: texts },
    files: z.array(z.object({ path: text, what: text })),
    note: text,
  }),
  tasks: z.array(z.object({ number: z.int(), subject: text, state: z.enum(TASK_STATES) })),
  plan: z.nullable(z.object({ version: z.int(), text })),
  git: z.nullable(
    z.object({
      ...{ branch: z.optional(text), head: z.optional(text), dirty: texts, moreDirty: z.int() },
      ...{ ahead: z.optional(z.int()), behind: z.optional(z.int()) },
    }),
  ),
  by: z.enum(['agent', 'person', 'meter']),
  at: time,
  to: textOrNull,
});

const STATE = z.union([
  z.object({ isWithdrawn: z.boolean() }),
  z.object({ closedAt: timeOrNull }),
  z.object({
    plan: z.enum(['proposed', 'accepted', 'refused', 'finished', 'replaced']),
    decidedAt: timeOrNull,
  }),
  z.object({ task: z.enum(TASK_STATES) }),
  z.object({ handoff: z.enum(['staged', 'taken', 'discarded']), takenAt: timeOrNull }),
]);

const CHANGES = {
  text: z.object({ what, value: z.discriminatedUnion('what', [MEMORY, WORK_ITEM, PLAN, TASK, HANDOFF]) }),
  pin: z.object({ what, value: timeOrNull }),
  supersession: z.object({ what, value: z.nullable(uuid) }),
  state: z.object({ what, value: STATE }),
};
