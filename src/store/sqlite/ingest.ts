import type { AgentEvent, CapturedEvent } from '../../model/agent-event.ts';
import { quickHash } from '../../platform/quick-hash.ts';
import type { IngestResult, SpoolIntake } from '../types/intake.ts';
import { type Database, inTransaction, type Statement, writeDurably } from './open.ts';
import { findOrAddProject, findProjectOfFolder } from './projects.ts';
import { type IdRow, requireRow } from './rows.ts';
import { createTurnWriter } from './turns.ts';
import { addUnknownFields } from './unknown-fields.ts';

/** Two installations deliver the same event within this time. */
const SAME_MOMENT_MS = 30_000;

/** An agent may report the same end several times, through hooks that it starts at the same time. */
const SAME_END_MS = 1_000;

/** Stores spool files in one transaction that is on disk when this returns. */
export function ingest(db: Database, files: SpoolIntake[], now: number): IngestResult {
  return writeDurably(db, () => inTransaction(db, () => storeAll(db, files, now)));
}

function storeAll(db: Database, files: SpoolIntake[], now: number): IngestResult {
  const rows = prepare(db);
  const result: IngestResult = { files: files.length, stored: 0, doubled: 0 };
  for (const file of files) {
    if (rows.addSpoolFile.run(file.name, now).changes === 0) {
      result.doubled++;
      continue;
    }
    rows.sawHook.run(file.agent, file.hook, file.via, file.at);
    addUnknownFields(db, file);
    for (const captured of file.events) {
      if (store(db, rows, file, captured)) result.stored++;
      else result.doubled++;
    }
  }
  return result;
}

/** @returns false if the event was stored already, or is part of a private turn. */
function store(db: Database, rows: Rows, file: SpoolIntake, captured: CapturedEvent): boolean {
  const { event } = captured;
  const session = sessionOf(db, rows, file, captured);
  // A call id is more specific than the content, and cheaper to compare.
  const digest = 'call' in event && event.call.id ? '' : quickHash(JSON.stringify(event));
  if (event.kind === 'prompt') return storePrompt(rows, session, captured, digest);

  const prompt = promptOf(rows, session, captured);
  if (event.kind === 'session-start') startSession(rows, session, event, captured.at);
  if (event.kind === 'session-end' && rows.endedSince.get(session, event.reason, captured.at - SAME_END_MS))
    return false;
  if (event.kind === 'session-end') rows.endSession.run(captured.at, event.reason, session);
  if (prompt?.is_private && !isAboutTheSession(event)) return false;

  const eventId = storeEvent(rows, session, prompt?.number ?? null, captured, digest);
  if (eventId === null) return false;
  rows.setTurn.run(rows.turns.place(session, prompt?.turn_id ?? null, captured), eventId);
  if ('call' in event) for (const file of event.call.files) rows.addFile.run(eventId, file.path, file.how);
  return true;
}

function sessionOf(
  db: Database,
  rows: Rows,
  file: SpoolIntake,
  { agent, event, at, projectDir }: CapturedEvent,
): number {
  const known = rows.findSession.get(agent, event.sessionId);
  if (known) {
    rows.touchSession.run(at, at, event.transcriptPath ?? null, known.id);
    return known.id;
  }
  const folder = projectDir ?? event.cwd;
  const project = file.place
    ? findOrAddProject(db, file.place, at)
    : folder === undefined
      ? null
      : findProjectOfFolder(db, folder, at);
  const added = rows.addSession.run(
    agent,
    event.sessionId,
    project,
    file.place?.worktree ?? null,
    file.place?.branch ?? null,
    folder ?? null,
    event.transcriptPath ?? null,
    at,
    at,
  );
  return Number(added.lastInsertRowid);
}

function startSession(
  rows: Rows,
  session: number,
  event: AgentEvent & { kind: 'session-start' },
  at: number,
) {
  rows.startSession.run(event.source, at, event.model ?? null, session);
  // A compaction happens inside a session; every other start opens the session (again).
  if (event.source !== 'compact') rows.reopenSession.run(at, session);
}

