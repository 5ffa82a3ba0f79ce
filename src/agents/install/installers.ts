import { claudeCodeInstaller } from '../claude-code/agent-installer.ts';
import { codexInstaller } from '../codex/agent-installer.ts';
import { droidInstaller } from '../droid/agent-installer.ts';
import { geminiInstaller } from '../gemini/agent-installer.ts';
import { qwenInstaller } from '../qwen/agent-installer.ts';
import type { AgentInstaller } from './agent-installer.ts';

/** Every agent that `cairn install` connects; others call `cairn hook` by themselves. */
export const installers: AgentInstaller[] = [
  claudeCodeInstaller,
  codexInstaller,
  geminiInstaller,
  qwenInstaller,
  droidInstaller,
];
