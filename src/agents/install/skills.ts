import type { InstallPlace } from './agent-installer.ts';
import { readCommandTexts } from './command-texts.ts';
import type { OwnFile } from './marked-files.ts';

/** The commands as skills, in a folder each, for agents without slash commands. `callOf`: how a person names a skill. */
export function readSkills(place: Pick<InstallPlace, 'cairn'>, callOf: (skill: string) => string): OwnFile[] {
  return readCommandTexts(place).map(({ name, description, body }) => ({
    name: `cairn-${name}/SKILL.md`,
    text: [
      '---',
      `name: cairn-${name}`,
      `description: ${JSON.stringify(`${description}. Use it only when the person names it.`)}`,
      '---',
      '',
      body
        .replaceAll('$ARGUMENTS', `(what the person wrote after ${callOf(`cairn-${name}`)})`)
        .replace(/^!`(.+)`$/gm, 'Run `$1` to see them.'),
    ].join('\n'),
  }));
}
