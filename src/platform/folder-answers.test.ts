import { expect, test } from 'vitest';
import { askFolder, doesFolderAnswer, isFolderGivenUp } from './folder-answers.ts';

test.each(['/', '/no/such/folder', '/etc/hostname', 'a\0b', `/${'x'.repeat(5_000)}`, ''])(
  'any result counts as an answer, also for a path that cannot exist: %j',
  async (folder) => {
    expect(await askFolder(folder, 1_000)).toBe(true);
    expect(doesFolderAnswer(folder)).toBe(true);
    expect(isFolderGivenUp(folder)).toBe(false);
  },
);
