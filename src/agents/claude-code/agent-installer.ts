import type { AgentInstaller } from '../install/agent-installer.ts';
import { parseJsonText, property } from '../install/json-text.ts';
import { hasText } from '../install/list-entry.ts';
import { claudeCode } from './adapter.ts';
import { registeredEvents } from './events.ts';
import {
  ALLOW_TOOLS,
  ASKED,
  askedCommand,
  clientConfigPath,
  commandFor,
  commandsFolder,
  enabledPlugin,
  hooksAreOff,
  inspect,
  installInto,
  removeFrom,
  settingsPath,
} from './installer.ts';
import { memoryServer } from './mcp-server.ts';
import { asOwnCommand } from './own-commands.ts';

export const claudeCodeInstaller: AgentInstaller = {
  id: claudeCode.id,
  name: claudeCode.name,
  program: 'claude',
  events: registeredEvents,
  settingsPath,
  configPath: clientConfigPath,
  commandsFolder,
  plugin: 'plugins/claude-code',
  ownCommand: asOwnCommand,
  hookCommand: commandFor,
  programs: ASKED,
  programCommand: askedCommand,
  server: memoryServer,
  install: installInto,
  remove: removeFrom,
  inspect,
  allowsTools: (text) => hasText(text, ALLOW_TOOLS),
  enabledPlugin,
  hooksAreOff,
  isUntrusted(config, folder) {
    const project = property(property(parseJsonText(config), 'projects'), folder);
    return property(project, 'hasTrustDialogAccepted')?.value === false;
  },
};
