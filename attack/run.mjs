// `npm run attack`: attacks the built product and reports lost, doubled and leaked data, executions, hangs and crashes.

import { parseArgs } from 'node:util';
import { createRandom } from './random.mjs';
import { formatReport } from './report.mjs';
import { createSandbox, removeSandbox, removeSandboxNow } from './sandbox.mjs';
import { createTally, hasFailed } from './tally.mjs';

/** `share` is the part's share of the time. */
const PARTS = {
  kills: { share: 4, load: () => import('./parts/kills.mjs') },
  locks: { share: 1, load: () => import('./parts/locks.mjs') },
  disk: { share: 1, load: () => import('./parts/disk.mjs') },
  ids: { share: 1, load: () => import('./parts/ids.mjs') },
  hooks: { share: 1, load: () => import('./parts/hooks.mjs') },
  mcp: { share: 1, load: () => import('./parts/mcp.mjs') },
  secrets: { share: 1, load: () => import('./parts/secrets.mjs') },
  repositories: { share: 2, load: () => import('./parts/repositories.mjs') },
};

const USAGE = `npm run attack -- [--seed N] [--minutes M] [--events N] [--only ${Object.keys(PARTS).join(',')}] [--json]`;

const options = readOptions();
if (process.platform !== 'linux') {
  console.error('The attacks find processes through /proc, so they run on Linux only.');
  process.exit(2);
}
const openSandboxes = new Set();
process.on('exit', () => {
  for (const sandbox of openSandboxes) removeSandboxNow(sandbox);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const results = await runParts();
const failed = results.some(({ tally }) => tally && hasFailed(tally));
if (options.json) console.log(JSON.stringify({ seed: options.seed, failed, results: results.map(toJson) }));
else console.log(`${formatReport(results)}\n\nRepeat: npm run attack -- ${repeatArguments()}`);
process.exitCode = failed ? 1 : 0;

async function runParts() {
  const finished = [];
  const end = Date.now() + options.minutes * 60_000;
  let sharesLeft = options.only.reduce((sum, name) => sum + PARTS[name].share, 0);
  for (const name of options.only) {
    console.error(`Attacking: ${name} …`);
    const began = Date.now();
    const { share, load } = PARTS[name];
    const deadline = began + (Math.max(0, end - began) * share) / sharesLeft;
    sharesLeft -= share;
    finished.push({ name, ...(await runPart(name, load, deadline)), seconds: (Date.now() - began) / 1_000 });
  }
  return finished;
}

async function runPart(name, load, deadline) {
  const { attack } = await load();
  const tally = createTally();
  // Each part has its own random numbers, so with --only it repeats what it did in a whole run.
  const random = createRandom(options.seed + Object.keys(PARTS).indexOf(name) * 7_919);
  const { events } = options;
  try {
    const extra = await attack({ tally, random, deadline, events, openSandbox });
    return { tally, ...extra };
  } finally {
    for (const sandbox of openSandboxes) {
      await removeSandbox(sandbox);
      openSandboxes.delete(sandbox);
    }
  }
}

function openSandbox(name, settings) {
  const sandbox = createSandbox(name, settings);
  openSandboxes.add(sandbox);
  return sandbox;
}

function toJson({ name, tally, seconds, leaks, skipped }) {
  const { counts, findings, notes } = tally;
  return { name, ...counts, seconds, findings, notes, ...(leaks && { leaks }), ...(skipped && { skipped }) };
}

function repeatArguments() {
  const { seed, events, only } = options;
  const all = only.length === Object.keys(PARTS).length;
  return [`--seed ${seed}`, `--events ${events}`, ...(all ? [] : [`--only ${only.join(',')}`])].join(' ');
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
        minutes: { type: 'string', default: '30' },
        events: { type: 'string', default: '2000' },
        only: { type: 'string', default: Object.keys(PARTS).join(',') },
        json: { type: 'boolean', default: false },
      },
    });
    const only = values.only.split(',');
    for (const name of only) if (!Object.hasOwn(PARTS, name)) throw new Error(`Unknown part: ${name}.`);
    return {
      seed: wholeNumber('seed', values.seed),
      minutes: wholeNumber('minutes', values.minutes),
      events: wholeNumber('events', values.events),
      only,
      json: values.json,
    };
  } catch (error) {
    console.error(`${error.message}\nUsage: ${USAGE}`);
    return process.exit(2);
  }
}

function wholeNumber(name, text) {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} takes a whole number.`);
  return Number(text);
}