function storePrompt(rows: Rows, session: number, captured: CapturedEvent, digest: string): boolean {
  const { event, at, via, spoolName, isPrivate = false } = captured;
  if (event.kind !== 'prompt' || isFromOtherInstallation(rows.promptTwin, session, captured, digest))
    return false;
  const number = requireRow(rows.lastPrompt.get(session)).number + 1;
  const isFirstOfId = !event.promptId || rows.promptById.get(session, event.promptId) === undefined;
  // A session with a new prompt has not ended, even if it was silent.
  rows.reopenSession.run(at, session);
  // A private turn is not stored: the previous turn ends and nothing follows.
  if (isPrivate) rows.turns.closeOpen(session, 'prompt', captured);
  const turn = isPrivate ? null : rows.turns.openFor(session, number, captured);
  rows.addPrompt.run(
    session,
    turn,
    number,
    event.promptId ?? null,
    event.origin,
    event.permissionMode ?? null,
    isPrivate ? 1 : 0,
    isPrivate ? '' : event.text,
    at,
    via,
    isPrivate ? '' : digest,
    spoolName,
  );
  // Events may arrive before their prompt and still belong to it. A prompt sent while the agent worked has the id of
  // the current one: earlier events stay where they are.
  if (event.promptId && isPrivate) rows.dropTurn.run(session, event.promptId);
  else if (event.promptId && isFirstOfId) rows.joinTurn.run(number, turn, session, event.promptId);
  return true;
}

function storeEvent(
  rows: Rows,
  session: number,
  promptNumber: number | null,
  captured: CapturedEvent,
  digest: string,
): number | null {
  const { event, at, via, spoolName, priority } = captured;
  const call = 'call' in event ? event.call : null;
  if (!call?.id && isFromOtherInstallation(rows.eventTwin, session, captured, digest)) return null;
  const added = rows.addEvent.get(
    session,
    promptNumber,
    event.promptId ?? null,
    event.kind,
    call?.name ?? null,
    call?.does ?? null,
    call?.id ?? null,
    event.kind === 'tool-end' ? event.outcome : null,
    event.kind === 'tool-end' ? event.reportedBy : null,
    event.permissionMode ?? null,
    event.subagent?.id ?? null,
    event.subagent?.type ?? null,
    priority,
    event.kind === 'tool-end' ? (event.durationMs ?? null) : null,
    textOf(event),
    call ? JSON.stringify(call.input) : null,
    event.kind === 'tool-end' ? JSON.stringify(event.response) : null,
    JSON.stringify(detailOf(event)),
    at,
    via,
    digest,
    spoolName,
  );
  return added?.id ?? null;
}

/** The turn of an event: the one that the agent names, else that of the previous prompt. */
function promptOf(rows: Rows, session: number, { event, at }: CapturedEvent): PromptRow | undefined {
  const named = event.promptId && rows.promptById.get(session, event.promptId);
  return named || rows.promptBefore.get(session, at);
}

interface PromptRow {
  number: number;
  turn_id: number | null;
  is_private: number;
}

function isAboutTheSession(event: AgentEvent): boolean {
  return event.kind === 'session-start' || event.kind === 'session-end' || event.kind === 'setup';
}

/** The same text at the same moment from another installation; people do type "continue" twice. */
function isFromOtherInstallation(
  twin: Statement<unknown>,
  session: number,
  captured: CapturedEvent,
  digest: string,
): boolean {
  const { event, at, via } = captured;
  return twin.get(session, event.kind, digest, via, at - SAME_MOMENT_MS, at + SAME_MOMENT_MS) !== undefined;
}

function textOf(event: AgentEvent): string | null {
  if (event.kind === 'turn-end' || event.kind === 'subagent-end') return event.text;
  if (event.kind === 'compact-end') return event.summary;
  return null;
}

/** Fields without their own column. */
function detailOf(event: AgentEvent): Record<string, unknown> {
  switch (event.kind) {
    case 'setup':
      return { trigger: event.trigger };
    case 'session-start':
      return { source: event.source, model: event.model };
    case 'session-end':
      return { reason: event.reason };
    case 'turn-end':
      return { error: event.error, continued: event.continued };
    case 'compact-start':
      return { trigger: event.trigger, instructions: event.instructions };
    case 'compact-end':
      return { trigger: event.trigger };
    case 'subagent-end':
      return { transcript: event.transcriptOfSubagent };
    default:
      return {};
  }
}

