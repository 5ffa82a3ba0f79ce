import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { cairn } from '../support/home-watch.ts';
import { callHook, makeHookWorld, recorded } from '../support/hook-call.ts';
import { tempFolder } from '../support/temp.ts';

test('what an answer needs is compiled once, and anything else in its place does no harm', async () => {
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
  // From now on each start takes in the one before.
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

test('a hook loads no part of node that it can do without', () => {
  const program = readFileSync(new URL('../../dist/hook-program.cjs', import.meta.url), 'latin1');
  const loaded = new Set(Array.from(program.matchAll(/require\("([^"]+)"\)/g), ([, name]) => name));
  expect([...loaded].sort()).toEqual(['node:fs', 'node:path']);
});
