import { isObject } from '../../model/json.ts';
import type { Turn } from '../turn.ts';
import { withoutFolder } from './calls/paths.ts';
import { listField, textField } from './calls/response.ts';
import { findFailedTests } from './calls/symptom.ts';
import type { Evidence } from './evidence.ts';
import { shorten } from './text/shorten.ts';

/** What the turn left undone, as its end shows: cut off, red, or with open tasks. */
export function findOpenEnds(turn: Turn, { stillRed }: Evidence): string[] {
  return [...openTasks(turn.calls), ...red(stillRed), ...cutOff(turn)];
}

function cutOff({ closingWords, closedBy, calls, folder }: Turn): string[] {
  if (closingWords.trim() !== '' || closedBy === 'turn-end' || closedBy === 'compaction') return [];
  const last = calls.at(-1);
  const doing = withoutFolder(last?.command ?? last?.files[0]?.path ?? '', folder);
  return [`Unfinished: the turn was cut off${last && doing ? ` after \`${shorten(doing, 80)}\`` : ''}.`];
}

function red(run: Evidence['stillRed']): string[] {
  if (!run) return [];
  const [test] = findFailedTests(run);
  return [
    `\`${shorten(run.command, 80)}\` was still red${test === undefined ? '' : `: ${shorten(test, 120)}`}.`,
  ];
}

/** The agent's own list of tasks, as it stood last. */
function openTasks(calls: Turn['calls']): string[] {
  const list = calls.findLast(({ tool }) => tool === 'TodoWrite');
  return listField(list?.input, 'todos')
    .filter((task) => isObject(task) && task.status !== 'completed')
    .map((task) => textField(task, 'content') ?? '')
    .filter((content) => content !== '')
    .slice(0, 5)
    .map((content) => `Open task: ${shorten(content, 120)}.`);
}
