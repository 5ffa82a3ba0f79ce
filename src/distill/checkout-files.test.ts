import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import type { Observation } from '../model/memory.ts';
import type { StoredTurn } from '../store/types/memory.ts';
import { openCheckout } from './checkout-files.ts';

test('files are named from the top of the checkout, wherever the session began', () => {
  const { placed } = openCheckout(turnIn(join(repository(), 'packages/app')));
  const files = ['src/a.ts', '../lib/b.ts', '/etc/hosts', join(tempFolder(), 'c.ts')];
  expect(placed({ filesRead: files, filesModified: ['../../top.ts'] })).toEqual({
    filesRead: ['packages/app/src/a.ts', 'packages/lib/b.ts', '/etc/hosts', files[3]],
    filesModified: ['top.ts'],
  });
});

test('outside git the folder of the session is the top', () => {
  const { placed } = openCheckout(turnIn(tempFolder()));
  expect(placed({ filesRead: ['a.ts'], filesModified: [] }).filesRead).toEqual(['a.ts']);
});

test('a file is pinned to its content and to the names in it which the memory speaks of', () => {
  const top = repository();
  writeFileSync(join(top, 'price.ts'), 'export function roundHalfUp() {}\nconst tax_rate = 1;\n');
  const { pinsOf } = openCheckout(turnIn(top));
  const facts = ['`roundHalfUp` rounds; tax_rate is one; noSuchName() is elsewhere; plain words are none'];
  expect(pinsOf(about(['price.ts', 'gone.ts'], facts))).toEqual([
    {
      path: 'price.ts',
      // As `git hash-object price.ts` says.
      hash: '3c2f1e2490009254f470373aa47fcb26ae93a718',
      symbols: ['roundHalfUp', 'tax_rate'],
    },
  ]);
});

test('a file that changed after the turn is not pinned: nobody knows how it looked', () => {
  const top = repository();
  writeFileSync(join(top, 'late.ts'), 'x');
  utimesSync(join(top, 'late.ts'), new Date(), new Date(NOW + 60_000));
  expect(openCheckout(turnIn(top)).pinsOf(about(['late.ts'], []))).toEqual([]);
});

const NOW = Date.now() + 1_000;

function repository(): string {
  const top = tempFolder();
  mkdirSync(join(top, '.git'));
  writeFileSync(join(top, '.git/HEAD'), 'ref: refs/heads/main\n');
  mkdirSync(join(top, 'packages/app'), { recursive: true });
  return top;
}

function turnIn(folder: string): Pick<StoredTurn, 'folder' | 'lastAt'> {
  return { folder, lastAt: NOW };
}

function about(filesModified: string[], facts: string[]): Observation {
  return {
    ...{ type: 'change', title: 't', subtitle: '', narrative: '', facts, concepts: [] },
    ...{ filesRead: [], filesModified, events: [] },
  };
}
