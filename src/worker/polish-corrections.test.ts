import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { sessionIn } from '../../test/store/session.contract.ts';
import { openPlainStore } from '../../test/support/plain-store.ts';
import {
  type Play,
  type ScriptedProvider,
  startScriptedProvider,
} from '../../test/support/scripted-provider.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { openLog } from '../capture/open-log.ts';
import { readEnvironment, readModelAccess } from '../config/environment.ts';
import { loadSettings, type Settings } from '../config/settings.ts';
import { distillTurn } from '../distill/distill-turn.ts';
import { pathsOf } from '../platform/paths.ts';
import type { Store } from '../store/store.ts';
import { createPolisher } from './polish.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const now = () => Date.UTC(2026, 5, 1);

const QUESTION = 'how do the nightly exports reach the warehouse?';
const ANSWER = [
  'The exports reach `warehouse-2`, because `EXPORT_TARGET` is only read when the process starts.',
  'The nightly job keeps its files in `/var/exports`, so a full disk stops every export.',
].join('\n\n');
/** Refutes the first sentence without repeating its words. */
const REPORT = 'According to Marta `warehouse-7` got every row of this week, `warehouse-2` none.';

/** Distils two turns of a session with a model that gives these answers. */
async function judgeTwoTurns(first: Play, second: Play) {
  const provider: ScriptedProvider = await startScriptedProvider([first, second]);
  const paths = pathsOf(join(tempFolder(), '.cairn'));
  const store = openPlainStore(join(tempFolder(), 'cairn.db'));
  open.push(store, provider);
  const session = sessionIn(store);
  const settings: Settings = {
    ...loadSettings(paths.config, readEnvironment({})).settings,
    'model.provider': 'anthropic',
    'model.name': 'small',
    'model.baseUrl': provider.url,
  };
  const access = readModelAccess({
    ANTHROPIC_API_KEY: ['sk', 'test', 'made-up'].join('-'),
    HOME: paths.home,
  });
  const log = openLog({ folder: paths.logs, from: 'test' });
  const polisher = createPolisher({ paths, settings, access, log, now });
  for (const [id, prompt, answer] of [
    ['1', QUESTION, ANSWER],
    ['2', 'what does Marta see over there?', REPORT],
  ] as const) {
    session.take({ kind: 'prompt', text: prompt, origin: 'person', promptId: id });
    session.take({ kind: 'turn-end', text: answer, continued: false, promptId: id });
    const job = store.claimJob(['distil'], 5_000, 1_000);
    if (job) distillTurn(store, job, { now, next: 'polish' });
    await polisher.polish(store, new AbortController().signal);
  }
  return { texts: listTexts(store), asked: provider.requests().map(({ body }) => JSON.stringify(body)) };
}

function listTexts(store: Store): string {
  return store
    .listRecentMemories({ limit: 99 })
    .filter(({ supersededBy }) => supersededBy === null)
    .flatMap(({ title, facts, narrative, parts }) => [
      title,
      narrative,
      ...facts,
      ...Object.values(parts ?? {}),
    ])
    .join('\n');
}

function answerWith(outdated: number[]): Play {
  return { says: JSON.stringify({ observations: [], summary: null, outdated }) };
}

/** The same observation that the rules distil. */
const FIRST = {
  says: JSON.stringify({
    observations: [
      {
        type: 'how-it-works',
        title: 'The exports reach `warehouse-2`',
        subtitle: '',
        narrative: '',
        facts: [
          'The exports reach `warehouse-2`, because `EXPORT_TARGET` is only read when the process starts.',
          'The nightly job keeps its files in `/var/exports`, so a full disk stops every export.',
        ],
        concepts: [],
        files_read: [],
        files_modified: [],
      },
    ],
    summary: null,
    outdated: [],
  }),
};

test('shows the model earlier statements of the session, and removes those it marks as outdated', async () => {
  const { texts, asked } = await judgeTwoTurns(FIRST, answerWith([1, 2]));
  expect(asked[0]).not.toContain('Stored before this turn');
  expect(asked[1]).toContain('Stored before this turn');
  expect(asked[1]).toContain('1. The exports reach `warehouse-2`\\n2. The exports reach');
  expect(texts).not.toContain('EXPORT_TARGET');
  expect(texts).toContain('/var/exports');
});

test('keeps statements that the model does not mark as outdated', async () => {
  const { texts } = await judgeTwoTurns(FIRST, answerWith([]));
  expect(texts).toContain('EXPORT_TARGET');
  expect(texts).toContain('/var/exports');
});

test('keeps all statements if the answer of a small model lacks the list', async () => {
  const { texts } = await judgeTwoTurns(FIRST, { says: '{"observations": [], "summary": null}' });
  expect(texts).toContain('EXPORT_TARGET');
});
