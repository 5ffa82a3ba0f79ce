import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TeamCredentials } from '../../src/team/server/address.ts';
import { revokeMachine, revokeMember, setRights } from '../../src/team/server/admin.ts';
import { connect } from '../../src/team/server/connect.ts';
import { openFeed } from '../../src/team/server/feed.ts';
import { MEMBER_FUNCTIONS } from '../../src/team/server/schema/all.ts';
import { type Postgres, startPooler, startPostgres } from '../support/postgres.ts';
import { makeChange, makeTeam, pushAll, type TestTeam } from '../support/team.ts';

/** A member of one project runs SQL. It must not return anything of the other project. */

const SECRETS = {
  text: 'sesame-text-of-the-hidden-memory',
  key: 'hidden-key-of-the-project',
  label: 'hidden-label-of-the-project',
  member: 'Hidden Member',
  machine: "Hidden Member's machine",
};
const HIDDEN_TOKEN = 424_242;
const DENIED = '42501';

let postgres: Postgres;
let pooler: Awaited<ReturnType<typeof startPooler>>;
let team: TestTeam;
let spy: TeamCredentials;
let hidden: number;
let shared: number;

beforeAll(async () => {
  postgres = await startPostgres();
  pooler = await startPooler(postgres);
  team = await makeTeam(postgres);
  const ada = openFeed(team.ada);
  hidden = (await ada.openProject(SECRETS.key, Buffer.from(SECRETS.label))).id;
  shared = (await ada.openProject('shared', Buffer.from('shared'))).id;
  const hiddenMember = openFeed(await team.join(SECRETS.member, { projects: [SECRETS.key] }));
  const secret = { payload: Buffer.from(SECRETS.text), tokens: [HIDDEN_TOKEN] };
  await pushAll(
    hiddenMember,
    hidden,
    randomUUID(),
    Array.from({ length: 300 }, (_, at) => makeChange(at + 1, secret)),
  );
  await pushAll(ada, shared, randomUUID(), [makeChange(1, { tokens: [1] })]);
  await Promise.all([ada.close(), hiddenMember.close()]);
  spy = await team.join('Spy', { projects: ['shared'] });
  await postgres.ask(team.database, 'ANALYZE');
});
afterAll(async () => {
  await pooler?.stop();
  await postgres?.stop();
});

interface Answer {
  code: string | undefined;
  /** Rows, or every part of the error. */
  text: string;
}

/** Runs all statements on one new connection. */
async function attack(statements: string | string[], as = spy): Promise<Answer> {
  const client = await connect(as);
  const answers: Answer[] = [];
  try {
    for (const sql of [statements].flat()) answers.push(await tryQuery(client, sql));
  } finally {
    await client.end();
  }
  const text = answers.map((answer) => answer.text).join('\n');
  expectNoSecrets(text);
  return { code: answers.at(-1)?.code, text };
}

async function tryQuery(client: pg.Client, sql: string, values: unknown[] = []): Promise<Answer> {
  try {
    const { rows } = await client.query(sql, values);
    const asText = (_: string, value: unknown) =>
      Buffer.isBuffer(value) || (isBufferJson(value) && Buffer.from(value.data))
        ? Buffer.from(value as never).toString()
        : value;
    return { code: undefined, text: JSON.stringify(rows, asText) };
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    const { code, message, detail, hint, where, internalQuery } = error;
    return { code, text: JSON.stringify({ message, detail, hint, where, internalQuery }) };
  }
}

function isBufferJson(value: unknown): value is { type: 'Buffer'; data: number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
}

function expectNoSecrets(text: string): void {
  for (const secret of Object.values(SECRETS)) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString('hex'));
  }
}

const relations = () =>
  postgres.ask<{ name: string; kind: string }>(
    team.database,
    `SELECT c.oid::regclass::text AS name, c.relkind AS kind FROM pg_class c
     WHERE c.relnamespace = 'cairn'::regnamespace ORDER BY 1`,
  );

