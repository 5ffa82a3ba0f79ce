import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hookCall, installedHome, makeProject, stopWorkers, untilQuiet, workFolder } from './home.mjs';
import { emptyNode, interleave, timeCall } from './measure.mjs';
import { PARTS } from './parts.mjs';
import { again, allRecorded, recorded } from './payloads.mjs';
import { loadProduct } from './product.mjs';
import { besideNode, whole } from './table.mjs';

const MOST_TIMES_NODE = 2.5;
const EVENTS = 100_000;
const SESSIONS = 300;
const MEMORIES = 100_000;
const PROJECTS = 10;
const WAITING = 5_000;
const STEPS = 30;
const STEP_OF_PLAN = 'Take over the part of the old one and cover it with a test,';

export async function measure({ runs, say }) {
  const product = await loadProduct();
  const work = workFolder();
  const cairn = installedHome(work);
  const projects = Array.from({ length: PROJECTS }, (_, number) => makeProject(`${work}/project-${number}`));
  say(`  filling a store with ${whole(EVENTS)} events and ${whole(MEMORIES)} memories …`);
  fill(new URL('fill-store.mjs', import.meta.url), cairn.home, EVENTS, SESSIONS, ...projects);
  fill(new URL('fill-memories.mjs', import.meta.url), cairn.home, MEMORIES, ...projects);

  makeCheckout(projects[0]);
  const world = { cairn, product, folder: projects[0], paths: product.pathsOf(cairn.home) };
  // The first session of a home would get the welcome message instead.
  await timeCall(sessionStart(world));
  // Restoring five thousand files after each run takes far longer than the run itself.
  const mostRuns = Math.min(runs, 60);
  const fewRuns = Math.ceil(mostRuns / 2);
  const start = { call: () => sessionStart(world), check: checkStart };
  const series = [
    { name: `start, ${whole(WAITING)} files waiting`, runs: mostRuns, ...start, ...manyWaiting(world, work) },
    {
      name: `start, ${whole(WAITING)} files waiting, an intake at work`,
      runs: fewRuns,
      ...start,
      ...manyWaiting(world, work, true),
    },
    { name: 'start, nothing waiting', runs: fewRuns, ...start, ...fewWaiting(world, 0) },
    { name: 'start, a file waiting (after /clear)', runs: fewRuns, ...start, ...fewWaiting(world, 1) },
    {
      name: 'start, 50 files waiting',
      runs: fewRuns,
      hasTarget: false,
      ...start,
      ...fewWaiting(world, 50),
    },
    {
      name: 'prompt, something fits',
      runs: fewRuns,
      ...prompting(world, FITTING_PROMPT, checkPrompt),
      ...fewWaiting(world, 0),
    },
    {
      name: 'prompt, nothing fits',
      runs: fewRuns,
      ...prompting(world, 'thanks, that looks good to me', checkSilence),
      ...fewWaiting(world, 0),
    },
    {
      name: 'before a read, something is known',
      runs: fewRuns,
      ...reading(world, knownFiles(), checkRead),
      ...fewWaiting(world, 0),
    },
    {
      name: 'before a read, nothing is known',
      runs: fewRuns,
      ...reading(world, () => 'src/unknown.ts', checkSilence),
      ...fewWaiting(world, 0),
    },
  ];
  // Last, because every later session start mentions the work item.
  series.push({
    name: `start, a work item with its plan and ${STEPS} tasks`,
    runs: fewRuns,
    ...start,
    check: checkWork,
    begin: () => planWork(world),
    ...fewWaiting(world, 0),
  });
  const rows = [];
  for (const { name, runs: rounds, hasTarget = true, start: prepare, end, ...rest } of series) {
    const { call, check, begin, after, before } = rest;
    await begin?.();
    const release = prepare();
    const subject = { name, call, before, after: (result) => after(result, check) };
    const { [name]: hook, 'node -e 0': floor } = await interleave([emptyNode(cairn.env), subject], {
      runs: rounds,
      say,
      title: name,
    });
    release();
    await end();
    const isMet = hasTarget ? ({ timesNode }) => timesNode <= MOST_TIMES_NODE : undefined;
    rows.push(besideNode(name, hook, floor, isMet));
  }
  return {
    title: `Answering hooks with ${whole(EVENTS)} events and ${whole(MEMORIES)} memories in the store (${PROJECTS} projects)`,
    columns: ['', 'median', 'p95', 'p99', 'node -e 0', '× node -e 0', 'runs', 'target'],
    rows,
    notes: [
      `Target: at most ${MOST_TIMES_NODE} × node -e 0. Every answer was checked for what it gave and how much. ` +
        'Fifty files wait only where no worker could run: ingesting them may then take up to 100 ms.',
    ],
  };
}

/** A checkout with sixty files per part. Two files that memories are about have changed since the commit. */
function makeCheckout(folder) {
  const git = (...args) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  const files = PARTS.flatMap((part) =>
    Array.from({ length: 60 }, (_, number) => join(folder, `src/${part}/part-${number}.ts`)),
  );
  for (const part of PARTS) fs.mkdirSync(join(folder, 'src', part), { recursive: true });
  for (const file of files) fs.writeFileSync(file, 'export {};\n');
  git('init', '--quiet');
  git('add', '--all');
  for (const path of ['src/parser/part-0.ts', 'src/cache/part-1.ts'])
    fs.appendFileSync(join(folder, path), 'let changed;\n');
}

