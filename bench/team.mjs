import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { loadParts } from './product.mjs';
import { measureHomes } from './team-homes.mjs';
import { measureHooks } from './team-hooks.mjs';

const PARTS = `
  export { loadSettings } from './src/config/settings.ts';
  export { readEnvironment } from './src/config/environment.ts';
  export { updateIndex } from './src/indexing/update-index.ts';
  export { recall } from './src/recall/recall.ts';
  export { makeDeviceKey } from './src/team/crypto/device-key.ts';
  export { makeRecoveryCode } from './src/team/crypto/recovery-code.ts';
  export { makeKey } from './src/team/crypto/sealed-key.ts';
  export { readSecrets } from './src/team/crypto/team-secrets.ts';
  export { searchTeam } from './src/team/search/search-team.ts';
  export { enterTeam } from './src/team/sync/open-team.ts';
  export { keyOfRemote } from './src/team/sync/project-key.ts';
  export { shareProjectWithTeam } from './src/team/sync/share.ts';
  export { syncTeam } from './src/team/sync/sync.ts';
  export { createTeam } from './src/team/server/create.ts';
  export { openFeed } from './src/team/server/feed.ts';
  export { invite } from './src/team/server/invite.ts';
  export { join } from './src/team/server/join.ts';
  export { pathsOf } from './src/platform/paths.ts';
  export { openSqliteStore } from './src/store/sqlite/sqlite-store.ts';
  export { startPostgres } from './test/support/postgres.ts';
`;
const MEMORIES = 10_000;
/** Memories sent from home to home, with all the processing on both machines. */
const HOME_MEMORIES = 2_000;
const CLIENTS = 100;
const TEXT_BYTES = 1000;
const TOKENS = 100;
const VOCABULARY = 60_000;
const PROJECTS = 200;

/** The cost of a team's server, with a real PostgreSQL on this machine and fsync on. */
export async function measure({ runs, million, say }) {
  const product = await loadParts(PARTS);
  const settings = { fsync: 'on', max_connections: '150', shared_buffers: '1GB', log_statement: 'none' };
  const postgres = await product.startPostgres({ settings });
  try {
    const team = await makeTeam(product, postgres);
    const sealed = await makeTeam(product, postgres, { isEncrypted: true });
    const rows = [
      ...(await measureFeed(product, team, say)),
      ...(await measureFeed(product, sealed, say)),
      ...(await measureMachines(product, { open: team, sealed }, runs, say)),
      ...(await measureClients(product, team, say)),
    ];
    for (const size of million ? [100_000, 1_000_000] : [100_000]) {
      rows.push(...(await measureSearch(product, postgres, size, runs, say)));
    }
    for (const { what, team, none } of await measureHooks(product, runs, say))
      rows.push(
        describe(
          what,
          ms(team.median),
          ms(team.p95),
          `without a team ${ms(none.median)}, p95 ${ms(none.p95)}`,
        ),
      );
    return {
      title: 'Team',
      columns: ['what', 'median', 'p95', 'beside it'],
      rows,
      notes: [
        `PostgreSQL on the same machine, over loopback without TLS. Texts of ${TEXT_BYTES} bytes with ${TOKENS} different words each, ${PROJECTS} projects of very different size in the searched team.`,
        'Search: two words, up to 200 candidates with their texts. Beside it: the bare index, asked for the ids of the rarer word by the owner of the tables.',
        `Encrypted: the same in an encrypted team. Its server cannot search, so \`--team\` searches what the machine has; beside it, the same questions to the server of an open team, ranked here. ${HOME_MEMORIES} memories of ${TEXT_BYTES} bytes or less, three words of one of them.`,
        'A word of others only: a member of two projects asks for a word that a tenth of all other memories have, and gets nothing. What it takes longer than a word of none is what a member can learn about projects without rights.',
      ],
    };
  } finally {
    await postgres.stop();
  }
}

async function makeTeam(product, postgres, { isEncrypted = false } = {}) {
  const database = `bench_${randomUUID().slice(0, 8)}`;
  const access = { url: postgres.adminUrl(database), ca: null };
  const keys = isEncrypted
    ? {
        teamKey: product.makeKey(),
        device: product.makeDeviceKey(),
        recovery: product.makeRecoveryCode().secret,
      }
    : null;
  const { credentials } = await product.createTeam(access, {
    label: 'Bench',
    member: 'Ada',
    machine: 'laptop',
    keys,
    save: () => {},
  });
  return { access, credentials, database, isEncrypted };
}

async function measureFeed({ openFeed }, { credentials, isEncrypted }, say) {
  const label = isEncrypted ? ', encrypted' : '';
  say(`  push and pull of ${MEMORIES} memories${label}`);
  const feed = openFeed(credentials);
  const rows = [];
  for (const batch of [100, 500]) {
    const { id } = await feed.openProject(randomUUID(), Buffer.from('bench'));
    const changes = Array.from({ length: MEMORIES }, (_, at) => makeChange(at + 1));
    const origin = randomUUID();
    const times = [];
    for (let from = 0; from < MEMORIES; from += batch) {
      const part = changes.slice(from, from + batch);
      times.push(await timed(() => feed.push({ project: id, origin, changes: part })));
    }
    rows.push(describeRate(`push, ${batch} at a time${label}`, times));
    rows.push(describeRate(`pull, 2,000 at a time${label}`, await pullAll(feed, id)));
  }
  await feed.close();
  return rows;
}

