import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { runCairn } from '../support/run-cairn.ts';
import { makeTeamMachine, type TeamMachine } from '../support/team-machine.ts';
import { until } from '../support/until.ts';

/**
 * Anna's laptop with a team, and Ben, who has joined. Processes take most of the time, therefore tests share a team.
 */
interface Team {
  url: string;
  database: string;
  homes: { anna: string; ben: string };
}

let postgres: Postgres;
let team: Team;
let databases = 0;
let projects = 0;
const folders: string[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  team = makeTeam(postgres);
});

afterAll(async () => {
  await postgres?.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const REMOTE = 'https://anna:token-of-anna@git.example.com/team/shop.git';

const makeMachine = (remote = REMOTE) => makeTeamMachine(remote);

function newUrl(server = postgres): string {
  databases++;
  return server.adminUrl(`commands_${databases}`);
}

function makeTeam(server: Postgres): Team {
  const url = newUrl(server);
  const [anna, ben] = ['anna', 'ben'].map(() => mkdtempSync(join(tmpdir(), 'cairn-test-'))) as [
    string,
    string,
  ];
  folders.push(anna, ben);
  const run = (home: string, stdin: string, ...args: string[]) => {
    const done = runCairn({ home, stdin }, ...args);
    expect(done, args.join(' ')).toMatchObject({ exitCode: 0 });
    return done.stdout;
  };
  run(anna, url, 'team', 'create', '-', '--name', 'Anna', '--machine', 'laptop');
  const link = run(anna, url, 'team', 'invite', 'Ben', '--url', '-');
  run(ben, link, 'team', 'join', '-', '--machine', 'desk');
  return { url, database: `commands_${databases}`, homes: { anna, ben } };
}

/** Shares another project of the team, of which both have a checkout. `before`: what they remember before that. */
function shareProject(
  { url, homes }: Team = team,
  before: { anna?: string; ben?: string } = {},
): { name: string; url: string; anna: TeamMachine; ben: TeamMachine } {
  const name = `shop-${++projects}`;
  const anna = makeTeamMachine(REMOTE.replace('shop', name), homes.anna, name);
  const ben = makeTeamMachine(`git@git.example.com:team/${name}.git`, homes.ben, name);
  if (before.anna) anna.ok(['remember', before.anna]);
  if (before.ben) ben.ok(['remember', before.ben]);
  anna.ok(['team', 'share', '--yes']);
  return { name, url, anna, ben };
}

test('a note of one member is found by the other, with its author', () => {
  const { anna, ben } = shareProject(team, { anna: 'An old note from before the team' });
  anna.ok(['remember', 'Prices are stored in cents, never in euros']);
  anna.ok(['team', 'sync']);
  expect(ben.ok(['team', 'sync']).stdout).toBe('Received 1 change, sent 0 changes.\n');
  expect(ben.ok(['team', 'status']).stdout).toContain('to send    0 changes');
  const found = ben.ok(['search', 'how are prices stored']).stdout;
  expect(found).toContain('Prices are stored in cents');
  expect(found).toContain('from Anna');
  expect(ben.ok(['search', 'old note from before']).stdout).not.toContain('An old note');
});

test('the past is shared only on request, after a count', () => {
  const { anna, ben } = shareProject(team, { anna: 'An old note from before the team' });
  const asked = anna.cairn(['team', 'share', '--past']);
  expect(asked.exitCode).toBe(1);
  expect(asked.stderr).toContain('with 1 memory and 0 work items from before');
  expect(asked.stderr).toContain('An old note from before the team');
  const id = /#(\d+)/.exec(anna.ok(['search', 'old note from before']).stdout)?.[1] ?? '';
  expect(anna.cairn(['team', 'share', id])).toMatchObject({ exitCode: 1 });
  expect(anna.ok(['team', 'share', id, '--yes']).stdout).toContain(`#${id} is shared.`);
  ben.ok(['team', 'sync']);
  expect(ben.ok(['search', 'old note from before']).stdout).toContain('An old note from before the team');
  const theirs = /#(\d+)/.exec(ben.ok(['search', 'old note from before']).stdout)?.[1] ?? '';
  expect(ben.cairn(['team', 'unshare', theirs, '--yes']).stderr).toContain(`#${theirs} is from Anna`);
  anna.ok(['team', 'unshare', `#${id}`, '--yes']);
  ben.ok(['team', 'sync']);
  expect(ben.ok(['search', 'old note from before']).stdout).not.toContain('An old note from before the team');
  expect(anna.cairn(['team', 'share', '999']).stderr).toContain('There is no memory 999');
  anna.ok(['team', 'share', id, '--yes']);
  anna.ok(['team', 'share', '--past', '--yes']);
  ben.ok(['team', 'sync']);
  expect(ben.ok(['search', 'old note from before']).stdout).toContain('An old note from before the team');
});

test('a memory that one member forgets disappears everywhere, and status lists who has not confirmed', () => {
  const { anna, ben } = shareProject();
  anna.ok(['remember', 'The zebra has seventeen stripes on its left side']);
  anna.ok(['team', 'sync']);
  ben.ok(['team', 'sync']);
  const id = /#(\d+)/.exec(anna.ok(['search', 'zebra stripes']).stdout)?.[1] ?? '';
  anna.ok(['forget', id, '--yes']);
  anna.ok(['team', 'sync']);
  expect(anna.ok(['team', 'status']).stdout).toContain('not confirmed  1 deletion by Ben (desk)');
  ben.ok(['team', 'sync']);
  expect(ben.ok(['search', 'zebra stripes']).stdout).not.toContain('seventeen');
  expect(bytesBelow(join(ben.home, '.cairn'))).not.toContain('seventeen stripes');
  expect(anna.ok(['team', 'status']).stdout).not.toContain('not confirmed');
});

test('unshare removes a project from the team and keeps its memories here', () => {
  const { anna, ben } = shareProject();
  anna.ok(['remember', 'The invoice number starts at 9000']);
  anna.ok(['team', 'sync']);
  ben.ok(['team', 'sync']);
  anna.ok(['team', 'unshare', '--yes']);
  ben.ok(['team', 'sync']);
  expect(ben.ok(['search', 'invoice number']).stdout).not.toContain('9000');
  expect(anna.ok(['search', 'invoice number']).stdout).toContain('9000');
});

test('secrets are never arguments, and only the owner can read the login', () => {
  const { url, homes } = team;
  const fresh = makeMachine();
  for (const args of [
    ['team', 'create', url],
    ['team', 'join', 'cairn-team-abc'],
  ]) {
    const run = fresh.cairn(args);
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('must not be an argument');
  }
  expect(fresh.cairn(['team', 'join']).stderr).toContain('Missing link');
  const login = join(homes.anna, '.cairn/team-login.json');
  expect(statSync(login).mode & 0o777).toBe(0o600);
  const file = join(fresh.home, 'url');
  writeFileSync(file, newUrl());
  fresh.ok(['team', 'create', file, '--name', 'Carla']);
});

test('a keychain command stores the login instead of a file', () => {
  const machine = makeMachine();
  const helper = join(machine.home, 'keychain');
  writeFileSync(
    helper,
    '#!/bin/sh\ncase $1 in store) cat >"$HOME/kept";; get) cat "$HOME/kept";; erase) rm "$HOME/kept";; esac\n',
    {
      mode: 0o755,
    },
  );
  machine.ok(['config', 'set', 'team.keychain', helper]);
  machine.ok(['team', 'create', '-', '--name', 'Dora'], newUrl());
  expect(readdirSync(join(machine.home, '.cairn'))).not.toContain('team-login.json');
  machine.ok(['team', 'sync']);
  machine.ok(['team', 'leave', '--yes']);
  expect(readdirSync(machine.home)).not.toContain('kept');
});

test('nothing private is on the server', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const { anna, ben } = shareProject(makeTeam(server), {
    anna: 'An old note from before the team',
    ben: 'Ben was here before',
  });
  anna.ok(['remember', '--global', 'My own global secret preference about walruses']);
  anna.ok(['remember', `The build writes to ${anna.repository}/dist and to /home/anna/private-folder/out`]);
  anna.ok(['remember', 'The deploy key is ghp_0123456789abcdefghijABCDEFGHIJ012345 for now']);
  anna.ok(['team', 'sync']);
  ben.ok(['team', 'sync']);
  await server.ask('postgres', 'CHECKPOINT');
  const bytes = bytesBelow(server.dataFolder);
  expect(bytes).toContain('The build writes to dist');
  for (const never of [
    'walruses',
    'private-folder',
    'ghp_0123456789',
    'An old note from before',
    'token-of-anna',
    anna.home,
    'Ben was here before',
  ])
    expect(bytes.includes(never), never).toBe(false);
});

test('a container joins by CAIRN_TEAM without a login file, shares and pushes', () => {
  const { name, url, anna } = shareProject();
  anna.ok(['remember', 'The database port is 6543']);
  anna.ok(['team', 'sync']);
  const link = anna.ok(['team', 'invite', 'pipeline', '--lasting', '--url', '-'], url).stdout.trim();
  for (const run of ['first', 'second']) {
    const container = makeMachine(`ssh://git@git.example.com:22/team/${name}.git`);
    const env = { CAIRN_TEAM: link };
    container.ok(['recent'], '', env);
    container.ok(['remember', `Start of the ${run} run`], '', env);
    container.ok(['team', 'sync'], '', env);
    expect(container.ok(['search', 'database port'], '', env).stdout).toContain('6543');
    container.ok(['remember', `The ${run} pipeline run needs node 20`], '', env);
    container.ok(['team', 'sync'], '', env);
    expect(readdirSync(join(container.home, '.cairn'))).not.toContain('team-login.json');
    if (run === 'second')
      expect(container.ok(['team', 'leave', '--yes'], '', env).stderr).toContain('CAIRN_TEAM is still set');
  }
  anna.ok(['team', 'sync']);
  for (const run of ['first', 'second'])
    expect(anna.ok(['search', `${run} pipeline run needs node`]).stdout).toContain(`The ${run} pipeline run`);
});

test('an invalid CAIRN_TEAM is reported, and local commands work', () => {
  const container = makeMachine();
  const env = { CAIRN_TEAM: 'cairn-team-cut' };
  expect(container.cairn(['team', 'sync'], '', env)).toMatchObject({
    exitCode: 1,
    stderr: 'cairn: CAIRN_TEAM: Not an invitation link, or a part of it is missing. Copy the whole link.\n',
  });
  container.ok(['remember', 'Local all the same'], '', env);
});

test('a handoff to a colleague is claimed by one machine and shown there', () => {
  const { name, url, anna, ben } = shareProject();
  const other = makeMachine(`git@git.example.com:team/${name}.git`);
  other.ok(['remember', 'Another machine of Ben']);
  other.ok(
    ['team', 'join', '-', '--machine', 'sofa'],
    anna.ok(['team', 'invite', 'Ben', '--url', '-'], url).stdout,
  );
  anna.ok(['work', 'new', 'Rewrite the checkout form']);
  expect(anna.cairn(['handoff', 'save', '--to', 'Zoe', 'x']).stderr).toContain('Members: Ben');
  anna.ok(['handoff', 'save', '--to', 'ben', 'The form is done, the mail is not.']);
  ben.ok(['team', 'sync']);
  other.ok(['team', 'sync']);
  const states = [ben, other].map((machine) =>
    JSON.parse(machine.ok(['handoff', 'list', '--json']).stdout).map(({ state }: { state: string }) => state),
  );
  expect(states).toEqual([['staged'], ['sent']]);
  const shown = ben.ok(['context']).stdout;
  expect(shown).toContain('from Anna, to you');
  expect(shown).toContain('The form is done, the mail is not.');
  expect(other.ok(['context']).stdout).not.toContain('The form is done');
  ben.ok(['handoff', 'resume']);
  for (const machine of [ben, anna, other]) machine.ok(['team', 'sync']);
  for (const machine of [anna, other])
    expect(JSON.parse(machine.ok(['handoff', 'list', '--json']).stdout)).toMatchObject([{ state: 'taken' }]);
});

test('workers sync by themselves', async () => {
  const { anna, ben } = shareProject(team, { ben: 'Ben was here before' });
  const env = { CAIRN_NO_WORKER: '' };
  onTestFinished(() => {
    for (const machine of [anna, ben]) machine.cairn(['worker', 'stop']);
  });
  anna.ok(['remember', 'The worker carries this one over'], '', env);
  await until('the note is sent', () =>
    JSON.parse(anna.ok(['team', 'status', '--json']).stdout).pending === 0 ? true : undefined,
  );
  ben.ok(['worker', 'start'], '', env);
  await until('the note is there', () =>
    ben.ok(['search', 'worker carries']).stdout.includes('The worker carries this one over')
      ? true
      : undefined,
  );
});

test('members, machines, rotate, repair and scrub', () => {
  const { url, anna, ben } = shareProject();
  expect(anna.ok(['team', 'members']).stdout).toMatch(/Anna {2}you[\s\S]*Ben/);
  expect(anna.ok(['team', 'machines']).stdout).toMatch(/laptop[\s\S]*desk/);
  const before = readFileSync(join(ben.home, '.cairn/team-login.json'), 'utf8');
  ben.ok(['team', 'rotate']);
  expect(readFileSync(join(ben.home, '.cairn/team-login.json'), 'utf8')).not.toBe(before);
  anna.ok(['remember', 'Still the same after a repair']);
  anna.ok(['team', 'repair']);
  ben.ok(['team', 'repair']);
  expect(ben.ok(['search', 'same after a repair']).stdout).toContain('Still the same after a repair');
  anna.ok(['team', 'scrub', '--yes', '--url', '-'], url);
  ben.ok(['team', 'sync']);
});

test('without the server, local commands work and status shows what is pending', async () => {
  const { anna } = shareProject();
  await postgres.kill();
  try {
    anna.ok(['remember', 'Made while the server was gone']);
    expect(anna.ok(['search', 'server was gone']).stdout).toContain('Made while the server was gone');
    const sync = anna.cairn(['team', 'sync']);
    expect(sync.exitCode).toBe(1);
    expect(sync.stderr).toContain('Nothing is lost');
    expect(anna.cairn(['team', 'status']).stdout).toContain('to send    1 change');
  } finally {
    await postgres.start();
  }
  expect(anna.ok(['team', 'sync']).stdout).toContain('sent 1 change');
});

describe('access', () => {
  test('rights of a member can be changed', () => {
    const { name, url, anna, ben } = shareProject();
    ben.ok(['team', 'share', '--yes']);
    ben.ok(['team', 'sync']);
    const change = (...args: string[]) =>
      anna.ok(['team', 'rights', 'Ben', '--url', '-', ...args], url).stdout;
    expect(change('--read-only')).toBe('Ben may read all projects from now on.\n');
    const refused = ben.cairn(['team', 'share', '--yes']);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain(`You may not share ${name} in this team. Nothing was changed.`);
    ben.ok(['remember', 'Ben may not tell anybody']);
    ben.ok(['team', 'sync']);
    anna.ok(['remember', 'Ben may still read this']);
    anna.ok(['team', 'sync']);
    expect(ben.ok(['team', 'sync']).stdout).toBe('Received 1 change, sent 0 changes.\n');
    expect(change('--project', name)).toBe('Ben may read and write 1 project from now on.\n');
    // What was written in the meantime is sent, too.
    expect(ben.ok(['team', 'sync']).stdout).toBe('Received 0 changes, sent 1 change.\n');
    expect(change()).toBe('Ben may read and write all projects from now on.\n');
    const unknown = anna.cairn(['team', 'rights', 'Carla', '--url', '-'], url);
    expect(unknown).toMatchObject({ exitCode: 1, stderr: 'cairn: No member has the name Carla.\n' });
  });

  test('an older schema gives an error that names the command to update it', async () => {
    const { url, anna, ben } = shareProject();
    const { database } = team;
    expect(anna.ok(['team', 'upgrade', '--url', '-'], url).stdout).toBe(
      "The team's database is up to date.\n",
    );
    await postgres.ask(database, 'UPDATE cairn.meta SET schema_version = schema_version - 1');
    expect(ben.cairn(['team', 'sync'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('An administrator updates it: cairn team upgrade'),
    });
    await postgres.ask(database, 'UPDATE cairn.meta SET schema_version = schema_version + 1');
  });

  // Must be the last test with this team.
  test('a revoked member gets an error, and can remove what others shared', () => {
    const { url, anna, ben } = shareProject(team, { ben: 'Ben was here before' });
    anna.ok(['remember', 'Anna knows the answer: forty-two']);
    anna.ok(['team', 'sync']);
    ben.ok(['team', 'sync']);
    expect(anna.ok(['team', 'revoke', 'Ben', '--yes', '--url', '-'], url).stdout).toContain('stays there');
    const refused = ben.cairn(['team', 'sync']);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('team leave --with-memories');
    expect(ben.ok(['search', 'the answer']).stdout).toContain('forty-two');
    expect(ben.cairn(['status']).stdout).toContain('team');
    ben.ok(['team', 'leave', '--with-memories', '--yes']);
    expect(ben.ok(['search', 'the answer']).stdout).not.toContain('forty-two');
    expect(ben.ok(['search', 'Ben was here']).stdout).toContain('Ben was here before');
  });
});

/** All files below a folder, as one text. */
function bytesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}
