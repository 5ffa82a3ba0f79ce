import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildPluginText } from '../../src/agents/install/plugin-text.ts';
import { parseSpoolFile } from '../../src/capture/spool.ts';
import { PLACE } from './install-place.ts';
import { tempFolder } from './temp.ts';

/** Loads an installed JavaScript plugin with this script as its `cairn`; null: Cairn has been removed. */
export async function loadPlugin<T>(
  agent: string,
  folder: string,
  cairn: string | null,
): Promise<{ plugin: T; home: string }> {
  const root = tempFolder();
  const home = join(root, '.cairn');
  const launcher = join(home, 'bin/cairn');
  if (cairn !== null) {
    mkdirSync(join(home, 'bin'), { recursive: true });
    writeFileSync(join(home, 'capture.sh'), '');
    writeFileSync(launcher, `#!/bin/sh\n${cairn}\n`, { mode: 0o755 });
  }
  const place = {
    ...PLACE,
    captureScript: join(home, 'capture.sh'),
    launcher,
    cairn: [launcher] as [string],
  };
  writeFileSync(join(root, 'cairn.mjs'), buildPluginText(agent, folder, place));
  return { plugin: await import(pathToFileURL(join(root, 'cairn.mjs')).href), home };
}

/** The spool files that a plugin wrote, without what differs from run to run. */
export function readSpool(home: string) {
  const folder = join(home, 'spool');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.map((name) => {
    const file = parseSpoolFile(name, 0, readFileSync(join(folder, name)));
    if (!file) throw new Error(`${name} is not whole`);
    return { ...file, name: '', payload: JSON.parse(file.payload.toString()) };
  });
}
