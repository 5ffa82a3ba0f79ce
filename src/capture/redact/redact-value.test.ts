import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { secretShapes } from '../../../test/support/secrets.ts';
import type { AgentEvent } from '../../model/agent-event.ts';
import type { Json } from '../../model/json.ts';
import type { Redacted } from '../../model/redacted.ts';
import { blobHash } from '../../platform/git/checkout.ts';
import { quickHash } from '../../platform/quick-hash.ts';
import { redactDerived, redactValue } from './redact-value.ts';

const TOKEN = ['ghp', 'a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ'].join('_');
const MARK = '[redacted:github-token]';

describe('redactValue', () => {
  it('redacts every text of a record, keys included, and leaves the rest unchanged', () => {
    const note = { title: `a ${TOKEN}`, facts: ['plain', TOKEN], at: 12, place: null, [TOKEN]: true };
    expect(redactValue(note)).toEqual({
      ...{ title: `a ${MARK}`, facts: ['plain', MARK], at: 12, place: null, [MARK]: true },
    });
  });

  it.each(secretShapes)('redacts $name, idempotently', ({ text, secret }) => {
    const once = redactValue({ text, list: [text], deep: { text } });
    expect(JSON.stringify(once)).not.toContain(JSON.stringify(secret).slice(1, -1));
    expect(redactValue(once)).toBe(once);
  });

  const texts = secretShapes.map(({ text }) => text);
  const piece = fc.oneof(fc.constantFrom(...texts, MARK, '[private]', '<private>', '\n', ' '), fc.string());
  const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));

  it('does not change any value that it has already redacted', () => {
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 3 }), (title, facts) => {
        const once = redactValue({ title, facts });
        expect(redactValue(once)).toEqual(once);
      }),
      { numRuns: 500 },
    );
  });

  it('clips long texts only if it gets a limit', () => {
    const long = 'plain words '.repeat(50_000);
    expect(redactValue(long)).toBe(long);
    expect(redactValue(long, { maxText: 1_000 }).length).toBeLessThanOrEqual(1_000);
  });

  it('does not redact ids and hashes made by Cairn', () => {
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const [quick, blob, id] = [quickHash(seed), blobHash(Buffer.from(seed)), randomUUID()];
        const record = {
          key: `memory-md:${quick}:${quickHash(`${seed}.`)}`,
          commit: blob,
          pins: [{ path: 'src/a.ts', hash: blob, symbols: ['readKey'] }],
          spoolName: `${id}.${randomUUID()}`,
          session: { agent: 'claude-code', id },
          plan: `plan:${quick}`,
        };
        expect(redactValue(record)).toEqual(record);
      }),
      { numRuns: 300 },
    );
  });
});

describe('redactDerived', () => {
  const input: Json = redactValue<Json>({ password: 'x1y2z3w4v5' });
  const source = redactValue<Json>({ command: `echo ${TOKEN}`, input });
  const event = (text: string): AgentEvent => ({ kind: 'prompt', sessionId: 's', text, origin: 'person' });

  it('keeps texts and objects of its source unchanged', () => {
    const derived = redactDerived({ events: [event(`echo ${MARK}`)], input }, source);
    expect(derived).toEqual({ events: [event(`echo ${MARK}`)], input });
    expect(derived.input).toBe(input);
  });

  it('redacts texts that were added', () => {
    expect(redactDerived({ name: `spool.${TOKEN}`, events: [event(TOKEN)], at: 1 }, source)).toEqual({
      ...{ name: `spool.${MARK}`, events: [event(MARK)], at: 1 },
    });
  });
});

describe('the type Redacted', () => {
  interface Note {
    title: string;
    kind: 'note' | 'task';
    facts: string[];
    place?: { path: string } | null;
    input: Json;
  }

  it('does not accept raw text at any depth', () => {
    expectTypeOf<string>().not.toExtend<Redacted>();
    expectTypeOf<Note>().not.toExtend<Redacted<Note>>();
    expectTypeOf<Json>().not.toExtend<Redacted<Json>>();
    type WithRawTitle = Omit<Redacted<Note>, 'title'> & { title: string };
    expectTypeOf<WithRawTitle>().not.toExtend<Redacted<Note>>();
    type WithRawPath = Omit<Redacted<Note>, 'place'> & { place: { path: string } };
    expectTypeOf<WithRawPath>().not.toExtend<Redacted<Note>>();
  });

  it('can be read as its original type, and leaves literal types unmarked', () => {
    expectTypeOf<Redacted<Note>>().toExtend<Note>();
    expectTypeOf<Redacted<Note['kind']>>().toEqualTypeOf<Note['kind']>();
    expectTypeOf<Redacted<Redacted<Note>>>().toEqualTypeOf<Redacted<Note>>();
  });
});
