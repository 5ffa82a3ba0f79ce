import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { drain } from '../../capture/drain.ts';
import { isPaused } from '../../capture/pauses.ts';
import { playSample } from '../../capture/sample/play-sample.ts';
import { readEnvironment } from '../../config/environment.ts';
import { forgetEverywhere } from '../../curation/forget.ts';
import { describeError } from '../../platform/log.ts';
import { runProgram } from '../../platform/run-program.ts';
import type { ApiCall, ApiOptions } from '../options.ts';
import { Problem } from '../problem.ts';
import type { Handlers } from '../route.ts';
import type { sampleRoutes } from '../routes/sample.ts';
import { MOST_IDS } from '../schemas/basics.ts';
import { isSample } from './projects.ts';

/** Slow enough to watch in the feed. */
const PAUSE_MS = 350;
const HOOK_MS = 10_000;
const INTAKE_LOCK_MS = 2_000;
const DISTILL_LOOKS = 60;

export function createSampleHandlers({ paths, log, openCall }: ApiOptions): Handlers<typeof sampleRoutes> {
  let playing: { stop: AbortController; ended: Promise<void> } | null = null;
  return {
    playSample(_, { now, wakeWorker }) {
      if (process.platform === 'win32') throw new Problem(409, 'The sample session needs a POSIX shell.');
      if (playing) throw new Problem(409, 'The sample session is being played already.');
      if (isPaused(paths, paths.sample, undefined))
        throw new Problem(409, 'Capture is paused. Nothing was played. Continue: cairn unpause');
      const stop = new AbortController();
      log.info('sample session started', { at: now() });
      const ended = playSample(paths, {
        ...{ searchPath: readEnvironment().searchPath, pauseMs: PAUSE_MS, signal: stop.signal },
        run: ({ command, ...where }) =>
          runProgram(
            { program: '/bin/sh', args: ['-c', command], ...where },
            AbortSignal.any([stop.signal, AbortSignal.timeout(HOOK_MS)]),
          ),
        async untilDistilled() {
          wakeWorker();
          for (let look = 0; look < DISTILL_LOOKS && !isDistilled(openCall()); look++)
            await wait(PAUSE_MS, undefined, { signal: stop.signal });
        },
      })
        .catch((error: unknown) => {
          if (!stop.signal.aborted) log.error('sample session failed', { cause: describeError(error) });
        })
        .finally(() => {
          playing = null;
          wakeWorker();
        });
      playing = { stop, ended };
      return { isPlaying: true };
    },
    async removeSample(_, call) {
      playing?.stop.abort();
      await playing?.ended;
      return { memories: removeSample(call) };
    },
  };
}

function isDistilled({ store, paths }: ApiCall): boolean {
  const turns = store
    .listProjects()
    .filter((project) => isSample(paths, project))
    .flatMap(({ id }) => store.listSessions({ projectId: id }, MOST_IDS))
    .flatMap(({ id }) => store.listTurns(id));
  return turns.length > 0 && turns.every(({ distilledAt }) => distilledAt !== null);
}

/** @returns the number of forgotten memories. */
function removeSample(call: ApiCall): number {
  const { store, paths, settings, log, now } = call;
  // Ingested first: events left in the spool would bring the sample back.
  drain({ paths, settings, log, now, store, lockMs: INTAKE_LOCK_MS });
  let removed = 0;
  for (const { id } of store.listProjects().filter((project) => isSample(paths, project))) {
    const sessions = store.listSessions({ projectId: id }, MOST_IDS).map((session) => session.id);
    const memories = store.listMemoryIds({ projectId: id }, MOST_IDS);
    const forgotten = forgetEverywhere(call, { memories, prompts: [], sessions, withSource: true });
    removed += forgotten.memories.length;
    store.removeProject(id);
  }
  rmSync(dirname(paths.sample), { recursive: true, force: true });
  return removed;
}
