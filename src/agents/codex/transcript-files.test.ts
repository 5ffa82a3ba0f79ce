import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { transcripts } from './transcripts.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-codex-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const session = '01a1ecd0-127c-7e90-833f-75dad15b1519';
const subagent = '01a1ecd0-1776-7763-b426-3e0a7bfc0396';
const other = '01a1ecd0-2222-7763-b426-3e0a7bfc0396';
const day = join(folder, '2026/11/18');

/** Writes a rollout like Codex 0.166.0, with only the fields that are read. */
function writeRollout(time: string, id: string, records: { type: string; payload: Json }[]): string {
  mkdirSync(day, { recursive: true });
  const path = join(day, `rollout-2026-11-18T${time}-${id}.jsonl`);
  const lines = records.map((record, at) =>
    JSON.stringify({ timestamp: `2026-11-18T04:00:2${at}.000Z`, ordinal: at, ...record }),
  );
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const own = writeRollout('04-00-21', session, [
  {
    type: 'session_meta',
    payload: { session_id: session, id: session, source: 'exec', thread_source: 'user' },
  },
]);
const spawn = { parent_thread_id: session, depth: 1, agent_nickname: 'Galileo', agent_role: null };
const ofSubagent = writeRollout('04-00-22', subagent, [
  {
    type: 'session_meta',
    payload: {
      ...{ session_id: session, id: subagent, parent_thread_id: session, cwd: '/home/user/project' },
      ...{ source: { subagent: { thread_spawn: spawn } }, thread_source: 'subagent' },
    },
  },
  { type: 'event_msg', payload: { type: 'task_started', turn_id: 't2' } },
  {
    type: 'event_msg',
    payload: {
      type: 'item_completed',
      item: { type: 'UserMessage', content: [{ type: 'text', text: 'Count the trees.' }] },
    },
  },
  {
    type: 'response_item',
    payload: { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: 'call_3' },
  },
  { type: 'response_item', payload: { type: 'function_call_output', call_id: 'call_3', output: 'apple' } },
  { type: 'event_msg', payload: { type: 'task_complete', last_agent_message: 'I counted two trees.' } },
]);
const unrelated = writeRollout('04-00-23', other, [
  { type: 'session_meta', payload: { session_id: other, id: other, source: 'exec' } },
]);

test('the file of a subagent belongs to the session that started it', () => {
  const found = transcripts.findSession(own, session);
  expect(found.files.map(({ path, subagent }) => [path, subagent])).toEqual([
    [own, undefined],
    [ofSubagent, { id: subagent, type: 'default', isFinished: false }],
  ]);
  expect(transcripts.findAll(folder)).toEqual([
    found,
    { sessionId: other, files: [expect.objectContaining({ path: unrelated })] },
  ]);
});

describe('a session that continues after midnight', () => {
  const longSession = '01a1ecd0-3333-7e90-833f-75dad15b1519';
  let next = 0;

  function writeOn(day: string, meta: object): string {
    const id = `01a1ecd0-4444-7763-b426-${String(next++).padStart(12, '0')}`;
    const path = join(folder, day, `rollout-${day.replaceAll('/', '-')}T23-50-00-${id}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify({ type: 'session_meta', payload: { id, ...meta } })}\n`);
    return path;
  }

  const ofSession = { session_id: longSession, source: { subagent: { thread_spawn: spawn } } };
  const wroteLast = (path: string, at: string) => utimesSync(path, new Date(at), new Date(at));

  test('finds subagents in the folders of later days, also across a new year', () => {
    const path = writeOn('2026/12/31', { session_id: longSession, source: 'cli' });
    const subagents = ['2026/12/31', '2027/01/01', '2027/01/02'].map((day) => writeOn(day, ofSession));
    writeOn('2027/01/01', { session_id: other, source: { subagent: {} } });
    wroteLast(path, '2027-01-02T10:00:00Z');
    expect(transcripts.findSession(path, longSession).files.map((file) => file.path)).toEqual([
      path,
      ...subagents,
    ]);
  });

  test('ignores subagents that were started days after its last record', () => {
    const path = writeOn('2027/03/01', { session_id: longSession, source: 'cli' });
    const tooLate = writeOn('2027/03/05', ofSession);
    wroteLast(path, '2027-03-01T23:59:00Z');
    expect(transcripts.findSession(path, longSession).files.map((file) => file.path)).not.toContain(tooLate);
  });

  test('searches only the first day and the last days if it was resumed after months', () => {
    const path = writeOn('2027/05/01', { session_id: longSession, source: 'cli' });
    const [first, , last] = ['2027/05/01', '2027/06/15', '2027/08/20'].map((day) => writeOn(day, ofSession));
    wroteLast(path, '2027-08-20T10:00:00Z');
    expect(transcripts.findSession(path, longSession).files.map((file) => file.path)).toEqual([
      path,
      first,
      last,
    ]);
  });
});

test('reads the calls and the report of a subagent, but not its prompt', () => {
  const reader = transcripts.createReader({
    sessionId: session,
    path: own,
    subagent: { id: subagent, type: 'default', path: ofSubagent },
  });
  const events = [...transcripts.readRecords(ofSubagent, 0)].flatMap((record) =>
    'value' in record ? reader.read(record.value, record) : [],
  );
  const origin = {
    sessionId: session,
    cwd: '/home/user/project',
    transcriptPath: own,
    promptId: 't2',
    subagent: { id: subagent, type: 'default' },
  };
  expect([...events, ...reader.finish(true)].map(({ event }) => event)).toEqual([
    expect.objectContaining({ kind: 'tool-end', ...origin, outcome: 'success', response: 'apple' }),
    {
      kind: 'subagent-end',
      ...origin,
      text: 'I counted two trees.',
      transcriptOfSubagent: ofSubagent,
    },
  ]);
});
