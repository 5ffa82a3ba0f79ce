import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hookCall, installedHome, makeProject, stopWorkers, untilQuiet, workFolder } from './home.mjs';
import { emptyNode, interleave, timeCall } from './measure.mjs';
import { again, allRecorded, recorded } from './payloads.mjs';
import { loadProduct } from './product.mjs';
import { milliseconds, times, whole } from './table.mjs';

const MOST_TIMES_NODE = 2;
const EVENTS = 100_000;
const SESSIONS = 300;
const PROJECTS = 10;
const WAITING = 5_000;

export async function measure({ runs, say }) {
  const product = await loadProduct();
  const work = workFolder();
  const cairn = installedHome(work);
  const projects = Array.from({ length: PROJECTS }, (_, number) => makeProject(`${work}/project-${number}`));
  say(`  filling a store with ${whole(EVENTS)} events …`);
  const filler = fileURLToPath(new URL('fill-store.mjs', import.meta.url));
  execFileSync(process.execPath, [filler, cairn.home, EVENTS, SESSIONS, ...projects], { stdio: 'inherit' });

  const world = { cairn, product, folder: projects[0], paths: product.pathsOf(cairn.home) };
  // The very first session is greeted instead.
  await timeCall(sessionStart(world));
  // Five thousand files are put back after each run, which takes far longer than the run itself.
  const mostRuns = Math.min(runs, 60);
  const fewRuns = Math.ceil(mostRuns / 2);
  const series = [
    { name: `${whole(WAITING)} files waiting`, runs: mostRuns, ...manyWaiting(world, work) },
    {
      name: `${whole(WAITING)} files waiting, an intake at work`,
      runs: fewRuns,
      ...manyWaiting(world, work, true),
    },
    { name: 'nothing waiting', runs: fewRuns, ...fewWaiting(world, 0) },
    { name: '50 files waiting, taken in by the hook', runs: fewRuns, ...fewWaiting(world, 50) },
  ];
  const rows = [];
  for (const { name, runs: rounds, start, end, ...turns } of series) {
    const release = start();
    const subjects = [emptyNode(cairn.env), { name, call: () => sessionStart(world), ...turns }];
    const { [name]: hook, 'node -e 0': floor } = await interleave(subjects, {
      runs: rounds,
      say,
      title: name,
    });
    release();
    await end();
    rows.push(row(name, hook, floor));
  }
  return {
    title: `Answering hook: SessionStart with ${whole(EVENTS)} events in the store (${whole(SESSIONS)} sessions, ${PROJECTS} projects)`,
    columns: ['', 'median', 'p95', 'p99', 'node -e 0', '× node -e 0', 'runs', 'target'],
    rows,
    notes: [
      `Target: at most ${MOST_TIMES_NODE} × node -e 0. Every answer was checked: it told of five sessions.`,
    ],
  };
}

function sessionStart({ cairn, folder }) {
  const session = randomUUID();
  const payload = again(recorded('SessionStart.startup'), { session, folder });
  return hookCall(cairn, { event: 'SessionStart', payload, folder, session });
}

/** The worker which the hook starts is stopped after each run and what it took in is put back. */
function manyWaiting({ cairn, product, paths, folder }, work, intakeAtWork = false) {
  const reserve = join(work, `reserve-${intakeAtWork}`);
  return {
    start() {
      writeFiles(product, { ...paths, spool: reserve }, WAITING, folder);
      return intakeAtWork ? product.tryLock(paths.intakeLock) : () => {};
    },
    before() {
      const present = new Set(product.listSpool(paths));
      for (const name of fs.readdirSync(reserve))
        if (!present.delete(name)) fs.linkSync(join(reserve, name), join(paths.spool, name));
      for (const name of present) fs.rmSync(join(paths.spool, name));
    },
    async after(result) {
      stopWorkers(cairn.home);
      checkAnswer(result);
      await untilQuiet(cairn.home, { spoolMayHoldFiles: true });
    },
    async end() {
      stopWorkers(cairn.home);
      for (const name of product.listSpool(paths)) fs.rmSync(join(paths.spool, name));
      fs.rmSync(reserve, { recursive: true });
    },
  };
}

function fewWaiting({ cairn, product, paths, folder }, count) {
  return {
    start: () => () => {},
    before() {
      for (const name of product.listSpool(paths)) fs.rmSync(join(paths.spool, name));
      writeFiles(product, paths, count, folder);
    },
    async after(result) {
      checkAnswer(result);
      await untilQuiet(cairn.home, { spoolMayHoldFiles: true });
    },
    end: () => untilQuiet(cairn.home, { spoolMayHoldFiles: true }),
  };
}

function writeFiles(product, paths, count, folder) {
  const payloads = allRecorded(['PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit', 'Stop']);
  for (let index = 0; index < count; index++) {
    const session = `0b9d6f0e-0000-4000-8000-${String(index % 20).padStart(12, '0')}`;
    const payload = again(payloads[index % payloads.length], { session, folder });
    const header = {
      agent: 'claude-code',
      hook: payload.hook_event_name,
      via: 'settings',
      projectDir: folder,
    };
    product.writeSpoolFile(paths, header, session, Buffer.from(JSON.stringify(payload)));
  }
}

function checkAnswer({ exitCode, stdout, stderr }) {
  const context = exitCode === 0 && stdout && JSON.parse(stdout).hookSpecificOutput?.additionalContext;
  const sessions = context ? context.match(/^\[s\d+\] /gm)?.length : 0;
  if (sessions !== 5 || stderr)
    throw new Error(`No answer with five sessions: ${exitCode} ${stdout} ${stderr}`);
}

function row(name, { median, p95, p99, runs }, floor) {
  const timesNode = median / floor.median;
  const verdict = timesNode <= MOST_TIMES_NODE ? 'met' : 'above target';
  return {
    cells: [
      name,
      ...[median, p95, p99, floor.median].map(milliseconds),
      times(timesNode),
      String(runs),
      verdict,
    ],
    figures: { name, median, p95, p99, runs, emptyNode: floor.median, timesNode, verdict },
  };
}
