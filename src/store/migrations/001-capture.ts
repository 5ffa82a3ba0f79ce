/** Projects, sessions, prompts, events and the jobs that they cause. Never edited after its release. */
export const sql = `
CREATE TABLE projects (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  alias TEXT,
  remote TEXT,
  merged_into INTEGER REFERENCES projects(id),
  created_at INTEGER NOT NULL
);
CREATE INDEX projects_remote ON projects(remote) WHERE remote IS NOT NULL;

-- The project that a project counts as, through any number of merges.
CREATE VIEW project_roots AS
  WITH RECURSIVE chain (id, root) AS (
    SELECT id, id FROM projects WHERE merged_into IS NULL
    UNION ALL
    SELECT p.id, chain.root FROM projects p JOIN chain ON p.merged_into = chain.id
  )
  SELECT id, root FROM chain;

-- A place is a git common dir, or a folder outside git. A project has one on each clone.
CREATE TABLE project_places (
  path TEXT PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects(id),
  remote TEXT
) WITHOUT ROWID;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  agent TEXT NOT NULL,
  agent_session TEXT NOT NULL,
  project_id INTEGER REFERENCES projects(id),
  worktree TEXT,
  branch TEXT,
  folder TEXT,
  transcript TEXT,
  model TEXT,
  start_source TEXT,
  end_reason TEXT,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  UNIQUE (agent, agent_session)
);
CREATE INDEX sessions_project ON sessions(project_id, last_seen);

-- From a prompt to the agent's closing words, or to whatever else ended it.
CREATE TABLE turns (
  id INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES sessions(id),
  prompt_number INTEGER,
  opened_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  closed_at INTEGER,
  closed_by TEXT
);
CREATE INDEX turns_session ON turns(session_id, id);
CREATE INDEX turns_open ON turns(last_at) WHERE closed_at IS NULL;

CREATE TABLE prompts (
  id INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES sessions(id),
  turn_id INTEGER REFERENCES turns(id),
  number INTEGER NOT NULL,
  agent_prompt TEXT,
  origin TEXT NOT NULL,
  is_private INTEGER NOT NULL,
  text TEXT NOT NULL,
  at INTEGER NOT NULL,
  via TEXT NOT NULL,
  digest TEXT NOT NULL,
  spool_name TEXT NOT NULL,
  UNIQUE (session_id, number)
);

CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES sessions(id),
  turn_id INTEGER REFERENCES turns(id),
  prompt_number INTEGER,
  agent_prompt TEXT,
  kind TEXT NOT NULL,
  tool TEXT,
  does TEXT,
  call_id TEXT,
  outcome TEXT,
  reported_by TEXT,
  subagent_id TEXT,
  subagent_type TEXT,
  priority TEXT NOT NULL,
  duration_ms REAL,
  text TEXT,
  input TEXT,
  response TEXT,
  detail TEXT,
  at INTEGER NOT NULL,
  via TEXT NOT NULL,
  digest TEXT NOT NULL,
  spool_name TEXT NOT NULL
);
CREATE INDEX events_session ON events(session_id, at);
CREATE INDEX events_turn ON events(turn_id);
CREATE INDEX events_prompt ON events(session_id, agent_prompt);
-- The agent's call id tells double delivery; equal content alone never does.
CREATE UNIQUE INDEX events_call ON events(session_id, call_id, kind) WHERE call_id IS NOT NULL;

-- Events without a call id are told apart by what they say, when and which way they came.
CREATE INDEX events_twin ON events(session_id, digest) WHERE call_id IS NULL;

CREATE TABLE event_files (
  event_id INTEGER NOT NULL REFERENCES events(id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  how TEXT NOT NULL,
  PRIMARY KEY (event_id, path, how)
) WITHOUT ROWID;
CREATE INDEX event_files_path ON event_files(path);

-- Names stay after their files are gone, so that no file is ever taken in twice.
CREATE TABLE spool_files (
  name TEXT PRIMARY KEY,
  taken_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE hook_sightings (
  agent TEXT NOT NULL,
  hook TEXT NOT NULL,
  via TEXT NOT NULL,
  last_at INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (agent, hook, via)
) WITHOUT ROWID;

-- A generation counts how often its turn was closed: work done on an older one is done again.
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  turn_id INTEGER NOT NULL REFERENCES turns(id),
  generation INTEGER NOT NULL DEFAULT 1,
  priority TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting',
  attempts INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL DEFAULT 0,
  leased_until INTEGER,
  error TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (kind, turn_id)
);
CREATE INDEX jobs_waiting ON jobs(state, priority, not_before);
`;
