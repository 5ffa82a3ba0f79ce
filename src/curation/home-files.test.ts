import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { analyzeWording } from '../model/wording.ts';
import { pathsOf } from '../platform/paths.ts';
import { forgetInFiles } from './home-files.ts';

const secret = 'The lantern code of the quokka is violet';
const spoken = JSON.stringify({ prompt: `so\nthe lantern code\nof the "quokka" is violet.` });
const FILES = {
  'cairn.db': secret,
  'cairn.db-wal': secret,
  'cairn.db.damaged-2026': `\u0000\u0001${secret}\u0000`,
  'config.json': secret,
  'drafts/memory-1.md': `# ${secret}`,
  'logs/2026-01-01.jsonl': secret,
  'modes/mine.md': `Look for this: ${secret}`,
  'spool/torn/s.1': spoken,
  'spool/torn/s.2': 'something else',
  'state/outbox': `Cairn could not: ${secret}`,
  'state/stalled': '{}',
  'works/index.json': JSON.stringify([{ title: secret }]),
  'works/lantern/handoff-1.md': '# Handoff',
  'works/lantern/plan-v1.md': `1. Say that\n   ${secret.toLowerCase()}`,
};
const OURS = ['drafts/memory-1.md', 'state/outbox', 'works/index.json', 'works/lantern/plan-v1.md'];
const SOURCES = ['cairn.db.damaged-2026', 'spool/torn/s.1'];
const THEIRS = ['config.json', 'modes/mine.md'];

it.each([
  ['without its source', { withSource: false, isDryRun: false }, OURS, [...SOURCES, ...THEIRS]],
  ['with its source', { withSource: true, isDryRun: false }, [...OURS, ...SOURCES], THEIRS],
  ['only to see', { withSource: true, isDryRun: true }, [...OURS, ...SOURCES], THEIRS],
])('removes what is ours %s and names the rest', (_, options, removed, holding) => {
  const home = tempFolder();
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const found = forgetInFiles(pathsOf(home), analyzeWording([secret]), options);
  expect({ removed: found.removed.sort(), holding: found.holding.sort() }).toEqual({
    removed: [...removed].sort(),
    holding: [...holding].sort(),
  });
  const left = Object.keys(FILES).filter((name) => existsSync(join(home, name)));
  expect(left).toEqual(Object.keys(FILES).filter((name) => options.isDryRun || !removed.includes(name)));
  expect(readdirSync(home)).toContain('cairn.db');
});
