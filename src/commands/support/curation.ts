import { openLog } from '../../capture/open-log.ts';
import type { CurationOptions } from '../../curation/options.ts';
import { updateIndex } from '../../indexing/update-index.ts';
import { OBSERVATION_TYPES, type ObservationType } from '../../model/memory.ts';
import { type Call, CommandError } from './command.ts';
import { withMemory } from './memory.ts';
import { choiceOption } from './usage.ts';

/** Indexing that takes longer is left to the worker and the next search. */
const INDEXING_MS = 200;

/** Runs a change by hand on an up-to-date store. A problem becomes the command's error. */
export function withCuration<T>(
  call: Call,
  change: (options: CurationOptions) => T | { problem: string },
): T {
  const { paths, settings, now } = call;
  const log = openLog({ folder: paths.logs, level: settings['log.level'], from: 'command' });
  return withMemory(call, (store) => {
    const changed = change({ store, paths, settings, log, now });
    if (isProblem(changed)) throw new CommandError(changed.problem);
    // While another process writes, search finds only indexed memories.
    updateIndex(store, { until: now() + INDEXING_MS, now });
    return changed;
  });
}

function isProblem(value: unknown): value is { problem: string } {
  return typeof value === 'object' && value !== null && 'problem' in value;
}

export function parseType(value: unknown): ObservationType | undefined {
  return value === undefined ? undefined : choiceOption('type', value, OBSERVATION_TYPES);
}

/** The values of a repeatable option. */
export function listOption(option: Call['options'][string]): string[] {
  return [option ?? []].flat().filter((value) => typeof value === 'string');
}
