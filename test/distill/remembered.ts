import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { StoredMemory } from '../../src/store/types/memory.ts';
import type { StoreCounts } from '../../src/store/types/session.ts';
import { cairn, type World } from '../support/world.ts';
import type { Stored } from './score.ts';

/** What Cairn remembers of the world's project once the worker has nothing left to do. */
export async function remembered(world: World): Promise<Stored> {
  for (let waited = 0; ; waited++) {
    const { waitingJobs, openTurns }: StoreCounts = JSON.parse(await cairn(world, 'status', '--json'));
    if (waitingJobs + openTurns === 0) break;
    if (waited > 60) throw new Error(`the worker left ${waitingJobs} jobs and ${openTurns} open turns`);
    await pause(500);
  }
  const memories: StoredMemory[] = JSON.parse(await cairn(world, 'recent', '--limit', '1000', '--json'));
  // What another memory has replaced is neither given nor found.
  const current = memories.filter(({ supersededBy }) => supersededBy === null);
  return {
    observations: current.flatMap((memory) => (memory.type ? [{ ...memory, type: memory.type }] : [])),
    summaries: current.flatMap(({ parts, prompt }) => (parts ? [{ ...parts, prompt }] : [])),
  };
}

/** A turn that was cut off counts as over after a long silence, which a test does not wait for. */
export async function afterSilence(world: World): Promise<void> {
  // A hook that the client had started may still write.
  await pause(500);
  await cairn(world, 'status');
  const store = openSqliteStore(join(world.home, '.cairn', 'cairn.db'));
  store.closeSilentTurns(Date.now());
  store.close();
  await cairn(world, 'worker', 'start');
}
