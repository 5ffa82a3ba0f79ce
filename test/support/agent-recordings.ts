import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';

/** Tests for agents whose replies have their own format, such as that of our plugins. */

export interface RecordedAgent {
  agent: Agent;
  /** The folder with recorded payloads, named `<event>[.<tool>].json`. */
  payloads: URL;
  /** The common fields of all events. */
  origin: object;
  /** The expected events of each payload, without `origin`; empty if Cairn ignores the payload. */
  meanings: Record<string, object[]>;
  /** Events without a recording: a title, the event, its fields, and what they mean. */
  others: [title: string, event: string, fields: JsonObject, meaning: object][];
  /** The payload of such an event in a session named `s`. */
  payloadOf(fields: JsonObject): Json;
  /** A reply with context, as the client or our plugin expects it. */
  replyOf?(context: string): JsonObject;
}

export function describeRecordings(recorded: RecordedAgent): void {
  const { agent, payloads, origin, meanings, others, payloadOf } = recorded;
  const files = readdirSync(payloads).filter((name) => name.endsWith('.json'));

  describe('events', () => {
    test('every recorded payload is in the table', () => {
      expect(Object.keys(meanings).sort()).toEqual(files.sort());
    });

    test.each(Object.entries(meanings))('%s', (file, events) => {
      const wire: Json = JSON.parse(readFileSync(new URL(file, payloads), 'utf8'));
      const [event = ''] = file.split('.');
      expect(agent.toEvents(event, wire)).toEqual(events.map((meaning) => ({ ...origin, ...meaning })));
    });

    test.each(others)('%s', (_, event, fields, meaning) => {
      expect(agent.toEvents(event, payloadOf(fields))).toEqual([{ sessionId: 's', ...meaning }]);
    });

    test('any JSON under any name gives only events with a kind and a session, and never throws', () => {
      const names = new Set([
        ...files.map((file) => file.split('.')[0] ?? ''),
        ...others.map(([, event]) => event),
      ]);
      const recordings = files.map(
        (file): JsonObject => JSON.parse(readFileSync(new URL(file, payloads), 'utf8')),
      );
      const fields = fc.constantFrom(...new Set(recordings.flatMap(listKeys)));
      const value = fc.oneof(
        fc.jsonValue({ maxDepth: 3 }),
        fc.dictionary(fields, fc.jsonValue({ maxDepth: 2 })),
      );
      const payload = fc.oneof(
        fc.jsonValue(),
        fc.dictionary(fields, value),
        fc.dictionary(fields, value).map((any) => payloadOf(any as JsonObject)),
      );
      fc.assert(
        fc.property(fc.oneof(fc.constantFrom(...names), fc.string()), payload, (name, wire) => {
          for (const event of agent.toEvents(name, wire as Json)) {
            expect(event.kind).toMatch(/^[a-z-]+$/);
            expect(event.sessionId.length).toBeGreaterThan(0);
            expect(event.sessionId.length).toBeLessThanOrEqual(200);
            expect(Object.values(event)).not.toContain(undefined);
          }
        }),
        { numRuns: 1_000 },
      );
    });
  });

  test('every reply with context is one JSON object, and never a block', () => {
    const { replyOf = (context: string) => ({ context }) } = recorded;
    const { start, prompt } = agent.context;
    for (const event of [...agent.hooks.answered, ...agent.hooks.prompts]) {
      const [kind] = agent.toEvents(event, payloadOf({})).map((made) => made.kind);
      if ((kind === 'session-start' && !start) || (kind === 'prompt' && !prompt)) continue;
      const { stdout, stderr, exitCode } = agent.print(event, { context: 'remember' });
      const reply = JSON.stringify(replyOf('remember'));
      expect({ stdout, stderr, exitCode }).toEqual({ stdout: `${reply}\n`, stderr: '', exitCode: 0 });
    }
  });
}

/** The names of all fields, at any depth. */
function listKeys(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(listKeys);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...listKeys(inner ?? null)]);
}
