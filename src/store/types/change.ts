/** One change of something that is stored. Numbers only grow, and none is used twice. */
export interface Change {
  number: number;
  what: 'memory' | 'session' | 'turn' | 'job' | 'work-item' | 'context' | 'store';
  id: number;
  how: 'added' | 'changed' | 'removed';
}