async function pullAll(feed, project) {
  const times = [];
  let position = { seq: '0', chain: null };
  for (;;) {
    let result;
    times.push(await timed(async () => (result = await feed.pull(project, position, 2000))));
    position = result.end;
    if (position.seq === result.head) return times;
  }
}

/** From one home to the other, and a search there, in an encrypted team and in an open one. */
async function measureMachines(product, { open, sealed }, runs, say) {
  const measure = ({ access, credentials, isEncrypted }) => {
    say(`  ${HOME_MEMORIES} memories from home to home${isEncrypted ? ', encrypted' : ''}`);
    const joinAsBen = async () => {
      const key = product.readSecrets(credentials);
      const link = await product.invite(access, { name: 'Ben', isReadOnly: false, projects: null, key });
      const feed = product.openFeed(credentials);
      // A machine with the keys seals them for the invitation.
      await feed.listHeads();
      await feed.close();
      return product.join(link, { machine: 'desk', save: () => {} });
    };
    const options = { size: HOME_MEMORIES, runs, isEncrypted };
    return measureHomes(product, { credentials, join: joinAsBen }, options);
  };
  const plain = await measure(open);
  const encrypted = await measure(sealed);
  const label = `${HOME_MEMORIES.toLocaleString('en')} memories`;
  const beside = (part) => `open team ${ms(spread([plain[part]].flat()).median)}`;
  return [
    describe(`send ${label}, encrypted`, ms(encrypted.sent), '', beside('sent')),
    describe(`receive ${label}, encrypted`, ms(encrypted.received), '', beside('received')),
    describeTimes(`search ${label}, encrypted`, encrypted.search, beside('search')),
  ];
}

/** Each client connects, asks for the heads, pushes 20 changes, pulls new ones, confirms and closes. */
async function measureClients({ invite, join, openFeed }, { access, credentials }, say) {
  say(`  ${CLIENTS} machines at once`);
  const admin = openFeed(credentials);
  const { id } = await admin.openProject(randomUUID(), Buffer.from('bench'));
  await admin.close();
  const machines = [];
  for (let at = 0; at < CLIENTS; at++) {
    const link = await invite(access, {
      name: `member ${at % 30}`,
      isReadOnly: false,
      projects: null,
      key: null,
    });
    machines.push(await join(link, { machine: `machine ${at}`, save: () => {} }));
  }
  const began = performance.now();
  const times = await Promise.all(
    machines.map((machine) =>
      timed(async () => {
        const feed = openFeed(machine);
        await feed.listHeads();
        const changes = Array.from({ length: 20 }, (_, at) => makeChange(at + 1));
        await feed.push({ project: id, origin: randomUUID(), changes });
        const { head } = await feed.pull(id, { seq: '0', chain: null }, 2000);
        await feed.confirm(id, head);
        await feed.close();
      }),
    ),
  );
  const seconds = (performance.now() - began) / 1000;
  return [describeTimes(`whole sync, ${CLIENTS} machines at once`, times, `all in ${seconds.toFixed(1)} s`)];
}

async function measureSearch(product, postgres, size, runs, say) {
  say(`  filling ${size} memories`);
  const team = await makeTeam(product, postgres);
  const ask = (sql, values) => postgres.ask(team.database, sql, values);
  await fill(ask, size);
  const [{ bytes }] = await ask(
    `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
     WHERE relnamespace = 'cairn'::regnamespace AND relkind = 'r' AND relname ~ '^(change|item)_'`,
  );
  const label = `${size.toLocaleString('en')} memories`;
  const rows = [
    describe(
      `size, ${label}`,
      `${Math.round(Number(bytes) / size)} bytes a memory`,
      '',
      `${TEXT_BYTES} of text`,
    ),
  ];
  const words = await pickWords(ask, runs);
  const owner = new pg.Client({ connectionString: postgres.superUrl(team.database) });
  await owner.connect();
  const bare = [];
  for (const [word] of words) {
    const sql = `SELECT project_id, item FROM cairn.item WHERE tokens @> ARRAY[${word}] LIMIT 5000`;
    bare.push(await timed(() => owner.query(sql)));
  }
  await owner.end();
  for (const count of [2, 20, PROJECTS]) {
    say(`  searching ${label} as a member of ${count} projects`);
    const member = await joinAs(product, team, `member of ${count}`, ask, count);
    const feed = product.openFeed(member);
    await feed.listHeads();
    const times = [];
    for (const tokens of words)
      times.push(await timed(() => feed.search({ projects: null, tokens, limit: 200 })));
    rows.push(
      describeTimes(
        `search ${label}, member of ${count} projects`,
        times,
        `index ${ms(spread(bare).median)}`,
      ),
    );
    if (count === 2) rows.push(...(await measureLeak(feed, label, runs)));
    await feed.close();
  }
  return rows;
}

