import { isObject } from '../../src/model/json.ts';
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

/** Each call as its tool, its outcome, and its command or the files that it names. */
export function callsOf({ project }: World, { events }: ShownSession) {
  return events
    .filter(({ kind }) => kind === 'tool-end')
    .map(({ tool, does, outcome, input, files }) => {
      const command = isObject(input) ? input.command : undefined;
      const paths = files.map(({ path }) => path.slice(project.length + 1)).sort();
      return [tool, outcome, does === 'command' ? command : paths];
    });
}
