import { agentById } from '../../agents/all.ts';
import type { UnknownField } from '../../store/types/session.ts';
import { type Check, ok } from './check.ts';

/** Fields that were unknown when an agent sent them. Leaves out those that this version of Cairn knows. */
export function checkUnknownFields(name: string, agent: string, all: UnknownField[]): Check[] {
  const known = agentById(agent)?.knownFields ?? [];
  const byHook = new Map<string, string[]>();
  for (const field of all)
    if (field.agent === agent && !known.includes(field.name))
      byHook.set(field.hook, [...(byHook.get(field.hook) ?? []), field.name]);
  if (byHook.size === 0) return [];
  const fields = [...byHook].map(([hook, names]) => `${hook}: ${names.join(', ')}`).join('; ');
  return [ok(name, `sends fields that this Cairn does not know and ignores (${fields})`)];
}
