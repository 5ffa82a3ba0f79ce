/** How a memory reached an agent. */
export type InjectionSource = 'start' | 'prompt' | 'file' | 'mcp';

export interface Injection {
  agent: string;
  agentSession: string;
  source: InjectionSource;
  memoryId: number;
  tokens: number;
  reason: string;
  /** Positions of the claims that were given, unless it was the whole memory. */
  claims?: number[];
  at: number;
}
