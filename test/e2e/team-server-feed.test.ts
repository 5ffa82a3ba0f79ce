import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FeedChange, FeedPosition, OutgoingChange, TeamFeed } from '../../src/team/feed.ts';
import { openFeed } from '../../src/team/server/feed.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { makeChange, makeHlc, makeTeam, pushAll, type TestTeam, textOf } from '../support/team.ts';

const START: FeedPosition = { seq: '0', chain: null };

let postgres: Postgres;
let team: TestTeam;
let feed: TeamFeed;
const open: TeamFeed[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  team = await makeTeam(postgres);
  feed = openFeed(team.ada);
});
afterAll(async () => {
  await Promise.all([feed, ...open].map((opened) => opened?.close()));
  await postgres?.stop();
});

let project: number;
beforeEach(async () => {
  project = (await feed.openProject(`project-${randomUUID()}`, Buffer.from('label'))).id;
});

function openAs(credentials: TestTeam['ada']): TeamFeed {
  const opened = openFeed(credentials);
  open.push(opened);
  return opened;
}

function chainOf(changes: Pick<OutgoingChange, 'digest'>[]): Buffer {
  return changes.reduce(
    (chain, { digest }) => createHash('sha256').update(chain).update(digest).digest(),
    Buffer.alloc(0),
  );
}

/** Everything after a position; `pull` itself checks that each number follows the one before. */
async function pullAll(reader: TeamFeed, from: number, after = START): Promise<FeedChange[]> {
  const changes: FeedChange[] = [];
  let position = after;
  for (;;) {
    const result = await reader.pull(from, position, 100);
    if (result.outcome !== 'changes') throw new Error(JSON.stringify(result));
    if (result.changes.length === 0) return changes;
    changes.push(...result.changes);
    position = result.end;
  }
}

