import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TeamFeed } from '../../src/team/feed.ts';
import type { TeamCredentials } from '../../src/team/server/address.ts';
import { migrateTeam, revokeMachine, revokeMember, scrub, setRights } from '../../src/team/server/admin.ts';
import { connect } from '../../src/team/server/connect.ts';
import { createTeam } from '../../src/team/server/create.ts';
import { openFeed } from '../../src/team/server/feed.ts';
import { invite } from '../../src/team/server/invite.ts';
import { join, leave, rotate } from '../../src/team/server/join.ts';
import { readLink, writeLink } from '../../src/team/server/link.ts';
import { listMachines, listMembers } from '../../src/team/server/people.ts';
import { migrations } from '../../src/team/server/schema/all.ts';
import { migrate } from '../../src/team/server/schema/migrate.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { makeChange, makeTeam, pushAll, type TestTeam } from '../support/team.ts';

let postgres: Postgres;
let team: TestTeam;
beforeAll(async () => {
  postgres = await startPostgres();
  team = await makeTeam(postgres);
});
afterAll(() => postgres?.stop());

const NO_ACCESS = { reason: 'access' };
const anInvitation = { name: 'Bo', isReadOnly: false, projects: null, key: null };
const aMachine = { machine: 'laptop', save: () => {} };

/** Runs one call on a new connection. */
async function ask<T>(credentials: TeamCredentials, call: (feed: TeamFeed) => Promise<T>): Promise<T> {
  const feed = openFeed(credentials);
  try {
    return await call(feed);
  } finally {
    await feed.close();
  }
}

describe('creating a team', () => {
  const ada = {
    label: 'T',
    member: 'Ada',
    machine: 'x',
    keys: null,
    save: () => {},
  };

  test('needs no superuser, makes the database, and closes it to others', async () => {
    const database = 'made "here"';
    const { credentials, warnings } = await createTeam(
      { url: postgres.adminUrl(encodeURIComponent(database)), ca: null },
      ada,
    );
    expect(warnings).toEqual([]);
    expect(await ask(credentials, (feed) => feed.listHeads())).toEqual({
      team: credentials.team,
      epoch: expect.stringMatching(/^[0-9a-f-]{36}$/),
      now: expect.any(Number),
      isEncrypted: false,
      projects: [],
    });
    await postgres.ask('postgres', "CREATE ROLE stranger LOGIN PASSWORD 'x'");
    const stranger = { ...credentials, user: 'stranger', password: 'x' };
    await expect(connect(stranger)).rejects.toMatchObject(NO_ACCESS);
  });

  test('twice in a database, also at the same time, makes one team', async () => {
    await postgres.ask('postgres', 'CREATE DATABASE contested OWNER team_admin');
    for (const database of ['contested', 'made by both']) {
      const access = { url: postgres.adminUrl(encodeURIComponent(database)), ca: null };
      const results = await Promise.allSettled([createTeam(access, ada), createTeam(access, ada)]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason.message).toContain('has a team already');
      await expect(createTeam(access, ada)).rejects.toThrow('has a team already');
    }
  });

  test('without saved credentials creates nothing', async () => {
    const access = { url: postgres.adminUrl('unsaved'), ca: null };
    const save = () => {
      throw new Error('disk full');
    };
    await expect(createTeam(access, { ...ada, save })).rejects.toThrow('disk full');
    expect(await postgres.ask('unsaved', "SELECT FROM pg_namespace WHERE nspname = 'cairn'")).toEqual([]);
    await createTeam(access, ada);
  });

  test('warns if the database cannot be closed', async () => {
    await postgres.ask('postgres', 'CREATE DATABASE theirs');
    await postgres.ask('theirs', 'GRANT CREATE ON DATABASE theirs TO team_admin');
    await postgres.ask('postgres', 'CREATE DATABASE shared OWNER team_admin');
    await postgres.ask('shared', 'CREATE TABLE of_another_program (id int)');
    const notOwned = await createTeam({ url: postgres.adminUrl('theirs'), ca: null }, ada);
    expect(notOwned.warnings).toEqual([expect.stringContaining('does not own it')]);
    const shared = await createTeam({ url: postgres.adminUrl('shared'), ca: null }, ada);
    expect(shared.warnings).toEqual([expect.stringContaining('other tables')]);
    for (const { credentials } of [notOwned, shared]) await ask(credentials, (feed) => feed.listHeads());
  });

  test('reports a wrong password, port or URL', async () => {
    const tryUrl = (url: string) => createTeam({ url, ca: null }, ada);
    await expect(tryUrl(postgres.adminUrl('x').replace('for-tests-only', 'wrong'))).rejects.toMatchObject(
      NO_ACCESS,
    );
    await expect(tryUrl('postgres://team_admin:x@127.0.0.1:1/x')).rejects.toMatchObject({
      reason: 'network',
    });
    await expect(tryUrl('mysql://root:secret-word@localhost/x')).rejects.toThrow('Not a PostgreSQL URL');
    await expect(tryUrl('mysql://root:secret-word@localhost/x')).rejects.not.toThrow('secret-word');
  });
});

