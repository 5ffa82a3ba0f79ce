import { cliProgram } from '../../platform/installation.ts';
import type { Call } from '../support/command.ts';
import { parseAnswer } from './answer.ts';
import { wrap } from './layout.ts';
import { startNextSession } from './next-session.ts';
import type { TourSandbox } from './sandbox.ts';
import { runTimed } from './timed-run.ts';

const TYPED = [
  ['tasks', 'add', 'Refuse a discount above 100 percent'],
  ['handoff', 'save', 'The shop wants an error, not a price of zero.'],
];

/** Stops in the middle of a task, as people do, and shows the context that the next session gets. */
export async function showContinuation(
  { out, paint }: Call,
  sandbox: TourSandbox,
  signal: AbortSignal,
): Promise<void> {
  for (const words of TYPED) {
    out(paint.dim(`  $ cairn ${words.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ')}`));
    const { exitCode, stdout, stderr } = await runTimed(process.execPath, [cliProgram(), ...words], {
      cwd: sandbox.project,
      env: { PATH: sandbox.searchPath, HOME: sandbox.userHome, CAIRN_NO_WORKER: '1' },
    });
    signal.throwIfAborted();
    if (exitCode !== 0) throw new Error(`cairn ${words.join(' ')} ended with ${exitCode}: ${stderr}`);
    out(wrap(stdout.trimEnd(), '    '));
  }
  const { model } = parseAnswer(await startNextSession(sandbox, signal));
  out(paint.dim('  the model of the next session reads, with any agent'));
  out(wrap(aboutWork(model), '    '));
}

/** Only the part about the work item; the tour has already shown the rest. */
function aboutWork(context: string): string {
  const [work = ''] = context.split('\nWhat Cairn remembers of ');
  return work === context ? context : `${work}\n…`;
}
