function recordChangesOf(table: string, what: string, columns = ''): string {
  return [
    ['INSERT', 'new', 'added'],
    [`UPDATE ${columns}`, 'new', 'changed'],
    ['DELETE', 'old', 'removed'],
  ]
    .map(
      ([event, row, how]) => `CREATE TRIGGER changes_${table}_${how} AFTER ${event} ON ${table} BEGIN
  INSERT INTO changes (what, id, how) VALUES ('${what}', ${row}.id, '${how}');
END;`,
    )
    .join('\n');
}

/** The schema of the first release. */
export const sql = `
-- Projects, sessions, prompts, events and the jobs that they cause.
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
  closed_by TEXT,
  distilled_at INTEGER,
  distiller TEXT
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
  -- In plan mode a prompt opens no work item.
  permission_mode TEXT,
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
  spool_name TEXT NOT NULL,
  -- Set when only the keys of a raw event are left.
  emptied_at INTEGER,
  permission_mode TEXT
);
CREATE INDEX events_session ON events(session_id, at);
CREATE INDEX events_turn ON events(turn_id);
CREATE INDEX events_prompt ON events(session_id, agent_prompt);
-- The agent's call id tells double delivery; equal content alone never does.
CREATE UNIQUE INDEX events_call ON events(session_id, call_id, kind) WHERE call_id IS NOT NULL;

-- Events without a call id are told apart by what they say, when and which way they came.
CREATE INDEX events_twin ON events(session_id, digest) WHERE call_id IS NULL;
CREATE INDEX events_age ON events(at) WHERE emptied_at IS NULL;

CREATE TABLE event_files (
  event_id INTEGER NOT NULL REFERENCES events(id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  how TEXT NOT NULL,
  PRIMARY KEY (event_id, path, how)
) WITHOUT ROWID;
CREATE INDEX event_files_path ON event_files(path);

-- Names stay after their files are gone, so that no file is ingested twice.
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

-- What turns leave behind: observations and summaries, one table, one row of small numbers for people to say.
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
  changed_at INTEGER NOT NULL,
  -- 'global' applies in every project.
  scope TEXT NOT NULL DEFAULT 'project',
  -- 'person', 'agent', 'distiller', or a name that an import brought along.
  said_by TEXT NOT NULL DEFAULT 'distiller',
  -- Other words under which it is to be found.
  aliases TEXT NOT NULL DEFAULT '[]',
  pinned_at INTEGER,
  -- Set by hand: distilling its turn again leaves it alone.
  edited_at INTEGER,
  -- When its branch had been merged: from then on it holds on every branch.
  merged_at INTEGER,
  -- What an imported memory was called where it came from, so that it comes once.
  origin TEXT
);
CREATE INDEX memories_project ON memories(project_id, at);
-- The feed of all projects, a page at a time.
CREATE INDEX memories_at ON memories(at);
CREATE INDEX memories_turn ON memories(turn_id);
CREATE UNIQUE INDEX memories_origin ON memories(origin) WHERE origin IS NOT NULL;

CREATE TABLE memory_files (
  memory_id INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  how TEXT NOT NULL,
  -- How the file looked when the memory was made, and which names in it the memory mentions.
  hash TEXT,
  symbols TEXT NOT NULL DEFAULT '[]',
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

-- What people and agents do with memories afterwards, and what agents were given of them.

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
  -- Positions of the claims, as JSON; null where the memory was given whole.
  claims TEXT,
  at INTEGER NOT NULL
);
CREATE INDEX injections_session ON injections(agent_session, memory_id);
CREATE INDEX injections_memory ON injections(memory_id);

-- What agents were given, word for word, with what was considered and left out.
CREATE TABLE given_contexts (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  agent TEXT NOT NULL,
  agent_session TEXT NOT NULL,
  -- 'start', 'prompt', 'file' or 'mcp'.
  source TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  -- Null where there is no limit.
  budget INTEGER,
  -- JSON: the text, each memory in it, and each that was left out, with reasons and score.
  body TEXT NOT NULL
);
CREATE INDEX given_contexts_at ON given_contexts(at);

-- The search index, derived from memories and prompts. Triggers record, for every writer, what has to be
-- indexed (again). A document's id is the memory's id * 2, or the prompt's id * 2 + 1.
CREATE TABLE search_pending (id INTEGER PRIMARY KEY);

-- The words as our tokeniser makes them, for the full text index and for scoring. Small columns first: texts overflow.
CREATE TABLE search_docs (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  type TEXT,
  project_id INTEGER,
  session_id INTEGER,
  at INTEGER NOT NULL,
  agent TEXT,
  branch TEXT,
  said_by TEXT NOT NULL,
  is_global INTEGER NOT NULL,
  superseded_by INTEGER,
  pinned_at INTEGER,
  merged_at INTEGER,
  -- The share of its text that is in questions, from 0 to 1.
  asks REAL NOT NULL,
  -- What else it has in it: number, time, name, cause.
  mentions TEXT NOT NULL,
  words INTEGER NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  header TEXT NOT NULL,
  scope TEXT NOT NULL
);
CREATE INDEX search_docs_session ON search_docs(session_id, at, id);
CREATE INDEX search_docs_at ON search_docs(at);

CREATE TABLE search_totals (
  project_id INTEGER PRIMARY KEY,
  docs INTEGER NOT NULL,
  words INTEGER NOT NULL
);

CREATE VIRTUAL TABLE search_words USING fts5(
  title, body, header, scope,
  content = 'search_docs', content_rowid = 'id',
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co' tokenchars '_.@/#:+'"
);
INSERT INTO search_words (search_words, rank) VALUES ('rank', 'bm25(2.0, 1.0, 0.7, 0.0)');
-- Forgotten words leave the file, not only the results.
INSERT INTO search_words (search_words, rank) VALUES ('secure-delete', 1);
-- The words of the index, for what was misspelled. Reads the index, stores nothing.
CREATE VIRTUAL TABLE search_terms USING fts5vocab(search_words, row);

CREATE TRIGGER search_docs_in AFTER INSERT ON search_docs BEGIN
  INSERT INTO search_words (rowid, title, body, header, scope)
    VALUES (new.id, new.title, new.body, new.header, new.scope);
  INSERT INTO search_totals (project_id, docs, words) VALUES (coalesce(new.project_id, 0), 1, new.words)
    ON CONFLICT DO UPDATE SET docs = docs + 1, words = words + new.words;
END;
CREATE TRIGGER search_docs_out AFTER DELETE ON search_docs BEGIN
  INSERT INTO search_words (search_words, rowid, title, body, header, scope)
    VALUES ('delete', old.id, old.title, old.body, old.header, old.scope);
  UPDATE search_totals SET docs = docs - 1, words = words - old.words
    WHERE project_id = coalesce(old.project_id, 0);
END;

-- Not OR IGNORE: inside a trigger the conflict policy of the outer statement counts, and that may be an upsert.
CREATE TRIGGER search_memory_in AFTER INSERT ON memories BEGIN
  INSERT INTO search_pending SELECT new.id * 2 WHERE new.id * 2 NOT IN (SELECT id FROM search_pending);
END;
CREATE TRIGGER search_memory_changed AFTER UPDATE OF
  kind, type, title, subtitle, narrative, facts, concepts, parts, aliases, scope, said_by,
  session_id, project_id, branch, at ON memories BEGIN
  INSERT INTO search_pending SELECT new.id * 2 WHERE new.id * 2 NOT IN (SELECT id FROM search_pending);
END;
-- What does not change the words is at once as it is.
CREATE TRIGGER search_memory_standing AFTER UPDATE OF superseded_by, pinned_at, merged_at ON memories BEGIN
  UPDATE search_docs SET superseded_by = new.superseded_by, pinned_at = new.pinned_at, merged_at = new.merged_at
    WHERE id = new.id * 2;
END;
CREATE TRIGGER search_memory_out AFTER DELETE ON memories BEGIN
  DELETE FROM search_docs WHERE id = old.id * 2;
  DELETE FROM search_pending WHERE id = old.id * 2;
END;

CREATE TRIGGER search_file_in AFTER INSERT ON memory_files BEGIN
  INSERT INTO search_pending SELECT new.memory_id * 2 WHERE new.memory_id * 2 NOT IN (SELECT id FROM search_pending);
END;
CREATE TRIGGER search_file_out AFTER DELETE ON memory_files BEGIN
  INSERT INTO search_pending SELECT old.memory_id * 2 WHERE old.memory_id * 2 NOT IN (SELECT id FROM search_pending);
END;

-- Words that were searched for in vain just before the memory was opened: they find it from then on.
CREATE TABLE learnt_aliases (
  memory_id INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  words TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (memory_id, words)
) WITHOUT ROWID;
CREATE TRIGGER search_alias_in AFTER INSERT ON learnt_aliases BEGIN
  INSERT INTO search_pending SELECT new.memory_id * 2 WHERE new.memory_id * 2 NOT IN (SELECT id FROM search_pending);
END;
CREATE TRIGGER search_alias_out AFTER DELETE ON learnt_aliases BEGIN
  INSERT INTO search_pending SELECT old.memory_id * 2 WHERE old.memory_id * 2 NOT IN (SELECT id FROM search_pending);
END;
-- The last search of a terminal or session that found nothing good; kept for minutes.
CREATE TABLE weak_searches (
  searcher TEXT PRIMARY KEY,
  words TEXT NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TRIGGER search_prompt_in AFTER INSERT ON prompts BEGIN
  INSERT INTO search_pending SELECT new.id * 2 + 1 WHERE new.id * 2 + 1 NOT IN (SELECT id FROM search_pending);
END;
CREATE TRIGGER search_prompt_changed AFTER UPDATE OF text, origin, is_private, session_id ON prompts BEGIN
  INSERT INTO search_pending SELECT new.id * 2 + 1 WHERE new.id * 2 + 1 NOT IN (SELECT id FROM search_pending);
END;
CREATE TRIGGER search_prompt_out AFTER DELETE ON prompts BEGIN
  DELETE FROM search_docs WHERE id = old.id * 2 + 1;
  DELETE FROM search_pending WHERE id = old.id * 2 + 1;
END;
CREATE TRIGGER search_session_moved AFTER UPDATE OF project_id ON sessions
  WHEN old.project_id IS NOT new.project_id BEGIN
  INSERT INTO search_pending
    SELECT id * 2 + 1 FROM prompts
    WHERE session_id = new.id AND id * 2 + 1 NOT IN (SELECT id FROM search_pending);
END;

-- What failed calls said, without paths, numbers and addresses. Derived from events, but stays when the raw event is
-- emptied for its age. An error's id is its event's id * 4 + its place among the errors of the event.
CREATE TABLE errors (
  id INTEGER PRIMARY KEY,
  event_id INTEGER NOT NULL REFERENCES events(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  message TEXT NOT NULL,
  frames TEXT NOT NULL,
  -- As our tokeniser makes them.
  words TEXT NOT NULL
);
CREATE INDEX errors_text ON errors(name, message);
CREATE TABLE errors_pending (event_id INTEGER PRIMARY KEY);

CREATE VIRTUAL TABLE error_words USING fts5(
  words, content = 'errors', content_rowid = 'id',
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co' tokenchars '_.@/#:+'"
);
INSERT INTO error_words (error_words, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER errors_in AFTER INSERT ON errors BEGIN
  INSERT INTO error_words (rowid, words) VALUES (new.id, new.words);
END;
CREATE TRIGGER errors_out AFTER DELETE ON errors BEGIN
  INSERT INTO error_words (error_words, rowid, words) VALUES ('delete', old.id, old.words);
END;
CREATE TRIGGER errors_event_in AFTER INSERT ON events WHEN new.outcome = 'failure' BEGIN
  INSERT INTO errors_pending SELECT new.id WHERE new.id NOT IN (SELECT event_id FROM errors_pending);
END;
CREATE TRIGGER errors_event_changed AFTER UPDATE OF outcome, response ON events
  WHEN new.outcome = 'failure' AND new.response IS NOT NULL BEGIN
  INSERT INTO errors_pending SELECT new.id WHERE new.id NOT IN (SELECT event_id FROM errors_pending);
END;
CREATE TRIGGER errors_event_out AFTER DELETE ON events BEGIN
  DELETE FROM errors_pending WHERE event_id = old.id;
END;

-- The claims of memories, each with its own words, derived like the search index and by the same queue. A claim's id is
-- its memory's id * 64 + its position; position 0 has what the claims share: title, files, names, the turn's request.
-- Superseded memories have none.
CREATE TABLE claim_docs (
  id INTEGER PRIMARY KEY,
  project_id INTEGER,
  is_global INTEGER NOT NULL,
  -- The type of its memory, or the kind of one that has no type.
  type TEXT NOT NULL,
  words TEXT NOT NULL,
  request TEXT NOT NULL,
  scope TEXT NOT NULL
);
CREATE INDEX claim_docs_project ON claim_docs(project_id);
CREATE INDEX claim_docs_global ON claim_docs(id) WHERE is_global;

CREATE TABLE claim_totals (project_id INTEGER PRIMARY KEY, docs INTEGER NOT NULL);

CREATE VIRTUAL TABLE claim_words USING fts5(
  words, request, scope,
  content = 'claim_docs', content_rowid = 'id',
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co' tokenchars '_.@/#:+'"
);
INSERT INTO claim_words (claim_words, rank) VALUES ('rank', 'bm25(1.0, 0.2, 0.0)');
INSERT INTO claim_words (claim_words, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER claim_docs_in AFTER INSERT ON claim_docs BEGIN
  INSERT INTO claim_words (rowid, words, request, scope) VALUES (new.id, new.words, new.request, new.scope);
  INSERT INTO claim_totals (project_id, docs) VALUES (coalesce(new.project_id, 0), 1)
    ON CONFLICT DO UPDATE SET docs = docs + 1;
END;
CREATE TRIGGER claim_docs_out AFTER DELETE ON claim_docs BEGIN
  INSERT INTO claim_words (claim_words, rowid, words, request, scope)
    VALUES ('delete', old.id, old.words, old.request, old.scope);
  UPDATE claim_totals SET docs = docs - 1 WHERE project_id = coalesce(old.project_id, 0);
END;
CREATE TRIGGER claim_memory_out AFTER DELETE ON memories BEGIN
  DELETE FROM claim_docs WHERE id BETWEEN old.id * 64 AND old.id * 64 + 63;
END;
CREATE TRIGGER claim_memory_superseded AFTER UPDATE OF superseded_by ON memories
  WHEN (old.superseded_by IS NULL) <> (new.superseded_by IS NULL) BEGIN
  DELETE FROM claim_docs WHERE id BETWEEN new.id * 64 AND new.id * 64 + 63;
  INSERT INTO search_pending
    SELECT new.id * 2 WHERE new.superseded_by IS NULL AND new.id * 2 NOT IN (SELECT id FROM search_pending);
END;
-- Words of a prompt that is gone, or private now, leave the headers at once.
CREATE TRIGGER claim_prompt_out AFTER DELETE ON prompts BEGIN
  INSERT INTO search_pending SELECT id * 2 FROM memories
    WHERE turn_id = old.turn_id AND id * 2 NOT IN (SELECT id FROM search_pending);
  DELETE FROM claim_docs WHERE id IN (SELECT id * 64 FROM memories WHERE turn_id = old.turn_id);
END;
CREATE TRIGGER claim_prompt_changed AFTER UPDATE OF text, origin, is_private ON prompts BEGIN
  INSERT INTO search_pending SELECT id * 2 FROM memories
    WHERE turn_id = old.turn_id AND id * 2 NOT IN (SELECT id FROM search_pending);
  DELETE FROM claim_docs WHERE id IN (SELECT id * 64 FROM memories WHERE turn_id = old.turn_id);
END;

-- What a hook looks for when a session begins: each of these is asked for with the agent waiting.
CREATE INDEX memories_branch ON memories(project_id, branch, at);
-- What always counts, however old.
CREATE INDEX memories_standing ON memories(project_id, at)
  WHERE superseded_by IS NULL AND (pinned_at IS NOT NULL OR type = 'preference');
CREATE INDEX memories_global ON memories(at) WHERE superseded_by IS NULL AND scope = 'global';
-- What is worth telling before one of its files is read.
CREATE INDEX memories_telling ON memories(project_id, at)
  WHERE superseded_by IS NULL
    AND (kind = 'note' OR type IN ('preference', 'decision', 'bugfix', 'gotcha', 'how-it-works'));
CREATE INDEX memories_session ON memories(session_id, at);
-- What a memory has replaced.
CREATE INDEX memories_superseded ON memories(superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX sessions_agent_session ON sessions(agent_session);
-- From then on a session no longer has what it was given before.
CREATE INDEX events_compaction ON events(session_id, at) WHERE kind = 'compact-start';

-- Folders whose CLAUDE.md or AGENTS.md may hold a block of ours, so that what was forgotten leaves it too.
CREATE TABLE noted_folders (
  folder TEXT PRIMARY KEY,
  top TEXT NOT NULL,
  project_id INTEGER NOT NULL REFERENCES projects(id)
) WITHOUT ROWID;

-- What memories mean, as an embedder tells it: derived, and only there while an embedder is configured. Rows of
-- one embedder only, since numbers of two cannot be compared.
CREATE TABLE embedder_index (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  embedder TEXT NOT NULL,
  -- Known from the first vector on.
  dimension INTEGER,
  begun_at INTEGER NOT NULL
);

CREATE TABLE memory_vectors (
  memory_id INTEGER PRIMARY KEY REFERENCES memories(id) ON DELETE CASCADE,
  -- A number of the vector is its byte times this.
  scale REAL NOT NULL,
  bytes BLOB NOT NULL
);

CREATE TABLE vectors_pending (
  memory_id INTEGER PRIMARY KEY REFERENCES memories(id) ON DELETE CASCADE,
  -- A vector that was asked for before the last change is not the memory's any more.
  changes INTEGER NOT NULL
);

CREATE TRIGGER vector_memory_in AFTER INSERT ON memories WHEN EXISTS (SELECT 1 FROM embedder_index) BEGIN
  INSERT INTO vectors_pending VALUES (new.id, 1) ON CONFLICT DO UPDATE SET changes = changes + 1;
END;
CREATE TRIGGER vector_memory_changed AFTER UPDATE OF
  title, subtitle, narrative, facts, parts, aliases ON memories WHEN EXISTS (SELECT 1 FROM embedder_index) BEGIN
  DELETE FROM memory_vectors WHERE memory_id = new.id;
  INSERT INTO vectors_pending VALUES (new.id, 1) ON CONFLICT DO UPDATE SET changes = changes + 1;
END;

-- Works with their sessions, plans, tasks and handoffs. Sessions go by the agent's own id: ours may not exist
-- yet.
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

-- Earlier names of a work item: links and habits outlive a new name.
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

-- Up to which prompt and event the followers of work items have read.
CREATE TABLE followed (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  prompt_id INTEGER NOT NULL,
  event_id INTEGER NOT NULL
);
INSERT INTO followed VALUES (1, 0, 0);

-- The number of a deleted last row is used again, for a row that was never indexed.
CREATE TRIGGER followed_prompt_out AFTER DELETE ON prompts BEGIN
  UPDATE followed SET prompt_id = coalesce((SELECT max(id) FROM prompts), 0)
    WHERE prompt_id > coalesce((SELECT max(id) FROM prompts), 0);
END;
CREATE TRIGGER followed_event_out AFTER DELETE ON events BEGIN
  UPDATE followed SET event_id = coalesce((SELECT max(id) FROM events), 0)
    WHERE event_id > coalesce((SELECT max(id) FROM events), 0);
END;

-- What changed, in order, for pages that show it while it happens. Only numbers, and only the latest of them. They
-- begin with the time, so that those of a rebuilt database are beyond all that were before.
CREATE TABLE changes (
  number INTEGER PRIMARY KEY,
  what TEXT NOT NULL,
  id INTEGER NOT NULL,
  -- 'added', 'changed' or 'removed'.
  how TEXT NOT NULL
);
INSERT INTO changes VALUES (CAST(strftime('%s', 'now') AS INTEGER) * 1000, 'store', 0, 'added');
${recordChangesOf('memories', 'memory')}
${recordChangesOf('sessions', 'session', 'OF project_id, branch, model, ended_at')}
${recordChangesOf('turns', 'turn')}
${recordChangesOf('jobs', 'job', 'OF state, not_before')}
${recordChangesOf('works', 'work-item')}
${recordChangesOf('given_contexts', 'context')}

-- What was forgotten and can still be brought back. Nothing but forget and the worker reads it.
CREATE TABLE trash (
  -- Never used again: a page may ask to undo one that is gone.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  -- When it is deleted for good; null: after forget.undoDays.
  due_at INTEGER,
  -- JSON: what was asked for, what was removed, and the rows as they were.
  entry TEXT NOT NULL,
  changes TEXT NOT NULL
);
`;
