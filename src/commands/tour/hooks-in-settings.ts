import { isObject, type Json } from '../../model/json.ts';

/** The commands an agent would run for this event, from its own settings. */
export function findHookCommands(settings: Json, event: string, tool: string | undefined): string[] {
  const events = isObject(settings) ? settings.hooks : undefined;
  const groups = isObject(events) ? events[event] : undefined;
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((group) => {
    if (!isObject(group) || !matches(group.matcher, tool) || !Array.isArray(group.hooks)) return [];
    return group.hooks.flatMap((hook) =>
      isObject(hook) && typeof hook.command === 'string' ? [hook.command] : [],
    );
  });
}

function matches(matcher: Json | undefined, tool: string | undefined): boolean {
  if (typeof matcher !== 'string' || matcher === '' || matcher === '*') return true;
  return tool !== undefined && new RegExp(`^(?:${matcher})$`).test(tool);
}
