// Builds dist/, which then contains:
//   cli.mjs, chunks/       the `cairn` command; every command is a separate chunk, loaded on demand
//   hook.cjs               the hook process: runs one of the programs below as compiled by an earlier call
//   hook-program.cjs       a single CommonJS file: loading ES modules would cost each hook 25 ms more
//   statusline-program.cjs, suggest-files-program.cjs   programs that an agent calls in addition to its hooks
//   worker.cjs             the background process: loads the program below unless another worker is running
//   worker-program.cjs     the worker itself
//   hooks.mjs, hooks.cjs   the public library `cairn-memory/hooks`, with its types in types/
//   capture.sh             the silent hook
//   find-node.sh           looks for another node if the recorded one is gone
//   launcher.sh            becomes bin/cairn in Cairn's home
//   page/                  the viewer: index.html, and assets/ with hashed names, also compressed
//   assets/                files that code reads at run time, under the same path as in src/; api/openapi.json; and
//                          recall/thesaurus/ by language
//   .inputs                a digest of the inputs of this build, for scripts/setup.mjs
// In the code, `CAIRN_VERSION` is the version from package.json, and `CAIRN_ANCHORS` and `CAIRN_AGENT_NAMES` are tables
// that this script creates.

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
const IS_ASSET = /\.(?:jsonl|md)$|\/weights\.txt$/;

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

/** Changes whenever a build would have another result. Reads contents, because a checkout changes times at will. */
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
    // import() of a package would start the ES module loader, which CommonJS is meant to avoid.
    supported: { 'dynamic-import': false },
    // CommonJS has other names for a module's own file and folder.
    define: { ...common.define, 'import.meta.filename': '__filename', 'import.meta.dirname': '__dirname' },
  };
  const esm = {
    ...common,
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    // The package's entry for node is CommonJS and would call require(); the entry for browsers is the same code.
    alias: { yaml: './node_modules/yaml/browser/dist/index.js' },
  };
  // An agent waits while these are loaded, and identifiers are a third of their size.
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

/** The display name of each agent, by id. */
async function listAgentNames(root) {
  const { agents } = await importSource(await import('esbuild'), root, 'src/agents/all.ts');
  return JSON.stringify(Object.fromEntries(agents.map(({ id, name }) => [id, name])));
}

/** The OpenAPI document of the local API, made from the schemas that check its requests. */
async function writeOpenApi(root, outdir) {
  const { version } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8'));
  const { describeApi } = await importSource(await import('esbuild'), root, 'src/api/openapi.ts');
  const file = join(outdir, 'assets/api/openapi.json');
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.writeFileSync(file, `${JSON.stringify(describeApi(version))}\n`);
}

/** Writes the words of the thesaurus in the form of the index, because a hook has no time to convert them. */
async function writeThesaurus(root, outdir) {
  const folder = 'recall/thesaurus';
  const { packWords } = await importSource(await import('esbuild'), root, `src/${folder}/pack-words.ts`);
  fs.mkdirSync(join(outdir, 'assets', folder), { recursive: true });
  for (const [language, words] of packWords(fs.readFileSync(join(root, 'src', folder, 'words.txt'), 'utf8')))
    fs.writeFileSync(join(outdir, 'assets', folder, `${language}.txt`), words);
}

/** Imports a module of src/ before the build. */
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
 * A single non-ASCII letter, and esbuild leaves those in regular expressions, makes node decode the text and keep it as
 * two bytes per letter, which costs every hook 1.5 ms and the worker 1.5 MB. The escape is valid wherever a letter can
 * be.
 */
function escapeLetters(file) {
  const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/[^\0-\x7f]/g, escaped));
}

/** Wraps the code in the function that CommonJS makes of a module, which hook.cjs would otherwise do at every call. */
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

/** tsc writes the types of every file it reads. Keeps only those that the types of the entry reach. */
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
 * Renames file by file, which never leaves a path missing or half written for a hook that runs at this moment: first
 * the files that the entry files load, then those, then the mark of a complete build. Removes old files last.
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

/** Relative paths of all files below a folder, with forward slashes, sorted. */
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
