import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../src/platform/installation.ts';
import { atATime } from '../support/at-a-time.ts';
import { environmentOf, HOSTILE_NAME, type HostileHome, makeHostileHome } from '../support/hostile-home.ts';
import { tempFolder } from '../support/temp.ts';

/** Stored text, file names and arguments cannot control the terminal that shows them. */

const CLI = join(packageRoot(), 'dist/cli.mjs');
const HOOK = join(packageRoot(), 'dist/hook.cjs');
/** Some commands follow a log until they are killed. */
const LONGEST_MS = 30_000;

type World = Pick<HostileHome, 'home' | 'folder'>;

interface Run {
  args: string[];
  stdout: Buffer;
  stderr: Buffer;
}

const ESC = '\u001b';
const COLOURS = new RegExp(`${ESC}\\[(?:1|2|22|31|32|33|36|39)m`, 'g');
/** The sequences with which the interactive search draws. */
const DRAWING = new RegExp(`${ESC}\\[(?:\\?1049[hl]|\\?25[hl]|H|J|K|1;\\d+H)`, 'g');

let template: HostileHome;

beforeAll(async () => {
  // Not `tempFolder`: all tests of this file use it.
  template = makeHostileHome(realpathSync(mkdtempSync(join(tmpdir(), 'cairn-test-'))));
  for (const args of [
    ['work', 'list'],
    ['work', 'note', `plums ${HOSTILE_NAME}`],
    ['tasks', 'add', `Cut ${HOSTILE_NAME}`],
    ['handoff', 'save', `Go on ${HOSTILE_NAME}`],
    ['remember', `Plums are sweet ${HOSTILE_NAME}`, '--file', `file${HOSTILE_NAME}.ts`],
    ['project', 'rename', '1', `orchard${HOSTILE_NAME}`],
  ]) {
    const { code, stderr } = await run(template, args);
    if (code !== 0) throw new Error(`${args[0]} ${args[1]}: ${stderr}`);
  }
  return () => rmSync(template.home, { recursive: true, force: true });
});

const COMMANDS = [
  ...execFileSync(process.execPath, [CLI, 'help'], { encoding: 'utf8' }).matchAll(/^ {2}([a-z-]+) /gm),
].map(([, name = '']) => name);

test('the commands are found in the help', () => {
  expect(COMMANDS).toEqual(expect.arrayContaining(['recent', 'search', 'handoff', 'logs']));
});

test.each(COMMANDS)('%s prints no control characters', async (name) => {
  const runs = await runEveryForm(name);
  expect(runs.length).toBeGreaterThan(1);
  for (const { args, stdout: printed, stderr } of runs) {
    // A status line is coloured even in a pipe, because the agent shows it.
    const stdout = args[0] === 'statusline' ? Buffer.from(withoutColours(printed.toString())) : printed;
    expect({ args, stdout: controlsIn(stdout), stderr: controlsIn(stderr) }).toEqual({
      args,
      stdout: [],
      stderr: [],
    });
  }
});

test('hostile characters are shown in a visible form', async () => {
  expect((await run(copyOf(), ['show', '1'])).stdout.toString()).toContain('␛]52;c;ZXZpbA==␇');
});

test('JSON has no control characters, and parses to the stored text', async () => {
  const world = copyOf();
  for (const args of [
    ['show', '1', '--json'],
    ['recent', '--all', '--json'],
    ['export', '--all'],
    ['logs', '--json'],
  ]) {
    const { stdout } = await run(world, args);
    expect(controlsIn(stdout)).toEqual([]);
    const texts = stdout.toString().trim();
    const values = args[0] === 'export' || args[0] === 'logs' ? texts.split('\n') : [texts];
    expect(JSON.stringify(values.map((text) => JSON.parse(text)))).toContain('\u202egpj.\u202c\u2066x');
  }
});

test('exported files have no control characters', async () => {
  const world = copyOf();
  for (const format of ['jsonl', 'markdown']) {
    const file = join(world.home, `out.${format}`);
    expect(await run(world, ['export', '--all', '--format', format, '--out', file])).toMatchObject({
      code: 0,
    });
    expect({ format, controls: controlsIn(readFileSync(file)) }).toEqual({ format, controls: [] });
  }
});

