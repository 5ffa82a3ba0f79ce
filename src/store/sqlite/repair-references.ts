import { type Database, inTransaction } from './open.ts';

/**
 * After a rebuild some rows refer to lost ones. New rows must not reuse their numbers, or a new session would get the
 * events of an old one, so lost sessions, turns and projects of work items get placeholders.
 */
export function repairReferences(db: Database): void {
  inTransaction(db, () => db.exec(REPAIR));
}

const REPAIR = `
  INSERT INTO projects (id, name, created_at)
    SELECT project_id, 'lost-' || project_id, min(opened_at) FROM works
    WHERE project_id NOT IN (SELECT id FROM projects) GROUP BY project_id;
  UPDATE sessions SET project_id = NULL WHERE project_id NOT IN (SELECT id FROM projects);
  UPDATE memories SET project_id = NULL WHERE project_id NOT IN (SELECT id FROM projects);
  DELETE FROM project_places WHERE project_id NOT IN (SELECT id FROM projects);
  DELETE FROM noted_folders WHERE project_id NOT IN (SELECT id FROM projects);

  INSERT INTO sessions (id, agent, agent_session, first_seen, last_seen, ended_at, end_reason)
    SELECT session_id, 'unknown', 'lost-' || session_id, min(at), max(at), max(at), 'lost'
    FROM (
      SELECT session_id, at FROM events UNION ALL SELECT session_id, at FROM prompts
      UNION ALL SELECT session_id, last_at FROM turns UNION ALL SELECT session_id, at FROM memories
    )
    WHERE session_id IS NOT NULL AND session_id NOT IN (SELECT id FROM sessions)
    GROUP BY session_id;

  INSERT INTO turns (id, session_id, opened_at, last_at, closed_at, closed_by, distilled_at)
    SELECT turn_id, min(session_id), min(at), max(at), max(at), 'gap', max(at)
    FROM (
      SELECT turn_id, session_id, at FROM events UNION ALL SELECT turn_id, session_id, at FROM prompts
      UNION ALL SELECT turn_id, session_id, at FROM memories
    )
    WHERE turn_id IS NOT NULL AND turn_id NOT IN (SELECT id FROM turns)
    GROUP BY turn_id;

  DELETE FROM jobs WHERE turn_id NOT IN (SELECT id FROM turns);
  DELETE FROM memory_turns
    WHERE turn_id NOT IN (SELECT id FROM turns) OR memory_id NOT IN (SELECT id FROM memories);
  DELETE FROM event_files WHERE event_id NOT IN (SELECT id FROM events);
  DELETE FROM memory_files WHERE memory_id NOT IN (SELECT id FROM memories);
  DELETE FROM memory_events WHERE memory_id NOT IN (SELECT id FROM memories);
  DELETE FROM injections WHERE memory_id NOT IN (SELECT id FROM memories);

  DELETE FROM work_names WHERE work_id NOT IN (SELECT id FROM works);
  DELETE FROM work_sessions WHERE work_id NOT IN (SELECT id FROM works);
  DELETE FROM told_works WHERE work_id NOT IN (SELECT id FROM works);
  DELETE FROM work_notes WHERE work_id NOT IN (SELECT id FROM works);
  DELETE FROM plans WHERE work_id NOT IN (SELECT id FROM works);
  DELETE FROM tasks WHERE work_id NOT IN (SELECT id FROM works);
  DELETE FROM task_changes WHERE task_id NOT IN (SELECT id FROM tasks);
  DELETE FROM handoffs WHERE work_id NOT IN (SELECT id FROM works);
  DELETE FROM git_states WHERE work_id NOT IN (SELECT id FROM works);

  INSERT OR IGNORE INTO followed VALUES (1, 9223372036854775807, 9223372036854775807);
  UPDATE followed SET prompt_id = min(prompt_id, coalesce((SELECT max(id) FROM prompts), 0)),
    event_id = min(event_id, coalesce((SELECT max(id) FROM events), 0));
`;
