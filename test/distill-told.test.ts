import { describe, expect, test } from 'vitest';
import { surveySessions, toldSessions } from './distill/all.ts';
import { expectWithin } from './distill/bounds.ts';
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

// The client plays a part of the survey (test/e2e/distill-sessions.test.ts). Here all of it is told: what is kept of a
// session differs from what the client leaves in a few places, such as the output of git. The bounds are close to what was
// measured last, so that a loss of a few percent fails.
test('the survey leaves what a careful engineer would have noted, and little else', {
  timeout: 180_000,
}, () => {
  const scores = surveySessions.map((session) => scoreSession(session.expects, tell(session, tempFolder())));
  expectWithin('the survey, told', scores, {
    essentials: 0.94,
    niceToHave: 0.845,
    types: 0.925,
    summaryFields: 0.93,
    receipts: 0.07,
    noise: 1 / 60,
    untrue: 1 / 150,
  });
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
