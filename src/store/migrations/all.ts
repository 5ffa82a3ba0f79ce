import { sql as capture } from './001-capture.ts';
import { sql as memory } from './002-memory.ts';
import { sql as curation } from './003-curation.ts';
import { sql as search } from './004-search.ts';
import { sql as context } from './005-context.ts';
import { sql as notes } from './006-notes.ts';
import { sql as vectors } from './007-vectors.ts';
import { sql as continuity } from './008-continuity.ts';

/** In order; a database's version is the number of those it has. */
export const migrations: { name: string; sql: string }[] = [
  { name: '001-capture', sql: capture },
  { name: '002-memory', sql: memory },
  { name: '003-curation', sql: curation },
  { name: '004-search', sql: search },
  { name: '005-context', sql: context },
  { name: '006-notes', sql: notes },
  { name: '007-vectors', sql: vectors },
  { name: '008-continuity', sql: continuity },
];
