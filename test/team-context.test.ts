import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { redactValue } from '../src/capture/redact/redact-value.ts';
import { readEnvironment } from '../src/config/environment.ts';
import { loadSettings } from '../src/config/settings.ts';
import type { ContextRequest } from '../src/context/context-request.ts';
import { selectForFile } from '../src/context/file.ts';
import { selectForPrompt } from '../src/context/prompt.ts';
import { buildStart } from '../src/context/start/start.ts';
import { updateIndex } from '../src/indexing/update-index.ts';
import { blobHash } from '../src/platform/git/checkout.ts';
import { recall } from '../src/recall/recall.ts';
import type { Store } from '../src/store/store.ts';
import type { TeamShare } from '../src/store/types/context.ts';
import { rememberTurn } from './support/memories.ts';
import { createMemoryServer } from './support/memory-feed.ts';
import { makeTeamHome, SHOP, type TeamHome } from './support/team-home.ts';
import { tempFolder } from './support/temp.ts';

const NOTE = 'The warehouse parser must keep the serial numbers of broken pallets';
const OBSERVATION = 'The invoice mailer sends every reminder twice on Mondays';

const OWN = 'The label printer jams on broken pallets with torn serial numbers';
const PROMPTS = [
  'why does the warehouse parser lose the serial numbers of broken pallets?',
  'why does the invoice mailer send every reminder twice on Mondays?',
];

test.each([
  ['all', [NOTE, OBSERVATION]],
  ['notes', [NOTE]],
  ['off', []],
] as const)('context.team %s gives agents these memories of colleagues: %j', async (choice, expected) => {
  const { anna, ben, rememberAt, contextsWith } = await makeTeam();
  anna.store.addNote(
    {
      ...{ type: 'gotcha', title: NOTE, narrative: '', aliases: [], files: ['src/parser.ts'], pins: PINS },
      ...{ saidBy: 'person', isPinned: false, scope: 'project', place: PLACE },
    },
    anna.now(),
  );
  rememberAt(anna, anna.now(), [OBSERVATION]);
  await anna.synced();
  await ben.synced();

  for (const [source, text] of Object.entries(contextsWith(choice)))
    expect([source, [NOTE, OBSERVATION].filter((title) => text.includes(title))]).toEqual([source, expected]);
  // Searching finds everything.
  const found = recall(ben.store as unknown as Store, {
    ...{ text: 'parser of broken pallets, invoice mailer reminder', projectId: ben.projectId },
    ...{ reach: 'project', limit: 5, now: Date.now() },
  });
  expect(found).toHaveLength(2);
});

test.each(['off', 'notes'] as const)(
  'with context.team %s, newer memories of colleagues do not crowd out your own',
  async (choice) => {
    const { anna, ben, rememberAt, contextsWith } = await makeTeam();
    rememberAt(ben, ben.now() - 1_000, [OWN]);
    const many = Array.from({ length: 120 }, (_, at) => `The parser drops broken pallets of dock ${at}`);
    rememberAt(anna, anna.now(), many);
    await anna.synced();
    await ben.synced();

    for (const [source, text] of Object.entries(contextsWith(choice)))
      expect([source, text.includes(OWN), text.includes('of dock')]).toEqual([source, true, false]);
  },
);

const PLACE = { path: '/work/laptop/shop/.git', name: 'shop', remote: SHOP };
const PINS = [{ path: 'src/parser.ts', hash: blobHash(Buffer.from('parse();\n')), symbols: [] }];

async function makeTeam() {
  const server = createMemoryServer();
  const anna = await makeTeamHome(server.connect('Anna', 'laptop'), 'Anna', 'laptop');
  const ben = await makeTeamHome(server.connect('Ben', 'desk'), 'Ben', 'desk');
  const top = tempFolder();
  mkdirSync(join(top, 'src'));
  writeFileSync(join(top, 'src/parser.ts'), 'parse();\n');

  /** What Ben's agents get in a new session. */
  function contextsWith(choice: TeamShare): Record<'start' | 'prompt' | 'file', string> {
    const store = ben.store as unknown as Store;
    updateIndex(store);
    const { settings } = loadSettings(ben.paths.config, readEnvironment({ HOME: ben.paths.home }));
    const session: string = 'new';
    const request: ContextRequest = {
      ...{ project: { id: ben.projectId, name: 'shop' }, top, worktree: null, branches: {} },
      ...{ agent: 'claude-code', agentSession: redactValue(session), longest: 10_000, now: ben.now() },
      settings: { ...settings, 'context.team': choice },
    };
    const known = { whole: new Set<number>(), claims: new Map() };
    const forPrompts = PROMPTS.flatMap((prompt) =>
      selectForPrompt(store, request, redactValue(prompt), known),
    );
    return {
      start: buildStart(store, request, { source: 'startup' }).text,
      prompt: JSON.stringify(forPrompts),
      file: JSON.stringify(selectForFile(store, request, 'src/parser.ts', new Set())),
    };
  }

  function rememberAt(home: TeamHome, at: number, titles: string[]): void {
    const place = home === ben ? { ...PLACE, path: '/work/desk/shop/.git' } : PLACE;
    const observations = titles.map((title) => ({
      ...{ type: 'gotcha' as const, title, filesModified: ['src/parser.ts'], pins: PINS },
    }));
    rememberTurn(home.store, { at, place, session: home.machine, observations });
  }

  return { anna, ben, rememberAt, contextsWith };
}
