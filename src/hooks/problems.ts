import { join } from 'node:path';
import { readBrokenCapture } from '../capture/broken-capture.ts';
import { prepareHome, readCaptureScript } from '../capture/home.ts';
import { readModelProblem } from '../capture/model-problem.ts';
import { sortByTime } from '../capture/spool.ts';
import { readStall, STALLED_AFTER_MS } from '../capture/stall.ts';
import type { Environment } from '../config/environment.ts';
import type { MemoryOptions } from '../memory/memory-options.ts';
import { readIfThere } from '../platform/files.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import { VERSION } from '../platform/version.ts';

/** How many files are checked for their age. */
const FILES_TELLING_AGE = 40;

/** Problems and their fixes, one per line. `waiting`: spool files that another process should have ingested. */
export function findProblems(
  { paths, settings, now }: MemoryOptions,
  { env, waiting }: { env: Environment; waiting: string[] },
): string[] {
  const found: string[] = [];
  const broken = readBrokenCapture(paths);
  if (broken)
    found.push(
      `Cairn: the hook ${broken.hook} of ${broken.agent} got no input, so it captures nothing. Run: cairn doctor`,
    );
  const stalled = readStall(paths);
  if (stalled && stalled.count >= settings['hooks.failLoudThreshold'])
    found.push(`Cairn: events are not stored yet: ${stalled.cause} Run: cairn doctor`);
  const model = readModelProblem(paths);
  if (model) found.push(`Cairn: distilling without the model: ${model.why}`);
  const oldest = sortByTime(paths, waiting.slice(0, FILES_TELLING_AGE))[0]?.at;
  if (oldest !== undefined && now() - oldest > STALLED_AFTER_MS)
    found.push('Cairn: events have not been stored for more than 10 minutes. Run: cairn doctor');
  const plugin = env.pluginRoot && pluginVersion(env.pluginRoot);
  if (plugin && plugin !== VERSION)
    found.push(
      `Cairn: the plugin is ${plugin}, Cairn itself ${VERSION}. Update both: npm install -g cairn-memory, claude plugin update cairn@cairn`,
    );
  return found;
}

/** After an update, capture.sh in the home is still the old one. */
export function updateHome({ paths, env, log }: { paths: Paths; env: Environment; log: Log }): void {
  try {
    const written = readCaptureScript(paths.home);
    if (written && written.version !== VERSION) prepareHome(paths.home, env.searchPath);
  } catch (error) {
    log.warn('home not updated', { cause: describeError(error) });
  }
}

function pluginVersion(root: string): string | undefined {
  try {
    return JSON.parse(readIfThere(join(root, '.claude-plugin', 'plugin.json')) ?? '{}').version;
  } catch {
    return undefined;
  }
}
