import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home, root, run, useHome } from '../../../test/support/install-home.ts';
import { readEnvironment } from '../../config/environment.ts';
import { loadSettings, saveSetting } from '../../config/settings.ts';
import type { AvailableModel } from '../../distill/providers/find-model.ts';
import { pathsOf } from '../../platform/paths.ts';
import { createInstallCommand } from '../install.ts';
import { COST_PER_TURN } from './offer-model.ts';

useHome();

const CLAUDE: AvailableModel = { provider: 'claude-cli' };
const LOCAL: AvailableModel = { provider: 'openai', baseUrl: 'http://127.0.0.1:11434/v1', model: 'qwen3:8b' };

/** Installs, confirms everything but the model, and returns the questions about it. */
async function install(
  found: AvailableModel | null,
  { agrees = false, isTerminal = true, options = {} } = {},
) {
  const asked: [string, boolean | undefined][] = [];
  const ask = async (question: string, byDefault?: boolean) => {
    if (!question.includes('improve memories')) return true;
    asked.push([question, byDefault]);
    return agrees;
  };
  const { out } = await run(
    createInstallCommand(ask, async () => found),
    ['claude-code'],
    options,
    isTerminal,
  );
  return { asked, last: out.slice(-2) };
}

function modelSettings() {
  const env = readEnvironment({ HOME: join(root, 'user') });
  const { settings } = loadSettings(pathsOf(home).config, env);
  return [settings['model.provider'], settings['model.baseUrl'], settings['model.name']];
}

test('asks once, with the cost, and treats Enter as no', async () => {
  const { asked, last } = await install(CLAUDE);
  expect(asked).toEqual([
    [`Let your own claude (haiku) improve memories? It takes ${COST_PER_TURN}, from your account.`, false],
  ]);
  expect(last).toEqual([
    'Memories are made without a model.',
    expect.stringMatching(/^To change this: .+ config set model\.provider claude-cli$/),
  ]);
  expect(modelSettings()).toEqual(['none', '', '']);
  expect((await install(CLAUDE)).asked).toEqual([]);
});

test('yes sets the provider, and for a local server also its address and model', async () => {
  const { asked, last } = await install(LOCAL, { agrees: true });
  expect(asked[0]?.[0]).toBe(
    `Let qwen3:8b at 127.0.0.1:11434 improve memories? It takes ${COST_PER_TURN}; nothing leaves this machine.`,
  );
  expect(last[1]).toMatch(/^To change this: \S+ config set model\.provider none$/);
  expect(modelSettings()).toEqual(['openai', 'http://127.0.0.1:11434/v1', 'qwen3:8b']);
});

test('no to a local server prints every command that yes would have run', async () => {
  const { last } = await install({ ...LOCAL, model: "a model's name" });
  expect(last[1]?.split(' && ').map((command) => command.replace(/^.* set /, ''))).toEqual([
    'model.baseUrl http://127.0.0.1:11434/v1',
    `model.name 'a model'\\''s name'`,
    'model.provider openai',
  ]);
});

test.each([
  ['without a terminal', CLAUDE, { isTerminal: false }],
  ['with --yes', CLAUDE, { options: { yes: true } }],
  ['with --json', CLAUDE, { options: { json: true } }],
  ['with no model found', null, {}],
])('does not ask %s, and asks at a later install', async (_name, found, how) => {
  expect((await install(found, how)).asked).toEqual([]);
  expect((await install(CLAUDE)).asked).toHaveLength(1);
});

test('does not ask if the person has set a provider', async () => {
  saveSetting(pathsOf(home).config, 'model.provider', 'anthropic');
  expect((await install(CLAUDE)).asked).toEqual([]);
});

test('the documentation states the same cost', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/distilling.md'), 'utf8');
  expect(page.replace(/\s+/g, ' ')).toContain(COST_PER_TURN);
});
