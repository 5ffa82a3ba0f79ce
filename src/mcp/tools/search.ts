import * as z from 'zod/mini';
import { readEmbedderAccess } from '../../config/environment.ts';
import { entryLine, type IndexEntry } from '../../context/present-entry.ts';
import { presentErrors } from '../../context/present-errors.ts';
import { type PresentedHit, presentHits } from '../../context/present-hits.ts';
import { createReliability } from '../../context/reliability.ts';
import { formatCount } from '../../context/words.ts';
import { cleanText } from '../../curation/clean-text.ts';
import { isWeakAnswer } from '../../curation/learn-alias.ts';
import { toOneLine } from '../../framing/stored-lines.ts';
import { embedQuery } from '../../indexing/embed-query.ts';
import { shorten } from '../../model/shorten.ts';
import { countTokens } from '../../model/tokens.ts';
import { findProjectProblem } from '../../recall/check-projects.ts';
import { findErrors } from '../../recall/errors/find-errors.ts';
import { correctQuery } from '../../recall/near-words/correct-query.ts';
import { describeReplaced } from '../../recall/near-words/describe-replaced.ts';
import { parseQuery } from '../../recall/parse-query.ts';
import { recall } from '../../recall/recall.ts';
import type { RecallRequest } from '../../recall/request.ts';
import { keepWeakSearch } from './learn-from-searches.ts';
import { limitedList, limitedText, MAX_ITEMS, MAX_LENGTH } from './limits.ts';

import { structureOf } from './structure.ts';
import { clampLimit, defineTool, READ_ONLY, type ToolAnswer, type ToolContext } from './tool.ts';
import { ToolError } from './tool-error.ts';

/** Short: an agent waits for the query's embedding. */
const LONGEST_WAIT_MS = 2_000;
/** Of a failed call and its consequences. */
const MOST_ERRORS = 3;

export const search = defineTool({
  name: 'search',
  description:
    'Search memories of past work before you redo, debug or decide what may have come up before. Returns an index, best first, with tokens; open the few that matter with get. Operators: "phrase" -not type: file: branch: since:2w before: kind:error',
  input: z.object({
    query: limitedText(MAX_LENGTH.query).check(z.describe('names, errors, files')),
    limit: z.optional(z.int()),
    kinds: z.optional(limitedList(MAX_ITEMS.kinds, z.enum(['observation', 'summary', 'note', 'prompt']))),
    all: z.optional(z.boolean().check(z.describe('also other projects'))),
  }),
  annotations: READ_ONLY,
  async run({ query, limit = 10, kinds = [], all = false }, call) {
    const { store, project, branches, now, paths, settings } = call;
    const parsed = parseQuery(query, now());
    const problem = parsed.problems[0] ?? findProjectProblem(parsed, store.listProjects);
    if (problem !== null) throw new ToolError(problem);
    const { vector, trouble } = await embedQuery(parsed.words, store.getVectorIndex(), {
      ...{ paths, settings, now, access: readEmbedderAccess, mostMs: LONGEST_WAIT_MS },
      clean: (text) => cleanText(call, text),
    });
    const request: RecallRequest = {
      text: query,
      projectId: project?.id ?? null,
      reach: all ? 'all' : 'project',
      ...(kinds.length > 0 && { kinds }),
      ...(branches.current !== undefined && { branch: branches.current }),
      ...(vector && { vector }),
      limit: clampLimit(50, limit),
      now: now(),
    };
    const { asksForErrors, kinds: named } = parsed;
    const isOnlyErrors = asksForErrors && named.length + kinds.length === 0;
    const errors = findErrors(store, request, isOnlyErrors ? request.limit : MOST_ERRORS);
    const { text: searched, replaced } =
      errors.length > 0 || isOnlyErrors ? { text: query, replaced: [] } : correctQuery(store, request);
    const hits = isOnlyErrors ? [] : recall(store, { ...request, text: searched });
    const replacedNote = describeReplaced(replaced);
    const notes = [
      ...(replacedNote ? [replacedNote] : []),
      ...(trouble ? [`Searched by words only, without embeddings: ${trouble}`] : []),
    ];
    const found = [
      ...presentErrors(store, errors),
      ...presentHits(store, hits, createReliability(call), searched),
    ];
    const answer = describe(query, all, found, call, notes);
    if (parsed.phrases.length === 0 && isWeakAnswer(found.map(({ score }) => score)))
      keepWeakSearch(call, parsed.words);
    return { ...answer, structure: { ...answer.structure, ...(replaced.length > 0 && { replaced }) } };
  },
});

function describe(
  query: string,
  all: boolean,
  hits: PresentedHit[],
  call: ToolContext,
  notes: string[],
): ToolAnswer {
  const { store, project } = call;
  const where = all ? 'any project' : toOneLine(project?.name ?? 'this project');
  const found = hits.map(({ entry, score, memory }) => ({
    ...{ entry, score, memory },
    line: entryLine(entry, { withProject: all }),
  }));
  const structure = {
    project: project?.name ?? null,
    hits: found.map(({ entry, score }) => ({ ...structureOf(entry), score: Number(score.toFixed(3)) })),
  };
  const advice = all ? 'Try fewer or other words.' : 'Try other words, or all: true for other projects.';
  const heading =
    found.length === 0
      ? `Nothing is known about "${shorten(query, 200)}" in ${where}. ${advice}`
      : `${formatCount(found.length, 'hit')} in ${where}, best first; open with get:`;
  const waiting = store.countPendingDocs();
  const remarks = [
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
