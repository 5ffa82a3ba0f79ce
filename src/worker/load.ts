import { createRequire } from 'node:module';
import { readEnvironment } from '../config/environment.ts';
import { pathsOf } from '../platform/paths.ts';
import { startWorker } from '../platform/start-worker.ts';
import { lockWorker } from './worker-note.ts';

/**
 * Where the background process begins; `wake` starts it in a session of its own. Hooks start one at every prompt and
 * every end of a turn, and most find another at work: loading the program first would take them two and a half times
 * as long.
 */
const [mode] = process.argv.slice(2);

if (mode === 'wake') startWorker();
else if (mode === 'drain' || !isAnotherAtWork()) createRequire(import.meta.filename)('./worker-program.cjs');

function isAnotherAtWork(): boolean {
  try {
    const release = lockWorker(pathsOf(readEnvironment().cairnHome));
    release?.();
    return release === null;
  } catch {
    // The program gets the same error and can log it.
    return false;
  }
}
