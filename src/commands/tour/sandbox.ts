import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readEnvironment } from '../../config/environment.ts';
import { loadSettings } from '../../config/settings.ts';
import { pathsOf } from '../../platform/paths.ts';
import type { Call } from '../support/command.ts';

/** A temporary folder with a home and a project. */
export interface TourSandbox {
  root: string;
  userHome: string;
  project: string;
  searchPath: string;
  /** Builds a call to a command in the sandbox; its output is discarded. */
  callOf(positionals: string[], options?: Call['options']): Call;
  remove(): Promise<void>;
}

export function createSandbox(call: Call): TourSandbox {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-tour-')));
  // Needed if the reader of our output goes away, which ends the program at once.
  const removeAtExit = () => rmSync(root, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  const userHome = join(root, 'home');
  const project = join(root, 'shop');
  for (const folder of [userHome, project]) mkdirSync(folder);
  const { searchPath } = call.env;
  // The hooks of the tour start the sandbox's worker; a command would start one in the person's home.
  const env = { ...readEnvironment({ HOME: userHome, PATH: searchPath }), startsNoWorker: true };
  const paths = pathsOf(env.cairnHome);

  return {
    root,
    userHome,
    project,
    searchPath,
    callOf: (positionals, options = {}) => ({
      ...call,
      positionals,
      options,
      env,
      home: env.cairnHome,
      paths,
      settings: loadSettings(paths.config, env).settings,
      isTerminal: false,
      out: () => {},
    }),
    async remove() {
      await removeForGood(root);
      process.off('exit', removeAtExit);
    },
  };
}

/** The worker may recreate files until it notices that its home is gone, so removal is retried. */
async function removeForGood(root: string): Promise<void> {
  for (let left = MOST_TRIES; left > 0; left--) {
    try {
      rmSync(root, { recursive: true, force: true });
    } catch (error) {
      if (left === 1) throw error;
    }
    await wait(250);
    if (!existsSync(root)) return;
  }
}

const MOST_TRIES = 60;
