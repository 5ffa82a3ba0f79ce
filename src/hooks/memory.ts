import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { captureBroken } from '../capture/capture-broken.ts';
import { drainWithin } from '../capture/drain.ts';
import { prepareHome, writtenWith } from '../capture/home.ts';
import type { Location } from '../capture/intake.ts';
import { modelTrouble } from '../capture/model-trouble.ts';
import { glimpseSpool, inTimeOrder, listSpool } from '../capture/spool.ts';
import { stall, TOO_OLD_MS } from '../capture/stall.ts';
import { storedPlaceOf } from '../capture/stored-place.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import { readIfThere, writeAtomically } from '../platform/files.ts';
import { describeError } from '../platform/log.ts';
import { VERSION } from '../platform/version.ts';
import { openHookStore } from '../store/sqlite/sqlite-store.ts';
import type { HookStore } from '../store/store.ts';
import { createGiving, type GivingWorld } from './give.ts';
import type { Memory } from './handlers/handler.ts';

/** Mostly the worker has left nothing; otherwise it is how the session before this one has ended, which is worth it. */
const DRAIN_MS = 100;
/** Beyond this even looking at the files' times takes too long; the worker does it. */
const FILES_WORTH_A_LOOK = 200;
/** A larger one takes more time to clean than the agent should wait. */
const LARGEST_FILE = 256 * 1024;
/** Where many have waited for long, one of these has. */
const FILES_TELLING_AGE = 40;

export interface MemoryWorld extends GivingWorld {
  /** How long the database may keep us waiting. */
  busyMs: number;
  /** The spool file of this very event: no answer depends on it. */
  ownFile?: string | undefined;
  /** Has the rest taken in by a process of its own. */
  wakeWorker: () => void;
}

/** Answers for one hook call, from the store as it is after a short intake. */
export function openMemory(world: MemoryWorld, event: AgentEvent): Memory & { close(): void } {
  const { paths, env, settings, log, now, busyMs, ownFile, wakeWorker } = world;
  let opened: HookStore | null | undefined;
  let leftToOthers: string[] = [];
  let leavesWork = false;

  function store(): HookStore | null {
    if (opened !== undefined) return opened;
    try {
      opened = openHookStore(paths.database, busyMs);
      if (event.kind === 'session-start' || event.kind === 'compact-start') catchUp(opened);
    } catch (error) {
      log.warn('memory not available to a hook', { cause: describeError(error) });
      opened ??= null;
    }
    return opened;
  }

  /** Other events have less time, and come while the worker is at it anyway. */
  function catchUp(into: HookStore): void {
    takeInWhatFits(into);
    // Left by a worker that was killed, or waiting for a model that was away.
    if (leavesWork || into.nextJobAt(['distil', 'polish']) !== null) wakeWorker();
  }

  /** This session first, then the rest, and never for long. */
  function takeInWhatFits(into: HookStore): void {
    const until = now() + DRAIN_MS;
    const isOther = (name: string) => name !== ownFile;
    const some = glimpseSpool(paths, FILES_WORTH_A_LOOK + 1).filter(isOther);
    if (some.length === 0) return;
    const isAll = some.length < FILES_WORTH_A_LOOK;
    const names = isAll || hasJustBegun(event) ? some : listSpool(paths).filter(isOther);
    const only = (name: string) => isAll || name.startsWith(`${event.sessionId}.`);
    const limits = { names, only, until, batchFiles: 50, largestFile: LARGEST_FILE };
    const taken = drainWithin({ paths, settings, log, now, locate: locateHere }, into, limits);
    // Whoever holds the intake looks again before it ends, or has seen that something is left.
    if (taken === null) leftToOthers = names;
    else if (taken.left > 0) leavesWork = true;
  }

  /** Only this call's folder is known to answer. */
  function locateHere(folder: string): Location {
    return folder === (env.projectDir ?? event.cwd) ? storedPlaceOf(folder) : 'later';
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
    const model = modelTrouble(paths);
    if (model) found.push(`Cairn: the model is not asked any more: ${model.why}`);
    store();
    if (isOld(inTimeOrder(paths, leftToOthers.slice(0, FILES_TELLING_AGE))[0]?.at))
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

  return { ...createGiving(world, event, store), isFirstSession, troubles, close: () => opened?.close() };
}

/** Nothing that waits in the spool can be its own. */
function hasJustBegun(event: AgentEvent): boolean {
  return event.kind === 'session-start' && event.source === 'startup';
}

function pluginVersion(root: string): string | undefined {
  try {
    return JSON.parse(readIfThere(join(root, '.claude-plugin', 'plugin.json')) ?? '{}').version;
  } catch {
    return undefined;
  }
}
