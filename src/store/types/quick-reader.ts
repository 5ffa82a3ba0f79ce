export interface WorkItemStatus {
  name: string;
  done: number;
  tasks: number;
}

/** A file with memories, or touched by this session. */
export interface RememberedFile {
  path: string;
  changes: number;
  at: number;
  /** Touched by a session of the current work item, including this one. */
  isOfWork: boolean;
}