test('a terminal gets only our own colours', async () => {
  const world = copyOf();
  for (const args of [
    ['recent', '--all'],
    ['show', '1'],
    ['work'],
    ['work', 'show'],
    ['tasks'],
    ['logs'],
    ['doctor'],
  ]) {
    const { stdout } = await runOnTerminal(world, args);
    expect(stdout.toString()).toMatch(COLOURS);
    const rest = withoutColours(stdout.toString());
    expect({ args, controls: controlsIn(Buffer.from(rest)) }).toEqual({ args, controls: [] });
  }
});

test('the interactive search draws no hostile characters', async () => {
  const { stdout } = await runOnTerminal(
    copyOf(),
    ['search', '--all'],
    [
      { after: 'Esc leave', type: '\t' },
      { after: '───', type: '\r' },
    ],
  );
  const text = stdout.toString();
  expect(text).toContain('plum');
  const rest = withoutColours(text.replace(DRAWING, ''));
  expect(controlsIn(Buffer.from(rest))).toEqual([]);
});

test('programs that an agent calls apart from hooks print no control characters', async () => {
  const world = copyOf();
  const input = JSON.stringify({
    session_id: 's',
    cwd: world.folder,
    query: '',
    model: { display_name: HOSTILE_NAME },
  });
  for (const name of ['suggest-files', 'statusline']) {
    const { stdout, stderr } = await run(world, [name], { program: HOOK, input });
    const rest = withoutColours(stdout.toString());
    expect({ name, controls: [...controlsIn(Buffer.from(rest)), ...controlsIn(stderr)] }).toEqual({
      name,
      controls: [],
    });
  }
});

/** A terminal turns each line break into CR LF. */
function withoutColours(text: string): string {
  return text.replace(COLOURS, '').replace(/\r+\n/g, '\n');
}

/** Control characters other than line break and tab, with the text around them; throws if the bytes are not UTF-8. */
function controlsIn(bytes: Buffer): string[] {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const found = text.matchAll(/.{0,30}(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069].{0,30}/gu);
  return [...found].map(([part]) => JSON.stringify(part)).slice(0, 3);
}

/** Runs each subcommand in the usage: alone, with each of its options, with a number and with hostile words. */
async function runEveryForm(name: string): Promise<Run[]> {
  const world = copyOf();
  const usage = (await run(world, ['help', name])).stdout.toString();
  const forms = [...usage.matchAll(/^(?:Usage:| {6}) cairn (.+)$/gm)].flatMap(([, form = '']) =>
    formsOf(form),
  );
  return atATime(2, forms, async (args) => ({ args, ...(await run(world, args)) }));
}

function formsOf(usage: string): string[][] {
  const parts = usage.replace(/\[([a-z]+)\]/g, '$1').split(' ');
  const end = parts.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
  const literal = end < 0 ? parts : parts.slice(0, end);
  const options = [...usage.matchAll(/(--[a-z-]+)( <[^>]+>)?/g)].map(([, option = '', value]) =>
    value ? [option, HOSTILE_NAME] : [option],
  );
  const [first = ''] = parts;
  if (first === 'tour')
    return [
      ['tour', HOSTILE_NAME],
      ['tour', '--frob'],
    ];
  const words = first === 'search' ? [['plum']] : [];
  const endings = [[], ['1'], ['s1'], [HOSTILE_NAME], [`--${HOSTILE_NAME}`], ...words, ...options];
  return endings.map((ending) => [...literal, ...ending]);
}

/** Commands change what they find, therefore each test gets a copy of the home. */
function copyOf(): World {
  const home = tempFolder();
  cpSync(template.paths.home, join(home, '.cairn'), { recursive: true });
  return { home, folder: template.folder };
}

interface Typed {
  after: string;
  type: string;
}

function run(
  { home, folder }: World,
  args: string[],
  { program = CLI, input = '' }: { program?: string; input?: string } = {},
) {
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, env: environmentOf(home) });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return waitForEnd(child);
}

/** In a terminal that `script` makes; its screen comes on stdout. */
function runOnTerminal({ home, folder }: World, args: string[], typed: Typed[] = []) {
  const line = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: folder, env: environmentOf(home) });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    const [next] = typed;
    if (!next || !shown.includes(next.after)) return;
    typed.shift();
    child.stdin.write(next.type);
  });
  return waitForEnd(child);
}

async function waitForEnd(child: ReturnType<typeof spawn>) {
  const chunks: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
  child.stdout?.on('data', (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.stderr.push(chunk));
  const limit = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  clearTimeout(limit);
  return { code, stdout: Buffer.concat(chunks.stdout), stderr: Buffer.concat(chunks.stderr) };
}
