/** What a hook looks for when a session begins: each of these is asked for with the agent waiting. */
export const sql = `
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
CREATE INDEX sessions_agent_session ON sessions(agent_session);
-- From then on a session no longer has what it was given before.
CREATE INDEX events_compaction ON events(session_id, at) WHERE kind = 'compact-start';
`;
