import { randomUUID } from 'node:crypto';
import type { Call } from '../support/command.ts';
import { parseAnswer } from './answer.ts';
import { wrap } from './layout.ts';
import { playCall } from './play.ts';
import type { TourSandbox } from './sandbox.ts';

/** Starts another session in the same project and shows what the hook answers. */
export async function showNextSession(
  { out, paint }: Call,
  sandbox: TourSandbox,
  signal: AbortSignal,
): Promise<void> {
  const { model, person } = parseAnswer(await startNextSession(sandbox, signal));
  out(paint.dim('  the model reads'));
  out(wrap(model, '    '));
  out(paint.dim('  you read'));
  out(wrap(person, '    '));
}

/** @returns the hook's output. */
export async function startNextSession(sandbox: TourSandbox, signal: AbortSignal): Promise<string> {
  const payload = {
    session_id: randomUUID(),
    cwd: sandbox.project,
    hook_event_name: 'SessionStart',
    source: 'startup',
  };
  const [played] = await playCall(sandbox, { event: 'SessionStart', payload }, signal);
  return played?.hook.stdout ?? '';
}
