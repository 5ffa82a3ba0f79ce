import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../platform/installation.ts';
import { Problem } from '../problem.ts';
import type { Handlers } from '../route.ts';
import type { doctorRoutes } from '../routes/doctor.ts';

const LONGEST_MS = 60_000;

/** A process of its own: it runs every hook once in a temporary home, which takes seconds. */
export const doctorHandlers: Handlers<typeof doctorRoutes> = {
  runDoctor: (_, { paths }) =>
    new Promise((resolve, reject) => {
      const program = join(packageRoot(), 'dist/cli.mjs');
      const options = { cwd: paths.home, timeout: LONGEST_MS };
      // Its exit code says how bad it is; the output says it better.
      execFile(process.execPath, [program, 'doctor', '--json'], options, (_error, stdout) => {
        try {
          resolve(JSON.parse(stdout));
        } catch {
          reject(new Problem(503, 'The diagnosis gave no answer. Run: cairn doctor'));
        }
      });
    }),
};
