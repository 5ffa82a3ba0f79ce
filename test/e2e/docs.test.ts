import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Command } from '../../src/commands/support/command.ts';
import { COMMAND_NAMES, loadCommand } from '../../src/commands/table.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { tempFolder } from '../support/temp.ts';

const repository = resolve(import.meta.dirname, '../..');
const documents = [
  ...['README.md', 'AGENTS.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync(join(repository, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].map((name) => ({ name, text: readFileSync(join(repository, name), 'utf8') }));
const readme = textOf('README.md');
const commands = new Map<string, Command>();

beforeAll(async () => {
  for (const name of COMMAND_NAMES) {
    const command = await loadCommand(name);
    if (command) commands.set(name, command);
  }
});

describe('README', () => {
  test('lists every command and no other', () => {
    const listed = [...readme.matchAll(/^\| `cairn ([\w-]+)/gm)].map(([, name]) => name);
    expect(listed).toEqual([...commands.keys()]);
  });

  test('shows npm commands that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
    const known = [...Object.keys(scripts), 'link'];
    const mentions = [...readme.matchAll(/\bnpm (?:run )?([a-z]+)/g)].map(([, name]) => name);
    expect(mentions.filter((name) => !known.includes(name ?? ''))).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')('shows commands that work', () => {
    const person = makePerson();
    person.run('cairn install claude-code');
    person.run(`as-agent UserPromptSubmit '{"prompt":"fix it"}'`);
    // tour.test.ts covers the tour; hooks are called by as-agent.
    // uninstall comes last: after it, the other commands would find no connected agent.
    const named = commandsIn(readme).filter((line) => !/<|^cairn (?:tour|hook|pause)\b/.test(line));
    const isUninstall = (line: string) => line.startsWith('cairn uninstall');
    const shown = [...named.filter((line) => !isUninstall(line)), ...named.filter(isUninstall)];
    const results = shown.map((line) => ({ line, ...person.run(line) }));
    expect(shown.length).toBeGreaterThan(10);
    // 2 is doctor's exit code for warnings.
    expect(results.filter(({ exitCode }) => exitCode !== 0 && exitCode !== 2)).toEqual([]);
  });

  test('has its measurements in docs/benchmarks.md', () => {
    expect(textOf('docs/benchmarks.md')).toMatch(/<!-- bench:start -->\n.*<!-- bench:end -->/s);
  });
});

describe.each(documents)('$name', ({ name, text }) => {
  test('names commands and options that exist', () => {
    const wrong = commandsIn(text).flatMap((line) => {
      const problem = problemWith(line);
      return problem ? [`${line}: ${problem}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  test('links to files and headings that exist', () => {
    const targets = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, target = '']) => target);
    const broken = targets.filter((target) => {
      const [path = '', heading] = target.split('#');
      const file = path ? join(repository, dirname(name), path) : join(repository, name);
      if (!existsSync(file)) return true;
      return heading !== undefined && !headingsOf(readFileSync(file, 'utf8')).includes(heading);
    });
    expect(broken).toEqual([]);
  });
});

test('the documents name settings that exist', () => {
  const groups = new Set(Object.keys(SETTINGS).map((name) => name.split('.')[0]));
  const mentions = documents
    .flatMap(({ text }) => [...text.matchAll(/`([a-z]+)\.([a-z]+[A-Z]\w*|level)`/g)])
    .filter(([, group = '']) => groups.has(group));
  expect(mentions.map(([, group, rest]) => `${group}.${rest}`)).toSatisfy((names: string[]) =>
    names.every((name) => Object.hasOwn(SETTINGS, name)),
  );
});

const WITH_DIALOGUES = ['docs/troubleshooting.md', 'docs/search.md'];
describe.skipIf(process.platform === 'win32').each(WITH_DIALOGUES)('%s', (page) => {
  test.each(dialoguesIn(textOf(page)))('shows the real output: $title', (dialogue) => {
    const person = makePerson();
    try {
      person.run('cairn install claude-code');
      if (dialogue.given) person.run(dialogue.given);
      for (const { command, shown } of dialogue.steps) {
        expect(person.run(command).output).toMatch(asPattern(shown));
      }
    } finally {
      person.leave();
    }
  });
});

function textOf(name: string): string {
  return documents.find((document) => document.name === name)?.text ?? '';
}

/** Everything in code that begins with `cairn`, without the shell syntax around it. */
function commandsIn(text: string): string[] {
  const spans = [...text.matchAll(/`((?:npx )?cairn [^`\n]+)`/g)].map(([, span = '']) => span);
  const lines = [...text.matchAll(/^(?:\$ | {4}|)((?:npx )?cairn .+)$/gm)].map(([, line = '']) => line);
  return [...spans, ...lines].map((line) =>
    line
      .replace(/^npx /, '')
      .replace(/ "\$\(.*$/, ' x')
      .replace(/ {2,}.*$/, '')
      .replace(/ +#.*$/, ''),
  );
}

function problemWith(line: string): string | undefined {
  const [, name = '', ...args] = line.split(' ');
  if (['--version', 'help'].includes(name)) return undefined;
  const command = commands.get(name);
  if (!command) return 'there is no such command';
  try {
    parseArgs({ args, options: command.options, allowPositionals: true, strict: true });
  } catch (error) {
    return String(error);
  }
  return undefined;
}

function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

interface Dialogue {
  title: string;
  /** The command to run first, from a comment that only the page's source shows. */
  given?: string;
  steps: { command: string; shown: string }[];
}

function dialoguesIn(text: string): Dialogue[] {
  const blocks = text.matchAll(/(?:^<!-- given: ([^\n]+) -->\n)?^```console\n(.*?)^```$/gms);
  return [...blocks].map(([, given, block = ''], index) => {
    const steps = block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...shown] = step.split('\n');
        return { command, shown: shown.join('\n') };
      });
    const title = `${index + 1}. ${given ?? ''} $ ${steps.map(({ command }) => command).join(' $ ')}`;
    return { title, steps, ...(given && { given }) };
  });
}

/** `…` matches any text in a line; alone in its line, any number of lines. */
function asPattern(shown: string): RegExp {
  const lines = shown.split(/(?<=\n)/).map((line) => {
    if (line === '…\n') return '(?:.*\\n)*';
    return line.split('…').map(escapeRegExp).join('.*');
  });
  return new RegExp(`^${lines.join('')}$`);
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/**
 * A person with a home, a project and Cairn on the PATH. `as-agent` calls hooks, `hold-database` locks the database.
 */
function makePerson() {
  const home = tempFolder();
  const project = join(home, 'shop');
  const bin = join(home, 'bin');
  for (const folder of [project, bin]) mkdirSync(folder);
  const program = (name: string, text: string) => {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  };
  const node = `'${process.execPath}'`;
  symlinkSync(join(repository, 'dist/cli.mjs'), join(bin, 'cairn'));
  program('as-agent', `#!/bin/sh\nexec ${node} '${join(bin, 'as-agent.cjs')}' "$@"\n`);
  program('as-agent.cjs', AS_AGENT);
  program(
    'hold-database',
    `#!/bin/sh\n${node} '${join(bin, 'hold-database.cjs')}' >/dev/null 2>&1 &\n${WAIT_FOR_HOLDER}`,
  );
  program('hold-database.cjs', HOLD_DATABASE);

  return {
    run(command: string): { output: string; exitCode: number | null } {
      const { stdout, status } = spawnSync('/bin/sh', ['-c', `exec 2>&1\n${command}`], {
        cwd: project,
        encoding: 'utf8',
        env: { HOME: home, PATH: `${bin}:${process.env.PATH}`, REPOSITORY: repository },
      });
      return { output: stdout.replaceAll(home, '/home/me'), exitCode: status };
    },
    leave(): void {
      const holder = join(home, 'holder');
      if (existsSync(holder)) process.kill(Number(readFileSync(holder, 'utf8')));
    },
  };
}

const AS_AGENT = `
const { readFileSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const [event, given] = process.argv.slice(2);
const settings = JSON.parse(readFileSync(process.env.HOME + '/.claude/settings.json', 'utf8'));
const session_id = '5b0c1f6e-70a3-4c0e-9d52-3f1f0e8a7c11';
const payload = { session_id, cwd: process.cwd(), hook_event_name: event, ...JSON.parse(given || '{}') };
spawnSync('/bin/sh', ['-c', settings.hooks[event][0].hooks[0].command], {
  input: given === '' ? '' : JSON.stringify(payload),
  env: {
    ...process.env,
    CLAUDECODE: '1',
    CLAUDE_PROJECT_DIR: process.cwd(),
    CLAUDE_CODE_SESSION_ID: payload.session_id,
    CAIRN_NO_WORKER: '1',
  },
});
`;

const HOLD_DATABASE = `
const { writeFileSync } = require('node:fs');
const { DatabaseSync } = require(process.env.REPOSITORY + '/node_modules/@photostructure/sqlite');
const db = new DatabaseSync(process.env.HOME + '/.cairn/cairn.db');
db.exec('BEGIN IMMEDIATE');
writeFileSync(process.env.HOME + '/holder', String(process.pid));
setTimeout(() => {}, 60_000);
`;

const WAIT_FOR_HOLDER = 'while [ ! -s "$HOME/holder" ]; do sleep 0.1; done\n';
