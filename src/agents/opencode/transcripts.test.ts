import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { describeTranscripts } from '../../../test/support/agent-transcripts.ts';
import { createOpenCodeDatabase } from '../../../test/support/opencode-database.ts';
import type { Json } from '../../model/json.ts';
import { createOpenCodeTranscripts } from './transcripts.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-opencode-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const transcripts = createOpenCodeTranscripts('opencode', 'OPENCODE_DB');
const database = join(folder, 'opencode.db');
const sessionId = 'ses_e14261815ffeE0GW0LzTftGIZW';
const path = join(database, sessionId);
createOpenCodeDatabase(database).close();

describeTranscripts({
  transcripts,
  folder: pathToFileURL(database),
  sessionId,
  opening: { at: 1794958288875, folder: '/home/user/project' },
  events: [
    'prompt please write a file',
    'tool-end call_1 write success',
    'tool-end call_2 bash failure',
    'tool-end call_3 read success',
    'tool-end call_4 read failure',
    'tool-end call_5 cairn_search success',
    'turn-end We decided: the greeting goes to a.txt.',
  ],
  answer: [
    { callId: 'call_1' },
    { callId: 'call_2' },
    { callId: 'call_3' },
    { callId: 'call_4' },
    { callId: 'call_5' },
    { text: 'We decided: the greeting goes to a.txt.' },
  ],
});

test('finds the database in the data folder or at the configured path', () => {
  const folderWith = (variables: Record<string, string>) =>
    transcripts.folder({ userHome: '/home/robin', variable: (name) => variables[name] });
  expect(folderWith({})).toBe('/home/robin/.local/share/opencode/opencode.db');
  expect(folderWith({ XDG_DATA_HOME: '/data' })).toBe('/data/opencode/opencode.db');
  expect(folderWith({ OPENCODE_DB: 'other.db' })).toBe('/home/robin/.local/share/opencode/other.db');
  expect(folderWith({ OPENCODE_DB: '/elsewhere/a.db' })).toBe('/elsewhere/a.db');
});

test('reads an incomplete call of an active session once it is complete', () => {
  const growing = join(folder, 'growing.db');
  const db = createOpenCodeDatabase(growing);
  const own = join(growing, sessionId);
  const say = (id: string, at: number, message: Json, part: Json) => {
    db.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run(
      id,
      sessionId,
      at,
      at,
      JSON.stringify(message),
    );
    db.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)').run(
      `${id}p`,
      id,
      sessionId,
      at,
      at,
      JSON.stringify(part),
    );
  };
  const call = (state: Json) => ({ type: 'tool', tool: 'bash', callID: 'call_9', state });
  const before = transcripts.findSession(own, sessionId).files[0]?.size ?? 0;
  const later = 1794958400000;
  say('n1', later, { role: 'user' }, { type: 'text', text: 'and now?' });
  say(
    'n2',
    later + 1,
    { role: 'assistant', summary: true },
    { type: 'text', text: 'A summary for the model.' },
  );
  say('n3', later + 2, { role: 'user' }, { type: 'text', text: 'Go on.', synthetic: true });
  say('n4', later + 3, { role: 'assistant' }, call({ status: 'running', input: { command: 'make' } }));

  const reader = transcripts.createReader({ sessionId, path: own });
  const read = (from: number) =>
    [...transcripts.readRecords(own, from)]
      .flatMap((record) => ('value' in record ? reader.read(record.value, record) : []))
      .map(({ event }) => event);
  expect(read(before)).toMatchObject([{ kind: 'prompt', text: 'and now?' }]);
  expect(reader.settledOffset()).toBe(before);
  expect(transcripts.isRecordStart(own, before)).toBe(true);

  const done = { status: 'completed', input: { command: 'make' }, output: 'ok', time: { end: later + 9 } };
  db.prepare('UPDATE part SET data = ? WHERE id = ?').run(JSON.stringify(call(done)), 'n4p');
  expect(read(before)).toMatchObject([
    { kind: 'prompt' },
    { kind: 'tool-end', outcome: 'success', response: 'ok', call: { id: 'call_9', does: 'command' } },
  ]);
  db.close();
});

