import { type Database, openReadOnly, SQLITE, sqliteCode } from './sqlite.ts';

/** Thrown when a database of another program cannot be read. */
export class UnreadableDatabase extends Error {
  override name = 'UnreadableDatabase';
  /** For a person, without the path: `it is damaged`. */
  readonly reason: string;

  constructor(path: string, reason: string) {
    super(`${path} cannot be read: ${reason}.`);
    this.reason = reason;
  }
}

/** How long to wait while the other program holds a lock. */
const BUSY_MS = 1_000;

/** Reads a database of another program, read-only because it may be in use. @throws UnreadableDatabase */
export function readOtherDatabase<T>(path: string, read: (db: Database) => T): T {
  let db: Database | undefined;
  try {
    db = openReadOnly(path, BUSY_MS);
    return read(db);
  } catch (error) {
    throw toUnreadable(path, error);
  } finally {
    db?.close();
  }
}

/** Like `readOtherDatabase`, row by row: the database stays open until the last row. */
export function* iterateOtherDatabase<T>(path: string, read: (db: Database) => Iterable<T>): Generator<T> {
  let db: Database | undefined;
  try {
    db = openReadOnly(path, BUSY_MS);
    yield* read(db);
  } catch (error) {
    throw toUnreadable(path, error);
  } finally {
    db?.close();
  }
}

function toUnreadable(path: string, error: unknown): unknown {
  const reason = reasonOf(error);
  return reason === undefined ? error : new UnreadableDatabase(path, reason);
}

function reasonOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.message : '';
  switch (sqliteCode(error)) {
    case undefined:
      return undefined;
    case SQLITE.BUSY:
    case SQLITE.LOCKED:
      return 'another program has locked it; close that and try again';
    case SQLITE.CORRUPT:
    case SQLITE.NOT_A_DATABASE:
      return 'it is damaged, or not a database';
    case SQLITE.CANNOT_OPEN:
    case SQLITE.READ_ONLY:
      return 'it cannot be opened; check the permissions of the file and its folder';
    case SQLITE.ERROR:
      return `this version of Cairn does not know its tables (${cause})`;
    default:
      return cause;
  }
}
