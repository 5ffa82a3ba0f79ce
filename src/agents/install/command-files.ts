import type { InstallPlace } from './agent-installer.ts';
import { readCommandTexts } from './command-texts.ts';
import type { OwnFile } from './marked-files.ts';

/** The slash commands as files, in the forms that several agents share. */

/** `fillsArguments`: the agent replaces `$ARGUMENTS` by the text after the command. */
export interface CommandForm {
  fillsArguments: boolean;
}

/** One Markdown file per command; folders are not part of the name: `/cairn-handoff`. */
export function readMarkdownCommands(
  place: Pick<InstallPlace, 'cairn'>,
  { fillsArguments }: CommandForm,
): OwnFile[] {
  return readCommandTexts(place).map(({ name, description, body }) => ({
    name: `cairn-${name}.md`,
    text: [
      '---',
      `description: ${JSON.stringify(description)}`,
      '---',
      '',
      askToRun(fillsArguments ? body : nameArguments(body, `/cairn-${name}`)),
    ].join('\n'),
  }));
}

export interface SkillForm {
  /** The sign before a skill's name in a prompt: `$` or `/`. */
  sign: string;
  /** The folder of a command's skill. */
  folderOf(name: string): string;
}

/** For agents that have skills instead of commands. The person names one: `$cairn-handoff`. */
export function readSkills(place: Pick<InstallPlace, 'cairn'>, { sign, folderOf }: SkillForm): OwnFile[] {
  return readCommandTexts(place).map(({ name, description, body }) => ({
    name: `${folderOf(name)}/SKILL.md`,
    text: [
      '---',
      `name: cairn-${name}`,
      `description: ${JSON.stringify(`${description}. Use it only when the person names it.`)}`,
      '---',
      '',
      askToRun(nameArguments(body, `${sign}cairn-${name}`)),
    ].join('\n'),
  }));
}

function nameArguments(body: string, command: string): string {
  return body.replaceAll('$ARGUMENTS', () => `(what the person wrote after ${command})`);
}

/** For agents that do not run commands in the text. */
function askToRun(body: string): string {
  return body.replace(/^!`(.+)`$/gm, 'Run `$1` to see them.');
}
