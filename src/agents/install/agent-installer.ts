import type { Json } from '../../model/json.ts';
import type { AgentHome } from '../agent.ts';
import type { AddedParts, EditedSettings, EntryState } from './edited-settings.ts';
import type { OwnFile } from './marked-files.ts';

/** How Cairn is connected to an agent. Separate from `Agent`, so that hooks do not load it. */
export interface AgentInstaller {
  id: string;
  name: string;
  /** The agent's program on the PATH. */
  program: string;
  /** Exists where the agent was used. */
  configFolder(home: AgentHome): string;
  /** The version of the client that Cairn was tested with; null if it was not. */
  verifiedWith: string | null;
  /** Where the person sees that the agent has Cairn's tools, if it runs no hooks that show it. */
  check?: string;
  /** Whether its files can say that it may use Cairn's tools without asking. Absent if they never can. */
  canAllowTools?(place: InstallPlace): boolean;
  /** What Cairn writes into files of the agent, in the order of installing. */
  listParts(place: InstallPlace): InstallPart[];
  /** Why it cannot be connected now, as a message; null if it can. */
  findRefusal?(place: InstallPlace): string | null;
  /** Slash commands, a file each. Absent if the agent has none. */
  listCommands?(place: InstallPlace): OwnFolder;
  /** A plugin of ours that does what the parts do. */
  findPlugin?(place: InstallPlace, read: ReadText): OwnPlugin | null;
  /** Why the agent would not run hooks that are in its files. */
  findObstacles?(place: InstallPlace, read: ReadText): Obstacle[];
  /** How the client itself says which hooks it would run, which is more than its files show. */
  inquiry?: ClientInquiry;
}

/** The content of a file; null if it is missing or not a text file. */
export type ReadText = (path: string) => string | null;

/** Where Cairn is installed, for whom, and with which choices of the person. */
export interface InstallPlace extends AgentHome {
  platform: NodeJS.Platform;
  captureScript: string;
  /** Runs the installed program with any available node. Not used on Windows. */
  launcher: string;
  /** Absolute, because hooks run with the PATH that the agent was started with. */
  interpreter: string;
  hookProgram: string;
  /** Runs `cairn`. */
  cairn: [command: string, ...args: string[]];
  /** Only if it is not the default. */
  cairnHome?: string;
  /** The top of the checkout in which the command runs. */
  folder: string;
  /** For one project: that checkout, and its repository, which may have other worktrees. Null: for every project. */
  project: { folder: string; repository: string } | null;
  choices: InstallChoices;
}

export interface InstallChoices {
  /** Whether the agent gets Cairn's tools. */
  hasServer: boolean;
  /** Whether it may call them without asking each time. */
  allowsTools: boolean;
  /** Optional programs that the person asked for. */
  programs: readonly string[];
}

/** One thing that Cairn adds to a file of the agent. Several parts may share a file. */
export interface InstallPart {
  kind: PartKind;
  /** As a part of a sentence: `14 hooks`, `the MCP server`. */
  label: string;
  path: string;
  /** If not, it is removed where an earlier installation added it. */
  isWanted: boolean;
  /** The agent ignores the whole file if it has comments or trailing commas. */
  isPlainJson?: true;
  /** The file is wholly ours; one of the person in its place stays as it is. */
  isWholeFile?: true;
  install(text: string | null): EditedSettings;
  remove(text: string, made?: AddedParts): EditedSettings;
  inspect(text: string | null): PartState;
  /** What to tell the person about this state. */
  explain?(state: PartState): string | undefined;
  hooks?: HookEntries;
  /** The events that a plugin of ours reports, as the agent or the plugin names them. */
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

/** `shared`: ours runs the person's own command too. `foreign`: something else has our place. */
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

/** A request to the client's program, which reads and writes a JSON value per line. */
export interface ClientInquiry {
  args: string[];
  /** Variables of the environment that it needs to find its settings. */
  variables: string[];
  listRequests(place: InstallPlace): Json[];
  isAnswer(value: Json): boolean;
  /** Null if the answer has another form than expected. */
  readAnswer(answer: Json, place: InstallPlace): ClientAnswer | null;
}

export interface ClientAnswer {
  /** What is fine, as a part of a sentence: `trusts 8 hooks`. Null if nothing is. */
  message: string | null;
  obstacles: Obstacle[];
}

export interface Obstacle {
  message: string;
  fix: string;
  /** Whether no hook runs at all; otherwise only in this folder. */
  isEverywhere: boolean;
}
