import { describe, expect, test } from 'vitest';
import { command, edit, PROJECT, read, turnWith } from '../../../test/support/turns.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Observation, Summary } from '../../model/memory.ts';
import { OBSERVATION_TYPES } from '../../model/memory.ts';
import { ANSWER_SCHEMA, readAnswer } from './answer.ts';

const turn = turnWith({
  calls: [
    read(11, 'src/order.ts'),
    command(12, 'npx vitest run src/total.test.ts', 'Exit code 1', 'failure'),
    edit(13, 'src/total.ts', 'a', 'b'),
    command(14, "sed -i 's/a/b/' config/tax.yml", ''),
    command(15, 'npm run build', 'done'),
  ],
});

const given = {
  type: 'bugfix',
  title: 'Totals lost the tax',
  subtitle: 'The discount came first.',
  narrative: 'Why it was so.',
  facts: ['TAX is 1.19.'],
  concepts: ['tax'],
  files_read: ['src/order.ts'],
  files_modified: ['src/total.ts'],
};
const expected: Observation = {
  type: 'bugfix',
  title: 'Totals lost the tax',
  subtitle: 'The discount came first.',
  narrative: 'Why it was so.',
  facts: ['TAX is 1.19.'],
  concepts: ['tax'],
  filesRead: ['src/order.ts'],
  filesModified: ['src/total.ts'],
  events: [11, 13],
};

const same = (text: string) => text;
const say = (answer: unknown) => readAnswer(JSON.stringify(answer), turn, same);
const one = (changes: JsonObject) => ({ observations: [{ ...given, ...changes }], summary: null });

/** The single observation of an answer that could be used. */
function observationIn(changes: JsonObject): Observation | undefined {
  const answer = say(one(changes));
  return answer.ok ? answer.distilled.observations[0] : undefined;
}

const whole = { observations: [given], summary: null };
test.each([
  ['plain JSON', JSON.stringify(whole)],
  ['in a code block', `\`\`\`json\n${JSON.stringify(whole, null, 2)}\n\`\`\``],
  ['with words around it', `Here it is:\n${JSON.stringify(whole)}\nI hope this helps.`],
  ['with more than was asked for', JSON.stringify({ ...whole, thoughts: 'hm' })],
])('an answer is read: %s', (_name, said) => {
  expect(readAnswer(said, turn, same)).toEqual({
    ok: true,
    distilled: { observations: [expected], summary: null },
    outdated: [],
  });
});

