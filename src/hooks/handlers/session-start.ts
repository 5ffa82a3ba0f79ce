import { counted } from '../../context/words.ts';
import { all, context, nothing, notice } from '../../model/reply.ts';
import type { Handler, Memory } from './handler.ts';

export const sessionStart: Handler<'session-start'> = (event, memory) => {
  const troubles = memory.troubles().map(notice);
  if (memory.isFirstSession()) return all(notice(WELCOME), ...troubles);
  const given = memory.forStart(event.source);
  if (given.text === '') return all(nothing, ...troubles);
  return all(context(given.text), notice(lineOn(given)), ...troubles);
};

function lineOn({ shown, tokens, work }: ReturnType<Memory['forStart']>): string {
  const inFull = shown.filter(({ how }) => how === 'full').length;
  const told = [
    ...(work ? [`the work ${work}`] : []),
    ...(shown.length > 0 ? [`${counted(shown.length, 'memory', 'memories')}, ${inFull} in full`] : []),
  ];
  return `Cairn: told the agent of ${told.join(' and of ')} (${tokens} tokens; see: cairn context)`;
}

const WELCOME =
  'Cairn is on. It keeps the prompts, tool calls and results of this agent on this machine only, without ' +
  'secrets and without what stands in <private>…</private>. See it: cairn status. ' +
  'Pause: cairn pause. Remove: cairn uninstall claude-code';
