import type { Agent } from '../agents/agent.ts';
import { isObject, type Json } from '../model/json.ts';

/** A payload with more unknown keys probably uses data as keys. */
const MOST_NAMES = 20;

/** Only keys that look like field names are recorded; others may be data. */
const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,59}$/;

/** The names of payload fields that the agent's adapter does not know, as after a change in the client. */
export function findUnknownFields({ knownFields }: Pick<Agent, 'knownFields'>, payload: Json): string[] {
  if (!knownFields || !isObject(payload)) return [];
  const unknown: string[] = [];
  for (const name in payload) {
    if (!knownFields.includes(name) && FIELD_NAME.test(name)) unknown.push(name);
    if (unknown.length === MOST_NAMES) break;
  }
  return unknown;
}
