import { describe, expect, test } from 'vitest';
import { surveySessions, toldSessions } from './distill/all.ts';
import { expectWithin } from './distill/bounds.ts';
import { callsOf, unfounded } from './distill/consistency.ts';
import { addShares, scoreSession } from './distill/score.ts';
import { tell } from './distill/tell.ts';
import { absent } from './distill/words.ts';
import { tempFolder } from './support/temp.ts';

// Sessions in languages whose toolchains few machines have. Their expectations were written before the distiller first
// saw them.

test('distilling keeps what a careful engineer would have written down', () => {
  const scores = toldSessions.map((session) => scoreSession(session.expects, tell(session, tempFolder())));
  const { met, of } = scores.map(({ essentials }) => essentials).reduce(addShares);
  expect(met / of, scores.flatMap(({ missing }) => missing).join('\n')).toBeGreaterThanOrEqual(0.85);
});

// The client replays only a part of the survey (test/e2e/distill-sessions.test.ts). Here the whole survey goes through
// the hooks without the client; the stored sessions differ in a few places, such as the output of git. The bounds are
// close to the last measurement: a loss of a few percent fails.
test('distilling the survey keeps what a careful engineer would have noted, and little else', {
  timeout: 180_000,
}, () => {
  const scores = surveySessions.map((session) => scoreSession(session.expects, tell(session, tempFolder())));
  expectWithin('the survey, told', scores, {
    essentials: 0.94,
    niceToHave: 0.845,
    types: 0.925,
    summaryFields: 0.93,
    receipts: 0.07,
    noise: 1 / 55,
    untrue: 1 / 36,
  });
});

describe.each(toldSessions.map((session) => [session.name, session] as const))('%s', (_name, session) => {
  test('expects only what can be learned from it', () => {
    expect(unfounded(session)).toEqual([]);
  });

  test('contains all the noise that must not be remembered', () => {
    const { main } = session.script('/project');
    const words = main.flat().flatMap((step) => ('text' in step ? [step.text] : []));
    const results = callsOf({ main }).flatMap(({ input, shows }) => [...Object.values(input), shows]);
    const everything = [...session.prompts, ...words, ...results, ...Object.values(session.files)].join('\n');
    expect(absent(session.expects.noise, everything)).toEqual([]);
  });
});
