/** Folders whose CLAUDE.md or AGENTS.md may hold a block of ours, so that what was forgotten leaves it too. */
export const sql = `
CREATE TABLE noted_folders (
  folder TEXT PRIMARY KEY,
  top TEXT NOT NULL,
  project_id INTEGER NOT NULL REFERENCES projects(id)
) WITHOUT ROWID;
`;
