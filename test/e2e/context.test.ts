import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPlace } from '../../src/capture/place.ts';
import { updateIndex } from '../../src/indexing/update-index.ts';
import { countTokens } from '../../src/model/tokens.ts';
import { blobHash } from '../../src/platform/git/checkout.ts';
import { pathsOf } from '../../src/platform/paths.ts';
import { runSession, type SessionRun } from '../support/claude-code.ts';
import { hookComplaints } from '../support/debug-log.ts';
import { rememberTurn } from '../support/memories.ts';
import { openPlainStore } from '../support/plain-store.ts';
import { cairn, makeConnectedWorld, runIn, type World } from '../support/world.ts';

/** Memories of earlier sessions reach the model of the real client at the three moments, once each. */

const PROMPT = 'why does the payment client retry three times only?';
const FILES = {
  'src/cache.ts': 'export function clear() {}\n',
  'src/payment.ts': 'export const MOST_TRIES = 3;\n',
};
const START_TOKENS = 110;
const LONG_AGO = Date.now() - 60 * 86_400_000;

describe('a session in a project with memories', () => {
  let world: World;
  let run: SessionRun;
  let shown: { text: string; tokens: number };

  beforeAll(async () => {
    world = await makeConnectedWorld({ files: FILES });
    // The very first session only gets a welcome.
    writeFileSync(join(world.home, '.cairn/state/welcomed'), '');
    remember();
    writeFileSync(join(world.project, 'src/cache.ts'), 'export function clear() { throw new Error(); }\n');
    await runIn(world, 'git', ['commit', '-qam', 'Clear loudly']);
    // With room for everything, the session start would leave nothing for the other two moments.
    await cairn(world, 'config', 'set', 'context.tokens', String(START_TOKENS));
    shown = JSON.parse(await cairn(world, 'context', '--json'));

    const read = (id: string) => [
      { tool: 'Read', input: { file_path: join(world.project, 'src/cache.ts') }, id: `toolu_${id}` },
    ];
    run = await runSession(world, {
      script: {
        main: [
          read('first'),
          read('second'),
          [{ text: 'Because more would charge twice.' }],
          [{ text: 'Yes.' }],
        ],
      },
      prompts: [PROMPT, `are you sure? ${PROMPT}`],
    });
  });
  afterAll(() => world.remove());

  test('runs without errors', () => {
    const { exitCode, stderr, debugLog } = run;
    expect({ exitCode, stderr, complaints: hookComplaints(debugLog) }).toEqual({
      exitCode: 0,
      stderr: '',
      complaints: [],
    });
  });

  test('begins with the text of cairn context, within the budget', () => {
    const [given = ''] = contextsIn(mainRequests()[0]);
    expect(given).toBe(shown.text);
    expect(given).toContain('#1 preference, ');
    expect(countTokens(given)).toBeLessThanOrEqual(START_TOKENS);
  });

  test('gets memories related to a prompt with that prompt, and not with the next', () => {
    const given = contextsIn(mainRequests()[0]).filter((context) =>
      context.includes('related to this prompt'),
    );
    expect(given).toEqual([expect.stringContaining('#3 decision, ')]);
    expect(countTokens(given.join())).toBeLessThanOrEqual(400);
    const all = contextsIn(mainRequests().at(-1));
    expect(all.filter((context) => context.includes('#3 decision, '))).toHaveLength(1);
  });

  test('gets memories of a file at its first read, and learns that the file has changed', () => {
    const ofFile = (request: unknown) =>
      contextsIn(request).filter((context) => context.includes('Memories about src/cache.ts'));
    expect(mainRequests().map((request) => ofFile(request).length)).toEqual([0, 1, 1, 1]);
    const [given = ''] = ofFile(mainRequests().at(-1));
    expect(given).toContain('#2 gotcha, ');
    expect(given).toContain('(src/cache.ts has changed since. Check before you rely on this.)');
    expect(countTokens(given)).toBeLessThanOrEqual(300);
  });

  test('gets three contexts in all, none longer than the client accepts', () => {
    const all = contextsIn(mainRequests().at(-1));
    expect(all).toHaveLength(3);
    expect(all.every((context) => context.length <= 10_000)).toBe(true);
  });

  test('records what it was given, and captures none of it again', async () => {
    const store = openPlainStore(pathsOf(join(world.home, '.cairn')).database);
    const sources = [1, 2, 3].map((id) => store.listInjections(id).map(({ source }) => source));
    store.close();
    expect(sources).toEqual([['start'], ['file'], ['prompt']]);
    expect(await cairn(world, 'show', run.sessionId, '--json')).not.toContain('cairn-context');
  });

  test('shows the person one line', () => {
    const lines = run.printed.filter((line) => JSON.stringify(line).includes('Cairn: '));
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).toMatch(
      /gave the agent 1 memory \(1 in full\), \d+ tokens\. See: cairn open/,
    );
  });

  function remember(): void {
    const store = openPlainStore(pathsOf(join(world.home, '.cairn')).database);
    const place = findPlace(world.project);
    rememberTurn(store, {
      session: 'yesterday',
      at: Date.now() - 86_400_000,
      place,
      observations: [{ type: 'preference', title: 'Use pnpm, never npm' }],
    });
    rememberTurn(store, {
      session: 'long ago',
      at: LONG_AGO,
      place,
      observations: [
        { type: 'gotcha', title: 'clear() does nothing while a request runs', ...about('src/cache.ts') },
        {
          type: 'decision',
          title: 'The payment client retries three times',
          facts: ['A fourth try would charge people twice.'],
          ...about('src/payment.ts'),
        },
      ],
    });
    updateIndex(store);
    store.close();
  }

  function about(path: string) {
    const hash = blobHash(readFileSync(join(world.project, path)));
    return { filesModified: [path], pins: [{ path, hash, symbols: [] }] };
  }

  function mainRequests(): unknown[] {
    return run.requests.filter(({ queue }) => queue === 'main').map(({ body }) => body.messages);
  }
});

/** All contexts in the messages, at any depth. */
function contextsIn(messages: unknown): string[] {
  if (typeof messages === 'string') return messages.match(/<cairn-context>.*?<\/cairn-context>/gs) ?? [];
  if (typeof messages !== 'object' || messages === null) return [];
  return Object.values(messages).flatMap(contextsIn);
}
