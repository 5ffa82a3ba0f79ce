import { cliProgram } from '../../platform/installation.ts';
import type { Call } from '../command.ts';
import { answerOf } from './answer.ts';
import { wrap } from './layout.ts';
import { startNextSession } from './next-session.ts';
import { timedRun } from './timed-run.ts';
import type { TourWorld } from './world.ts';

const TYPED = [
  ['tasks', 'add', 'Refuse a discount above 100 percent'],
  ['handoff', 'save', 'The shop wants an error, not a price of zero.'],
];

/** Stops in the middle of something, as a person does, and shows what the session after that is told. */
export async function showGoingOn(
  { out, paint }: Call,
  world: TourWorld,
  signal: AbortSignal,
): Promise<void> {
  for (const words of TYPED) {
    out(paint.dim(`  $ cairn ${words.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ')}`));
    const { exitCode, stdout, stderr } = await timedRun(process.execPath, [cliProgram(), ...words], {
      cwd: world.project,
      env: { PATH: world.searchPath, HOME: world.userHome, CAIRN_NO_WORKER: '1' },
    });
    signal.throwIfAborted();
    if (exitCode !== 0) throw new Error(`cairn ${words.join(' ')} ended with ${exitCode}: ${stderr}`);
    out(wrap(stdout.trimEnd(), '    '));
  }
  const { model } = answerOf(await startNextSession(world, signal));
  out(paint.dim('  the model of the next session, whichever agent it is, reads'));
  out(wrap(aboutWork(model), '    '));
}

/** What comes after it was shown before. */
function aboutWork(context: string): string {
  const [work = ''] = context.split('\nWhat Cairn remembers of ');
  return work === context ? context : `${work}\n…`;
}