test.each<[string, string, string]>([
  ['nothing', '', 'does not contain a JSON object'],
  ['a refusal', 'I am sorry, I cannot help with that.', 'does not contain a JSON object'],
  ['half an answer', '{"observations": [{"type": "bug', 'does not contain a JSON object'],
  ['a broken answer with an end', '{"observations": [}', 'does not contain a JSON object'],
  ['another object', '{"answer": 42}', 'observations'],
  [
    'a type that does not exist',
    JSON.stringify(one({ type: 'insight' })),
    'observations.0.type: must be one of preference, ',
  ],
  ['no title', JSON.stringify(one({ title: '  ' })), 'observations.0.title: must not be empty'],
  [
    'facts that are no list',
    JSON.stringify(one({ facts: 'one' })),
    'observations.0.facts: must be of type array',
  ],
  ['no word on the summary', '{"observations": []}', 'summary'],
  [
    'numbers that are no list',
    JSON.stringify({ observations: [], summary: null, outdated: 2 }),
    'outdated: must be of type array',
  ],
])('an answer is refused: %s', (_name, said, problem) => {
  expect(readAnswer(said, turn, same)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
});

test('what a small model leaves out is empty', () => {
  const { type, title } = given;
  expect(say({ observations: [{ type, title }], summary: null })).toEqual({
    ok: true,
    distilled: {
      observations: [
        {
          type,
          title,
          subtitle: '',
          narrative: '',
          facts: [],
          concepts: [],
          filesRead: [],
          filesModified: [],
          events: [],
        },
      ],
      summary: null,
    },
    outdated: [],
  });
});

test('a turn that taught nothing', () => {
  expect(say({ observations: [], summary: null })).toEqual({
    ok: true,
    distilled: { observations: [], summary: null },
    outdated: [],
  });
  const empty = { request: ' ', investigated: '', learned: '', completed: '', next_steps: '', notes: '' };
  expect(say({ observations: [], summary: empty })).toEqual({
    ok: true,
    distilled: { observations: [], summary: null },
    outdated: [],
  });
});

test("a summary has the turn's own files", () => {
  const summary: Summary = {
    request: 'Fix the total',
    investigated: '',
    learned: '',
    completed: 'Fixed.',
    nextSteps: 'Release it.',
    notes: '',
    filesRead: ['src/order.ts'],
    filesModified: ['src/total.ts'],
  };
  const said = { request: 'Fix the total', completed: 'Fixed.', next_steps: 'Release it.' };
  expect(say({ observations: [], summary: said })).toEqual({
    ok: true,
    distilled: { observations: [], summary },
    outdated: [],
  });
});

test('the numbers of stored statements that do not hold', () => {
  expect(say({ observations: [], summary: null, outdated: [2, 1] })).toEqual({
    ok: true,
    distilled: { observations: [], summary: null },
    outdated: [2, 1],
  });
});

describe('files', () => {
  test.each<[string, string[], string[], Partial<Observation>]>([
    [
      'as in the turn',
      ['src/order.ts'],
      ['src/total.ts'],
      { filesRead: ['src/order.ts'], filesModified: ['src/total.ts'] },
    ],
    ['absolute', [`${PROJECT}/src/order.ts`], [], { filesRead: ['src/order.ts'], filesModified: [] }],
    ['with a dot', [], ['./src/total.ts'], { filesRead: [], filesModified: ['src/total.ts'] }],
    ['only its name', ['order.ts'], [], { filesRead: ['src/order.ts'], filesModified: [] }],
    ['invented', ['src/secret.ts', ''], ['lib/none.ts'], { filesRead: [], filesModified: [] }],
    ['twice', ['order.ts', 'src/order.ts'], [], { filesRead: ['src/order.ts'], filesModified: [] }],
    [
      'said to be changed, but only read',
      [],
      ['src/order.ts'],
      { filesRead: ['src/order.ts'], filesModified: [] },
    ],
    ['changed by a command', [], ['config/tax.yml'], { filesRead: [], filesModified: ['config/tax.yml'] }],
  ])('%s', (_name, files_read, files_modified, files) => {
    expect(observationIn({ files_read, files_modified })).toMatchObject(files);
  });
});

describe('the calls behind an observation', () => {
  const nothing = { files_read: [], files_modified: [] };
  test.each<[string, JsonObject, number[]]>([
    ['by its files', {}, [11, 13]],
    ['by a file that a command names', { ...nothing, files_read: ['src/total.test.ts'] }, [12]],
    ['by a command it quotes', { ...nothing, facts: ['Build with `npm run build`.'] }, [15]],
    ['a single word in a code span is no command', { ...nothing, facts: ['See `build`.'] }, []],
    ['by nothing', nothing, []],
  ])('%s', (_name, changes, events) => {
    expect(observationIn(changes)?.events).toEqual(events);
  });
});

test('no text and no list is longer than it should be', () => {
  const long = 'word '.repeat(2_000);
  const many = Array.from({ length: 50 }, (_, at) => `${at} ${long}`);
  const answer = say({
    observations: Array.from({ length: 30 }, () => ({
      ...given,
      title: long,
      narrative: long,
      subtitle: long,
      facts: many,
      concepts: many,
    })),
    summary: {
      request: long,
      investigated: long,
      learned: long,
      completed: long,
      next_steps: long,
      notes: long,
    },
  });
  if (!answer.ok) throw new Error(answer.problem);
  const { observations, summary } = answer.distilled;
  expect(observations.length).toBe(8);
  for (const { title, subtitle, narrative, facts, concepts } of observations) {
    expect([title.length <= 120, subtitle.length <= 240, narrative.length <= 1_500]).toEqual([
      true,
      true,
      true,
    ]);
    expect([facts.length, concepts.length]).toEqual([8, 6]);
    expect(Math.max(...facts.map((fact) => fact.length))).toBeLessThanOrEqual(300);
  }
  expect(summary?.learned.length).toBeLessThanOrEqual(1_000);
});

test('every text goes through the cleaner', () => {
  const dirty = 'has SECRET';
  const said = {
    observations: [
      {
        ...given,
        title: dirty,
        subtitle: dirty,
        narrative: dirty,
        facts: [dirty],
        concepts: [dirty],
        files_read: [dirty],
      },
    ],
    summary: {
      request: dirty,
      investigated: dirty,
      learned: dirty,
      completed: dirty,
      next_steps: dirty,
      notes: dirty,
    },
  };
  const answer = readAnswer(JSON.stringify(said), turn, (text) => text.replaceAll('SECRET', '[redacted]'));
  expect(answer.ok).toBe(true);
  expect(JSON.stringify(answer)).not.toContain('SECRET');
});

test('the schema for the model asks for everything and allows nothing else', () => {
  expect(ANSWER_SCHEMA).toMatchObject({
    type: 'object',
    additionalProperties: false,
    required: ['observations', 'summary', 'outdated'],
    properties: {
      observations: {
        items: {
          additionalProperties: false,
          properties: { type: { enum: [...OBSERVATION_TYPES] } },
          required: Object.keys(given),
        },
      },
    },
  });
  expect(JSON.stringify(ANSWER_SCHEMA)).not.toMatch(/"(default|\$schema)"/);
});
