import { existsSync } from 'node:fs';
import { prepareHome } from '../capture/home.ts';
import { when } from '../context/words.ts';
import { startDetached } from '../platform/detach.ts';
import { workerProgram } from '../platform/installation.ts';
import { VERSION } from '../platform/version.ts';
import { askToStop, forgetAsking, isAskedToStop, runningWorker } from '../worker/note.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './command.ts';
import { followLogs } from './logs.ts';
import { nearest } from './nearest.ts';

const PATIENCE_MS = 20_000;

export const command: Command = {
  name: 'worker',
  summary: 'The background process: start, stop, restart, status, logs',
  usage: 'worker [status] [--json]\nworker start | stop | restart\nworker logs [-f]',
  help: 'It starts by itself when there is something to do and ends soon after. Nothing depends on its being there.',
  options: { json: { type: 'boolean' }, follow: { type: 'boolean', short: 'f' } },
  words: 1,
  async run(call) {
    const [action = 'status'] = call.positionals;
    switch (action) {
      case 'status':
        return status(call);
      case 'start':
        return start(call);
      case 'stop':
        return stop(call);
      case 'restart':
        await stop(call);
        return start(call);
      case 'logs':
        return followLogs(call, 'worker', call.options.follow === true);
      default: {
        const meant = nearest(action, ['status', 'start', 'stop', 'restart', 'logs']);
        throw new UsageError(`"cairn worker" cannot ${action}.${meant ? ` Did you mean ${meant}?` : ''}`);
      }
    }
  },
};

function status(call: Call): number {
  const running = runningWorker(call.paths);
  if (call.options.json) printJson(call, { running: running !== null, ...running });
  else if (!running) call.out('No worker runs. It starts by itself when there is something to do.');
  else {
    const since = running.startedAt ? ` since ${when(running.startedAt, call.now())}` : '';
    call.out(`The worker runs${since} (process ${running.pid ?? '?'}, Cairn ${running.version ?? '?'}).`);
    if (running.version && running.version !== VERSION)
      call.out('It is of another version and restarts by itself.');
  }
  return 0;
}

async function start(call: Call): Promise<number> {
  if (!existsSync(workerProgram()))
    throw new CommandError(`${workerProgram()} is missing. Install Cairn again.`);
  if (runningWorker(call.paths)) {
    call.out('The worker runs already.');
    return 0;
  }
  prepareHome(call.home, call.env.searchPath);
  startDetached(process.execPath, [workerProgram()]);
  if (!(await until(call, () => runningWorker(call.paths) !== null)))
    throw new CommandError('The worker did not start. Why: cairn worker logs');
  call.out('The worker runs. It ends by itself when there is nothing left to do.');
  return 0;
}

async function stop(call: Call): Promise<number> {
  if (!runningWorker(call.paths)) {
    call.out('No worker runs.');
    return 0;
  }
  if (!(await until(call, () => hasEnded(call))))
    throw new CommandError(
      'The worker finishes what it holds and has not ended yet. Look again: cairn worker status',
    );
  forgetAsking(call.paths);
  call.out('The worker has ended.');
  return 0;
}

/** Asks again as long as there is one: a worker that a hook has just woken may come in between. */
function hasEnded({ paths }: Call): boolean {
  if (!runningWorker(paths)) return true;
  if (!isAskedToStop(paths)) askToStop(paths);
  return false;
}

async function until({ now }: Call, isDone: () => boolean): Promise<boolean> {
  const end = now() + PATIENCE_MS;
  while (!isDone()) {
    if (now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}
