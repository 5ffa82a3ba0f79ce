import { readEnvironment } from '../../config/environment.ts';
import { isSettingName, loadSettings, SETTINGS } from '../../config/settings.ts';
import { readLogLines } from '../../platform/read-log.ts';
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
  getStatistics: (_, { store }) => store.collectStats(),
};

/** From the file, not from the start of the worker. */
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