describe('a push', () => {
  test('is returned by a pull unchanged', async () => {
    const origin = randomUUID();
    const sent = makeChange(1, {
      aspect: 'pin',
      keyEpoch: 3,
      payload: Buffer.from([0, 255, 10]),
      hlc: '117633466729562116',
    });
    await pushAll(feed, project, origin, [sent]);
    const { tokens: _, ...rest } = sent;
    const stored = { ...rest, payload: new Uint8Array([0, 255, 10]), digest: new Uint8Array(sent.digest) };
    expect(await feed.pull(project, START, 10)).toEqual({
      outcome: 'changes',
      head: '1',
      changes: [{ ...stored, seq: '1', origin, author: 'Ada' }],
      end: { seq: '1', chain: new Uint8Array(chainOf([sent])) },
    });
  });

  test('by many at once into one project loses nothing and leaves no holes, also for a concurrent reader', async () => {
    const machines = await Promise.all(['Bo', 'Cy', 'Di'].map((name) => team.join(name)));
    const writers = machines.flatMap((machine) => [openAs(machine), openAs(machine)]);
    const batches = 12;
    const size = 7;
    const seen: FeedChange[] = [];
    let isDone = false;
    const reading = (async () => {
      for (;;) {
        const wasDone = isDone;
        const position = { seq: seen.at(-1)?.seq ?? '0', chain: chainOf(seen) };
        seen.push(...(await pullAll(feed, project, position)));
        if (wasDone) return;
      }
    })();
    const origins = writers.map(() => randomUUID());
    await Promise.all(
      writers.map(async (writer, at) => {
        for (let batch = 0; batch < batches; batch++) {
          const changes = Array.from({ length: size }, (_, i) => makeChange(batch * size + i + 1));
          await pushAll(writer, project, origins[at] ?? '', changes);
        }
      }),
    );
    isDone = true;
    await reading;
    const total = writers.length * batches * size;
    expect(seen.map(({ seq }) => Number(seq))).toEqual(Array.from({ length: total }, (_, at) => at + 1));
    for (const origin of origins) {
      const numbers = seen.filter((change) => change.origin === origin).map(({ n }) => n);
      expect(numbers).toEqual(Array.from({ length: batches * size }, (_, at) => at + 1));
    }
  });

  test('whose answer was lost is stored once', async () => {
    const origin = randomUUID();
    const changes = [makeChange(1), makeChange(2)];
    await pushAll(feed, project, origin, changes);
    const third = makeChange(3);
    expect(await feed.push({ project, origin, changes: [...changes, third] })).toEqual({
      outcome: 'stored',
      last: 3,
      head: '3',
      refused: [],
    });
    expect((await pullAll(feed, project)).map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  test('with another change under a number is a fork, and stores nothing', async () => {
    const origin = randomUUID();
    const [first, second] = [makeChange(1), makeChange(2)];
    await pushAll(feed, project, origin, [first, second]);
    const forked = [first, makeChange(2), makeChange(3)];
    expect(await feed.push({ project, origin, changes: forked })).toEqual({ outcome: 'fork', at: 2 });
    expect(await pullAll(feed, project)).toHaveLength(2);
  });

  test("under another member's origin is a fork", async () => {
    const origin = randomUUID();
    await pushAll(feed, project, origin, [makeChange(1)]);
    const eve = openAs(await team.join('Eve'));
    expect(await eve.push({ project, origin, changes: [makeChange(2)] })).toEqual({ outcome: 'fork', at: 2 });
    expect(await pullAll(feed, project)).toHaveLength(1);
  });

  test('that skips numbers is a gap, and stores nothing', async () => {
    const origin = randomUUID();
    await pushAll(feed, project, origin, [makeChange(1)]);
    expect(await feed.push({ project, origin, changes: [makeChange(4)] })).toEqual({
      outcome: 'gap',
      expected: 2,
    });
    expect(await pullAll(feed, project)).toHaveLength(1);
    const skipping = { project, origin, changes: [makeChange(2), makeChange(4)] };
    await expect(feed.push(skipping)).rejects.toMatchObject({ reason: 'server' });
  });

  test('with a clock that is ahead is refused, with the right time', async () => {
    const origin = randomUUID();
    const hour = 3600_000;
    for (const hlc of [makeHlc(Date.now() + hour), '9223372036854775807']) {
      const result = await feed.push({ project, origin, changes: [makeChange(1), makeChange(2, { hlc })] });
      expect(result).toEqual({ outcome: 'clock', now: expect.any(Number) });
      expect(result.outcome === 'clock' && Math.abs(result.now - Date.now())).toBeLessThan(hour);
    }
    expect(await pullAll(feed, project)).toEqual([]);
    const slow = makeChange(1, { hlc: makeHlc(Date.now() - 365 * 24 * hour) });
    await pushAll(feed, project, origin, [slow, makeChange(2, { hlc: makeHlc(Date.now() + 60_000) })]);
  });

  test('with bad changes keeps the others, and reports the same again if its answer was lost', async () => {
    const origin = randomUUID();
    const tooLarge = { payload: Buffer.alloc(256 * 1024 + 1, 'x') };
    const changes = [
      makeChange(1),
      makeChange(2, tooLarge),
      makeChange(3, { item: 'not-a-uuid' }),
      makeChange(4, { hlc: 'noon' }),
      makeChange(5, { digest: Buffer.from('short') }),
      makeChange(6, { tokens: Array.from({ length: 5000 }, (_, at) => at) }),
      makeChange(7, { payload: null }),
      makeChange(8, { aspect: 'mood' as OutgoingChange['aspect'] }),
      makeChange(9),
    ];
    const result = {
      outcome: 'stored',
      last: 9,
      head: '9',
      refused: [
        { n: 2, reason: 'too large' },
        { n: 3, reason: 'malformed item' },
        { n: 4, reason: 'malformed clock' },
        { n: 5, reason: 'malformed digest' },
        { n: 6, reason: 'too many words' },
        { n: 7, reason: 'no payload' },
        { n: 8, reason: 'unknown aspect' },
      ],
    };
    expect(await feed.push({ project, origin, changes })).toEqual(result);
    expect(await feed.push({ project, origin, changes })).toEqual(result);
    const texts = (await pullAll(feed, project)).map(({ payload }) => textOf(payload));
    expect(texts).toEqual(['text 1', null, null, null, null, null, null, null, 'text 9']);
  });

  test('of large texts is sent and read in parts', async () => {
    const origin = randomUUID();
    const changes = Array.from({ length: 45 }, (_, at) =>
      makeChange(at + 1, { payload: Buffer.alloc(200_000, at) }),
    );
    await pushAll(feed, project, origin, changes);
    const first = await feed.pull(project, START, 2000);
    expect(first.outcome === 'changes' && first.changes.length).toBeLessThan(45);
    const all = await pullAll(feed, project);
    expect(all.map(({ payload }) => payload?.at(-1))).toEqual(changes.map((_, at) => at));
  });
});

describe('a deletion', () => {
  const tokens = [71, 72];
  const payloads = (item: string) =>
    postgres.ask<{ n: string }>(
      team.database,
      'SELECT n FROM cairn.change WHERE item = $1 AND payload IS NOT NULL ORDER BY n',
      [item],
    );
  const indexed = (item: string) =>
    postgres.ask(team.database, 'SELECT FROM cairn.item WHERE item = $1 AND tokens IS NOT NULL', [item]);

  test('removes the texts of all aspects and versions, and of no other item', async () => {
    const [item, other, origin] = [randomUUID(), randomUUID(), randomUUID()];
    await pushAll(feed, project, origin, [
      makeChange(1, { item, tokens }),
      makeChange(2, { item, tokens }),
      makeChange(3, { item, aspect: 'pin' }),
      makeChange(4, { item: other, tokens }),
    ]);
    expect((await feed.search({ projects: [project], tokens, limit: 10 })).candidates).toHaveLength(2);
    await pushAll(feed, project, origin, [makeChange(5, { item, aspect: 'deletion' })]);
    expect([await payloads(item), await indexed(item)]).toEqual([[], []]);
    expect(
      (await feed.search({ projects: [project], tokens, limit: 10 })).candidates.map((found) => found.item),
    ).toEqual([other]);
    const changes = await pullAll(feed, project);
    expect(changes.map(({ payload }) => textOf(payload))).toEqual([null, null, null, 'text 4', null]);
  });

  test('removes edits of the same push, and later ones of other machines', async () => {
    const [item, origin] = [randomUUID(), randomUUID()];
    await pushAll(feed, project, origin, [
      makeChange(1, { item, tokens }),
      makeChange(2, { item, aspect: 'deletion', hlc: makeHlc(Date.now() - 60_000) }),
      makeChange(3, { item, tokens, hlc: makeHlc(Date.now(), 9) }),
    ]);
    const late = openAs(await team.join('Late'));
    await pushAll(late, project, randomUUID(), [
      makeChange(1, { item, tokens, hlc: makeHlc(Date.now() + 1000) }),
    ]);
    expect([await payloads(item), await indexed(item)]).toEqual([[], []]);
    expect((await pullAll(late, project)).map(({ seq }) => seq)).toEqual(['1', '2', '3', '4']);
  });
});

test('the winner per item and aspect is the highest clock, then the highest origin', async () => {
  const items = Array.from({ length: 6 }, () => randomUUID());
  const aspects = ['text', 'pin', 'state'] as const;
  const base = Date.now() - 1000;
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  const origins = [randomUUID(), randomUUID(), randomUUID()];
  const sent = origins.map((origin) => ({
    origin,
    changes: Array.from({ length: 60 }, (_, at) =>
      makeChange(at + 1, {
        item: items[random(items.length)] ?? '',
        aspect: aspects[random(aspects.length)] ?? 'text',
        hlc: makeHlc(base + random(4), random(2)),
      }),
    ),
  }));
  for (let from = 0; from < 60; from += 6) {
    for (const { origin, changes } of sent)
      await pushAll(feed, project, origin, changes.slice(from, from + 6));
  }
  const key = ({ item, aspect }: Pick<OutgoingChange, 'item' | 'aspect'>) => `${item} ${aspect}`;
  const expected = new Map<string, { hlc: string; origin: string }>();
  for (const { origin, changes } of sent) {
    for (const change of changes) {
      const best = expected.get(key(change));
      const isHigher =
        !best || BigInt(change.hlc) > BigInt(best.hlc) || (change.hlc === best.hlc && origin > best.origin);
      if (isHigher) expected.set(key(change), { hlc: change.hlc, origin });
    }
  }
  const rows = await postgres.ask<{ item: string; aspect: number; hlc: string; origin: string }>(
    team.database,
    'SELECT item, aspect, hlc, origin FROM cairn.item WHERE project_id = $1',
    [project],
  );
  const names = ['text', 'pin', 'supersession', 'state'] as const;
  const stored = new Map(
    rows.map(({ item, aspect, hlc, origin }) => [
      key({ item, aspect: names[aspect] ?? 'text' }),
      { hlc, origin },
    ]),
  );
  expect(stored).toEqual(expected);
});

describe('a pull', () => {
  test('notices a server that was restored from a backup', async () => {
    const origin = randomUUID();
    const changes = [makeChange(1), makeChange(2), makeChange(3)];
    await pushAll(feed, project, origin, changes.slice(0, 1));
    await pushAll(feed, project, origin, changes);
    const chain = new Uint8Array(chainOf(changes));
    const { projects } = await feed.listHeads();
    expect(projects.find(({ id }) => id === project)).toMatchObject({ head: '3', chain });
    const diverged = { outcome: 'diverged', head: '3' };
    // The same last change, but another one before it.
    const others = chainOf([makeChange(1), ...changes.slice(1)]);
    for (const known of [others, chainOf(changes.slice(0, 2)), null])
      expect(await feed.pull(project, { seq: '3', chain: known }, 10)).toEqual(diverged);
    expect(await feed.pull(project, { seq: '4', chain }, 10)).toEqual(diverged);
    expect(await feed.pull(project, { seq: '3', chain }, 10)).toEqual({
      outcome: 'changes',
      changes: [],
      end: { seq: '3', chain },
      head: '3',
    });
  });

  test('reports a hole instead of skipping it', async () => {
    await pushAll(feed, project, randomUUID(), [makeChange(1), makeChange(2), makeChange(3)]);
    await postgres.ask(team.database, 'DELETE FROM cairn.change WHERE project_id = $1 AND seq = 2', [
      project,
    ]);
    await expect(feed.pull(project, START, 10)).rejects.toThrow('Change 2 is missing');
  });
});

test('a handoff is claimed once, however many machines ask at the same time', async () => {
  const item = randomUUID();
  await pushAll(feed, project, randomUUID(), [makeChange(1, { item, aspect: 'state' })]);
  const askers = await Promise.all(
    ['Fay', 'Gus', 'Hal', 'Ida'].map(async (name) => ({ name, feed: openAs(await team.join(name)) })),
  );
  const results = await Promise.all(askers.map((asker) => asker.feed.claim(project, item)));
  const winner = askers[results.findIndex(({ outcome }) => outcome === 'claimed')];
  expect(results.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(1);
  expect(results.filter(({ outcome }) => outcome === 'taken')).toEqual(
    Array.from({ length: 3 }, () => ({ outcome: 'taken', by: winner?.name })),
  );
  expect(await winner?.feed.claim(project, item)).toEqual({ outcome: 'claimed' });
  const secondMachine = openAs(await team.join(winner?.name ?? ''));
  expect(await secondMachine.claim(project, item)).toEqual({ outcome: 'taken', by: winner?.name });
  await expect(feed.claim(project, randomUUID())).rejects.toMatchObject({ reason: 'forbidden' });
});

describe('a search', () => {
  test('finds by any token, the rarest first, within the given projects', async () => {
    const origin = randomUUID();
    const [both, rare, common] = [randomUUID(), randomUUID(), randomUUID()];
    await pushAll(feed, project, origin, [
      makeChange(1, { item: common, tokens: [501] }),
      makeChange(2, { item: rare, tokens: [-502] }),
      makeChange(3, { item: both, tokens: [501, -502] }),
      ...Array.from({ length: 20 }, (_, at) => makeChange(at + 4, { tokens: [501] })),
    ]);
    const asked = { projects: [project], tokens: [501, -502, 503], limit: 2 };
    const { candidates: found, frequencies } = await feed.search(asked);
    expect(frequencies).toEqual(
      new Map([
        [501, 22],
        [-502, 2],
      ]),
    );
    expect(found.map(({ item, matched }) => [item, matched])).toEqual([
      [both, 2],
      [rare, 1],
    ]);
    expect(found[0]).toEqual({
      project,
      item: both,
      author: 'Ada',
      hlc: expect.stringMatching(/^\d+$/),
      payload: new Uint8Array(Buffer.from('text 3')),
      ...{ pin: null, supersession: null, state: null },
      matched: 2,
    });
    expect((await feed.search({ projects: null, tokens: [501], limit: 999 })).candidates).toHaveLength(22);
    expect((await feed.search({ projects: [], tokens: [501], limit: 10 })).candidates).toEqual([]);
    expect((await feed.search({ projects: null, tokens: [], limit: 10 })).candidates).toEqual([]);
    expect((await feed.search({ projects: [project], tokens: [503], limit: 10 })).candidates).toEqual([]);
  });

  test('finds the winning text only', async () => {
    const [item, origin] = [randomUUID(), randomUUID()];
    const now = Date.now();
    await pushAll(feed, project, origin, [makeChange(1, { item, tokens: [601], hlc: makeHlc(now) })]);
    await pushAll(feed, project, origin, [makeChange(2, { item, tokens: [602], hlc: makeHlc(now - 5000) })]);
    expect((await feed.search({ projects: [project], tokens: [602], limit: 10 })).candidates).toEqual([]);
    await pushAll(feed, project, origin, [makeChange(3, { item, tokens: [603], hlc: makeHlc(now + 5000) })]);
    expect((await feed.search({ projects: [project], tokens: [601], limit: 10 })).candidates).toEqual([]);
    expect((await feed.search({ projects: [project], tokens: [603], limit: 10 })).candidates).toHaveLength(1);
  });

  test('returns the other aspects, a state only if it is later than the text', async () => {
    const [item, origin] = [randomUUID(), randomUUID()];
    const now = Date.now();
    const bytes = (text: string) => new Uint8Array(Buffer.from(text));
    await pushAll(feed, project, origin, [
      makeChange(1, { item, tokens: [701], hlc: makeHlc(now) }),
      makeChange(2, { item, aspect: 'pin', payload: bytes('pin'), hlc: makeHlc(now) }),
      makeChange(3, { item, aspect: 'supersession', payload: bytes('by'), hlc: makeHlc(now) }),
      makeChange(4, { item, aspect: 'state', payload: bytes('state'), hlc: makeHlc(now + 1) }),
    ]);
    const find = async () =>
      (await feed.search({ projects: [project], tokens: [701], limit: 10 })).candidates;
    const aspects = { pin: bytes('pin'), supersession: bytes('by') };
    expect(await find()).toMatchObject([{ ...aspects, state: bytes('state') }]);
    await pushAll(feed, project, origin, [makeChange(5, { item, tokens: [701], hlc: makeHlc(now + 2) })]);
    expect(await find()).toMatchObject([{ ...aspects, state: null }]);
  });
});

test('texts are read by the beginning of an id, if the member may read them', async () => {
  const origin = randomUUID();
  const [one, other, dead] = [randomUUID(), randomUUID(), randomUUID()];
  await pushAll(feed, project, origin, [
    makeChange(1, { item: one }),
    makeChange(2, { item: other }),
    makeChange(3, { item: dead }),
    makeChange(4, { item: dead, aspect: 'deletion' }),
  ]);
  const read = async (reader: TeamFeed, ids: string[]) =>
    (await reader.readTexts(ids)).map(({ item, author, payload }) => [item, author, textOf(payload)]).sort();
  expect(await read(feed, [one.slice(0, 8), other, dead, randomUUID()])).toEqual(
    [
      [one, 'Ada', 'text 1'],
      [other, 'Ada', 'text 2'],
    ].sort(),
  );
  const stranger = openAs(await team.join('Ky', { projects: [] }));
  expect(await read(stranger, [one, other.slice(0, 8)])).toEqual([]);
});

test('confirmations show how far each member has applied a project', async () => {
  const { listMachines } = await import('../../src/team/server/people.ts');
  const reader = openAs(await team.join('Jo'));
  await pushAll(feed, project, randomUUID(), [makeChange(1), makeChange(2)]);
  await reader.confirm(project, '2');
  await feed.confirm(project, '99');
  const machines = await listMachines(team.ada);
  const confirmed = (member: string) =>
    machines
      .filter((machine) => machine.member === member)
      .map((machine) => machine.confirmed.find((entry) => entry.project === project)?.seq);
  expect([confirmed('Ada'), confirmed('Jo'), confirmed('Eve')]).toEqual([['2'], ['2'], ['0']]);
});

test('a server that is killed repeatedly loses and duplicates nothing', async () => {
  const machines = await Promise.all(['Kim', 'Lou', 'Max'].map((name) => team.join(name)));
  const total = 120;
  let acknowledged = 0;
  const pushing = machines.map(async (machine) => {
    const writer = openAs(machine);
    const origin = randomUUID();
    const changes = Array.from({ length: total }, (_, at) => makeChange(at + 1));
    const giveUpAt = Date.now() + 120_000;
    for (let last = 0; last < total; ) {
      try {
        const result = await writer.push({ project, origin, changes: changes.slice(last, last + 3) });
        if (result.outcome !== 'stored') throw new Error(JSON.stringify(result));
        last = result.last;
        acknowledged += 3;
      } catch (error) {
        const isExpected =
          error instanceof Error && 'reason' in error && /network|busy/.test(String(error.reason));
        if (!isExpected || Date.now() > giveUpAt) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    return origin;
  });
  const all = Promise.all(pushing);
  for (let round = 1; round <= 4; round++) {
    await Promise.race([
      all,
      expect.poll(() => acknowledged, { timeout: 60_000, interval: 5 }).toBeGreaterThan((round * total) / 2),
    ]);
    await postgres.kill();
    await postgres.start();
  }
  const origins = await all;
  const changes = await pullAll(feed, project).catch(() => pullAll(feed, project));
  expect(changes.map(({ seq }) => Number(seq))).toEqual(Array.from({ length: 3 * total }, (_, at) => at + 1));
  for (const origin of origins) {
    expect(changes.filter((change) => change.origin === origin).map(({ n }) => n)).toEqual(
      Array.from({ length: total }, (_, at) => at + 1),
    );
  }
});
