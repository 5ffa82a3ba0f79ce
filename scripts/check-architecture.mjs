// Checks that src/ follows docs/architecture.md. Usage: node scripts/check-architecture.mjs [folder that contains src/]
// Tests may import anything; all other files in src/ follow these rules without exceptions.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGENTS_FILES, BEHIND_THE_DOORS, MAY_IMPORT, OPEN_TO_ALL } from './may-import.mjs';
import { codeOnly, importsIn, lineAt, stringsIn } from './source-text.mjs';

/** Not for programs that an agent calls at every answer or keystroke, which only query the database. */
const NOT_FOR_QUICK_PROGRAMS = 'distill,indexing,recall,mcp,worker,team/server,a command,cli.ts'.split(',');

/** What a program may only load lazily. `a command` is any file that exports `command`. */
const LOADS_ONLY_LATER = {
  'hooks/main.ts': ['distill', 'mcp', 'team/server'],
  'commands/statusline/main.ts': NOT_FOR_QUICK_PROGRAMS,
  'commands/suggest-files/main.ts': NOT_FOR_QUICK_PROGRAMS,
  'worker/load.ts': BEHIND_THE_DOORS.filter((folder) => !['platform', 'config', 'store'].includes(folder)),
  'worker/main.ts': ['team/server'],
  'cli.ts': ['a command', 'mcp', 'worker', 'team/server'],
};

