import type { Database } from './open.ts';

// Row types that many queries share. Others are declared with their query.

export interface IdRow {
  id: number;
}

export interface CountRow {
  count: number;
}

export interface TextRow {
  id: number;
  text: string;
}

/** A row whose columns `K` are JSON text. */
export type WithJson<T, K extends keyof T> = Omit<T, K> & {
  [P in K]: null extends T[P] ? string | null : string;
};

/** A row whose columns `K` are 0 or 1. */
export type WithFlags<T, K extends keyof T> = Omit<T, K> & Record<K, number>;

export function countRows(db: Database, from: string, ...values: (string | number)[]): number {
  return db.prepare<CountRow>(`SELECT count(*) AS count FROM ${from}`).get(...values)?.count ?? 0;
}

/** For a query that always returns a row, such as a count. */
export function requireRow<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('A query that always has a row had none.');
  return row;
}
