import { redactValue } from '../capture/redact/redact-value.ts';
import { readEmbedderAccess } from '../config/environment.ts';
import { describeHidden } from '../context/present-count.ts';
import { type PresentedHit, presentHits } from '../context/present-hits.ts';
import { describeNothing } from '../context/present-nothing.ts';
import { createReliability } from '../context/reliability.ts';
import { isInVain, type SearchAnswer, searchMemory } from '../context/search-memory.ts';
import { formatCount } from '../context/words.ts';
import { cleanText } from '../curation/clean-text.ts';
import { recordWeakSearch } from '../curation/learn-alias.ts';
import { embedQuery, type QueryEmbedding } from '../indexing/embed-query.ts';
import { locate } from '../memory/locate.ts';
import { MISSING_TERMS } from '../model/value-problems.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import { findNameProblem } from '../recall/check-names.ts';
import { findQueryProblem } from '../recall/check-query.ts';
import { describeReplaced } from '../recall/near-words/describe-replaced.ts';
import { parseQuery } from '../recall/parse-query.ts';
import type { HitKind } from '../recall/request.ts';
import type { Store } from '../store/store.ts';
import { isStoreError } from '../store/store-error.ts';
import type { TeamHit, TeamHits } from '../team/search/rank-candidates.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './support/command.ts';
import { printHit } from './support/hit-lines.ts';
import { mentionLostMemories } from './support/lost-memories.ts';
import { readIndexedMemory, readMemory, withMemory } from './support/memory.ts';
import { printRemark } from './support/rows.ts';
import { identifySearcher } from './support/searcher.ts';
import { choiceOption, LIMIT, numberOption } from './support/usage.ts';

const LONGEST_WAIT_MS = 3_000;
const USUAL_HITS = 10;
/** The limit with --all. */
const MOST_HITS = 50;
const KINDS: (HitKind | 'error')[] = ['observation', 'summary', 'note', 'prompt', 'error'];

