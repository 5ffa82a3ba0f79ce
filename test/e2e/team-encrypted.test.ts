import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pathsOf } from '../../src/platform/paths.ts';
import { openPayload } from '../../src/team/crypto/envelope.ts';
import { ensureKey, type KeyServer, refreshKeyring } from '../../src/team/crypto/keyring.ts';
import { makeCheckValue, makeKey, sealKey } from '../../src/team/crypto/sealed-key.ts';
import { readSecrets, type TeamSecrets } from '../../src/team/crypto/team-secrets.ts';
import type { TeamFeed } from '../../src/team/feed.ts';
import { openChannel } from '../../src/team/server/channel.ts';
import { openFeed } from '../../src/team/server/feed.ts';
import { invite } from '../../src/team/server/invite.ts';
import { join as joinTeam } from '../../src/team/server/join.ts';
import { keysOver } from '../../src/team/server/keys.ts';
import type { SyncResult } from '../../src/team/sync/sync.ts';
import { startMcp } from '../support/mcp-client.ts';
import { openPlainStore } from '../support/plain-store.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { makeChange, pushAll } from '../support/team.ts';
import { findByTitle, SHOP, type TeamHome, useTeamHome } from '../support/team-home.ts';
import { makeTeamMachine, type TeamMachine } from '../support/team-machine.ts';

const REMOTE = `https://${SHOP}.git`;
const NAME = 'sealed';
/** These must not be in any byte of the server: texts, names of members, machines, projects, branches and files. */
const NEVER_SENT = [
  ...[
    'git.example.com',
    'team/shop',
    'Prices are stored in cents',
    'walnut',
    'second key',
    'after the revoke',
  ],
  ...[
    'Annabel',
    'Benedikt',
    'Carlotta',
    'Pipelinius',
    'laptop-of-annabel',
    'desk-of-benedikt',
    'sofa-of-annabel',
  ],
  ...['Rewrite the checkout', 'the mail is not', 'src/prices.ts'],
];

let postgres: Postgres;
let url: string;
let recoveryCode: string;
/** Anna has two machines. */
let anna: TeamMachine;
let sofa: TeamMachine;
let ben: TeamMachine;

beforeAll(async () => {
  // The log has all parameters, because it is searched too.
  postgres = await startPostgres({ settings: { log_parameter_max_length: '-1' } });
  url = postgres.adminUrl(NAME);
  [anna, sofa, ben] = [makeLasting(), makeLasting(), makeLasting()];
  const created = anna.ok(
    ['team', 'create', '-', '--encrypted', '--name', 'Annabel', '--machine', 'laptop-of-annabel'],
    url,
  ).stdout;
  expect(created).toContain('Made an encrypted team');
  recoveryCode = /Recovery code: (\S+)/.exec(created)?.[1] ?? '';
  anna.ok(['remember', 'A note from before']);
  anna.ok(['team', 'share', '--yes']);
  joinAs(sofa, 'Annabel', 'sofa-of-annabel');
  joinAs(ben, 'Benedikt', 'desk-of-benedikt');
  for (const machine of [sofa, ben]) machine.ok(['team', 'share', '--yes']);
});
afterAll(async () => {
  await postgres?.stop();
  for (const home of homes) await removeFolder(home);
});

const homes: string[] = [];
function makeLasting(): TeamMachine {
  const home = mkdtempSync(join(tmpdir(), 'cairn-test-'));
  homes.push(home);
  return makeTeamMachine(REMOTE, home);
}

function inviteTo(name: string, ...options: string[]): string {
  return anna.ok(['team', 'invite', name, '--url', '-', ...options], url).stdout.trim();
}

function joinAs(machine: TeamMachine, name: string, label: string): void {
  machine.ok(['team', 'join', '-', '--machine', label], inviteTo(name));
}

function requireSecrets(machine: TeamMachine): TeamSecrets {
  const secrets = readSecrets(machine.login());
  if (!secrets) throw new Error('The login has no keys.');
  return secrets;
}

