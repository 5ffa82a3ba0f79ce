import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Set for model calls that Cairn starts itself through an agent's CLI: its hooks must not capture them. */
export const GUARD_VARIABLE = 'CAIRN_GUARD';

/** Everything Cairn takes from the environment; nothing else reads it. */
export interface Environment {
  cairnHome: string;
  userHome: string;
  isGuarded: boolean;
  failLoudThreshold?: string;
  logLevel?: string;
  logIsOff: boolean;
  noColor: boolean;
  searchPath: string;
  claudeConfigDir?: string;
  /** Told by the agent to its hooks. */
  projectDir?: string;
  sessionId?: string;
  /** Where our plugin lies, if the hook came by it. */
  pluginRoot?: string;
  /** A folder for what must be remembered while the home cannot be written. */
  runtimeDir?: string;
}

export function readEnvironment(env: Record<string, string | undefined> = process.env): Environment {
  const userHome = env.HOME || homedir();
  return {
    userHome,
    cairnHome: resolve(env.CAIRN_HOME || join(userHome, '.cairn')),
    isGuarded: Boolean(env[GUARD_VARIABLE]),
    logIsOff: env.CAIRN_LOG === 'off',
    noColor: Boolean(env.NO_COLOR),
    searchPath: env.PATH ?? '',
    ...given('failLoudThreshold', env.CAIRN_HOOK_FAIL_LOUD_THRESHOLD),
    ...given('logLevel', env.CAIRN_LOG_LEVEL),
    ...given('claudeConfigDir', env.CLAUDE_CONFIG_DIR),
    ...given('projectDir', env.CLAUDE_PROJECT_DIR),
    ...given('sessionId', env.CLAUDE_CODE_SESSION_ID),
    ...given('pluginRoot', env.CLAUDE_PLUGIN_ROOT),
    ...given('runtimeDir', env.XDG_RUNTIME_DIR),
  };
}

function given<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return value ? ({ [key]: value } as { [P in K]: string }) : {};
}
