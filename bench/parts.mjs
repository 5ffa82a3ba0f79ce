/** Parts of the synthetic programs: names of folders, and subjects of memories. */
export const PARTS = [
  'parser',
  'cache',
  'login',
  'invoice',
  'router',
  'queue',
  'editor',
  'export',
  'search',
  'upload',
];
