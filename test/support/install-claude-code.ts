import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PINNED_VERSION = '2.1.325';

const CACHE = fileURLToPath(new URL('../../.cache/clients', import.meta.url));

/** The path of the real `claude` program, installed into the repository's cache when it is not there. */
export async function installClient(): Promise<string> {
  const version = process.env.CAIRN_E2E_CLAUDE_VERSION || PINNED_VERSION;
  const folder = join(CACHE, `claude-code-${version}`);
  if (!existsSync(folder)) await installInto(folder, `@anthropic-ai/claude-code@${version}`);
  return nativeProgram(folder);
}

/** Installs beside the folder and renames, so that two at once cannot see half an installation. */
async function installInto(folder: string, spec: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(`${folder}.draft-`);
  try {
    // The program comes as an optional dependency of the machine's kind and needs no install script; nor
    // does it need the Node version which the package names, since it is a native binary.
    const flags = ['--ignore-scripts', '--include=optional', '--engine-strict=false'];
    const quiet = ['--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
    await promisify(execFile)('npm', ['install', '--prefix', draft, ...flags, ...quiet, spec], {
      timeout: 280_000,
    });
    await nativeProgram(draft);
    await rename(draft, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function nativeProgram(folder: string): Promise<string> {
  const packages = join(folder, 'node_modules', '@anthropic-ai');
  for (const name of await readdir(packages)) {
    const program = join(packages, name, 'claude');
    if (name.startsWith('claude-code-') && existsSync(program)) return program;
  }
  throw new Error(`no Claude Code program for this machine in ${folder}`);
}
