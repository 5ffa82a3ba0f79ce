import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageRoot } from '../../platform/installation.ts';
import { quoteForShell } from '../../platform/shell.ts';
import type { InstallPlace } from './agent-installer.ts';

/** The text of a slash command, for agents with their own format. */
export interface CommandText {
  name: string;
  description: string;
  /** `$ARGUMENTS` is the text after the command's name; `` !`…` `` is the output of a command. */
  body: string;
}

const FOLDER = 'plugins/claude-code/commands';
// biome-ignore lint/suspicious/noTemplateCurlyInString: the plugin's commands call Cairn this way
const CALL = 'sh "${CLAUDE_PLUGIN_ROOT}/call-cairn.sh"';

/** The texts for all agents come from the commands of the plugin. */
export function readCommandTexts({ cairn }: Pick<InstallPlace, 'cairn'>): CommandText[] {
  const folder = join(packageRoot(), FOLDER);
  const program = cairn.map(quoteForShell).join(' ');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8').replaceAll(CALL, () => program);
      const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n\s*([\s\S]*)$/.exec(text) ?? [];
      const description = /^description: (.*)$/m.exec(head)?.[1] ?? '';
      return { name: basename(file, '.md'), description: description.replace(/^"(.*)"$/, '$1'), body };
    });
}
