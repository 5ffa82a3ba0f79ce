import type { Agent } from '../agents/agent.ts';
import { isObject, type Json } from '../model/json.ts';

/** More than this in one payload is data in the place of names. */
const MOST_NAMES = 20;

/** What looks like the name of a field; anything else may be data. */
const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,59}$/;

/** Names of fields in a payload that the agent's adapter has never seen: its client has changed. */
export function findUnknownFields({ knownFields }: Pick<Agent, 'knownFields'>, payload: Json): string[] {
  if (!knownFields || !isObject(payload)) return [];
  const unknown: string[] = [];
  for (const name in payload) {
    if (!knownFields.includes(name) && FIELD_NAME.test(name)) unknown.push(name);
    if (unknown.length === MOST_NAMES) break;
  }
  return unknown;
}
