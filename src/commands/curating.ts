import { openLog } from '../capture/open-log.ts';
import type { CurationWorld } from '../curation/world.ts';
import { bringIndexUpToDate } from '../indexing/bring-up-to-date.ts';
import { OBSERVATION_TYPES, type ObservationType } from '../model/memory.ts';
import { type Call, CommandError, UsageError } from './command.ts';
import { withMemory } from './memory.ts';

/** What takes longer is left to the worker and the next search. */
const INDEXING_MS = 200;

/** What changes memories by hand gets the store as it is now. What cannot be done becomes the command's error. */
export function withCuration<T>(call: Call, change: (world: CurationWorld) => T | { problem: string }): T {
  const { paths, settings, now } = call;
  const log = openLog({ folder: paths.logs, level: settings['log.level'], from: 'command' });
  return withMemory(call, (store) => {
    const changed = change({ store, paths, settings, log, now });
    if (isProblem(changed)) throw new CommandError(changed.problem);
    // While another process writes, search finds only what is indexed already.
    bringIndexUpToDate(store, { until: now() + INDEXING_MS, now });
    return changed;
  });
}

function isProblem(value: unknown): value is { problem: string } {
  return typeof value === 'object' && value !== null && 'problem' in value;
}

export function typeFrom(given: unknown): ObservationType | undefined {
  if (given === undefined) return undefined;
  const type = OBSERVATION_TYPES.find((each) => each === given);
  if (!type) throw new UsageError(`--type takes one of ${OBSERVATION_TYPES.join(', ')}.`);
  return type;
}

/** The values of an option that may be given several times. */
export function listFrom(given: Call['options'][string]): string[] {
  return [given ?? []].flat().filter((value) => typeof value === 'string');
}
