import type { InstallPart, InstallPlace, PartState } from './agent-installer.ts';
import type { EntryState } from './edited-settings.ts';
import { buildHookCommand, isHookCommand } from './hook-command.ts';
import { inspectEntries, installEntries, removeEntries } from './hook-entries.ts';

/** One hook of an agent's settings. */
export interface HookEntry {
  event: string;
  /** Matches every tool when absent. */
  matcher?: string;
  /** In the agent's own unit. Only matters for a hook that hangs; normally each exits much earlier. */
  timeout: number;
}

export interface WantedHooks {
  agent: string;
  path: string;
  entries: HookEntry[];
  /** Differs if an agent may run these hooks in addition to those in its settings: each event still counts once. */
  via?: string;
  /** The agent shows it to the person instead of the command. */
  name?: string;
  /** The agent identifies hooks by position: an empty group keeps the position of those after Cairn's. */
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

/** The combined state of several entries. `missing` if none is there. */
export function summarise(states: EntryState[]): PartState {
  if (states.every((state) => state === 'missing')) return 'missing';
  return states.every((state) => state === 'installed') ? 'installed' : 'outdated';
}
