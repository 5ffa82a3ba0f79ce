import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type DeviceKey,
  deriveDeviceKey,
  makeDeviceKey,
  makeInvitationSecret,
} from '../../src/team/crypto/device-key.ts';
import { openPayload, sealPayload } from '../../src/team/crypto/envelope.ts';
import { ensureKey, type Keyring, refreshKeyring } from '../../src/team/crypto/keyring.ts';
import { hideProjectKey, openLabel, sealLabel } from '../../src/team/crypto/project-names.ts';
import { makeRecoveryCode, readRecoveryCode } from '../../src/team/crypto/recovery-code.ts';
import { resealKeys } from '../../src/team/crypto/reseal.ts';
import { makeCheckValue, makeKey } from '../../src/team/crypto/sealed-key.ts';
import type { FeedChange } from '../../src/team/feed.ts';
import type { TeamCredentials } from '../../src/team/server/address.ts';
import { revokeMachine, revokeMember } from '../../src/team/server/admin.ts';
import { type AdminAccess, createTeam } from '../../src/team/server/create.ts';
import { openFeed } from '../../src/team/server/feed.ts';
import { invite } from '../../src/team/server/invite.ts';
import { join } from '../../src/team/server/join.ts';
import { recoverKeys, withKeys } from '../../src/team/server/keys.ts';
import { listMachines } from '../../src/team/server/people.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { makeChange, makeHlc, pushAll } from '../support/team.ts';

interface Machine {
  credentials: TeamCredentials;
  device: DeviceKey;
}

const REMOTE = 'github.com/acme/very-secret-shop';
const LABEL = 'acme very secret shop';
const TEXT = 'the vault opens with the word marmalade';

let postgres: Postgres;
let access: AdminAccess;
let ada: Machine;
const recovery = makeRecoveryCode();
beforeAll(async () => {
  postgres = await startPostgres({ settings: { log_parameter_max_length: '-1' } });
  access = { url: postgres.adminUrl('sealed'), ca: null };
  const device = makeDeviceKey();
  const keys = { machine: device.publicKey, recovery: deriveDeviceKey(recovery.secret).publicKey };
  const { credentials } = await createTeam(access, {
    ...{ label: 'Sealed', isEncrypted: true, member: 'Ada', machine: 'laptop', keys, save: () => {} },
  });
  ada = { credentials, device };
  await withKeys(credentials, (server) => ensureKey(server, device, credentials.team));
});
afterAll(() => postgres?.stop());

function ringOf({ credentials, device }: Machine): Promise<Keyring> {
  return withKeys(credentials, (server) => refreshKeyring(server, device, credentials.team));
}

/** Seals the keys for the invitation too, unless the administrator's machine does it later. */
async function joinTeam(name: string, projects: string[] | null, isSealedAtOnce = true): Promise<Machine> {
  const secret = makeInvitationSecret();
  const key = { publicKey: deriveDeviceKey(secret).publicKey, secret };
  const link = await invite(access, { name, isReadOnly: false, projects, key });
  if (isSealedAtOnce) await ringOf(ada);
  const device = makeDeviceKey();
  const credentials = await join(link, {
    machine: `${name}'s machine`,
    key: {
      publicKey: device.publicKey,
      reseal: (keys, invitation) => resealKeys(keys, invitation, device, ada.credentials.team),
    },
    save: () => {},
  });
  return { credentials, device };
}

async function shareProject(remote: string): Promise<{ project: number; key: string }> {
  const { team } = ada.credentials;
  const teamKey = (await ringOf(ada)).teamKey ?? new Uint8Array();
  const key = hideProjectKey(teamKey, remote);
  const feed = openFeed(ada.credentials);
  try {
    const { id } = await feed.openProject(key, sealLabel(LABEL, teamKey, team, key));
    await withKeys(ada.credentials, (server) => ensureKey(server, ada.device, team, id));
    return { project: id, key };
  } finally {
    await feed.close();
  }
}

