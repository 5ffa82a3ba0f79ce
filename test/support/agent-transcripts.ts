import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnswerPart, TranscriptEvent, TranscriptOpening, Transcripts } from '../../src/agents/agent.ts';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import type { Json } from '../../src/model/json.ts';

/** Tests for agents whose transcripts are read step by step. */

export interface RecordedTranscripts {
  transcripts: Transcripts;
  /** A copy of the agent's own folder, with one session. */
  folder: URL;
  sessionId: string;
  opening: TranscriptOpening;
  /** Each event's kind and main fields. */
  events: string[];
  answer: AnswerPart[];
}

/** The records of a session's file, and the events that a new reader makes of records. */
export function openRecording(transcripts: Transcripts, path: string, sessionId: string) {
  const records = [...transcripts.readRecords(path, 0)];
  const values = records.flatMap((record) => ('value' in record ? [record.value] : []));
  return {
    records,
    values,
    readAll(values: Json[]): TranscriptEvent[] {
      const reader = transcripts.createReader({ sessionId, path });
      const events = values.flatMap((value, at) => reader.read(value, { start: at, end: at + 1 }));
      return [...events, ...reader.finish(true)];
    },
  };
}

export function describeTranscripts(recorded: RecordedTranscripts): void {
  const { transcripts, sessionId, opening } = recorded;
  const folder = fileURLToPath(recorded.folder);
  const [session] = transcripts.findAll(folder);
  const path = session?.files[0]?.path ?? '';
  const { records, values, readAll } = openRecording(transcripts, path, sessionId);

  test('finds the session, with its folder and time', () => {
    expect(session?.sessionId).toBe(sessionId);
    expect(transcripts.findSession(path, sessionId)).toEqual(session);
    expect(transcripts.readOpening(path)).toEqual(opening);
    expect(transcripts.findProjectFolders(folder)).toEqual([opening.folder]);
  });

  test('returns the events, with the ids of the calls and unique keys', () => {
    const found = readAll(values);
    expect(found.map(({ event }) => describeEvent(event))).toEqual(recorded.events);
    expect(new Set(found.map(({ event }) => event.cwd ?? opening.folder))).toEqual(new Set([opening.folder]));
    expect(new Set(found.map(({ key }) => key)).size).toBe(found.length);
  });

  test('returns words and calls in their order', () => {
    expect(values.flatMap(transcripts.readAnswer).filter((part) => !('prompt' in part))).toEqual(
      recorded.answer,
    );
  });

  test('reading can continue at the first record that is not settled', () => {
    const reader = transcripts.createReader({ sessionId, path });
    for (const record of records) if ('value' in record) reader.read(record.value, record);
    const settled = reader.settledOffset();
    expect(transcripts.isRecordStart(path, settled)).toBe(true);
    const rest = [...transcripts.readRecords(path, settled)];
    expect(rest).toEqual(records.filter(({ start }) => start >= settled));
    expect(reader.isAnswered()).toBe(true);
  });

  test('reads or skips any record', () => {
    const keys = fc.constantFrom(...new Set(values.flatMap(listKeys)));
    const texts = fc.constantFrom(...new Set(values.flatMap(listTexts)));
    const leaf = fc.oneof(fc.jsonValue({ maxDepth: 2 }), texts);
    const record = fc.dictionary(
      keys,
      fc.oneof(leaf, fc.array(fc.dictionary(keys, leaf)), fc.dictionary(keys, leaf)),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.jsonValue(), record)), (any) => {
        for (const { event } of readAll(any as Json[])) expect(event.sessionId).toBe(sessionId);
        for (const value of any) transcripts.readAnswer(value as Json);
      }),
      { numRuns: 300 },
    );
  });
}

function describeEvent(event: AgentEvent): string {
  if (event.kind === 'tool-end') return `tool-end ${event.call.id} ${event.call.name} ${event.outcome}`;
  return 'text' in event ? `${event.kind} ${event.text}` : event.kind;
}

/** The names of all fields, at any depth. */
function listKeys(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(listKeys);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...listKeys(inner ?? null)]);
}

/** Short texts, such as types and roles. */
function listTexts(value: Json): string[] {
  if (typeof value === 'string') return value.length < 30 ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(listTexts);
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((inner) => listTexts(inner ?? null));
}
