import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { updateIndex } from '../indexing/update-index.ts';
import { type Database, openDatabase } from '../store/sqlite/open.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { recall } from './recall.ts';

const DAY = 86_400_000;
const NOW = new Date(2026, 5, 15, 12).getTime();
const GENERIC =
  'Here are some ideas. 1. Start small and write down what works. 2. Set a budget and keep a margin. 3. Ask friends for ' +
  'their experience. 4. Compare a few offers before you decide. Let me know if you want to look at one of these together.';

describe('conversations of a person with an agent', () => {
  let folder: string;
  let db: Database;
  let store: Store;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-conversations-'));
    db = openDatabase(join(folder, 'cairn.db'));
    store = openSqliteStore(join(folder, 'cairn.db'));
    db.prepare("INSERT INTO projects (id, name, created_at) VALUES (1, 'chats', 0)").run();
    for (let id = 1; id <= 12; id++)
      db.prepare(`
        INSERT INTO sessions (id, agent, agent_session, project_id, first_seen, last_seen) VALUES (?, 'bench', ?, 1, 0, 0)`).run(
        id,
        `session-${id}`,
      );
    // So that words are as rare as they are in life.
    for (let number = 0; number < 40; number++) say(12, 'user', `Filler ${number} about nothing much at all`);
  });
  afterEach(() => {
    store.close();
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['assistant', 'ai', 'AI Assistant', 'model'])(
    'prefers what the person said to the reply of %s',
    (agent) => {
      const said = say(1, 'user', 'My kitchen tiles are going to be green.');
      const reply = say(
        1,
        agent,
        `Green kitchen tiles are a lovely choice for a kitchen! ${GENERIC} Tiles, kitchen.`,
      );
      expect(ids('What colour are the kitchen tiles?').slice(0, 2)).toEqual([said, reply]);
    },
  );

  it('gives the reply to those who ask what the agent said', () => {
    const said = say(1, 'user', 'Which mortar suits the kitchen tiles?');
    const reply = say(1, 'assistant', `For kitchen tiles I recommend a flexible mortar. ${GENERIC}`);
    expect(ids('What did you recommend for the kitchen tiles?').slice(0, 2)).toEqual([reply, said]);
  });

  it('remembers instructions when it is asked to do something', () => {
    const fact = say(1, 'user', 'The recipe for the soup was in the drawer.');
    const instruction = say(2, 'user', 'Always use metric units in a recipe.');
    expect(ids('Write me a recipe for pancakes')[0]).toBe(instruction);
    expect(new Set(ids('recipe').slice(0, 2))).toEqual(new Set([fact, instruction]));
  });

  it('looks in several sessions for an overview', () => {
    for (let turn = 0; turn < 8; turn++) say(1, 'user', `Offer ${turn} for the greenhouse came in.`, 1);
    const older = [2, 3, 4].map((session) =>
      say(session, 'user', `Visit ${session} to the greenhouse went well.`, 9),
    );
    const found = (text: string) => older.filter((id) => ids(text, 6).includes(id));
    expect(found('greenhouse')).toEqual([]);
    expect(found('Give me a summary of how the greenhouse progressed')).toEqual(older);
  });

  function say(session: number, saidBy: string, text: string, daysAgo = 10): number {
    const { lastInsertRowid } = db
      .prepare(`
        INSERT INTO memories (kind, title, subtitle, narrative, facts, concepts, tokens, session_id, project_id, distiller,
          at, changed_at, said_by)
        VALUES ('note', '', '', ?, '[]', '[]', 1, ?, 1, 'bench', ?, 0, ?)`)
      .run(text, session, NOW - daysAgo * DAY, saidBy);
    return Number(lastInsertRowid);
  }

  function ids(text: string, limit = 10): number[] {
    updateIndex(store);
    return recall(store, { text, projectId: 1, reach: 'project', limit, now: NOW }).map(({ id }) => id);
  }
});
