import type { NewMemory, PortableMemory } from '../store/types/port.ts';
import { cleanMemory } from './clean-memory.ts';
import { checkHeader, parseMemory } from './export-line.ts';
import { BATCH_SIZE, createImportRun, type PortOptions, type PortResult } from './import-run.ts';
import { createProjects } from './projects.ts';

/** Imports an export of this or another Cairn. An unreadable line is reported and does not stop the others. */
export async function importCairn(
  options: PortOptions,
  content: Buffer,
): Promise<PortResult | { problem: string }> {
  const [header] = linesIn(content);
  const problem = header ? checkHeader(header.text) : 'it is empty.';
  if (problem !== null) return { problem };

  const { keys, links } = contentsOf(content);
  const run = createImportRun(options, content.length);
  const projectFor = createProjects(options);
  const ids = new Map<string, number>();
  const waiting = new Set(links.keys());
  let batch: NewMemory[] = [];
  let lines = 0;
  let read = 0;
  let reported = 0;

  for (const { number, text, end } of linesIn(content)) {
    read = end;
    if (number === header?.number) continue;
    readLine(number, text);
    lines++;
    if (lines % BATCH_SIZE !== 0) continue;
    addBatch();
    if (!(await run.shouldContinue(read - reported))) return run.result;
    reported = read;
  }
  addBatch();
  await run.shouldContinue(read - reported);
  return run.result;

  function readLine(number: number, text: string): void {
    const memory = parseMemory(text);
    const where = `line ${number}`;
    if ('problem' in memory) run.skip(where, memory.problem);
    else if (!isReplacedByKnown(memory))
      run.skip(where, 'the memory that replaced it is neither here nor in the file');
    else if (isKnown(memory.key)) run.result.known++;
    else {
      const { project, supersededBy, ...rest } = memory;
      const clean = cleanMemory(options, rest);
      if (clean) batch.push({ ...clean, projectId: projectFor(project) });
      else run.skip(where, 'all of it is private');
    }
  }

  function addBatch(): void {
    const added = run.add(batch);
    for (const [index, { key }] of batch.entries()) {
      const id = added[index]?.id;
      if (id) ids.set(key, id);
    }
    batch = [];
    if (!options.isDryRun) linkReplaced();
  }

  function linkReplaced(): void {
    const pairs = [...waiting].flatMap((key) => {
      const old = ids.get(key);
      const by = idOf(links.get(key) ?? '');
      if (old === undefined || by === null) return [];
      waiting.delete(key);
      return [{ old, by }];
    });
    if (pairs.length > 0) options.store.replaceMemories(pairs);
  }

  /** Cleaning takes most of the time, and known memories were cleaned before. */
  function isKnown(key: string): boolean {
    const id = options.store.findMemoryByKey(key);
    if (id !== null) ids.set(key, id);
    return id !== null;
  }

  function idOf(key: string): number | null {
    return ids.get(key) ?? (keys.has(key) ? null : options.store.findMemoryByKey(key));
  }

  function isReplacedByKnown({ supersededBy }: PortableMemory): boolean {
    return (
      supersededBy === null || keys.has(supersededBy) || options.store.findMemoryByKey(supersededBy) !== null
    );
  }
}

/** The keys of all memories in the file, and which of them replaced which. */
function contentsOf(content: Buffer): { keys: Set<string>; links: Map<string, string> } {
  const keys = new Set<string>();
  const links = new Map<string, string>();
  for (const { text } of linesIn(content)) {
    const memory = parseMemory(text);
    if ('problem' in memory) continue;
    keys.add(memory.key);
    if (memory.supersededBy !== null) links.set(memory.key, memory.supersededBy);
  }
  return { keys, links };
}

interface Line {
  number: number;
  text: string;
  end: number;
}

function* linesIn(content: Buffer): Generator<Line> {
  let number = 0;
  for (let start = 0; start < content.length; ) {
    const lineBreak = content.indexOf(10, start);
    const end = lineBreak === -1 ? content.length : lineBreak + 1;
    number++;
    const text = content
      .toString('utf8', start, end)
      .replace(/^\uFEFF/, '')
      .trim();
    if (text !== '') yield { number, text, end };
    start = end;
  }
}
