/**
 * The search index, derived from memories and prompts. Whoever writes those, triggers note what has to be
 * indexed (again). A document's id is the memory's id * 2, or the prompt's id * 2 + 1.
 */
export const sql = `
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
  -- The share of its text that stands in questions, from 0 to 1.
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

INSERT INTO search_pending SELECT id * 2 FROM memories UNION ALL SELECT id * 2 + 1 FROM prompts;
`;
