import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { tempFolder } from '../support/temp.ts';

// Adds the example agent of docs/agents.md to a copy of the sources: its folder, and a line in the list.

const repository = join(import.meta.dirname, '../..');
const LIST = 'src/agents/all.ts';
const COPIED = ['src', 'scripts', 'plugins', 'package.json', 'package-lock.json', 'tsconfig.json'];

test('an agent needs only a folder and a line in the list, and hooks do not load its installer', () => {
  const root = buildWithTeapot();
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  for (const folder of [home, project]) mkdirSync(folder);
  const env = { HOME: home, PATH: process.env.PATH, CAIRN_NO_WORKER: '1' };
  const cairn = (...args: string[]) =>
    run([process.execPath, join(root, 'dist/cli.mjs'), ...args], { cwd: project, env });

  cairn('remember', 'The kettle is descaled in March, because the water is hard.');
  expect(cairn('install', 'teapot', '--yes')).toContain('Undo: cairn uninstall teapot');
  const listed: { id: string }[] = JSON.parse(cairn('agents', '--json'));
  expect(listed.find(({ id }) => id === 'teapot')).toMatchObject({ name: 'Teapot', state: 'connected' });

  const settings = JSON.parse(readFileSync(join(home, '.teapot/settings.json'), 'utf8'));
  const hook = (event: string, payload: JsonObject) => {
    const input = JSON.stringify({ session_id: 's1', cwd: project, ...payload });
    return run(['sh', '-c', settings.hooks[event][0].hooks[0].command], { cwd: project, env, input });
  };
  const { hookSpecificOutput } = JSON.parse(hook('SessionStart', { source: 'startup' }));
  expect(hookSpecificOutput.additionalContext).toContain('kettle');
  const call = { tool_name: 'boil', tool_input: { command: 'kettle on' }, tool_response: 'ok' };
  expect(hook('PostToolUse', call)).toBe('');
  const [session] = JSON.parse(cairn('sessions', '--json'));
  expect(session).toMatchObject({ agent: 'teapot', agentSession: 's1' });
  expect(JSON.parse(cairn('show', 's1', '--json')).events).toMatchObject([
    { kind: 'session-start' },
    { kind: 'tool-end', tool: 'boil', does: 'command' },
  ]);
  expect(cairn('doctor')).toMatch(/^✓ Teapot +5 hooks in /m);

  cairn('uninstall', 'teapot', '--yes');
  expect(existsSync(join(home, '.teapot'))).toBe(false);

  const program = readFileSync(join(root, 'dist/hook-program.cjs'), 'utf8');
  expect(program).toContain('teapot-reminder');
  expect(program).not.toContain('mcpServers');
  const assets = join(root, 'dist/page/assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  expect(scripts.map((name) => readFileSync(join(assets, name), 'utf8')).join()).toContain('"Teapot"');
});

function buildWithTeapot(): string {
  const root = tempFolder();
  for (const name of COPIED)
    cpSync(join(repository, name), join(root, name), {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts') && !path.endsWith('/payloads'),
    });
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  for (const [path, text] of listExampleFiles()) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const list = readFileSync(join(root, LIST), 'utf8');
  const withTeapot = list
    .replace('import { windsurf }', "import { teapot } from './teapot/adapter.ts';\nimport { windsurf }")
    .replace('  raw,\n', '  teapot,\n  raw,\n');
  writeFileSync(join(root, LIST), withTeapot);
  expect(withTeapot.length).toBeGreaterThan(list.length + 50);
  run([process.execPath, join(root, 'scripts/build.mjs')], { cwd: root, env: process.env });
  return root;
}

function listExampleFiles(): [path: string, text: string][] {
  const page = readFileSync(join(repository, 'docs/agents.md'), 'utf8');
  const examples = page.matchAll(/```ts\n\/\/ (src\/agents\/teapot\/\S+)\n([\s\S]*?)```/g);
  return [...examples].map(([, path = '', text = '']) => [path, text]);
}

function run(
  [program = '', ...args]: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; input?: string },
): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', input: '', ...options });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}
