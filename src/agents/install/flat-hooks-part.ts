import type { Node } from 'jsonc-parser';
import type { JsonObject } from '../../model/json.ts';
import type { InstallPart } from './agent-installer.ts';
import { dropIfEmpty } from './containers.ts';
import type { AddedParts, EditedSettings, EntryState } from './edited-settings.ts';
import { summarise } from './hooks-part.ts';
import {
  addWholeValue,
  appendItem,
  findProperty,
  listProperties,
  removeChild,
  replaceValue,
} from './json-text.ts';
import { type Draft, openDraft } from './settings-draft.ts';

interface FlatEntry {
  event: string;
  /** Fields of the entry other than its command. */
  fields: JsonObject;
}

export interface WantedFlatHooks {
  path: string;
  entries: FlatEntry[];
  command(event: string): string;
  /** Recognises Cairn's commands of any version. */
  isOurs(command: string): boolean;
  /** The version of the format, if the file must have one. */
  version?: number;
}

/** Hooks in a file of the form `{ "hooks": { "<event>": [{ "command": "…", … }] } }`. */
export function createFlatHooksPart(wanted: WantedFlatHooks): InstallPart {
  const { path, entries, command } = wanted;
  const inspect = (text: string | null) => inspectEntries(openDraft(text ?? ''), wanted);
  return {
    kind: 'hooks',
    label: `${entries.length} hooks`,
    path,
    isWanted: true,
    install: (text) => installEntries(text, wanted),
    remove: (text, made) => removeEntries(text, wanted, made),
    inspect: (text) => summarise(inspect(text).map(({ state }) => state)),
    hooks: { events: entries.map(({ event }) => event), inspect, command },
  };
}

function installEntries(before: string | null, wanted: WantedFlatHooks): EditedSettings {
  const draft = openDraft(before ?? '');
  const made: AddedParts = { object: draft.root() === undefined, containers: [] };
  const wasThere = findOurs(draft, wanted).length > 0;
  if (made.object) draft.apply([addWholeValue(draft.text(), {})]);
  const root = draft.root();
  if (root && wanted.version !== undefined && !findProperty(root, 'version'))
    draft.apply(appendItem(draft.text(), root, wanted.version, 'version'));
  for (const entry of wanted.entries) placeEntry(draft, entry, wanted, made);
  const events = wanted.entries.map(({ event }) => event);
  removeWhere(draft, wanted, ({ event }) => !events.includes(event));
  return { ...draft.result(), made, wasThere };
}

/** Rewrites Cairn's entry for this event in place, or adds one. */
function placeEntry(draft: Draft, entry: FlatEntry, wanted: WantedFlatHooks, made: AddedParts): void {
  const ofEvent = () => findOurs(draft, wanted).filter(({ event }) => event === entry.event);
  for (let all = ofEvent(); all.length > 1; all = ofEvent()) removeEntry(draft, all.at(-1));
  const value = entryFor(entry, wanted);
  if (ofEvent().length > 0) {
    for (const [key, part] of Object.entries(value)) {
      const [known] = ofEvent();
      const node = findProperty(known?.entry, key);
      if (node && node.value !== part) draft.apply([replaceValue(draft.text(), node, part)]);
      else if (known && !node) draft.apply(appendItem(draft.text(), known.entry, part, key));
    }
    return;
  }
  const root = draft.root();
  const hooks = findProperty(root, 'hooks');
  const list = findProperty(hooks, entry.event);
  if (!hooks) made.containers.push(['hooks']);
  if (!list) made.containers.push(['hooks', entry.event]);
  if (list) draft.apply(appendItem(draft.text(), list, value));
  else if (hooks) draft.apply(appendItem(draft.text(), hooks, [value], entry.event));
  else if (root) draft.apply(appendItem(draft.text(), root, { [entry.event]: [value] }, 'hooks'));
}

/** Without `made` the earlier content is unknown: containers that become empty are removed too. */
function removeEntries(before: string, wanted: WantedFlatHooks, made?: AddedParts): EditedSettings {
  const draft = openDraft(before);
  const touched = new Set(removeWhere(draft, wanted, () => true));
  for (const event of touched) dropIfEmpty(draft, ['hooks', event], made);
  if (touched.size > 0) dropIfEmpty(draft, ['hooks'], made);
  const root = draft.root();
  const rest = listProperties(root);
  // If only the version is left, it was written with Cairn's first hook.
  if (root && touched.size > 0 && made?.object && rest.length === 1 && rest[0]?.key === 'version')
    draft.apply(removeChild(draft.text(), root, 0));
  return { ...draft.result(), made: made ?? { object: false, containers: [] }, wasThere: touched.size > 0 };
}

function inspectEntries(draft: Draft, wanted: WantedFlatHooks): { event: string; state: EntryState }[] {
  const ours = findOurs(draft, wanted);
  return wanted.entries.map((entry) => {
    const [first, second] = ours.filter(({ event }) => event === entry.event);
    if (!first) return { event: entry.event, state: 'missing' };
    if (second) return { event: entry.event, state: 'doubled' };
    return {
      event: entry.event,
      state: isCurrent(first.entry, entryFor(entry, wanted)) ? 'installed' : 'outdated',
    };
  });
}

interface Found {
  event: string;
  list: Node;
  index: number;
  entry: Node;
}

function findOurs(draft: Draft, { isOurs }: WantedFlatHooks): Found[] {
  return listProperties(findProperty(draft.root(), 'hooks')).flatMap(({ key: event, value: list }) =>
    (list.children ?? []).flatMap((entry, index) => {
      const command: unknown = findProperty(entry, 'command')?.value;
      return typeof command === 'string' && isOurs(command) ? [{ event, list, index, entry }] : [];
    }),
  );
}

/** @returns the events of the removed entries. */
function removeWhere(draft: Draft, wanted: WantedFlatHooks, which: (found: Found) => boolean): string[] {
  const events: string[] = [];
  const next = () => findOurs(draft, wanted).findLast(which);
  for (let found = next(); found; found = next()) {
    events.push(found.event);
    removeEntry(draft, found);
  }
  return events;
}

function removeEntry(draft: Draft, found: Found | undefined): void {
  if (found) draft.apply(removeChild(draft.text(), found.list, found.index));
}

function entryFor({ event, fields }: FlatEntry, { command }: WantedFlatHooks): JsonObject {
  return { command: command(event), ...fields };
}

function isCurrent(entry: Node, value: JsonObject): boolean {
  const known = Object.fromEntries(listProperties(entry).map(({ key, value: node }) => [key, node.value]));
  return Object.entries(value).every(([key, part]) => known[key] === part);
}
