import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyAllEdits, type MirrorOptions, mirrorWorkItems } from '../../src/continuity/mirror/mirror.ts';
import { isUnedited } from '../../src/continuity/mirror/state-file.ts';
import { createLog } from '../../src/platform/log.ts';
import { type Paths, pathsOf } from '../../src/platform/paths.ts';
import { openPlainStore, type PlainStore } from '../support/plain-store.ts';
import { tempFolder } from '../support/temp.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const AT = Date.UTC(2026, 2, 1, 12);

let store: PlainStore;
let paths: Paths;
let world: MirrorOptions;

beforeEach(() => {
  paths = pathsOf(join(tempFolder(), '.cairn'));
  store = openPlainStore(paths.database);
  world = { store, paths, log: createLog({ folder: paths.logs, from: 'test' }), now: () => AT };
});
afterEach(() => store.close());

describe('processes that are killed or write at the same time', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  test('never leave a partial file', { timeout: 60_000 }, async () => {
    openWork();
    for (let round = 0; round < 10; round++) {
      const child = await startWriter();
      await new Promise((resolve) => setTimeout(resolve, 20 + ((round * 37) % 90)));
      await end(child);
      for (const name of ['index.json', 'graft-pears/state.json'])
        expect(() => JSON.parse(text(name))).not.toThrow();
      expect(isUnedited(text('graft-pears/state.json'))).toBe(true);
    }
    mirrorWorkItems(world);
    expect(files('graft-pears').filter((name) => name.endsWith('.new'))).toEqual([]);
    expect(applyAllEdits(world)).toEqual([]);
  });

  test('end with the state of the database', { timeout: 60_000 }, async () => {
    const { id } = openWork();
    const writers = await Promise.all([startWriter(), startWriter()]);
    for (let round = 0; round < 10; round++) {
      store.changeWorkItem(id, { nextSteps: `round ${round}` }, Date.now());
      mirrorWorkItems(world);
      expect(() => JSON.parse(text('graft-pears/state.json'))).not.toThrow();
    }
    await Promise.all(writers.map(end));
    mirrorWorkItems(world);
    expect(JSON.parse(text('graft-pears/state.json')).title).toBe(store.getWorkItem(id)?.title);
    expect(files('graft-pears')).toEqual(['plan-v1.md', 'state.json']);
  });

  beforeAll(async () => {
    const contents = `
      import { mirrorWorkItems } from './src/continuity/mirror/mirror.ts';
      import { pathsOf } from './src/platform/paths.ts';
      import { openSqliteStore } from './src/store/sqlite/sqlite-store.ts';
      const paths = pathsOf(process.argv[2]);
      const store = openSqliteStore(paths.database);
      const log = { debug() {}, info() {}, warn() {}, error() {} };
      for (let n = 0; ; n++) {
        store.changeWorkItem(1, { title: 'Title ' + n + ' ' + 'x'.repeat((n * 997) % 5000) }, Date.now());
        mirrorWorkItems({ store, paths, log, now: Date.now });
        if (n === 0) console.log('ready');
      }`;
    const stdin = { contents, resolveDir: ROOT, loader: 'ts' } as const;
    const bundle = { bundle: true, packages: 'external', platform: 'node', format: 'esm' } as const;
    const { outputFiles } = await build({ stdin, ...bundle, write: false });
    writer = outputFiles[0]?.text ?? '';
  });
  let writer: string;

  /** Changes and mirrors the title repeatedly; resolves when its first files exist. */
  async function startWriter(): Promise<ChildProcess> {
    const program = join(paths.home, 'writer.mjs');
    if (!existsSync(program)) symlinkSync(join(ROOT, 'node_modules'), join(paths.home, 'node_modules'));
    writeFileSync(program, writer);
    const child = spawn(process.execPath, [program, paths.home], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    await new Promise((resolve, reject) => {
      child.stdout?.once('data', resolve);
      child.once('exit', () => reject(new Error('The writer ended by itself.')));
    });
    return child;
  }

  function end(child: ChildProcess): Promise<void> {
    return new Promise((resolve) => {
      child.removeAllListeners('exit');
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  }
});

function openWork() {
  const projectId = store.projectFor({ name: 'orchard', path: '/orchard' }, { now: AT }) ?? 0;
  const named = { name: 'graft-pears', title: 'Graft the pears' };
  const work = store.addWorkItem({ ...named, projectId, branch: 'main', worktree: null, at: AT });
  const plan = { text: '# Plan\n\n1. cut', hash: 'h', state: 'accepted', agentSession: 's-1' } as const;
  store.addPlan({ workId: work.id, ...plan, at: AT });
  return work;
}

function text(name: string): string {
  return readFileSync(join(paths.works, name), 'utf8');
}

function files(name: string): string[] {
  return readdirSync(join(paths.works, name)).sort();
}
