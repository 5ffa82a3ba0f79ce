import type { Settings } from '../config/settings.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/store.ts';

const DAY_MS = 86_400_000;
let lastTidied = 0;

/** Once a day, empties raw events that are too old or too many, and deletes old contexts; memories stay. */
export function applyRetention(
  store: Store,
  { settings, log, now }: { settings: Settings; log: Log; now: () => number },
): void {
  if (now() - lastTidied < DAY_MS && lastTidied <= now()) return;
  lastTidied = now();
  const emptied = store.emptyOldEvents({
    before: now() - settings['retention.days'] * DAY_MS,
    maxBytes: settings['retention.maxMegabytes'] * 1024 * 1024,
  });
  const deleted = store.deleteOldContexts(now() - settings['retention.contextDays'] * DAY_MS);
  if (deleted > 0) log.info('old contexts deleted', { contexts: deleted });
  if (emptied > 0) log.info('old events emptied', { events: emptied });
}
