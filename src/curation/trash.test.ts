import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { readEnvironment } from '../config/environment.ts';
import { loadSettings } from '../config/settings.ts';
import { createLog } from '../platform/log.ts';
import { pathsOf } from '../platform/paths.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { forgetEverywhere } from './forget.ts';
import type { CurationOptions } from './options.ts';
import { remember } from './remember.ts';
import { emptyOldTrash } from './trash.ts';

const SENTENCE = 'The violet gate opens with the third key';

let options: CurationOptions;
let logFile: string;

beforeEach(() => {
  const home = tempFolder();
  const folder = join(home, 'shop');
  mkdirSync(folder);
  const paths = pathsOf(join(home, '.cairn'));
  mkdirSync(paths.logs, { recursive: true });
  logFile = join(paths.logs, '2026-01-01.jsonl');
  writeFileSync(logFile, `${JSON.stringify({ msg: 'given', text: SENTENCE })}\n`);
  const { settings } = loadSettings(paths.config, readEnvironment({}));
  const log = createLog({ folder: paths.logs, level: 'off', from: 'test' });
  options = { store: openSqliteStore(paths.database), paths, settings, log, now: () => 1_000 };
  remember(options, { text: SENTENCE, folder, saidBy: 'person' });
});
afterEach(() => options.store.close());

const request = { memories: [1], prompts: [], sessions: [], withSource: true };

test('what is forgotten for good leaves nothing in the trash or the log', () => {
  expect(forgetEverywhere(options, request)).toMatchObject({ trashId: null, logLines: 1 });
  expect(options.store.listTrash()).toEqual([]);
  expect(readFileSync(logFile, 'utf8')).not.toContain('violet');
});

test.each([
  ['for good', request],
  ['with undo, after its time', { ...request, isUndoable: true, dueAt: 1_000 }],
])('forgetting %s that was interrupted is completed later', (_, forget) => {
  const isUndoable = 'isUndoable' in forget;
  // A folder in place of a log file stands for a log that cannot be read.
  const unreadable = join(options.paths.logs, '2026-01-02.jsonl');
  mkdirSync(unreadable);
  if (isUndoable) forgetEverywhere(options, forget);
  else expect(() => forgetEverywhere(options, forget)).toThrow('EISDIR');
  emptyOldTrash(options);
  expect(options.store.listTrash()).toHaveLength(1);
  rmSync(unreadable, { recursive: true });

  expect(options.store.getMemory(1)).toBeNull();
  emptyOldTrash(options);
  expect(options.store.listTrash()).toEqual([]);
  expect(readFileSync(logFile, 'utf8')).not.toContain('violet');
});