describe('tables', () => {
  test('deny every statement to a member', async () => {
    const tables = (await relations()).filter(({ kind }) => 'rpvm'.includes(kind));
    expect(tables.length).toBeGreaterThan(40);
    const client = await connect(spy);
    try {
      for (const { name } of tables) {
        const attacks = [
          `SELECT * FROM ${name}`,
          `SELECT count(*) FROM ${name}`,
          `EXPLAIN SELECT * FROM ${name}`,
          `EXPLAIN ANALYZE SELECT FROM ${name} WHERE ctid = '(0,1)'`,
          `INSERT INTO ${name} DEFAULT VALUES`,
          `DELETE FROM ${name}`,
          `TRUNCATE ${name}`,
          `COPY ${name} TO STDOUT`,
          `DO 'BEGIN LOCK TABLE ${name} IN ACCESS SHARE MODE; END'`,
          `ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`,
          `DROP TABLE ${name}`,
          `CREATE INDEX ON ${name} ((1))`,
          `CREATE POLICY p ON ${name} USING (true)`,
          `GRANT SELECT ON ${name} TO PUBLIC`,
          `ALTER TABLE ${name} OWNER TO CURRENT_USER`,
        ];
        for (const sql of attacks) expect([sql, (await tryQuery(client, sql)).code]).toEqual([sql, DENIED]);
      }
    } finally {
      await client.end();
    }
  });

  test("would show only the member's own projects if one were granted by mistake", async () => {
    const before = 'SELECT count(*)::int AS n FROM cairn.change';
    expect(await postgres.ask(team.database, before)).toEqual([{ n: 301 }]);
    await postgres.ask(team.database, `GRANT SELECT ON ALL TABLES IN SCHEMA cairn TO ${spy.user}`);
    await postgres.ask(team.database, `GRANT EXECUTE ON FUNCTION cairn.my_projects() TO ${spy.user}`);
    try {
      for (const { name, kind } of await relations()) {
        if (!'rp'.includes(kind)) continue;
        await attack([
          'SET row_security = off',
          `SELECT * FROM ${name}`,
          'RESET row_security',
          `SELECT * FROM ${name}`,
        ]);
      }
      const { text } = await attack('SELECT project_id FROM cairn.change');
      expect(JSON.parse(text)).toEqual([{ project_id: shared }]);
    } finally {
      await postgres.ask(team.database, `REVOKE SELECT ON ALL TABLES IN SCHEMA cairn FROM ${spy.user}`);
      await postgres.ask(team.database, `REVOKE EXECUTE ON FUNCTION cairn.my_projects() FROM ${spy.user}`);
    }
  });

  test('all have row-level security, and no rights for roles other than their owner', async () => {
    const open = await postgres.ask(
      team.database,
      `SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'cairn'::regnamespace AND c.relkind IN ('r', 'p')
         AND (NOT c.relrowsecurity OR EXISTS (SELECT FROM aclexplode(c.relacl) a WHERE a.grantee <> c.relowner))`,
    );
    expect(open).toEqual([]);
  });
});

describe('sequences', () => {
  test('do not show how much others do', async () => {
    const sequences = (await relations()).filter(({ kind }) => kind === 'S');
    expect(sequences.length).toBeGreaterThan(0);
    for (const { name } of sequences) {
      for (const sql of [
        `SELECT last_value FROM ${name}`,
        `SELECT nextval('${name}')`,
        `SELECT currval('${name}')`,
        `SELECT setval('${name}', 1)`,
        `SELECT pg_sequence_last_value('${name}')`,
      ])
        expect([sql, await attack(sql)]).toEqual([sql, expect.toSatisfy(isDeniedOrNull)]);
    }
    expect((await attack('SELECT last_value FROM pg_sequences WHERE last_value IS NOT NULL')).text).toBe(
      '[]',
    );
  });

  const isDeniedOrNull = ({ code, text }: Answer) => code === DENIED || /^\[\{"\w+":null\}\]$/.test(text);
});

