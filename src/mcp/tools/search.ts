import * as z from 'zod/mini';
import { readEmbedderAccess } from '../../config/environment.ts';
import { entryLine, type IndexEntry } from '../../context/present-entry.ts';
import { describeNothing } from '../../context/present-nothing.ts';
import { createReliability } from '../../context/reliability.ts';
import { isInVain, type SearchAnswer, searchMemory } from '../../context/search-memory.ts';
import { formatCount } from '../../context/words.ts';
import { cleanText } from '../../curation/clean-text.ts';
import { toOneLine } from '../../framing/stored-lines.ts';
import { embedQuery } from '../../indexing/embed-query.ts';
import { shorten } from '../../model/shorten.ts';
import { countTokens } from '../../model/tokens.ts';
import { findProjectProblem } from '../../recall/check-projects.ts';
import { describeReplaced } from '../../recall/near-words/describe-replaced.ts';
import { parseQuery } from '../../recall/parse-query.ts';
import { keepWeakSearch } from './learn-from-searches.ts';
import { limitedList, limitedText, MAX_ITEMS, MAX_LENGTH } from './limits.ts';
import { structureOf } from './structure.ts';
import { clampLimit, defineTool, READ_ONLY, type ToolAnswer, type ToolContext } from './tool.ts';
import { ToolError } from './tool-error.ts';

/** Short: an agent waits for the query's embedding. */
const LONGEST_WAIT_MS = 2_000;
const USUAL_HITS = 10;
const MOST_HITS = 50;

export const search = defineTool({
  name: 'search',
  description:
    'Search memories of past work before you redo, debug or decide what may have come up before. Returns what answers, best first, with tokens; open the few that matter with get. Operators: "phrase" -not type: file: branch: since:2w before: kind:error',
  input: z.object({
    query: limitedText(MAX_LENGTH.query).check(z.describe('names, errors, files')),
    limit: z.optional(z.int()),
    kinds: z.optional(limitedList(MAX_ITEMS.kinds, z.enum(['observation', 'summary', 'note', 'prompt']))),
    all: z.optional(z.boolean().check(z.describe('also other projects'))),
  }),
  annotations: READ_ONLY,
  async run({ query, limit, kinds = [], all = false }, call) {
    const { store, project, branches, now, paths, settings } = call;
    const parsed = parseQuery(query, now());
    const problem = parsed.problems[0] ?? findProjectProblem(parsed, store.listProjects);
    if (problem !== null) throw new ToolError(problem);
    const { vector, trouble } = await embedQuery(parsed.words, store.getVectorIndex(), {
      ...{ paths, settings, now, access: readEmbedderAccess, mostMs: LONGEST_WAIT_MS },
      clean: (text) => cleanText(call, text),
    });
    const request = {
      text: query,
      projectId: project?.id ?? null,
      reach: all ? ('all' as const) : ('project' as const),
      ...(kinds.length > 0 && { kinds }),
      ...(branches.current !== undefined && { branch: branches.current }),
      ...(vector && { vector }),
      limit: clampLimit(MOST_HITS, limit ?? USUAL_HITS),
      now: now(),
    };
    const answer = searchMemory(store, request, createReliability(call));
    if (parsed.phrases.length === 0 && isInVain(answer)) keepWeakSearch(call, parsed.words);
    const notes = trouble ? [`Searched by words only, without embeddings: ${trouble}`] : [];
    return describe(query, { all, withWeaker: limit !== undefined }, answer, call, notes);
  },
});

function describe(
  query: string,
  { all, withWeaker }: { all: boolean; withWeaker: boolean },
  { hits, replaced }: SearchAnswer,
  call: ToolContext,
  notes: string[],
): ToolAnswer {
  const { store, project } = call;
  const where = all ? 'any project' : toOneLine(project?.name ?? 'this project');
  const weaker = hits.filter(({ isWeaker }) => isWeaker);
  const shown = withWeaker ? hits : hits.filter(({ isWeaker }) => !isWeaker);
  const found = shown.map(({ entry, score, isWeaker, memory }) => ({
    ...{ entry, score, isWeaker, memory },
    line: entryLine(entry, { withProject: all }),
  }));
  const structure = {
    project: project?.name ?? null,
    hits: found.map(({ entry, score, isWeaker }) => ({
      ...structureOf(entry),
      score: Number(score.toFixed(3)),
      isWeaker,
    })),
    ...(replaced.length > 0 && { replaced }),
  };
  const tryElse = all ? 'Try fewer or other words.' : 'Try other words, or all: true for other projects.';
  const heading =
    found.length === 0
      ? describeNothing({
          ...{ text: query, where: ` in ${where}`, weaker },
          ...{ showWeaker: `limit: ${USUAL_HITS}`, tryElse },
        })
      : `${formatCount(found.length, 'hit')} in ${where}, best first; open with get:`;
  const waiting = store.countPendingDocs();
  const isCut = found.length > 0 && shown.length < hits.length;
  const replacedNote = describeReplaced(replaced);
  const remarks = [
    ...(replacedNote ? [replacedNote] : []),
    ...(isCut ? [`${formatCount(weaker.length, 'weaker hit')}: limit: ${MOST_HITS}`] : []),
    ...(waiting > 0 ? [`${waiting} more are not indexed yet: search again in a moment.`] : []),
    ...notes,
  ];
  return {
    text: [heading, ...found.map(({ line }) => line), ...remarks].join('\n'),
    structure,
    given: found.flatMap(({ memory, line, entry }) =>
      memory
        ? [
            {
              memoryId: memory.id,
              tokens: countTokens(line),
              reason: reasonFor(query, entry, call),
              // A line is not the memory: prompts may still bring up the rest of it.
              claims: entry.claim ? [entry.claim.position] : [],
            },
          ]
        : [],
    ),
  };
}

/** A query may contain a secret, like all captured text. */
function reasonFor(query: string, { reasons }: IndexEntry, call: ToolContext): string {
  const asked = shorten(cleanText(call, query), 80);
  return [`found by search "${asked}"`, ...reasons].join(', ');
}
