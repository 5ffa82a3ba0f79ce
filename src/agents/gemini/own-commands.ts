import type { InstallPlace } from '../install/agent-installer.ts';
import { readCommandTexts } from '../install/command-texts.ts';
import type { OwnFile } from '../install/marked-files.ts';

/** Commands in TOML; the folder is part of their name: `/cairn:handoff`. */
export function readOwnCommands(place: Pick<InstallPlace, 'cairn'>): OwnFile[] {
  return readCommandTexts(place).map(({ name, description, body }) => {
    const prompt = body.replaceAll('$ARGUMENTS', '{{args}}').replace(/^!`(.+)`$/gm, '!{$1}');
    return {
      name: `${name}.toml`,
      text: `description = ${JSON.stringify(description)}\nprompt = '''\n${prompt}'''\n`,
    };
  });
}
