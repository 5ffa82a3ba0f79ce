import type { Node } from 'jsonc-parser';
import type { Json } from '../../model/json.ts';
import { dropIfEmpty } from './containers.ts';
import type { AddedParts, EditedSettings, EntryState } from './edited-settings.ts';
import {
  addWholeValue,
  appendItem,
  findProperty,
  listProperties,
  removeChild,
  replaceValue,
} from './json-text.ts';
import { type Draft, openDraft } from './settings-draft.ts';

/**
 * Cairn's entries in settings of the form `hooks.<Event>[] = { matcher?, hooks: [{ type, command, timeout }] }`. Text
 * in, text out; `isOurs` recognises Cairn's commands of any version.
 */

export interface WantedEntry {
  event: string;
  matcher?: string;
  command: string;
  timeout: number;
  /** The agent shows it instead of the command. */
  name?: string;
}

export type IsOurs = (command: string) => boolean;

export function installEntries(
  before: string | null,
  entries: WantedEntry[],
  isOurs: IsOurs,
): EditedSettings {
  const draft = openDraft(before ?? '');
  const made: AddedParts = { object: draft.root() === undefined, containers: [] };
  const wasThere = findOurs(draft.root(), isOurs).length > 0;
  const wanted = new Set(entries.map((entry) => entry.event));

  if (made.object) draft.apply([addWholeValue(draft.text(), {})]);
  for (const entry of entries) place(draft, entry, isOurs, made);
  removeAll(draft, (found) => !wanted.has(found.event), isOurs, undefined);
  return { ...draft.result(), made, wasThere };
}

/** Without `made` the earlier content is unknown: containers that become empty are removed too. */
export function removeEntries(
  before: string,
  isOurs: IsOurs,
  { made, keepsPositions = false }: { made?: AddedParts | undefined; keepsPositions?: boolean } = {},
): EditedSettings {
  const draft = openDraft(before);
  const wasThere = findOurs(draft.root(), isOurs).length > 0;
  if (keepsPositions) emptyFollowedGroups(draft, isOurs);
  removeAll(draft, () => true, isOurs, made);
  return { ...draft.result(), made: made ?? { object: false, containers: [] }, wasThere };
}

export function inspectEntries(
  text: string | null,
  entries: WantedEntry[],
  isOurs: IsOurs,
): { event: string; state: EntryState }[] {
  const ours = findOurs(openDraft(text ?? '').root(), isOurs);
  return entries.map((entry) => {
    const [first, second] = ours.filter((found) => found.event === entry.event);
    if (!first) return { event: entry.event, state: 'missing' };
    if (second) return { event: entry.event, state: 'doubled' };
    return { event: entry.event, state: differences(first, entry).length > 0 ? 'outdated' : 'installed' };
  });
}

/** Rewrites Cairn's entry for this event in place, or adds one. */
function place(draft: Draft, entry: WantedEntry, isOurs: IsOurs, made: AddedParts): void {
  const ofEvent = () => findOurs(draft.root(), isOurs).filter((found) => found.event === entry.event);
  for (let all = ofEvent(); all.length > 1; all = ofEvent()) removeHook(draft, all.at(-1));

  const found = ofEvent()[0];
  if (!found) {
    addGroup(draft, entry, made);
    return;
  }
  const changes = differences(found, entry);
  if (found.isShared && changes.some((change) => change.of === 'group')) {
    // A group that contains other hooks keeps its matcher.
    removeHook(draft, found);
    addGroup(draft, entry, made);
    return;
  }
  for (const { of, key, value } of changes) {
    const current = ofEvent()[0];
    if (current) setProperty(draft, current[of], key, value);
  }
}

function addGroup(draft: Draft, entry: WantedEntry, made: AddedParts): void {
  const root = draft.root();
  const hooks = findProperty(root, 'hooks');
  const array = findProperty(hooks, entry.event);
  const group: Json = {
    ...(entry.matcher !== undefined && { matcher: entry.matcher }),
    hooks: [
      {
        type: 'command',
        command: entry.command,
        timeout: entry.timeout,
        ...(entry.name !== undefined && { name: entry.name }),
      },
    ],
  };
  if (root && !hooks) made.containers.push(['hooks']);
  if (root && !array) made.containers.push(['hooks', entry.event]);
  if (array) draft.apply(appendItem(draft.text(), array, group));
  else if (hooks) draft.apply(appendItem(draft.text(), hooks, [group], entry.event));
  else if (root) draft.apply(appendItem(draft.text(), root, { [entry.event]: [group] }, 'hooks'));
}

