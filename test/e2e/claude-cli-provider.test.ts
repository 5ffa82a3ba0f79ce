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

/** As the worker makes it when a hook inside a session of the client has woken it. */
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

describe('the real client, asked for one turn', () => {
  let result: unknown;
  let requests: ModelRequest[];
  beforeAll(async () => {
    ({ result, requests } = await played({ main: [[{ tool: 'StructuredOutput', input: GOOD }]] }));
  });

  test('answers in form, with what it cost', () => {
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

  test('sends one request: our words, no tools but the form, nothing of the person', () => {
    expect(requests.length).toBe(1);
    const body = requests[0]?.body ?? {};
    const tools = Array.isArray(body.tools) ? body.tools : [];
    const names = tools.map((tool) => (isObject(tool) ? tool.name : null));
    // The client puts a placeholder where its own tools would be.
    expect(names.filter((name) => name !== 'DeferredToolPlaceholder')).toEqual(['StructuredOutput']);
    const whole = JSON.stringify(body);
    expect(whole).toContain('You write the memory of a coding agent');
    expect(whole).toContain('changed src/orders/part-7.ts');
    expect(whole).not.toContain('PERSONAL INSTRUCTIONS');
    expect(whole).not.toContain(MODEL_KEY);
    // The client adds some two thousand characters of its own.
    expect(whole.length).toBeLessThan(4_000 * 4);
  });

  test('leaves no session behind, and fires no hook', async () => {
    expect(existsSync(join(world.home, '.claude', 'projects'))).toBe(false);
    expect(existsSync(hookLog)).toBe(false);
    expect(await readdir(join(world.home, '.cairn', 'state', 'model'))).toEqual([]);
    const known = JSON.parse(await readFile(join(world.home, '.claude.json'), 'utf8'));
    expect(Object.keys(known.projects)).toEqual([world.project]);
  });
});

test('an answer that misses the form is repaired once', async () => {
  const { result, requests } = await played({
    main: [[{ text: 'I would rather not.' }], [{ tool: 'StructuredOutput', input: GOOD }]],
  });
  expect(result).toMatchObject({ usage: { calls: 2, tokensIn: 200, tokensOut: 100 } });
  expect(requests.length).toBe(2);
});

test('a client that never gets to an answer in form', async () => {
  const { result, requests } = await played({ main: [[{ text: 'No.' }], [{ text: 'No.' }]] });
  expect(result).toMatchObject({ kind: 'bad-answer', spent: { calls: 2, tokensIn: 200, tokensOut: 100 } });
  expect(requests.length).toBe(2);
});

test.each<[number, ProviderError['kind']]>([
  [401, 'will-not-heal'],
  [404, 'will-not-heal'],
  [429, 'rate-limited'],
  [529, 'overloaded'],
])('the API answers %i', async (status, kind) => {
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

test('nobody listens at the API', async () => {
  const trouble = await distil(providerIn(await addressOfNobody())).catch((error: unknown) => error);
  expect(trouble).toBeInstanceOf(ProviderError);
  expect(trouble).toMatchObject({ kind: 'unreachable' });
});

test('after all of this: still no session, no hook', async () => {
  expect(existsSync(join(world.home, '.claude', 'projects'))).toBe(false);
  expect(existsSync(hookLog)).toBe(false);
});

test('the hooks would have fired, had they been let', async () => {
  await runSession(world, { script: { main: [[{ text: 'Hello.' }]] }, prompts: ['Hi'], settings: {} });
  expect(existsSync(hookLog)).toBe(true);
  expect(existsSync(join(world.home, '.claude', 'projects'))).toBe(true);
});
