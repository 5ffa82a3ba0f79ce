import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Aspect, TeamFeed } from '../src/team/feed.ts';
import { digestChange } from '../src/team/sync/digest.ts';
import { nextStamp } from '../src/team/sync/hybrid-clock.ts';
import { newTeamProject } from '../src/team/sync/link-projects.ts';
import { createMemoryServer, type MemoryServer } from './support/memory-feed.ts';
import { describeHome, findByTitle, makeTeamHome, SHOP, type TeamHome } from './support/team-home.ts';

/** Mallory is a team member with a client that she wrote. Her changes to one project must not harm others. */

const OTHER = 'git.example.com/team/other';

let server: MemoryServer;
let anna: TeamHome;
let mallory: TeamFeed;
/** Origin, next number and clock of the changes that Mallory forges. */
let origin: string;
let n: number;
let stamp: string;

beforeEach(async () => {
  server = createMemoryServer();
  anna = await makeTeamHome(server.connect('Anna', 'laptop'), 'Anna', 'laptop');
  mallory = server.connect('Mallory', 'lair');
  [origin, n, stamp] = [randomUUID(), 1, '0'];
  anna.note('Before');
  await anna.synced();
});

interface Forged {
  key?: string;
  item?: string;
  aspect?: Aspect;
  payload: unknown;
}

/** Pushes any payload, with a valid digest and clock. */
async function forge({ key = SHOP, item = randomUUID(), aspect = 'text', payload }: Forged): Promise<string> {
  const { id } = await mallory.openProject(key, Buffer.from(key));
  stamp = nextStamp(stamp, Date.now() + 60_000);
  const bytes =
    payload === null || payload instanceof Uint8Array ? payload : Buffer.from(JSON.stringify(payload));
  const change = { origin, n: n++, item, aspect, hlc: stamp, payload: bytes, keyEpoch: 0 };
  const { origin: _, ...sent } = change;
  const result = await mallory.push({
    project: id,
    origin,
    changes: [{ ...sent, digest: digestChange(key, change), tokens: [1] }],
  });
  expect(result).toMatchObject({ outcome: 'stored', refused: [] });
  return item;
}

const memory = (values: object = {}) => ({
  v: 1,
  salt: 'salt',
  what: 'memory',
  value: {
    ...{ what: 'memory', kind: 'note', type: null, title: 'Forged', subtitle: '', narrative: '', facts: [] },
    ...{ concepts: [], aliases: [], parts: null, branch: null, commit: null, distiller: 'hand' },
    ...{ saidBy: 'person', at: Date.now(), editedAt: null, files: [], ...values },
  },
});

const workItem = (values: object = {}) => ({
  v: 1,
  what: 'work-item',
  value: {
    ...{ what: 'work-item', name: 'forged', title: 'Forged', branch: null, nextSteps: '', nextStepsAt: 1 },
    ...{ openedAt: 1, ...values },
  },
});

const task = (work: string, values: object = {}) => ({
  v: 1,
  what: 'task',
  value: {
    what: 'task',
    work,
    number: 1,
    subject: 'Forged',
    description: '',
    source: 'person',
    createdAt: 1,
    ...values,
  },
});

