import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

type DriverDatabase = InstanceType<Driver['DatabaseSync']>;
type Values = Parameters<ReturnType<DriverDatabase['prepare']>['all']>;

/** The driver's database, where each query declares the type of its rows. */
export type Database = Omit<DriverDatabase, 'prepare'> & { prepare<Row>(sql: string): Statement<Row> };

export interface Statement<Row = never> {
  get(...values: Values): Row | undefined;
  all(...values: Values): Row[];
  iterate(...values: Values): Iterable<Row>;
  run(...values: Values): { changes: number | bigint; lastInsertRowid: number | bigint };
  setReturnArrays(isArray: boolean): void;
}

/** The only function that uses the driver. */
export function connect(path: string, options: ConstructorParameters<Driver['DatabaseSync']>[1]): Database {
  const { DatabaseSync } = loadDriver();
  return new DatabaseSync(path, options) as Database;
}

/** For a database that another program may be using. */
export function openReadOnly(path: string, busyMs: number): Database {
  return connect(path, { readOnly: true, timeout: busyMs });
}

/** The SQLite result codes that are handled. */
export const SQLITE = {
  ERROR: 1,
  BUSY: 5,
  LOCKED: 6,
  READ_ONLY: 8,
  IO_ERROR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANNOT_OPEN: 14,
  NOT_A_DATABASE: 26,
};

/** Undefined if the error is not SQLite's, or has no handled code. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff;
  if (!('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return undefined;
  return MESSAGES.find(([pattern]) => pattern.test(error.message))?.[1];
}

/** The driver's `all` and `iterate` throw SQLite's message without its code. */
const MESSAGES: [RegExp, number][] = [
  [/^database is locked/, SQLITE.BUSY],
  [/^database (?:schema|table) is locked/, SQLITE.LOCKED],
  [/^attempt to write a readonly database/, SQLITE.READ_ONLY],
  [/^disk I\/O error/, SQLITE.IO_ERROR],
  [/malformed|corrupt/i, SQLITE.CORRUPT],
  [/^database or disk is full/, SQLITE.FULL],
  [/^unable to open database file/, SQLITE.CANNOT_OPEN],
  [/^file is not a database/, SQLITE.NOT_A_DATABASE],
];

type Driver = typeof import('@photostructure/sqlite');

let driver: Driver | undefined;

function loadDriver(): Driver {
  driver ??= requireDriver();
  return driver;
}

/**
 * The package's own entry looks for its binary through several modules, which costs a hook 8 ms, and resolving the
 * package takes node another 3 ms. The binary itself exports the same classes, so it is loaded directly; if it is not
 * in a known place, or not for this system, the entry finds it. Node's module loader costs a millisecond and is loaded
 * only then.
 */
function requireDriver(): Driver {
  try {
    const binary = findBinary();
    const loaded = { exports: {} as Driver };
    if (binary) {
      process.dlopen(loaded, binary);
      return loaded.exports;
    }
  } catch {}
  return process.getBuiltinModule('node:module').createRequire(import.meta.filename)(
    '@photostructure/sqlite',
  );
}

function findBinary(): string | null {
  const system = `${process.platform}-${process.arch}`;
  const name = `node_modules/@photostructure/sqlite/prebuilds/${system}/@photostructure+sqlite.glibc.node`;
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return join(folder, name);
    if (folder === dirname(folder)) return null;
  }
}
