// node bench/coding-set/build.mjs <folder>: makes docs.jsonl again. The folder holds a clone of each repository in
// sources.json under the name of its group; sessions and notes come from this repository.

import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memoriesOfCommits } from './commits.mjs';
import { memoriesOfSessions } from './sessions.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const [clones] = process.argv.slice(2);
if (!clones) {
  console.error('Usage: node bench/coding-set/build.mjs <folder with the clones>');
  process.exit(2);
}

const sources = JSON.parse(fs.readFileSync(join(here, 'sources.json'), 'utf8'));
const notes = linesOf('notes.jsonl');
const docs = [
  ...(await memoriesOfSessions()),
  ...notes,
  ...sources.flatMap((source) => memoriesOfCommits(join(clones, source.group), source)),
];
fs.writeFileSync(join(here, 'docs.jsonl'), docs.map((doc) => `${JSON.stringify(inOrder(doc))}\n`).join(''));

const known = new Set(docs.map(({ id }) => id));
if (known.size < docs.length) throw new Error('Two memories have one id.');
for (const file of ['queries.jsonl', 'prompts.jsonl'])
  for (const { id, relevant } of linesOf(file))
    for (const doc of relevant)
      if (!known.has(doc)) console.error(`${file}, ${id}: there is no memory ${doc} any more.`);
console.log(`${docs.length} memories.`);

function linesOf(name) {
  const path = join(here, name);
  if (!fs.existsSync(path)) return [];
  return fs
    .readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function inOrder({
  id,
  group,
  session,
  order,
  at,
  kind,
  type,
  said_by,
  branch,
  title,
  text,
  facts,
  concepts,
  files,
}) {
  return {
    id,
    group,
    session,
    order,
    at,
    speaker: said_by,
    kind,
    type,
    branch,
    title,
    text,
    facts,
    concepts,
    files,
  };
}
