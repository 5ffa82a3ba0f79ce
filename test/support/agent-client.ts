import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CACHE = fileURLToPath(new URL('../../.cache/clients', import.meta.url));

export interface ClientPackage {
  /** Of the agent. */
  id: string;
  version: string;
  /** What npm installs, without the version. */
  package: string;
  /** Where its program may be below node_modules; the first that exists. */
  programs: string[];
}

/** The path of a real client's program, installed into the repository's cache when it is not there. */
export async function installAgentClient(client: ClientPackage): Promise<string> {
  const folder = join(CACHE, `${client.id}-${client.version}`);
  if (!existsSync(folder)) await installInto(folder, client);
  return programIn(folder, client);
}

/** Installs beside the folder and renames, so that two at once cannot see half an installation. */
async function installInto(folder: string, client: ClientPackage): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(`${folder}.draft-`);
  try {
    // The programs are native and come as optional dependencies: no install script is needed.
    const flags = ['--ignore-scripts', '--include=optional', '--engine-strict=false'];
    const quiet = ['--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
    const spec = `${client.package}@${client.version}`;
    await promisify(execFile)('npm', ['install', '--prefix', draft, ...flags, ...quiet, spec], {
      timeout: 280_000,
    });
    programIn(draft, client);
    await rename(draft, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function programIn(folder: string, { id, programs }: ClientPackage): string {
  const found = programs.map((path) => join(folder, 'node_modules', path)).find((path) => existsSync(path));
  if (!found) throw new Error(`no program of ${id} for this machine in ${folder}`);
  return found;
}
