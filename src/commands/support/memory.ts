import { openLog } from '../../capture/open-log.ts';
import { listSpool } from '../../capture/spool.ts';
import { formatCount } from '../../context/words.ts';
import { updateIndex } from '../../indexing/update-index.ts';
import { openInHome } from '../../memory/memory-error.ts';
import { changeStore, type MemoryClient, readStore } from '../../memory/use-memory.ts';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import type { Log } from '../../platform/log.ts';
import { wakeWorker } from '../../platform/start-worker.ts';
import type { Store } from '../../store/store.ts';
import type { Call } from './command.ts';

/** Ingesting more events than this takes over a second and is announced. */
const WORTH_A_WORD = 1_000;

/** For commands that change the memory. */
export function withMemory<T>(call: Call, change: (store: Store) => T): T {
  const onIncomplete = (cause: string) =>
    call.err(
      withCairnCommand(
        `Not everything could be stored yet: ${cause} It stays in the spool. See: cairn doctor`,
      ),
    );
  const troubles: string[] = [];
  const result = changeStore(
    memoryUser(call, onIncomplete, (message) => troubles.push(message)),
    change,
  );
  // After an error of the disk they would only repeat it.
  for (const trouble of troubles) call.err(trouble);
  return result;
}

/** For commands that only read. */
export function readMemory<T>(
  call: Call,
  read: (store: Store) => T,
  refresh?: (store: Store, log: Log) => void,
): T {
  const user = memoryUser(call, (cause, waiting) => {
    call.err(`${formatCount(waiting, 'event is', 'events are')} not stored yet: ${cause}`);
  });
  return readStore(user, read, refresh && ((store) => refresh(store, user.log)));
}

/** Like `readMemory`, with an up-to-date search index. */
export function readIndexedMemory<T>(call: Call, read: (store: Store) => T): T {
  return readMemory(call, read, (store) => {
    updateIndex(store);
  });
}

function memoryUser(
  call: Call,
  onIncomplete: MemoryClient['onIncomplete'],
  onTrouble?: (message: string) => void,
): MemoryClient {
  const { paths, settings, now, env } = call;
  const folder = paths.logs;
  const log = openLog({
    folder,
    level: settings['log.level'],
    from: 'command',
    ...(onTrouble && { onTrouble }),
  });
  const waiting = openInHome(paths.home, () => listSpool(paths)).length;
  if (waiting > WORTH_A_WORD) call.err(`Ingesting ${waiting} events …`);
  return { paths, settings, log, now, onIncomplete, wakeWorker: () => wakeWorker(env) };
}
