import { closeSync, copyFileSync, existsSync, openSync, readSync, writeSync } from 'node:fs';
import { readIfThere, writeAtomically } from '../../platform/files.ts';

/**
 * A copy of the schema's pages next to the database, because nothing can be read without them. It contains no other
 * data.
 */
interface SchemaPages {
  pageSize: number;
  pages: Record<string, string>;
}

/** The parts of a database connection that this file needs. */
interface Located {
  location(): string | null;
  prepare<Row>(sql: string): { get(): Row | undefined };
}

/** Bytes in the header of the first page: the file's size and its free pages, which must match each other. */
const OF_THE_MOMENT = { start: 28, end: 40 };
const HEADER_BYTES = 100;
const INTERIOR = 0x05;

/** To be called after a schema change. Skipped while another process reads. */
export function keepSchemaPages(db: Located): void {
  const path = db.location();
  const checkpoint = db.prepare<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)').get();
  if (checkpoint?.busy !== 0 || path === null) return;
  try {
    writeAtomically(readKeptSchema(path), JSON.stringify(readPages(path)));
  } catch {
    // The disk is full; the copy is optional.
  }
}

function readPages(path: string): SchemaPages {
  return withFile(path, 'r', (file) => {
    const header = readAt(file, 0, HEADER_BYTES);
    // SQLite writes 65536 as 1.
    const size = header.readUInt16BE(16);
    const pageSize = size === 1 ? 65_536 : size;
    const page = (number: number) => readAt(file, (number - 1) * pageSize, pageSize);
    const numbers = [1, ...childrenOf(page(1))];
    return {
      pageSize,
      pages: Object.fromEntries(numbers.map((number) => [number, page(number).toString('base64')])),
    };
  });
}

/** A copy of a damaged database with the saved schema pages. @returns null if none were saved. */
export function copyWithKeptSchema(damaged: string, copy: string): string | null {
  const kept = readKept(damaged);
  if (!kept) return null;
  copyFileSync(damaged, copy);
  if (existsSync(`${damaged}-wal`)) copyFileSync(`${damaged}-wal`, `${copy}-wal`);
  withFile(copy, 'r+', (file) => {
    for (const [number, page] of Object.entries(kept.pages)) {
      const bytes = Buffer.from(page, 'base64');
      if (number === '1') bytes.fill(0, OF_THE_MOMENT.start, OF_THE_MOMENT.end);
      writeSync(file, bytes, 0, bytes.length, (Number(number) - 1) * kept.pageSize);
    }
  });
  return copy;
}

export function readKeptSchema(path: string): string {
  return `${path}.schema`;
}

function readKept(path: string): SchemaPages | null {
  try {
    return JSON.parse(readIfThere(readKeptSchema(path)) ?? 'null');
  } catch {
    return null;
  }
}

/** The schema needs more than a page: the first one only points to the others. */
function childrenOf(first: Buffer): number[] {
  if (first[HEADER_BYTES] !== INTERIOR) return [];
  const cells = first.readUInt16BE(HEADER_BYTES + 3);
  const last = first.readUInt32BE(HEADER_BYTES + 8);
  const children = Array.from({ length: cells }, (_, index) =>
    first.readUInt32BE(first.readUInt16BE(HEADER_BYTES + 12 + index * 2)),
  );
  return [...children, last];
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, position);
  return bytes;
}

function withFile<T>(path: string, flags: string, work: (file: number) => T): T {
  const file = openSync(path, flags);
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}
