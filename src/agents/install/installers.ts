import { claudeCodeInstaller } from '../claude-code/agent-installer.ts';
import { copilotInstaller } from '../copilot/agent-installer.ts';
import { cursorInstaller } from '../cursor/agent-installer.ts';
import { kiloInstaller } from '../kilo/agent-installer.ts';
import { opencodeInstaller } from '../opencode/agent-installer.ts';
import type { AgentInstaller } from './agent-installer.ts';

/** Every agent that `cairn install` connects; others call `cairn hook` by themselves. */
export const installers: AgentInstaller[] = [
  claudeCodeInstaller,
  copilotInstaller,
  cursorInstaller,
  opencodeInstaller,
  kiloInstaller,
];
