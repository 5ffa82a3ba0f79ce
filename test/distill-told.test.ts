import { describe, expect, test } from 'vitest';
import { toldSessions } from './distill/all.ts';
import { callsOf, unfounded } from './distill/consistency.ts';
import { addShares, scoreSession } from './distill/score.ts';
import { tell } from './distill/tell.ts';
import { absent } from './distill/words.ts';
import { tempFolder } from './support/temp.ts';

// Sessions in languages whose programs few machines have. Their expectations were written before they were
// first distilled, and by then the distiller had never seen them.

test('leaves what a careful engineer would have written down', () => {
  const scores = toldSessions.map((session) => scoreSession(session.expects, tell(session, tempFolder())));
  const { met, of } = scores.map(({ essentials }) => essentials).reduce(addShares);
  expect(met / of, scores.flatMap(({ missing }) => missing).join('\n')).toBeGreaterThanOrEqual(0.85);
});

describe.each(toldSessions.map((session) => [session.name, session] as const))('%s', (_name, session) => {
  test('what is expected of it can be learned from it', () => {
    expect(unfounded(session)).toEqual([]);
  });

  test('makes all the noise that must not be remembered', () => {
    const { main } = session.script('/project');
    const said = main.flat().flatMap((step) => ('text' in step ? [step.text] : []));
    const shown = callsOf({ main }).flatMap(({ input, shows }) => [...Object.values(input), shows]);
    const heard = [...session.prompts, ...said, ...shown, ...Object.values(session.files)].join('\n');
    expect(absent(session.expects.noise, heard)).toEqual([]);
  });
});
