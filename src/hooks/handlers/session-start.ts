import { all, context, nothing, notice } from '../../model/reply.ts';
import type { Handler } from './handler.ts';

export const sessionStart: Handler<'session-start'> = (event, memory) => {
  const troubles = memory.troubles().map(notice);
  if (memory.isFirstSession()) return all(notice(WELCOME), ...troubles);
  // On a resume the earlier context is still part of the conversation.
  if (event.source === 'resume') return all(nothing, ...troubles);
  const { text, count } = memory.recentSessions();
  if (count === 0) return all(nothing, ...troubles);
  const line = `Cairn: told the agent of ${count} recent session${count === 1 ? '' : 's'} (cairn sessions)`;
  return all(context(text), notice(line), ...troubles);
};

const WELCOME =
  'Cairn is on. It keeps the prompts, tool calls and results of this agent on this machine only, without ' +
  'secrets and without what stands in <private>…</private>. See it: cairn status. ' +
  'Pause: cairn pause. Remove: cairn uninstall claude-code';