describe('a malformed payload is set aside, and the changes after it are applied', () => {
  const nested = (depth: number) => Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  test.each<[string, Omit<Forged, 'key'>]>([
    ['not JSON', { payload: Buffer.from('not json') }],
    ['invalid UTF-8', { payload: Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28]) }],
    ['an empty payload', { payload: new Uint8Array() }],
    ['deeply nested lists', { payload: nested(120_000) }],
    [
      'deeply nested text',
      { payload: Buffer.from(JSON.stringify(memory()).replace('"facts":[]', `"facts":${nested(100_000)}`)) },
    ],
    ['a title that is a number', { payload: memory({ title: 7 }) }],
    ['a time out of range', { payload: memory({ at: 1e300 }) }],
    ['a negative time', { payload: memory({ at: -1 }) }],
    ['an edit time out of range', { payload: memory({ editedAt: 9e15 }) }],
    ['a pin time out of range', { aspect: 'pin', payload: { v: 1, what: 'memory', value: -1e18 } }],
    [
      'an item named __proto__',
      { payload: Buffer.from('{"v":1,"what":"__proto__","value":{"what":"__proto__"}}') },
    ],
    ['a task without its work item', { payload: task(randomUUID()) }],
  ])('%s', async (_, forged) => {
    await forge(forged);
    await forge({ payload: memory({ title: 'After' }) });
    const result = await anna.synced();
    expect(result).toMatchObject({ aside: 1, problem: null });
    expect(findByTitle(anna, 'After')?.title).toBe('After');
  });

  test('a task number that leaves no room for the next one', async () => {
    const work = await forge({ payload: workItem() });
    await forge({ payload: task(work, { number: Number.MAX_SAFE_INTEGER }) });
    await forge({ payload: task(work, { number: 1 }) });
    await forge({ payload: task(work, { number: 1 }) });
    expect(await anna.synced()).toMatchObject({ aside: 1 });
    const { rowId } = anna.store.getTeamItem(work) ?? {};
    expect(anna.store.listTasks(rowId ?? 0).map(({ number }) => number)).toEqual([1, 2]);
  });
});

test('control characters and lone surrogates are accepted and cause no further change', async () => {
  await forge({ payload: memory({ title: 'NUL \u0000 and \ud800 and \u001b[31m', facts: ['\u0000', ''] }) });
  expect(await anna.synced()).toMatchObject({ aside: 0, problem: null });
  expect(await anna.synced()).toMatchObject({ pulled: 0, pushed: 0 });
});

describe('a change in one project cannot touch an item of another', () => {
  beforeEach(async () => {
    await mallory.openProject(OTHER, Buffer.from('other'));
    const place = { path: '/work/laptop/other/.git', name: 'other', remote: OTHER };
    const id = anna.store.projectFor(place, { now: anna.now() }) ?? 0;
    const { name: _, ...project } = newTeamProject({ projectId: id, key: OTHER, isShared: true, since: 0 });
    anna.store.saveTeamProject(project);
  });

  const itemOf = (what: string) =>
    anna.store.listTeamItems(anna.projectId).find((item) => item.what === what)?.item ?? '';

  test.each<[string, Omit<Forged, 'item' | 'key'>]>([
    ['a deletion', { aspect: 'deletion', payload: null }],
    ['an edit', { payload: memory() }],
    ['a pin', { aspect: 'pin', payload: { v: 1, what: 'memory', value: 5 } }],
    ['a replacement', { aspect: 'supersession', payload: { v: 1, what: 'memory', value: randomUUID() } }],
    ['a withdrawal', { aspect: 'state', payload: { v: 1, what: 'memory', value: { isWithdrawn: true } } }],
  ])('%s', async (_, forged) => {
    const before = describeHome(anna);
    await forge({ ...forged, key: OTHER, item: itemOf('memory') });
    expect(await anna.synced()).toMatchObject({ aside: 1, forgotten: 0 });
    expect(describeHome(anna)).toEqual(before);
    expect(findByTitle(anna, 'Before')?.title).toBe('Before');
  });

  test('a text is set aside, with the reason, if another project used its id first', async () => {
    const item = randomUUID();
    await forge({ key: OTHER, item, aspect: 'deletion', payload: null });
    await anna.synced();
    // Each project numbers its changes from 1.
    [origin, n] = [randomUUID(), 1];
    await forge({ item, payload: memory({ title: 'Late' }) });
    expect(await anna.synced()).toMatchObject({ aside: 1, problem: null });
    expect(anna.store.listAside(5)).toMatchObject([{ problem: 'it is about an item of another project' }]);
  });

  test('a task for a work item', async () => {
    const at = anna.now();
    const { id } = anna.store.addWorkItem({
      ...{ name: 'tax', title: 'Tax', projectId: anna.projectId, branch: null, worktree: null, at },
    });
    await anna.synced();
    await forge({ key: OTHER, payload: task(itemOf('work-item')) });
    expect(await anna.synced()).toMatchObject({ aside: 1 });
    expect(anna.store.listTasks(id)).toEqual([]);
  });
});
