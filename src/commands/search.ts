import { redactValue } from '../capture/redact/redact-value.ts';
import { readEmbedderAccess } from '../config/environment.ts';
import { presentHits } from '../context/present-hits.ts';
import { cleanText } from '../curation/clean-text.ts';
import { type Meaning, meaningOf } from '../indexing/embed-query.ts';
import { parseQuery } from '../recall/parse-query.ts';
import { recall } from '../recall/recall.ts';
import type { FoundKind } from '../recall/request.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Command, printJson, UsageError } from './command.ts';
import { paintedEntry } from './entry-line.ts';
import { whereWeAre } from './here.ts';
import { readIndexedMemory, readMemory } from './read-memory.ts';

const LONGEST_WAIT_MS = 3_000;
const KINDS: FoundKind[] = ['observation', 'summary', 'note', 'prompt'];

export const command: Command = {
  name: 'search',
  summary: 'Finds memories by words, files, errors, dates; without words you type and see',
  usage: 'search <words …> [--all] [--kind <kind>] [--limit <n>] [--why] [--json]\nsearch',
  help: [
    'Words in any order. Operators: "a phrase" -not type:gotcha file:src/a.ts project:shop branch:main',
    "agent:claude-code since:2w before:2026-11-01 kind:prompt. Quote them for the shell: cairn search 'port -docker'",
    'This project first; every project with --all. Without words, on a terminal: a picker.',
  ].join('\n'),
  options: {
    all: { type: 'boolean' },
    kind: { type: 'string', multiple: true },
    limit: { type: 'string' },
    why: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  words: 1_000,
  async run(call) {
    const text = redactValue(call.positionals.join(' ').trim());
    const limit = limitOf(call);
    const kinds = kindsOf(call);
    if (text === '') {
      if (!call.isTerminal || call.options.json) throw new UsageError('What shall be searched for?');
      const { pick } = await import('./picker/pick.ts');
      return pick(call, (store, typed, most) => find(call, store, redactValue(typed), most, kinds));
    }
    const { vector, trouble } = await meaningIn(call, text);
    return readIndexedMemory(call, (store) => {
      const found = find(call, store, text, limit, kinds, vector);
      if (call.options.json)
        printJson(
          call,
          found.map(({ entry, score, memory }) => ({ ...entry, score, ...(memory && { memory }) })),
        );
      else if (found.length === 0) call.out(nothingFound(call, text));
      else {
        const words = wordsOf(text, call.now());
        for (const { entry } of found) call.out(paintedEntry(call, entry, { words }));
      }
      const waiting = store.pendingSearchDocs();
      if (waiting > 0) call.err(`${waiting} more are not indexed yet. Search again in a moment.`);
      if (trouble) call.err(`Found by words only, without the embedder: ${trouble}`);
      return 0;
    });
  },
};

/** A person waits a moment for what their question means; nobody has to where no embedder is configured. */
function meaningIn(call: Call, text: string): Meaning | Promise<Meaning> {
  const { paths, settings, now } = call;
  if (settings['embedder.provider'] === 'none') return {};
  const index = readMemory(call, (store) => store.vectorIndex());
  const words = parseQuery(text, now()).words;
  return meaningOf(words, index, {
    ...{ paths, settings, now, access: readEmbedderAccess, mostMs: LONGEST_WAIT_MS },
    clean: (asked) => cleanText(call, asked),
  });
}

function find(
  { options, now }: Call,
  store: Store,
  text: string,
  limit: number,
  kinds: FoundKind[],
  vector?: Float32Array,
) {
  const { project, branch, standing } = whereWeAre(store);
  const isEverywhere = options.all || !project;
  // Before anything is typed: the latest.
  if (text === '') {
    const latest = store.recentMemories({ limit, ...(!isEverywhere && { projectId: project.id }) });
    const hits = latest.map(({ kind, id }) => ({ kind, id, score: 0, reasons: [] }));
    return presentHits(store, hits, standing);
  }
  const hits = recall(store, {
    ...{ text, limit, now: now() },
    projectId: project?.id ?? null,
    reach: isEverywhere ? 'all' : 'project',
    ...(branch !== undefined && { branch }),
    ...(kinds.length > 0 && { kinds }),
    ...(vector && { vector }),
  });
  return presentHits(store, hits, standing);
}

/** What is painted in the titles: the words themselves, without operators. */
export function wordsOf(text: string, now: number): string[] {
  const words = parseQuery(text, now).words.match(/[\p{L}\p{N}_.-]{2,}/gu) ?? [];
  return [...new Set(words.map((word) => word.replace(/^[.-]+|[.-]+$/g, '')))].filter(Boolean);
}

function nothingFound({ options }: Call, text: string): string {
  const where = options.all ? '' : ' in this project';
  const advice = options.all ? 'Try fewer or other words.' : 'Try other words, or every project: --all';
  return `Nothing is known about "${text}"${where}. ${advice}`;
}

function limitOf({ options }: Call): number {
  const limit = Number(options.limit ?? 20);
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit takes a whole number above 0.');
  return limit;
}

function kindsOf({ options }: Call): FoundKind[] {
  return [options.kind ?? []].flat().map((given) => {
    const kind = KINDS.find((each) => each === given);
    if (!kind) throw new UsageError(`--kind takes one of ${KINDS.join(', ')}.`);
    return kind;
  });
}
