/** The shared parts of each table. Triggers record their changes while any project is exchanged. */
const SHARED_TABLES = [
  {
    table: 'memories',
    what: 'memory',
    columns:
      'type, title, subtitle, narrative, facts, concepts, parts, aliases, scope, branch, project_id, superseded_by, pinned_at, edited_at',
  },
  { table: 'works', what: 'work-item', columns: 'name, title, branch, next_steps, closed_at, project_id' },
  { table: 'plans', what: 'plan', columns: 'text, state' },
  { table: 'tasks', what: 'task', columns: 'subject, description, state' },
  { table: 'handoffs', what: 'handoff', columns: 'parts, tasks, plan, state, to_member' },
];

const IS_SHARING = 'EXISTS (SELECT 1 FROM team_projects)';

/** Not OR IGNORE: inside a trigger the conflict policy of the outer statement applies. */
function mark(what: string, id: string): string {
  return `INSERT INTO team_pending SELECT '${what}', ${id}
    WHERE NOT EXISTS (SELECT 1 FROM team_pending WHERE what = '${what}' AND row_id = ${id});`;
}

function markChangesOf({ table, what, columns }: (typeof SHARED_TABLES)[number]): string {
  return `
CREATE TRIGGER team_${table}_added AFTER INSERT ON ${table} WHEN ${IS_SHARING} BEGIN
  ${mark(what, 'new.id')}
END;
CREATE TRIGGER team_${table}_changed AFTER UPDATE OF ${columns} ON ${table} WHEN ${IS_SHARING} BEGIN
  ${mark(what, 'new.id')}
END;
CREATE TRIGGER team_${table}_removed AFTER DELETE ON ${table} BEGIN
  UPDATE team_items SET row_id = NULL, is_gone = is_dead = 0 WHERE what = '${what}' AND row_id = old.id;
  DELETE FROM team_pending WHERE what = '${what}' AND row_id = old.id;
END;`;
}

/** A team of homes that share memories and work items. */
export const sql = `
-- The member that a handoff is for; null for the next session here.
ALTER TABLE handoffs ADD COLUMN to_member TEXT;

CREATE TABLE team (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  team TEXT NOT NULL,
  member TEXT NOT NULL,
  machine TEXT NOT NULL,
  epoch TEXT NOT NULL,
  server TEXT NOT NULL,
  is_encrypted INTEGER NOT NULL,
  joined_at INTEGER NOT NULL,
  -- A 64-bit number as text: JavaScript would round it.
  hlc TEXT NOT NULL,
  clock_offset INTEGER NOT NULL,
  synced_at INTEGER,
  -- JSON: why the last attempt failed.
  problem TEXT,
  -- Of an encrypted team: digests are made with it.
  digest_secret TEXT NOT NULL DEFAULT ''
);

CREATE TABLE team_projects (
  project_id INTEGER PRIMARY KEY REFERENCES projects(id),
  key TEXT NOT NULL UNIQUE,
  is_shared INTEGER NOT NULL,
  since INTEGER NOT NULL,
  server_id INTEGER,
  can_write INTEGER NOT NULL,
  origin TEXT NOT NULL,
  next_n INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  chain BLOB,
  confirmed INTEGER NOT NULL
);

CREATE TABLE team_items (
  item TEXT PRIMARY KEY,
  project_id INTEGER NOT NULL,
  what TEXT NOT NULL,
  row_id INTEGER,
  author TEXT,
  is_dead INTEGER NOT NULL DEFAULT 0,
  -- Its row was removed here, and the others do not know yet: 1 if it was made again without it, 2 if it was forgotten.
  is_gone INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE UNIQUE INDEX team_items_row ON team_items(what, row_id) WHERE row_id IS NOT NULL;
CREATE INDEX team_items_gone ON team_items(item) WHERE is_gone;
CREATE INDEX team_items_forget ON team_items(item) WHERE is_dead AND row_id IS NOT NULL;

CREATE TABLE team_registers (
  item TEXT NOT NULL,
  aspect TEXT NOT NULL,
  hlc TEXT NOT NULL,
  origin TEXT NOT NULL,
  author TEXT,
  value TEXT NOT NULL,
  is_held INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (item, aspect)
) WITHOUT ROWID;
CREATE INDEX team_registers_held ON team_registers(item) WHERE is_held;

-- Texts that lost against another one, for the history of a memory.
CREATE TABLE team_texts (
  item TEXT NOT NULL,
  hlc TEXT NOT NULL,
  origin TEXT NOT NULL,
  author TEXT,
  text TEXT NOT NULL,
  PRIMARY KEY (item, hlc, origin)
) WITHOUT ROWID;

CREATE TABLE team_outbox (
  project_id INTEGER NOT NULL,
  origin TEXT NOT NULL,
  n INTEGER NOT NULL,
  item TEXT NOT NULL,
  aspect TEXT NOT NULL,
  hlc TEXT NOT NULL,
  -- The stamp of the value that it replaces.
  after TEXT NOT NULL,
  digest BLOB NOT NULL,
  payload BLOB,
  key_epoch INTEGER NOT NULL,
  tokens TEXT NOT NULL,
  is_acknowledged INTEGER NOT NULL DEFAULT 0,
  -- Its number in the feed, once it was read there.
  seq INTEGER,
  refusal TEXT,
  PRIMARY KEY (project_id, origin, n)
) WITHOUT ROWID;
CREATE INDEX team_outbox_item ON team_outbox(item);
CREATE INDEX team_outbox_waiting ON team_outbox(project_id) WHERE NOT is_acknowledged;

-- Changes that could not be applied; the feed goes on without them.
CREATE TABLE team_aside (
  project_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  item TEXT NOT NULL,
  reason TEXT NOT NULL,
  problem TEXT NOT NULL,
  change TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (project_id, seq)
) WITHOUT ROWID;

-- Memories that a person has shared or kept private one by one, whatever their project is.
CREATE TABLE team_choices (
  memory_id INTEGER PRIMARY KEY,
  is_shared INTEGER NOT NULL
);
CREATE TRIGGER team_choice_removed AFTER DELETE ON memories BEGIN
  DELETE FROM team_choices WHERE memory_id = old.id;
END;

-- Rows of shared projects that have changed; what exactly is found out by the worker.
CREATE TABLE team_pending (
  what TEXT NOT NULL,
  row_id INTEGER NOT NULL,
  PRIMARY KEY (what, row_id)
) WITHOUT ROWID;
${SHARED_TABLES.map(markChangesOf).join('\n')}
CREATE TRIGGER team_file_added AFTER INSERT ON memory_files WHEN ${IS_SHARING} BEGIN
  ${mark('memory', 'new.memory_id')}
END;
CREATE TRIGGER team_file_removed AFTER DELETE ON memory_files WHEN ${IS_SHARING}
  AND EXISTS (SELECT 1 FROM memories WHERE id = old.memory_id) BEGIN
  ${mark('memory', 'old.memory_id')}
END;
`;
