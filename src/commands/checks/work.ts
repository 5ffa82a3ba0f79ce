import { counted } from '../../context/words.ts';
import type { StoreCounts } from '../../store/store.ts';
import { runningWorker } from '../../worker/note.ts';
import type { Call } from '../command.ts';
import { type Check, ok, warn } from './check.ts';

/** The worker, and what it has to do. */
export function checkWork({ paths }: Call, { waitingJobs, deadJobs, memories }: StoreCounts): Check[] {
  const running = runningWorker(paths);
  const waits = waitingJobs ? `, ${counted(waitingJobs, 'turn')} to distil` : '';
  const checks = [
    ok(
      'worker',
      running ? `at work (Cairn ${running.version ?? '?'})${waits}` : `none needed at present${waits}`,
    ),
    ok('memories', String(memories)),
  ];
  if (deadJobs > 0)
    checks.push(
      warn(
        'queue',
        `${counted(deadJobs, 'job was', 'jobs were')} given up`,
        'Why: cairn queue list. Then: cairn queue retry all',
      ),
    );
  return checks;
}
