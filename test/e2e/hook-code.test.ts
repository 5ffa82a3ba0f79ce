import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { hookProgram } from '../../src/platform/installation.ts';
import { cairn } from '../support/home-watch.ts';
import { callHook, makeHookWorld, recorded, runProgram } from '../support/hook-call.ts';
import { tempFolder } from '../support/temp.ts';

test('the code for an answer is compiled once, and a broken code cache does no harm', async () => {
  const world = makeHookWorld(tempFolder());
  await cairn(world, 'remember', 'Apples are pressed dry.');
  const code = () =>
    readdirSync(world.paths.code)
      .sort()
      .map((name) => join(world.paths.code, name));
  const start = (session: string) => {
    const payload = recorded('events/SessionStart.startup', { session_id: session, cwd: world.project });
    return callHook(world, 'shell', 'SessionStart', { input: payload });
  };
  const tasks = () => code().map((path) => basename(path).replace(/-v.*/, ''));

  const first = await start('one');
  expect(JSON.parse(first.stdout).hookSpecificOutput.additionalContext).toContain('Apples are pressed dry');
  expect(tasks()).toEqual(['SessionStart']);
  // From now on each start ingests the events of the one before.
  expect(await start('two')).toEqual(first);
  expect(tasks()).toEqual(['SessionStart', 'SessionStart.taking-in']);
  const file = code().at(-1) ?? '';
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const made = readFileSync(file);
  expect(await start('three')).toEqual(first);
  expect(readFileSync(file).equals(made)).toBe(true);

  writeFileSync(file, 'no code at all');
  expect(await start('four')).toEqual(first);
  expect(readFileSync(file).length).toBeGreaterThan(10_000);
});

test('a prompt that was never answered uses the compiled code of another event of its agent', async () => {
  const world = makeHookWorld(tempFolder());
  await cairn(world, 'remember', 'Apples are pressed dry.');
  const compiled = join(world.root, 'compiled');
  const spy = join(world.root, 'spy.cjs');
  writeFileSync(
    spy,
    `const vm = require('node:vm');
     vm.Script = class extends vm.Script {
       constructor(code, options) {
         super(code, options);
         const how = this.cachedDataRejected === false ? 'kept code' : 'compiled anew';
         require('node:fs').writeFileSync(${JSON.stringify(compiled)}, how);
       }
     };`,
  );
  const call = async (agent: string, event: string, payload: object) => {
    const args = ['--require', spy, hookProgram(), agent, event, 'settings'];
    const input = JSON.stringify({ ...payload, cwd: world.project });
    const { stdout } = await runProgram(process.execPath, args, {
      cwd: world.project,
      env: world.env,
      input,
    });
    return { isAnswered: stdout !== '', how: readFileSync(compiled, 'utf8') };
  };
  const prompt = 'Which of the pears?';
  const transformed = { sessionId: 'one', prompt, transformedPrompt: prompt };

  expect(await call('copilot', 'userPromptTransformed', transformed)).toEqual({
    isAnswered: false,
    how: 'compiled anew',
  });
  expect(await call('copilot', 'sessionStart', { sessionId: 'one', source: 'new' })).toEqual({
    isAnswered: true,
    how: 'compiled anew',
  });
  expect(await call('copilot', 'userPromptTransformed', transformed)).toEqual({
    isAnswered: false,
    how: 'kept code',
  });
});

test('the hook program requires only node:fs and node:path', () => {
  const program = readFileSync(new URL('../../dist/hook-program.cjs', import.meta.url), 'latin1');
  const loaded = new Set(Array.from(program.matchAll(/require\("([^"]+)"\)/g), ([, name]) => name));
  expect([...loaded].sort()).toEqual(['node:fs', 'node:path']);
});
