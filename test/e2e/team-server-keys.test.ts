import { afterAll, beforeAll, expect, test } from 'vitest';
import { setRights } from '../../src/team/server/admin.ts';
import { type Channel, openChannel } from '../../src/team/server/channel.ts';
import { keysOver } from '../../src/team/server/keys.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { makeTeam, type TestTeam } from '../support/team.ts';

const MACHINES = 2_000;
const PROJECTS = 20;
/** 8 KB each. A comparison of all machines with all keys reads more than a hundred times as many. */
const MOST_PAGES = 500;

let postgres: Postgres;
let team: TestTeam;
let ada: Channel;

beforeAll(async () => {
  postgres = await startPostgres({ settings: { log_statement: 'none' } });
  team = await makeTeam(postgres);
  ada = openChannel(team.ada);
});
afterAll(async () => {
  await ada?.close();
  await postgres?.stop();
});

const ask = <Row extends object>(sql: string, values: unknown[] = []) =>
  postgres.ask<Row>(team.database, sql, values);

/** The missing keys, as the server reports them to Ada's machine. */
async function listMissing(): Promise<string[]> {
  const missing = await keysOver(ada).listMissing();
  return missing.map(({ project, keyEpoch, role }) => `${project}.${keyEpoch} ${role}`);
}

const sealed = Buffer.from('sealed');

/** Stores an epoch of a project, sealed for these machines only. */
async function putEpoch(project: number, keyEpoch: number, roles: string[]): Promise<void> {
  const place = { project, keyEpoch, checkValue: Buffer.from(`check ${project}.${keyEpoch}`) };
  const boxes = roles.map((role) => ({ role, sealed }));
  expect(await keysOver(ada).put(place, boxes)).toBe(true);
}

test('a machine is checked until it has all keys, and again when it may lack one', async () => {
  const ben = await team.join('Ben', { projects: [] });
  const [me, his] = [team.ada.user, ben.user];
  await ask("UPDATE cairn.device SET public_key = sha256('key')");
  await ask("INSERT INTO cairn.project (key, label) SELECT 'first ' || n, '' FROM generate_series(1, 2) n");
  const ids = await ask<{ id: number }>('SELECT id FROM cairn.project ORDER BY id');
  const [one, two] = ids.map(({ id }) => id) as [number, number];
  await putEpoch(one, 1, []);
  expect(await listMissing()).toEqual([`${one}.1 ${me}`]);
  await putEpoch(one, 1, [me]);
  expect(await listMissing()).toEqual([]);
  expect(await ask('SELECT FROM cairn.device WHERE NOT has_all_keys')).toEqual([]);

  // Ben may read one project, then all.
  await setRights(team.access, 'Ben', { isReadOnly: true, projects: ['first 1'] });
  expect(await listMissing()).toEqual([`${one}.1 ${his}`]);
  await putEpoch(one, 1, [his]);
  expect(await listMissing()).toEqual([]);
  await putEpoch(two, 1, [me]);
  expect(await listMissing()).toEqual([]);
  await setRights(team.access, 'Ben', { isReadOnly: true, projects: null });
  expect(await listMissing()).toEqual([`${two}.1 ${his}`]);
  await putEpoch(two, 1, [his]);
  expect(await listMissing()).toEqual([]);

  // An epoch that was not sealed for Ben, and a key that he cannot open.
  await putEpoch(one, 2, [me]);
  expect(await listMissing()).toEqual([`${one}.2 ${his}`]);
  await putEpoch(one, 2, [his]);
  expect(await listMissing()).toEqual([]);
  const channel = openChannel(ben);
  try {
    await keysOver(channel).reject(two, 1);
    expect(await listMissing()).toEqual([`${two}.1 ${his}`]);
  } finally {
    await channel.close();
  }
  await putEpoch(two, 1, [his]);
  expect(await listMissing()).toEqual([]);
});

test('machines that have all keys do not slow down a sync, however many they are', async () => {
  await ask(
    `INSERT INTO cairn.member (label, sees_all_projects, is_read_only)
     SELECT 'many ' || n, true, false FROM generate_series(1, ${MACHINES / 2}) n`,
  );
  await ask(
    `INSERT INTO cairn.device (role, member_id, label, public_key, proof, expires_at, joined_at)
     SELECT 'many_' || m.id || '_' || n, m.id, 'machine', sha256('key'), sha256('proof'), now(), now()
     FROM cairn.member m, generate_series(1, 2) n WHERE m.label LIKE 'many %'`,
  );
  await ask(
    `INSERT INTO cairn.project (key, label) SELECT 'many ' || n, '' FROM generate_series(1, ${PROJECTS}) n`,
  );
  await ask(
    "INSERT INTO cairn.key_epoch SELECT id, 1, sha256('c') FROM cairn.project WHERE key LIKE 'many %'",
  );
  await ask(
    `INSERT INTO cairn.keybox
     SELECT e.project_id, e.key_epoch, d.role, '' FROM cairn.key_epoch e, cairn.device d ON CONFLICT DO NOTHING`,
  );
  // Each call checks only some of them.
  for (let call = 0; call < MACHINES / 50; call++) expect(await listMissing()).toEqual([]);
  expect(await ask('SELECT FROM cairn.device WHERE NOT has_all_keys')).toEqual([]);
  await ask('VACUUM ANALYZE');
  expect(await countPages()).toBeLessThan(MOST_PAGES);

  await ask("DELETE FROM cairn.keybox WHERE device = 'many_500_1'");
  expect(await listMissing()).toHaveLength(PROJECTS + 3);
  expect(await countPages()).toBeLessThan(MOST_PAGES);
});

async function countPages(): Promise<number> {
  type Plan = { 'QUERY PLAN': { Plan: Record<string, number> }[] };
  const [row] = await ada.ask<Plan>(
    'EXPLAIN (ANALYZE, BUFFERS, FORMAT json) SELECT * FROM cairn.missing_keys()',
    [],
  );
  const plan = row?.['QUERY PLAN'][0]?.Plan ?? {};
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
}
