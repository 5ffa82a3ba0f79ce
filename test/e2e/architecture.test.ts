import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const repository = resolve(import.meta.dirname, '../..');
let baseline: Outcome;
let copy: string;

interface Outcome {
  exitCode: number | null;
  refusals: string[];
}

beforeAll(() => {
  baseline = check(repository);
});
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'cairn-architecture-'));
  cpSync(join(repository, 'src'), join(copy, 'src'), { recursive: true });
});
afterEach(() => rmSync(copy, { recursive: true, force: true }));

function check(root: string): Outcome {
  const script = join(repository, 'scripts/check-architecture.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
  return { exitCode: status, refusals: stderr.split('\n').filter((line) => line !== '') };
}

function plant(file: string, lines: string[]): void {
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  appendFileSync(join(copy, file), `${lines.join('\n')}\n`);
}

/** Counts only what was planted: a fault in the tree fails one test, not all. */
function checkPlanted(): Outcome {
  const { exitCode, refusals } = check(copy);
  return { exitCode, refusals: refusals.filter((line) => !baseline.refusals.includes(line)) };
}

test('accepts the unchanged tree', () => {
  expect(baseline).toEqual({ exitCode: 0, refusals: [] });
});

interface Case {
  name: string;
  planted: Record<string, string[]>;
  refusals: string[];
}

const refused: Case[] = [
  {
    name: 'console in a handler',
    planted: {
      'src/hooks/handlers/planted.ts': ['export function handle(): void {', "  console.error('x');", '}'],
    },
    refusals: ['src/hooks/handlers/planted.ts:2: console (handlers and adapters are pure)'],
  },
  {
    name: 'streams and exits in an adapter, however spelled',
    planted: {
      'src/agents/planted/adapter.ts': [
        "process.stdout.write('x');",
        'process . exit(1);',
        'process?.stderr;',
        'process.exitCode = 2;',
        "process['exit'](1);",
        'const { stdout } = process;',
      ],
    },
    refusals: [
      'src/agents/planted/adapter.ts:1: process.stdout (handlers and adapters are pure)',
      'src/agents/planted/adapter.ts:2: process.exit (handlers and adapters are pure)',
      'src/agents/planted/adapter.ts:3: process.stderr (handlers and adapters are pure)',
      'src/agents/planted/adapter.ts:4: process.exitCode (handlers and adapters are pure)',
      'src/agents/planted/adapter.ts:5: process[…] (hides what is used of it; write process.<name>)',
      'src/agents/planted/adapter.ts:6: { … } = process (hides what is used of it; write process.<name>)',
    ],
  },
  {
    name: 'a built-in in an adapter, but not in an installer',
    planted: {
      'src/agents/planted/adapter.ts': ["import { readFileSync } from 'node:fs';"],
      'src/agents/planted/agent-installer.ts': ["import { readFileSync } from 'node:fs';"],
    },
    refusals: ["src/agents/planted/adapter.ts:1: import 'node:fs' (adapters are pure)"],
  },
  {
    name: 'an agent known by name outside src/agents',
    planted: {
      'src/agents/planted/adapter.ts': ["import type { Agent } from '../agent.ts';"],
      'src/capture/planted.ts': [
        "import { agents } from '../agents/all.ts';",
        "import { planted } from '../agents/planted/adapter.ts';",
        "import { installers } from '../agents/install/installers.ts';",
      ],
    },
    refusals: [
      "src/capture/planted.ts:2: import '../agents/planted/adapter.ts' (only agents/agent.ts, agents/all.ts, agents/default.ts, agents/install may be imported: no other part knows an agent by name)",
    ],
  },
  {
    name: 'a stream in the hook edge outside io.ts',
    planted: { 'src/hooks/planted.ts': ['process.stdin.resume();'] },
    refusals: ['src/hooks/planted.ts:1: process.stdin (only hooks/io.ts talks to the agent)'],
  },
  {
    name: 'process.exit in a command',
    planted: { 'src/commands/planted.ts': ["console.log('fine here');", 'process.exit(1);'] },
    refusals: [
      'src/commands/planted.ts:1: console (print by Call.out, Call.err or commands/support/output.ts, which show control characters)',
      'src/commands/planted.ts:2: process.exit (only cli.ts exits)',
    ],
  },
  {
    name: 'process.env outside config',
    planted: {
      'src/store/planted.ts': ['export const home = process.env.HOME;'],
      'src/config/planted.ts': ['export const home = process.env.HOME;'],
    },
    refusals: ['src/store/planted.ts:1: process.env (only config/ reads the environment)'],
  },
  {
    name: 'a recursive mkdir',
    planted: { 'src/store/planted.ts': ["mkdirSync(join(home, 'a'), {", '  recursive: true,', '});'] },
    refusals: [
      "src/store/planted.ts:1: recursive mkdir (use makePrivateFolder: Node's recursive mkdir loops in /proc)",
    ],
  },
  {
    name: 'an import against the flow: static, lazy, of a type, by re-export',
    planted: {
      'src/store/planted.ts': [
        "import '../capture/planted.ts';",
        "const late = () => import('../capture/planted.ts');",
        'import type {',
        '  Planted,',
        "} from '../capture/planted.ts';",
        "export * from '../capture/planted.ts';",
      ],
      'src/capture/planted.ts': ['export type Planted = 1;'],
    },
    refusals: [1, 2, 3, 6].map(
      (line) => `src/store/planted.ts:${line}: import '../capture/planted.ts' (store may not import capture)`,
    ),
  },
  {
    name: 'an import between entry points, and an import of commands',
    planted: {
      'src/mcp/planted.ts': ["import '../worker/planted.ts';", "import '../commands/planted.ts';"],
      'src/worker/planted.ts': ['export {};'],
      'src/commands/planted.ts': ['export {};'],
    },
    refusals: [
      "src/mcp/planted.ts:1: import '../worker/planted.ts' (mcp may not import worker)",
      "src/mcp/planted.ts:2: import '../commands/planted.ts' (mcp may not import commands)",
    ],
  },
  {
    name: 'an unknown folder, and an import from outside src',
    planted: {
      'src/helpers/planted.ts': ['export {};'],
      'src/model/planted.ts': ["import '../../viewer/planted.ts';"],
    },
    refusals: [
      'src/helpers/planted.ts:1: helpers has no row in the table of who may import whom',
      "src/model/planted.ts:1: import '../../viewer/planted.ts' (it lies outside src/)",
    ],
  },
  {
    name: 'a cycle, even of types',
    planted: {
      'src/model/planted-a.ts': ["import type { B } from './planted-b.ts';", 'export type A = B;'],
      'src/model/planted-b.ts': ["import type { A } from './planted-a.ts';", 'export type B = A;'],
    },
    refusals: [
      'src/model/planted-b.ts:1: import cycle (model/planted-a.ts → model/planted-b.ts → model/planted-a.ts)',
    ],
  },
  {
    name: 'a database driver outside its one file',
    planted: {
      'src/store/planted.ts': ["import { DatabaseSync } from '@photostructure/sqlite';"],
      'src/team/server/planted.ts': ["import type { Client } from 'pg';"],
    },
    refusals: [
      "src/store/planted.ts:1: import '@photostructure/sqlite' (one file knows the driver)",
      "src/team/server/planted.ts:1: import 'pg' (one file knows the driver)",
    ],
  },
  {
    name: 'child_process, however it is loaded',
    planted: {
      'src/recall/planted.ts': [
        "import { spawn } from 'node:child_process';",
        "const late = () => import('child_process');",
        "process.getBuiltinModule('node:child_process').spawn('ls');",
        "const name = 'node:child_' + 'process';",
        'process.getBuiltinModule(name);',
        'const { getBuiltinModule: load } = process;',
      ],
    },
    refusals: [
      ...["'node:child_process'", "'child_process'", "'node:child_process'"].map(
        (module, at) =>
          `src/recall/planted.ts:${at + 1}: import ${module} (only the files in STARTS_PROCESSES start processes)`,
      ),
      ...[5, 6].map(
        (line) =>
          `src/recall/planted.ts:${line}: getBuiltinModule(…) (hides what is used of it; write process.<name>)`,
      ),
      'src/recall/planted.ts:6: { … } = process (hides what is used of it; write process.<name>)',
    ],
  },
  {
    name: 'a call of git outside its module, by name, by path or in a shell command',
    planted: {
      'src/commands/planted.ts': [
        "export const run = (spawn: (program: string) => void) => spawn('/usr/bin/git');",
        "export const line = 'git status';",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the planted code
        'export const log = (folder: string) => `git -C ${folder} log`;',
        "export const kind = 'git';",
        "// git status, 'git log'",
        "export const text = 'Git does not answer; see git status';",
      ],
      'src/platform/git/planted.ts': ["export const program = 'git';", "export const line = 'git status';"],
    },
    refusals: [1, 2, 3].map((line) => `src/commands/planted.ts:${line}: git (only platform/git runs git)`),
  },
  {
    name: 'a way around the redactor: a cast, a predicate, a log, a store that accepts any text',
    planted: {
      'src/curation/planted.ts': [
        'export const text = input as unknown as Redacted<Note>;',
        'const isClean = (value: string): value is Redacted => true;',
        "const log = createLog({ folder: '' });",
        "import type { PlainStore } from '../../test/support/plain-store.ts';",
      ],
    },
    refusals: [
      'src/curation/planted.ts:1: as Redacted (only the redactor makes Redacted; call redactValue)',
      'src/curation/planted.ts:2: is Redacted (only the redactor makes Redacted; call redactValue)',
      'src/curation/planted.ts:3: createLog (a log must redact; use capture/open-log.ts)',
      "src/curation/planted.ts:4: import '../../test/support/plain-store.ts' (it lies outside src/)",
    ],
  },
];

describe('refuses, naming file, line and pattern:', () => {
  test.each(refused)('$name', ({ planted, refusals }) => {
    for (const [file, lines] of Object.entries(planted)) plant(file, lines);
    expect(checkPlanted()).toEqual({ exitCode: 1, refusals });
  });

  test('an import that makes the hook process load a forbidden folder', () => {
    plant('src/hooks/main.ts', [
      "import '../context/planted.ts';",
      "const late = () => import('../context/planted-late.ts');",
    ]);
    plant('src/context/planted.ts', ["import '../recall/planted.ts';"]);
    plant('src/context/planted-late.ts', ["import '../recall/planted-late.ts';"]);
    plant('src/recall/planted.ts', [
      "import '../distill/planted.ts';",
      "import type {} from '../worker/planted.ts';",
    ]);
    plant('src/recall/planted-late.ts', ['export {};']);
    expect(checkPlanted()).toEqual({
      exitCode: 1,
      refusals: [
        "src/recall/planted.ts:1: import '../distill/planted.ts' (recall may not import distill)",
        'src/recall/planted.ts:1: loads distill at once (hooks/main.ts → context/planted.ts → recall/planted.ts → distill/planted.ts)',
        "src/recall/planted.ts:2: import '../worker/planted.ts' (recall may not import worker)",
      ],
    });
  });

  test.each(['statusline', 'suggest-files'])('an import that %s does not need', (program) => {
    const folder = `commands/${program}`;
    const main = `${folder}/main.ts`;
    const line = readFileSync(join(copy, 'src', main), 'utf8').split('\n').length;
    const larger = ['distill', 'mcp', 'worker'];
    for (const each of [...larger, 'recall']) plant(`src/${each}/planted.ts`, ['export {};']);
    plant('src/commands/planted.ts', ['export const command = {};']);
    plant(`src/${folder}/planted.ts`, ["import '../../recall/planted.ts';"]);
    plant(`src/${main}`, [
      ...larger.map((each) => `import '../../${each}/planted.ts';`),
      "import '../planted.ts';",
      "import './planted.ts';",
    ]);
    expect(checkPlanted()).toEqual({
      exitCode: 1,
      refusals: [
        ...larger.map(
          (each, at) => `src/${main}:${line + at}: loads ${each} at once (${main} → ${each}/planted.ts)`,
        ),
        `src/${main}:${line + 3}: loads a command at once (${main} → commands/planted.ts)`,
        `src/${folder}/planted.ts:1: loads recall at once (${main} → ${folder}/planted.ts → recall/planted.ts)`,
      ],
    });
  });

  test('git as the name of a program, in a file that starts processes', () => {
    const line = readFileSync(join(copy, 'src/commands/edit.ts'), 'utf8').split('\n').length;
    plant('src/commands/edit.ts', ["const program = 'git';", "const path = '/opt/bin/git.exe';"]);
    expect(checkPlanted()).toEqual({
      exitCode: 1,
      refusals: [line, line + 1].map((at) => `src/commands/edit.ts:${at}: git (only platform/git runs git)`),
    });
  });

  test('a command that cli.ts does not load lazily', () => {
    const line = readFileSync(join(copy, 'src/cli.ts'), 'utf8').split('\n').length;
    plant('src/cli.ts', [
      "import './commands/planted.ts';",
      "const late = () => import('./commands/planted.ts');",
    ]);
    plant('src/commands/planted.ts', ['export const command = {};']);
    expect(checkPlanted()).toEqual({
      exitCode: 1,
      refusals: [`src/cli.ts:${line}: loads a command at once (cli.ts → commands/planted.ts)`],
    });
  });
});

test('accepts forbidden words in comments, strings, templates and regular expressions', () => {
  plant('src/hooks/handlers/planted.ts', [
    "// console.error('x'); process.exit(1)",
    "/* process.env.HOME; import '../../distill/planted.ts' */",
    `export const quoted = "process.exit(1); import x from '../../distill/planted.ts'";`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the planted code
    'export const template = `console.log ${`process.env ${quoted}`} process.stdout`;',
    String.raw`export const pattern = /console\.log\(["'\x60]|[/"]process\.exit/;`,
    "export const consoles = ['it’s \\'process.env\\''];",
  ]);
  plant('src/store/planted.test.ts', ["import '../commands/planted.ts';", 'console.log(process.env.HOME);']);
  expect(checkPlanted()).toEqual({ exitCode: baseline.exitCode, refusals: [] });
});

test('checks code inside a template', () => {
  plant('src/hooks/handlers/planted.ts', [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the planted code
    'export const text = `{ ${{ a: process.env.HOME }.a} ${',
    '  console } `;',
  ]);
  expect(checkPlanted()).toEqual({
    exitCode: 1,
    refusals: [
      'src/hooks/handlers/planted.ts:1: process.env (only config/ reads the environment)',
      'src/hooks/handlers/planted.ts:2: console (handlers and adapters are pure)',
    ],
  });
});
