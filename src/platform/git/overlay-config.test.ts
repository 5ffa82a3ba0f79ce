import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeHostileRepository } from '../../../test/support/hostile-repository.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { buildOverlayConfig } from './overlay-config.ts';

it('drops settings of a hostile configuration that name a program, file or address', () => {
  const { gitDir } = makeHostileRepository(tempFolder());
  const more = [
    '[core]\n\tautocrlf = "input"\n\teol = "!hostile"\n\tworktree = /\n\tbare = true',
    '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n\tpushRemote = hostile',
    '[remote "origin"]\n\turl = ext::hostile\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\tfetch = hostile',
    '[extensions]\n\tobjectFormat = sha1\n\trefStorage = hostile',
  ];
  appendFileSync(join(gitDir, 'config'), more.join('\n'));
  expect(buildOverlayConfig({ gitDir, commonDir: gitDir }, { isBare: false })).toBe(
    [
      '[core]',
      '\trepositoryformatversion = "1"',
      '\tbare = "false"',
      '\tfilemode = "true"',
      '\tautocrlf = "input"',
      '[extensions]',
      '\tobjectformat = "sha1"',
      '[branch "main"]',
      '\tremote = "origin"',
      '\tmerge = "refs/heads/main"',
      '[remote "origin"]',
      '\tfetch = "+refs/heads/*:refs/remotes/origin/*"',
      '',
    ].join('\n'),
  );
});
