import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runSession } from '../support/claude-code.ts';
import { openScreen } from '../support/claude-code-screen.ts';
import { drawScreen } from '../support/screen-picture.ts';
import type { ModelRequest } from '../support/scripted-model.ts';
import { SHOP, TOUR_PROMPTS, tourScript } from '../support/tour-session.ts';
import { cairn, makeConnectedWorld, type World } from '../support/world.ts';

/** The session in the README's picture, with the real client. `npm run pictures` also writes the picture. */

const PICTURE = fileURLToPath(new URL('../../docs/images/next-session.svg', import.meta.url));
const hasTmux = spawnSync('tmux', ['-V']).status === 0;
const QUESTION = 'why do we not use toFixed for prices?';
const ANSWER =
  'An earlier session decided it (#2): prices are rounded once, with Math.round, where the discount is applied. toFixed returns a string, and the callers expect a number.';

test.skipIf(!hasTmux)('a new session starts with what the previous one learned', async () => {
  const world = await makeConnectedWorld({ files: SHOP });
  try {
    await runSession(world, { script: tourScript(world.project), prompts: TOUR_PROMPTS });
    await cairn(world, 'worker', 'start');
    await expect.poll(() => cairn(world, 'recent'), POLL).toContain('toFixed was the wrong tool');
    await expect.poll(() => cairn(world, 'queue'), POLL).toBe('The queue is empty.\n');
    await cairn(world, 'project', 'rename', '1', 'shop');

    const screen = await openScreen(world, {
      columns: 100,
      rows: 32,
      script: { main: [[{ text: ANSWER }]] },
    });
    try {
      await screen.shows('Cairn: gave the agent');
      await screen.type(QUESTION);
      const shown = visibleLines(await screen.shows('expect a number'), world);
      const given = contextIn(screen.requests());
      expect(given).toContain('Prices are rounded to whole cents with Math.round');
      if (process.env.CAIRN_RECORD === '1') await writeFile(PICTURE, picture(shown, given));
    } finally {
      await screen.close();
    }
  } finally {
    await world.remove();
  }
});

const POLL = { timeout: 60_000, interval: 500 };

function picture(shown: string[], given: string): string {
  return drawScreen({
    title: 'A new session of Claude Code, with Cairn',
    description:
      'The terminal of a new session: Cairn says in one line how much it gave the agent, and the agent answers a question from it. Below, the text that the model was given.',
    panels: [
      { heading: 'You see', lines: shown },
      { heading: 'The model was given', lines: given.split('\n') },
    ],
    caption:
      'Recorded with Claude Code 2.1.325; the model is scripted, everything else is real. Long lines are cut.',
  });
}

/** The client's logo, of which a terminal without colours shows only a part. */
const BLOCKS = /[\u2580-\u259f]/g;

/** The conversation without the input box, output that the test itself causes, and machine paths. */
function visibleLines(text: string, world: World): string[] {
  const lines = text
    .replaceAll(world.project, '~/shop')
    .replace(BLOCKS, ' ')
    .split('\n')
    .map((line) => line.trimEnd());
  const end = lines.findIndex((line) => line.includes('expect a number') || line.includes('a number.'));
  return lines.slice(0, end + 1).filter((line, index) => !line.includes('Debug mode') && (line || index > 0));
}

/** The longest context of Cairn in what the client sent to the model. */
function contextIn(requests: ModelRequest[]): string {
  const texts = requests.flatMap(({ body }) => [
    ...JSON.stringify(body).matchAll(/<cairn-context>.*?<\/cairn-context>/g),
  ]);
  const [longest = ''] = texts.map(([text]) => text).sort((a, b) => b.length - a.length);
  return JSON.parse(`"${longest}"`);
}
