/** Through which door a memory came to an agent. */
export type InjectionSource = 'start' | 'prompt' | 'file' | 'mcp';

export interface Injection {
  agent: string;
  agentSession: string;
  source: InjectionSource;
  memoryId: number;
  tokens: number;
  /** Why this one, in words for people. */
  reason: string;
  at: number;
}
