import { getNodeValue } from 'jsonc-parser';
import type { Json } from '../../model/json.ts';
import type { InstallPart, InstallPlace } from './agent-installer.ts';
import { dropIfEmpty, findNode } from './containers.ts';
import { type AddedParts, combineEdits, type EditedSettings, unchanged } from './edited-settings.ts';
import { addWholeValue, appendItem, listProperties, removeChild } from './json-text.ts';
import { hasText, installText, removeText, type WantedText } from './list-entry.ts';
import { openDraft } from './settings-draft.ts';

/** A rule that lets an agent use tools without asking: a text in a list, or an entry of an object. */
export type AllowRule = WantedText | WantedEntry;

export interface WantedEntry {
  within: string[];
  name: string;
  value: Json;
}

interface Permission {
  path: string;
  rules: AllowRule[];
  /** The agent accepts comments in the file. */
  mayHaveComments?: true;
  /** If false, nothing else of Cairn is in the file. */
  isWanted?: boolean;
}

/** The rules in the agent's settings for Cairn's tools. They are added only if the person chooses to. */
export function createPermissionPart(
  { path, rules, mayHaveComments, isWanted = true }: Permission,
  { choices }: InstallPlace,
): InstallPart {
  const isThere = (text: string | null) => rules.every((rule) => hasRule(text, rule));
  return {
    kind: 'permission',
    label: "the permission for Cairn's tools",
    path,
    isWanted,
    ...(!mayHaveComments && { isPlainJson: true }),
    install: (text) =>
      rules
        .filter(() => choices.allowsTools)
        .reduce((before, rule) => combineEdits(before, installRule(before.text, rule)), unchanged(text)),
    remove: (text, made) =>
      rules.reduce(
        (before, rule) => combineEdits(before, removeRule(before.text, rule, made)),
        unchanged(text),
      ),
    inspect: (text) => (isThere(text) ? 'installed' : 'missing'),
    explain: (state) =>
      choices.allowsTools && state === 'missing'
        ? `${path} has one rule for all tools, which was not changed. Allow Cairn's tools there.`
        : undefined,
  };
}

function installRule(text: string, rule: AllowRule): EditedSettings {
  return 'list' in rule ? installText(text, rule) : installEntry(text, rule);
}

function removeRule(text: string, rule: AllowRule, made?: AddedParts): EditedSettings {
  return 'list' in rule ? removeText(text, rule, made) : removeEntry(text, rule, made);
}

function hasRule(text: string | null, rule: AllowRule): boolean {
  return 'list' in rule ? hasText(text, rule) : findEntry(text ?? '', rule) !== undefined;
}

/**
 * Adds the entry at the end of the object, because some agents use the last matching rule. An existing value under this
 * name, or in place of the object, is kept.
 */
function installEntry(before: string, rule: WantedEntry): EditedSettings {
  const { within, name, value } = rule;
  const draft = openDraft(before);
  const made: AddedParts = { object: draft.root() === undefined, containers: [] };
  const paths = within.map((_, depth) => within.slice(0, depth + 1));
  const isOtherwise = paths.some((path) => (findNode(draft, path)?.type ?? 'object') !== 'object');
  if (!isOtherwise && !findEntry(before, rule)) {
    if (made.object) draft.apply([addWholeValue(draft.text(), {})]);
    const missing = paths.filter((path) => !findNode(draft, path));
    const known = within.slice(0, within.length - missing.length);
    const [key = name, ...inner] = [...within.slice(known.length), name];
    const whole = inner.reduceRight<Json>((content, step) => ({ [step]: content }), value);
    const container = findNode(draft, known);
    if (container) draft.apply(appendItem(draft.text(), container, whole, key));
    made.containers = [...missing, [...within, name]];
  }
  // The rule alone is not an installation.
  return { ...draft.result(), made, wasThere: false };
}

/** Removes the entry only if it was added here and is unchanged; without `made` it counts as added. */
function removeEntry(before: string, rule: WantedEntry, made?: AddedParts): EditedSettings {
  const { within, name, value } = rule;
  const draft = openDraft(before);
  const isAdded = made === undefined || made.containers.some((path) => isSame(path, [...within, name]));
  const found = findEntry(before, rule);
  if (isAdded && found && isSame(getNodeValue(found.value), value)) {
    draft.apply(removeChild(draft.text(), found.container, found.index));
    // Without a record, only the innermost object is known to have been created for it.
    const paths = within
      .map((_, outer) => within.slice(0, within.length - outer))
      .slice(0, made ? undefined : 1);
    for (const path of paths) dropIfEmpty(draft, path, made);
  }
  return { ...draft.result(), made: made ?? { object: false, containers: [] }, wasThere: false };
}

function findEntry(text: string, { within, name }: WantedEntry) {
  const container = findNode(openDraft(text), within);
  const entry = listProperties(container).findLast(({ key }) => key === name);
  return container && entry ? { container, ...entry } : undefined;
}

function isSame(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
