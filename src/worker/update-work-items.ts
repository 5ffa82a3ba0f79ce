import { redactValue } from '../capture/redact/redact-value.ts';
import type { Settings } from '../config/settings.ts';
import { followEvents } from '../continuity/follow.ts';
import { saveHandoff } from '../continuity/handoff/handoff.ts';
import { readMeters } from '../continuity/meter/meter.ts';
import type { GitSnapshot } from '../model/work.ts';
import { readGitState } from '../platform/git/state.ts';
import type { Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import type { Store } from '../store/store.ts';

/** A slower repository is tried again when the next session starts or ends there. */
const GIT_MS = 5_000;
/** Git's current state says nothing about older events. */
const SNAPSHOT_WITHIN_MS = 2 * 60_000;

interface UpdateOptions {
  paths: Paths;
  settings: Settings;
  log: Log;
  now: () => number;
}

/** Updates work items, plans and tasks from captured events; warns sessions whose window fills up. */
export async function updateWorkItems(store: Store, options: UpdateOptions): Promise<boolean> {
  const { log, now, settings } = options;
  const followed = followEvents(store, { log, now: now() });
  await noteGitStates(store, options);
  if (settings['meter.warnings'] === 'on') await readMeters({ store, ...options, handOff });
  return followed > 0;

  /** Writes no handoff if the agent has written one, which is better. */
  async function handOff(agentSession: string, folder: string | null): Promise<string | null> {
    const work = store.findSessionWorkItem(agentSession);
    if (!work || folder === null) return null;
    const [staged] = store.listHandoffs({ workId: work.id, states: ['staged'], limit: 1 });
    const isSavedByAgent = staged?.by !== 'meter' && staged?.agentSession === agentSession;
    const handoff =
      isSavedByAgent && staged
        ? staged
        : await saveHandoff({ store, log, now }, { work, by: 'meter', agentSession, folder });
    return `${work.name}, handoff ${handoff.number}`;
  }
}

async function noteGitStates(store: Store, { now }: UpdateOptions): Promise<void> {
  for (const due of store.listDueSnapshots(now() - SNAPSHOT_WITHIN_MS)) {
    const state = await readGitState(due.folder, { timeoutMs: GIT_MS });
    // Outside git there is no state. An empty one is recorded, otherwise it would be checked again.
    const snapshot: GitSnapshot = { ...due, state: state ?? { dirty: [], moreDirty: 0 }, at: now() };
    store.saveGitState(redactValue(snapshot));
  }
}
