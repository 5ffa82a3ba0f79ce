import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { planCopy, removeOldCopies } from './app-copy.ts';

let source: string;
let app: string;
beforeEach(() => {
  const root = tempFolder();
  source = join(root, 'node_modules/cairn-memory');
  app = join(root, 'app');
  const manifest = { name: 'cairn-memory', version: '1.2.3', dependencies: { dep: '1', '@a/b': '1' } };
  write('package.json', JSON.stringify(manifest));
  write('dist/cli.mjs', 'cli');
  write('dist/types/sdk.d.ts', 'types');
  write('plugins/claude-code/commands/work.md', 'work');
  write('docs/readme.md', 'docs');
  // npx and yarn install dependencies next to the package; @a/b is inside it.
  write('../dep/package.json', '{"dependencies": {"deeper": "1"}}');
  write('../dep/index.js', 'dep');
  write('../dep/index.js.map', 'map');
  write('../dep/src/index.js', 'source');
  write('../deeper/package.json', '{}');
  write('node_modules/@a/b/package.json', '{}');
  for (const system of [`${process.platform}-${process.arch}`, 'other-x1'])
    write(`node_modules/@a/b/prebuilds/${system}/b.node`, 'binary');
});

function write(name: string, text: string): void {
  mkdirSync(join(source, name, '..'), { recursive: true });
  writeFileSync(join(source, name), text);
}

function copy(): string {
  const plan = planCopy(app, source);
  plan.make();
  return plan.root;
}

test('copies only run-time files, readable by the owner only, and only once', () => {
  expect(copy()).toBe(join(app, '1.2.3'));
  const files = readdirSync(join(app, '1.2.3'), { recursive: true, withFileTypes: true });
  const names = files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  expect(names.map((name) => name.slice(join(app, '1.2.3/').length)).sort()).toEqual([
    'dist/cli.mjs',
    'node_modules/@a/b/package.json',
    `node_modules/@a/b/prebuilds/${process.platform}-${process.arch}/b.node`,
    'node_modules/deeper/package.json',
    'node_modules/dep/index.js',
    'node_modules/dep/package.json',
    'package.json',
    'plugins/claude-code/commands/work.md',
  ]);
  for (const name of names) expect(statSync(name).mode & 0o777).toBe(0o600);
  expect(planCopy(app, source).isMissing).toBe(false);
  expect(planCopy(app, join(app, '1.2.3'))).toMatchObject({ root: join(app, '1.2.3'), isMissing: false });
});

test('another build of the same version gets its own folder, and a damaged copy is replaced', () => {
  const first = copy();
  write('dist/cli.mjs', 'another build');
  const second = copy();
  expect(second).toMatch(/1\.2\.3-[0-9a-f]{8}$/);
  expect(readFileSync(join(first, 'dist/cli.mjs'), 'utf8')).toBe('cli');
  writeFileSync(join(second, 'dist/cli.mjs'), '');
  expect(copy()).toBe(second);
  expect(readFileSync(join(second, 'dist/cli.mjs'), 'utf8')).toBe('another build');
});

test('removes old copies except those that are kept, in use or being written', async () => {
  for (const name of ['1', '2', '3', '4', '5.77.new']) cpSync(source, join(app, name), { recursive: true });
  const program = join(app, '1/wait.cjs');
  writeFileSync(program, 'console.log(1); process.stdin.resume()');
  const child = spawn(process.execPath, [program]);
  try {
    await once(child.stdout, 'data');
    removeOldCopies(app, [join(app, '3'), join(app, '4')]);
    expect(readdirSync(app)).toEqual(
      process.platform === 'linux' ? ['1', '3', '4', '5.77.new'] : readdirSync(app),
    );
  } finally {
    child.kill();
    await once(child, 'close');
  }
});

test('two concurrent installations make one copy, and the draft of a killed one is removed', () => {
  const [one, other] = [planCopy(app, source), planCopy(app, source)];
  mkdirSync(join(app, '1.2.3.999999999.new/dist'), { recursive: true });
  one.make();
  other.make();
  expect(one.root).toBe(other.root);
  expect(readdirSync(app)).toEqual(['1.2.3']);
});
