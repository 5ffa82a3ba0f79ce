import type { Settings } from '../config/settings.ts';
import type { Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import type { Store } from '../store/store.ts';

/** What every change by hand needs, from a command or a tool. */
export interface CurationOptions {
  store: Store;
  paths: Paths;
  settings: Settings;
  log: Log;
  now: () => number;
}
