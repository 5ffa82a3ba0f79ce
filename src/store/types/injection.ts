/** How a memory reached an agent. */
export type InjectionSource = 'start' | 'prompt' | 'file' | 'mcp';

export interface Injection {
  agent: string;
  agentSession: string;
  source: InjectionSource;
  memoryId: number;
  tokens: number;
  reason: string;
  at: number;
}
