import { formatCount } from '../../context/words.ts';
import type { StoreCounts } from '../../store/types/session.ts';
import { findRunningWorker } from '../../worker/worker-note.ts';
import type { Call } from '../support/command.ts';
import { type Check, ok, warn } from './check.ts';

/** The worker and its pending jobs. */
export function checkWork({ paths }: Call, { waitingJobs, deadJobs, memories }: StoreCounts): Check[] {
  const running = findRunningWorker(paths);
  const waits = waitingJobs ? `, ${formatCount(waitingJobs, 'turn')} to distil` : '';
  const checks = [
    ok(
      'worker',
      running
        ? `running (Cairn ${running.version ?? '?'})${waits}`
        : `not running, starts when needed${waits}`,
    ),
    ok('memories', String(memories)),
  ];
  if (deadJobs > 0)
    checks.push(
      warn(
        'queue',
        `${formatCount(deadJobs, 'job')} failed for good`,
        'Details: cairn queue list. Retry: cairn queue retry all',
      ),
    );
  return checks;
}
