import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../model/json.ts';
import { type Distilled, OBSERVATION_TYPES, type Observation, type Summary } from '../../model/memory.ts';
import { shorten } from '../offline/text/shorten.ts';
import type { Turn } from '../turn.ts';
import { collectFiles, filesOf, findSourceEvents, pickFiles } from './provenance.ts';

/** Missing fields count as empty, because small models forget some; wrong types are rejected. */
const text = z._default(z.string(), '');
const list = z._default(z.array(z.string()), []);
const numbers = z._default(z.array(z.number()), []);

const answerForm = z.object({
  observations: z.array(
    z.object({
      type: z.enum(OBSERVATION_TYPES),
      title: z.string().check(z.refine((title) => title.trim() !== '', 'must not be empty')),
      subtitle: text,
      narrative: text,
      facts: list,
      concepts: list,
      files_read: list,
      files_modified: list,
    }),
  ),
  summary: z.nullable(
    z.object({
      request: text,
      investigated: text,
      learned: text,
      completed: text,
      next_steps: text,
      notes: text,
    }),
  ),
  outdated: numbers,
});

type Answer = z.infer<typeof answerForm>;

/** The same form as a strict JSON schema, which providers enforce. */
export const ANSWER_SCHEMA: JsonObject = asJsonSchema();

const MOST = { observations: 8, facts: 8, concepts: 6, files: 30, problems: 5 };
const LONGEST = { title: 120, subtitle: 240, narrative: 1_500, fact: 300, concept: 40, part: 1_000 };

export interface Answered {
  distilled: Distilled;
  /** Numbers of statements that were stored before and do not hold. */
  outdated: number[];
}

export type AnswerResult = ({ ok: true } & Answered) | { ok: false; problem: string };

/** Validates the model's answer against its form and the turn. `clean` removes secrets. */
export function readAnswer(answer: string, turn: Turn, clean: (text: string) => string): AnswerResult {
  const value = jsonIn(answer);
  if (value === undefined) return { ok: false, problem: 'The answer does not contain a JSON object.' };
  const checked = z.safeParse(answerForm, value);
  if (!checked.success) return { ok: false, problem: problemsOf(checked.error) };
  const { outdated } = checked.data;
  return { ok: true, distilled: asDistilled(checked.data, turn, clean), outdated };
}

/** Models often wrap the answer in a code block or introduce it. */
function jsonIn(answer: string): unknown {
  const begin = answer.indexOf('{');
  const end = answer.lastIndexOf('}');
  if (begin < 0 || end < begin) return undefined;
  try {
    return JSON.parse(answer.slice(begin, end + 1));
  } catch {
    return undefined;
  }
}

/** Worded so that a model can correct its answer. */
function problemsOf(error: z.core.$ZodError): string {
  return error.issues
    .slice(0, MOST.problems)
    .map((issue) => `${issue.path.join('.') || 'The answer'}: ${wordsFor(issue)}`)
    .join('\n');
}

function wordsFor(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}`;
  return issue.message;
}

function asDistilled(
  { observations, summary }: Answer,
  turn: Turn,
  clean: (text: string) => string,
): Distilled {
  const known = collectFiles(turn);
  const short = (text: string, longest: number) => shorten(clean(text), longest);
  const shortList = (texts: string[], longest: number, most: number) => {
    const all = texts.map((text) => short(text, longest)).filter((text) => text !== '');
    return [...new Set(all)].slice(0, most);
  };

  const asObservation = (given: Answer['observations'][number]): Observation => {
    const written: Omit<Observation, 'events'> = {
      type: given.type,
      title: short(given.title, LONGEST.title),
      subtitle: short(given.subtitle, LONGEST.subtitle),
      narrative: short(given.narrative, LONGEST.narrative),
      facts: shortList(given.facts, LONGEST.fact, MOST.facts),
      concepts: shortList(given.concepts, LONGEST.concept, MOST.concepts),
      ...pickFiles({ read: given.files_read, modified: given.files_modified }, known, MOST.files),
    };
    return { ...written, events: findSourceEvents(written, turn) };
  };

  return {
    observations: observations.slice(0, MOST.observations).map(asObservation),
    summary: summary && asSummary(summary, turn, (part) => short(part, LONGEST.part)),
  };
}

function asSummary(
  given: NonNullable<Answer['summary']>,
  turn: Turn,
  short: (text: string) => string,
): Summary | null {
  if (Object.values(given).every((part) => part.trim() === '')) return null;
  return {
    request: short(given.request),
    investigated: short(given.investigated),
    learned: short(given.learned),
    completed: short(given.completed),
    nextSteps: short(given.next_steps),
    notes: short(given.notes),
    ...filesOf(turn, MOST.files),
  };
}

function asJsonSchema(): JsonObject {
  const { $schema, ...schema } = z.toJSONSchema(answerForm, {
    // Providers that enforce a schema reject one with defaults.
    override: ({ jsonSchema }) => {
      delete jsonSchema.default;
    },
  });
  const plain: unknown = JSON.parse(JSON.stringify(schema));
  return isObject(plain) ? plain : {};
}
