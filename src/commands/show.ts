import { formatPrompt } from '../context/present-record.ts';
import { describeLearnt, findAliasToLearn, learnAlias } from '../curation/learn-alias.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import type { Store } from '../store/store.ts';
import { isStoreError } from '../store/store-error.ts';
import { parseTeamId } from '../team/search/team-id.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './support/command.ts';
import { readMemory, withMemory } from './support/memory.ts';
import { identifySearcher } from './support/searcher.ts';
import { showMemory } from './support/show-memory.ts';
import { showDropped, showSession } from './support/show-session.ts';
import { requireArgument } from './support/usage.ts';

export const command: Command = {
  name: 'show',
  summary: 'Show a memory with its sources, or a session with everything the agent did',
  usage:
    'show <memory number> [--json]\nshow t<id of a memory of the team> [--json]\nshow p<prompt number> [--json]\nshow s<session number> | <session id> [--dropped] [--json]',
  help: 'A memory is shown with the sentences it was made from and why they were kept.\n--dropped: what the distiller did not keep of the session, and why.',
  options: { json: { type: 'boolean' }, dropped: { type: 'boolean' } },
  words: 1,
  async run(call) {
    const which = requireArgument(
      call.positionals[0],
      'memory or session',
      'See: cairn recent, cairn sessions',
    );
    if (call.options.dropped && /^[#p]?\d/i.test(which))
      throw new UsageError('--dropped needs a session, such as s1.');
    const number = /^#?(\d{1,15})$/.exec(which)?.[1];
    if (number) return showOpenedMemory(call, Number(number));
    const item = parseTeamId(which);
    if (item !== null) {
      const { showTeamMemory } = await import('./team/search.ts');
      return showTeamMemory(call, item);
    }
    return readMemory(call, (store) => {
      const prompt = /^p(\d{1,15})$/i.exec(which)?.[1];
      if (prompt) return showPrompt(call, store, Number(prompt));
      const session = onlySession(store, which);
      return call.options.dropped ? showDropped(call, store, session) : showSession(call, store, session);
    });
  },
};

/** Shows a memory. If a search has just failed, its words become aliases of this memory. */
function showOpenedMemory(call: Call, id: number): number {
  const { searcher } = identifySearcher(call);
  let alias: string | null = null;
  const exitCode = readMemory(call, (store) => {
    const shown = showMemory(call, store, id);
    const memory = store.getMemory(id);
    alias = memory && findAliasToLearn(store, memory, searcher, call.now());
    return shown;
  });
  if (alias !== null) learn(call, id, alias, searcher);
  return exitCode;
}

function learn(call: Call, id: number, alias: string, searcher: string): void {
  try {
    withMemory(call, (store) => learnAlias(store, id, alias, searcher, call.now()));
    if (!call.options.json) call.out(call.paint.dim(withCairnCommand(describeLearnt(id, alias))));
  } catch (error) {
    if (!isStoreError(error)) throw error;
  }
}

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
