import type { InstallPlace } from '../install/agent-installer.ts';
import { readCommandTexts } from '../install/command-texts.ts';
import type { OwnFile } from '../install/marked-files.ts';

/** Codex has skills instead of slash commands: the person names one as `$cairn-handoff`. */
export function readOwnSkills(place: Pick<InstallPlace, 'cairn'>): OwnFile[] {
  return readCommandTexts(place).map(({ name, description, body }) => ({
    name: `${name}/SKILL.md`,
    text: [
      '---',
      `name: cairn-${name}`,
      `description: ${JSON.stringify(`${description}. Use it only when the person names it.`)}`,
      '---',
      '',
      body
        .replaceAll('$ARGUMENTS', `(what the person wrote after $cairn-${name})`)
        .replace(/^!`(.+)`$/gm, 'Run `$1` to see them.'),
    ].join('\n'),
  }));
}
