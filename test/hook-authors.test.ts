import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allEvents, replyTable } from '../src/agents/claude-code/reply-rules.ts';
import { nothing, type ReplyRules } from '../src/agents/dialect/reply-rules.ts';
import * as library from '../src/hooks/sdk.ts';
import { installHooksLibrary, run } from './support/hooks-library.ts';

const guide = readFileSync(new URL('../docs/hook-authors.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/^```(\w+) ?(\S*)\n(.*?)^```$/gms)].map(
  ([, language, file, text = '']) => ({
    language,
    file,
    text,
  }),
);
const scripts = blocks.filter(({ language }) => language === 'js');
const dialogues = blocks
  .filter(({ language }) => language === 'console')
  .map(({ text }) => readDialogue(text));

const folder = mkdtempSync(join(tmpdir(), 'cairn-guide-'));
beforeAll(async () => {
  await installHooksLibrary(folder);
  for (const { file, text } of scripts) writeFileSync(join(folder, file ?? ''), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the examples', () => {
  test('each have a file name and are run in a console block', () => {
    const commands = dialogues.flatMap((dialogue) => dialogue.commands).join('\n');
    const shown = scripts.map(({ file }) => file).filter((file) => file && commands.includes(`node ${file}`));
    expect(shown).toEqual(scripts.map(({ file }) => file));
    expect(shown.length).toBeGreaterThan(0);
  });

  test.skipIf(process.platform === 'win32').each(dialogues)(
    'print what the guide shows: $title',
    async (dialogue) => {
      const result = await run('sh', ['-c', `exec 2>&1\n${dialogue.commands.join('\n')}`], {
        cwd: folder,
        input: '',
        env: { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
      });
      expect(result).toEqual({ stdout: dialogue.output, stderr: '', exitCode: 0 });
    },
  );

  test('start with a template of at most 15 lines', () => {
    expect(scripts[0]?.text.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  });

  test('register only events that exist', () => {
    const settings = blocks.filter(({ language }) => language === 'json').map(({ text }) => JSON.parse(text));
    const events = settings.flatMap(({ hooks }) => Object.keys(hooks));
    expect(events).toEqual(['SessionStart', 'PreToolUse']);
    expect(allEvents).toEqual(expect.arrayContaining(events));
  });
});

describe('the tables', () => {
  test('list for every event what the adapter lets through', () => {
    const documented = rowsUnder('## The events').map(([event, _when, ...parts]) => [event, ...parts]);
    const real = allEvents.map((event) => [event, ...partsOf(replyTable.rules.get(event) ?? nothing)]);
    expect(documented.toSorted()).toEqual(real.toSorted());
  });

  test('name every reply that the library can make', () => {
    const documented = rowsUnder('## What a handler can return').map(([reply]) => reply?.match(/\w+/)?.[0]);
    const others = ['hook', 'GUARD_VARIABLE'];
    expect([...documented, ...others].toSorted()).toEqual(Object.keys(library).toSorted());
  });
});

function partsOf({ context, notice, block, permission, output }: ReplyRules): string[] {
  const contextWords = { no: '–', field: 'yes', stdout: 'as instructions' };
  const permissionWords = {
    no: '–',
    tool: 'allow, deny, ask, updatedInput',
    'model-switch': 'allow, deny, ask',
    request: 'allow, deny, updatedInput',
  };
  return [
    contextWords[context],
    notice ? 'yes' : '–',
    block === 'no' ? '–' : block.replace('exit-2', 'exit 2'),
    permissionWords[permission],
    output ? 'yes' : '–',
  ];
}

/** The cells of the first table after a heading, without its head. */
function rowsUnder(heading: string): string[][] {
  const section = guide.slice(guide.indexOf(`\n${heading}\n`));
  const table = section.match(/(?:^\|.*\n)+/m)?.[0] ?? '';
  return table
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function readDialogue(text: string) {
  const lines = text.trimEnd().split('\n');
  const commands = lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
  const output = lines.filter((line) => !line.startsWith('$ ')).map((line) => `${line}\n`);
  return { title: commands.at(-1), commands, output: output.join('') };
}