async function write(machine: Machine, project: number, projectKey: string, text: string): Promise<void> {
  const newest = (await ringOf(machine)).newest(project);
  if (!newest) throw new Error('no key to seal with');
  const place = { item: randomUUID(), aspect: 'text' as const, hlc: makeHlc(), origin: randomUUID(), n: 1 };
  const bound = { ...place, team: machine.credentials.team, projectKey };
  const payload = sealPayload(Buffer.from(text), newest.key, newest.keyEpoch, bound);
  const { origin, ...fields } = place;
  const feed = openFeed(machine.credentials);
  try {
    await pushAll(feed, project, origin, [makeChange(1, { ...fields, payload, keyEpoch: newest.keyEpoch })]);
  } finally {
    await feed.close();
  }
}

/** What a machine can read of a project: texts, or why not. */
async function read(machine: Machine, project: number, projectKey: string): Promise<string[]> {
  const ring = await ringOf(machine);
  const feed = openFeed(machine.credentials);
  try {
    const result = await feed.pull(project, { seq: '0', chain: null }, 100);
    if (result.outcome !== 'changes') throw new Error(result.outcome);
    return result.changes.map((change: FeedChange) => {
      const bound = { ...change, team: machine.credentials.team, projectKey };
      const find = (epoch: number) => ring.find(project, epoch);
      const opened = openPayload(change.payload ?? new Uint8Array(), find, bound);
      return opened.outcome === 'opened' ? Buffer.from(opened.plain).toString() : opened.outcome;
    });
  } finally {
    await feed.close();
  }
}