async function withFeed<T>(machine: TeamMachine, work: (feed: TeamFeed) => Promise<T>): Promise<T> {
  const feed = openFeed(machine.login());
  try {
    return await work(feed);
  } finally {
    await feed.close();
  }
}

async function withKeys<T>(machine: TeamMachine, work: (keys: KeyServer) => Promise<T>): Promise<T> {
  const channel = openChannel(machine.login());
  try {
    return await work(keysOver(channel));
  } finally {
    await channel.close();
  }
}

/** Works in the home of a machine without starting a process for each step. */
async function inHome<T>(machine: TeamMachine, work: (home: TeamHome) => Promise<T>): Promise<T> {
  const paths = pathsOf(join(machine.home, '.cairn'));
  const store = openPlainStore(paths.database);
  const [project] = store.listTeamProjects();
  const feed = openFeed(machine.login());
  const { member = '', machine: name = '' } = store.getTeam() ?? {};
  try {
    return await work(
      useTeamHome({ ...{ store, paths, feed, member, machine: name }, projectId: project?.projectId ?? 0 }),
    );
  } finally {
    await feed.close();
    store.close();
  }
}

const sync = (machine: TeamMachine) => inHome(machine, (home) => home.sync());
const knows = (machine: TeamMachine, title: string) =>
  inHome(machine, async (home) => findByTitle(home, title) !== undefined);

/** Adds a note and sends it. */
function note(machine: TeamMachine, title: string): Promise<SyncResult> {
  return inHome(machine, (home) => {
    home.note(title);
    return home.synced();
  });
}

function status(machine: TeamMachine): string {
  return machine.cairn(['team', 'status']).stdout;
}

test('a memory reaches the other machines, with its author', async () => {
  anna.ok(['remember', 'Prices are stored in cents, never in walnut shells', '--file', 'src/prices.ts']);
  anna.ok(['team', 'sync']);
  expect(ben.ok(['team', 'sync']).stdout).toContain('Received 1 change');
  expect(await sync(sofa)).toMatchObject({ pulled: 1, aside: 0, problem: null });
  expect(status(ben)).toContain('encrypted  the server sees ids, sizes and times');
  expect(ben.ok(['team', 'members']).stdout).toMatch(/Annabel[\s\S]*Benedikt {2}you/);
  expect(ben.ok(['team', 'machines']).stdout).toMatch(/laptop-of-annabel[\s\S]*desk-of-benedikt/);
});

