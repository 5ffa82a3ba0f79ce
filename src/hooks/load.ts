import {
  closeSync,
  existsSync,
  mkdirSync,
  opendirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { readEnvironment } from '../config/environment.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../platform/files.ts';
import { pathsOf } from '../platform/paths.ts';

/**
 * The entry of hook processes and other programs that agents run. Compiling takes as long as running, so V8's compiled
 * code of an earlier call for the same event is kept in the home; V8 rejects code that does not match.
 */
const folder = import.meta.dirname;
/** Programs that an agent calls besides hooks. */
const OTHERS = ['statusline', 'suggest-files'];
const other = OTHERS.find((name) => name === process.argv[2]);
const program = join(folder, `${other ?? 'hook'}-program.cjs`);
const event = other ?? process.argv[3] ?? '';
const home = knownHome();
const { code: kept, spool } = pathsOf(home ?? '');
/** Matches the agents' names: `SessionStart`, `sessionStart`, `session_start`, `session.created`. */
const IS_SESSION_START = /^session[._]?(?:start|created)$/i;
/** A session start with pending events, as after every /clear, ingests them and needs more of the program. */
const task = IS_SESSION_START.test(event) && isAnythingWaiting() ? `${event}.taking-in` : event;

function knownHome(): string | null {
  try {
    return readEnvironment().cairnHome;
  } catch {
    return null;
  }
}

interface Program {
  /** Whether the agent got a reply: then all code that an answer needs has been compiled. */
  hasAnswered(): boolean;
}

function run(): void {
  const own = join(kept, codeName(task));
  const code = read(own);
  const cachedData = code ?? readLargestCode();
  // ASCII only, and already a function: see scripts/build.mjs.
  const script = new Script(readFileSync(program, 'latin1'), {
    filename: program,
    ...(cachedData && { cachedData }),
  });
  const loaded = { exports: {} as Program };
  // CommonJS provides `require`; loading node:module would cost a millisecond.
  script.runInThisContext()(loaded.exports, require, loaded, program, folder);
  if (code && !script.cachedDataRejected) return;
  process.on('exit', () => {
    if (loaded.exports.hasAnswered()) keep(own, script);
  });
}

/** The name contains the program's file, because V8 compares only its length. */
function codeName(of: string): string {
  const { size, mtimeMs, ino } = statSync(program);
  return `${of}-${process.version}-${[size, Math.round(mtimeMs), ino].join('-')}`;
}

/**
 * For an event without cached code, such as a prompt before the first answered one. Events share most of their code,
 * and the largest cache contains the most.
 */
function readLargestCode(): Buffer | null {
  try {
    const ofProgram = codeName('');
    const [largest] = readdirSync(kept)
      .filter((name) => name.endsWith(ofProgram))
      .map((name) => ({ path: join(kept, name), size: statSync(join(kept, name)).size }))
      .sort((a, b) => b.size - a.size);
    return largest ? read(largest.path) : null;
  } catch {
    return null;
  }
}

/** Reads at most three entries: besides this event's own file and the torn folder, one is enough. */
function isAnythingWaiting(): boolean {
  const ownFile = process.argv[6];
  try {
    const folder = opendirSync(spool);
    const names = [folder.readSync()?.name, folder.readSync()?.name, folder.readSync()?.name];
    folder.closeSync();
    return names.some((name) => name !== ownFile && name?.includes('.'));
  } catch {
    return false;
  }
}

function read(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

/** Optional: without it, hooks are only slower. */
function keep(own: string, script: Script): void {
  try {
    // Not recursive: the home itself may have been removed on purpose.
    if (!existsSync(kept)) mkdirSync(kept, { mode: PRIVATE_FOLDER });
    const draft = `${own}.${process.pid}`;
    const file = openSync(draft, 'wx', PRIVATE_FILE);
    writeFileSync(file, script.createCachedData());
    closeSync(file);
    renameSync(draft, own);
    for (const name of readdirSync(kept).filter((file) => file.startsWith(`${task}-`)))
      if (join(kept, name) !== own) rmSync(join(kept, name), { force: true });
  } catch {
    // The home is read-only, full or removed.
  }
}

// An agent must not see an error: without a home there is nothing to store and nothing to answer from.
if (home !== null) run();
