import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { captureBroken } from '../capture/capture-broken.ts';
import { drainWithin } from '../capture/drain.ts';
import { prepareHome, writtenWith } from '../capture/home.ts';
import { placeOf } from '../capture/place.ts';
import { inTimeOrder, listSpool } from '../capture/spool.ts';
import { stall, TOO_OLD_MS } from '../capture/stall.ts';
import type { Environment } from '../config/environment.ts';
import type { Settings } from '../config/settings.ts';
import { recentSessionsContext } from '../context/recent-sessions.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import { startDetached } from '../platform/detach.ts';
import { readIfThere, writeAtomically } from '../platform/files.ts';
import { hookProgram } from '../platform/installation.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import { VERSION } from '../platform/version.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import type { Memory } from './handlers/handler.ts';

const DRAIN_MS = 20;
/** Beyond this even looking at the files' times takes too long; the drainer does it. */
const FILES_WORTH_A_LOOK = 200;

export interface MemoryWorld {
  paths: Paths;
  env: Environment;
  settings: Settings;
  log: Log;
  now: () => number;
  /** How long the database may keep us waiting. */
  busyMs: number;
}

/** Answers for one hook call, from the store as it is after a short intake. */
export function openMemory(world: MemoryWorld, event: AgentEvent): Memory & { close(): void } {
  const { paths, env, settings, log, now, busyMs } = world;
  let opened: Store | null | undefined;
  let intakeIsHeld = false;

  function store(): Store | null {
    if (opened !== undefined) return opened;
    try {
      opened = openSqliteStore(paths.database, { busyMs });
      takeInWhatFits(opened);
    } catch (error) {
      log.warn('memory not available to a hook', { cause: describeError(error) });
      opened ??= null;
    }
    return opened;
  }

  /** This session first, then the rest, and never for long. */
  function takeInWhatFits(into: Store): void {
    const until = now() + DRAIN_MS;
    const waiting = listSpool(paths);
    const only =
      waiting.length > FILES_WORTH_A_LOOK
        ? (name: string) => name.startsWith(`${event.sessionId}.`)
        : () => true;
    const taken = drainWithin({ paths, settings, log, now }, into, { only, until, batchFiles: 50 });
    intakeIsHeld = taken === null;
    if (!taken || taken.left > 0) startDetached(process.execPath, [hookProgram(), 'drain']);
  }

  function recentSessions(): { text: string; count: number } {
    const limit = settings['context.recentSessions'];
    const folder = env.projectDir ?? event.cwd;
    if (limit === 0 || !folder) return { text: '', count: 0 };
    try {
      const project = store()?.findProject(placeOf(folder));
      if (!project) return { text: '', count: 0 };
      const sessions = (
        store()?.recentSessions({ projectId: project.id, except: event.sessionId, limit }) ?? []
      ).filter(({ firstPrompt }) => firstPrompt);
      const text = recentSessionsContext(sessions, { project: project.name, now: now(), folder });
      return { text, count: sessions.length };
    } catch (error) {
      log.warn('recent sessions not available', { cause: describeError(error) });
      return { text: '', count: 0 };
    }
  }

  function isFirstSession(): boolean {
    const mark = join(paths.state, 'welcomed');
    if (existsSync(mark)) return false;
    store();
    writeAtomically(mark, '');
    return true;
  }

  function troubles(): string[] {
    const found: string[] = [];
    const broken = captureBroken(paths);
    if (broken)
      found.push(
        `Cairn: the hook ${broken.hook} of ${broken.agent} was given no input, so it captures nothing. Run: cairn doctor`,
      );
    const stalled = stall(paths);
    if (stalled && stalled.count >= settings['hooks.failLoudThreshold'])
      found.push(`Cairn: events wait to be stored (${stalled.cause}) Run: cairn doctor`);
    store();
    if (intakeIsHeld && isOld(inTimeOrder(paths, listSpool(paths).slice(0, FILES_WORTH_A_LOOK))[0]?.at))
      found.push('Cairn: events have waited to be stored for more than 10 minutes. Run: cairn doctor');
    const written = writtenWith(paths.home);
    // After an update the shell program in the home is still the old one.
    if (written && written.version !== VERSION) prepareHome(paths.home, env.searchPath);
    const plugin = env.pluginRoot && pluginVersion(env.pluginRoot);
    if (plugin && plugin !== VERSION)
      found.push(
        `Cairn: the plugin is ${plugin}, Cairn itself ${VERSION}. Update both: npm install -g cairn-memory, claude plugin update cairn@cairn`,
      );
    return found;
  }

  function isOld(at: number | undefined): boolean {
    return at !== undefined && now() - at > TOO_OLD_MS;
  }

  return { recentSessions, isFirstSession, troubles, close: () => opened?.close() };
}

function pluginVersion(root: string): string | undefined {
  try {
    return JSON.parse(readIfThere(join(root, '.claude-plugin', 'plugin.json')) ?? '{}').version;
  } catch {
    return undefined;
  }
}
