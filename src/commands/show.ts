import { formatPrompt } from '../context/present-record.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './support/command.ts';
import { readMemory } from './support/memory.ts';
import { showMemory } from './support/show-memory.ts';
import { showDropped, showSession } from './support/show-session.ts';
import { requireArgument } from './support/usage.ts';

export const command: Command = {
  name: 'show',
  summary: 'Show a memory with its sources, or a session with everything the agent did',
  usage:
    'show <memory number> [--json]\nshow p<prompt number> [--json]\nshow s<session number> | <session id> [--dropped] [--json]',
  help: 'A memory is shown with the sentences it was made from and why they were kept.\n--dropped: what the distiller did not keep of the session, and why.',
  options: { json: { type: 'boolean' }, dropped: { type: 'boolean' } },
  words: 1,
  run(call) {
    const which = requireArgument(
      call.positionals[0],
      'memory or session',
      'See: cairn recent, cairn sessions',
    );
    if (call.options.dropped && /^[#p]?\d/i.test(which))
      throw new UsageError('--dropped needs a session, such as s1.');
    return readMemory(call, (store) => {
      const number = /^#?(\d{1,15})$/.exec(which)?.[1];
      if (number) return showMemory(call, store, Number(number));
      const prompt = /^p(\d{1,15})$/i.exec(which)?.[1];
      if (prompt) return showPrompt(call, store, Number(prompt));
      const session = onlySession(store, which);
      return call.options.dropped ? showDropped(call, store, session) : showSession(call, store, session);
    });
  },
};

function showPrompt(call: Call, store: Store, id: number): number {
  const [prompt] = store.getPrompts([id]);
  if (!prompt) throw new CommandError(`There is no prompt p${id}. See: cairn timeline --all`);
  if (call.options.json) printJson(call, prompt);
  else call.out(formatPrompt(prompt));
  return 0;
}

function onlySession(store: Store, which: string) {
  const [session, another] = store.findSessions(which);
  if (!session) throw new CommandError(`There is no session ${which}. See: cairn sessions --all`);
  if (another) throw new CommandError(`Several sessions begin with ${which}; give more of the id.`);
  return session;
}
