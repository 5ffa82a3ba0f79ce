import { setTimeout as sleep } from 'node:timers/promises';
import { checkCommand, checkHook } from '../checks.mjs';
import { compareWithStore } from '../database.mjs';
import { createEvents } from '../events.mjs';
import { hookProcessesBelow, inParallel, killProcess, waitUntil, workersOf } from '../process.mjs';
import { callHook, drain, runCairn } from '../sandbox.mjs';
import { isInSpool } from '../spool.mjs';
import { withBrokenNode } from './broken-node.mjs';

const AT_ONCE = 6;

/**
 * Sends events while workers, answering hooks and shells are killed at random times. An event counts as accepted when
 * its shell exited with 0, even if the node it started was killed, or when its spool file was complete. Every accepted
 * event must be in the database exactly once.
 */
export async function attack({ tally, random, deadline, events: count, openSandbox }) {
  const sandbox = openSandbox('kills');
  const storm = { over: false, workers: 0, nodes: 0, shells: 0, commands: 0 };
  const sent = createEvents(random, count, { cwd: sandbox.project });
  const accepted = [];
  const plans = sent.map(({ answers }) => planKill(random, answers));

  const background = [killWorkers(sandbox, storm, random), runCommands(sandbox, storm, tally, random)];
  await inParallel(AT_ONCE, sent.entries(), deadline, async ([number, item]) => {
    tally.count('tried');
    if (await send(sandbox, item, plans[number], storm, tally)) accepted.push(item);
  });
  storm.over = true;
  await Promise.all(background);

  for (const variant of ['node ends with 1', 'node is missing', 'bundle is missing']) {
    const more = createEvents(random, Math.max(13, Math.ceil(count / 50)), {
      cwd: sandbox.project,
      label: variant,
    });
    await withBrokenNode(sandbox, variant, () =>
      inParallel(AT_ONCE, more, Number.POSITIVE_INFINITY, async (item) => {
        tally.count('tried');
        if (await send(sandbox, item, null, storm, tally)) accepted.push(item);
      }),
    );
    sent.push(...more);
  }

  tally.count('accepted', accepted.length);
  if (!(await drain(sandbox))) tally.fail('hung', 'the spool was not ingested');
  compareWithStore(tally, sandbox.home, { sent, accepted });
  const { workers, nodes, shells, commands } = storm;
  tally.note(
    `killed: ${workers} workers, ${nodes} answering hooks, ${shells} shells; ran ${commands} commands`,
  );
}

function planKill(random, answers) {
  if (answers && random.chance(0.3)) return { what: 'node', afterMs: random.below(50) };
  if (random.chance(0.03)) return { what: 'shell', afterMs: random.below(12) };
  return null;
}

async function send({ home, ...sandbox }, item, kill, storm, tally) {
  let killing = Promise.resolve();
  let wasShellKilled = false;
  const result = await callHook({ home, ...sandbox }, item.event, item.payload, {
    session: item.session,
    onStart(shell) {
      if (kill?.what === 'node') killing = killNode(shell, kill.afterMs, storm);
      if (kill?.what === 'shell')
        killing = sleep(kill.afterMs).then(() => {
          wasShellKilled = shell.exitCode === null && killProcess(shell.pid);
        });
    },
  });
  await killing;
  if (wasShellKilled && result.signal === 'SIGKILL') {
    storm.shells += 1;
    return isInSpool(home, item.find);
  }
  return checkHook(tally, item.event, result);
}

async function killNode(shell, afterMs, storm) {
  let nodes = [];
  await waitUntil(
    () => {
      nodes = hookProcessesBelow(shell.pid);
      return nodes.length > 0 || shell.exitCode !== null;
    },
    5_000,
    2,
  );
  await sleep(afterMs);
  for (const pid of nodes)
    if (hookProcessesBelow(shell.pid).includes(pid) && killProcess(pid)) storm.nodes += 1;
}

async function killWorkers({ home }, storm, random) {
  while (!storm.over) {
    await sleep(50 + random.below(700));
    for (const pid of workersOf(home)) if (killProcess(pid)) storm.workers += 1;
  }
}

async function runCommands(sandbox, storm, tally, random) {
  const commands = [['search', 'attack'], ['status'], ['recent'], ['sessions']];
  while (!storm.over) {
    const args = random.pick(commands);
    // `cairn status` exits with 1 when answers have failed, as they do here.
    checkCommand(tally, args.join(' '), await runCairn(sandbox, args), { mayFail: args[0] === 'status' });
    storm.commands += 1;
    await sleep(random.below(400));
  }
}
