import { runOwnCommand } from '../own-command.ts';
import { Problem } from '../problem.ts';
import type { Handlers } from '../route.ts';
import type { doctorRoutes } from '../routes/doctor.ts';

const LONGEST_MS = 60_000;

/** Runs every hook once in a temporary home, which takes seconds. */
export const doctorHandlers: Handlers<typeof doctorRoutes> = {
  async runDoctor(_, { paths }) {
    try {
      // The exit code is ignored: the output has the details.
      return JSON.parse(await runOwnCommand(paths, ['doctor', '--json'], LONGEST_MS));
    } catch {
      throw new Problem(503, 'The diagnosis gave no answer. Run: cairn doctor');
    }
  },
};
