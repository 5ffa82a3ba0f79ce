import { redactValue } from '../capture/redact/redact-value.ts';
import { readEmbedderAccess } from '../config/environment.ts';
import { presentErrors } from '../context/present-errors.ts';
import { presentHits } from '../context/present-hits.ts';
import { createReliability } from '../context/reliability.ts';
import { formatCount } from '../context/words.ts';
import { cleanText } from '../curation/clean-text.ts';
import { isWeakAnswer, recordWeakSearch } from '../curation/learn-alias.ts';
import { embedQuery, type QueryEmbedding } from '../indexing/embed-query.ts';
import { locate } from '../memory/locate.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import { findProjectProblem } from '../recall/check-projects.ts';
import { findErrors } from '../recall/errors/find-errors.ts';
import { correctQuery } from '../recall/near-words/correct-query.ts';
import { describeReplaced } from '../recall/near-words/describe-replaced.ts';
import { parseQuery } from '../recall/parse-query.ts';
import { recall } from '../recall/recall.ts';
import type { HitKind, RecallRequest } from '../recall/request.ts';
import type { Store } from '../store/store.ts';
import { isStoreError } from '../store/store-error.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './support/command.ts';
import { paintEntry } from './support/entry-line.ts';
import { readIndexedMemory, readMemory, withMemory } from './support/memory.ts';
import { printRow } from './support/rows.ts';
import { identifySearcher } from './support/searcher.ts';
import { choiceOption, numberOption } from './support/usage.ts';

const LONGEST_WAIT_MS = 3_000;
const KINDS: (HitKind | 'error')[] = ['observation', 'summary', 'note', 'prompt', 'error'];
/** Of a failed call and its consequences. */
const MOST_ERRORS = 3;

export const command: Command = {
  name: 'search',
  summary: 'Search memories; without arguments: interactive search',
  usage: 'search <words …> [--all] [--kind <kind>] [--limit <n>] [--why] [--json]\nsearch',
  help: [
    'Words in any order. Operators: "a phrase" -not type:gotcha file:src/a.ts project:shop branch:main',
    "agent:claude-code since:2w before:2026-11-01 kind:prompt kind:error. Quote them for the shell: cairn search 'port -docker'",
    'A word that no memory has is replaced by a near one, which the answer says. A phrase is searched for as it is.',
    'The name of an error, or a pasted stack trace, finds the error and what was done about it first.',
    'Searches this project; with --all every project. Without words, on a terminal: interactive search.',
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
    const limit = numberOption(call, 'limit', { fallback: 20 });
    const asked = kindsOf(call);
    const kinds = asked.filter((kind) => kind !== 'error');
    const text = redactValue(
      [...call.positionals, ...(asked.includes('error') ? ['kind:error'] : [])].join(' ').trim(),
    );
    if (text === '') {
      if (!call.isTerminal || call.options.json || call.env.isDumbTerminal)
        throw new UsageError('Missing search terms.');
      const { pick } = await import('./picker/pick.ts');
      return pick(
        call,
        (store, typed, most) => find(call, store, redactValue(typed), most, kinds, { isTyping: true }).found,
      );
    }
    const [problem] = parseQuery(text, call.now()).problems;
    if (problem !== undefined) throw new CommandError(problem);
    const { vector, trouble } = await meaningIn(call, text);
    let isWeak = false;
    const exitCode = readIndexedMemory(call, (store) => {
      const unknown = findProjectProblem(parseQuery(text, call.now()), store.listProjects);
      if (unknown !== null) throw new CommandError(withCairnCommand(unknown));
      const { found, replaced, searched } = find(call, store, text, limit, kinds, vector ? { vector } : {});
      const note = describeReplaced(replaced);
      isWeak = isWeakAnswer(found.map(({ score }) => score));
      if (call.options.json)
        printJson(
          call,
          found.map(({ entry, score, memory }) => ({
            ...{ ...entry, score, ...(memory && { memory }) },
            ...(replaced.length > 0 && { replaced }),
          })),
        );
      else if (found.length === 0)
        call.out(describeNoResults(text, call.options.all === true || !locate(store, process.cwd()).project));
      else {
        if (note) call.out(note);
        const words = highlightWords(searched, call.now());
        // Outside a project every project is searched.
        const withProject = call.options.all === true || !locate(store, process.cwd()).project;
        for (const { entry } of found) printRow(call, paintEntry(call, entry, { words, withProject }));
      }
      const waiting = store.countPendingDocs();
      if (waiting > 0)
        call.err(
          `${formatCount(waiting, 'memory is', 'memories are')} not indexed yet. Search again in a moment.`,
        );
      if (trouble) call.err(`Searched by words only, without embeddings: ${trouble}`);
      return 0;
    });
    if (isWeak) keepWeakSearch(call, text);
    return exitCode;
  },
};

