import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rememberTurn } from '../../test/support/memories.ts';
import { openPlainStore, type PlainStore } from '../../test/support/plain-store.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { readEnvironment } from '../config/environment.ts';
import { loadSettings } from '../config/settings.ts';
import { followEvents } from '../continuity/follow.ts';
import { mirrorWorkItems } from '../continuity/mirror/mirror.ts';
import { createLog } from '../platform/log.ts';
import { pathsOf } from '../platform/paths.ts';
import { forgetEverywhere } from './forget.ts';
import type { CurationOptions } from './options.ts';

const SECRET = 'The lantern code of the quokka is violet';
const PLACE = { path: '/orchard/.git', name: 'orchard' };

let options: CurationOptions & { store: PlainStore };
beforeEach(() => {
  const paths = pathsOf(join(tempFolder(), '.cairn'));
  const { settings } = loadSettings(paths.config, readEnvironment({}));
  const log = createLog({ folder: paths.logs, level: 'off', from: 'test' });
  options = { store: openPlainStore(paths.database), paths, settings, log, now: Date.now };
  rememberTurn(options.store, { at: 100, place: PLACE, observations: [{ title: SECRET }] });
});
afterEach(() => options.store.close());

test('what is forgotten leaves the files of works, and the names of their folders', () => {
  const work = { projectId: 1, branch: null, worktree: null, at: 100 };
  options.store.addWorkItem({ ...work, name: 'lantern-code-quokka', title: SECRET });
  options.store.addWorkItem({ ...work, name: 'gate', title: 'Mend the gate' });
  const plan = { hash: 'h', agentSession: null, at: 200 };
  options.store.addPlan({ ...plan, workId: 2, text: `1. ${SECRET}\n2. Oil the hinge`, state: 'accepted' });
  mirrorWorkItems(options);
  writeFileSync(join(options.paths.works, 'lantern-code-quokka', 'mine.txt'), 'put there by hand');
  expect(textsBelowWorks()).toContain(SECRET);

  const planned = forgetEverywhere(options, { ...NOTHING, memories: [1], withSource: false, isDryRun: true });
  expect(planned).toMatchObject({ works: 2 });
  expect(textsBelowWorks()).toContain(SECRET);

  expect(forgetEverywhere(options, { ...NOTHING, memories: [1], withSource: false })).toMatchObject({
    works: 2,
  });
  expect(readdirSync(options.paths.works).sort()).toEqual(['gate', 'index.json', 'work-1']);
  expect(readdirSync(join(options.paths.works, 'work-1')).sort()).toEqual(['mine.txt', 'state.json']);
  expect(readFileSync(join(options.paths.works, 'gate', 'plan-v1.md'), 'utf8')).toBe('2. Oil the hinge\n');
  expect(textsBelowWorks()).not.toMatch(/quokka|lantern/i);
});

test('a file that was removed is written again, also when the database told nothing of it', () => {
  followEvents(options.store, { log: options.log, now: 100 });
  options.store.addWorkItem({
    projectId: 1,
    branch: null,
    worktree: null,
    at: 100,
    name: 'gate',
    title: 'Gate',
  });
  mirrorWorkItems(options);
  const file = join(options.paths.works, 'gate', 'state.json');
  const written = readFileSync(file, 'utf8');
  writeFileSync(file, written.replace('"Gate"', JSON.stringify(SECRET)));
  const forgotten = forgetEverywhere(options, { ...NOTHING, memories: [1], withSource: false });
  expect(forgotten).toMatchObject({ works: 0, files: { removed: ['works/gate/state.json'] } });
  expect(readFileSync(file, 'utf8')).toBe(written);
});

test('there need be no works', () => {
  rmSync(options.paths.works, { recursive: true, force: true });
  expect(forgetEverywhere(options, { ...NOTHING, memories: [1], withSource: true })).toMatchObject({
    works: 0,
  });
  expect(existsSync(options.paths.works)).toBe(false);
});

const NOTHING = { memories: [], prompts: [], sessions: [] };

function textsBelowWorks(): string {
  const entries = readdirSync(options.paths.works, { recursive: true, withFileTypes: true });
  const texts = entries.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile()
      ? `${path.slice(options.paths.works.length)}\n${readFileSync(path, 'utf8')}`
      : entry.name;
  });
  return texts.join('\n');
}
