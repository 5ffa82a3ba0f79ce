import { formatCount } from '../../context/words.ts';
import { all, context, nothing, notice } from '../../model/reply.ts';
import type { Answers, Handler } from './handler.ts';

export const sessionStart: Handler<'session-start'> = (event, answers) => {
  const problems = answers.findProblems().map(notice);
  const welcome = answers.claimFirstSession() ? [notice(WELCOME)] : [];
  // An import may have filled the memory before the first session.
  const start = answers.buildStartContext(event.source);
  if (start.text === '') return all(nothing, ...welcome, ...problems);
  return all(context(start.text), ...welcome, notice(formatNotice(start)), ...problems);
};

function formatNotice({ shown, tokens, work }: ReturnType<Answers['buildStartContext']>): string {
  const inFull = shown.filter(({ how }) => how === 'full').length;
  const given = [
    ...(work ? [`the work item ${work}`] : []),
    ...(shown.length > 0 ? [`${formatCount(shown.length, 'memory', 'memories')} (${inFull} in full)`] : []),
  ];
  const what = given.join(' and ') || 'what the last session did';
  return `Cairn: gave the agent ${what}, ${tokens} tokens. See: cairn open${work ? '. Not about this work item: cairn work leave' : ''}`;
}

const WELCOME =
  'Cairn is on. It keeps the prompts, tool calls and results of this agent on this machine only, without ' +
  'secrets and without what you put in <private>…</private>. See it: cairn open. ' +
  'Pause: cairn pause. Remove: cairn uninstall';
