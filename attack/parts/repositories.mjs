import fs from 'node:fs';
import { join } from 'node:path';
import { reportCanaries } from '../canary.mjs';
import { checkCommand, checkHook } from '../checks.mjs';
import { compareWithStore } from '../database.mjs';
import { inParallel } from '../process.mjs';
import { FIFO_PLACES, makeFifoRepository } from '../repositories/fifos.mjs';
import { HOSTILE_REPOSITORIES, isArmed } from '../repositories/hostile.mjs';
import { sessionEvents } from '../repositories/session.mjs';
import { callHook, drain, runCairn, runWorker } from '../sandbox.mjs';

const COMMANDS = [
  ['status'],
  ['context'],
  ['context', '--for', 'prompt', '--prompt', 'what about src/a.txt'],
  ['file', 'src/a.txt'],
  ['recent'],
  ['search', 'attack', '--why'],
  ['remember', '--file', 'src/a.txt', 'A note about the file'],
  ['handoff', 'save'],
  ['work', 'show'],
  ['notes'],
  ['doctor'],
];
const COMMAND_LIMIT_MS = 15_000;
const WORKER_LIMIT_MS = 20_000;
const FIFOS_AT_ONCE = 4;
const AT_ONCE = 3;

/**
 * Runs hooks, worker and commands in repositories whose settings make git run programs, and in repositories with FIFOs
 * in place of files. Nothing may be executed, nothing may hang, no event may be lost.
 */
export async function attack({ tally, random, deadline, events, openSandbox }) {
  const isChosen = () => events >= 1_000 || random.chance(events / 1_000);
  const tricks = Object.entries(HOSTILE_REPOSITORIES).filter(isChosen);
  await attackWithSettings({ tally, deadline, sandbox: openSandbox('repositories'), tricks });
  await attackWithFifos({ tally, deadline, openSandbox, places: FIFO_PLACES.filter(isChosen) });
}

/** All repositories share one home, because a canary has the name of the trick that created it. */
async function attackWithSettings({ tally, deadline, sandbox, tricks }) {
  const repositories = tricks.map(([name, make]) => ({ name, folder: make(sandbox, name) }));
  const accepted = [];
  emptyCanary(sandbox);
  await inParallel(AT_ONCE, repositories, deadline, (repository) =>
    sendSession({ sandbox, tally, accepted, ...repository }),
  );
  reportCanaries(tally, sandbox.canary, 'hooks ran the trap');
  if (!(await runWorker(sandbox))) tally.fail('hung', 'the worker');
  reportCanaries(tally, sandbox.canary, 'the worker ran the trap');
  await inParallel(AT_ONCE, repositories, deadline, (repository) =>
    runCommands({ sandbox, tally, ...repository }),
  );
  reportCanaries(tally, sandbox.canary, 'commands ran the trap');
  tally.count('accepted', accepted.length);
  await compareAfterDrain({ tally, sandbox, accepted, name: 'hostile settings' });
  const armed = repositories.filter(({ folder }) => isArmed(sandbox, folder)).length;
  tally.note(`${armed} of ${tricks.length} hostile repositories run their trap when plain git works in them`);
}

function emptyCanary({ canary }) {
  for (const name of fs.readdirSync(canary)) fs.rmSync(join(canary, name));
}

/** Each FIFO gets its own home: a blocked intake would block those of the others. */
async function attackWithFifos({ tally, deadline, openSandbox, places }) {
  await inParallel(FIFOS_AT_ONCE, places, deadline, async (place) => {
    const sandbox = openSandbox('fifo');
    const accepted = [];
    const { folder, transcript } = makeFifoRepository(sandbox, place);
    const name = `FIFO at ${place}`;
    const isDone = await useRepository({ sandbox, tally, name, folder, transcript, accepted });
    tally.count('accepted', accepted.length);
    if (isDone) await compareAfterDrain({ tally, sandbox, accepted, name });
  });
}

async function compareAfterDrain({ tally, sandbox, accepted, name }) {
  if (await drain(sandbox)) compareWithStore(tally, sandbox.home, { sent: accepted, accepted });
  else tally.fail('hung', `the spool was not ingested, ${name}`);
}

/** Runs a session, the worker and the commands until something hangs. @returns whether nothing did. */
async function useRepository({ sandbox, tally, name, folder, transcript, accepted }) {
  if (!(await sendSession({ sandbox, tally, name, folder, transcript, accepted }))) return false;
  if (await runWorker(sandbox, WORKER_LIMIT_MS)) return runCommands({ sandbox, tally, name, folder });
  tally.fail('hung', `the worker, ${name}`);
  return false;
}

async function sendSession({ sandbox, tally, name, folder, transcript, accepted }) {
  for (const item of sessionEvents(name, folder, transcript)) {
    tally.count('tried');
    const result = await callHook(sandbox, item.event, item.payload, { session: item.session, cwd: folder });
    if (checkHook(tally, `${item.event}, ${name}`, result)) accepted.push(item);
    else if (result.hung) return false;
  }
  return true;
}

async function runCommands({ sandbox, tally, name, folder }) {
  for (const args of COMMANDS) {
    tally.count('tried');
    const result = await runCairn(sandbox, args, { cwd: folder, limitMs: COMMAND_LIMIT_MS });
    checkCommand(tally, `${args[0]}, ${name}`, result, { mayFail: true });
    if (result.hung) return false;
  }
  return true;
}
