import { join } from 'node:path';
import { readEnvironment } from '../../config/environment.ts';
import { packageRoot } from '../../platform/installation.ts';
import { runProgram } from '../../platform/run-program.ts';
import { Problem } from '../problem.ts';
import type { Handlers } from '../route.ts';
import type { doctorRoutes } from '../routes/doctor.ts';

const LONGEST_MS = 60_000;

/** A process of its own: it runs every hook once in a temporary home, which takes seconds. */
export const doctorHandlers: Handlers<typeof doctorRoutes> = {
  async runDoctor(_, { paths }) {
    const { userHome, searchPath = '' } = readEnvironment();
    try {
      // Its exit code says how bad it is; the output says it better.
      const { stdout } = await runProgram(
        {
          program: process.execPath,
          args: [join(packageRoot(), 'dist/cli.mjs'), 'doctor', '--json'],
          cwd: paths.home,
          env: { HOME: userHome, PATH: searchPath, CAIRN_HOME: paths.home },
          input: '',
        },
        AbortSignal.timeout(LONGEST_MS),
      );
      return JSON.parse(stdout);
    } catch {
      throw new Problem(503, 'The diagnosis gave no answer. Run: cairn doctor');
    }
  },
};
