import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import type { JsonObject } from '../../model/json.ts';
import { claudeCliProvider } from './claude-cli.ts';
import { type CompletionRequest, type ModelProvider, ProviderError } from './provider.ts';

// How the real client answers is tested with the real client; here it fails in the ways which it cannot be made to.
const REQUEST: CompletionRequest = {
  system: 'Be brief.',
  user: 'What was it?',
  schema: { type: 'object' },
  maxTokens: 700,
};
const NEVER = new AbortController().signal;

let root: string;
beforeEach(() => {
  root = tempFolder();
});

/** A `claude` that is a shell script. */
function claude(script: string, timeoutMs = 20_000): ModelProvider {
  const program = join(root, 'claude');
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const environment = { PATH: process.env.PATH ?? '', ROOT: root, CAIRN_GUARD: '1' };
  return claudeCliProvider({ program, model: 'haiku', folder: join(root, 'model'), environment, timeoutMs });
}

function printing(result: JsonObject, exitCode = 0): ModelProvider {
  writeFileSync(join(root, 'result.json'), JSON.stringify({ type: 'result', ...result }));
  return claude(`cat > /dev/null; cat "$ROOT/result.json"; exit ${exitCode}`);
}

const USAGE = {
  input_tokens: 5,
  cache_creation_input_tokens: 10,
  cache_read_input_tokens: 20,
  output_tokens: 7,
};

test.each<[string, JsonObject, string]>([
  ['an answer in form', { subtype: 'success', structured_output: { a: 1 }, result: 'Done.' }, '{"a":1}'],
  ['an answer in words', { subtype: 'success', result: 'I cannot.' }, 'I cannot.'],
  ['an answer that missed the form', { subtype: 'error_max_turns', is_error: true }, ''],
])('%s', async (_name, result, text) => {
  const answer = await printing({ ...result, usage: USAGE }).complete(REQUEST, NEVER);
  expect(answer).toEqual({ text, tokensIn: 35, tokensOut: 7 });
});

test.each<[string, JsonObject, Partial<ProviderError>]>([
  ['429', { api_error_status: 429, result: 'API Error: 429' }, { kind: 'rate-limited', status: 429 }],
  [
    'a limit of the account',
    { api_error_status: null, result: "You've hit your session limit" },
    { kind: 'rate-limited' },
  ],
  [
    '529',
    { api_error_status: 529, result: 'API Error: 529 Overloaded' },
    { kind: 'overloaded', status: 529 },
  ],
  [
    '401',
    { api_error_status: 401, result: 'Invalid API key' },
    { kind: 'will-not-heal', message: expect.stringContaining('/login') },
  ],
  [
    'not logged in',
    { api_error_status: null, result: 'Not logged in · Please run /login' },
    { kind: 'will-not-heal', message: expect.stringContaining('/login') },
  ],
  [
    '404',
    { api_error_status: 404, result: 'no such model' },
    { kind: 'will-not-heal', message: expect.stringContaining('model.name') },
  ],
  ['400', { api_error_status: 400, result: 'API Error: 400' }, { kind: 'will-not-heal', status: 400 }],
  [
    'no network',
    { api_error_status: null, result: 'API Error: Connection refused' },
    { kind: 'unreachable' },
  ],
])('the client tells of trouble: %s', async (_name, result, expected) => {
  const provider = printing({ subtype: 'success', is_error: true, ...result }, 1);
  expect(await troubleOf(provider)).toMatchObject(expected);
});

test.each<[string, string, Partial<ProviderError>]>([
  [
    'too old',
    'echo "error: unknown option \'--json-schema\'" >&2; exit 1',
    { kind: 'will-not-heal', message: expect.stringContaining('claude update') },
  ],
  ['prints nothing', 'exit 0', { kind: 'bad-answer' }],
  ['prints half', 'printf \'{"type":"result","resu\'; exit 1', { kind: 'bad-answer' }],
  ['prints something else', 'echo "[]"', { kind: 'bad-answer' }],
  ['is killed', 'kill -9 $$', { kind: 'bad-answer', message: expect.stringContaining('was killed') }],
])('the client %s', async (_name, script, expected) => {
  expect(await troubleOf(claude(script))).toMatchObject(expected);
});

test('a client that is not there any more', async () => {
  const provider = claudeCliProvider({
    program: join(root, 'gone'),
    model: 'haiku',
    folder: join(root, 'model'),
    environment: {},
    timeoutMs: 5_000,
  });
  expect(await troubleOf(provider)).toMatchObject({ kind: 'will-not-heal' });
});

test('what it is given: the question by stdin, a quiet environment, an empty folder of its own', async () => {
  const told = '{"type":"result","subtype":"success","result":"{}"}';
  await claude(
    `cat > "$ROOT/stdin"; env > "$ROOT/env"; pwd > "$ROOT/cwd"; printf '%s\\n' "$@" > "$ROOT/args"; echo '${told}'`,
  ).complete(REQUEST, NEVER);
  const kept = (name: string) => readFileSync(join(root, name), 'utf8');
  expect(kept('stdin')).toBe('What was it?');
  expect(kept('env').split('\n')).toEqual(
    expect.arrayContaining([
      'CAIRN_GUARD=1',
      'CLAUDE_CODE_SAFE_MODE=1',
      'CLAUDE_CODE_MAX_OUTPUT_TOKENS=700',
      'CLAUDE_CODE_MAX_RETRIES=0',
      'MAX_THINKING_TOKENS=0',
    ]),
  );
  expect(kept('cwd').trim()).toBe(join(root, 'model'));
  expect(statSync(join(root, 'model')).mode & 0o777).toBe(0o700);
  expect(kept('args').trimEnd().split('\n')).toEqual([
    ...['-p', '--output-format', 'json', '--model', 'haiku', '--system-prompt', 'Be brief.'],
    ...['--json-schema', '{"type":"object"}', '--max-turns', '1'],
    ...['--no-session-persistence', '--settings', '{"disableAllHooks":true}'],
    ...['--tools', '', '--strict-mcp-config', '--disable-slash-commands'],
  ]);
});

const HANGS = 'sleep 300 & echo $! > "$ROOT/child.new"; mv "$ROOT/child.new" "$ROOT/child"; wait';

test('no answer in time: it is killed with everything it has started', async () => {
  const provider = claude(HANGS, 1_000);
  expect(await troubleOf(provider)).toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('within 1 s'),
  });
  expect(await isGone(Number(readFileSync(join(root, 'child'), 'utf8')))).toBe(true);
});

test('the caller gives up: the same, and it is no trouble of the provider', async () => {
  const controller = new AbortController();
  const reason = new Error('the worker ends');
  const asked = claude(HANGS)
    .complete(REQUEST, controller.signal)
    .catch((error) => error);
  while (!existsSync(join(root, 'child'))) await pause(10);
  controller.abort(reason);
  expect(await asked).toBe(reason);
  expect(await isGone(Number(readFileSync(join(root, 'child'), 'utf8')))).toBe(true);
});

async function troubleOf(provider: ModelProvider): Promise<ProviderError> {
  const error = await provider.complete(REQUEST, NEVER).then(
    () => new Error('no trouble at all'),
    (reason) => reason,
  );
  if (error instanceof ProviderError) return error;
  throw error;
}

/** A zombie is gone too: it only waits for somebody to ask how it ended. */
async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (['', 'Z'].includes(stateOf(pid))) return true;
    await pause(20);
  }
  return false;
}

function stateOf(pid: number): string {
  try {
    if (existsSync('/proc/self/stat'))
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.charAt(0) ?? '';
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .charAt(0);
  } catch {
    return '';
  }
}
