import { describe, expect, test } from 'vitest';
import { toldSessions } from './distill/all.ts';
import { callsOf, unfounded } from './distill/consistency.ts';
import { judge } from './distill/judge.ts';
import { tell } from './distill/tell.ts';
import { absent } from './distill/words.ts';
import { tempFolder } from './support/temp.ts';

// Sessions in languages whose programs few machines have. Their expectations were written before they were
// first distilled, and by then the distiller had never seen them.

describe.each(toldSessions.map((session) => [session.name, session] as const))('%s', (_name, session) => {
  test('leaves what a careful engineer would have written down, no noise and no junk', () => {
    const stored = tell(session, tempFolder());
    expect(judge(session.expects, stored)).toEqual({ missing: [], junk: [], noise: [] });
  });

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
