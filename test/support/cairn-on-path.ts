import { mkdirSync, symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { configureCairnCommand } from '../../src/platform/cairn-command.ts';

/** Messages say `cairn` if it is on the PATH, as after `npm install -g`. Tests that need another PATH set one. */
const root = resolve(import.meta.dirname, '../..');
const bin = resolve(root, '.cache/bin');
mkdirSync(bin, { recursive: true });
try {
  symlinkSync(resolve(root, 'dist/cli.mjs'), resolve(bin, 'cairn'));
} catch {
  // It exists from an earlier run.
}
if (!process.env.PATH?.startsWith(bin)) process.env.PATH = `${bin}:${process.env.PATH}`;

// Files of one process share modules: an earlier file may have set another command.
configureCairnCommand({ searchPath: bin, userHome: root, launcher: resolve(bin, 'none') });
