import type { Agent, AgentHome, TranscriptAgent } from './agent.ts';
import { claudeCode } from './claude-code/adapter.ts';
import { cline } from './cline/adapter.ts';
import { codex } from './codex/adapter.ts';
import { continueAgent } from './continue/adapter.ts';
import { copilot } from './copilot/adapter.ts';
import { cursor } from './cursor/adapter.ts';
import { droid } from './droid/adapter.ts';
import { gemini } from './gemini/adapter.ts';
import { kilo } from './kilo/adapter.ts';
import { kimi } from './kimi/adapter.ts';
import { opencode } from './opencode/adapter.ts';
import { pi } from './pi/adapter.ts';
import { qwen } from './qwen/adapter.ts';
import { raw } from './raw/adapter.ts';
import { windsurf } from './windsurf/adapter.ts';

/** Every supported agent: to add one, add a folder and a line here. */
export const agents: Agent[] = [
  claudeCode,
  codex,
  gemini,
  copilot,
  cursor,
  windsurf,
  opencode,
  kilo,
  qwen,
  droid,
  pi,
  cline,
  kimi,
  continueAgent,
  raw,
];

export function agentById(id: string): Agent | undefined {
  return agents.find((agent) => agent.id === id);
}

export function transcriptAgents(): TranscriptAgent[] {
  return agents.filter((agent): agent is TranscriptAgent => agent.transcripts !== undefined);
}

/** The session in whose shell or hook this process runs, if its agent sets a variable for it. */
export function findOwnSession({ variable }: Pick<AgentHome, 'variable'>): string | undefined {
  return agents.map(({ hooks }) => hooks.session && variable(hooks.session)).find(Boolean);
}

/** Whether an agent runs this process, so a model reads the output. */
export function isRunByAgent({ variable }: Pick<AgentHome, 'variable'>): boolean {
  return agents.some(({ hooks }) => hooks.marker !== undefined && variable(hooks.marker));
}
