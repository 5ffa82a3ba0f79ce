import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, '.cache/bench');

const PARTS = `
  export { createKey, readAccess } from './src/api/access.ts';
  export { claudeCode } from './src/agents/claude-code/adapter.ts';
  export { registeredEvents } from './src/agents/claude-code/events.ts';
  export { cleanPayload } from './src/capture/clean.ts';
  export { ingestSpool } from './src/capture/intake.ts';
  export { findPlace } from './src/capture/place.ts';
  export { priorityOf } from './src/capture/priority.ts';
  export { listSpool, writeSpoolFile } from './src/capture/spool.ts';
  export { readEnvironment } from './src/config/environment.ts';
  export { loadSettings } from './src/config/settings.ts';
  export { followEvents } from './src/continuity/follow.ts';
  export { ANSWER_SCHEMA } from './src/distill/model/answer.ts';
  export { digestTurn } from './src/distill/model/digest.ts';
  export { readFindings } from './src/distill/model/findings.ts';
  export { loadInstructions } from './src/distill/model/instructions.ts';
  export { distillOffline } from './src/distill/offline/distill.ts';
  export { updateIndex, rebuildIndex } from './src/indexing/update-index.ts';
  export { countTokens } from './src/model/tokens.ts';
  export { WORKER_OPTIONS } from './src/platform/installation.ts';
  export { createLog } from './src/platform/log.ts';
  export { pathsOf } from './src/platform/paths.ts';
  export { FEATURES } from './src/recall/features/list.ts';
  export { gatherCandidates } from './src/recall/gather-candidates.ts';
  export { recall } from './src/recall/recall.ts';
  export { tryLock } from './src/store/sqlite/lock.ts';
  export { inTransaction, openDatabase } from './src/store/sqlite/open.ts';
  export { openSqliteStore } from './src/store/sqlite/sqlite-store.ts';
  export { eightSmallEdits, longTurn } from './test/support/turns.ts';
`;

/** The parts of Cairn that are measured in this process, built like dist/. */
export function loadProduct() {
  return loadParts(PARTS);
}

/** Bundles parts of the repository, which node cannot load directly. `exports` lists them. */
export async function loadParts(exports) {
  const { version, dependencies } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8'));
  // A new name each time: node would return the module that it loaded before.
  const outfile = join(folder, `parts-${randomUUID()}.mjs`);
  await build({
    stdin: { contents: exports, resolveDir: root },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: Object.keys(dependencies),
    // Bundled CommonJS packages call require() for node's built-ins.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    define: { CAIRN_VERSION: JSON.stringify(version) },
    logLevel: 'error',
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    fs.rmSync(outfile);
  }
}
