import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import { isPaused, listPauses, type PauseScope, pause, unpause } from './pauses.ts';

let root: string;
let paths: Paths;
beforeEach(() => {
  root = tempFolder();
  paths = pathsOf(join(root, 'home'));
});

describe('isPaused', () => {
  test.each<[string, PauseScope, { here: boolean; there: boolean; session: boolean; unknown: boolean }]>([
    ['everything', { all: true }, { here: true, there: true, session: true, unknown: true }],
    ['a project', { folder: '/orchard here' }, { here: true, there: false, session: true, unknown: false }],
    ['a session', { session: '../s1' }, { here: false, there: false, session: true, unknown: false }],
  ])('with a pause of %s', (_name, scope, expected) => {
    const check = () => ({
      here: isPaused(paths, '/orchard here', 's2'),
      there: isPaused(paths, '/elsewhere', 's2'),
      session: isPaused(paths, '/orchard here', '../s1'),
      unknown: isPaused(paths, undefined, undefined),
    });
    const nothing = { here: false, there: false, session: false, unknown: false };
    expect(check()).toEqual(nothing);
    pause(paths, scope, 1);
    pause(paths, scope, 2);
    expect(check()).toEqual(expected);
    expect([unpause(paths, scope), unpause(paths, scope)]).toEqual([true, false]);
    expect(check()).toEqual(nothing);
  });

  test('a paused project is paused in all its folders', () => {
    const top = join(root, 'orchard');
    mkdirSync(join(top, 'deep'), { recursive: true });
    execFileSync('git', ['init', '-q', top]);
    pause(paths, { folder: join(top, 'deep') }, 1);
    expect(isPaused(paths, top, undefined)).toBe(true);
    expect(listPauses(paths).map(({ what, since }) => ({ what, since }))).toEqual([
      { what: 'orchard', since: 1 },
    ]);
  });
});

test('the paused folder, which capture.sh checks, exists only during a pause', () => {
  expect(existsSync(paths.paused)).toBe(false);
  pause(paths, { all: true }, 1);
  pause(paths, { session: 's1' }, 2);
  unpause(paths, { all: true });
  expect(existsSync(paths.paused)).toBe(true);
  unpause(paths, { session: 's1' });
  expect(existsSync(paths.paused)).toBe(false);
});

test('an unreadable pause mark still counts', () => {
  mkdirSync(paths.paused, { recursive: true });
  writeFileSync(join(paths.paused, 'all'), '{"what":');
  expect(isPaused(paths, undefined, undefined)).toBe(true);
  expect(listPauses(paths)).toEqual([{ mark: 'all', what: 'all', since: 0 }]);
});
