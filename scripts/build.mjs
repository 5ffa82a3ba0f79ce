// Builds dist/. What lies there afterwards:
//   cli.mjs, chunks/       the `cairn` command; every command is a chunk of its own, loaded when asked for
//   hook.cjs               the hook process: runs one of the programs below as compiled by an earlier call
//   hook-program.cjs       one CommonJS file: loading ES modules would cost 25 ms more a hook
//   statusline-program.cjs, suggest-files-program.cjs   what an agent calls beside its hooks
//   worker.cjs             the background process: loads the program below unless another one is at work
//   worker-program.cjs     all that it does
//   hooks.mjs, hooks.cjs   the public library `cairn-memory/hooks`, with its types in types/
//   capture.sh             the silent hook
//   find-node.sh           looks for another node where the recorded one is gone
//   launcher.sh            becomes bin/cairn in Cairn's home
//   page/                  the viewer: index.html, and assets/ with names that change with their content, also compressed
//   assets/                files of src/ which code reads at run time, under the same path as in src/, api/openapi.json, and
//                          recall/thesaurus/ by language
//   .inputs                tells scripts/setup.mjs what this was built from
// In the code `CAIRN_VERSION` stands for the version in package.json, `CAIRN_ANCHORS` and `CAIRN_AGENT_NAMES` for tables
// that are made here.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import Module from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPage } from './build-page.mjs';
import { importsIn } from './source-text.mjs';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '..');

const SOURCES = [
  'src/cli.ts',
  'src/hooks/load.ts',
  'src/hooks/main.ts',
  'src/commands/statusline/main.ts',
  'src/commands/suggest-files/main.ts',
  'src/worker/load.ts',
  'src/worker/main.ts',
  'src/api/openapi.ts',
  'src/page/main.tsx',
  'src/hooks/sdk.ts',
  'src/hooks/capture.sh',
  'src/hooks/find-node.sh',
  'src/hooks/launcher.sh',
];
const IS_TEST = /\.test\.ts$|(?:^|\/)payloads\//;
const IS_ASSET = /\.(?:jsonl|md)$/;

