import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Agent } from '../agents/agent.ts';
import type { Environment } from '../config/environment.ts';
import { readIfThere } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';
import { CONFIG_LIMIT, readRegularText } from '../platform/read-regular-file.ts';

/**
 * If both the plugin and the settings are installed, every hook runs twice. Both write the event, which intake stores
 * once, but only the hook from the settings answers.
 */
export function isAnsweredBySettings(
  paths: Paths,
  env: Environment,
  { agent, hook }: { agent: Agent; hook: string },
  cwd: string | undefined,
): boolean {
  const own = agent.configFolder?.(env);
  const project = env.projectDir ?? cwd;
  return installedFiles(paths).some((file) => {
    const folder = dirname(file);
    const appliesHere = folder === own || dirname(folder) === project;
    return appliesHere && contains(file, `set -- ${agent.id} ${hook} settings`);
  });
}

function installedFiles(paths: Paths): string[] {
  try {
    return readdirSync(paths.installed).flatMap((name) => {
      const record = JSON.parse(readIfThere(join(paths.installed, name)) ?? '{}');
      return typeof record.file === 'string' ? [record.file] : [];
    });
  } catch {
    return [];
  }
}

function contains(file: string, text: string): boolean {
  return readRegularText(file, CONFIG_LIMIT)?.includes(text) ?? false;
}