async function measureLeak(feed, label, runs) {
  const ofOthers = [];
  const ofNone = [];
  for (let run = 0; run < Math.min(runs, 50); run++) {
    ofOthers.push(await timed(() => feed.search({ projects: null, tokens: [HIDDEN_WORD], limit: 200 })));
    ofNone.push(await timed(() => feed.search({ projects: null, tokens: [-1 - run], limit: 200 })));
  }
  return [describeTimes(`a word of others only, ${label}`, ofOthers, `of none ${ms(spread(ofNone).median)}`)];
}

/** Occurs in a tenth of the memories of all projects except the two that a restricted member can read. */
const HIDDEN_WORD = 2_000_000_000;

async function joinAs({ invite, join }, { access }, name, ask, count) {
  const projects = (await ask('SELECT key FROM cairn.project ORDER BY id DESC LIMIT $1', [count])).map(
    ({ key }) => key,
  );
  const link = await invite(access, { name, isReadOnly: false, projects, key: null });
  return join(link, { machine: name, save: () => {} });
}

/** Written by SQL, because only reading is measured. */
async function fill(ask, size) {
  await ask(
    `INSERT INTO cairn.project (key, label) SELECT 'project ' || n, '' FROM generate_series(1, ${PROJECTS}) n`,
  );
  await ask(`INSERT INTO cairn.origin SELECT gen_random_uuid(), id FROM cairn.member`);
  await ask(
    `INSERT INTO cairn.change (project_id, seq, origin, n, item, aspect, hlc, author, key_epoch, digest, chain, payload)
     SELECT p, row_number() OVER (PARTITION BY p), o.origin, row_number() OVER (PARTITION BY p), gen_random_uuid(), 0,
       n, o.member_id, 0, sha256(n::text::bytea), sha256(n::text::bytea), convert_to(left(t, ${TEXT_BYTES}), 'UTF8')
     FROM (
       SELECT n, 1 + floor(${PROJECTS} * power(random(), 3))::int AS p,
         (SELECT string_agg(md5(n::text || i::text), ' ') FROM generate_series(1, 32) i) AS t
       FROM generate_series(1, $1::int) n
     ) made, cairn.origin o`,
    [size],
  );
  await ask(
    `INSERT INTO cairn.item (project_id, item, aspect, hlc, origin, seq, tokens)
     SELECT c.project_id, c.item, c.aspect, c.hlc, c.origin, c.seq, ARRAY(
       SELECT DISTINCT floor(${VOCABULARY} * power(random(), 3))::int
       FROM generate_series(1, ${TOKENS} + length(c.item::text) - 36)
       UNION ALL SELECT ${HIDDEN_WORD} WHERE c.project_id <= ${PROJECTS - 2} AND c.seq % 10 = 0)
     FROM cairn.change c`,
  );
  await ask(
    'UPDATE cairn.project p SET head = (SELECT count(*) FROM cairn.change c WHERE c.project_id = p.id)',
  );
  await ask('VACUUM ANALYZE');
}

/** Pairs of words of one memory each, for questions about it; the rarer word first. */
async function pickWords(ask, runs) {
  const rows = await ask('SELECT tokens FROM cairn.item TABLESAMPLE SYSTEM (5) LIMIT $1', [runs]);
  return rows.map(({ tokens }) => {
    const sorted = tokens.filter((token) => token < VOCABULARY).sort((a, b) => b - a);
    return [sorted[Math.floor(sorted.length / 10)], sorted[Math.floor(sorted.length / 2)]];
  });
}

function makeChange(n) {
  const text = Array.from({ length: 16 }, () => randomUUID())
    .join(' ')
    .slice(0, TEXT_BYTES);
  const tokens = Array.from({ length: TOKENS }, () => Math.floor(VOCABULARY * Math.random() ** 3));
  const item = randomUUID();
  const hlc = (BigInt(Date.now()) << 16n).toString();
  const digest = createHash('sha256').update(text).digest();
  return { n, item, aspect: 'text', hlc, digest, payload: Buffer.from(text), keyEpoch: 0, tokens };
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function spread(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { median: at(0.5), p95: at(0.95), runs: sorted.length };
}

function describeRate(what, times) {
  const seconds = times.reduce((sum, time) => sum + time, 0) / 1000;
  return describeTimes(what, times, `${Math.round(MEMORIES / seconds)} memories/s`);
}

function describeTimes(what, times, beside) {
  const { median, p95 } = spread(times);
  return describe(what, ms(median), ms(p95), beside);
}

function describe(what, median, p95, beside) {
  return { cells: [what, median, p95, beside], figures: { what, median, p95, beside } };
}

function ms(value) {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
