import { redactValue } from '../capture/redact/redact-value.ts';
import type { Settings } from '../config/settings.ts';
import { updateDistilledFolders } from '../context/notes/notes.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/store.ts';

/** If enabled: updates the notes of folders with new memories. Errors are ignored. */
export function updateFolderNotes(
  store: Store,
  { settings, log }: { settings: Settings; log: Log },
  since: number,
): void {
  if (settings['notes.auto'] === 'off') return;
  try {
    for (const { path, before, after, problem } of updateDistilledFolders(store, since, {
      rows: settings['notes.rows'],
      redact: redactValue,
    })) {
      if (problem) log.warn('folder notes', { path, problem });
      else if (!before?.equals(after ?? Buffer.alloc(0))) log.debug('folder notes', { path });
    }
  } catch (error) {
    log.error('folder notes', { cause: error instanceof Error ? error.message : String(error) });
  }
}
