import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rememberTurn } from '../../test/support/memories.ts';
import { openPlainStore, type PlainStore } from '../../test/support/plain-store.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { createLog } from '../platform/log.ts';
import { isMerged, markMergedBranches } from './merged-branches.ts';

describe('a memory of a branch', () => {
  let folder: string;
  let place: string;
  let began: number;
  beforeEach(() => {
    folder = tempFolder();
    git('init', '-q', '-b', 'main');
    commit('start');
    place = realpathSync(join(folder, '.git'));
    began = Date.now() + 60_000;
    git('checkout', '-q', '-b', 'retry');
  });

  const cases: { name: string; before?: () => void; after: () => void; merged: boolean }[] = [
    { name: 'is not merged while the branch is new', after: () => {}, merged: false },
    {
      name: 'is not merged while the branch has its own commits',
      after: () => commit('work'),
      merged: false,
    },
    {
      name: 'is merged after a merge',
      after: () => {
        commit('work');
        onMain('merge', '-q', '--no-ff', '-m', 'merged', 'retry');
      },
      merged: true,
    },
    {
      name: 'is merged after a fast-forward',
      after: () => {
        commit('work');
        onMain('merge', '-q', '--ff-only', 'retry');
      },
      merged: true,
    },
    {
      name: 'is merged if the work was committed in the same session and merged',
      before: () => {
        commit('work');
        began = Date.now() - 60_000;
      },
      after: () => onMain('merge', '-q', '--ff-only', 'retry'),
      merged: true,
    },
    {
      name: 'is merged after the branch was merged and deleted',
      before: () => commit('work'),
      after: () => {
        onMain('merge', '-q', 'retry');
        git('branch', '-q', '-d', 'retry');
      },
      merged: true,
    },
    {
      name: 'is not merged after the branch was abandoned',
      before: () => commit('work'),
      after: () => onMain('branch', '-q', '-D', 'retry'),
      merged: false,
    },
  ];

  test.each(cases)('$name', ({ before, after, merged }) => {
    before?.();
    const memory = { place, branch: 'retry', commit: git('rev-parse', 'HEAD'), sessionBegan: began };
    after();
    expect(isMerged(memory, 'main')).toBe(merged);
  });

  describe('in the store', () => {
    let store: PlainStore;
    beforeEach(() => {
      store = openPlainStore(join(tempFolder(), 'cairn.db'));
    });
    afterEach(() => store.close());

    test('is marked as merged if its repository still exists', () => {
      commit('work');
      const at = Date.now();
      const made = {
        place: { path: place, name: 'shop', branch: 'retry' },
        commit: git('rev-parse', 'HEAD'),
      };
      rememberTurn(store, { ...made, at, observations: [{ title: 'Retry thrice' }] });
      const elsewhere = { path: '/nowhere/.git', name: 'gone', branch: 'retry' };
      rememberTurn(store, {
        ...made,
        session: 'gone',
        place: elsewhere,
        at,
        observations: [{ title: 'Gone' }],
      });
      onMain('merge', '-q', '--ff-only', 'retry');
      git('branch', '-q', '-d', 'retry');
      const log = createLog({ folder: tempFolder(), from: 'test' });
      markMergedBranches(store, { log, now: () => at + 1 });
      expect([1, 2].map((id) => store.getMemory(id)?.mergedAt)).toEqual([at + 1, null]);
    });
  });

  function onMain(...args: string[]): void {
    git('checkout', '-q', 'main');
    git(...args);
  }

  function commit(message: string): void {
    git('commit', '-q', '--allow-empty', '-m', message);
  }

  function git(...args: string[]): string {
    const person = ['-c', 'user.name=Robin', '-c', 'user.email=robin@example.invalid'];
    return execFileSync('git', [...person, ...args], { cwd: folder, encoding: 'utf8' }).trim();
  }
});
