import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openPlainStore } from '../../test/support/plain-store.ts';
import { randomFrom } from '../../test/support/random.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { readEnvironment } from '../config/environment.ts';
import { loadSettings } from '../config/settings.ts';
import type { Log } from '../platform/log.ts';
import { pathsOf } from '../platform/paths.ts';
import type { Store } from '../store/store.ts';
import { saveLogin } from '../team/sync/login.ts';
import { createTeamWork, type TeamWork } from './team.ts';

const MACHINES = 20;
/** The longest pause between two attempts after a first failure. */
const LONGEST_PAUSE_S = 40;
const NINE = Date.UTC(2026, 5, 1, 9);
const SILENT: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

interface Machine {
  store: Store;
  work: TeamWork;
}

/** Creates a home in a team whose server is at this port. */
async function makeMachine(port: number, now: () => number, random: () => number): Promise<Machine> {
  const paths = pathsOf(tempFolder());
  const env = readEnvironment({ HOME: paths.home });
  const { settings } = loadSettings(paths.config, env);
  const store = openPlainStore(paths.database);
  const team = '5f0c3c1e-0000-4000-8000-000000000000';
  store.saveTeam({
    ...{ team, member: 'Ada', machine: 'laptop', epoch: '', server: 'db', isEncrypted: false },
    ...{ joinedAt: now(), hlc: '0', clockOffset: 0, syncedAt: null, problem: null },
  });
  const login = { host: '127.0.0.1', port, database: 'team', user: 'cairn_1', password: 'x', ca: null, team };
  await saveLogin({ paths, settings, env }, login);
  const work = createTeamWork({ paths, settings, env, log: SILENT, now, random });
  onTestFinished(async () => {
    await work.close();
    store.close();
  });
  return { store: store as unknown as Store, work };
}

async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

test('machines that lost their server at the same time reconnect at different times', async () => {
  const clock = { at: NINE };
  const random = randomFrom(4_711);
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  const machines: Machine[] = [];
  for (let at = 0; at < MACHINES; at++) machines.push(await makeMachine(port, () => clock.at, random.next));
  const tryAll = async () => {
    for (const { store, work } of machines) work.start(store, { didWork: true });
    while (machines.some(isSyncing)) await pause(5);
  };
  await tryAll();
  expect(machines.map(({ store }) => store.getTeam()?.problem?.reason)).toEqual(
    machines.map(() => 'network'),
  );

  // The server accepts connections again, but closes them at once.
  let connections = 0;
  server.on('connection', (socket) => {
    connections++;
    socket.destroy();
  });
  await listen(server, port);
  onTestFinished(() => void server.close());
  const perSecond: number[] = [];
  for (let second = 1; second <= LONGEST_PAUSE_S; second++) {
    clock.at = NINE + second * 1_000;
    const before = connections;
    await tryAll();
    perSecond.push(connections - before);
  }
  expect(connections).toBe(MACHINES);
  // Without jitter, all of them would connect in the same second.
  expect(Math.max(...perSecond)).toBeLessThanOrEqual(MACHINES / 4);
  expect(perSecond.findIndex((count) => count > 0)).toBeGreaterThanOrEqual(10);
});

/** Without changes to send, `nextAt` is set only during a sync. */
function isSyncing({ store, work }: Machine): boolean {
  return work.nextAt(store) !== null;
}
