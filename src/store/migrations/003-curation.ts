/** What people and agents do with memories afterwards, and what agents were given of them. */
export const sql = `
-- 'global' holds in every project.
ALTER TABLE memories ADD COLUMN scope TEXT NOT NULL DEFAULT 'project';
-- 'person', 'agent', 'distiller', or a name that an import brought along.
ALTER TABLE memories ADD COLUMN said_by TEXT NOT NULL DEFAULT 'distiller';
-- Other words under which it is to be found.
ALTER TABLE memories ADD COLUMN aliases TEXT NOT NULL DEFAULT '[]';
ALTER TABLE memories ADD COLUMN pinned_at INTEGER;
-- Set by hand: distilling its turn again leaves it alone.
ALTER TABLE memories ADD COLUMN edited_at INTEGER;
-- When its branch had been merged: from then on it holds on every branch.
ALTER TABLE memories ADD COLUMN merged_at INTEGER;
-- What an imported memory was called where it came from, so that it comes once.
ALTER TABLE memories ADD COLUMN origin TEXT;
CREATE UNIQUE INDEX memories_origin ON memories(origin) WHERE origin IS NOT NULL;

-- How a file looked when the memory was made, and which names in it the memory speaks of.
ALTER TABLE memory_files ADD COLUMN hash TEXT;
ALTER TABLE memory_files ADD COLUMN symbols TEXT NOT NULL DEFAULT '[]';

-- What was forgotten must not come back. Nothing here can be read: digests, and where it came from.
CREATE TABLE forgotten (
  id INTEGER PRIMARY KEY,
  turn_id INTEGER,
  origin TEXT,
  digest TEXT NOT NULL,
  at INTEGER NOT NULL
);
CREATE INDEX forgotten_turn ON forgotten(turn_id) WHERE turn_id IS NOT NULL;
CREATE INDEX forgotten_digest ON forgotten(digest);
CREATE INDEX forgotten_origin ON forgotten(origin) WHERE origin IS NOT NULL;

-- What was given to which session. The session is the agent's own name for it: ours may not exist yet.
CREATE TABLE injections (
  id INTEGER PRIMARY KEY,
  agent TEXT NOT NULL,
  agent_session TEXT NOT NULL,
  -- 'start', 'prompt', 'file' or 'mcp'.
  door TEXT NOT NULL,
  memory_id INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  tokens INTEGER NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL
);
CREATE INDEX injections_session ON injections(agent_session, memory_id);
CREATE INDEX injections_memory ON injections(memory_id);
`;