const exitsAndStreams = [
  ...['exit', 'exitCode', 'stdout', 'stderr', 'stdin', 'abort', 'reallyExit'].map(ofProcess),
  { pattern: 'console', form: /\bconsole\b(?!\s*:)/g },
  { pattern: 'writeSync to a stream', form: /\bwriteSync\s*\(\s*[12]\b/g },
];

/** What the code of a file must not contain; `unless` lists the only files that may. */
const FORBIDDEN_CODE = [
  { where: ['hooks/handlers', 'agents'], why: 'handlers and adapters are pure', patterns: exitsAndStreams },
  {
    where: ['hooks'],
    unless: ['hooks/io.ts'],
    why: 'only hooks/io.ts talks to the agent',
    patterns: exitsAndStreams,
  },
  { where: [''], unless: ['cli.ts', 'hooks/io.ts'], why: 'only cli.ts exits', patterns: [ofProcess('exit')] },
  {
    where: ['cli.ts', 'commands'],
    // These files draw on a terminal or speak a protocol.
    unless: ['support/output.ts', 'support/ask.ts', 'picker/pick.ts', 'importing/progress.ts', 'mcp.ts'].map(
      (name) => `commands/${name}`,
    ),
    why: 'print by Call.out, Call.err or commands/support/output.ts, which show control characters',
    patterns: [
      {
        pattern: 'process.stdout.write',
        form: /\bprocess\s*\.\s*std(?:out|err)\b(?!\s*\.\s*(?:isTTY|on)\b)/g,
      },
      { pattern: 'console', form: /\bconsole\b(?!\s*:)/g },
    ],
  },
  {
    where: [''],
    // Git gets a separate environment with a few of our variables.
    unless: ['config', 'platform/git/environment.ts'],
    why: 'only config/ reads the environment',
    patterns: [ofProcess('env')],
  },
  {
    where: [''],
    why: "use makePrivateFolder: Node's recursive mkdir loops in /proc",
    patterns: [{ pattern: 'recursive mkdir', form: /\bmkdir(?:Sync)?\s*\([^;]*?\brecursive\b/g }],
  },
  {
    where: [''],
    unless: ['capture/redact/redact-value.ts'],
    why: 'only the redactor makes Redacted; call redactValue',
    patterns: [
      { pattern: 'as Redacted', form: /\bas\s+Redacted\b/g },
      { pattern: 'is Redacted', form: /\bis\s+Redacted\b/g },
    ],
  },
  {
    where: [''],
    unless: ['capture/open-log.ts', 'platform/log.ts'],
    why: 'a log must redact; use capture/open-log.ts',
    patterns: [{ pattern: 'createLog', form: /\bcreateLog\b/g }],
  },
  {
    where: [''],
    why: 'hides what is used of it; write process.<name>',
    patterns: [
      { pattern: 'process[…]', form: /\bprocess\s*(?:\?\.)?\s*\[/g },
      { pattern: 'getBuiltinModule(…)', form: /\bgetBuiltinModule\s*(?:\(\s*[^'"`\s]|[^\s(])/g },
      {
        pattern: '{ … } = process',
        form: /\{[^{}]*\b(?:env|exit|exitCode|std\w+|getBuiltinModule)\b[^{}]*\}\s*=\s*process\b(?!\s*\.)/g,
      },
    ],
  },
];

/** The only files that start processes. The contents of a project must never decide what they run. */
const STARTS_PROCESSES = [
  'platform/git/run.ts',
  'platform/detach.ts',
  'platform/folder-answers.ts',
  'api/own-command.ts',
  'platform/run-program.ts',
  'commands/support/cached-output.ts',
  'commands/edit.ts',
  'commands/checks/client-version.ts',
  'commands/checks/hooks.ts',
  'commands/checks/mcp-server.ts',
  'commands/tour/timed-run.ts',
];

/** Packages, built-ins and files of src/ that a file must not import. */
const FORBIDDEN_MODULES = [
  {
    where: ['agents'],
    unless: AGENTS_FILES,
    why: 'adapters are pure',
    modules: /^node:/,
  },
  { where: ['hooks/handlers'], why: 'handlers are pure', modules: /^node:(?:stream|tty|readline|console)\b/ },
  {
    where: [''],
    unless: STARTS_PROCESSES,
    why: 'only the files in STARTS_PROCESSES start processes',
    modules: /^(?:node:)?(?:child_process|cluster|worker_threads)$/,
  },
  { where: [''], why: 'use the global process', modules: /^(?:node:)?process$/ },
  { where: ['page'], why: 'a browser has no node', modules: /^node:/ },
  {
    where: [''],
    unless: ['platform/sqlite.ts'],
    why: 'one file knows the driver',
    modules: /^(?:@photostructure\/sqlite|node:sqlite|better-sqlite3)$/,
  },
  {
    where: [''],
    unless: ['team/server/connect.ts'],
    why: 'one file knows the driver',
    modules: /^pg(?:-|$)/,
  },
];

const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..'));
const files = readSources(join(root, 'src'));
const refusals = [
  ...[...files].flatMap(([name, file]) => [
    ...refusedImports(name, file),
    ...refusedModules(name, file),
    ...refusedLoadsOfPage(name, file),
    ...refusedCode(name, file),
    ...refusedGit(name, file),
  ]),
  ...refusedCycles(),
  ...Object.entries(LOADS_ONLY_LATER).flatMap(([entry, later]) => refusedLoads(entry, later)),
];
for (const line of [...new Set(refusals)].sort()) console.error(line);
process.exitCode = refusals.length > 0 ? 1 : 0;

function readSources(folder) {
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder} to check.`);
  const names = readdirSync(folder, { recursive: true })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => /\.tsx?$/.test(name) && !/\.(?:test|d)\.ts$/.test(name) && !name.includes('payloads/'));
  return new Map(
    names.sort().map((name) => {
      const source = readFileSync(join(folder, name), 'utf8');
      const code = codeOnly(source);
      const imports = importsIn(source, code).map((found) => ({
        ...found,
        target: targetOf(name, found.specifier),
      }));
      return [name, { source, code, imports }];
    }),
  );
}

/** The imported file's path below src/, or undefined for packages and built-ins. */
function targetOf(importer, specifier) {
  if (!specifier.startsWith('.')) return undefined;
  return relative('src', join('src', dirname(importer), specifier))
    .split(sep)
    .join('/');
}

function refusedImports(name, { imports }) {
  const row = MAY_IMPORT.find(([place]) => lies(name, place));
  if (!row) return [`src/${name}:1: ${folderOf(name)} has no row in the table of who may import whom`];
  return imports
    .filter(({ target }) => target !== undefined && folderOf(target) !== folderOf(name))
    .flatMap(({ target, specifier, line }) => {
      const refuse = (why) => [`src/${name}:${line}: import '${specifier}' (${why})`];
      const folder = folderOf(target);
      if (target.startsWith('../')) return refuse('it lies outside src/');
      if (!row[1].includes(folder)) return refuse(`${row[0]} may not import ${folder}`);
      if (folder === 'agents' && !OPEN_TO_ALL.some((place) => lies(target, place)))
        return refuse(`only ${OPEN_TO_ALL.join(', ')} may be imported: no other part knows an agent by name`);
      return [];
    });
}

/** A page must not load schemas: it may only use the types of the API. */
function refusedLoadsOfPage(name, { imports }) {
  if (!lies(name, 'page')) return [];
  return imports
    .filter(({ target, load }) => target !== undefined && lies(target, 'api') && load !== 'type')
    .map(({ specifier, line }) => `src/${name}:${line}: import '${specifier}' (use import type)`);
}

function refusedModules(name, { imports }) {
  return FORBIDDEN_MODULES.filter((rule) => covers(rule, name)).flatMap(({ modules, why }) =>
    imports
      .filter(({ specifier }) => modules.test(specifier))
      .map(({ specifier, line }) => `src/${name}:${line}: import '${specifier}' (${why})`),
  );
}

/** Reports a use that several rules refuse once, with the reason of the first rule. */
function refusedCode(name, { source, code }) {
  const reasons = new Map();
  for (const { patterns, why } of FORBIDDEN_CODE.filter((rule) => covers(rule, name))) {
    for (const { pattern, form } of patterns) {
      for (const { index } of code.matchAll(form)) {
        const use = `src/${name}:${lineAt(source, index)}: ${pattern}`;
        if (!reasons.has(use)) reasons.set(use, why);
      }
    }
  }
  return [...reasons].map(([use, why]) => `${use} (${why})`);
}

/**
 * Git runs programs that a repository's configuration names unless it is called as in platform/git. Nothing else may
 * call it by name, as a program, in a variable for one, or in a line of shell.
 */
function refusedGit(name, { source, code }) {
  if (lies(name, 'platform/git')) return [];
  const startsProcesses = STARTS_PROCESSES.some((place) => lies(name, place));
  return stringsIn(source, code)
    .filter(({ text, index }) => {
      const isProgram = /^(?:\S*[\\/])?git(?:\.exe)?$/.test(text);
      const isStarted = /\b(?:spawn|exec|execFile|fork)(?:Sync)?\s*\(\s*$/.test(code.slice(0, index));
      return /^\s*(?:exec\s+)?git\s/.test(text) || (isProgram && (startsProcesses || isStarted));
    })
    .map(({ index }) => `src/${name}:${lineAt(source, index)}: git (only platform/git runs git)`);
}

/** Every kind of import counts: a cycle of types is a cycle for the reader too. */
function refusedCycles() {
  const found = [];
  const done = new Set();
  const visit = (name, path) => {
    for (const { target, line } of files.get(name).imports) {
      if (!files.has(target) || done.has(target)) continue;
      const start = path.indexOf(target);
      if (start === -1) visit(target, [...path, target]);
      else found.push(`src/${name}:${line}: import cycle (${[...path.slice(start), target].join(' → ')})`);
    }
    done.add(name);
  };
  for (const name of files.keys()) if (!done.has(name)) visit(name, [name]);
  return found;
}

function refusedLoads(entry, later) {
  if (!files.has(entry)) return [`src/${entry}:1: is missing, so nobody knows what it loads`];
  const found = [];
  const seen = new Set();
  const visit = (name, path) => {
    seen.add(name);
    for (const { target, line, load } of files.get(name)?.imports ?? []) {
      if (load !== 'static' || target === undefined || seen.has(target)) continue;
      const way = [...path, target];
      const what = isCommand(target) ? 'a command' : later.find((place) => lies(target, place));
      if (later.includes(what)) found.push(`src/${name}:${line}: loads ${what} at once (${way.join(' → ')})`);
      else visit(target, way);
    }
  };
  visit(entry, [entry]);
  return found;
}

function isCommand(name) {
  return folderOf(name) === 'commands' && /\bexport const command\b/.test(files.get(name)?.code ?? '');
}

function ofProcess(member) {
  return { pattern: `process.${member}`, form: new RegExp(`\\bprocess\\s*\\??\\.\\s*${member}\\b`, 'g') };
}

function covers({ where, unless = [] }, name) {
  return where.some((place) => lies(name, place)) && !unless.some((place) => lies(name, place));
}

/** A place is a folder or a file below src/; `*` is any one folder, and the empty string is all of src/. */
function lies(name, place) {
  const parts = name.split('/');
  return place === '' || place.split('/').every((part, at) => part === '*' || part === parts[at]);
}

/** The folder directly below src/; for a file there, the file itself. */
function folderOf(name) {
  return name.split('/')[0];
}
