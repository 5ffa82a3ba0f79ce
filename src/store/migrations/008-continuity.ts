/** Works with their sessions, plans, tasks and handoffs. Sessions go by the agent's own id: ours may not exist yet. */
export const sql = `
CREATE TABLE works (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Also the name of a folder, and not every disk tells cases apart.
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  title TEXT NOT NULL,
  mode TEXT NOT NULL,
  project_id INTEGER NOT NULL REFERENCES projects(id),
  branch TEXT,
  worktree TEXT,
  next_steps TEXT NOT NULL DEFAULT '',
  next_steps_at INTEGER NOT NULL DEFAULT 0,
  opened_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  closed_at INTEGER,
  -- What its state file shows, and how that looked when we wrote it.
  mirrored_change INTEGER,
  mirrored_hash TEXT
);
CREATE INDEX works_project ON works(project_id, changed_at);

-- What a work was called before: links and habits outlive a new name.
CREATE TABLE work_names (
  name TEXT PRIMARY KEY COLLATE NOCASE,
  work_id INTEGER NOT NULL REFERENCES works(id) ON DELETE CASCADE
) WITHOUT ROWID;

-- A session belongs to the work it was bound to last.
CREATE TABLE work_sessions (
  id INTEGER PRIMARY KEY,
  work_id INTEGER NOT NULL REFERENCES works(id) ON DELETE CASCADE,
  agent TEXT NOT NULL,
  agent_session TEXT NOT NULL,
  bound_by TEXT NOT NULL,
  at INTEGER NOT NULL
);
CREATE INDEX work_sessions_session ON work_sessions(agent_session, id);
CREATE INDEX work_sessions_work ON work_sessions(work_id);

-- What was given to which session.
CREATE TABLE told_works (
  agent_session TEXT NOT NULL,
  work_id INTEGER NOT NULL REFERENCES works(id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  PRIMARY KEY (agent_session, work_id)
) WITHOUT ROWID;

CREATE TABLE work_notes (
  id INTEGER PRIMARY KEY,
  work_id INTEGER NOT NULL REFERENCES works(id) ON DELETE CASCADE,
  text TEXT NOT NULL,
  at INTEGER NOT NULL
);
CREATE INDEX work_notes_work ON work_notes(work_id);

CREATE TABLE plans (
  id INTEGER PRIMARY KEY,
  work_id INTEGER NOT NULL REFERENCES works(id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  state TEXT NOT NULL,
  text TEXT NOT NULL,
  hash TEXT NOT NULL,
  agent_session TEXT,
  at INTEGER NOT NULL,
  decided_at INTEGER,
  UNIQUE (work_id, version)
);

CREATE TABLE tasks (
  id INTEGER PRIMARY KEY,
  work_id INTEGER NOT NULL REFERENCES works(id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  subject TEXT NOT NULL,
  description TEXT NOT NULL,
  state TEXT NOT NULL,
  source TEXT NOT NULL,
  key TEXT,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  UNIQUE (work_id, number)
);
CREATE INDEX tasks_key ON tasks(work_id, key) WHERE key IS NOT NULL;

CREATE TABLE task_changes (
  id INTEGER PRIMARY KEY,
  task_id INTEGER NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  changed_by TEXT NOT NULL,
  at INTEGER NOT NULL
);
CREATE INDEX task_changes_task ON task_changes(task_id);

CREATE TABLE handoffs (
  id INTEGER PRIMARY KEY,
  work_id INTEGER NOT NULL REFERENCES works(id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  state TEXT NOT NULL,
  parts TEXT NOT NULL,
  tasks TEXT NOT NULL,
  plan TEXT,
  git TEXT,
  written_by TEXT NOT NULL,
  agent_session TEXT,
  given_to TEXT,
  at INTEGER NOT NULL,
  taken_at INTEGER,
  UNIQUE (work_id, number)
);
CREATE INDEX handoffs_waiting ON handoffs(work_id) WHERE state IN ('staged', 'given');

CREATE TABLE git_states (
  id INTEGER PRIMARY KEY,
  work_id INTEGER REFERENCES works(id) ON DELETE CASCADE,
  agent_session TEXT,
  moment TEXT NOT NULL,
  folder TEXT NOT NULL,
  state TEXT NOT NULL,
  at INTEGER NOT NULL
);
CREATE INDEX git_states_work ON git_states(work_id, at);
CREATE INDEX git_states_session ON git_states(agent_session, moment);

CREATE TABLE context_fills (
  agent_session TEXT PRIMARY KEY,
  tokens INTEGER NOT NULL,
  window INTEGER NOT NULL,
  model TEXT,
  told_at INTEGER NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;

-- How far the captured was looked at. What was there before works existed makes none.
CREATE TABLE followed (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  prompt_id INTEGER NOT NULL,
  event_id INTEGER NOT NULL
);
INSERT INTO followed
  SELECT 1, coalesce((SELECT max(id) FROM prompts), 0), coalesce((SELECT max(id) FROM events), 0);

-- The number of a last row that is deleted is given again, to one that nobody has looked at.
CREATE TRIGGER followed_prompt_out AFTER DELETE ON prompts BEGIN
  UPDATE followed SET prompt_id = coalesce((SELECT max(id) FROM prompts), 0)
    WHERE prompt_id > coalesce((SELECT max(id) FROM prompts), 0);
END;
CREATE TRIGGER followed_event_out AFTER DELETE ON events BEGIN
  UPDATE followed SET event_id = coalesce((SELECT max(id) FROM events), 0)
    WHERE event_id > coalesce((SELECT max(id) FROM events), 0);
END;

-- Planning is no work yet.
ALTER TABLE prompts ADD COLUMN permission_mode TEXT;
ALTER TABLE events ADD COLUMN permission_mode TEXT;
`;
