import type { Store } from '../store/store.ts';
import { type Command, CommandError, UsageError } from './command.ts';
import { readMemory } from './read-memory.ts';
import { showMemory } from './show-memory.ts';
import { showSession } from './show-session.ts';

export const command: Command = {
  name: 'show',
  summary: 'One memory down to the calls it comes from, or one session with everything the agent did',
  usage: 'show <memory number> [--json]\nshow s<session number> | <session id> [--json]',
  options: { json: { type: 'boolean' } },
  words: 1,
  run(call) {
    const [which] = call.positionals;
    if (!which)
      throw new UsageError('What? Memories are listed by "cairn recent", sessions by "cairn sessions".');
    return readMemory(call, (store) => {
      const number = /^#?(\d{1,15})$/.exec(which)?.[1];
      if (number) return showMemory(call, store, Number(number));
      return showSession(call, store, onlySession(store, which));
    });
  },
};

function onlySession(store: Store, which: string) {
  const [session, another] = store.findSessions(which);
  if (!session) throw new CommandError(`There is no session ${which}. See: cairn sessions --all`);
  if (another) throw new CommandError(`Several sessions begin with ${which}; give more of the id.`);
  return session;
}
