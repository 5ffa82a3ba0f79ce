import { randomUUID } from 'node:crypto';
import type { Call } from '../command.ts';
import { answerOf } from './answer.ts';
import { wrap } from './layout.ts';
import { playCall } from './play.ts';
import type { TourWorld } from './world.ts';

/** Starts another session in the same project and shows what the hook answers. */
export async function showNextSession(
  { out, paint }: Call,
  world: TourWorld,
  signal: AbortSignal,
): Promise<void> {
  const { model, person } = answerOf(await startNextSession(world, signal));
  out(paint.dim('  the model reads'));
  out(wrap(model, '    '));
  out(paint.dim('  you read'));
  out(wrap(person, '    '));
}

/** @returns what the hook prints. */
export async function startNextSession(world: TourWorld, signal: AbortSignal): Promise<string> {
  const payload = {
    session_id: randomUUID(),
    cwd: world.project,
    hook_event_name: 'SessionStart',
    source: 'startup',
  };
  const [played] = await playCall(world, { event: 'SessionStart', payload }, signal);
  return played?.hook.stdout ?? '';
}