/** Matches memory 99,901 of fill-memories.mjs. */
const FITTING_PROMPT = 'why does the cache drop files when case 99901 comes first?';

/** Returns the next path each time, in the form in which fill-memories.mjs names files of the first project. */
function knownFiles() {
  let turn = 0;
  return () => {
    // The last part has only summaries.
    const parts = PARTS.length - 1;
    const part = turn % parts;
    const hundred = Math.floor(turn++ / parts) % 4;
    return `src/${PARTS[part]}/part-${hundred * 100 + part}.ts`;
  };
}

function fill(program, ...args) {
  execFileSync(process.execPath, [fileURLToPath(program), ...args], { stdio: 'inherit' });
}

function sessionStart({ cairn, folder }, session = randomUUID()) {
  const payload = again(recorded('SessionStart.startup'), { session, folder });
  return hookCall(cairn, { event: 'SessionStart', payload, folder, session });
}

/** A session that plans, gets its plan accepted, starts working on it and ends. */
async function planWork({ cairn, folder }) {
  const session = randomUUID();
  const steps = Array.from({ length: STEPS }, (_, at) => `${at + 1}. ${STEP_OF_PLAN} number ${at + 1}`);
  const plan = `# Move the invoices to the new router\n\n${steps.join('\n')}\n`;
  const prompted = again(recorded('UserPromptSubmit'), { session, folder });
  const accepted = again(recorded('PostToolUse.ExitPlanMode.with-plan'), { session, folder });
  const begun = again(recorded('PostToolUse.Bash'), { session, folder });
  const ended = again(recorded('SessionEnd.other'), { session, folder });
  for (const payload of [
    { ...prompted, prompt: 'Move the invoices to the new router, step by step' },
    { ...accepted, tool_response: { ...accepted.tool_response, plan } },
    begun,
    ended,
  ])
    await timeCall(hookCall(cairn, { event: payload.hook_event_name, payload, folder, session }));
  await untilQuiet(cairn.home);
}

/** Sends each prompt in a new session, which has been given nothing yet. */
function prompting({ cairn, folder }, prompt, check) {
  const call = () => {
    const session = randomUUID();
    const payload = { ...again(recorded('UserPromptSubmit'), { session, folder }), prompt };
    return hookCall(cairn, { event: 'UserPromptSubmit', payload, folder, session });
  };
  return { call, check };
}

/** Reads all files in one session, which was given nothing but the list of files. */
function reading(world, nextPath, check) {
  const { cairn, folder, paths } = world;
  const session = randomUUID();
  const call = () => {
    const payload = again(recorded('PreToolUse.Read'), { session, folder });
    payload.tool_input = { file_path: join(folder, nextPath()) };
    return hookCall(cairn, { event: 'PreToolUse', payload, folder, session });
  };
  const begin = async () => {
    fs.writeFileSync(paths.config, JSON.stringify({ 'context.tokens': 0 }));
    await timeCall(sessionStart(world, session));
    const payload = { ...again(recorded('UserPromptSubmit'), { session, folder }), prompt: 'hello' };
    await timeCall(hookCall(cairn, { event: 'UserPromptSubmit', payload, folder, session }));
    fs.rmSync(paths.config);
  };
  return { call, check, begin };
}

/** Stops the worker that the hook starts after each run, and restores the spool files that it has ingested. */
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
    async after(result, check) {
      stopWorkers(cairn.home);
      check(result);
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
    async after(result, check) {
      check(result);
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

function checkStart(result) {
  const entries = contextIn(result).match(/#\d+ /g)?.length ?? 0;
  if (entries < 20) throw new Error(`A context of ${entries} memories: ${JSON.stringify(result)}`);
}

function checkWork(result) {
  const tasks = contextIn(result).match(/^\[ \] \d+ /gm)?.length ?? 0;
  if (tasks < STEPS / 2) throw new Error(`${tasks} tasks: ${JSON.stringify(result)}`);
}

function checkPrompt(result) {
  const entries = contextIn(result).match(/^#\d+ /gm)?.length ?? 0;
  if (entries === 0 || entries > 3) throw new Error(`${entries} memories: ${JSON.stringify(result)}`);
}

function checkRead(result) {
  if (!/^#\d+ /m.test(contextIn(result))) throw new Error(`No word on the file: ${JSON.stringify(result)}`);
}

function checkSilence({ exitCode, stdout, stderr }) {
  if (exitCode !== 0 || stdout || stderr) throw new Error(`Not silent: ${exitCode} ${stdout} ${stderr}`);
}

function contextIn({ exitCode, stdout, stderr }) {
  const context = exitCode === 0 && stdout && JSON.parse(stdout).hookSpecificOutput?.additionalContext;
  if (!context || stderr || context.length > 10_000)
    throw new Error(`No answer, or too long a one: ${exitCode} ${stdout} ${stderr}`);
  return context;
}
