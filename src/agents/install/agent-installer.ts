import type { Json } from '../../model/json.ts';
import type { AgentHome } from '../agent.ts';
import type { AddedParts, EditedSettings, EntryState } from './edited-settings.ts';
import type { OwnFile } from './marked-files.ts';

/** How Cairn is connected to an agent. Separate from `Agent`, because hooks do not need it. */
export interface AgentInstaller {
  id: string;
  name: string;
  /** The agent's program on the PATH. */
  program: string;
  /** A folder that exists if the agent was used. */
  configFolder(home: AgentHome): string;
  /** The version of the client that Cairn was tested with; null if it was not tested. */
  verifiedWith: string | null;
  /** Where the person sees that the agent has Cairn's tools, if it runs no hooks that show it. */
  check?: string;
  /** Whether its files can allow Cairn's tools without asking. Absent if they never can. */
  canAllowTools?(place: InstallPlace): boolean;
  /** The parts that Cairn writes into files of the agent, in the order of installing. */
  listParts(place: InstallPlace): InstallPart[];
  /** Why it cannot be connected now, as a message; null if it can. */
  findRefusal?(place: InstallPlace): string | null;
  /** Slash commands, one file each. Absent if the agent has none. */
  listCommands?(place: InstallPlace): OwnFolder;
  /** Cairn's plugin, if it is installed and does the work of the parts. */
  findPlugin?(place: InstallPlace, read: ReadText): OwnPlugin | null;
  /** Reasons why the agent would not run the hooks in its files. */
  findObstacles?(place: InstallPlace, read: ReadText): Obstacle[];
  /** How to ask the client which hooks it would run, which its files do not fully show. */
  inquiry?: ClientInquiry;
}

/** The content of a file; null if it is missing or not a text file. */
export type ReadText = (path: string) => string | null;

/** Where and for whom Cairn is installed, and the person's choices. */
export interface InstallPlace extends AgentHome {
  platform: NodeJS.Platform;
  captureScript: string;
  /** Runs the installed program with any available node. Not used on Windows. */
  launcher: string;
  /** An absolute path, because hooks run with the PATH that the agent was started with. */
  interpreter: string;
  hookProgram: string;
  /** Runs `cairn`. */
  cairn: [command: string, ...args: string[]];
  /** Set only if it is not the default. */
  cairnHome?: string;
  /** The top of the checkout in which the command runs. */
  folder: string;
  /** For one project, its checkout and its repository, which may have other worktrees. Null for all projects. */
  project: { folder: string; repository: string } | null;
  choices: InstallChoices;
}

export interface InstallChoices {
  /** Whether the agent gets Cairn's tools. */
  hasServer: boolean;
  /** Whether it may call them without asking each time. */
  allowsTools: boolean;
  /** Optional programs that the person requested. */
  programs: readonly string[];
}

/** One thing that Cairn adds to a file of the agent. Several parts may share a file. */
export interface InstallPart {
  kind: PartKind;
  /** Used in a sentence: `14 hooks`, `the MCP server`. */
  label: string;
  path: string;
  /** If false, the part is removed if an earlier installation added it. */
  isWanted: boolean;
  /** The agent ignores the whole file if it has comments or trailing commas. */
  isPlainJson?: true;
  /** The whole file belongs to Cairn; a person's own file in its place is left unchanged. */
  isWholeFile?: true;
  install(text: string | null): EditedSettings;
  remove(text: string, made?: AddedParts): EditedSettings;
  inspect(text: string | null): PartState;
  /** An explanation of this state for the person. */
  explain?(state: PartState): string | undefined;
  hooks?: HookEntries;
  /** The events that Cairn's plugin reports, by the names of the agent or the plugin. */
  events?: string[];
  server?: { command: string; args: string[] };
}

export type PartKind =
  | 'hooks'
  | 'extension'
  | 'mcp server'
  | 'permission'
  | 'status line'
  | 'file list'
  | 'rules';

/** `shared`: Cairn's command also runs the person's own. `foreign`: an entry of another program is in its place. */
export type PartState = EntryState | 'shared' | 'foreign';

/** The hooks in a file, event by event. */
export interface HookEntries {
  events: string[];
  inspect(text: string | null): { event: string; state: EntryState }[];
  command(event: string): string;
}

export interface OwnFolder {
  folder: string;
  files: OwnFile[];
}

export interface OwnPlugin {
  name: string;
  /** How the person removes it. */
  removal: string;
}

/** A request to the client's program, which reads and writes one JSON value per line. */
export interface ClientInquiry {
  args: string[];
  /** Environment variables that it needs to find its settings. */
  variables: string[];
  listRequests(place: InstallPlace): Json[];
  isAnswer(value: Json): boolean;
  /** Null if the answer does not have the expected form. */
  readAnswer(answer: Json, place: InstallPlace): ClientAnswer | null;
}

export interface ClientAnswer {
  /** The good news, used in a sentence: `trusts 8 hooks`. Null if there is none. */
  message: string | null;
  obstacles: Obstacle[];
}

export interface Obstacle {
  message: string;
  fix: string;
  /** Whether it keeps hooks from running everywhere, or only in this folder. */
  isEverywhere: boolean;
}
