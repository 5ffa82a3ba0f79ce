/** Of the programs that are made up here: folders of files, and what memories are about. */
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
