import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { openLog } from './open-log.ts';

const TOKEN = ['ghp', 'a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ'].join('_');

test('redacts every text of a line except fields that are already redacted', () => {
  const folder = tempFolder();
  const log = openLog({ folder, from: 'test', redactedFields: ['text'] });
  log.warn('not stored', { cause: `Error: cannot open /home/${TOKEN}/x`, bytes: 12, text: TOKEN });
  const [name = ''] = readdirSync(folder);
  expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toMatchObject({
    cause: 'Error: cannot open /home/[redacted:github-token]/x',
    bytes: 12,
    text: TOKEN,
  });
});
