import type { AgentInstaller } from '../install/agent-installer.ts';
import { findProperty, parseJsonText } from '../install/json-text.ts';
import { hasText } from '../install/list-entry.ts';
import { claudeCode } from './adapter.ts';
import { clientConfigPath } from './config-folder.ts';
import { registeredEvents } from './events.ts';
import {
  ALLOW_TOOLS,
  areHooksDisabled,
  buildHookCommand,
  buildOptionalCommand,
  commandsFolder,
  findEnabledPlugin,
  inspectSettings,
  installSettings,
  OPTIONAL_COMMANDS,
  removeSettings,
  settingsPath,
} from './installer.ts';
import { buildServerEntry } from './mcp-server.ts';
import { parseOwnCommand } from './own-commands.ts';
import { findRejectedSetting } from './rejected-settings.ts';

export const claudeCodeInstaller: AgentInstaller = {
  id: claudeCode.id,
  name: claudeCode.name,
  program: 'claude',
  events: registeredEvents,
  settingsPath,
  configPath: clientConfigPath,
  commandsFolder,
  plugin: 'plugins/claude-code',
  ownCommand: parseOwnCommand,
  hookCommand: buildHookCommand,
  programs: OPTIONAL_COMMANDS,
  programCommand: buildOptionalCommand,
  server: buildServerEntry,
  install(text, wanted) {
    const rejected = text === null ? null : findRejectedSetting(text);
    if (rejected) throw rejected;
    return installSettings(text, wanted);
  },
  remove: removeSettings,
  inspect: inspectSettings,
  allowsTools: (text) => hasText(text, ALLOW_TOOLS),
  enabledPlugin: findEnabledPlugin,
  hooksAreOff: areHooksDisabled,
  findRejected: findRejectedSetting,
  isUntrusted(config, folder) {
    const project = findProperty(findProperty(parseJsonText(config), 'projects'), folder);
    return findProperty(project, 'hasTrustDialogAccepted')?.value === false;
  },
};