test('--team searches only this machine and says so, to a person and to an agent', async () => {
  const run = ben.ok(['search', '--team', 'how are prices stored']);
  expect(run.stdout).toContain('Prices are stored in cents');
  expect(run.stdout).toContain('from Annabel');
  expect(run.stderr).toContain('The team is encrypted, so its server cannot search');
  const mcp = startMcp(
    { HOME: ben.home, PATH: process.env.PATH ?? '', CAIRN_NO_WORKER: '1' },
    ben.repository,
  );
  try {
    await mcp.request('initialize', {
      ...{ protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    });
    const call = { name: 'search', arguments: { query: 'prices stored', team: true } };
    const answer = JSON.stringify(await mcp.request('tools/call', call));
    expect(answer).toContain('Prices are stored in cents');
    expect(answer).toContain('The team is encrypted');
  } finally {
    await mcp.close();
  }
});

test('a handoff reaches the colleague', async () => {
  anna.ok(['work', 'new', 'Rewrite the checkout form']);
  anna.ok(['handoff', 'save', '--to', 'benedikt', 'The form is done, the mail is not.']);
  await sync(ben);
  const shown = ben.ok(['context']).stdout;
  expect(shown).toContain('from Annabel, to you');
  expect(shown).toContain('The form is done, the mail is not.');
});

test('a machine without a key reports what it waits for, and reads everything once it has the key', async () => {
  const late = makeTeamMachine(REMOTE);
  const link = inviteTo('Carlotta');
  await postgres.ask(
    NAME,
    'DELETE FROM cairn.keybox WHERE device IN (SELECT role FROM cairn.device WHERE joined_at IS NULL)',
  );
  const joined = late.ok(['team', 'join', '-', '--machine', 'late'], link);
  expect(joined.stdout).toContain('Joined as Carlotta');
  expect(joined.stderr).toContain('This machine waits for the key of shop');
  expect(status(late)).toContain('waits for the key of shop');
  await sync(anna);
  expect(await sync(late)).toMatchObject({ problem: null, aside: 0 });
  expect(await knows(late, 'Prices are stored in cents, never in walnut shells')).toBe(true);
});

test('a text without its key is set aside until the key arrives; the feed continues', async () => {
  // This makes the second key.
  anna.ok(['team', 'rotate']);
  await note(anna, 'Sealed with the second key');
  const [newest] = await postgres.ask<{ epoch: number }>(NAME, NEWEST);
  await postgres.ask(NAME, 'DELETE FROM cairn.keybox WHERE device = $1 AND key_epoch = $2', [
    ...[ben.login().user, newest?.epoch],
  ]);
  expect(await sync(ben)).toMatchObject({ aside: 1, problem: null });
  expect(status(ben)).toContain(`its key is not here yet (epoch ${newest?.epoch})`);
  await inHome(ben, async (home) => {
    home.note('Waits for the key');
    expect(await home.sync()).toMatchObject({ problem: { reason: 'keys' } });
  });
  await sync(sofa);
  expect(await sync(ben)).toMatchObject({ pulled: 1, pushed: 1, problem: null });
  expect(await knows(ben, 'Sealed with the second key')).toBe(true);
  expect(JSON.parse(ben.ok(['team', 'status', '--json']).stdout)).toMatchObject({
    ...{ aside: [], isEncrypted: true, pending: 0 },
  });
});

const NEWEST = 'SELECT max(key_epoch) AS epoch FROM cairn.key_epoch';

test('a revoked member cannot open later texts, even with all bytes of the server', async () => {
  const carlotta = makeTeamMachine(REMOTE);
  joinAs(carlotta, 'Carlotta', 'goes');
  const secrets = requireSecrets(carlotta);
  await note(anna, 'Readable before the revoke');
  const ring = await withKeys(carlotta, (keys) => refreshKeyring(keys, secrets));
  const output = anna.ok(['team', 'revoke', 'Carlotta', '--yes', '--url', '-'], url).stdout;
  expect(output).toContain('sealed with new keys');
  await note(ben, 'Written after the revoke');
  await sync(anna);
  expect(await knows(anna, 'Written after the revoke')).toBe(true);
  const rows = await postgres.ask<ChangeRow>(
    NAME,
    `SELECT c.*, c.n::int AS n, p.key FROM cairn.change c JOIN cairn.project p ON p.id = c.project_id
     WHERE c.aspect = 0 AND c.payload IS NOT NULL ORDER BY c.seq`,
  );
  const outcomes = rows.slice(-2).map((row) => {
    const place = { ...row, team: secrets.team, projectKey: row.key, aspect: 'text' };
    return openPayload(row.payload, (epoch) => ring.find(row.project_id, epoch), place).outcome;
  });
  expect(outcomes).toEqual(['opened', 'no-key']);
  const boxes = await postgres.ask(
    NAME,
    `SELECT FROM cairn.keybox WHERE device = $1 AND key_epoch = (${NEWEST})`,
    [carlotta.login().user],
  );
  expect(boxes).toEqual([]);
  expect(carlotta.cairn(['team', 'sync']).stderr).toContain('no longer has access');
});

interface ChangeRow {
  project_id: number;
  key: string;
  item: string;
  hlc: string;
  origin: string;
  n: number;
  payload: Buffer;
}

test('rotate gives this machine a new key pair, and the projects new keys', async () => {
  const before = sofa.login();
  const [old] = await postgres.ask<{ epoch: number }>(NAME, NEWEST);
  expect(sofa.ok(['team', 'rotate']).stdout).toContain('a new key pair');
  const after = sofa.login();
  expect(after.keys?.device).not.toBe(before.keys?.device);
  expect(after.keys?.teamKey).toBe(before.keys?.teamKey);
  expect(await postgres.ask(NAME, NEWEST)).toEqual([{ epoch: (old?.epoch ?? 0) + 1 }]);
  await note(sofa, 'Written with the new key pair');
  await sync(ben);
  expect(await knows(ben, 'Written with the new key pair')).toBe(true);
  sofa.ok(['team', 'repair']);
  expect(await knows(sofa, 'Readable before the revoke')).toBe(true);
});

test('a tampered text is set aside and reported; the feed continues', async () => {
  await note(anna, 'This one is tampered with');
  const [row] = await postgres.ask<{ project_id: number; seq: string; payload: Buffer }>(
    NAME,
    'SELECT project_id, seq, payload FROM cairn.change WHERE payload IS NOT NULL ORDER BY seq DESC LIMIT 1',
  );
  if (!row) throw new Error('nothing was pushed');
  const write = (payload: Buffer) =>
    postgres.ask(NAME, 'UPDATE cairn.change SET payload = $1 WHERE project_id = $2 AND seq = $3', [
      ...[payload, row.project_id, row.seq],
    ]);
  const tampered = Buffer.from(row.payload);
  tampered[60] = (tampered[60] ?? 0) ^ 1;
  await write(tampered);
  await note(anna, 'This one comes after it');
  expect(await sync(ben)).toMatchObject({ aside: 1, problem: null });
  expect(await knows(ben, 'This one comes after it')).toBe(true);
  expect(status(ben)).toContain('it was changed on the server');
  await write(row.payload);
  ben.ok(['team', 'repair']);
  expect(await knows(ben, 'This one is tampered with')).toBe(true);
  expect(status(ben)).not.toContain('set aside');
});

test('a deletion that the server forges is set aside', async () => {
  const title = 'The server would like to delete this';
  await note(anna, title);
  await sync(ben);
  await postgres.ask(
    NAME,
    `WITH last AS (SELECT * FROM cairn.change ORDER BY seq DESC LIMIT 1), forged AS (
       INSERT INTO cairn.change (project_id, seq, origin, n, item, aspect, hlc, author, key_epoch, digest, chain)
       SELECT project_id, seq + 1, gen_random_uuid(), 1, item, 4, hlc, author, 0, sha256('forged'),
         sha256(chain || sha256('forged')) FROM last RETURNING *)
     UPDATE cairn.project p SET head = forged.seq, chain = forged.chain FROM forged WHERE p.id = forged.project_id`,
  );
  expect(await sync(ben)).toMatchObject({ aside: 1, forgotten: 0, problem: null });
  expect(await knows(ben, title)).toBe(true);
});

test('a machine that the server adds gets no keys, and is reported', async () => {
  const role = 'cairn_stranger';
  await postgres.ask(
    NAME,
    `INSERT INTO cairn.device (role, member_id, public_key, proof, expires_at, joined_at)
     SELECT $1, member_id, $2, proof, now(), now() FROM cairn.device WHERE joined_at IS NOT NULL LIMIT 1`,
    [role, makeKey()],
  );
  const reported = anna.cairn(['team', 'sync']);
  expect(reported).toMatchObject({ exitCode: 1 });
  expect(reported.stderr).toContain('machines that no member has invited (cairn_stranger)');
  // A new epoch would be sealed for every machine that the server lists.
  await postgres.ask(NAME, 'UPDATE cairn.project SET is_rotation_due = true');
  await sync(anna);
  expect(await postgres.ask(NAME, 'SELECT FROM cairn.keybox WHERE device = $1', [role])).toEqual([]);
  await postgres.ask(NAME, 'DELETE FROM cairn.device WHERE role = $1', [role]);
  expect(await sync(anna)).toMatchObject({ problem: null });
});

test('a key that the server makes is not used, and is reported', async () => {
  const { team, device } = requireSecrets(ben);
  const [newest] = await postgres.ask<{ project: number; epoch: number }>(
    NAME,
    'SELECT project_id AS project, max(key_epoch) AS epoch FROM cairn.key_epoch GROUP BY 1',
  );
  if (!newest) throw new Error('there is no key');
  const place = { team, project: newest.project, keyEpoch: newest.epoch + 1 };
  const key = makeKey();
  await postgres.ask(NAME, 'INSERT INTO cairn.key_epoch VALUES ($1, $2, $3)', [
    ...[place.project, place.keyEpoch, makeCheckValue(key, makeKey(), place)],
  ]);
  await postgres.ask(NAME, 'INSERT INTO cairn.keybox VALUES ($1, $2, $3, $4)', [
    ...[place.project, place.keyEpoch, ben.login().user, sealKey(key, device.publicKey, place)],
  ]);
  await inHome(ben, async (home) => {
    home.note('Not for the eyes of the server');
    const { problem, pushed } = await home.sync();
    expect(problem?.message).toContain('a key of shop that this team has not made');
    expect(pushed).toBe(0);
  });
  await postgres.ask(NAME, 'DELETE FROM cairn.keybox WHERE key_epoch = $1', [place.keyEpoch]);
  await postgres.ask(NAME, 'DELETE FROM cairn.key_epoch WHERE key_epoch = $1', [place.keyEpoch]);
  expect(await sync(ben)).toMatchObject({ pushed: 1, problem: null });
});

test('a team key other than that in the link is refused, and the link stays valid', async () => {
  const machine = makeTeamMachine(REMOTE);
  const link = inviteTo('Carlotta');
  const swap = () =>
    postgres.ask(
      NAME,
      'UPDATE cairn.device SET team_key = set_byte(team_key, 30, get_byte(team_key, 30) # 1) WHERE joined_at IS NULL',
    );
  await swap();
  const refused = machine.cairn(['team', 'join', '-', '--machine', 'x'], link);
  expect(refused).toMatchObject({ exitCode: 1 });
  expect(refused.stderr).toContain('Nothing was joined');
  await swap();
  machine.ok(['team', 'join', '-', '--machine', 'x'], link);
});

test('the server accepts only what is sealed with the newest key', async () => {
  const { keys: _, ...open } = anna.login();
  const feed = openFeed(open);
  try {
    const [project] = (await feed.listHeads()).projects;
    for (const keyEpoch of [0, 1])
      await expect(
        pushAll(feed, project?.id ?? 0, randomUUID(), [makeChange(1, { keyEpoch })]),
      ).rejects.toMatchObject({ reason: 'keys' });
  } finally {
    await feed.close();
  }
});

test('two machines that make the first key at the same time end up with the same one', async () => {
  const project = await withFeed(anna, async (feed) => {
    await feed.listHeads();
    const channel = openChannel(anna.login());
    try {
      const sql = 'SELECT id FROM cairn.open_project($1, $2)';
      const [row] = await channel.ask<{ id: number }>(sql, [randomUUID(), Buffer.from('')]);
      return row?.id ?? 0;
    } finally {
      await channel.close();
    }
  });
  const machines = [anna, ben];
  await Promise.all(
    machines.map((machine) => withKeys(machine, (keys) => ensureKey(keys, requireSecrets(machine), project))),
  );
  const found = await Promise.all(
    machines.map(async (machine) => {
      const ring = await withKeys(machine, (keys) => refreshKeyring(keys, requireSecrets(machine)));
      return ring.newest(project);
    }),
  );
  expect(found[0]?.keyEpoch).toBe(1);
  expect(found[1]).toEqual(found[0]);
});

test('a member of some projects gets only their keys, and a reader makes no new ones', async () => {
  const access = { url, ca: null };
  const rights = { isReadOnly: true, projects: [SHOP], key: requireSecrets(anna) };
  const link = await invite(access, { name: 'Carlotta the second', ...rights });
  await sync(anna);
  const login = await joinTeam(link, { machine: 'x', save: () => {} });
  await postgres.ask(NAME, 'UPDATE cairn.project SET is_rotation_due = true');
  const [before] = await postgres.ask(NAME, NEWEST);
  const feed = openFeed(login);
  try {
    const { projects, keyProblem } = await feed.listHeads();
    expect(projects.map(({ key, label }) => ({ key, label: Buffer.from(label).toString() }))).toEqual([
      { key: SHOP, label: 'shop' },
    ]);
    expect(keyProblem).toBeNull();
    const pulled = await feed.pull(projects[0]?.id ?? 0, { seq: '0', chain: null }, 1);
    expect(pulled).toMatchObject({ changes: [{ author: 'Annabel', keyEpoch: 0 }] });
  } finally {
    await feed.close();
  }
  expect(await postgres.ask(NAME, NEWEST)).toEqual([before]);
  const boxes = await postgres.ask(
    NAME,
    'SELECT DISTINCT p.key FROM cairn.keybox b JOIN cairn.project p ON p.id = b.project_id WHERE b.device = $1',
    [login.user],
  );
  expect(boxes).toHaveLength(1);
});

test('rights of a member can be changed, by project names that the server does not know', async () => {
  const dora = makeTeamMachine(REMOTE);
  joinAs(dora, 'Dorothea', 'dora-1');
  const rights = (...options: string[]) =>
    anna.ok(['team', 'rights', 'Dorothea', ...options, '--url', '-'], url).stdout;
  expect(rights('--read-only', '--project', 'shop')).toBe('Dorothea may read 1 project from now on.\n');
  await sync(dora);
  expect(status(dora)).toContain('you may only read');
  expect(rights()).toBe('Dorothea may read and write all projects from now on.\n');
  await sync(dora);
  expect(status(dora)).not.toContain('you may only read');
  const unknown = anna.cairn(['team', 'rights', 'Nobody', '--url', '-'], url);
  expect(unknown).toMatchObject({ exitCode: 1, stderr: 'cairn: No member has the name Nobody.\n' });
  const outside = makeTeamMachine(REMOTE).cairn(['team', 'rights', 'Dorothea', '--url', '-'], url);
  expect(outside.stderr).toContain('only its machines know the names');
});

test('a container joins by CAIRN_TEAM, reads and shares', async () => {
  const env = { CAIRN_TEAM: inviteTo('Pipelinius', '--lasting') };
  const container = makeTeamMachine(REMOTE);
  container.ok(['team', 'sync'], '', env);
  expect(container.ok(['search', 'how are prices stored'], '', env).stdout).toContain('in cents');
  container.ok(['remember', 'The pipeline needs node 20'], '', env);
  container.ok(['team', 'sync'], '', env);
  expect(readdirSync(join(container.home, '.cairn'))).not.toContain('team-login.json');
  await sync(anna);
  const found = anna.ok(['search', 'pipeline needs node']).stdout;
  expect(found).toContain('The pipeline needs node 20');
  expect(found).toContain('from Pipelinius');
});

test('a new machine reads everything with the recovery code, and cannot join with a wrong one', async () => {
  const machine = makeTeamMachine(REMOTE);
  const file = join(machine.home, 'code');
  writeFileSync(file, recoveryCode.slice(0, -1));
  const recover = ['team', 'recover', '-', '--code', file, '--machine', 'new'];
  expect(machine.cairn(recover, url)).toMatchObject({ exitCode: 1 });
  writeFileSync(file, recoveryCode.toLowerCase());
  expect(machine.ok(recover, url).stdout).toContain('Joined as Annabel');
  expect(machine.ok(['team', 'sync', '--json']).stdout).toContain('"problem": null');
  expect(await knows(machine, 'Prices are stored in cents, never in walnut shells')).toBe(true);
});

test('the server and its log have no byte of a text or a name', async () => {
  await postgres.ask(NAME, 'CHECKPOINT');
  const contents = readdirSync(postgres.dataFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  contents.push(Buffer.from(postgres.log()));
  const found = NEVER_SENT.filter((words) => contents.some((content) => content.includes(words)));
  expect(found).toEqual([]);
  // Proves that the search works.
  const role = anna.login().user;
  expect(contents.some((content) => content.includes(role))).toBe(true);
});
