import * as z from 'zod/mini';
import { readEmbedderAccess } from '../../config/environment.ts';
import { describeCount, describeHidden } from '../../context/present-count.ts';
import { entryLine, type IndexEntry } from '../../context/present-entry.ts';
import type { PresentedHit } from '../../context/present-hits.ts';
import { describeNothing } from '../../context/present-nothing.ts';
import { createReliability } from '../../context/reliability.ts';
import { isInVain, type SearchAnswer, searchMemory } from '../../context/search-memory.ts';
import { cleanText } from '../../curation/clean-text.ts';
import { toOneLine } from '../../framing/stored-lines.ts';
import { embedQuery } from '../../indexing/embed-query.ts';
import { shorten } from '../../model/shorten.ts';
import { countTokens } from '../../model/tokens.ts';
import { findNameProblem } from '../../recall/check-names.ts';
import { findQueryProblem } from '../../recall/check-query.ts';
import { describeReplaced } from '../../recall/near-words/describe-replaced.ts';
import { parseQuery } from '../../recall/parse-query.ts';
import type { TeamHit } from '../../team/search/rank-candidates.ts';
import { keepWeakSearch } from './learn-from-searches.ts';
import { limitedList, limitedText, MAX_ITEMS, MAX_LENGTH, wholeNumber } from './limits.ts';
import { structureOf } from './structure.ts';
import { defineTool, READ_ONLY, type ToolAnswer, type ToolContext } from './tool.ts';
import { ToolError } from './tool-error.ts';

/** Short, because the agent waits for the embedding of the query. */
const LONGEST_WAIT_MS = 2_000;
const USUAL_HITS = 10;
const MOST_HITS = 50;
const LIMIT = (number: number) => `limit: ${number}`;

export const search = defineTool({
  name: 'search',
  description:
    'Search past work before you redo, debug or decide what came up before. Best first; open what matters with get. Operators: "phrase" -not type: file: branch: since:2w before: kind:error',
  input: z.object({
    query: limitedText(MAX_LENGTH.query),
    limit: z.optional(wholeNumber(1, MOST_HITS)),
    kinds: z.optional(limitedList(MAX_ITEMS.kinds, z.enum(['observation', 'summary', 'note', 'prompt']))),
    all: z.optional(z.boolean().check(z.describe('also other projects'))),
    team: z.optional(z.boolean()),
  }),
  annotations: READ_ONLY,
  async run({ query, limit, kinds = [], all: isAll = false, team = false }, call) {
    const { store, project, branches, now, paths, settings } = call;
    const parsed = parseQuery(query, now());
    const problem = findQueryProblem(query, now());
    if (problem !== null) throw new ToolError(problem);
    const withWeaker = limit !== undefined;
    const isSealed = team && store.getTeam()?.isEncrypted === true;
    const all = isAll || isSealed;
    const criteria = {
      text: query,
      projectId: project?.id ?? null,
      ...(kinds.length > 0 && { kinds }),
      ...(branches.current !== undefined && { branch: branches.current }),
      limit: limit ?? USUAL_HITS,
      now: now(),
    };
    if (team && !isSealed) {
      const [{ askTeam }, { searchTeam }] = await Promise.all([
        import('./team.ts'),
        import('../../team/search/search-team.ts'),
      ]);
      const result = await askTeam(call, (feed) =>
        searchTeam(store, feed, criteria, createReliability(call)),
      );
      if (result.outcome === 'unusable') throw new ToolError(result.problem);
      return describe(
        query,
        { where: 'the team', all: true, withWeaker },
        { ...result, replaced: [], unknown: [] },
        call,
        [],
      );
    }
    const unknown = findNameProblem(parsed, store);
    if (unknown !== null) throw new ToolError(unknown);
    const { vector, trouble } = await embedQuery(parsed.words, store.getVectorIndex(), {
      ...{ paths, settings, now, access: readEmbedderAccess, mostMs: LONGEST_WAIT_MS },
      clean: (text) => cleanText(call, text),
    });
    const request = {
      ...criteria,
      reach: all ? ('all' as const) : ('project' as const),
      ...(vector && { vector }),
    };
    const answer = searchMemory(store, request, createReliability(call));
    if (parsed.phrases.length === 0 && isInVain(answer)) keepWeakSearch(call, parsed.words);
    const notes = [
      ...(isSealed
        ? ['The team is encrypted, so its server cannot search: these are hits of this machine.']
        : []),
      ...(trouble ? [`Searched by words only, without embeddings: ${trouble}`] : []),
    ];
    const own = all ? 'any project' : (project?.name ?? 'this project');
    const where = toOneLine(parsed.projects.join(', ') || own);
    return describe(query, { where, all, withWeaker }, answer, call, notes);
  },
});

function describe(
  query: string,
  { where, all, withWeaker }: { where: string; all: boolean; withWeaker: boolean },
  { hits, more, replaced, unknown }: Omit<SearchAnswer, 'hits'> & { hits: (PresentedHit | TeamHit)[] },
  call: ToolContext,
  notes: string[],
): ToolAnswer {
  const { store, project } = call;
  const weaker = hits.filter(({ isWeaker }) => isWeaker);
  const shown = withWeaker ? hits : hits.filter(({ isWeaker }) => !isWeaker);
  const found = shown.map((hit) => ({
    ...{ entry: hit.entry, score: hit.score, isWeaker: hit.isWeaker },
    memoryId: 'item' in hit ? hit.localId : (hit.memory?.id ?? null),
    line: entryLine(hit.entry, { withProject: all }),
  }));
  const structure = {
    project: project?.name ?? null,
    hits: found.map(({ entry, score, isWeaker }) => ({
      ...structureOf(entry),
      score: Number(score.toFixed(3)),
      isWeaker,
    })),
    more,
    ...(replaced.length > 0 && { replaced, unknown }),
  };
  const tryElse = all ? 'Try fewer or other words.' : 'Try other words, or all: true for other projects.';
  const heading =
    found.length === 0
      ? describeNothing({
          ...{ text: query, now: call.now(), where: ` in ${where}`, weaker, unit: LIMIT, tryElse },
        })
      : `${describeCount(found.length, more)} in ${where}, best first; open with get:`;
  const waiting = store.countPendingDocs();
  const hidden = { more, weaker: withWeaker ? 0 : weaker.length, shown: found.length };
  const replacedNote = describeReplaced(replaced, unknown);
  const remarks = [
    ...(replacedNote ? [replacedNote] : []),
    ...(found.length > 0 ? describeHidden(hidden, LIMIT, MOST_HITS) : []),
    ...(waiting > 0 ? [`${waiting} more are not indexed yet: search again in a moment.`] : []),
    ...notes,
  ];
  return {
    text: [heading, ...found.map(({ line }) => line), ...remarks].join('\n'),
    structure,
    given: found.flatMap(({ memoryId, line, entry }) =>
      memoryId !== null
        ? [
            {
              memoryId,
              tokens: countTokens(line),
              reason: reasonFor(query, entry, call),
              // Only this claim was shown: prompts may still bring up the rest of the memory.
              claims: entry.claim ? [entry.claim.position] : [],
            },
          ]
        : [],
    ),
  };
}

/** A query may contain a secret, so it is redacted like captured text. */
function reasonFor(query: string, { reasons }: IndexEntry, call: ToolContext): string {
  const shownQuery = shorten(cleanText(call, query), 80);
  return [`found by search "${shownQuery}"`, ...reasons].join(', ');
}