export const command: Command = {
  name: 'search',
  summary: 'Search memories; without arguments: interactive search',
  usage:
    'search <words …> [--all | --team] [--kind <kind>] [--limit <n>] [--superseded] [--why] [--json]\nsearch [--all]',
  help: [
    'Words in any order. Operators: "a phrase" -not type:gotcha file:src/a.ts project:shop branch:main',
    "agent:claude-code since:2w before:2026-11-01 kind:error. Quote them for the shell: cairn search 'port -docker'",
    'A word that no memory has is replaced by a similar one, and the output says so. Phrases are matched exactly.',
    'The name of an error, or a pasted stack trace, finds the error first, with what was done about it.',
    'Shows the best hits in this project. Without words, on a terminal: interactive search.',
    '  --all         every project, and weaker hits',
    '  --team        search the server of your team: every project you may read, pulled or not',
    '  --limit <n>   the first n hits, weaker ones included and marked',
    '  --superseded  also memories that others have replaced',
    '  --why         the reasons for each rank',
  ].join('\n'),
  options: {
    all: { type: 'boolean' },
    team: { type: 'boolean' },
    kind: { type: 'string', multiple: true },
    limit: { type: 'string' },
    superseded: { type: 'boolean' },
    why: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  words: 1_000,
  async run(call) {
    const limit = numberOption(call, 'limit', { fallback: call.options.all ? MOST_HITS : USUAL_HITS });
    const requested = kindsOf(call);
    const kinds = requested.filter((kind) => kind !== 'error');
    const words = [...call.positionals, ...(requested.includes('error') ? ['kind:error'] : [])];
    const text = redactValue(words.join(' ').trim());
    if (text === '') {
      if (!call.isTerminal || call.options.json || call.env.isDumbTerminal)
        throw new UsageError(MISSING_TERMS);
      const { pick } = await import('./picker/pick.ts');
      return pick(
        call,
        (store, { typed, isEverywhere, limit }) =>
          find(call, store, { text: redactValue(typed), limit, kinds, isEverywhere, isTyping: true }).hits,
      );
    }
    const problem = findQueryProblem(text, call.now());
    if (problem !== null) throw new CommandError(problem);
    const team = call.options.team ? await askTeam(call, { text, limit, kinds }) : null;
    if (team) {
      printFound(call, text, { ...team, replaced: [], unknown: [] }, IN_THE_TEAM);
      return 0;
    }
    const { vector, trouble } = await meaningIn(call, text);
    const answer = readIndexedMemory(call, (store) => {
      const unknown = findNameProblem(parseQuery(text, call.now()), store);
      if (unknown !== null) throw new CommandError(withCairnCommand(unknown));
      // Outside a project all projects are searched.
      const isAsked = call.options.all === true || call.options.team === true;
      const isEverywhere = isAsked || !locate(store, process.cwd()).project;
      const found = find(call, store, { text, limit, kinds, isEverywhere, ...(vector && { vector }) });
      printFound(call, text, found, isEverywhere ? EVERYWHERE : IN_THIS_PROJECT);
      const waiting = store.countPendingDocs();
      if (waiting > 0)
        call.err(
          `${formatCount(waiting, 'memory is', 'memories are')} not indexed yet. Search again in a moment.`,
        );
      if (trouble) call.err(`Searched by words only, without embeddings: ${trouble}`);
      return found;
    });
    if (isInVain(answer)) keepWeakSearch(call, text);
    return 0;
  },
};

/** Null, after a message, if the team is encrypted and its server cannot search. */
async function askTeam(
  call: Call,
  query: { text: string; limit: number; kinds: HitKind[] },
): Promise<TeamHits | null> {
  const { searchWithTeam } = await import('./team/search.ts');
  const found = await searchWithTeam(call, query);
  if (!found)
    call.err(
      'The team is encrypted, so its server cannot search: these are hits among what this machine has.',
    );
  return found;
}

/** Hits from this machine or from the team. */
type Found = Omit<SearchAnswer, 'hits'> & { hits: (PresentedHit | TeamHit)[] };

interface Searched {
  /** Ends the sentence in the message. */
  where: string;
  tryElse: string;
  withProject: boolean;
}

const EVERYWHERE: Searched = { where: '', tryElse: 'Try fewer or other words.', withProject: true };
const IN_THE_TEAM: Searched = { ...EVERYWHERE, where: ' in the team' };
const IN_THIS_PROJECT: Searched = {
  where: ' in this project',
  tryElse: 'Try other words, or every project: --all',
  withProject: false,
};

/** Records a search without good hits: a memory opened next may be the intended one. Errors are ignored. */
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

function printFound(
  call: Call,
  text: string,
  { hits: found, more, replaced, unknown }: Found,
  { where, tryElse, withProject }: Searched,
): void {
  const { options } = call;
  const withWeaker = options.all === true || options.limit !== undefined;
  const weaker = found.filter(({ isWeaker }) => isWeaker);
  const shown = withWeaker ? found : found.filter(({ isWeaker }) => !isWeaker);
  const hidden = { more, weaker: withWeaker ? 0 : weaker.length, shown: shown.length };
  const remarks = shown.length > 0 ? describeHidden(hidden, LIMIT) : [];
  if (shown.length === 0) mentionLostMemories(call);
  if (options.json) {
    printJson(
      call,
      shown.map(({ entry, memory, ...hit }) => ({
        ...entry,
        ...hit,
        ...(memory && { memory }),
        ...(replaced.length > 0 && { replaced, unknown }),
      })),
    );
    for (const remark of remarks) printRemark(call, remark);
    return;
  }
  const note = describeReplaced(replaced, unknown);
  if (note && shown.length > 0) call.out(note);
  if (shown.length === 0) {
    call.out(describeNothing({ text, now: call.now(), where, weaker, unit: LIMIT, tryElse }));
    return;
  }
  for (const hit of shown) printHit(call, hit, withProject);
  for (const remark of remarks) printRemark(call, remark);
}

/** Waits briefly for the embedding of the query; without an embedding provider there is no wait. */
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

interface AskedFind {
  text: string;
  limit: number;
  kinds: HitKind[];
  isEverywhere: boolean;
  vector?: Float32Array;
  isTyping?: boolean;
}

function find({ options, now }: Call, store: Store, criteria: AskedFind): SearchAnswer {
  const { text, limit, kinds, isEverywhere, vector, isTyping = false } = criteria;
  const location = locate(store, process.cwd());
  const { project, branches } = location;
  const reliabilityOf = createReliability(location);
  const question = { text, now: now() };
  // Before anything is typed, show the latest memories.
  if (text === '') {
    const latest = store.listRecentMemories({
      limit,
      ...(!isEverywhere && project && { projectId: project.id }),
    });
    const hits = latest
      .filter(({ supersededBy }) => supersededBy === null)
      .map(({ kind, id }) => ({ kind, id, score: 0, isWeaker: false, reasons: [] }));
    return { hits: presentHits(store, hits, reliabilityOf, question), more: 0, replaced: [], unknown: [] };
  }
  const request = {
    ...{ ...question, limit },
    projectId: project?.id ?? null,
    reach: isEverywhere ? ('all' as const) : ('project' as const),
    ...(options.superseded === true && { withSuperseded: true }),
    ...(branches.current !== undefined && { branch: branches.current }),
    ...(kinds.length > 0 && { kinds }),
    ...(vector && { vector }),
  };
  return searchMemory(store, request, reliabilityOf, { isTyping });
}

function kindsOf({ options }: Call): (HitKind | 'error')[] {
  return [options.kind ?? []].flat().map((value) => choiceOption('kind', value, KINDS));
}