describe('functions', () => {
  test('that a member may call are those in the list, and run as the owner with a fixed search_path', async () => {
    const rows = await postgres.ask<{ call: string; is_safe: boolean; may: boolean }>(
      team.database,
      `SELECT p.oid::regprocedure::text AS call, has_function_privilege($1, p.oid, 'EXECUTE') AS may,
         p.prosecdef AND p.proconfig @> ARRAY['search_path=pg_catalog, pg_temp'] AS is_safe
       FROM pg_proc p WHERE p.pronamespace = 'cairn'::regnamespace`,
      [spy.user],
    );
    const simple = (call: string) => call.replace(/^cairn\./, '').replace(/\(.*/, '');
    const callable = rows.filter(({ may }) => may);
    expect(callable.map(({ call }) => simple(call)).sort()).toEqual(MEMBER_FUNCTIONS.map(simple).sort());
    expect(callable.filter(({ is_safe }) => !is_safe)).toEqual([]);
    for (const { call } of rows.filter(({ may }) => !may)) {
      const values = call
        .replace(/.*\((.*)\)/, '$1')
        .split(',')
        .filter(Boolean);
      const args = values.map((type) => `NULL::${type}`).join(', ');
      const { code, text } = await attack(`SELECT cairn.${simple(call)}(${args})`);
      // A row type of a closed table cannot even be named.
      expect([call, code, text]).toEqual([call, DENIED, expect.stringContaining('permission denied')]);
    }
  });

  test('return nothing of a project without rights, whatever their arguments', async () => {
    const numbers = [String(hidden), '0', '-1', 'NULL', '2147483647'];
    const item = (
      await postgres.ask<{ item: string }>(
        team.database,
        'SELECT item FROM cairn.item WHERE project_id = $1',
        [hidden],
      )
    )[0]?.item;
    const uuid = `'${item}'::uuid`;
    const nothing = "'{}'";
    const calls = numbers.flatMap((project) => [
      `cairn.pull(${project}, 0, NULL, 2000)`,
      `cairn.pull(${project}, -5, ''::bytea, -1)`,
      `cairn.search(ARRAY[${project}]::int[], ARRAY[${HIDDEN_TOKEN}], 200)`,
      `cairn.claim(${project}, ${uuid})`,
      `cairn.confirm(${project}, 300)`,
      `cairn.readers_of(${project})`,
      `cairn.put_keys(${project}, 2, ''::bytea, ${nothing}, ${nothing})`,
      `cairn.push(${project}, ${uuid}, ARRAY[1]::bigint[], ARRAY['${item}'], ARRAY[0], ARRAY['1'], ARRAY[''::bytea], ARRAY[''::bytea], ARRAY[0], ARRAY[''], ARRAY[NULL])`,
    ]);
    const others = [
      'cairn.heads()',
      'cairn.members()',
      'cairn.machines()',
      'cairn.my_keys()',
      'cairn.missing_keys()',
      'cairn.take_invitation_keys()',
      `cairn.search(NULL, ARRAY[${HIDDEN_TOKEN}], 200)`,
      `cairn.read_texts(ARRAY[${uuid}], ARRAY[${uuid}])`,
      "cairn.read_texts(ARRAY[NULL, '00000000-0000-0000-0000-000000000000']::uuid[], ARRAY[NULL, 'ffffffff-ffff-ffff-ffff-ffffffffffff']::uuid[])",
      `cairn.search(ARRAY[${shared}, NULL, ${hidden}], ARRAY[${HIDDEN_TOKEN}, NULL], 200)`,
      `cairn.open_project('${SECRETS.key.replace('h', 'H')}', ''::bytea)`,
      'cairn.recovery_keys()',
      'cairn.read_invitation()',
      "cairn.join_team('again', NULL, NULL)",
      'cairn.join_team(NULL, NULL, NULL)',
      'cairn.replace_device_key(NULL, NULL)',
    ];
    const all = [...calls, ...others];
    await attack(all.map((call) => `EXPLAIN (ANALYZE, VERBOSE, BUFFERS) SELECT * FROM ${call}`));
    await attack(all.map((call) => `SELECT * FROM ${call}`));
    const searches = all.filter((call) => call.includes('search'));
    const { text } = await attack(searches.map((call) => `SELECT * FROM ${call}`));
    expect(text).toBe(searches.map(() => '[]').join('\n'));
    expect(JSON.parse((await attack('SELECT key FROM cairn.heads()')).text)).toEqual([{ key: 'shared' }]);
  });

  test('are not fooled by other roles, search paths or objects in pg_temp', async () => {
    const names = [team.ada.user, 'team_admin', 'postgres', ...(await ownerAndGroup())];
    for (const name of names) {
      for (const sql of [`SET ROLE ${name}`, `SET SESSION AUTHORIZATION ${name}`, `SET LOCAL ROLE ${name}`]) {
        const { text } = await attack([`BEGIN`, sql, 'COMMIT', sql, 'SELECT key FROM cairn.heads()']);
        expect(text.split('\n').at(-1)).toBe('[{"key":"shared"}]');
      }
    }
    await postgres.ask('postgres', `GRANT TEMPORARY ON DATABASE ${team.database} TO ${spy.user}`);
    try {
      const trap = "RAISE EXCEPTION 'trapped as %', current_user";
      const { text } = await attack([
        `CREATE FUNCTION pg_temp.trap(anyelement) RETURNS boolean LANGUAGE plpgsql AS $$BEGIN ${trap}; END$$`,
        'CREATE DOMAIN pg_temp.uuid AS pg_catalog.uuid CHECK (pg_temp.trap(VALUE))',
        'CREATE DOMAIN pg_temp.text AS pg_catalog.text CHECK (pg_temp.trap(VALUE))',
        'CREATE DOMAIN pg_temp.bytea AS pg_catalog.bytea CHECK (pg_temp.trap(VALUE))',
        `CREATE FUNCTION pg_temp.array_agg(int) RETURNS int[] LANGUAGE sql AS 'SELECT ARRAY[${hidden}]'`,
        `CREATE FUNCTION pg_temp.md5(pg_catalog.text) RETURNS pg_catalog.text LANGUAGE plpgsql AS $$BEGIN ${trap}; END$$`,
        `CREATE FUNCTION pg_temp.now() RETURNS timestamptz LANGUAGE plpgsql AS $$BEGIN ${trap}; END$$`,
        'CREATE TEMP TABLE project (id int, key pg_catalog.text)',
        'CREATE TEMP TABLE pg_roles (rolname name)',
        'SET search_path = pg_temp, cairn, pg_catalog',
        'SELECT key FROM cairn.heads()',
        'SELECT * FROM cairn.members()',
        `SELECT * FROM cairn.search(NULL, ARRAY[${HIDDEN_TOKEN}], 10)`,
        `SELECT outcome FROM cairn.push(${shared}, '${randomUUID()}'::pg_catalog.uuid, ARRAY[1]::bigint[], ARRAY['${randomUUID()}'::pg_catalog.text], ARRAY[0], ARRAY['1'::pg_catalog.text], ARRAY['\\x00'::pg_catalog.bytea], ARRAY['\\x00'::pg_catalog.bytea], ARRAY[0], ARRAY['5'::pg_catalog.text], ARRAY[NULL::pg_catalog.text])`,
      ]);
      expect(text).not.toContain('trapped as');
      expect(text.split('\n').slice(-4)).toEqual([
        '[{"key":"shared"}]',
        expect.stringContaining('"label":"Spy"'),
        '[]',
        '[{"outcome":"stored"}]',
      ]);
    } finally {
      await postgres.ask('postgres', `REVOKE TEMPORARY ON DATABASE ${team.database} FROM ${spy.user}`);
    }
  });
});

describe('the server', () => {
  test('does not let a member create anything, or read files', async () => {
    for (const sql of [
      'CREATE TABLE public.mine (id int)',
      'CREATE TEMP TABLE mine (id int)',
      'CREATE SCHEMA mine',
      'CREATE TABLE cairn.mine (id int)',
      "CREATE FUNCTION cairn.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
      "CREATE OR REPLACE FUNCTION cairn.my_projects() RETURNS int[] LANGUAGE sql AS 'SELECT ARRAY[1]'",
      'CREATE EXTENSION pg_trgm',
      'CREATE ROLE mine',
      'ALTER ROLE CURRENT_USER CREATEROLE',
      'ALTER ROLE CURRENT_USER BYPASSRLS',
      'ALTER ROLE CURRENT_USER CONNECTION LIMIT 1000',
      `ALTER ROLE ${team.ada.user} PASSWORD 'x'`,
      `GRANT ${team.ada.user} TO CURRENT_USER`,
      'CREATE DATABASE mine',
      "SELECT pg_read_file('postgresql.auto.conf')",
      "SELECT pg_ls_dir('.')",
      "SELECT lo_import('/etc/passwd')",
      "COPY (SELECT 1) TO '/tmp/x'",
      "COPY (SELECT 1) TO PROGRAM 'true'",
      'ALTER SYSTEM SET log_statement = none',
      'SELECT * FROM pg_authid',
      'SELECT * FROM pg_statistic',
      'SELECT * FROM pg_largeobject',
      'SELECT pg_switch_wal()',
      'CREATE PUBLICATION p FOR ALL TABLES',
      "SELECT pg_create_logical_replication_slot('s', 'test_decoding')",
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'postgres' LIMIT 1`,
    ]) {
      const { code, text } = await attack(sql);
      expect([sql, code === DENIED || text === '[]' || code]).toEqual([
        sql,
        expect.toSatisfy((c) => c === true || c === '55000'),
      ]);
    }
  });

  test('shows no secret in any catalog or statistic that a member can read', async () => {
    const busy = openFeed(team.ada);
    await busy.listHeads();
    const catalogs = await postgres.ask<{ name: string }>(
      team.database,
      `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'v') AND n.nspname = 'pg_catalog'`,
    );
    expect(catalogs.length).toBeGreaterThan(100);
    const client = await connect(spy);
    try {
      const secrets = [...Object.values(SECRETS), 'SCRAM-SHA-256$4096'];
      const patterns = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('hex')]);
      for (const { name } of catalogs) {
        const sql = `SELECT '${name}' AS name FROM ${name} t, unnest($1::text[]) s WHERE strpos(t::text, s) > 0 LIMIT 1`;
        const { code, text } = await tryQuery(client, sql, [patterns]);
        expect([name, code === DENIED ? '[]' : text]).toEqual([name, '[]']);
      }
      const statistics = await tryQuery(client, "SELECT * FROM pg_stats WHERE schemaname = 'cairn'");
      expect(statistics.text).toBe('[]');
      const queries = await tryQuery(
        client,
        "SELECT query FROM pg_stat_activity WHERE usename <> session_user AND query NOT LIKE '<insufficient%' AND query <> ''",
      );
      expect(queries.text).toBe('[]');
    } finally {
      await client.end();
      await busy.close();
    }
  });

  test('continues for others while a member holds locks', async () => {
    const client = await connect(spy);
    const ada = openFeed(team.ada);
    try {
      await client.query('SELECT pg_advisory_lock(n) FROM generate_series(1, 500) n');
      await client.query('SELECT pg_advisory_lock(4926816411)');
      await pushAll(ada, hidden, randomUUID(), [makeChange(1, { payload: Buffer.from(SECRETS.text) })]);
    } finally {
      await client.end();
      await ada.close();
    }
  });

  test('limits the connections of a machine', async () => {
    const open: pg.Client[] = [];
    try {
      await expect(
        (async () => {
          for (let count = 0; count < 6; count++) open.push(await connect(spy));
        })(),
      ).rejects.toMatchObject({ reason: 'busy' });
      expect(open).toHaveLength(4);
    } finally {
      await Promise.all(open.map((client) => client.end()));
    }
  });
});

describe.each(['directly', 'through PgBouncer'])('a member connected %s', (how) => {
  const reach = (credentials: TeamCredentials) =>
    how === 'directly' ? credentials : { ...credentials, port: pooler.port };
  const readHidden = `SELECT payload FROM cairn.pull(${'$1'}, 0, NULL, 10)`;

  test('reads nothing after a revoke, not even in an earlier snapshot', async () => {
    const name = `Leaving ${how}`;
    const leaving = reach(await team.join(name, { projects: [SECRETS.key] }));
    const snapshot = await connect(leaving);
    const idle = await connect(leaving);
    await snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    expect((await tryQuery(snapshot, readHidden, [hidden])).text).toContain(SECRETS.text);
    expect((await tryQuery(idle, readHidden, [hidden])).text).toContain(SECRETS.text);
    await revokeMember(team.access, name);
    for (const client of [snapshot, idle]) {
      const answer = await tryQuery(client, readHidden, [hidden]).catch((error) => ({ text: String(error) }));
      expectNoSecrets(answer.text);
      expect(answer.text).not.toBe('[]');
      await client.end().catch(() => {});
    }
    await expect(connect(leaving)).rejects.toMatchObject({ reason: 'access' });
  });

  test('reads nothing more after the loss of a machine or a project', async () => {
    const name = `Changing ${how}`;
    const [lost, kept] = [await team.join(name, { projects: [SECRETS.key] }), reach(await team.join(name))];
    await revokeMachine(team.access, lost.user);
    await expect(connect(reach(lost))).rejects.toMatchObject({ reason: 'access' });
    const client = await connect(kept);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    expect((await tryQuery(client, readHidden, [hidden])).text).toContain(SECRETS.text);
    await setRights(team.access, name, { isReadOnly: false, projects: ['shared'] });
    const answer = await tryQuery(client, readHidden, [hidden]).catch((error) => ({ text: String(error) }));
    expectNoSecrets(answer.text);
    await client.end().catch(() => {});
    const { code } = await attack(readHidden.replace('$1', String(hidden)), kept);
    expect(code).toBe('CA001');
  });

  test('gains nothing by changing role and settings', async () => {
    const { text } = await attack(
      [
        'SET row_security = off',
        `SET ROLE ${team.ada.user}`,
        'SET SESSION AUTHORIZATION DEFAULT',
        "SET search_path = 'cairn'",
        'SELECT * FROM change',
        'COPY change TO STDOUT',
        `SELECT * FROM pull(${hidden}, 0, NULL, 10)`,
        'SELECT key FROM heads()',
      ],
      reach(spy),
    );
    expect(text.split('\n').at(-1)).toBe('[{"key":"shared"}]');
  });
});

async function ownerAndGroup(): Promise<string[]> {
  const rows = await postgres.ask<{ name: string }>(
    team.database,
    `SELECT nspowner::regrole::text AS name FROM pg_namespace WHERE nspname = 'cairn'
     UNION SELECT members_role FROM cairn.meta`,
  );
  return rows.map(({ name }) => name);
}