describe('joining a team', () => {
  const LINK_IS_DEAD = 'This link was used, has expired or was revoked. Ask for a new link.';

  test('works once, and invalidates the password of the link', async () => {
    const link = await invite(team.access, anInvitation);
    const saved: TeamCredentials[] = [];
    const joined = await join(link, { ...aMachine, save: (credentials) => void saved.push(credentials) });
    expect(saved).toEqual([joined]);
    expect(joined.team).toBe(team.ada.team);
    expect(joined.password).not.toBe(readLink(link).password);
    await ask(joined, (feed) => feed.listHeads());
    await expect(join(link, aMachine)).rejects.toMatchObject({ ...NO_ACCESS, message: LINK_IS_DEAD });
  });

  test('from two machines at the same time works for one', async () => {
    const link = await invite(team.access, anInvitation);
    const results = await Promise.allSettled([join(link, aMachine), join(link, aMachine)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('without saved credentials leaves the link valid', async () => {
    const link = await invite(team.access, anInvitation);
    const save = () => Promise.reject(new Error('disk full'));
    await expect(join(link, { ...aMachine, save })).rejects.toThrow('disk full');
    await join(link, aMachine);
  });

  test('fails after the expiry on the server, whatever the link says', async () => {
    const link = await invite(team.access, { ...anInvitation, name: 'Tardy' });
    const invitation = readLink(link);
    await postgres.ask(
      team.database,
      "UPDATE cairn.device SET expires_at = now() - interval '1 second' WHERE role = $1",
      [invitation.user],
    );
    const prolonged = writeLink({ ...invitation, expiresAt: Date.now() + 1e9 });
    await expect(join(prolonged, aMachine)).rejects.toThrow('was used, has expired or was revoked');
    await invite(team.access, anInvitation);
    expect(
      await postgres.ask('postgres', 'SELECT FROM pg_roles WHERE rolname = $1', [invitation.user]),
    ).toEqual([]);
  });

  test('fails after a revoke, of the invitation or the member', async () => {
    const link = await invite(team.access, anInvitation);
    await revokeMachine(team.access, readLink(link).user);
    await expect(join(link, aMachine)).rejects.toMatchObject({ ...NO_ACCESS, message: LINK_IS_DEAD });
    const another = await invite(team.access, { ...anInvitation, name: 'Gone' });
    await revokeMember(team.access, 'Gone');
    await expect(join(another, aMachine)).rejects.toMatchObject(NO_ACCESS);
  });

  test('is needed: an invitation alone reads nothing', async () => {
    const invitation = readLink(await invite(team.access, anInvitation));
    await expect(ask(invitation, (feed) => feed.listHeads())).rejects.toMatchObject(NO_ACCESS);
    await expect(listMembers(invitation)).rejects.toMatchObject(NO_ACCESS);
  });

  test('accepts only whole links', async () => {
    const link = await invite(team.access, anInvitation);
    for (const bad of [
      '',
      'hello',
      link.slice(0, -20),
      link.slice(5),
      `cairn-team-${Buffer.from('{}').toString('base64url')}`,
    ])
      expect(() => readLink(bad)).toThrow('Copy the whole link');
    expect(readLink(` ${link.slice(0, 30)}\n${link.slice(30)} `)).toEqual(readLink(link));
  });

  test('never puts a password into the log of the server', async () => {
    const link = await invite(team.access, { ...anInvitation, name: 'Logged' });
    const joined = await join(link, aMachine);
    const rotated = await rotate(joined, () => {});
    const log = postgres.log();
    expect(log).toContain('SCRAM-SHA-256$');
    for (const { password } of [readLink(link), joined, rotated, team.ada])
      expect(log).not.toContain(password);
  });
});

test('rotating gives a new password, and invalidates the old one at once', async () => {
  const old = await team.join('Rota');
  const rotated = await rotate(old, () => {});
  await ask(rotated, (feed) => feed.listHeads());
  await expect(ask(old, (feed) => feed.listHeads())).rejects.toMatchObject(NO_ACCESS);
  const save = () => Promise.reject(new Error('disk full'));
  await expect(rotate(rotated, save)).rejects.toThrow('disk full');
  await ask(rotated, (feed) => feed.listHeads());
});

test('leaving removes one machine, not the member', async () => {
  const [laptop, desktop] = [await team.join('Lea'), await team.join('Lea')];
  await leave(laptop);
  await expect(ask(laptop, (feed) => feed.listHeads())).rejects.toMatchObject(NO_ACCESS);
  await ask(desktop, (feed) => feed.listHeads());
  const machines = (await listMachines(desktop)).filter(({ member }) => member === 'Lea');
  expect(machines.map(({ role, isThis, revokedAt }) => [role, isThis, revokedAt !== null])).toEqual([
    [laptop.user, false, true],
    [desktop.user, true, false],
  ]);
});

describe('rights', () => {
  test('of a member cover the invited projects; unknown and forbidden ones look the same', async () => {
    const [open, hidden] = await ask(team.ada, async (feed) => [
      await feed.openProject('open-one', Buffer.from('o')),
      await feed.openProject('hidden-one', Buffer.from('h')),
    ]);
    if (!open || !hidden) throw new Error('no projects');
    const bo = await team.join('Restricted', { projects: ['open-one'] });
    expect((await ask(bo, (feed) => feed.listHeads())).projects).toEqual([open]);
    const errorOf = (call: (feed: TeamFeed) => Promise<unknown>) =>
      ask(bo, call).then(
        () => 'no error',
        (error) => ({ reason: error.reason, message: error.message }),
      );
    const start = { seq: '0', chain: null };
    const calls: ((project: number) => (feed: TeamFeed) => Promise<unknown>)[] = [
      (project) => (feed) => feed.pull(project, start, 10),
      (project) => (feed) => feed.push({ project, origin: randomUUID(), changes: [makeChange(1)] }),
      (project) => (feed) => feed.confirm(project, '1'),
      (project) => (feed) => feed.claim(project, randomUUID()),
    ];
    for (const call of calls) {
      const forbidden = await errorOf(call(hidden.id));
      expect(forbidden).toEqual({ reason: 'forbidden', message: 'No such project, or no right to it.' });
      expect(await errorOf(call(987_654))).toEqual(forbidden);
    }
    const forbidden = await errorOf((feed) => feed.openProject('hidden-one', Buffer.from('h')));
    expect(forbidden).toMatchObject({ reason: 'forbidden' });
    expect(await errorOf((feed) => feed.openProject('never-shared', Buffer.from('h')))).toEqual(forbidden);
    expect(await ask(bo, (feed) => feed.openProject('open-one', Buffer.from('x')))).toEqual(open);
  });

  test('to read do not include writing', async () => {
    const project = await ask(team.ada, (feed) => feed.openProject('read-only-one', Buffer.from('r')));
    for (const projects of [null, ['read-only-one']]) {
      const reader = await team.join(`Reader of ${projects}`, { isReadOnly: true, projects });
      const heads = await ask(reader, (feed) => feed.listHeads());
      expect(heads.projects.find(({ id }) => id === project.id)?.canWrite).toBe(false);
      await ask(reader, (feed) => feed.pull(project.id, { seq: '0', chain: null }, 1));
      const request = { project: project.id, origin: randomUUID(), changes: [makeChange(1)] };
      await expect(ask(reader, (feed) => feed.push(request))).rejects.toMatchObject({ reason: 'forbidden' });
      await expect(
        ask(reader, (feed) => feed.openProject('read-only-one', Buffer.from(''))),
      ).rejects.toMatchObject({
        reason: 'forbidden',
      });
    }
  });

  test('can be changed later, and cover a project from its first change', async () => {
    await ask(team.ada, async (feed) => {
      const { id } = await feed.openProject('later-one', Buffer.from('l'));
      await pushAll(feed, id, randomUUID(), [makeChange(1)]);
    });
    const member = await team.join('Moving', { projects: [] });
    expect((await ask(member, (feed) => feed.listHeads())).projects).toEqual([]);
    await setRights(team.access, 'Moving', { isReadOnly: true, projects: ['later-one'] });
    const [project] = (await ask(member, (feed) => feed.listHeads())).projects;
    expect(project).toMatchObject({ key: 'later-one', head: '1', canWrite: false });
    await setRights(team.access, 'Moving', { isReadOnly: false, projects: [] });
    expect((await ask(member, (feed) => feed.listHeads())).projects).toEqual([]);
    await expect(setRights(team.access, 'Moving', { isReadOnly: false, projects: ['nope'] })).rejects.toThrow(
      'nope',
    );
    await expect(invite(team.access, { ...anInvitation, name: 'New', projects: ['nope'] })).rejects.toThrow(
      'nope',
    );
  });

  test('to see people cover only members of a shared project', async () => {
    await ask(team.ada, async (feed) => {
      await feed.openProject('people-a', Buffer.from('a'));
      await feed.openProject('people-b', Buffer.from('b'));
    });
    const a = await team.join('People A', { projects: ['people-a'] });
    await team.join('People B', { projects: ['people-b'] });
    await team.join('People AB', { projects: ['people-a', 'people-b'] });
    const names = (await listMembers(a)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Ada', 'People A', 'People AB']));
    expect(names).not.toContain('People B');
    const machines = await listMachines(a);
    expect(machines.map(({ member }) => member)).not.toContain('People B');
    const ab = (await listMembers(a)).find(({ name }) => name === 'People AB');
    expect(ab?.projects).toHaveLength(1);
  });
});

describe('a role with more rights than a member', () => {
  test.each(['BYPASSRLS', 'SUPERUSER', 'CREATEROLE', 'CREATEDB', 'REPLICATION'])(
    'is refused: %s',
    async (right) => {
      const machine = await team.join('Mighty');
      await ask(machine, (feed) => feed.listHeads());
      await postgres.ask('postgres', `ALTER ROLE ${machine.user} ${right}`);
      await expect(ask(machine, (feed) => feed.listHeads())).rejects.toMatchObject({
        reason: 'access',
        message: expect.stringContaining('rights that a member must not have'),
      });
    },
  );

  test('is refused: membership in another role', async () => {
    const machine = await team.join('Mighty');
    await postgres.ask('postgres', `GRANT pg_read_all_data TO ${machine.user}`);
    await expect(ask(machine, (feed) => feed.listHeads())).rejects.toMatchObject(NO_ACCESS);
  });
});

describe('the schema', () => {
  test('of a newer version is neither used nor changed', async () => {
    const other = await makeTeam(postgres);
    const machine = await other.join('Old');
    await postgres.ask(other.database, 'UPDATE cairn.meta SET schema_version = 1000');
    const newer = { reason: 'newer-schema', message: expect.stringContaining('Update Cairn') };
    const before = await postgres.ask(
      other.database,
      'SELECT (SELECT count(*) FROM cairn.device), meta FROM cairn.meta',
    );
    await expect(ask(machine, (feed) => feed.listHeads())).rejects.toMatchObject(newer);
    await expect(invite(other.access, anInvitation)).rejects.toMatchObject(newer);
    await expect(migrateTeam(other.access)).rejects.toMatchObject(newer);
    await expect(rotate(machine, () => {})).rejects.toMatchObject(newer);
    await expect(scrub(other.access)).rejects.toMatchObject(newer);
    const after = await postgres.ask(
      other.database,
      'SELECT (SELECT count(*) FROM cairn.device), meta FROM cairn.meta',
    );
    expect(after).toEqual(before);
  });

  test('of an older version is migrated once, also by two clients at the same time', async () => {
    const other = await makeTeam(postgres);
    const next = [...migrations, { name: 'next', sql: 'CREATE TABLE cairn.next (id int)' }];
    const clients = await Promise.all([1, 2].map(() => connect({ ...other.ada, ...adminOf(other) })));
    try {
      const applied = await Promise.all(clients.map((client) => migrate(client, next)));
      expect(applied.flat()).toEqual(['next']);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
    await expect(ask(other.ada, (feed) => feed.listHeads())).rejects.toMatchObject({
      reason: 'newer-schema',
    });
  });

  test('is unchanged after a failed migration', async () => {
    const other = await makeTeam(postgres);
    const client = await connect({ ...other.ada, ...adminOf(other) });
    try {
      const broken = [
        ...migrations,
        { name: 'broken', sql: 'CREATE TABLE cairn.half (id int); SELECT 1 / 0' },
      ];
      await expect(migrate(client, broken)).rejects.toThrow('division by zero');
    } finally {
      await client.end();
    }
    await ask(other.ada, (feed) => feed.listHeads());
    expect(await postgres.ask(other.database, "SELECT FROM pg_class WHERE relname = 'half'")).toEqual([]);
  });

  test('is missing in another database', async () => {
    await postgres.ask('postgres', 'CREATE DATABASE plain');
    await expect(ask({ ...team.ada, database: 'plain' }, (feed) => feed.listHeads())).rejects.toMatchObject({
      reason: 'not-a-team',
    });
    const plain = { url: postgres.adminUrl('plain'), ca: null };
    await expect(invite(plain, anInvitation)).rejects.toMatchObject({ reason: 'not-a-team' });
  });
});

test('scrubbing removes the bytes of forgotten items', async () => {
  const { readdirSync, readFileSync } = await import('node:fs');
  const path = await import('node:path');
  const word = Buffer.from(`forgotten-${randomUUID()}`);
  const kept = Buffer.from(`kept-${randomUUID()}`);
  const item = randomUUID();
  const [row] = await postgres.ask<{ oid: number }>(
    'postgres',
    'SELECT oid FROM pg_database WHERE datname = $1',
    [team.database],
  );
  const folder = path.join(postgres.dataFolder, 'base', String(row?.oid));
  const has = async (bytes: Buffer) => {
    await postgres.ask(team.database, 'CHECKPOINT');
    return readdirSync(folder).some((name) => readFileSync(path.join(folder, name)).includes(bytes));
  };
  await ask(team.ada, async (feed) => {
    const { id } = await feed.openProject('scrubbed', Buffer.from('s'));
    const origin = randomUUID();
    await pushAll(feed, id, origin, [
      makeChange(1, { item, payload: word }),
      makeChange(2, { payload: kept }),
    ]);
    await pushAll(feed, id, origin, [makeChange(3, { item, aspect: 'deletion' })]);
  });
  expect([await has(word), await has(kept)]).toEqual([true, true]);
  await scrub(team.access);
  expect([await has(word), await has(kept)]).toEqual([false, true]);
});

function adminOf(other: TestTeam) {
  const { username: user, password } = new URL(other.access.url);
  return { user, password };
}
