import type { Agent, HookRouting } from '../agents/agent.ts';

type RoutedAgent = Pick<Agent, 'id' | 'hooks' | 'hidesNotices'>;
type Events = 'answered' | 'prompts' | 'reads' | 'ends' | 'withoutMessages';

/** What capture.sh needs to know about agents, as branches and patterns of its `case` statements. */
export function routeHooks(agents: RoutedAgent[]): Record<string, string> {
  return {
    SHARED: arms(agents, ({ id, hooks }) => {
      if (!hooks.areSharedWithOthers) return null;
      const others = agents.flatMap((agent) => (agent.id === id ? [] : (agent.hooks.marker ?? [])));
      const isElsewhere = `[ -z "${others.map((name) => `$${name}`).join('')}" ]`;
      return `[ -n "$${hooks.marker}" ] || ${isElsewhere} || exit 0`;
    }),
    SESSIONS: arms(agents, ({ hooks }) => hooks.session && `cairn_session=$${hooks.session}`),
    MESSAGES: patterns(agents.filter(({ hooks }) => hooks.showsSystemMessage).map(({ id }) => id)),
    WORDLESS: events(agents, 'withoutMessages'),
    HIDDEN: patterns(agents.filter(({ hidesNotices }) => hidesNotices).map(({ id }) => id)),
    ANSWERED: events(agents, 'answered'),
    PROMPTS: events(agents, 'prompts'),
    READS: events(agents, 'reads'),
    ENDS: events(agents, 'ends'),
  };
}

function arms(agents: RoutedAgent[], does: (agent: RoutedAgent) => string | null | undefined): string {
  return agents
    .flatMap((agent) => {
      const action = does(agent);
      return action ? [`  ${agent.id}) ${action} ;;`] : [];
    })
    .join('\n');
}

function events(agents: RoutedAgent[], kind: Events & keyof HookRouting): string {
  return patterns(agents.flatMap(({ id, hooks }) => (hooks[kind] ?? []).map((event) => `${id}:${event}`)));
}

/** A `case` branch needs at least one pattern. */
function patterns(words: string[]): string {
  return words.join(' | ') || "''";
}
