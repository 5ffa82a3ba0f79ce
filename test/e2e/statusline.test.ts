import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openScreen } from '../support/claude-code-screen.ts';
import { cairn, makeWorld, type World } from '../support/world.ts';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;

let world: World;

beforeAll(async () => {
  world = await makeWorld({ 'README.md': '# Orchard\n', 'src/apples.ts': '', 'src/pears.ts': '' });
  world.env.CAIRN_NO_WORKER = '1';
  await writeFile(
    join(world.home, '.claude/settings.json'),
    JSON.stringify({ statusLine: { type: 'command', command: 'echo THEIRS' } }),
  );
  await cairn(world, 'install', 'claude-code', '--statusline', '--suggest-files');
  await cairn(world, 'remember', 'Apples are pressed dry.');
});

afterAll(() => world.remove());

test.runIf(hasTmux)('the client shows both status lines, and files after @', async () => {
  const screen = await openScreen(world, {
    script: { main: [[{ text: 'Pressed.' }]] },
    args: ['--model', 'claude-opus-5-5'],
  });
  try {
    await screen.shows(/THEIRS\n.*Opus.* · cairn 1/);
    await screen.type('press the apples');
    await screen.shows('Pressed.');
    await screen.shows(/THEIRS\n.*Opus.* · .*\d+% left · .*cairn 1/);
    await screen.press('@');
    // The client does not wait long for files; on a busy machine it gets them the next time.
    await vi.waitFor(
      async () => {
        await screen.press('p');
        await sleep(1_000);
        const shown = await screen.text();
        await screen.press('BSpace');
        expect(shown).toMatch(/\+ src\/pears\.ts/);
      },
      { timeout: 60_000, interval: 200 },
    );
  } finally {
    await screen.close();
  }
});
