import * as z from 'zod/mini';
import { resumeHandoff, saveHandoff } from '../../continuity/handoff/handoff.ts';
import { formatHandoff } from '../../continuity/handoff/handoff-markdown.ts';
import { parseHandoff } from '../../continuity/handoff/parse-handoff.ts';
import { type Handoff, type HandoffParts, PENDING_HANDOFF_STATES, type WorkItem } from '../../model/work.ts';
import { limitedText, MAX_LENGTH } from './limits.ts';
import { ADDITIVE, defineTool, type ToolAnswer, type ToolContext } from './tool.ts';
import { ToolError } from './tool-error.ts';
import {
  changeWorkItems,
  findOwnWorkItem,
  findSession,
  requireWorkItem,
  startWorkItem,
} from './work-items.ts';

const LOOKED_AT = 50;
const text = z.optional(limitedText(MAX_LENGTH.text));

export const handoff = defineTool({
  name: 'handoff',
  description:
    'Save what a new session needs to continue, when the person asks or the context window is nearly full: your own words, with reasons, an item per line; other parts come from memory. resume: get the pending handoff and continue it.',
  input: z.object({
    action: z.optional(z.enum(['save', 'resume'])),
    goal: text,
    state: text,
    decisions: text,
    deadEnds: text,
    files: text,
    questions: text,
    nextSteps: text,
    note: text,
    work: z.optional(limitedText(MAX_LENGTH.name)),
  }),
  annotations: ADDITIVE,
  run({ action = 'save', work, ...words }, calledIn) {
    return changeWorkItems(calledIn, (call) =>
      action === 'save' ? save(call, work, words) : resume(call, work),
    );
  },
});

async function save(call: ToolContext, name: string | undefined, words: Words): Promise<ToolAnswer> {
  const size = Object.values(words).reduce((sum, part) => sum + (part?.length ?? 0), 0);
  if (size > MAX_LENGTH.handoff)
    throw new ToolError(
      `Nothing was saved: all parts together have ${size.toLocaleString('en-US')} characters; the limit is ${MAX_LENGTH.handoff.toLocaleString('en-US')}.`,
    );
  const parts = parseHandoff(JSON.stringify(Object.fromEntries(asItems(words))));
  if ('problem' in parts) throw new ToolError(`Nothing was saved: ${parts.problem}`);
  const own = name === undefined ? findOwnWorkItem(call) : requireWorkItem(call, name);
  if (!own && !words.goal)
    throw new ToolError('This session has no work item yet. Pass a goal, or name a work item.');
  const work = own ?? startWorkItem(call, words.goal ?? '');
  const { agentSession = null } = findSession(call) ?? {};
  const saved = await saveHandoff(call, {
    ...{ work, words: parts, by: 'agent', agentSession },
    folder: call.folder,
  });
  const empty = Object.entries(saved.parts).filter(
    ([part, content]) => part !== 'note' && content.length === 0,
  );
  const lacks =
    empty.length > 0
      ? ` Nothing is known of: ${empty.map(([part]) => part).join(', ')}; save again to add it.`
      : '';
  return {
    text: `Saved handoff ${saved.number} of ${work.name}. The next session gets it by itself, once: the person may clear or close this one.${lacks}`,
    structure: { work: work.name, number: saved.number, empty: empty.map(([part]) => part) },
  };
}

function resume(call: ToolContext, name: string | undefined): ToolAnswer {
  const { store } = call;
  const [next, ...others] = listOffered(call, name);
  if (!next)
    throw new ToolError(`No pending handoffs${name === undefined ? ' in this project' : ` for ${name}`}.`);
  const { text, work } = open(call, next);
  const names = others.filter(isPending).map(({ workId }) => store.getWorkItem(workId)?.name);
  const more = names.length > 0 ? `\nAlso waiting (name the work to get it): ${names.join(', ')}` : '';
  return {
    text: `Check it against the current state before you continue.\n\n${text}${more}`,
    structure: { work: work.name, number: next.number, text },
  };
}

/** A session may read its handoff again, because it may have received only a part of it. */
function open(call: ToolContext, handoff: Handoff): { text: string; work: WorkItem } {
  const work = call.store.getWorkItem(handoff.workId);
  if (work && !isPending(handoff)) return { text: formatHandoff(handoff, work), work };
  const resumed = resumeHandoff(call, { handoff, session: findSession(call) });
  if ('problem' in resumed) throw new ToolError(resumed.problem);
  return resumed;
}

/** The handoff given to this session first, then those of this branch, then the latest. Its own go last. */
function listOffered(call: ToolContext, name: string | undefined): Handoff[] {
  const { store, project, branches, agentSession } = call;
  const scope =
    name === undefined ? project && { projectId: project.id } : { workId: requireWorkItem(call, name).id };
  if (!scope) return [];
  const rank = ({ workId, agentSession: writer, givenTo }: Handoff) => {
    if (writer === agentSession) return 3;
    if (givenTo === agentSession) return 0;
    return store.getWorkItem(workId)?.branch === (branches.current ?? null) ? 1 : 2;
  };
  return store
    .listHandoffs({ ...scope, states: [...PENDING_HANDOFF_STATES, 'taken'], limit: LOOKED_AT })
    .filter(({ state, givenTo }) => state === 'staged' || givenTo === agentSession)
    .sort((a, b) => rank(a) - rank(b));
}

function isPending({ state }: Handoff): boolean {
  return PENDING_HANDOFF_STATES.includes(state);
}

type Words = Partial<Record<keyof HandoffParts, string | undefined>>;

/** A text without bullets has one item per line. */
function asItems(words: Words): [string, string | string[] | undefined][] {
  const isList = (part: string, value: string) =>
    !['goal', 'state', 'note'].includes(part) && !/^ {0,3}(?:[-*+]|\d{1,3}[.)])\s/m.test(value);
  return Object.entries(words).map(([part, value]) => [
    part,
    value !== undefined && isList(part, value) ? value.split('\n') : value,
  ]);
}
