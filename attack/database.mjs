import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

const KEYS = `
  SELECT CASE
      WHEN call_id IS NOT NULL THEN call_id
      WHEN kind IN ('session-start', 'compact-start', 'session-end') THEN kind || ' of ' || agent_session
      ELSE text
    END AS key
  FROM events JOIN sessions ON sessions.id = events.session_id
  UNION ALL SELECT text FROM prompts`;

/** Counts how often each key is stored; keys are those of events.mjs. */
export function countStoredKeys(home) {
  const counts = new Map();
  for (const { key } of readRows(home, KEYS)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

export function promptTexts(home) {
  return readRows(home, 'SELECT text FROM prompts').map(({ text }) => text);
}

export function findDamage(home) {
  return readRows(home, 'PRAGMA integrity_check')
    .map((row) => row.integrity_check)
    .filter((line) => line !== 'ok');
}

function readRows(home, sql) {
  const db = new DatabaseSync(join(home, 'cairn.db'), { timeout: 10_000 });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

/** Counts accepted events that are missing, and events that are stored more than once. */
export function compareWithStore(tally, home, { sent, accepted }) {
  const stored = countStoredKeys(home);
  const lost = accepted.filter(({ key }) => !stored.has(key));
  const doubled = sent.filter(({ key }) => (stored.get(key) ?? 0) > 1);
  for (const [event, keys] of groupByEvent(lost))
    tally.fail('lost', `${event}, accepted but not in the database: ${keys.join(', ')}`, keys.length);
  for (const [event, keys] of groupByEvent(doubled))
    tally.fail('doubled', `${event}, stored more than once: ${keys.join(', ')}`, keys.length);
  for (const line of findDamage(home)) tally.fail('crashed', `integrity check: ${line}`);
}

function groupByEvent(items) {
  const groups = new Map();
  for (const { event, key } of items) groups.set(event, [...(groups.get(event) ?? []), key]);
  return groups;
}
