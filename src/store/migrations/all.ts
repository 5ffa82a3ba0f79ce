import { sql as capture } from './001-capture.ts';

/** In order; a database's version is the number of those it has. */
export const migrations: { name: string; sql: string }[] = [{ name: '001-capture', sql: capture }];