test('members read what others wrote, and the server has only ids, sizes and times', async () => {
  const { project, key } = await shareProject(REMOTE);
  await write(ada, project, key, TEXT);
  const bo = await joinTeam('Bo', null);
  expect(await read(bo, project, key)).toEqual([TEXT]);
  await write(bo, project, key, 'and from Bo');
  expect(await read(ada, project, key)).toEqual([TEXT, 'and from Bo']);
  const ring = await ringOf(bo);
  expect(hideProjectKey(ring.teamKey ?? new Uint8Array(), REMOTE)).toBe(key);
  const feed = openFeed(bo.credentials);
  const heads = await feed.listHeads();
  await feed.close();
  expect(heads.isEncrypted).toBe(true);
  expect(
    openLabel(
      heads.projects[0]?.label ?? new Uint8Array(),
      ring.teamKey ?? new Uint8Array(),
      heads.team,
      key,
    ),
  ).toBe(LABEL);

  await postgres.ask('sealed', 'CHECKPOINT');
  const files = readdirSync(postgres.dataFolder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const contents = files.map((entry) => readFileSync(joinPath(entry.parentPath, entry.name)));
  const secrets = [TEXT, 'marmalade', REMOTE, 'very-secret-shop', LABEL];
  const holders = secrets.filter((secret) =>
    [...contents, Buffer.from(postgres.log())].some((content) => content.includes(secret)),
  );
  expect(holders).toEqual([]);
});

test('a machine without a key waits for one: another machine seals it at its next sync', async () => {
  const { project, key } = await shareProject('github.com/acme/late');
  await write(ada, project, key, 'written before');
  const late = await joinTeam('Late', null, false);
  expect(await read(late, project, key)).toEqual(['no-key']);
  expect((await ringOf(late)).missing).toBeGreaterThan(0);
  await ringOf(ada);
  expect(await read(late, project, key)).toEqual(['written before']);
  expect((await ringOf(late)).missing).toBe(0);
});

test('a member of some projects gets the keys of those', async () => {
  const [open, closed] = [
    await shareProject('github.com/acme/open'),
    await shareProject('github.com/acme/closed'),
  ];
  const some = await joinTeam('Some', [open.key]);
  await ringOf(ada);
  const ring = await ringOf(some);
  expect(ring.find(open.project, 1)).toBeDefined();
  expect(ring.find(closed.project, 1)).toBeUndefined();
  await expect(
    withKeys(some.credentials, (server) => server.listReaders(closed.project)),
  ).rejects.toMatchObject({
    reason: 'forbidden',
  });
});

test('after a revoke the next machine to sync makes a new key, which the revoked one never gets', async () => {
  const { project, key } = await shareProject('github.com/acme/rotated');
  const [stays, goes] = [await joinTeam('Stays', null), await joinTeam('Goes', null)];
  const old = await ringOf(goes);
  await write(ada, project, key, 'before');
  await revokeMember(access, 'Goes');
  const rings = await Promise.all([ringOf(stays), ringOf(ada)]);
  expect(rings.map((ring) => ring.newest(project)?.keyEpoch)).toEqual([2, 2]);
  expect(rings[0]?.newest(project)).toEqual(rings[1]?.newest(project));
  await write(stays, project, key, 'after');
  expect(await read(ada, project, key)).toEqual(['before', 'after']);
  expect(old.find(project, 2)).toBeUndefined();
  const boxes = await postgres.ask('sealed', 'SELECT FROM cairn.keybox WHERE device = $1 AND key_epoch > 1', [
    goes.credentials.user,
  ]);
  expect(boxes).toEqual([]);
});

test('a wrong key from another machine is rejected and replaced, and an epoch keeps its first key', async () => {
  const { project, key } = await shareProject('github.com/acme/poisoned');
  await write(ada, project, key, 'readable');
  const rogue = await joinTeam('Rogue', null);
  const victim = await joinTeam('Victim', null, false);
  const { team } = ada.credentials;
  await withKeys(rogue.credentials, async (server) => {
    const own = (await server.listOwn()).find((entry) => entry.project === project);
    if (!own) throw new Error('no key');
    const box = { role: victim.credentials.user, sealed: new Uint8Array(81) };
    expect(await server.put({ project, keyEpoch: 1, checkValue: own.checkValue }, [box])).toBe(true);
    const place = { team, project, keyEpoch: 1 };
    expect(await server.put({ ...place, checkValue: makeCheckValue(makeKey(), place) }, [box])).toBe(false);
    const teamPlace = { team, project: 0, keyEpoch: 2 };
    expect(await server.put({ ...teamPlace, checkValue: makeCheckValue(makeKey(), teamPlace) }, [])).toBe(
      false,
    );
  });
  expect(await read(victim, project, key)).toEqual(['no-key']);
  await ringOf(ada);
  expect(await read(victim, project, key)).toEqual(['readable']);
});

test('two machines that make the first key at once end up with the same', async () => {
  const other = await joinTeam('Other', null);
  const feed = openFeed(ada.credentials);
  const { id } = await feed.openProject(randomUUID(), Buffer.from(''));
  await feed.close();
  const { team } = ada.credentials;
  const rings = await Promise.all(
    [ada, other].map(({ credentials, device }) =>
      withKeys(credentials, (server) => ensureKey(server, device, team, id)),
    ),
  );
  await Promise.all([ringOf(ada), ringOf(other)]);
  const found = await Promise.all([ada, other].map(async (machine) => (await ringOf(machine)).find(id, 1)));
  expect(found[0]).toBeDefined();
  expect(found[1]).toEqual(found[0]);
  expect(rings).toHaveLength(2);
});

test('a lost machine is replaced with the recovery code', async () => {
  const { project, key } = await shareProject('github.com/acme/recovered');
  await write(ada, project, key, 'not lost');
  const replacement = await joinTeam('Ada', null, false);
  expect((await ringOf(replacement)).teamKey).toBeUndefined();
  const secret = readRecoveryCode(recovery.text) ?? new Uint8Array();
  const { team } = ada.credentials;
  const recovered = await recoverKeys(replacement.credentials, (keys) =>
    resealKeys(keys, secret, replacement.device, team),
  );
  expect(recovered).toBeGreaterThan(1);
  expect(await read(replacement, project, key)).toEqual(['not lost']);
  expect((await listMachines(ada.credentials)).filter(({ label }) => label === 'recovery code')).toEqual([]);

  const stranger = await joinTeam('Stranger', null, false);
  expect(
    await recoverKeys(stranger.credentials, (keys) => resealKeys(keys, secret, stranger.device, team)),
  ).toBe(0);
  await revokeMachine(access, ada.credentials.user);
  expect((await ringOf(replacement)).newest(project)?.keyEpoch).toBe(2);
});
