import { sql as initial } from './001-initial.ts';
import { sql as team } from './002-team.ts';
import { sql as promptsAt } from './003-prompts-at.ts';
import { sql as promptsTurn } from './004-prompts-turn.ts';

/** In order. Released ones are never edited. */
export const migrations: { name: string; sql: string }[] = [
  { name: '001-initial', sql: initial },
  { name: '002-team', sql: team },
  { name: '003-prompts-at', sql: promptsAt },
  { name: '004-prompts-turn', sql: promptsTurn },
];

/** The schema version after the first migration. 1 to 9 were schemas from before the first release. */
export const FIRST_VERSION = 10;

/** The schema version after all migrations. */
export function currentVersion(): number {
  return FIRST_VERSION + migrations.length - 1;
}
