import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readModelAccess } from '../../src/config/environment.ts';
import { distillWithModel } from '../../src/distill/model/distill.ts';
import { loadInstructions } from '../../src/distill/model/instructions.ts';
import { createProvider } from '../../src/distill/providers/create.ts';
import { type ModelProvider, ProviderError } from '../../src/distill/providers/provider.ts';
import { isObject } from '../../src/model/json.ts';
import { runSession } from '../support/claude-code.ts';
import { type ModelRequest, type ModelScript, startScriptedModel } from '../support/scripted-model.ts';
import { addressOfNobody, startScriptedProvider } from '../support/scripted-provider.ts';
import { eightSmallEdits, NOTHING_FOUND } from '../support/turns.ts';
import { makeWorld, type World } from '../support/world.ts';

const GOOD = {
  observations: [
    {
      type: 'bugfix',
      title: 'The discount came off after the tax',
      subtitle: 's',
      narrative: 'n',
      facts: ['f'],
      concepts: ['tax'],
      files_read: [],
      files_modified: ['src/orders/part-3.ts'],
    },
  ],
  summary: null,
  outdated: [],
};
const MODEL_KEY = 'a-key-for-another-model';

let world: World;
let hookLog: string;
beforeAll(async () => {
  world = await makeWorld();
  hookLog = join(world.root, 'hooks.log');
  const note = { hooks: [{ type: 'command', command: `echo fired >> '${hookLog}'` }] };
  const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'];
  const hooks = Object.fromEntries(events.map((event) => [event, [note]]));
  await writeFile(join(world.home, '.claude', 'settings.json'), JSON.stringify({ hooks }));
  await writeFile(join(world.home, '.claude', 'CLAUDE.md'), 'PERSONAL INSTRUCTIONS');
});
afterAll(() => world.remove());

/** The provider of a worker that was started by a hook inside a session of the client. */
function providerIn(url: string): ModelProvider {
  const env = {
    ...world.env,
    PATH: `${dirname(world.client)}:${world.env.PATH}`,
    ANTHROPIC_BASE_URL: url,
    CAIRN_MODEL_API_KEY: MODEL_KEY,
    CLAUDECODE: '1',
    CLAUDE_CODE_SESSION_ID: 'a-session-of-the-person',
    CLAUDE_PROJECT_DIR: world.project,
  };
  const settings = {
    'model.provider': 'claude-cli',
    'model.name': '',
    'model.baseUrl': '',
    'model.timeoutSeconds': 60,
  } as const;
  return createProvider(settings, readModelAccess(env));
}

function distil(provider: ModelProvider) {
  const { system } = loadInstructions(world.home, { mode: 'code', language: '' });
  const signal = new AbortController().signal;
  return distillWithModel(eightSmallEdits(), NOTHING_FOUND, provider, {
    system,
    signal,
    clean: (text) => text,
    earlier: [],
  });
}

async function played(script: ModelScript) {
  const model = await startScriptedModel(script);
  try {
    const result = await distil(providerIn(model.url)).catch((error: unknown) => error);
    return { result, requests: model.requests() };
  } finally {
    await model.close();
  }
}

describe('distilling a turn with the real client', () => {
  let result: unknown;
  let requests: ModelRequest[];
  beforeAll(async () => {
    ({ result, requests } = await played({ main: [[{ tool: 'StructuredOutput', input: GOOD }]] }));
  });

  test('returns the structured answer and its usage', () => {
    expect(result).toEqual({
      distilled: {
        observations: [
          {
            type: 'bugfix',
            title: 'The discount came off after the tax',
            subtitle: 's',
            narrative: 'n',
            facts: ['f'],
            concepts: ['tax'],
            filesRead: [],
            filesModified: ['src/orders/part-3.ts'],
            events: [4],
          },
        ],
        summary: null,
      },
      outdated: [],
      usage: { calls: 1, tokensIn: 100, tokensOut: 50 },
    });
  });

  test('sends one request: our words, no tool but the form, nothing of the person', () => {
    expect(requests.length).toBe(1);
    const body = requests[0]?.body ?? {};
    const tools = Array.isArray(body.tools) ? body.tools : [];
    const names = tools.map((tool) => (isObject(tool) ? tool.name : null));
    // The client puts a placeholder in place of its own tools.
    expect(names.filter((name) => name !== 'DeferredToolPlaceholder')).toEqual(['StructuredOutput']);
    const whole = JSON.stringify(body);
    expect(whole).toContain('You write the memory of a coding agent');
    expect(whole).toContain('changed src/orders/part-7.ts');
    expect(whole).not.toContain('PERSONAL INSTRUCTIONS');
    expect(whole).not.toContain(MODEL_KEY);
    // The client adds some two thousand characters.
    expect(whole.length).toBeLessThan(4_000 * 4);
  });

  test('leaves no session behind and runs no hook', async () => {
    expect(existsSync(join(world.home, '.claude', 'projects'))).toBe(false);
    expect(existsSync(hookLog)).toBe(false);
    expect(await readdir(join(world.home, '.cairn', 'state', 'model'))).toEqual([]);
    const known = JSON.parse(await readFile(join(world.home, '.claude.json'), 'utf8'));
    expect(Object.keys(known.projects)).toEqual([world.project]);
  });
});

test('an answer that does not fit the form is repaired once', async () => {
  const { result, requests } = await played({
    main: [[{ text: 'I would rather not.' }], [{ tool: 'StructuredOutput', input: GOOD }]],
  });
  expect(result).toMatchObject({ usage: { calls: 2, tokensIn: 200, tokensOut: 100 } });
  expect(requests.length).toBe(2);
});

test('a second answer that does not fit the form is an error', async () => {
  const { result, requests } = await played({ main: [[{ text: 'No.' }], [{ text: 'No.' }]] });
  expect(result).toMatchObject({ kind: 'bad-answer', spent: { calls: 2, tokensIn: 200, tokensOut: 100 } });
  expect(requests.length).toBe(2);
});

test.each<[number, ProviderError['kind']]>([
  [401, 'will-not-heal'],
  [404, 'will-not-heal'],
  [429, 'rate-limited'],
  [529, 'overloaded'],
])('an API that answers %i gives the error %s', async (status, kind) => {
  const server = await startScriptedProvider([{ status, error: { type: 'some_error', message: 'said' } }]);
  try {
    expect(await distil(providerIn(server.url)).catch((error: unknown) => error)).toMatchObject({
      kind,
      status,
    });
  } finally {
    await server.close();
  }
});

test('an API on which nothing listens is unreachable', async () => {
  const trouble = await distil(providerIn(await addressOfNobody())).catch((error: unknown) => error);
  expect(trouble).toBeInstanceOf(ProviderError);
  expect(trouble).toMatchObject({ kind: 'unreachable' });
});

test('none of these calls leaves a session or runs a hook', async () => {
  expect(existsSync(join(world.home, '.claude', 'projects'))).toBe(false);
  expect(existsSync(hookLog)).toBe(false);
});

test('the same hooks run in an ordinary session', async () => {
  await runSession(world, { script: { main: [[{ text: 'Hello.' }]] }, prompts: ['Hi'], settings: {} });
  expect(existsSync(hookLog)).toBe(true);
  expect(existsSync(join(world.home, '.claude', 'projects'))).toBe(true);
});
