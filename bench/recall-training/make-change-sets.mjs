import fs from 'node:fs';
import { join } from 'node:path';
import { makeChangeSet } from './ask-about-changes.mjs';
import { HELD_OUT, TAUGHT } from './change-sources.mjs';
import { gitDirOf } from './git-files.mjs';
import { numbers } from './words.mjs';

const CHANGES = 2_500;

/**
 * A set of merged changes and questions about them for each repository in change-sources.mjs, in the format of
 * `npm run bench -- recall --data`: <sets>/taught and <sets>/held-out. They hold text of others: do not commit them.
 */
export async function makeChangeSets(clones, sets) {
  const missing = Object.entries({ ...TAUGHT, ...HELD_OUT }).filter(([name]) => !gitDirOf(clones, name));
  if (missing.length > 0) {
    console.error(
      `Missing in ${clones}:\n${missing.map(([name, source]) => `  ${name}: ${source}`).join('\n')}`,
    );
    process.exit(2);
  }
  for (const [name, sources] of Object.entries({ taught: TAUGHT, 'held-out': HELD_OUT })) {
    const folder = join(sets, name);
    fs.mkdirSync(folder, { recursive: true });
    for (const group of Object.keys(sources)) {
      const { documents, questions } = await makeChangeSet(
        gitDirOf(clones, group),
        group,
        CHANGES,
        numbers(42),
      );
      append(join(folder, 'docs.jsonl'), documents);
      append(join(folder, 'queries.jsonl'), questions);
      const since = documents[0]?.at.slice(0, 10);
      console.error(
        `${name} ${group}: ${documents.length} changes since ${since}, ${questions.length} questions`,
      );
    }
  }
}

function append(path, rows) {
  fs.appendFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}