type Rows = ReturnType<typeof prepare>;

function prepare(db: Database) {
  return {
    addSpoolFile: db.prepare('INSERT OR IGNORE INTO spool_files (name, taken_at) VALUES (?, ?)'),
    sawHook: db.prepare(`
      INSERT INTO hook_sightings (agent, hook, via, last_at, count) VALUES (?, ?, ?, ?, 1)
      ON CONFLICT DO UPDATE SET last_at = max(last_at, excluded.last_at), count = count + 1`),
    findSession: db.prepare<IdRow>('SELECT id FROM sessions WHERE agent = ? AND agent_session = ?'),
    addSession: db.prepare(`
      INSERT INTO sessions
        (agent, agent_session, project_id, worktree, branch, folder, transcript, first_seen, last_seen)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    touchSession: db.prepare(`
      UPDATE sessions SET first_seen = min(first_seen, ?), last_seen = max(last_seen, ?),
        transcript = coalesce(transcript, ?) WHERE id = ?`),
    startSession: db.prepare(`
      UPDATE sessions SET start_source = coalesce(start_source, ?), started_at = coalesce(started_at, ?),
        model = coalesce(?, model) WHERE id = ?`),
    reopenSession: db.prepare(
      'UPDATE sessions SET ended_at = NULL, end_reason = NULL WHERE ended_at < ? AND id = ?',
    ),
    endedSince: db.prepare('SELECT 1 FROM sessions WHERE id = ? AND end_reason = ? AND ended_at >= ?'),
    endSession: db.prepare('UPDATE sessions SET ended_at = ?, end_reason = ? WHERE id = ?'),
    lastPrompt: db.prepare<{ number: number }>(
      'SELECT coalesce(max(number), 0) AS number FROM prompts WHERE session_id = ?',
    ),
    addPrompt: db.prepare(`
      INSERT INTO prompts
        (session_id, turn_id, number, agent_prompt, origin, permission_mode, is_private, text, at, via, digest, spool_name)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    joinTurn: db.prepare(
      'UPDATE events SET prompt_number = ?, turn_id = ? WHERE session_id = ? AND agent_prompt = ?',
    ),
    dropTurn: db.prepare('DELETE FROM events WHERE session_id = ? AND agent_prompt = ?'),
    promptById: db.prepare<PromptRow>(`
      SELECT number, is_private, turn_id FROM prompts
      WHERE session_id = ? AND agent_prompt = ? ORDER BY number DESC LIMIT 1`),
    promptBefore: db.prepare<PromptRow>(`
      SELECT number, is_private, turn_id FROM prompts
      WHERE session_id = ? AND at <= ? ORDER BY at DESC, number DESC LIMIT 1`),
    promptTwin: db.prepare(`
      SELECT 1 FROM prompts
      WHERE session_id = ? AND 'prompt' = ? AND digest = ? AND via <> ? AND at BETWEEN ? AND ?`),
    eventTwin: db.prepare(`
      SELECT 1 FROM events
      WHERE call_id IS NULL AND session_id = ? AND kind = ? AND digest = ? AND via <> ? AND at BETWEEN ? AND ?`),
    // A report of a single call has more detail than one in a batch, so it wins in either order of arrival.
    addEvent: db.prepare<IdRow>(`
      INSERT INTO events
        (session_id, prompt_number, agent_prompt, kind, tool, does, call_id, outcome, reported_by, permission_mode,
         subagent_id, subagent_type, priority, duration_ms, text, input, response, detail, at, via, digest, spool_name)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (session_id, call_id, kind) WHERE call_id IS NOT NULL DO UPDATE SET
        outcome = excluded.outcome, reported_by = excluded.reported_by, duration_ms = excluded.duration_ms,
        input = excluded.input, response = excluded.response, spool_name = excluded.spool_name
        WHERE reported_by = 'batch' AND excluded.reported_by = 'call'
      RETURNING id`),
    addFile: db.prepare('INSERT OR IGNORE INTO event_files (event_id, path, how) VALUES (?, ?, ?)'),
    setTurn: db.prepare('UPDATE events SET turn_id = ? WHERE id = ?'),
    turns: createTurnWriter(db),
  };
}
