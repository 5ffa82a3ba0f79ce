import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog } from '../../capture/open-log.ts';
import { formatCount } from '../../context/words.ts';
import type { PortOptions, PortResult } from '../../port/import-run.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { type Call, CommandError, printJson } from '../support/command.ts';
import { withMemory } from '../support/memory.ts';
import { withProgress } from './progress.ts';

/** Imports memories with a progress display, or as a dry run, and prints the result. */
export async function importMemories(
  call: Call,
  importInto: (options: PortOptions) => Promise<PortResult | { problem: string }>,
): Promise<number> {
  const { paths, settings, now, options } = call;
  const isDryRun = options['dry-run'] === true;
  const log = openLog({
    folder: paths.logs,
    level: isDryRun ? 'off' : settings['log.level'],
    from: 'import',
  });
  const result = await withProgress(call, 'memories', ({ stop, show }) =>
    withStore(call, isDryRun, (store) =>
      importInto({
        ...{ store, paths, settings, log, now, isDryRun, stop },
        onProgress: ({ done, all, added }) => show({ done, all, items: added }),
      }),
    ),
  );
  if ('problem' in result) throw new CommandError(`Nothing was imported: ${result.problem}`);
  const { added, known, forgotten, prompts, skipped } = result;
  log.info('memories imported', { added, known, forgotten, prompts, skipped });
  if (options.json) printJson(call, result);
  else print(call, result, isDryRun);
  return result.isStopped ? 130 : 0;
}

/** A dry run creates no home. */
async function withStore<T>(call: Call, isDryRun: boolean, work: (store: Store) => Promise<T>): Promise<T> {
  const isScratch = isDryRun && !existsSync(call.paths.database);
  const scratch = isScratch ? mkdtempSync(join(tmpdir(), 'cairn-dry-run-')) : null;
  if (!isDryRun) withMemory(call, () => {});
  const store = openSqliteStore(scratch ? join(scratch, 'cairn.db') : call.paths.database, {
    busyMs: 10_000,
  });
  try {
    return await work(store);
  } finally {
    store.close();
    if (scratch) rmSync(scratch, { recursive: true, force: true });
  }
}

function print({ out, err }: Call, result: PortResult, isDryRun: boolean): void {
  const { added, known, forgotten, prompts, replaced, skipped, skippedNamed, isStopped } = result;
  for (const { where, why } of skippedNamed) err(`Skipped ${where}: ${why}.`);
  if (skipped > skippedNamed.length) err(`Skipped ${skipped - skippedNamed.length} more.`);
  const memories = formatCount(added, 'memory', 'memories');
  const what = prompts > 0 ? `${memories} and ${formatCount(prompts, 'prompt')}` : memories;
  const rest = [
    ...(replaced > 0 ? [`${replaced} replaced older ones`] : []),
    ...(known > 0 ? [`${known} already known`] : []),
    ...(forgotten > 0 ? [`${forgotten} forgotten earlier and not imported`] : []),
  ];
  const aside = rest.length > 0 ? ` (${rest.join(', ')})` : '';
  if (isDryRun) out(`${what} would be imported${aside}. Nothing was stored.`);
  else if (isStopped) out(`Stopped after ${what}${aside}. Run the same command to continue.`);
  else if (added + prompts === 0) out(`Nothing new${aside}.`);
  else out(`Imported ${what}${aside}.`);
}
