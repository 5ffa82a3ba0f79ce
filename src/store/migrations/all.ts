import { sql as capture } from './001-capture.ts';
import { sql as memory } from './002-memory.ts';
import { sql as curation } from './003-curation.ts';

/** In order; a database's version is the number of those it has. */
export const migrations: { name: string; sql: string }[] = [
  { name: '001-capture', sql: capture },
  { name: '002-memory', sql: memory },
  { name: '003-curation', sql: curation },
];
