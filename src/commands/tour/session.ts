import { readRecording } from '../../capture/sample/recording.ts';
import { formatCount } from '../../context/words.ts';
import { shorten } from '../../model/shorten.ts';
import type { Call } from '../support/command.ts';
import { parseAnswer } from './answer.ts';
import { describeHookCall } from './describe-call.ts';
import { formatMilliseconds, wrap } from './layout.ts';
import { computeMedians, findTrueProgram, type PlayedCall, playCall } from './play.ts';
import type { TourSandbox } from './sandbox.ts';

/** Plays the recording and prints each hook when it ends. */
export async function playSession(
  { out, paint }: Call,
  sandbox: TourSandbox,
  signal: AbortSignal,
): Promise<PlayedCall[]> {
  const all: PlayedCall[] = [];
  let unhandled = 0;
  out(paint.dim('       hook  /bin/true'));
  for (const recorded of readRecording(sandbox)) {
    const played = await playCall(sandbox, recorded, signal);
    if (played.length === 0) unhandled++;
    for (const { hook, nothingMs } of played) {
      const times = `${formatMilliseconds(hook.ms).padStart(11)}  ${paint.dim(formatMilliseconds(nothingMs).padStart(9))}`;
      out(
        `${times}  ${paint.cyan(recorded.event.padEnd(18))} ${shorten(describeHookCall(recorded, sandbox.project), 54)}`,
      );
      const { person } = parseAnswer(hook.stdout);
      if (person) out(paint.dim(wrap(`you would read: ${person}`, ' '.repeat(24))));
    }
    all.push(...played);
  }
  if (unhandled)
    out(
      paint.dim(
        `  The recording has ${formatCount(unhandled, 'more event', 'more events')} for which Cairn has no hook.`,
      ),
    );
  return all;
}

export function showMedians({ out, paint }: Call, played: PlayedCall[]): void {
  const { silent, nothing, node } = computeMedians(played);
  const times = (part: number, whole: number) => `${(part / whole).toFixed(part < whole ? 2 : 1)} ×`;
  const row = (name: string, ms: number, ratio: string) =>
    out(`  ${name.padEnd(24)} ${formatMilliseconds(ms).padStart(8)}  ${ratio}`);
  out('');
  row('a silent hook', silent, paint.dim('median of all calls, like the two below'));
  row(findTrueProgram(), nothing, `the hook takes ${paint.bold(times(silent, nothing))} as long`);
  row('node -e 0', node, `the hook takes ${paint.bold(times(silent, node))} as long`);
  out(paint.dim('  All three include starting a process from node, as Claude Code does.'));
  out(
    paint.dim(
      '  SessionStart and UserPromptSubmit answer, which needs node; the others only write a file and end.',
    ),
  );
}
