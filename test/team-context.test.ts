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
import { rememberTurn } from './support/memories.ts';
import { createMemoryServer } from './support/memory-feed.ts';
import { makeTeamHome, SHOP } from './support/team-home.ts';
import { tempFolder } from './support/temp.ts';

const NOTE = 'The warehouse parser must keep the serial numbers of broken pallets';
const OBSERVATION = 'The invoice mailer sends every reminder twice on Mondays';

test.each([
  ['all', [NOTE, OBSERVATION]],
  ['notes', [NOTE]],
  ['off', []],
] as const)('context.team %s gives agents these memories of colleagues: %j', async (choice, expected) => {
  const server = createMemoryServer();
  const anna = await makeTeamHome(server.connect('Anna', 'laptop'), 'Anna', 'laptop');
  const ben = await makeTeamHome(server.connect('Ben', 'desk'), 'Ben', 'desk');
  const place = { path: '/work/laptop/shop/.git', name: 'shop', remote: SHOP };
  const top = tempFolder();
  mkdirSync(join(top, 'src'));
  writeFileSync(join(top, 'src/parser.ts'), 'parse();\n');
  const files = [{ path: 'src/parser.ts', hash: blobHash(Buffer.from('parse();\n')), symbols: [] }];
  anna.store.addNote(
    {
      ...{ type: 'gotcha', title: NOTE, narrative: '', aliases: [], files: ['src/parser.ts'], pins: files },
      ...{ saidBy: 'person', isPinned: false, scope: 'project', place },
    },
    anna.now(),
  );
  rememberTurn(anna.store, {
    ...{ at: anna.now(), place },
    observations: [{ type: 'gotcha', title: OBSERVATION, filesModified: ['src/parser.ts'], pins: files }],
  });
  await anna.synced();
  await ben.synced();
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
  const prompts = [
    'why does the warehouse parser lose the serial numbers of broken pallets?',
    'why does the invoice mailer send every reminder twice on Mondays?',
  ];
  const contexts = {
    start: buildStart(store, request, { source: 'startup' }).text,
    prompt: JSON.stringify(
      prompts.flatMap((prompt) => selectForPrompt(store, request, redactValue(prompt), known)),
    ),
    file: JSON.stringify(selectForFile(store, request, 'src/parser.ts', new Set())),
  };
  for (const [source, text] of Object.entries(contexts))
    expect([source, [NOTE, OBSERVATION].filter((title) => text.includes(title))]).toEqual([source, expected]);
  // Search finds both, whatever context.team says.
  const found = recall(store, {
    ...{
      text: 'parser of broken pallets, invoice mailer reminder',
      projectId: ben.projectId,
      reach: 'project',
    },
    ...{ limit: 5, now: Date.now() },
  });
  expect(found).toHaveLength(2);
});
