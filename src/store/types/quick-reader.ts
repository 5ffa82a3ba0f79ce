export interface WorkItemStatus {
  name: string;
  done: number;
  /** Without those that were dropped. */
  tasks: number;
}

/** A file of which something is remembered, or that this session has touched. */
export interface RememberedFile {
  /** Relative to the top of the checkout, or absolute. */
  path: string;
  /** In how many of the latest memories it was changed. */
  changes: number;
  at: number;
  /** A session of the present work was about it, this one included. */
  isOfWork: boolean;
}
