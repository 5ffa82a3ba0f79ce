import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCairn } from '../support/run-cairn.ts';
import { tempFolder } from '../support/temp.ts';

/** Completed words for each line, in every shell that is installed here. */
const EXPECTED = [
  { line: 'cairn se', words: ['search', 'sessions'] },
  { line: 'cairn worker st', words: ['start', 'status', 'stop'] },
  { line: 'cairn tasks ', words: ['add', 'done', 'drop', 'reopen'], isPart: true },
  { line: 'cairn config un', words: ['unset'] },
  { line: 'cairn export --form', words: ['--format'] },
  { line: 'cairn recent --all --li', words: ['--limit'] },
];

describe.skipIf(!isInstalled('bash'))('bash', () => {
  test.each(EXPECTED)('completes "$line"', ({ line, words, isPart }) => {
    const typed = line.split(' ');
    const program = `. "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _cairn; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const found = linesOf('bash', ['--norc', '-c', program, 'bash', scriptFor('bash'), ...typed]).sort();
    expect(isPart ? found.filter((word) => words.includes(word)) : found).toEqual(words);
  });
});

describe.skipIf(!isInstalled('fish'))('fish', () => {
  test.each(EXPECTED)('completes "$line"', ({ line, words, isPart }) => {
    const found = linesOf('fish', [
      '--no-config',
      '-c',
      `source $argv[1]; complete -C $argv[2]`,
      scriptFor('fish'),
      line,
    ])
      .map((completion) => completion.split('\t')[0] ?? '')
      .sort();
    expect(isPart ? found.filter((word) => words.includes(word)) : found).toEqual(words);
  });
});

describe.skipIf(!isInstalled('zsh'))('zsh', () => {
  test.each(EXPECTED)('completes "$line"', ({ line, words }) => {
    const screen = spawnSync('zsh', ['-f', '-c', ON_A_TERMINAL, 'zsh', scriptFor('zsh'), line, ...words], {
      encoding: 'utf8',
      env: { HOME: tempFolder(), PATH: process.env.PATH, TERM: 'dumb' },
    }).stdout;
    expect(words.filter((word) => !screen.includes(word))).toEqual([]);
  });
});

/** zsh completes only in its line editor: this types into a pseudo-terminal and reads the list. */
const ON_A_TERMINAL = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "autoload -U compinit; compinit -D -u; source $1; bindkey '^I' list-choices; print re''ady"
for attempt in {1..200}; do zpty -r -t shell out; text+=$out; [[ $text == *ready* ]] && break; sleep 0.05; done
text=
zpty -w -n shell "$2"$'\\t'
for attempt in {1..200}; do zpty -r -t shell out && text+=$out; [[ $text == *$argv[3]*$argv[-1]* ]] && break; sleep 0.05; done
zpty -d shell
print -r -- "$text"
`;

test('an unknown shell is rejected', () => {
  const { exitCode, stderr } = runCairn({ home: tempFolder() }, 'completion', 'tcsh');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringMatching(
      /^cairn: Unknown shell: tcsh\. Known shells: bash, zsh, fish\.\n\nUsage: cairn completion bash \| zsh \| fish\n/,
    ),
  });
});

function scriptFor(shell: string): string {
  const path = join(tempFolder(), `cairn.${shell}`);
  const { stdout, stderr } = runCairn({ home: tempFolder() }, 'completion', shell);
  expect(stderr).toBe('');
  writeFileSync(path, stdout);
  return path;
}

function linesOf(program: string, args: string[]): string[] {
  const env = { HOME: tempFolder(), PATH: process.env.PATH };
  const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

function isInstalled(shell: string): boolean {
  return spawnSync(shell, ['-c', ':']).status === 0;
}
