import { expect, test } from 'vitest';
import { readMarkdownCommands, readSkills } from './command-files.ts';

const place = { cairn: ['/home/u/.cairn/bin/cairn'] as [string] };
const COMMANDS = ['handoff', 'recall', 'resume', 'tasks', 'work'];

test('every command is a Markdown file that calls the installed program', () => {
  const files = readMarkdownCommands(place, { fillsArguments: true });
  expect(files.map(({ name }) => name)).toEqual(COMMANDS.map((name) => `cairn-${name}.md`));
  for (const { text } of files) {
    expect(text).toMatch(/^---\ndescription: ".+"\n---\n\n/);
    expect(text).toContain('$ARGUMENTS');
    expect(text).not.toMatch(/CLAUDE_PLUGIN_ROOT|^!`/m);
  }
  expect(files.at(-1)?.text).toContain("Run `'/home/u/.cairn/bin/cairn' work list` to see them.");
});

test('without argument substitution, the text describes where the arguments are', () => {
  const [handoff] = readMarkdownCommands(place, { fillsArguments: false });
  expect(handoff?.text).toContain('- note: (what the person wrote after /cairn-handoff)');
  expect(handoff?.text).not.toContain('$ARGUMENTS');
});

test("skills are in folders with the agent's names", () => {
  const files = readSkills(place, { sign: '$', folderOf: (name) => `cairn-${name}` });
  expect(files.map(({ name }) => name)).toEqual(COMMANDS.map((name) => `cairn-${name}/SKILL.md`));
  expect(files[0]?.text).toMatch(
    /^---\nname: cairn-handoff\ndescription: ".+only when the person names it\."\n---\n/,
  );
  expect(files[0]?.text).toContain('(what the person wrote after $cairn-handoff)');
});
