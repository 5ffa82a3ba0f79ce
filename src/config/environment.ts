import { join, resolve } from 'node:path';

/** Set for model calls that Cairn itself starts through an agent's CLI, whose hooks must not capture them. */
export const GUARD_VARIABLE = 'CAIRN_GUARD';

/** Everything that Cairn reads from the environment; no other code reads it. */
export interface Environment {
  cairnHome: string;
  userHome: string;
  isGuarded: boolean;
  /** Whether capture.sh called this process; it starts the worker if the exit code requests it. */
  shellWakes: boolean;
  /** The process that runs the hooks, reported by capture.sh. */
  agentPid?: number;
  failLoudThreshold?: string;
  logLevel?: string;
  logIsOff: boolean;
  noColor: boolean;
  /** Whether the terminal supports neither colours nor cursor movement. */
  isDumbTerminal: boolean;
  /** The width of the agent's terminal, if reported. */
  columns?: number;
  /** Whether hooks start no worker, for tests and for doctor. */
  startsNoWorker: boolean;
  searchPath: string;
  /** The person's editor command, with options. */
  editor?: string;
  /** Set by the agent for its hooks. Claude Code introduced the variable; most other agents set it too. */
  projectDir?: string;
  /** For variables that agents set, or that move their folders. src/agents has the names. */
  variable(name: string): string | undefined;
  /** The plugin's folder, if the plugin called the hook. */
  pluginRoot?: string;
  /** The folder for notes while the home cannot be written. capture.sh uses the same one. */
  runtimeDir: string;
  /** A link to a team, for a container or a pipeline that starts with an empty home. */
  teamLink?: string;
}

export function readEnvironment(env: Record<string, string | undefined> = process.env): Environment {
  const userHome = env.HOME || homeOfUser();
  return {
    userHome,
    variable: (name) => env[name] || undefined,
    cairnHome: resolve(env.CAIRN_HOME || join(userHome, '.cairn')),
    isGuarded: Boolean(env[GUARD_VARIABLE]),
    shellWakes: env.CAIRN_SHELL_WAKES === '1',
    logIsOff: env.CAIRN_LOG === 'off',
    noColor: Boolean(env.NO_COLOR),
    isDumbTerminal: env.TERM === 'dumb',
    startsNoWorker: Boolean(env.CAIRN_NO_WORKER),
    searchPath: env.PATH ?? '',
    runtimeDir: env.XDG_RUNTIME_DIR || env.TMPDIR || (process.platform === 'win32' && env.TEMP) || '/tmp',
    ...(/^\d{1,10}$/.test(env.CAIRN_AGENT_PID ?? '') && { agentPid: Number(env.CAIRN_AGENT_PID) }),
    ...(/^[1-9]\d{0,3}$/.test(env.COLUMNS ?? '') && { columns: Number(env.COLUMNS) }),
    ...ifSet('failLoudThreshold', env.CAIRN_HOOK_FAIL_LOUD_THRESHOLD),
    ...ifSet('logLevel', env.CAIRN_LOG_LEVEL),
    ...ifSet('editor', env.VISUAL || env.EDITOR),
    ...ifSet('projectDir', env.CLAUDE_PROJECT_DIR),
    ...ifSet('pluginRoot', env.CLAUDE_PLUGIN_ROOT),
    ...ifSet('teamLink', env.CAIRN_TEAM),
  };
}

/** @throws UnknownHomeError if the system's user list has no entry for the user, as in some containers. */
function homeOfUser(): string {
  try {
    return process.getBuiltinModule('node:os').homedir();
  } catch {
    throw new UnknownHomeError('Your home folder is unknown. Set HOME to it and try again.');
  }
}

export class UnknownHomeError extends Error {
  override name = 'UnknownHomeError';
}

function ifSet<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return value ? ({ [key]: value } as { [P in K]: string }) : {};
}

/** Keys and addresses for a model. Read only when a provider is created; never stored or logged. */
export interface ModelAccess {
  anthropicApiKey?: string;
  anthropicBaseUrl?: string;
  openaiApiKey?: string;
  /** For any other OpenAI-compatible server. */
  modelApiKey?: string;
  searchPath: string;
  userHome: string;
  cairnHome: string;
  /** The environment of a program that calls a model for Cairn. */
  programEnvironment: Record<string, string>;
}

/** Keys for an embedding provider, handled like those for a model. */
export interface EmbedderAccess {
  embedderApiKey?: string;
  openaiApiKey?: string;
}

export function readEmbedderAccess(env: Record<string, string | undefined> = process.env): EmbedderAccess {
  return {
    ...ifSet('embedderApiKey', env.CAIRN_EMBEDDER_API_KEY),
    ...ifSet('openaiApiKey', env.OPENAI_API_KEY),
  };
}

export function readModelAccess(env: Record<string, string | undefined> = process.env): ModelAccess {
  const { searchPath, userHome, cairnHome } = readEnvironment(env);
  return {
    ...ifSet('anthropicApiKey', env.ANTHROPIC_API_KEY),
    ...ifSet('anthropicBaseUrl', env.ANTHROPIC_BASE_URL),
    ...ifSet('openaiApiKey', env.OPENAI_API_KEY),
    ...ifSet('modelApiKey', env.CAIRN_MODEL_API_KEY),
    searchPath,
    userHome,
    cairnHome,
    programEnvironment: { ...withoutSession(env), [GUARD_VARIABLE]: '1' },
  };
}

/**
 * Variables that an agent sets for its hooks to describe its session. A client that inherits them assumes that it is
 * part of that session.
 */
const OF_A_SESSION =
  /^(CLAUDECODE|CLAUDE_(PID|EFFORT|ENV_FILE|PROJECT_DIR|PLUGIN_\w+)|CLAUDE_CODE_(ENTRYPOINT|CHILD_SESSION|SESSION_\w+|MESSAGING_\w+))$/;

function withoutSession(env: Record<string, string | undefined>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !OF_A_SESSION.test(name)) kept[name] = value;
  }
  return kept;
}
