import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CACHE = fileURLToPath(new URL('../../.cache/clients', import.meta.url));

/** Installs a package from npm into the repository's cache unless it is there. @returns its `node_modules`. */
export async function installPackage(name: string, version: string, cacheName: string): Promise<string> {
  const folder = join(CACHE, `${cacheName}-${version}`);
  if (!existsSync(folder)) await installInto(folder, `${name}@${version}`);
  return join(folder, 'node_modules');
}

/** Installs into a draft folder and renames it: a concurrent run never sees a partial installation. */
async function installInto(folder: string, spec: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(`${folder}.draft-`);
  try {
    // Native programs are optional dependencies for the machine's platform: they need no install script, and not the
    // Node.js version that the package names.
    const flags = ['--ignore-scripts', '--include=optional', '--engine-strict=false'];
    const quiet = ['--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
    await promisify(execFile)('npm', ['install', '--prefix', draft, ...flags, ...quiet, spec], {
      timeout: 280_000,
    });
    await rename(draft, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
