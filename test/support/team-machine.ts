import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TeamCredentials } from '../../src/team/server/address.ts';
import { type CairnRun, makeRepository, runCairn } from './run-cairn.ts';
import { tempFolder } from './temp.ts';

/** A home with a checkout in which commands run. */
export interface TeamMachine {
  home: string;
  repository: string;
  cairn(args: string[], stdin?: string, env?: Record<string, string>): CairnRun;
  /** Fails unless the exit code is 0. */
  ok(args: string[], stdin?: string, env?: Record<string, string>): CairnRun;
  login(): TeamCredentials;
}

/**
 * The caller removes `home` if it passes one; the default is removed after the test. `name` is the checkout's folder.
 */
export function makeTeamMachine(remote: string, home = tempFolder(), name = 'shop'): TeamMachine {
  const repository = makeRepository(join(home, name), remote);
  const cairn: TeamMachine['cairn'] = (args, stdin = '', env = {}) =>
    runCairn({ home, cwd: repository, stdin, env }, ...args);
  return {
    home,
    repository,
    cairn,
    ok(...call) {
      const run = cairn(...call);
      expect(run, `cairn ${call[0].join(' ')}`).toMatchObject({ exitCode: 0 });
      return run;
    },
    login: () => JSON.parse(readFileSync(join(home, '.cairn/team-login.json'), 'utf8')),
  };
}
