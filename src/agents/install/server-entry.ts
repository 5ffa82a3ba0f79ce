import { getNodeValue, type Node } from 'jsonc-parser';
import type { Json, JsonObject } from '../../model/json.ts';
import { dropIfEmpty, findNode } from './containers.ts';
import type { AddedParts, EditedSettings, EntryState } from './edited-settings.ts';
import {
  addWholeValue,
  appendItem,
  findProperty,
  InvalidJsonError,
  listProperties,
  removeChild,
} from './json-text.ts';
import { type Draft, openDraft } from './settings-draft.ts';

/**
 * Cairn's MCP server in a file of the form `… { "mcpServers": { "<name>": { command, args } } }`. Text in, text out,
 * like `hook-entries.ts`.
 */

export interface WantedServer {
  within: string[];
  name: string;
  value: JsonObject;
  /** Updates the existing entry under this name; null if it is not Cairn's. */
  renew(known: Json): JsonObject | null;
}

export type ServerState = Exclude<EntryState, 'doubled'> | 'foreign';

/** A server of another program with the same name is left alone. */
export function installServer(before: string | null, wanted: WantedServer): EditedSettings {
  const draft = openDraft(before ?? '');
  const made: AddedParts = { object: draft.root() === undefined, containers: [] };
  const state = stateIn(draft.root(), wanted);
  const wasThere = state === 'installed' || state === 'outdated';
  if (state === 'missing') add(draft, wanted, wanted.value, made);
  const outdated = state === 'outdated' ? find(draft.root(), wanted) : undefined;
  if (outdated) {
    const renewed = wanted.renew(getNodeValue(outdated.value));
    draft.apply(removeChild(draft.text(), outdated.container, outdated.index));
    add(draft, wanted, renewed ?? wanted.value, made);
  }
  return { ...draft.result(), made, wasThere };
}

/** Without `made` the earlier content is unknown: a container that becomes empty is removed too. */
export function removeServer(before: string, wanted: WantedServer, made?: AddedParts): EditedSettings {
  const draft = openDraft(before);
  const state = stateIn(draft.root(), wanted);
  const wasThere = state === 'installed' || state === 'outdated';
  const found = wasThere ? find(draft.root(), wanted) : undefined;
  if (found) {
    draft.apply(removeChild(draft.text(), found.container, found.index));
    // Without a record, only the innermost container is known to have been created for it.
    const depths = wanted.within
      .map((_, outer) => wanted.within.length - outer)
      .slice(0, made ? undefined : 1);
    for (const depth of depths) dropIfEmpty(draft, wanted.within.slice(0, depth), made);
  }
  return { ...draft.result(), made: made ?? { object: false, containers: [] }, wasThere };
}

export function inspectServer(text: string | null, wanted: WantedServer): ServerState {
  return stateIn(openDraft(text ?? '').root(), wanted);
}

function stateIn(root: Node | undefined, wanted: WantedServer): ServerState {
  const found = find(root, wanted);
  if (!found) return 'missing';
  const known: Json = getNodeValue(found.value);
  const renewed = wanted.renew(known);
  if (!renewed) return 'foreign';
  return JSON.stringify(renewed) === JSON.stringify(known) ? 'installed' : 'outdated';
}

function find(root: Node | undefined, { within, name }: WantedServer) {
  const container = within.reduce<Node | undefined>(findProperty, root);
  const entry = listProperties(container).findLast(({ key }) => key === name);
  return container && entry ? { container, ...entry } : undefined;
}

function add(draft: Draft, { within, name }: WantedServer, value: JsonObject, made: AddedParts): void {
  if (made.object) draft.apply([addWholeValue(draft.text(), {})]);
  const known = within.findIndex((_, depth) => !findNode(draft, within.slice(0, depth + 1)));
  const depth = known === -1 ? within.length : known;
  made.containers = within.slice(depth).map((_, more) => within.slice(0, depth + more + 1));
  const container = findNode(draft, within.slice(0, depth));
  if (container?.type !== 'object')
    throw new InvalidJsonError(
      draft.text(),
      container?.offset ?? 0,
      `"${within[depth - 1]}" is not an object`,
    );
  // Missing parents are created.
  const [key = name, ...inner] = [...within.slice(depth), name];
  const whole = inner.reduceRight<JsonObject>((content, step) => ({ [step]: content }), value);
  draft.apply(appendItem(draft.text(), container, whole, key));
}
