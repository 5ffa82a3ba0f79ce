import { drain } from '../capture/drain.ts';
import { openLog } from '../capture/open-log.ts';
import { readEmbedderAccess, readEnvironment, readModelAccess } from '../config/environment.ts';
import { loadSettings } from '../config/settings.ts';
import { configureCairnCommand } from '../platform/cairn-command.ts';
import { describeError } from '../platform/log.ts';
import { pathsOf } from '../platform/paths.ts';
import { startWorker } from '../platform/start-worker.ts';
import { limitHeap } from './collect-garbage.ts';
import type { Embedding } from './embed.ts';
import type { Polisher } from './polish.ts';
import { createTeamWork } from './team.ts';
import { runWorker } from './worker.ts';

/** The worker process; `drain` only empties the spool and exits. */
const [mode] = process.argv.slice(2);
const env = readEnvironment();
const paths = pathsOf(env.cairnHome);
configureCairnCommand({ ...env, launcher: paths.launcher });
const { settings } = loadSettings(paths.config, env);
const log = openLog({
  folder: paths.logs,
  level: settings['log.level'],
  from: mode === 'drain' ? 'drain' : 'worker',
  makesFolder: mode === 'drain',
});

if (mode === 'drain') drain({ paths, settings, log });
else runUntilDone().catch((error: unknown) => log.error('worker failed', { cause: describeError(error) }));

async function runUntilDone(): Promise<void> {
  limitHeap();
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  // Leave the current folder: the person may want to delete or unmount it.
  process.chdir('/');
  const polisher = await loadPolisher();
  const embedding = await loadEmbedding();
  const end = await runWorker(
    {
      paths,
      settings,
      log,
      now: Date.now,
      polisher,
      embedding,
      team: createTeamWork({ paths, settings, env, log, now: Date.now }),
      agentHome: env,
    },
    stop.signal,
  );
  if (end === 'updated') startWorker();
}

/** Loaded only if a model is configured, because it takes memory. */
async function loadPolisher(): Promise<Polisher | null> {
  if (settings['model.provider'] === 'none') return null;
  const { createPolisher } = await import('./polish.ts');
  return createPolisher({ paths, settings, access: readModelAccess(), log, now: Date.now });
}

async function loadEmbedding(): Promise<Embedding | null> {
  if (settings['embedder.provider'] === 'none') return null;
  const { createEmbedding } = await import('./embed.ts');
  return createEmbedding({ paths, settings, access: readEmbedderAccess(), log, now: Date.now });
}
