import type { InstallPart, InstallPlace, PartState } from './agent-installer.ts';
import type { EntryState } from './edited-settings.ts';
import { buildHookCommand, isHookCommand } from './hook-command.ts';
import { inspectEntries, installEntries, removeEntries } from './hook-entries.ts';

/** One hook of an agent's settings. */
export interface HookEntry {
  event: string;
  /** Matches every tool when absent. */
  matcher?: string;
  /** In the agent's own unit. Only for a hook that hangs: each exits well before. */
  timeout: number;
}

export interface WantedHooks {
  agent: string;
  path: string;
  entries: HookEntry[];
  /** Another word where an agent may run these hooks next to those in its settings: each event still counts once. */
  via?: string;
  /** What the agent shows the person instead of the command. */
  name?: string;
  /** The agent knows hooks by their position: an empty group keeps those behind ours in their place. */
  keepsPositions?: boolean;
}

/** Hooks in settings of the form `hooks.<Event>[] = { matcher?, hooks: [{ type, command, timeout }] }`. */
export function createHooksPart(
  { agent, path, entries, via = 'settings', name, keepsPositions = false }: WantedHooks,
  place: InstallPlace,
): InstallPart {
  const command = buildHookCommand(agent, place, via);
  const wanted = entries.map((entry) => ({
    ...entry,
    command: command(entry.event),
    ...(name !== undefined && { name }),
  }));
  const isOurs = (command: string) => isHookCommand(agent, command);
  const inspect = (text: string | null) => inspectEntries(text, wanted, isOurs);
  return {
    kind: 'hooks',
    label: `${entries.length} hooks`,
    path,
    isWanted: true,
    install: (text) => installEntries(text, wanted, isOurs),
    remove: (text, made) => removeEntries(text, isOurs, { made, keepsPositions }),
    inspect: (text) => summarise(inspect(text).map(({ state }) => state)),
    hooks: { events: entries.map(({ event }) => event), inspect, command },
  };
}

/** The state of several entries as a whole. Missing means that none is there. */
export function summarise(states: EntryState[]): PartState {
  if (states.every((state) => state === 'missing')) return 'missing';
  return states.every((state) => state === 'installed') ? 'installed' : 'outdated';
}
