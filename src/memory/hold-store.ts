import { identifyFile } from '../platform/files.ts';
import { openReadingStore } from '../store/sqlite/reading-store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { classifyMemoryError, isReadable } from './memory-error.ts';

interface HoldOptions {
  busyMs: number;
  /** If the database cannot be written, opens it for reading; the next call tries to open it for writing again. */
  readsIfNotWritable?: boolean;
  onOpen?: (store: Store) => void;
}

/**
 * The store for a long-lived process. It stays open, because the driver closes a file only at garbage collection; an
 * idle connection holds no lock. The database may be rebuilt or replaced meanwhile, so the file is checked each time.
 */
export function holdStore(database: string, { busyMs, readsIfNotWritable = false, onOpen }: HoldOptions) {
  let opened: string | null = null;
  let held: { store: Store; isReadOnly: boolean } | undefined;

  function close(): void {
    const { store } = held ?? {};
    held = undefined;
    store?.close();
  }

  function open(): { store: Store; isReadOnly: boolean } {
    try {
      return { store: openSqliteStore(database, { busyMs }), isReadOnly: false };
    } catch (error) {
      const isBusy = classifyMemoryError(error) === 'busy';
      if (!readsIfNotWritable || isBusy || !isReadable(error)) throw error;
      return { store: openReadingStore(database, busyMs), isReadOnly: true };
    }
  }

  function store(): Store {
    if (held?.isReadOnly || opened !== identifyFile(database)) close();
    if (!held) {
      // Identified before it is opened: if the file is replaced in between, the next call notices.
      opened = identifyFile(database);
      held = open();
      opened ??= identifyFile(database);
      onOpen?.(held.store);
    }
    return held.store;
  }

  return {
    store,
    close,
    /** The identity of the file that was opened last; see `identifyFile`. */
    openedFile: () => opened,
  };
}
