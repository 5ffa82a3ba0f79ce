import { createRequire } from 'node:module';
import { readEnvironment } from '../config/environment.ts';
import { pathsOf } from '../platform/paths.ts';
import { startWorker } from '../platform/start-worker.ts';
import { lockWorker } from './worker-note.ts';

/**
 * The entry of the worker; `wake` starts it in its own process session. Hooks start a worker at every prompt and end of
 * a turn, and most find another one running. Loading the program first would take two and a half times as long.
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
