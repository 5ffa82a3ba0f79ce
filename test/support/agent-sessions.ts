import type { StoredEvent, StoredPrompt } from '../../src/store/types/event.ts';
import type { SessionDigest } from '../../src/store/types/session.ts';
import { until } from './until.ts';
import { cairn, type World } from './world.ts';

export type ShownSession = Omit<SessionDigest, 'prompts' | 'events'> & {
  prompts: StoredPrompt[];
  events: StoredEvent[];
};

export async function showSession(world: World, id: string): Promise<ShownSession> {
  return JSON.parse(await cairn(world, 'show', id, '--json'));
}

/** Until the worker has made of the turns what it can. */
export async function untilDistilled(world: World): Promise<void> {
  await until('the worker distils', async () =>
    (await cairn(world, 'queue')).startsWith('The queue is empty') ? true : undefined,
  );
}
