import type { JsonObject } from '../../model/json.ts';
import type { AgentHome } from '../agent.ts';
import type { AllowRule } from '../install/permission-part.ts';
import type { ServerShape } from '../install/server-part.ts';

/**
 * An agent that gets Cairn's tools through MCP, and rules for when to use them. Cairn uses no hooks there: nothing is
 * captured, and the agent gets no context by itself.
 */
export interface McpClient {
  id: string;
  name: string;
  /** The agent's program on the PATH. */
  program: string;
  /** A folder that exists if the agent was used. */
  folder(home: AgentHome): string;
  server: McpServerFile;
  /** The agent accepts comments in JSON. */
  mayHaveComments?: true;
  /** Rules for all projects. Absent if the agent only reads rules in a project. */
  rules?: RulesFile;
  /** Folders for slash commands in Markdown: below the agent's folder, and in a checkout. */
  commands?: { folder: string; inProject: string };
  /** Rules in the server's file that let the agent use the tools without asking. */
  allowRules?: AllowRule[];
  /** Paths in a checkout, if the agent reads such files. */
  project?: { server: string; rules?: string; ignoresPermissions?: true };
  /** The version of the client that was seen listing or calling Cairn's tools; null if none was. */
  verifiedWith: string | null;
  /** Where the person can check that the agent has the server: a command, or a place in its interface. */
  check: string;
}

interface McpServerFile extends Pick<ServerShape, 'build' | 'readCommand'> {
  /** Names in the agent's folder: the first that exists is used, else the last. */
  files: string[];
  /** The top-level key of the servers. */
  within: string;
  /** If the file is YAML: whether the servers are items of a list or values of a map. */
  yaml?: 'list' | 'map';
  /** The agent must have created the file. */
  mustExist?: true;
  /** Fields of the entry that let the agent use the tools without asking. */
  allowing?: JsonObject;
}

interface RulesFile {
  /** The name in the agent's folder. */
  file: string;
  /** Set if the agent reads many rules files, so Cairn owns this one; these lines tell when it applies. */
  frontMatter?: string[];
}
