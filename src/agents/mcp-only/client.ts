import type { JsonObject } from '../../model/json.ts';
import type { AgentHome } from '../agent.ts';
import type { AllowRule } from '../install/permission-part.ts';
import type { ServerShape } from '../install/server-part.ts';

/**
 * An agent that gets Cairn's tools through MCP, and rules that say when to use them. Cairn uses no hooks of it: nothing
 * is captured, and it is given no context by itself.
 */
export interface McpClient {
  id: string;
  name: string;
  /** Its program on the PATH. */
  program: string;
  /** Exists where the agent was used. */
  folder(home: AgentHome): string;
  server: McpServerFile;
  /** The agent reads JSON that has comments. */
  mayHaveComments?: true;
  /** For every project. Absent if the agent reads rules of a project only. */
  rules?: RulesFile;
  /** Folders of slash commands, which are Markdown files: below the agent's folder, and in a checkout. */
  commands?: { folder: string; inProject: string };
  /** What in the file of the server lets the agent use the tools without asking. */
  allowRules?: AllowRule[];
  /** Paths in a checkout, if the agent reads such files. */
  project?: { server: string; rules?: string; ignoresPermissions?: true };
  /** The version of the client that listed or called Cairn's tools; null if none was ever seen doing so. */
  verifiedWith: string | null;
  /** Where the person sees that the agent has the server: a command, or a place in the program. */
  check: string;
}

interface McpServerFile extends Pick<ServerShape, 'build' | 'readCommand'> {
  /** In the agent's folder: the first that exists is used, else the last. */
  files: string[];
  /** The top-level key under which the servers are. */
  within: string;
  /** If the file is YAML: whether the servers are items of a list or values of a map. */
  yaml?: 'list' | 'map';
  /** The agent must have created the file. */
  mustExist?: true;
  /** What in the entry lets the agent use the tools without asking. */
  allowing?: JsonObject;
}

interface RulesFile {
  /** In the agent's folder. */
  file: string;
  /** The file is one of many that the agent reads, so it is wholly ours; these lines say when it applies. */
  frontMatter?: string[];
}
