import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBrokenCapture } from '../../capture/broken-capture.ts';
import { isPaused } from '../../capture/pauses.ts';
import { findPlace } from '../../capture/place.ts';
import { readStall } from '../../capture/stall.ts';
import type { Environment } from '../../config/environment.ts';
import { loadSettings } from '../../config/settings.ts';
import { writeWindowNote } from '../../continuity/meter/window-note.ts';
import { countFailures } from '../../hooks/fail-loud.ts';
import { isSessionFileName } from '../../model/session.ts';
import { askFolder } from '../../platform/folder-answers.ts';
import { type Paths, pathsOf } from '../../platform/paths.ts';
import { openQuickReader } from '../../store/sqlite/quick-reader.ts';
import { isStoreError } from '../../store/store-error.ts';
import type { WorkItemStatus } from '../../store/types/quick-reader.ts';
import { readCachedOutput } from '../support/cached-output.ts';
import { type ClientStatus, computePercentLeft, readClientStatus } from './client-status.ts';
import { drawLine, type MemoryState } from './draw.ts';

export interface StatusLineCall {
  input: Buffer;
  /** The previous status line command. */
  theirs?: string | undefined;
  env: Environment;
  now?: () => number;
}

const THEIRS_MS = 300;
const FOLDER_MS = 200;
const BUSY_MS = 50;
/** Columns that the client needs next to the status line. */
const MARGIN = 4;
const USUAL_COLUMNS = 120;

/** The output of the previous command, then our line below it. Unknown parts are left out. */
export async function buildStatusLine({
  input,
  theirs,
  env,
  now = Date.now,
}: StatusLineCall): Promise<string> {
  const paths = pathsOf(env.cairnHome);
  const status = readClientStatus(input);
  const folder = status.folder ?? env.userHome;
  if (!(await askFolder(folder, FOLDER_MS))) return '';
  const kept = join(paths.state, 'lines', lineName(status));
  const waiting = theirs
    ? readCachedOutput({ command: theirs, folder, input, kept, waitMs: THEIRS_MS }, now())
    : '';
  const ours = attempt(() => ourLine(status, paths, env, now()), '');
  return [(await waiting).trimEnd(), ours].filter((line) => line !== '').join('\n');
}

function ourLine(status: ClientStatus, paths: Paths, env: Environment, now: number): string {
  const { session, window, model, modelId } = status;
  if (session && window)
    attempt(
      () => writeWindowNote(paths, session, { ...window, model: modelId ?? model ?? null, at: now }),
      undefined,
    );
  const left = window && computePercentLeft(window);
  const { work, memory } = remembered(status, paths, env);
  return drawLine(
    { ...(model && { model }), ...(left !== undefined && { left }), ...(work && { work }), memory },
    (env.columns ?? USUAL_COLUMNS) - MARGIN,
    !env.noColor,
  );
}

function remembered(
  status: ClientStatus,
  paths: Paths,
  env: Environment,
): { work?: WorkItemStatus | null; memory: MemoryState } {
  const { memory, ...rest } = lookInto(paths, status);
  if (attempt(() => isPaused(paths, status.folder, status.session), false))
    return { ...rest, memory: 'paused' };
  return { ...rest, memory: hasTrouble(paths, env) ? 'trouble' : memory };
}

function lookInto(
  paths: Paths,
  { session, folder }: ClientStatus,
): { work?: WorkItemStatus | null; memory: MemoryState } {
  if (!existsSync(paths.database)) return { memory: { count: 0 } };
  try {
    const glance = openQuickReader(paths.database, BUSY_MS);
    try {
      const memory = { count: glance.countMemories(findPlace(folder ?? '/')) };
      return { memory, work: session ? attempt(() => glance.findWorkItem(session), null) : null };
    } finally {
      glance.close();
    }
  } catch (error) {
    return { memory: isStoreError(error, 'busy') ? 'unknown' : 'trouble' };
  }
}

/** Problems that doctor reports as bad and that can be checked quickly. */
function hasTrouble(paths: Paths, env: Environment): boolean {
  return attempt(() => {
    const enough = loadSettings(paths.config, env).settings['hooks.failLoudThreshold'];
    return (
      readBrokenCapture(paths) !== null ||
      (readStall(paths)?.count ?? 0) >= enough ||
      countFailures(paths, env.runtimeDir).count >= enough
    );
  }, false);
}

/** The session id if it is safe as a file name. */
function lineName({ session = '' }: ClientStatus): string {
  return isSessionFileName(session) ? session : 'other';
}

function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
