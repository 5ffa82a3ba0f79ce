import type { InstallPlace } from '../install/agent-installer.ts';
import { readCommandTexts } from '../install/command-texts.ts';
import type { OwnFile } from '../install/marked-files.ts';

/** Commands in Markdown; folders are not a part of their name: `/cairn-handoff`. */
export function readOwnCommands(place: Pick<InstallPlace, 'cairn'>): OwnFile[] {
  return readCommandTexts(place).map(({ name, description, body }) => ({
    name: `cairn-${name}.md`,
    text: [
      '---',
      `description: ${JSON.stringify(description)}`,
      '---',
      '',
      body.replace(/^!`(.+)`$/gm, 'Run `$1` to see them.'),
    ].join('\n'),
  }));
}
