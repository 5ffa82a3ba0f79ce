import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CACHE = fileURLToPath(new URL('../../.cache/clients', import.meta.url));

/** A package from npm in the repository's cache, installed when it is not there. @returns its `node_modules`. */
export async function installPackage(name: string, version: string, cacheName: string): Promise<string> {
  const folder = join(CACHE, `${cacheName}-${version}`);
  if (!existsSync(folder)) await installInto(folder, `${name}@${version}`);
  return join(folder, 'node_modules');
}

/** Some clients want a newer Node than Cairn does. @returns the path of its program. */
export async function installNode(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  return join(await installPackage(name, version, 'node'), name, 'bin/node');
}

/** Installs beside the folder and renames, so that two at once cannot see half an installation. */
async function installInto(folder: string, spec: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(`${folder}.draft-`);
  try {
    // Native programs come as an optional dependency of the machine's kind and need no install script; nor do they
    // need the Node version which the package names.
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
