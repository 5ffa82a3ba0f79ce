import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPlainStore, type PlainStore } from '../../../test/support/plain-store.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import type { AgentEvent, ToolCall } from '../../model/agent-event.ts';
import { type Database, openDatabase } from './open.ts';

// Events that a transcript reports late must be assigned to the right turn.

let store: PlainStore;
let db: Database;
let number = 0;

beforeEach(() => {
  const path = join(tempFolder(), 'cairn.db');
  store = openPlainStore(path);
  db = openDatabase(path);
});

afterEach(() => {
  db.close();
  store.close();
});

type Report = { at: number; via?: string } & (
  | { prompt: string; id?: string }
  | { call: string; of?: string }
  | { end: string; of?: string }
);

function report(...events: Report[]): void {
  const files = events.map(({ at, via = 'settings', ...fields }) => {
    const name = `file-${number++}`;
    const captured = {
      agent: 'claude-code',
      event: eventOf(fields),
      priority: 'normal' as const,
      at,
      via,
      spoolName: name,
    };
    return { name, agent: 'claude-code', hook: 'x', via, at, events: [captured] };
  });
  store.ingest(files, 1_000);
}

function eventOf(fields: object): AgentEvent {
  const { prompt, id, call, end, of } = fields as Record<string, string | undefined>;
  if (prompt !== undefined)
    return { kind: 'prompt', sessionId: 's', promptId: id ?? prompt, text: prompt, origin: 'person' };
  const scene = { sessionId: 's', ...(of !== undefined && { promptId: of }) };
  if (end !== undefined) return { kind: 'turn-end', ...scene, text: end, continued: false };
  const named: ToolCall = { id: call ?? '', name: 'Bash', does: 'command', input: null, files: [] };
  return { kind: 'tool-end', ...scene, call: named, outcome: 'success', response: null, reportedBy: 'call' };
}

/** The prompt, end and calls of each turn. */
function turns() {
  return db
    .prepare(`
      SELECT p.text AS prompt, t.closed_by AS closedBy,
        (SELECT group_concat(call_id, ' ') FROM events e WHERE e.turn_id = t.id AND call_id IS NOT NULL) AS calls
      FROM turns t LEFT JOIN prompts p ON p.turn_id = t.id ORDER BY t.opened_at`)
    .all();
}

test('a late call belongs to the turn that was open at its time, which stays closed and is distilled again', () => {
  report({ at: 10, prompt: 'one' }, { at: 20, call: 'a', of: 'one' }, { at: 30, end: 'x', of: 'one' });
  report({ at: 40, prompt: 'two' }, { at: 50, call: 'b', of: 'two' });
  const [before] = store.listJobs();
  report({ at: 25, call: 'late', of: 'one', via: 'transcript' });
  expect(turns()).toEqual([
    { prompt: 'one', closedBy: 'turn-end', calls: 'a late' },
    { prompt: 'two', closedBy: null, calls: 'b' },
  ]);
  expect(store.listJobs()).toEqual([{ ...before, generation: (before?.generation ?? 0) + 1 }]);
});

test('a late prompt gets its own turn and does not close the open one', () => {
  report({ at: 10, prompt: 'one' }, { at: 20, call: 'a', of: 'one' });
  report({ at: 60, prompt: 'three' }, { at: 70, call: 'c', of: 'three' });
  report(
    { at: 30, prompt: 'two', via: 'transcript' },
    { at: 40, call: 'b', of: 'two', via: 'transcript' },
    { at: 50, end: 'y', of: 'two', via: 'transcript' },
  );
  report({ at: 80, call: 'd', of: 'three' });
  expect(turns()).toEqual([
    { prompt: 'one', closedBy: 'prompt', calls: 'a' },
    { prompt: 'two', closedBy: 'prompt', calls: 'b' },
    { prompt: 'three', closedBy: null, calls: 'c d' },
  ]);
});

test('a prompt sent while the agent works takes no earlier calls from the current turn', () => {
  report({ at: 10, prompt: 'one', id: 'p' }, { at: 20, call: 'a', of: 'p' });
  report({ at: 30, prompt: 'and this', id: 'p' }, { at: 40, call: 'b', of: 'p' });
  expect(turns()).toEqual([
    { prompt: 'one', closedBy: 'prompt', calls: 'a' },
    { prompt: 'and this', closedBy: null, calls: 'b' },
  ]);
});

test('turns from transcripts have a lower priority', () => {
  report({ at: 10, prompt: 'one', via: 'transcript' }, { at: 30, end: 'x', of: 'one', via: 'transcript' });
  report({ at: 40, prompt: 'two' }, { at: 50, end: 'y', of: 'two' });
  expect(store.listJobs().map(({ turnId, priority }) => ({ turnId, priority }))).toEqual([
    { turnId: 2, priority: 'normal' },
    { turnId: 1, priority: 'low' },
  ]);
});
