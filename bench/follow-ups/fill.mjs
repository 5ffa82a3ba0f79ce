import { join } from 'node:path';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 16, 9);
const FRESH = 'a fresh session';

/**
 * A store with the memories of all sessions, `together` of them in a project, and in each project `padding` memories
 * of sessions from elsewhere. What a fresh session is given there is built as the hooks do.
 */
export function openFollowUpStore(product, sessions, { folder, together, padding, wanted = sessions }) {
  const path = join(folder, `follow-ups-${together}-${padding}.db`);
  const store = product.openSqliteStore(path);
  const db = product.openDatabase(path);
  const { settings } = product.loadSettings(join(folder, 'no settings'), product.readEnvironment({}));
  const projectOf = new Map();
  const groups = [];
  for (let first = 0; first < sessions.length; first += together)
    groups.push(sessions.slice(first, first + together));
  for (const [number, group] of groups.entries()) {
    if (!group.some((session) => wanted.includes(session))) continue;
    const project = addProject(db, number);
    for (const [index, session] of group.entries()) {
      projectOf.set(session.name, project);
      playInto(product, store, db, { session, project, at: NOW - (30 - index) * DAY });
    }
    if (padding > 0)
      pad(product, store, db, { project, padding, others: sessions.filter((each) => !group.includes(each)) });
  }
  product.updateIndex(store);

  const requestFor = (name, agentSession) => ({
    project: { id: projectOf.get(name), name },
    top: join(folder, 'nowhere'),
    worktree: null,
    branches: { current: 'main', main: 'main' },
    agent: 'claude-code',
    agentSession,
    settings,
    longest: 10_000,
    now: NOW,
  });
  const promptWith = (name, prompt, known) => {
    if (!product.isWorthLookingUp(prompt)) return { text: '', tokens: 0, claims: 0 };
    const offers = product.selectForPrompt(store, requestFor(name, FRESH), prompt, known);
    const claims = offers.reduce(
      (sum, { text }) => sum + text.split('\n').filter((line) => /^[#-]/.test(line)).length,
      0,
    );
    return { ...product.joinOffers(product.PROMPT_INTRO, offers), claims };
  };
  const memoriesOf = remember((name) =>
    store.listRecentMemories({ projectId: projectOf.get(name), limit: 10_000 }),
  );
  const startFor = remember((name) =>
    product.buildStart(store, requestFor(name, FRESH), { source: 'startup' }),
  );
  return {
    db,
    store,
    requestFor,
    startFor,
    promptFor: (name, prompt) => promptWith(name, prompt, { whole: new Set(), claims: new Map() }),
    promptAfterStart: (name, prompt) => {
      const { shown } = startFor(name);
      const whole = shown.filter(({ how }) => how === 'full').map(({ memoryId }) => memoryId);
      const claims = shown.filter(({ how }) => how === 'claims');
      return promptWith(name, prompt, {
        whole: new Set(whole),
        claims: new Map(claims.map((each) => [each.memoryId, new Set(each.claims)])),
      });
    },
    claimsOf: (name) =>
      memoriesOf(name).flatMap((memory) => product.listClaims(memory).map(({ text }) => text)),
    everythingOf: (name) =>
      JSON.stringify(
        memoriesOf(name).map(({ title, facts, narrative, parts }) => [title, facts, narrative, parts]),
      ),
    close: () => {
      db.close();
      store.close();
    },
  };
}

function remember(make) {
  const made = new Map();
  return (name) => {
    if (!made.has(name)) made.set(name, make(name));
    return made.get(name);
  };
}

function addProject(db, number) {
  const made = db.prepare('INSERT INTO projects (name, created_at) VALUES (?, 0)').run(`project-${number}`);
  return Number(made.lastInsertRowid);
}

function playInto(product, store, db, { session: { name, turns }, project, at, copy = '' }) {
  const session = Number(
    db
      .prepare(`INSERT INTO sessions (agent, agent_session, project_id, branch, folder, first_seen, last_seen)
        VALUES ('claude-code', ?, ?, 'main', ?, ?, ?)`)
      .run(`${name}${copy}-${project}`, project, turns[0].pieces[0].folder, at, at).lastInsertRowid,
  );
  for (const [index, { pieces }] of turns.entries()) {
    const prompt = index + 1;
    const when = at + index * 600_000;
    const turn = Number(
      db
        .prepare(`INSERT INTO turns (session_id, prompt_number, opened_at, last_at, closed_at, closed_by)
          VALUES (?, ?, ?, ?, ?, 'turn-end')`)
        .run(session, prompt, when, when, when).lastInsertRowid,
    );
    db.prepare(`INSERT INTO prompts (session_id, turn_id, number, origin, is_private, text, at, via, digest, spool_name)
      VALUES (?, ?, ?, 'person', 0, ?, ?, 'settings', '', '')`).run(
      session,
      turn,
      prompt,
      pieces[0].prompt,
      when,
    );
    const job = Number(
      db
        .prepare("INSERT INTO jobs (kind, turn_id, priority, created_at) VALUES ('distil', ?, 'normal', ?)")
        .run(turn, when).lastInsertRowid,
    );
    const stored = store.readTurn(turn);
    for (const piece of pieces)
      product.saveResult(
        store,
        { id: job, kind: 'distil', turnId: turn, generation: 1, priority: 'normal' },
        stored,
        distilled(product, piece),
        {
          distiller: 'offline',
          now: () => when,
          corrected: product.listCorrected(store, stored, pieces, () => []),
          readWords: () => [],
        },
      );
  }
}

const results = new Map();

/** Sessions are played into many projects. */
function distilled(product, piece) {
  if (!results.has(piece)) results.set(piece, product.distillOffline(piece));
  return results.get(piece);
}

/** Other sessions, again and again until there are enough. */
function pad(product, store, db, { project, padding, others }) {
  const count = () =>
    db.prepare('SELECT count(*) AS count FROM memories WHERE project_id = ?').get(project).count;
  const wanted = count() + padding;
  for (let round = 0; count() < wanted; round++) {
    const before = count();
    for (const [index, session] of others.entries()) {
      if (count() >= wanted) break;
      playInto(product, store, db, {
        session,
        project,
        at: NOW - (60 + round + index) * DAY,
        copy: `-${round}`,
      });
    }
    if (count() === before) break;
  }
}
