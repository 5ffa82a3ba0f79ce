import { EMPTY_FRAME, frame, NO_TEXT, prependInstruction } from '../../framing/frame.ts';
import { toOneLine } from '../../framing/stored-lines.ts';
import type { Framed } from '../../model/framed.ts';
import { shorten } from '../../model/shorten.ts';
import { createBudget } from '../budget.ts';
import { formatTask, type WorkItemDetails } from './work-item-details.ts';

const TOKENS = 500;
const MOST_CHARACTERS = 4_000;

const INSTRUCTION = 'Keep everything in this list in the summary, with names, paths and numbers unchanged:';

/** Instructions for a compaction, whose summary is all that the rest of the session knows. */
export function formatSurvivalList({ work, plan, tasks, decisions }: WorkItemDetails): Framed {
  const budget = createBudget({ tokens: TOKENS, characters: MOST_CHARACTERS });
  const open = tasks.filter(({ state }) => state === 'open' || state === 'doing');
  const done = tasks.filter(({ state }) => state === 'done');
  if (!budget.spend(`${INSTRUCTION}\n${EMPTY_FRAME}`)) return NO_TEXT;
  const lines = [
    `- the goal: ${shorten(work.title, 200)} (work ${toOneLine(work.name)})`,
    ...(plan ? [`- the accepted plan (version ${plan.version}) and how far it is`] : []),
    ...(open.length > 0
      ? ['- what is still to be done:', ...open.map((task) => `  ${formatTask(task)}`)]
      : []),
    ...(done.length > 0
      ? [`- what is done: ${shorten(done.map(({ subject }) => subject).join('; '), 400)}`]
      : []),
    ...(decisions.length > 0
      ? ['- decisions and their reasons:', ...decisions.map((decision) => `  - ${decision}`)]
      : []),
    '- what was tried and did not work, files that were changed and not yet tested, questions to the person',
    '- the very next step',
  ];
  return prependInstruction(INSTRUCTION, frame(lines.filter((line) => budget.spend(line)).join('\n')));
}
