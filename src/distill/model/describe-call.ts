import { isObject, type Json } from '../../model/json.ts';
import { inProject, withoutFolder } from '../offline/calls/paths.ts';
import { outputOf, textField } from '../offline/calls/response.ts';
import { shorten } from '../offline/text/shorten.ts';
import type { TurnCall } from '../turn.ts';
import { formatDiff } from './diff.ts';
import { clipMiddle, type Entry } from './fit-entries.ts';

const LONGEST_LINE = 220;
const LONGEST_CHANGE = 900;
const LONGEST_FAILURE = 1_200;
const LONGEST_OUTPUT = 600;
const LONGEST_ANSWER = 1_500;

/** Null if it contains nothing worth remembering. */
export function describeCall(call: TurnCall, folder: string): Entry | null {
  const failed = call.outcome !== 'success';
  const ending = `${OUTCOMES[call.outcome]}${call.subagent ? ` (subagent ${call.subagent})` : ''}`;
  const entry = (line: string, detail: string, matters: boolean): Entry => ({
    line: shorten(withoutFolder(line, folder), LONGEST_LINE) + ending,
    detail: withoutFolder(detail, folder).trimEnd(),
    matters,
  });
  const paths = call.files.map(({ path }) => inProject(path, folder));
  const output = (longest: number) => clipMiddle(outputOf(call.response).trim(), longest);
  const problem = () => output(LONGEST_FAILURE);

  switch (call.does) {
    case 'change':
      return entry(
        `changed ${paths.join(', ') || call.tool}`,
        failed ? problem() : clipMiddle(formatDiff(call), LONGEST_CHANGE),
        true,
      );
    case 'command': {
      const matters = failed || call.priority === 'high';
      return entry(`ran ${call.command ?? ''}`, failed ? problem() : output(LONGEST_OUTPUT), matters);
    }
    case 'read':
      return entry(`read ${paths.join(', ') || call.tool}`, '', false);
    case 'search':
      return entry(`searched ${textField(call.input, 'pattern') ?? paths.join(', ')}`, '', false);
    // Its report is among the turn's reports.
    case 'delegate':
      return entry(`handed over: ${textField(call.input, 'description') ?? call.tool}`, '', false);
    case 'meta': {
      const answers = readPersonAnswers(call.response);
      return answers === '' ? null : entry(call.tool, clipMiddle(answers, LONGEST_ANSWER), true);
    }
    case 'web':
    case 'other': {
      const what = textField(call.input, 'url') ?? textField(call.input, 'query') ?? '';
      return entry(`used ${call.tool} ${what}`, failed ? problem() : output(LONGEST_OUTPUT), failed);
    }
  }
}

const OUTCOMES = { success: '', failure: ' → failed', refused: ' → refused by the person' };

/** Plans and answers to questions; other tools of the agent itself are housekeeping. */
function readPersonAnswers(response: Json): string {
  const answers = isObject(response) && isObject(response.answers) ? response.answers : {};
  const lines = Object.entries(answers).map(([question, answer]) => {
    return `${question} → ${typeof answer === 'string' ? answer : JSON.stringify(answer)}`;
  });
  return [...lines, textField(response, 'plan') ?? ''].join('\n').trim();
}
