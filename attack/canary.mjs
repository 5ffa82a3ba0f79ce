import fs from 'node:fs';
import { join } from 'node:path';

/** Each file in the canary folder means that something was executed; its name is the trick that did it. */
export function reportCanaries(tally, canary, where) {
  for (const name of fs.readdirSync(canary)) {
    tally.fail('executed', `${where}: ${name}`);
    fs.rmSync(join(canary, name), { recursive: true });
  }
}

/** Lists every path in the sandbox outside Cairn's home, and the names in `/`, where the worker runs. */
export function listOutside({ root, home }) {
  const paths = ['/', ...fs.readdirSync('/')].map((name) => `/${name}`);
  walk(root);
  return new Set(paths);

  function walk(folder) {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      paths.push(path);
      if (entry.isDirectory() && path !== home) walk(path);
    }
  }
}

/** Files that hooks may keep outside the home, where failures are counted while the home cannot be written. */
const ALLOWED = /\/tmp\/(cairn-\d+(\/failures)?|node-compile-cache.*)$/;

export function reportNewFiles(tally, sandbox, before, where) {
  for (const path of listOutside(sandbox))
    if (!before.has(path) && !ALLOWED.test(path))
      tally.fail('executed', `${where}: a file appeared at ${path}`);
}
