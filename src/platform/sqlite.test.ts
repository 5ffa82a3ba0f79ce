import { randomBytes } from 'node:crypto';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { connect, type Database, openReadOnly, SQLITE, sqliteCode } from './sqlite.ts';

const WAYS: Record<string, (db: Database, sql: string) => unknown> = {
  all: (db, sql) => db.prepare(sql).all(),
  iterate: (db, sql) => [...db.prepare(sql).iterate()],
  get: (db, sql) => db.prepare(sql).get(),
  run: (db, sql) => db.prepare(sql).run(),
  exec: (db, sql) => db.exec(sql),
};

function codeOf(work: () => unknown): number | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return sqliteCode(error);
  }
}

function makeDatabase(): string {
  const path = join(tempFolder(), 'a.db');
  const db = connect(path, { timeout: 0 });
  db.exec(`
    CREATE TABLE t (a); CREATE INDEX i ON t (a);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    INSERT INTO t SELECT i || printf('%.200c', 'x') FROM n`);
  db.close();
  return path;
}

describe.each(Object.entries(WAYS))('the code of an error in %s', (_name, way) => {
  it('for a file that is no database', () => {
    const path = makeDatabase();
    const db = connect(path, { timeout: 0 });
    writeFileSync(path, randomBytes(50_000));
    expect(codeOf(() => way(db, 'SELECT * FROM t'))).toBe(SQLITE.NOT_A_DATABASE);
    db.close();
  });

  it('for a damaged page', () => {
    const path = makeDatabase();
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 2 * 4096, bytes.length);
    writeFileSync(path, bytes);
    const db = connect(path, { timeout: 0 });
    expect(codeOf(() => way(db, 'SELECT sum(length(a)) FROM t'))).toBe(SQLITE.CORRUPT);
    db.close();
  });

  it('for a file that was cut off', () => {
    const path = makeDatabase();
    truncateSync(path, 40_960);
    const db = connect(path, { timeout: 0 });
    expect(codeOf(() => way(db, 'SELECT sum(length(a)) FROM t'))).toBe(SQLITE.CORRUPT);
    db.close();
  });

  it('for a locked database', () => {
    const path = makeDatabase();
    const [holder, db] = [connect(path, { timeout: 0 }), connect(path, { timeout: 0 })];
    holder.exec('BEGIN EXCLUSIVE');
    expect(codeOf(() => way(db, 'SELECT * FROM t'))).toBe(SQLITE.BUSY);
    holder.close();
    db.close();
  });

  it('for a database opened for reading', () => {
    const db = openReadOnly(makeDatabase(), 0);
    expect(codeOf(() => way(db, 'DELETE FROM t RETURNING a'))).toBe(SQLITE.READ_ONLY);
    db.close();
  });

  it('for a wrong statement', () => {
    const db = openReadOnly(makeDatabase(), 0);
    expect([undefined, SQLITE.ERROR]).toContain(codeOf(() => way(db, 'SELECT nothing FROM t')));
    db.close();
  });
});