test("adds the sessions of nested subagents to the person's session", () => {
  const delegated = join(folder, 'delegated.db');
  const db = createOpenCodeDatabase(delegated);
  const insert = (id: string, parent: string, at: number) => {
    db.exec(`
      CREATE TEMP TABLE made AS SELECT * FROM session WHERE id = '${sessionId}';
      UPDATE made SET id = '${id}', parent_id = '${parent}', time_created = ${at};
      INSERT INTO session SELECT * FROM made;
      DROP TABLE made;
      INSERT INTO message VALUES ('${id}m1', '${id}', ${at}, ${at}, '{"role":"user"}');
      INSERT INTO part VALUES ('${id}p1', '${id}m1', '${id}', ${at}, ${at}, '{"type":"text","text":"look"}');
      INSERT INTO message VALUES ('${id}m2', '${id}', ${at + 1}, ${at + 1}, '{"role":"assistant"}');
      INSERT INTO part VALUES ('${id}p2', '${id}m2', '${id}', ${at}, ${at}, '{"type":"text","text":"found by ${id}"}')`);
  };
  insert('ses_below', 'ses_sub', 1794958300002);
  insert('ses_sub', sessionId, 1794958300000);
  const own = join(delegated, sessionId);
  const found = transcripts.findSession(own, sessionId);
  expect(found.files.map(({ path, subagent }) => [path, subagent])).toEqual([
    [own, undefined],
    [join(delegated, 'ses_sub'), { id: 'ses_sub', type: '', isFinished: false }],
    [join(delegated, 'ses_below'), { id: 'ses_below', type: '', isFinished: false }],
  ]);
  expect(transcripts.findAll(delegated)).toEqual([found]);

  const { path, subagent } = found.files[1] ?? { path: '' };
  if (!subagent) throw new Error('it is not that of a subagent');
  const reader = transcripts.createReader({ sessionId, path: own, subagent: { ...subagent, path } });
  const events = [...transcripts.readRecords(path, 0)].flatMap((record) =>
    'value' in record ? reader.read(record.value, record) : [],
  );
  // The prompt of a subagent is not a prompt of the person.
  expect([...events, ...reader.finish(true)]).toEqual([
    {
      event: {
        kind: 'subagent-end',
        sessionId,
        transcriptPath: own,
        subagent: { id: 'ses_sub', type: '' },
        text: 'found by ses_sub',
        transcriptOfSubagent: path,
      },
      at: 1794958300001,
      key: 'ses_subm2.turn-end',
    },
  ]);

  // Subagents of a deleted session are ignored, because their purpose is unknown.
  db.exec(`DELETE FROM session WHERE id = '${sessionId}'`);
  expect(transcripts.findAll(delegated)).toEqual([]);
  db.close();
});

describe('an unreadable database', () => {
  const expectRefusal = (database: string, why: string) => {
    expect(() => transcripts.findAll(database)).toThrow(`${database} cannot be read: ${why}`);
    expect(transcripts.findProjectFolders(database)).toEqual([]);
    expect(transcripts.findPath?.(database, sessionId)).toBeUndefined();
  };

  test('has no sessions if it is missing', () => {
    expect(transcripts.findAll(join(folder, 'none.db'))).toEqual([]);
    expect(transcripts.findSession(join(folder, 'none.db', sessionId), sessionId).files).toEqual([]);
  });

  test('is refused if it is not a database', () => {
    const garbage = join(folder, 'garbage.db');
    writeFileSync(garbage, 'garbage '.repeat(1_000));
    expectRefusal(garbage, 'it is damaged, or not a database.');
  });

  test('is refused with unknown tables or columns', () => {
    const empty = join(folder, 'empty.db');
    writeFileSync(empty, '');
    expectRefusal(empty, 'this version of Cairn does not know its tables (no such table: message).');
    const renamed = join(folder, 'renamed.db');
    const db = createOpenCodeDatabase(renamed);
    db.exec('ALTER TABLE session RENAME COLUMN directory TO place');
    expectRefusal(renamed, 'this version of Cairn does not know its tables (no such column: directory).');
    db.close();
  });

  test('is refused with messages in the table of a newer version', () => {
    const newer = join(folder, 'newer.db');
    const db = createOpenCodeDatabase(newer);
    db.exec(
      'DELETE FROM message; CREATE TABLE session_message (id text); INSERT INTO session_message VALUES (1)',
    );
    expectRefusal(newer, 'this version of Cairn does not know its tables (session_message).');
    db.close();
  });

  test('is refused if it is locked', () => {
    const locked = join(folder, 'locked.db');
    const db = createOpenCodeDatabase(locked);
    db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    expect(() => transcripts.findAll(locked)).toThrow('another program has locked it');
    db.close();
  });

  test('is still read if a message is not JSON, which is skipped', () => {
    const torn = join(folder, 'torn.db');
    const db = createOpenCodeDatabase(torn);
    db.exec(`UPDATE part SET data = '{"type"' WHERE data LIKE '%call_2%'`);
    const records = [...transcripts.readRecords(join(torn, sessionId), 0)];
    expect(records.filter((record) => 'problem' in record)).toMatchObject([{ problem: 'it is not JSON' }]);
    expect(records.length).toBe(7);
    db.close();
  });
});

test('reading does not change the database', () => {
  const before = readFileSync(database);
  expect([...transcripts.readRecords(path, 0)].length).toBe(7);
  expect(readFileSync(database).equals(before)).toBe(true);
});
