import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageRoot } from '../../platform/installation.ts';
import { quoteForShell } from '../../platform/shell.ts';
import type { InstallPlace } from './agent-installer.ts';

/** What a slash command says, for agents with a format of their own. */
export interface CommandText {
  name: string;
  description: string;
  /** What the person types after its name is `$ARGUMENTS`; the output of a command is in `` !`…` ``. */
  body: string;
}

const FOLDER = 'plugins/claude-code/commands';
// biome-ignore lint/suspicious/noTemplateCurlyInString: as the commands call Cairn in the plugin
const CALL = 'sh "${CLAUDE_PLUGIN_ROOT}/call-cairn.sh"';

/** The commands of the plugin are the text for all agents. */
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
