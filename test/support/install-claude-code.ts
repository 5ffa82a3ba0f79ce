import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackage } from './install-client.ts';

const PINNED_VERSION = '2.1.325';

/** The path of the real `claude` program. */
export async function installClient(): Promise<string> {
  const version = process.env.CAIRN_E2E_CLAUDE_VERSION || PINNED_VERSION;
  const packages = join(
    await installPackage('@anthropic-ai/claude-code', version, 'claude-code'),
    '@anthropic-ai',
  );
  for (const name of await readdir(packages)) {
    const program = join(packages, name, 'claude');
    if (name.startsWith('claude-code-') && existsSync(program)) return program;
  }
  throw new Error(`no Claude Code program for this machine in ${packages}`);
}