/** If a memory is opened next, it may be what was meant. Whether this can be stored does not matter to the search. */
function keepWeakSearch(call: Call, text: string): void {
  const { settings, now } = call;
  const { words, phrases } = parseQuery(text, now());
  if (phrases.length > 0) return;
  try {
    withMemory(call, (store) => recordWeakSearch({ store, settings, now }, words, identifySearcher(call)));
  } catch (error) {
    if (!isStoreError(error)) throw error;
  }
}

/** A person waits briefly for the embedding of their query; without an embedder there is no wait. */
function meaningIn(call: Call, text: string): QueryEmbedding | Promise<QueryEmbedding> {
  const { paths, settings, now } = call;
  if (settings['embedder.provider'] === 'none') return {};
  const index = readMemory(call, (store) => store.getVectorIndex());
  const words = parseQuery(text, now()).words;
  return embedQuery(words, index, {
    ...{ paths, settings, now, access: readEmbedderAccess, mostMs: LONGEST_WAIT_MS },
    clean: (asked) => cleanText(call, asked),
  });
}

function find(
  { options, now }: Call,
  store: Store,
  text: string,
  limit: number,
  kinds: HitKind[],
  { vector, isTyping = false }: { vector?: Float32Array; isTyping?: boolean } = {},
) {
  const location = locate(store, process.cwd());
  const { project, branches } = location;
  const standing = createReliability(location);
  const isEverywhere = options.all || !project;
  // The latest, before anything is typed.
  if (text === '') {
    const latest = store.listRecentMemories({ limit, ...(!isEverywhere && { projectId: project.id }) });
    const hits = latest.map(({ kind, id }) => ({ kind, id, score: 0, reasons: [] }));
    return { found: presentHits(store, hits, standing), replaced: [], searched: text };
  }
  const request: RecallRequest = {
    ...{ text, limit, now: now() },
    projectId: project?.id ?? null,
    reach: isEverywhere ? 'all' : 'project',
    ...(branches.current !== undefined && { branch: branches.current }),
    ...(kinds.length > 0 && { kinds }),
    ...(vector && { vector }),
  };
  const { asksForErrors, kinds: named } = parseQuery(text, request.now);
  const isOnlyErrors = asksForErrors && named.length + kinds.length === 0;
  const errors = presentErrors(store, findErrors(store, request, isOnlyErrors ? limit : MOST_ERRORS));
  if (isOnlyErrors) return { found: errors, replaced: [], searched: text };
  const { text: searched, replaced } =
    errors.length > 0 ? { text, replaced: [] } : correctQuery(store, request, { isTyping });
  const hits = recall(store, { ...request, text: searched });
  return { found: [...errors, ...presentHits(store, hits, standing)], replaced, searched };
}

/** The words to highlight in titles, without operators. */
export function highlightWords(text: string, now: number): string[] {
  const words = parseQuery(text, now).words.match(/[\p{L}\p{N}_.-]{2,}/gu) ?? [];
  return [...new Set(words.map((word) => word.replace(/^[.-]+|[.-]+$/g, '')))].filter(Boolean);
}

function describeNoResults(text: string, isEverywhere: boolean): string {
  const where = isEverywhere ? '' : ' in this project';
  const advice = isEverywhere ? 'Try fewer or other words.' : 'Try other words, or every project: --all';
  return `No results for "${text}"${where}. ${advice}`;
}

function kindsOf({ options }: Call): (HitKind | 'error')[] {
  return [options.kind ?? []].flat().map((given) => choiceOption('kind', given, KINDS));
}
