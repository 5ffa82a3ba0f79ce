import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { connect, type Database } from '../../src/platform/sqlite.ts';

const RECORDED = new URL('../../src/agents/opencode/payloads/transcripts/opencode.sql', import.meta.url);

/** Creates a database of OpenCode with the recorded session. The caller closes it. */
export function createOpenCodeDatabase(path: string): Database {
  mkdirSync(dirname(path), { recursive: true });
  const db = connect(path, {});
  db.exec('PRAGMA journal_mode = WAL');
  db.exec(readFileSync(RECORDED, 'utf8'));
  return db;
}
