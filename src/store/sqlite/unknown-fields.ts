import type { SpoolIntake } from '../types/intake.ts';
import type { UnknownField } from '../types/session.ts';
import type { Database } from './open.ts';

/** A limit per hook: with more names they are not new fields of the client, but data used as names. */
const MOST_NAMES = 20;

export function addUnknownFields(
  db: Database,
  { agent, hook, unknownFields = [] }: Pick<SpoolIntake, 'agent' | 'hook' | 'unknownFields'>,
): void {
  if (unknownFields.length === 0) return;
  const add = db.prepare(`
    INSERT OR IGNORE INTO unknown_fields (agent, hook, name) SELECT ?, ?, ?
    WHERE (SELECT count(*) FROM unknown_fields WHERE agent = ? AND hook = ?) < ?`);
  for (const name of unknownFields) add.run(agent, hook, name, agent, hook, MOST_NAMES);
}

export function listUnknownFields(db: Database): UnknownField[] {
  return db
    .prepare<UnknownField>('SELECT agent, hook, name FROM unknown_fields ORDER BY agent, hook, name')
    .all();
}
