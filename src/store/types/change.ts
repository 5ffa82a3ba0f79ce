/** One change of stored data. Numbers only grow and are never reused. */
export interface Change {
  number: number;
  what: 'memory' | 'session' | 'turn' | 'job' | 'work-item' | 'context' | 'store';
  id: number;
  how: 'added' | 'changed' | 'removed';
}