interface Found {
  event: string;
  array: Node;
  group: Node;
  groupIndex: number;
  hook: Node;
  hookIndex: number;
  list: Node;
  isShared: boolean;
}

function findOurs(root: Node | undefined, isOurs: IsOurs): Found[] {
  return listProperties(root)
    .filter(({ key }) => key === 'hooks')
    .flatMap(({ value }) => listProperties(value))
    .flatMap(({ key: event, value: array }) =>
      (array.children ?? []).flatMap((group, groupIndex) =>
        findInGroup(group, isOurs).map((found) => ({ event, array, group, groupIndex, ...found })),
      ),
    );
}

function findInGroup(group: Node, isOurs: IsOurs): Pick<Found, 'hook' | 'hookIndex' | 'list' | 'isShared'>[] {
  const list = findProperty(group, 'hooks');
  if (list?.type !== 'array') return [];
  const hooks = list.children ?? [];
  return hooks.flatMap((hook, hookIndex) => {
    const command: unknown = findProperty(hook, 'command')?.value;
    const isFound = typeof command === 'string' && isOurs(command);
    return isFound ? [{ hook, hookIndex, list, isShared: hooks.length > 1 }] : [];
  });
}

interface Change {
  of: 'group' | 'hook';
  key: string;
  value: string | number | undefined;
}

function differences(found: Found, entry: WantedEntry): Change[] {
  const wanted: Change[] = [
    { of: 'group', key: 'matcher', value: entry.matcher },
    { of: 'hook', key: 'type', value: 'command' },
    { of: 'hook', key: 'command', value: entry.command },
    { of: 'hook', key: 'timeout', value: entry.timeout },
    ...(entry.name === undefined ? [] : [{ of: 'hook' as const, key: 'name', value: entry.name }]),
  ];
  return wanted.filter(({ of, key, value }) => findProperty(found[of], key)?.value !== value);
}

function setProperty(draft: Draft, object: Node, key: string, value: string | number | undefined): void {
  const known = listProperties(object).findLast((property) => property.key === key);
  if (value === undefined) {
    if (known) draft.apply(removeChild(draft.text(), object, known.index));
  } else if (known) draft.apply([replaceValue(draft.text(), known.value, value)]);
  else draft.apply(appendItem(draft.text(), object, value, key));
}

/** Removes Cairn's entries, then the containers that became empty. */
function removeAll(
  draft: Draft,
  which: (found: Found) => boolean,
  isOurs: IsOurs,
  made: AddedParts | undefined,
): void {
  const touched = new Set<string>();
  const next = () => findOurs(draft.root(), isOurs).findLast(which);
  for (let found = next(); found; found = next()) {
    touched.add(found.event);
    removeHook(draft, found);
  }
  for (const event of touched) {
    dropIfEmpty(draft, ['hooks', event], made);
  }
  if (touched.size > 0) dropIfEmpty(draft, ['hooks'], made);
}

/** Empties Cairn's groups before a group of another program, to keep that group's position. */
function emptyFollowedGroups(draft: Draft, isOurs: IsOurs): void {
  const isFollowed = ({ array, groupIndex, isShared }: Found) =>
    !isShared && groupIndex < (array.children ?? []).length - 1;
  const next = () => findOurs(draft.root(), isOurs).find(isFollowed);
  for (let found = next(); found; found = next())
    draft.apply([replaceValue(draft.text(), found.group, { hooks: [] })]);
}

function removeHook(draft: Draft, found: Found | undefined): void {
  if (!found) return;
  if (found.isShared) draft.apply(removeChild(draft.text(), found.list, found.hookIndex));
  else draft.apply(removeChild(draft.text(), found.array, found.groupIndex));
}
