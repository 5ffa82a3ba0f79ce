import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { makeRepository } from '../support/run-cairn.ts';
import { tempFolder } from '../support/temp.ts';

const repository = resolve(import.meta.dirname, '../..');

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

/** A person with a clone of the shop in which Cairn was not used yet. */
function makePerson(): { folder: string; run(line: string): string } {
  const home = tempFolder();
  const folder = makeRepository(join(home, 'shop'), 'git@git.example.com:team/shop.git');
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const program = join(repository, 'dist/cli.mjs');
  chmodSync(program, 0o755);
  symlinkSync(program, join(bin, 'cairn'));
  return {
    folder,
    run(line) {
      const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', line], {
        cwd: folder,
        encoding: 'utf8',
        env: { HOME: home, PATH: `${bin}:${process.env.PATH}`, CAIRN_NO_WORKER: '1' },
      });
      expect({ line, status, stderr: status === 0 ? '' : stderr }).toEqual({ line, status: 0, stderr: '' });
      return stdout;
    },
  };
}

/** The commands of a section, block by block. */
function blocksOf(heading: string): string[][] {
  const text = readFileSync(join(repository, 'docs/team.md'), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block.trim().split('\n'));
}

test('the commands of “Set up” make a team of two, as printed', () => {
  const [create = [], join_ = []] = blocksOf('Set up');
  expect([create.length, join_.length]).toEqual([3, 1]);
  const anna = makePerson();
  writeFileSync(join(anna.folder, 'url.txt'), postgres.adminUrl('team'));
  const link = create.map(anna.run).at(-1) ?? '';
  const ben = makePerson();
  writeFileSync(join(ben.folder, 'link.txt'), link);
  join_.map(ben.run);

  anna.run('cairn remember "Prices are stored in cents"');
  anna.run('cairn team sync');
  expect(ben.run('cairn team sync')).toBe('Received 1 change, sent 0 changes.\n');
  expect(ben.run('cairn search prices')).toContain('from Anna');
});
