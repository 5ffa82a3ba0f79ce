/**
 * What memories mean, as an embedder tells it: derived, and only there while an embedder is configured. Rows of
 * one embedder only, since numbers of two cannot be compared.
 */
export const sql = `
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
`;
