/** What turns leave behind: observations and summaries, one table, one row of small numbers for people to say. */
export const sql = `
CREATE TABLE memories (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  type TEXT,
  title TEXT NOT NULL,
  subtitle TEXT NOT NULL,
  narrative TEXT NOT NULL,
  facts TEXT NOT NULL,
  concepts TEXT NOT NULL,
  -- The parts of a summary.
  parts TEXT,
  tokens INTEGER NOT NULL,
  -- How often it was met again.
  strength INTEGER NOT NULL DEFAULT 1,
  superseded_by INTEGER REFERENCES memories(id),
  turn_id INTEGER REFERENCES turns(id),
  session_id INTEGER REFERENCES sessions(id),
  project_id INTEGER REFERENCES projects(id),
  prompt_number INTEGER,
  branch TEXT,
  commit_id TEXT,
  distiller TEXT NOT NULL,
  at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
);
CREATE INDEX memories_project ON memories(project_id, at);
CREATE INDEX memories_turn ON memories(turn_id);

CREATE TABLE memory_files (
  memory_id INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  how TEXT NOT NULL,
  PRIMARY KEY (memory_id, path, how)
) WITHOUT ROWID;
CREATE INDEX memory_files_path ON memory_files(path);

-- Where a memory comes from; stays when the raw event itself has been removed.
CREATE TABLE memory_events (
  memory_id INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  event_id INTEGER NOT NULL,
  PRIMARY KEY (memory_id, event_id)
) WITHOUT ROWID;

-- Turns in which a memory was met again.
CREATE TABLE memory_turns (
  memory_id INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  turn_id INTEGER NOT NULL REFERENCES turns(id),
  PRIMARY KEY (memory_id, turn_id)
) WITHOUT ROWID;

-- Set when only the keys of a raw event are left.
ALTER TABLE events ADD COLUMN emptied_at INTEGER;
CREATE INDEX events_age ON events(at) WHERE emptied_at IS NULL;

ALTER TABLE turns ADD COLUMN distilled_at INTEGER;
ALTER TABLE turns ADD COLUMN distiller TEXT;

-- Calls to a model, for the budget of the day.
CREATE TABLE model_calls (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  provider TEXT NOT NULL,
  model TEXT,
  turn_id INTEGER REFERENCES turns(id),
  tokens_in INTEGER NOT NULL,
  tokens_out INTEGER NOT NULL,
  error TEXT
);
CREATE INDEX model_calls_at ON model_calls(at);

-- How far a transcript was read.
CREATE TABLE transcripts (
  path TEXT PRIMARY KEY,
  session_id INTEGER REFERENCES sessions(id),
  offset INTEGER NOT NULL,
  size INTEGER NOT NULL,
  read_at INTEGER NOT NULL
) WITHOUT ROWID;
`;
