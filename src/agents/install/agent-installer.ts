import type { AgentHome } from '../agent.ts';
import type {
  BuildCommand,
  CaptureParts,
  OptionalCommand,
  OptionalCommandParts,
  WantedSettings,
} from '../claude-code/installer.ts';
import type { ServerParts } from '../claude-code/mcp-server.ts';
import type { WantedCommand } from './command-setting.ts';
import type { AddedParts, EditedSettings, EntryState } from './edited-settings.ts';
import type { InvalidJsonError } from './json-text.ts';
import type { WantedServer } from './server-entry.ts';

/** How Cairn is installed for an agent. Apart from `Agent`, so that hooks do not load it. */
export interface AgentInstaller {
  /** That of the agent. */
  id: string;
  name: string;
  /** What a person types to start it. */
  program: string;
  /** The hooks that Cairn registers. */
  events: { event: string }[];
  settingsPath(where: AgentHome & { project?: string }): string;
  /** Where the agent keeps its MCP servers and the folders that it trusts. */
  configPath(home: AgentHome): string;
  commandsFolder(settings: string): string;
  /** The folder of its plugin in this package. */
  plugin: string;
  /** A slash command of the plugin as it must be outside of the plugin. */
  ownCommand(text: string, program: string): string;
  hookCommand(parts: CaptureParts): BuildCommand;
  /** The settings by which the agent asks one program for something, each with the word for ours. */
  programs: Readonly<Record<OptionalCommand, string>>;
  programCommand(key: OptionalCommand, parts: OptionalCommandParts): WantedCommand;
  server(parts: ServerParts): WantedServer;
  /** Settings in, settings out. */
  install(text: string | null, wanted: WantedSettings): EditedSettings;
  remove(text: string, optional: WantedCommand[], made?: AddedParts): EditedSettings;
  inspect(text: string | null, command: BuildCommand): { event: string; state: EntryState }[];
  /** Whether the settings let the agent use Cairn's tools without asking. */
  allowsTools(text: string | null): boolean;
  /** Cairn's plugin, as the settings name it, if it is on. */
  enabledPlugin(text: string | null): string | undefined;
  hooksAreOff(text: string | null): boolean;
  /** The first value in its settings for which the agent ignores the whole file. */
  findRejected(text: string): InvalidJsonError | null;
  /** Whether the agent's configuration says that it runs no hooks in this folder yet. */
  isUntrusted(config: string, folder: string): boolean;
}
