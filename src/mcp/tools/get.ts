import * as z from 'zod/mini';
import { presentMoments } from '../../context/present-moments.ts';
import { formatMemory, formatPrompt, formatSession } from '../../context/present-record.ts';
import type { ReliabilityOf } from '../../context/reliability.ts';
import { createReliability } from '../../context/reliability.ts';
import type { JsonObject } from '../../model/json.ts';
import { formatReference, type Reference } from '../../model/reference.ts';
import { countTokens } from '../../model/tokens.ts';
import { formatTeamId, parseTeamId } from '../../team/search/team-id.ts';
import { learnFromOpening } from './learn-from-searches.ts';
import { limitedList, MAX_ITEMS, MAX_LENGTH, requiredText } from './limits.ts';
import { describeMissing, requireReference } from './references.ts';
import { structureOf, structureOfMemory, structureOfPrompt } from './structure.ts';
import { defineTool, READ_ONLY, type ToolContext } from './tool.ts';
import { ToolError } from './tool-error.ts';

/** Clients truncate longer answers. */
const MOST_TOKENS = 12_000;
const ENTRIES_OF_A_SESSION = 40;

export const get = defineTool({
  name: 'get',
  description: 'Full records by id: memories (12), prompts (p34), sessions (s5).',
  input: z.object({ ids: limitedList(MAX_ITEMS.ids, requiredText(MAX_LENGTH.name)).check(z.minLength(1)) }),
  annotations: READ_ONLY,
  async run({ ids }, call) {
    const uniqueIds = [...new Set(ids)];
    const teamIds = uniqueIds.flatMap((id) => parseTeamId(id) ?? []);
    const team = teamIds.length > 0 ? await openFromTeam(teamIds, call) : { records: [], missing: [] };
    const references = uniqueIds.filter((id) => parseTeamId(id) === null).map(requireReference);
    const reliabilityOf = createReliability(call);
    const opened = references.map((reference) => ({
      reference,
      record: open(reference, call, reliabilityOf),
    }));
    const missing = [
      ...opened.filter(({ record }) => !record).map(({ reference }) => describeMissing(reference)),
      ...team.missing,
    ];
    const records = [
      ...opened.flatMap(({ reference, record }) =>
        record ? [{ name: formatReference(reference), reference, ...record }] : [],
      ),
      ...team.records,
    ];
    if (records.length === 0) throw new ToolError(`${missing.join(' ')} Use search to find ids.`);

    const included = withinBudget(records);
    const left = records.slice(included.length).map(({ name }) => name);
    // Of several memories, any may be the intended one, so nothing is learned.
    const [only, ...others] = references;
    const isAlone = only?.what === 'memory' && others.length === 0;
    const learnt = isAlone ? learnFromOpening(call, only.id) : null;
    const remarks = [
      ...missing,
      ...(learnt ? [learnt] : []),
      ...(left.length ? [`Too long for one answer: ask for ${left.join(', ')} again.`] : []),
    ];
    return {
      text: [...included.map(({ text }) => text), ...remarks].join('\n\n'),
      structure: { records: included.map(({ structure }) => structure), missing },
      given: included.flatMap(({ reference, text }) =>
        reference?.what === 'memory'
          ? [{ memoryId: reference.id, tokens: countTokens(text), reason: 'opened by its id' }]
          : [],
      ),
    };
  },
});

interface Opened {
  text: string;
  structure: JsonObject;
}

/** Records that only the team's server has. */
async function openFromTeam(beginnings: string[], call: ToolContext) {
  const [{ askTeam }, { openTeamMemories }] = await Promise.all([
    import('./team.ts'),
    import('../../team/search/read-team-memory.ts'),
  ]);
  const found = await askTeam(call, (feed) => openTeamMemories(call.store, feed, beginnings));
  return {
    records: found.map(({ item, localId, memory }) => {
      const name = formatTeamId(item);
      const marks = [localId === null ? 'not pulled' : `here as #${localId}`];
      const text = formatMemory(memory, marks).replace(/^#\d+/, name);
      return { name, reference: null, text, structure: { ...structureOfMemory(memory, marks), id: name } };
    }),
    missing: beginnings
      .filter((beginning) => !found.some(({ item }) => item.startsWith(beginning)))
      .map((beginning) => `The team has no memory t${beginning}.`),
  };
}

function open({ what, id }: Reference, call: ToolContext, reliabilityOf: ReliabilityOf): Opened | undefined {
  const { store } = call;
  if (what === 'memory') {
    const memory = store.getMemory(id);
    if (!memory) return undefined;
    const replaced = memory.supersededBy === null ? [] : [`replaced by #${memory.supersededBy}`];
    const marks = [...replaced, ...reliabilityOf(memory).marks];
    return { text: formatMemory(memory, marks), structure: structureOfMemory(memory, marks) };
  }
  if (what === 'prompt') {
    const [prompt] = store.getPrompts([id]);
    return prompt && { text: formatPrompt(prompt), structure: structureOfPrompt(prompt) };
  }
  const [session] = store.findSessions(`s${id}`);
  if (!session) return undefined;
  const around = { at: session.firstSeen };
  const query = { projectId: null, sessionId: id, around, before: 0, after: ENTRIES_OF_A_SESSION };
  const entries = presentMoments(store, store.listMoments(query), reliabilityOf);
  const { firstSeen, lastSeen, agent, model, project, branch, prompts, closingWords, changedFiles } = session;
  return {
    text: formatSession(session, entries),
    structure: {
      ...{
        id: `s${id}`,
        kind: 'session',
        agent,
        model,
        project,
        branch,
        prompts,
        closingWords,
        changedFiles,
      },
      from: new Date(firstSeen).toISOString(),
      to: new Date(lastSeen).toISOString(),
      entries: entries.map(structureOf),
    },
  };
}

/** Keeps at least one record, however long it is. */
function withinBudget<T extends Opened>(records: T[]): T[] {
  let tokens = 0;
  return records.filter(({ text }, index) => {
    tokens += countTokens(text);
    return index === 0 || tokens <= MOST_TOKENS;
  });
}
