import type { Priority } from '../../model/agent-event.ts';

export interface Job {
  id: number;
  kind: string;
  turnId: number;
  generation: number;
  priority: Priority;
  state: 'waiting' | 'leased' | 'dead';
  attempts: number;
  notBefore: number;
  error: string | null;
  createdAt: number;
}
