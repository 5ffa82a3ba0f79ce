import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../platform/installation.ts';
import { quoteForShell } from '../../platform/shell.ts';
import type { InstallPlace } from '../install/agent-installer.ts';
import type { OwnFile } from '../install/marked-files.ts';

/** How the plugin's commands call Cairn. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the client puts the plugin's folder there
const IN_PLUGIN = 'sh "${CLAUDE_PLUGIN_ROOT}/call-cairn.sh"';

/** The plugin's slash commands and its skill, which has the same name in both: the agent then lists it only once. */
export function readOwnCommands({ cairn }: Pick<InstallPlace, 'cairn'>): OwnFile[] {
  const plugin = join(packageRoot(), 'plugins/claude-code');
  const folder = join(plugin, 'commands');
  const files = [
    ...readdirSync(folder).map((name) => ({ name, path: join(folder, name) })),
    { name: 'memory.md', path: join(plugin, 'skills/memory/SKILL.md') },
  ];
  const program = cairn.map(quoteForShell).join(' ');
  return files.map(({ name, path }) => ({ name, text: rewriteCommand(readFileSync(path, 'utf8'), program) }));
}

/**
 * A command of the plugin, rewritten for use outside the plugin, where `CLAUDE_PLUGIN_ROOT` is not set. `program` is
 * quoted for the shell; its path may contain characters that are special in front matter.
 */
export function rewriteCommand(text: string, program: string): string {
  return text
    .replaceAll(IN_PLUGIN, () => program)
    .replace(/^allowed-tools: (.*)$/m, (_, rules: string) => `allowed-tools: ${JSON.stringify(rules)}`);
}
