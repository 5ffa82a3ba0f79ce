import { claudeCodeInstaller } from '../claude-code/agent-installer.ts';
import { clineInstaller } from '../cline/agent-installer.ts';
import { codexInstaller } from '../codex/agent-installer.ts';
import { copilotInstaller } from '../copilot/agent-installer.ts';
import { cursorInstaller } from '../cursor/agent-installer.ts';
import { droidInstaller } from '../droid/agent-installer.ts';
import { geminiInstaller } from '../gemini/agent-installer.ts';
import { kiloInstaller } from '../kilo/agent-installer.ts';
import { kimiInstaller } from '../kimi/agent-installer.ts';
import { mcpOnlyInstallers } from '../mcp-only/agent-installer.ts';
import { opencodeInstaller } from '../opencode/agent-installer.ts';
import { piInstaller } from '../pi/agent-installer.ts';
import { qwenInstaller } from '../qwen/agent-installer.ts';
import { windsurfInstaller } from '../windsurf/agent-installer.ts';
import type { AgentInstaller } from './agent-installer.ts';

/** Every agent that `cairn install` connects; others call `cairn hook` by themselves. */
export const installers: AgentInstaller[] = [
  claudeCodeInstaller,
  codexInstaller,
  geminiInstaller,
  copilotInstaller,
  cursorInstaller,
  windsurfInstaller,
  opencodeInstaller,
  kiloInstaller,
  qwenInstaller,
  droidInstaller,
  piInstaller,
  clineInstaller,
  kimiInstaller,
  ...mcpOnlyInstallers,
];
