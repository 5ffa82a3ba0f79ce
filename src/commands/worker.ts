import { existsSync } from 'node:fs';
import { ownOrigin } from '../api/own-address.ts';
import { prepareHome } from '../capture/home.ts';
import { formatAge } from '../context/words.ts';
import { workerProgram } from '../platform/installation.ts';
import { startWorker } from '../platform/start-worker.ts';
import { VERSION } from '../platform/version.ts';
import { clearStopRequest, findRunningWorker, isStopRequested, requestStop } from '../worker/worker-note.ts';
import { followLogs } from './logs.ts';
import { type Call, type Command, CommandError, printJson } from './support/command.ts';
import { selectSubcommand } from './support/usage.ts';

const PATIENCE_MS = 20_000;

export const command: Command = {
  name: 'worker',
  summary: 'Manage the background worker',
  usage: 'worker [status] [--json]\nworker start | stop | restart\nworker logs [-f]',
  help: 'It starts when there are jobs and ends soon after. Capture, search and context work without it.',
  options: { json: { type: 'boolean' }, follow: { type: 'boolean', short: 'f' } },
  words: 1,
  run(call) {
    const [action = 'status'] = call.positionals;
    return selectSubcommand({ status, start, stop, restart, logs }, action)(call);
  },
};

async function restart(call: Call): Promise<number> {
  await stop(call);
  return start(call);
}

function logs(call: Call): number | Promise<number> {
  return followLogs(call, 'worker', call.options.follow === true);
}

function status(call: Call): number {
  const running = findRunningWorker(call.paths);
  if (call.options.json) printJson(call, { running: running !== null, ...running });
  else if (!running) call.out('The worker is not running. It starts when there are jobs.');
  else {
    const since = running.startedAt ? ` since ${formatAge(running.startedAt, call.now())}` : '';
    call.out(
      `The worker is running${since} (process ${running.pid ?? '?'}, Cairn ${running.version ?? '?'}).`,
    );
    if (running.port) call.out(`The local API answers on ${ownOrigin(running.port)}.`);
    if (running.version && running.version !== VERSION)
      call.out('It has another version and restarts automatically.');
  }
  return 0;
}

async function start(call: Call): Promise<number> {
  if (!existsSync(workerProgram()))
    throw new CommandError(`${workerProgram()} is missing. Install Cairn again.`);
  if (findRunningWorker(call.paths)) {
    call.out('The worker is already running.');
    return 0;
  }
  prepareHome(call.home, call.env.searchPath);
  startWorker();
  if (!(await waitUntil(call, () => findRunningWorker(call.paths) !== null)))
    throw new CommandError('The worker did not start. Details: cairn worker logs');
  call.out('The worker is running. It ends when the queue is empty.');
  return 0;
}

async function stop(call: Call): Promise<number> {
  if (!findRunningWorker(call.paths)) {
    call.out('The worker is not running.');
    return 0;
  }
  if (!(await waitUntil(call, () => hasEnded(call))))
    throw new CommandError('The worker is still finishing its current job. Check again: cairn worker status');
  clearStopRequest(call.paths);
  call.out('Stopped the worker.');
  return 0;
}

/** Repeats the request while a worker runs: a hook may start one meanwhile. */
function hasEnded({ paths }: Call): boolean {
  if (!findRunningWorker(paths)) return true;
  if (!isStopRequested(paths)) requestStop(paths);
  return false;
}

async function waitUntil({ now }: Call, isDone: () => boolean): Promise<boolean> {
  const end = now() + PATIENCE_MS;
  while (!isDone()) {
    if (now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}
