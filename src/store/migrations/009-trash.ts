/** What was forgotten and can still be brought back. Nothing but `forget` and the worker reads it. */
export const sql = `
CREATE TABLE trash (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  -- JSON: what was asked for, what was removed, and the rows as they were.
  entry TEXT NOT NULL,
  changes TEXT NOT NULL
);
`;
