import { createHash } from 'node:crypto';
import { getNodeValue, type Node } from 'jsonc-parser';
import { parse } from 'smol-toml';
import { isObject, type Json } from '../../model/json.ts';
import { findProperty, listProperties, parseJsonText } from '../install/json-text.ts';

/**
 * Codex runs a hook only after the person has trusted it. It stores a hash of the hook by its file, event and position:
 * `[hooks.state."~/.codex/hooks.json:session_start:0:0"] trusted_hash = "sha256:…"`.
 */

interface PlacedHook {
  event: string;
  key: string;
  hash: string;
}

/** The events whose hooks from Cairn are not trusted in this form and position. */
export function findUntrusted(
  { hooksPath, hooks, config }: { hooksPath: string; hooks: string; config: string },
  isOurs: (command: string) => boolean,
): string[] {
  const trusted = readTrusted(config);
  return findPlacedHooks(hooksPath, hooks, isOurs)
    .filter(({ key, hash }) => trusted.get(key) !== hash)
    .map(({ event }) => event);
}

function findPlacedHooks(path: string, text: string, isOurs: (command: string) => boolean): PlacedHook[] {
  return listProperties(findProperty(parseJsonText(text), 'hooks')).flatMap(({ key: event, value }) =>
    (value.children ?? []).flatMap((group, groupIndex) =>
      (findProperty(group, 'hooks')?.children ?? []).flatMap((hook, hookIndex) => {
        const command: unknown = findProperty(hook, 'command')?.value;
        if (typeof command !== 'string' || !isOurs(command)) return [];
        const name = event.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
        const key = `${path}:${name}:${groupIndex}:${hookIndex}`;
        return [{ event, key, hash: hashOf(name, group, hook) }];
      }),
    ),
  );
}

/** The hash of the hook alone, as compact JSON with sorted keys. */
function hashOf(name: string, group: Node, hook: Node): string {
  const { type, command, timeout, statusMessage, additionalContextLimit, ...rest } = getNodeValue(hook);
  const matcher: Json | undefined = findProperty(group, 'matcher')?.value;
  const identity = {
    event_name: name,
    ...(matcher !== undefined && { matcher }),
    hooks: [{ type, command, timeout, async: rest.async ?? false, statusMessage, additionalContextLimit }],
  };
  return `sha256:${createHash('sha256')
    .update(JSON.stringify(sortKeys(identity)))
    .digest('hex')}`;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  );
}

/** A disabled hook counts as not trusted. */
function readTrusted(config: string): Map<string, string> {
  const { hooks } = parse(config) as { hooks?: unknown };
  const states = isObject(hooks) && isObject(hooks.state) ? hooks.state : {};
  return new Map(
    Object.entries(states).flatMap(([key, state]) =>
      isObject(state) && typeof state.trusted_hash === 'string' && state.enabled !== false
        ? [[key, state.trusted_hash] as const]
        : [],
    ),
  );
}
