import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkCommand, checkHook } from '../checks.mjs';
import { compareWithStore } from '../database.mjs';
import { createEvents } from '../events.mjs';
import { inParallel, runProgram } from '../process.mjs';
import { callHook, drain, runCairn } from '../sandbox.mjs';

const AT_ONCE = 4;
const LOCKED = ['cairn.db', 'state/intake.lock', 'state/worker.lock', 'state/works.lock'];
const READING = [
  ['search', 'attack'],
  ['status'],
  ['recent'],
  ['sessions'],
  ['timeline'],
  ['context'],
  ['work'],
  ['tasks'],
  ['stats'],
  ['queue'],
];

/** Another process repeatedly holds one of Cairn's locks for seconds while events arrive and commands read. */
export async function attack({ tally, random, deadline, events: count, openSandbox }) {
  const sandbox = openSandbox('locks');
  const seed = createEvents(random, 20, { cwd: sandbox.project, label: 'before' });
  for (const { event, payload, session } of seed) await callHook(sandbox, event, payload, { session });
  await drain(sandbox);

  const state = { over: false, locks: 0 };
  const sent = createEvents(random, Math.max(20, Math.ceil(count / 8)), { cwd: sandbox.project });
  const accepted = [];
  const background = [holdLocks(sandbox, state, random), readMeanwhile(sandbox, state, random, tally)];
  await inParallel(AT_ONCE, sent, deadline, async (item) => {
    tally.count('tried');
    const { event, payload, session } = item;
    const result = await callHook(sandbox, event, payload, { session });
    if (checkHook(tally, event, result)) accepted.push(item);
    await sleep(random.below(500));
  });
  state.over = true;
  await Promise.all(background);
  tally.count('accepted', accepted.length);
  if (!(await drain(sandbox))) tally.fail('hung', 'the spool was not ingested');
  compareWithStore(tally, sandbox.home, { sent: [...seed, ...sent], accepted: [...seed, ...accepted] });
  tally.note(`held ${state.locks} locks`);
}

async function holdLocks({ root, home, env }, state, random) {
  while (!state.over) {
    const file = join(home, random.pick(LOCKED));
    const holdMs = 200 + random.below(3_000);
    const result = await runProgram(process.execPath, ['--eval', LOCKER, file, String(holdMs)], {
      cwd: import.meta.dirname,
      env: { ...env, HOME: root },
      limitMs: 60_000,
    });
    if (result.code === 0) state.locks += 1;
    // The worker holds its lock as long as it runs.
    else if (!result.stderr.includes('database is locked')) throw new Error(result.stderr);
  }
}

/** Runs in a separate process, because POSIX locks never conflict within one process. */
const LOCKER = `
const { DatabaseSync } = require('@photostructure/sqlite');
const [file, holdMs] = process.argv.slice(1);
const db = new DatabaseSync(file, { timeout: 1500 });
db.exec(file.endsWith('.lock') ? 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE' : 'BEGIN IMMEDIATE');
setTimeout(() => { db.exec('ROLLBACK'); db.close(); }, Number(holdMs));
`;

async function readMeanwhile(sandbox, state, random, tally) {
  while (!state.over) {
    const args = random.pick(READING);
    checkCommand(tally, args.join(' '), await runCairn(sandbox, args));
  }
}
