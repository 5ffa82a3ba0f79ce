import type { Redacted } from '../../model/redacted.ts';
import type { Team, TeamCounts, TeamProblem, TeamProject } from '../types/team.ts';
import { type Database, inTransaction } from './open.ts';
import { countRows, type WithFlags, type WithJson } from './rows.ts';
import { createTeamItemQueries } from './team-items.ts';
import { createTeamOutboxQueries } from './team-outbox.ts';
import { createSharedRowQueries } from './team-rows.ts';
import { createSharedWriteQueries } from './team-write.ts';

/** The team of this home, its shared projects, and the changes that go to and come from the server. */
export function createTeamQueries(db: Database) {
  return {
    ...createTeamItemQueries(db),
    ...createTeamOutboxQueries(db),
    ...createSharedRowQueries(db),
    ...createSharedWriteQueries(db),
    getTeam: (): Team | null => getTeam(db),
    /** Uuids and stamps are not redacted. */
    saveTeam: (team: Pick<Team, Marks> & Redacted<Omit<Team, Marks>>): void => saveTeam(db, team),
    setTeamClock: ({ hlc, clockOffset }: Pick<Team, 'hlc' | 'clockOffset'>): void => {
      db.prepare('UPDATE team SET hlc = ?, clock_offset = ?').run(hlc, clockOffset);
    },
    setTeamEpoch: (epoch: string): void => {
      db.prepare('UPDATE team SET epoch = ?').run(epoch);
    },
    /** After `saveTeam`, in an encrypted team. */
    setDigestSecret: (secret: string): void => {
      db.prepare('UPDATE team SET digest_secret = ?').run(secret);
    },
    /** With null, records that everything was exchanged at `now`. */
    setTeamProblem: (problem: Redacted<TeamProblem> | null, now: number): void => {
      if (problem) db.prepare('UPDATE team SET problem = ?').run(JSON.stringify(problem));
      else db.prepare('UPDATE team SET problem = NULL, synced_at = ?').run(now);
    },
    /** Removes everything known about the team. Memories stay. */
    removeTeam: (): void =>
      inTransaction(db, () => {
        for (const table of TABLES) db.exec(`DELETE FROM ${table}`);
      }),
    listTeamProjects: (): TeamProject[] => listTeamProjects(db),
    /** Adds or replaces a shared project. */
    saveTeamProject: (project: Omit<TeamProject, 'name' | 'digestKey'>): void => saveTeamProject(db, project),
    removeTeamProject: (projectId: number): void =>
      inTransaction(db, () => {
        const ofItems = 'WHERE item IN (SELECT item FROM team_items WHERE project_id = ?)';
        for (const table of ['team_registers', 'team_texts'])
          db.prepare(`DELETE FROM ${table} ${ofItems}`).run(projectId);
        for (const table of ['team_items', 'team_outbox', 'team_aside', 'team_projects'])
          db.prepare(`DELETE FROM ${table} WHERE project_id = ?`).run(projectId);
      }),
    countTeam: (): TeamCounts => ({
      pending: countRows(db, 'team_outbox WHERE NOT is_acknowledged'),
      marked: countRows(db, 'team_pending') + countRows(db, 'team_items WHERE is_gone'),
      aside: countRows(db, 'team_aside'),
      refused: countRows(db, 'team_outbox WHERE refusal IS NOT NULL'),
      // Memories of colleagues.
      memories: countRows(
        db,
        "team_items WHERE what = 'memory' AND row_id IS NOT NULL AND NOT is_dead AND author <> (SELECT member FROM team)",
      ),
    }),
    /** Whether any change has to be collected or sent. */
    hasTeamWork: (): boolean =>
      db
        .prepare(`
          SELECT 1 WHERE EXISTS (SELECT 1 FROM team) AND (
            EXISTS (SELECT 1 FROM team_pending) OR EXISTS (SELECT 1 FROM team_items WHERE is_gone)
            OR EXISTS (SELECT 1 FROM team_outbox WHERE NOT is_acknowledged))`)
        .get() !== undefined,
  };
}

type Marks = 'team' | 'epoch' | 'hlc';

const TABLES = [
  ...['team_pending', 'team_aside', 'team_outbox', 'team_texts', 'team_registers', 'team_items'],
  ...['team_projects', 'team'],
];

function getTeam(db: Database): Team | null {
  const row = db
    .prepare<WithJson<WithFlags<Team, 'isEncrypted'>, 'problem'>>(`
      SELECT team, member, machine, epoch, server, is_encrypted AS isEncrypted, joined_at AS joinedAt, hlc,
        clock_offset AS clockOffset, synced_at AS syncedAt, problem FROM team`)
    .get();
  if (!row) return null;
  return {
    ...row,
    isEncrypted: row.isEncrypted === 1,
    problem: row.problem === null ? null : JSON.parse(row.problem),
  };
}

function saveTeam(db: Database, team: Team): void {
  db.prepare(`
    INSERT OR REPLACE INTO team (id, team, member, machine, epoch, server, is_encrypted, joined_at, hlc, clock_offset,
      synced_at, problem)
    VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
    ...[
      team.team,
      team.member,
      team.machine,
      team.epoch,
      team.server,
      Number(team.isEncrypted),
      team.joinedAt,
    ],
    ...[team.hlc, team.clockOffset, team.syncedAt, team.problem && JSON.stringify(team.problem)],
  );
}

function listTeamProjects(db: Database): TeamProject[] {
  const rows = db
    .prepare<WithFlags<TeamProject, 'isShared' | 'canWrite'>>(`
      SELECT t.project_id AS projectId, t.key,
        coalesce((SELECT digest_secret FROM team), '') || t.key AS digestKey, coalesce(p.alias, p.name) AS name, t.is_shared AS isShared, t.since,
        t.server_id AS serverId, t.can_write AS canWrite, t.origin, t.next_n AS nextN, t.seq, t.chain, t.confirmed
      FROM team_projects t JOIN projects p ON p.id = t.project_id ORDER BY t.project_id`)
    .all();
  return rows.map((row) => ({ ...row, isShared: row.isShared === 1, canWrite: row.canWrite === 1 }));
}

function saveTeamProject(db: Database, project: Omit<TeamProject, 'name' | 'digestKey'>): void {
  const { projectId, key, isShared, since, serverId, canWrite, origin, nextN, seq, chain, confirmed } =
    project;
  db.prepare(`
    INSERT OR REPLACE INTO team_projects (project_id, key, is_shared, since, server_id, can_write, origin, next_n, seq,
      chain, confirmed)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
    ...[projectId, key, Number(isShared), since, serverId, Number(canWrite), origin, nextN, seq],
    chain,
    confirmed,
  );
}
