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

/** How Cairn is installed for an agent. Separate from `Agent`, so that hooks do not load it. */
export interface AgentInstaller {
  id: string;
  name: string;
  program: string;
  events: { event: string }[];
  settingsPath(where: AgentHome & { project?: string }): string;
  /** Where the agent stores its MCP servers and trusted folders. */
  configPath(home: AgentHome): string;
  commandsFolder(settings: string): string;
  /** The folder of its plugin in this package. */
  plugin: string;
  /** A slash command of the plugin, rewritten for use outside the plugin. */
  ownCommand(text: string, program: string): string;
  hookCommand(parts: CaptureParts): BuildCommand;
  /** Settings with which the agent runs one program for something, with the name of ours. */
  programs: Readonly<Record<OptionalCommand, string>>;
  programCommand(key: OptionalCommand, parts: OptionalCommandParts): WantedCommand;
  server(parts: ServerParts): WantedServer;
  install(text: string | null, wanted: WantedSettings): EditedSettings;
  remove(text: string, optional: WantedCommand[], made?: AddedParts): EditedSettings;
  inspect(text: string | null, command: BuildCommand): { event: string; state: EntryState }[];
  /** Whether the settings allow Cairn's tools without asking. */
  allowsTools(text: string | null): boolean;
  /** The name of Cairn's plugin in the settings, if it is enabled. */
  enabledPlugin(text: string | null): string | undefined;
  hooksAreOff(text: string | null): boolean;
  /** The first value in its settings for which the agent ignores the whole file. */
  findRejected(text: string): InvalidJsonError | null;
  /** Whether the agent's configuration says that it runs no hooks in this folder yet. */
  isUntrusted(config: string, folder: string): boolean;
}
