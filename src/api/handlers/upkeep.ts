import { readEnvironment } from '../../config/environment.ts';
import {
  checkSetting,
  isSettingName,
  loadSettings,
  SETTINGS,
  type SettingName,
  saveSetting,
} from '../../config/settings.ts';
import type { Json } from '../../model/json.ts';
import { readLogLines } from '../../platform/read-log.ts';
import { measureLatency } from '../latency.ts';
import { Problem } from '../problem.ts';
import type { Handlers } from '../route.ts';
import type { upkeepRoutes } from '../routes/upkeep.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'];

export const upkeepHandlers: Handlers<typeof upkeepRoutes> = {
  listJobs: (_, { store }) => ({ jobs: store.listJobs() }),
  listLogLines({ query: { level, from, limit } }, { paths }) {
    const least = LEVELS.indexOf(level);
    const lines = readLogLines(paths.logs).filter(
      (line) => LEVELS.indexOf(String(line.level)) >= least && (from === undefined || line.from === from),
    );
    return { lines: lines.slice(-limit) };
  },
  listSettings: (_, { paths }) => describeSettings(paths.config),
  changeSettings({ body: { changes } }, { paths }) {
    const checked = Object.entries(changes).map(([name, value]) => checkChange(name, value));
    for (const { name, value } of checked) saveSetting(paths.config, name, value);
    return describeSettings(paths.config);
  },
  retryJobs({ body: { job } }, { store, wakeWorker }) {
    const queued = store.retryJobs(job);
    if (queued === 0 && job !== 'all') throw new Problem(404, `There is no job ${job} to retry.`);
    wakeWorker();
    return { queued };
  },
  getStatistics: (_, { store, paths }) => ({
    ...store.collectStats(),
    ...store.collectActivity(),
    latency: measureLatency(paths.logs),
  }),
  describePeriod: ({ query }, { store }) => store.describePeriod(query),
};

/** Called for all changes before the first one is saved. */
export function checkChange(name: string, value: Json): { name: SettingName; value: Json | undefined } {
  if (!isSettingName(name)) throw new Problem(400, `There is no setting ${name}.`);
  if (value === null) return { name, value: undefined };
  const checked = checkSetting(name, value);
  if (!checked.ok) throw new Problem(400, `${checked.problem}.`);
  return { name, value: checked.value };
}

/** Reads the file again: it may have changed since the worker started. */
export function describeSettings(file: string) {
  const { settings, changed, problems } = loadSettings(file, readEnvironment());
  const names = Object.keys(SETTINGS).filter(isSettingName);
  return {
    settings: names.map((name) => {
      const known = SETTINGS[name];
      return {
        ...{ name, value: copy(settings[name]), default: copy(known.default), kind: known.kind },
        ...{ from: changed[name] ?? ('default' as const), about: known.about },
        ...('choices' in known && { choices: [...known.choices] }),
        ...('min' in known && { min: known.min }),
      };
    }),
    problems,
  };
}

function copy(value: string | number | readonly string[]): string | number | string[] {
  return typeof value === 'object' ? [...value] : value;
}
