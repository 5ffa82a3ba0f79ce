import { mkdirSync, symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { configureCairnCommand } from '../../src/platform/cairn-command.ts';

/** Messages say `cairn` where the PATH has it, as it has after `npm install -g`; tests that need another PATH set one. */
const root = resolve(import.meta.dirname, '../..');
const bin = resolve(root, '.cache/bin');
mkdirSync(bin, { recursive: true });
try {
  symlinkSync(resolve(root, 'dist/cli.mjs'), resolve(bin, 'cairn'));
} catch {
  // From an earlier run.
}
if (!process.env.PATH?.startsWith(bin)) process.env.PATH = `${bin}:${process.env.PATH}`;

// Files of one process share modules: what an earlier file has set must not show in this one.
configureCairnCommand({ searchPath: bin, userHome: root, launcher: resolve(bin, 'none') });
