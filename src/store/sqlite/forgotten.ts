import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { splitPieces, wordsIn } from '../../model/wording.ts';
import { isMissing, PRIVATE_FILE } from '../../platform/files.ts';
import type { Database } from './open.ts';

/** This many equal words in a row count as the same statement, regardless of the words around them. */
const RUN = 5;

interface Traces {
  turn: number | null;
  origin?: string | null;
  texts: string[];
  /** Events from which no other memory was made. */
  events?: number[];
}

/**
 * Digests of forgotten text, made with a key that is stored next to the database: a reader of the database alone
 * cannot test guesses.
 */
export function recordForgotten(
  db: Database,
  { turn, origin = null, texts, events = [] }: Traces,
  at: number,
) {
  const key = keyOf(db);
  const digests = new Set([
    ...texts.flatMap((text) => splitPieces(text).flatMap((piece) => digestsOf(key, piece))),
    ...events.map((event) => digest(key, 'event', String(event))),
  ]);
  const add = db.prepare('INSERT INTO forgotten (turn_id, origin, digest, at) VALUES (?, ?, ?, ?)');
  if (origin !== null) add.run(turn, origin, '', at);
  for (const digest of digests) add.run(turn, null, digest, at);
}

/** Text that a person replaced: the same turn must not produce it again. */
export function recordReplaced(db: Database, turn: number, title: string, at: number): void {
  const key = keyOf(db);
  const add = db.prepare('INSERT INTO forgotten (turn_id, digest, at) VALUES (?, ?, ?)');
  add.run(turn, digest(key, 'replaced', wordsIn(title).join(' ')), at);
}

/** From then on nothing is distilled from this turn. */
export function recordWholeTurn(db: Database, turn: number, at: number): void {
  const key = keyOf(db);
  db.prepare('INSERT INTO forgotten (turn_id, digest, at) VALUES (?, ?, ?)').run(
    turn,
    digest(key, 'turn', String(turn)),
    at,
  );
}

export interface TurnForgotten {
  isWhole: boolean;
  isAny: boolean;
  isForgotten(piece: string): boolean;
  isMadeFrom(events: number[]): boolean;
  wasReplaced(title: string): boolean;
}

/** What must not come back when a turn is distilled again; null for almost every turn. */
export function readForgottenOfTurn(db: Database, turn: number): TurnForgotten | null {
  const rows = db.prepare<{ digest: string }>('SELECT digest FROM forgotten WHERE turn_id = ?').all(turn);
  if (rows.length === 0) return null;
  const key = keyOf(db);
  const known = new Set(rows.map((row) => row.digest));
  return {
    isWhole: known.has(digest(key, 'turn', String(turn))),
    isAny: rows.some((row) => !row.digest.startsWith('replaced:')),
    isForgotten: (piece) => digestsOf(key, piece).some((digest) => known.has(digest)),
    isMadeFrom: (events) =>
      events.length > 0 && events.every((event) => known.has(digest(key, 'event', String(event)))),
    wasReplaced: (title) => known.has(digest(key, 'replaced', wordsIn(title).join(' '))),
  };
}

export function isForgotten(
  db: Database,
  { origin, text = '' }: { origin?: string; text?: string },
): boolean {
  const hasOrigin = db.prepare('SELECT 1 FROM forgotten WHERE origin = ? LIMIT 1');
  if (origin !== undefined && hasOrigin.get(origin)) return true;
  if (!db.prepare("SELECT 1 FROM forgotten WHERE digest <> '' LIMIT 1").get()) return false;
  const key = keyOf(db);
  const hasDigest = db.prepare('SELECT 1 FROM forgotten WHERE digest = ? LIMIT 1');
  const isForgotten = (words: string[]) =>
    hasDigest.get(digest(key, 'sentence', words.join(' '))) !== undefined;
  const sentences = splitPieces(text)
    .map(wordsIn)
    .filter((words) => words.length > 0);
  // A short sentence may be in any text. Only if all sentences were forgotten is it the same text.
  return (
    sentences.some((words) => words.length >= RUN - 1 && isForgotten(words)) ||
    (sentences.length > 0 && sentences.every(isForgotten))
  );
}

/** The sentence and runs of its words, which identify longer and shorter forms of it. */
function digestsOf(key: Buffer, piece: string): string[] {
  const words = wordsIn(piece);
  if (words.length === 0) return [];
  const runs = words.slice(RUN - 1).map((_, index) => words.slice(index, index + RUN).join(' '));
  return [digest(key, 'sentence', words.join(' ')), ...runs.map((run) => digest(key, 'run', run))];
}

type DigestOf = 'sentence' | 'run' | 'event' | 'turn' | 'replaced';

function digest(key: Buffer, of: DigestOf, text: string): string {
  // Loaded here: it costs a hook 5 ms, and no hook needs it.
  const { createHmac } = process.getBuiltinModule('node:crypto');
  return `${of}:${createHmac('sha256', key).update(`${of} ${text}`).digest('base64url').slice(0, 24)}`;
}

function keyOf(db: Database): Buffer {
  const path = join(dirname(fileOf(db)), 'forgotten.key');
  try {
    return readFileSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  try {
    const { randomBytes } = process.getBuiltinModule('node:crypto');
    writeFileSync(path, randomBytes(32), { flag: 'wx', mode: PRIVATE_FILE });
  } catch {
    // Another process was faster, or the read below reports the error.
  }
  return readFileSync(path);
}

export function fileOf(db: Database): string {
  const rows = db.prepare<{ name: string; file: string }>('PRAGMA database_list').all();
  return rows.find(({ name }) => name === 'main')?.file ?? '';
}