export async function build({ root = repository } = {}) {
  const missing = SOURCES.filter((file) => !fs.existsSync(join(root, file)));
  if (missing.length > 0) throw new Error(`Cannot build: missing ${missing.join(', ')}`);

  const inputs = inputsDigest({ root });
  const work = join(root, '.cache', `build-${process.pid}`);
  fs.rmSync(work, { recursive: true, force: true });
  fs.mkdirSync(work, { recursive: true });
  try {
    await bundle(root, join(work, 'dist'));
    await buildPage(root, join(work, 'dist/page'), { CAIRN_AGENT_NAMES: await listAgentNames(root) });
    writeTypes(root, work);
    copyAssets(root, join(work, 'dist'));
    await writeOpenApi(root, join(work, 'dist'));
    await writeThesaurus(root, join(work, 'dist'));
    fs.writeFileSync(join(work, 'dist/.inputs'), inputs);
    moveIntoPlace(join(work, 'dist'), join(root, 'dist'));
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

/** Changes whenever a build would come out differently. Content, not times: a checkout changes those at will. */
export function inputsDigest({ root = repository } = {}) {
  const digest = createHash('sha256');
  const sources = filesBelow(join(root, 'src')).filter((name) => !IS_TEST.test(name));
  const others = [
    'scripts/build.mjs',
    'scripts/build-page.mjs',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ];
  for (const name of [...sources.map((source) => `src/${source}`), ...others]) {
    digest
      .update(`${name}\0`)
      .update(fs.readFileSync(join(root, name)))
      .update('\0');
  }
  return digest.digest('hex');
}

async function bundle(root, outdir) {
  const esbuild = await import('esbuild');
  const { version, dependencies } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8'));
  const common = {
    absWorkingDir: root,
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    external: Object.keys(dependencies),
    define: {
      CAIRN_VERSION: JSON.stringify(version),
      CAIRN_ANCHORS: JSON.stringify(await packAnchors(esbuild, root)),
    },
    logLevel: 'silent',
  };
  const commonjs = {
    ...common,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    // import() of a package would start the ES module loader, which is what CommonJS is to spare us.
    supported: { 'dynamic-import': false },
    // CommonJS knows its own file by another name.
    define: { ...common.define, 'import.meta.filename': '__filename', 'import.meta.dirname': '__dirname' },
  };
  const esm = {
    ...common,
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    // For node this package has CommonJS only, which would call require(); its other form is the same code.
    alias: { yaml: './node_modules/yaml/browser/dist/index.js' },
  };
  // An agent waits while these are loaded, and names are a third of what has to be read for them.
  const awaited = { ...commonjs, minifyIdentifiers: true };
  const library = { hooks: 'src/hooks/sdk.ts' };

  const builds = [
    { ...commonjs, entryPoints: { hook: 'src/hooks/load.ts' } },
    { ...awaited, entryPoints: { 'hook-program': 'src/hooks/main.ts' } },
    { ...awaited, entryPoints: { 'statusline-program': 'src/commands/statusline/main.ts' } },
    { ...awaited, entryPoints: { 'suggest-files-program': 'src/commands/suggest-files/main.ts' } },
    { ...commonjs, entryPoints: { worker: 'src/worker/load.ts' } },
    { ...commonjs, entryPoints: { 'worker-program': 'src/worker/main.ts' } },
    {
      ...esm,
      entryPoints: { cli: 'src/cli.ts' },
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
    },
    { ...commonjs, entryPoints: library },
    { ...esm, entryPoints: library },
  ];
  for (const options of builds) {
    const { warnings } = await esbuild.build(options);
    if (warnings.length > 0) {
      throw new Error((await esbuild.formatMessages(warnings, { kind: 'warning' })).join('\n'));
    }
  }
  for (const name of ['hook', 'statusline', 'suggest-files', 'worker'])
    escapeLetters(join(outdir, `${name}-program.cjs`));
  for (const name of ['hook', 'statusline', 'suggest-files']) makeReady(join(outdir, `${name}-program.cjs`));
  makeCommand(join(outdir, 'cli.mjs'));
}

async function packAnchors(esbuild, root) {
  const scan = await importSource(esbuild, root, 'src/capture/redact/scan.ts');
  return scan.packAnchors();
}

/** What people call each agent, by its id. */
async function listAgentNames(root) {
  const { agents } = await importSource(await import('esbuild'), root, 'src/agents/all.ts');
  return JSON.stringify(Object.fromEntries(agents.map(({ id, name }) => [id, name])));
}

/** The description of the local API, from the schemas that check its requests. */
async function writeOpenApi(root, outdir) {
  const { version } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8'));
  const { describeApi } = await importSource(await import('esbuild'), root, 'src/api/openapi.ts');
  const file = join(outdir, 'assets/api/openapi.json');
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.writeFileSync(file, `${JSON.stringify(describeApi(version), null, 1)}\n`);
}

/** The words of the thesaurus in the form that the index has them in: a hook has no time to make it. */
async function writeThesaurus(root, outdir) {
  const folder = 'recall/thesaurus';
  const { packWords } = await importSource(await import('esbuild'), root, `src/${folder}/pack-words.ts`);
  fs.mkdirSync(join(outdir, 'assets', folder), { recursive: true });
  for (const [language, words] of packWords(fs.readFileSync(join(root, 'src', folder, 'words.txt'), 'utf8')))
    fs.writeFileSync(join(outdir, 'assets', folder, `${language}.txt`), words);
}

/** A module of src/, as it is before the build. */
async function importSource(esbuild, root, file) {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [file],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

/**
 * One letter beyond ASCII, and esbuild leaves those in regular expressions, makes node decode the text and keep it with
 * two bytes a letter, which costs every hook 1.5 ms and the worker 1.5 MB. The same escape is understood wherever a
 * letter can stand.
 */
function escapeLetters(file) {
  const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/[^\0-\x7f]/g, escaped));
}

/** As hook.cjs takes it: the function that a CommonJS module is, which it would otherwise have to be made into at every call. */
function makeReady(file) {
  fs.writeFileSync(file, Module.wrap(fs.readFileSync(file, 'utf8')));
}

function makeCommand(file) {
  const code = fs.readFileSync(file, 'utf8').replace(/^#!.*\n/, '');
  fs.writeFileSync(file, `#!/usr/bin/env node\n${code}`);
  fs.chmodSync(file, 0o755);
}

function writeTypes(root, work) {
  const config = join(work, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(root, 'src'),
    outDir: join(work, 'dist/types'),
  };
  const files = [join(root, 'src/hooks/sdk.ts')];
  fs.writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }),
  );
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [tsc, '--project', config], { stdio: 'pipe', encoding: 'utf8' });
  } catch (error) {
    throw new Error(`Cannot write the types of cairn-memory/hooks:\n${error.stdout}${error.stderr}`);
  }
  keepOnlyNamed(join(work, 'dist/types'), 'hooks/sdk.d.ts');
}

/** tsc writes the types of every file it read; the public ones are those which the entry's types name. */
function keepOnlyNamed(folder, entry) {
  const named = new Set([entry]);
  for (const name of named) {
    for (const { specifier } of importsIn(fs.readFileSync(join(folder, name), 'utf8'))) {
      if (specifier.startsWith('.')) named.add(join(dirname(name), specifier).replace(/\.ts$/, '.d.ts'));
    }
  }
  for (const name of filesBelow(folder)) if (!named.has(join(name))) fs.rmSync(join(folder, name));
}

function copyAssets(root, outdir) {
  for (const name of ['capture.sh', 'find-node.sh', 'launcher.sh'])
    fs.copyFileSync(join(root, 'src/hooks', name), join(outdir, name));
  for (const name of filesBelow(join(root, 'src'))) {
    if (!IS_ASSET.test(name) || IS_TEST.test(name)) continue;
    const copy = join(outdir, 'assets', name);
    fs.mkdirSync(dirname(copy), { recursive: true });
    fs.copyFileSync(join(root, 'src', name), copy);
  }
}

/**
 * Renames file by file, so that no path is ever missing or half written for a hook that runs at this moment:
 * first what the entry files load, then those, then the mark that says it is complete, then the old leftovers go.
 */
function moveIntoPlace(from, to) {
  const inside = filesBelow(from);
  const isEntry = (name) => !name.includes('/');
  const inOrder = [...inside.filter((name) => !isEntry(name)), ...inside.filter(isEntry)].filter(
    (name) => name !== '.inputs',
  );
  fs.rmSync(join(to, '.inputs'), { force: true });
  for (const name of [...inOrder, '.inputs']) {
    fs.mkdirSync(dirname(join(to, name)), { recursive: true });
    fs.renameSync(join(from, name), join(to, name));
  }
  for (const name of filesBelow(to)) if (!inside.includes(name)) fs.rmSync(join(to, name));
}

/** Paths of all files below a folder, relative to it, with forward slashes, sorted. */
function filesBelow(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath ?? entry.path, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    )
    .sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
