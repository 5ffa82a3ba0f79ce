import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSession, type SessionRun } from '../support/claude-code.ts';
import { bash, waitFor } from '../support/shell-turns.ts';
import { cairn, makeConnectedWorld, type World } from '../support/world.ts';

/** How full the window is, as the real client's transcript tells it: who is warned, and when. */

/** Levels at which there is something to say. */
const WARNED = [710_000, 810_000, 910_000, 720_000];

/** Gives the background time to look: much where a warning comes, little where none does. */
function look(windowTokens: number): string {
  const tries = WARNED.includes(windowTokens) ? 150 : 40;
  return waitFor('[ -e ~/.cairn/state/outbox-for/$CLAUDE_CODE_SESSION_ID ]', { tries });
}

const CALLS_PER_LEVEL = 3;

describe('a window that fills up', () => {
  let world: World;
  let run: SessionRun;
  let handoffs: unknown[];

  beforeAll(async () => {
    world = await makeConnectedWorld();
    run = await runSession(world, {
      script: {
        main: [
          ...[690_000, 710_000, 750_000, 810_000, 910_000, 920_000].flatMap(filled),
          [{ text: 'Half of them are grafted.' }, { windowTokens: 920_000 }],
          ...[300_000, 720_000].flatMap(filled),
          [{ text: 'All of them.' }],
        ],
      },
      prompts: ['Graft the pear trees of the orchard', '/compact', 'and the rest of the trees?'],
      args: ['--model', 'claude-opus-5-5'],
    });
    handoffs = JSON.parse(await cairn(world, 'handoff', 'list', '--json'));
  });
  afterAll(() => world.remove());

  test('the model is warned three times, each once', () => {
    expect(heard('before the compaction')).toEqual([
      [],
      [],
      ['29'],
      ['29'],
      ['29', '19'],
      ['29', '19', '9'],
      ['29', '19', '9'],
    ]);
  });

  test('and again when it has filled up again after a compaction', () => {
    expect(heard('after it')).toEqual([[], [], ['28']]);
  });

  test('and so is the person', () => {
    const said = run.printed.filter(({ subtype }) => subtype === 'informational');
    expect(warningsIn(said)).toEqual(['29', '19', '9', '28']);
  });

  test('a handoff was written when it was nearly full, and both were told', () => {
    expect(handoffs).toEqual([expect.objectContaining({ number: 1, by: 'meter' })]);
    const name = 'graft-pear-trees-orchard, handoff 1';
    expect(JSON.stringify(run.requests)).toContain(`A handoff was saved for the next session (${name})`);
    expect(JSON.stringify(run.printed)).toContain(`A handoff was saved (${name})`);
  });

  /** After all calls of each level; between them it may have been told or not. */
  function heard(when: 'before the compaction' | 'after it') {
    const compaction = run.requests.findIndex(({ queue }) => queue === 'compact');
    return run.requests
      .slice(...(when === 'after it' ? [compaction] : [0, compaction]))
      .filter(({ queue }) => queue === 'main')
      .filter((_, at) => at % CALLS_PER_LEVEL === 0)
      .map(({ body }) => warningsIn(body));
  }
});

test('nobody is warned of a window that nobody knows', async () => {
  const world = await makeConnectedWorld();
  try {
    const run = await runSession(world, {
      script: { main: [...filled(150_000), [{ text: 'Done.' }]] },
      prompts: ['Graft the pear trees of the orchard'],
      args: ['--model', 'a-model-nobody-knows'],
    });
    expect(run.requests.filter(({ queue }) => queue === 'main')).toHaveLength(CALLS_PER_LEVEL + 1);
    expect(warningsIn([run.requests, run.printed])).toEqual([]);
  } finally {
    await world.remove();
  }
});

/**
 * What the first call's request has used is told after that call or after the second, which waits for it.
 * The third is for a busy machine, on which a hook may run out of time: the next one tells what it could not.
 */
function filled(windowTokens: number) {
  return ['true', look(windowTokens), 'true'].map((command) => [...bash(command), { windowTokens }]);
}

function warningsIn(said: unknown): (string | undefined)[] {
  return [...JSON.stringify(said).matchAll(/(\d+) % of the context window are left/g)].map(
    ([, left]) => left,
  );
}
