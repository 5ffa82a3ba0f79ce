import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSession, type SessionRun } from '../support/claude-code.ts';
import { bash, waitFor } from '../support/shell-turns.ts';
import { cairn, makeConnectedWorld, type World } from '../support/world.ts';

/** The context window according to the real client's transcript: who is warned, and when. */

/** Levels at which a warning is due. */
const WARNED = [710_000, 810_000, 910_000, 720_000];

/** Waits for the background process: long if a warning is due, briefly if not. */
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

  test('the model gets three warnings, each once', () => {
    expect(warningsPerLevel('before the compaction')).toEqual([
      [],
      [],
      ['29'],
      ['29'],
      ['29', '19'],
      ['29', '19', '9'],
      ['29', '19', '9'],
    ]);
  });

  test('the model is warned again when the window fills up after a compaction', () => {
    expect(warningsPerLevel('after it')).toEqual([[], [], ['28']]);
  });

  test('the person gets the same warnings', () => {
    const messages = run.printed.filter(({ subtype }) => subtype === 'informational');
    expect(warningsIn(messages)).toEqual(['29', '19', '9', '28']);
  });

  test('a handoff is saved when the window is nearly full, and model and person are told', () => {
    expect(handoffs).toEqual([expect.objectContaining({ number: 1, by: 'meter' })]);
    const name = 'graft-pear-trees-orchard, handoff 1';
    expect(JSON.stringify(run.requests)).toContain(`A handoff was saved for the next session (${name})`);
    expect(JSON.stringify(run.printed)).toContain(`A handoff was saved (${name})`);
  });

  /** The warnings after all calls of each level; between the calls a warning may have arrived or not. */
  function warningsPerLevel(when: 'before the compaction' | 'after it') {
    const compaction = run.requests.findIndex(({ queue }) => queue === 'compact');
    return run.requests
      .slice(...(when === 'after it' ? [compaction] : [0, compaction]))
      .filter(({ queue }) => queue === 'main')
      .filter((_, at) => at % CALLS_PER_LEVEL === 0)
      .map(({ body }) => warningsIn(body));
  }
});

test('there is no warning if the size of the window is unknown', async () => {
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
 * A warning about the first call's request comes after that call, or after the second one, which waits for it. The
 * third call is for a busy machine, on which a hook may run out of time: the next hook then gives the warning.
 */
function filled(windowTokens: number) {
  return ['true', look(windowTokens), 'true'].map((command) => [...bash(command), { windowTokens }]);
}

function warningsIn(messages: unknown): (string | undefined)[] {
  return [...JSON.stringify(messages).matchAll(/(\d+) % of the context window are left/g)].map(
    ([, left]) => left,
  );
}
