import { isDeepStrictEqual } from 'node:util';
import { type Document, isCollection, isMap, isScalar, type Node, type Pair, stringify } from 'yaml';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type { InstallPart, InstallPlace, PartState } from './agent-installer.ts';
import type { AddedParts, EditedSettings } from './edited-settings.ts';
import { applyEdit, InvalidJsonError, removeRange, type TextEdit } from './json-text.ts';
import { commandLineOf, describeForeignServer, describeServer, type ServerShape } from './server-part.ts';
import { endOf, insertLines, lineEnd, lineStart, parseYaml, startOf } from './yaml-text.ts';

export interface YamlShape extends Pick<ServerShape, 'path' | 'build' | 'readCommand'> {
  /** The top-level key of the agent's servers. */
  within: string;
  /** `list`: a server is a list item that contains its name. `map`: its name is the key. */
  form: 'list' | 'map';
}

/**
 * Cairn's MCP server in a YAML file of the agent. The parser finds the position and checks that the rest still has the
 * same values; the file is edited as text to keep comments, order and quotes.
 */
export function createYamlServerPart(shape: YamlShape, place: InstallPlace): InstallPart {
  const { path, within, form } = shape;
  const { name, value, renew } = describeServer({ ...shape, within: [within] }, place);
  const [command = '', ...args] = commandLineOf(place);
  return {
    kind: 'mcp server',
    label: 'the MCP server',
    path,
    isWanted: place.choices.hasServer,
    install,
    remove: removeServer,
    inspect: (text) => inspect(text ?? ''),
    explain: (state) => (state === 'foreign' ? describeForeignServer(path) : undefined),
    server: { command, args },
  };

  function inspect(text: string): PartState {
    const known = findEntry(parseYaml(text))?.value;
    if (known === undefined) return 'missing';
    const renewed = renew(known);
    if (!renewed) return 'foreign';
    return JSON.stringify(renewed) === JSON.stringify(known) ? 'installed' : 'outdated';
  }

  function install(before: string | null): EditedSettings {
    const text = before ?? '';
    const state = inspect(text);
    const old = state === 'outdated' ? findEntry(parseYaml(text))?.value : undefined;
    const wasThere = state === 'installed' || state === 'outdated';
    const made: AddedParts = { object: text === '', containers: [] };
    const edits: TextEdit[] = [];
    const renewed = (old !== undefined && renew(old)) || value;
    if (state === 'outdated') edits.push(removal(text, { isWhole: false }));
    if (state === 'missing' || state === 'outdated')
      edits.push(insertion(edits.reduce(applyEdit, text), renewed));
    if (state === 'missing' && !findPair(parseYaml(text))) made.containers.push([within]);
    return checked(text, edits, { made, wasThere, isThere: state !== 'foreign' });
  }

  function removeServer(text: string, made?: AddedParts): EditedSettings {
    const state = inspect(text);
    const wasThere = state === 'installed' || state === 'outdated';
    const isWhole = made === undefined || made.containers.some(([key]) => key === within);
    const edits = wasThere ? [removal(text, { isWhole })] : [];
    const left = made ?? { object: false, containers: [] };
    return checked(text, edits, { made: left, wasThere, isThere: false });
  }

  function insertion(text: string, entry: JsonObject): TextEdit {
    const document = parseYaml(text);
    const list = findPair(document)?.value;
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const written = form === 'list' ? [entry] : { [name]: entry };
    const lines = (content: unknown, indent: number) =>
      stringify(content, { lineWidth: 0 })
        .trimEnd()
        .split('\n')
        .map((line) => `${' '.repeat(indent)}${line}${eol}`)
        .join('');
    if (isCollection(list) && list.flow) {
      const close = endOf(list) - 1;
      const inner = JSON.stringify(written).slice(1, -1);
      const comma = list.items.length > 0 ? ', ' : '';
      const offset = text.slice(0, close).trimEnd().length;
      return { offset, removed: '', inserted: `${comma}${inner}` };
    }
    if (isCollection(list)) {
      const token = list.srcToken;
      const indent = token && 'indent' in token ? token.indent : 0;
      return insertLines(text, endOf(list), lines(written, indent), eol);
    }
    const pair = findPair(document);
    if (pair) return insertLines(text, endOf(pair.key), lines(written, 2), eol);
    return insertLines(text, text.length, lines({ [within]: written }, 0), eol);
  }

  /** Removes the entry, or with `isWhole` the list around it if it is the only entry. */
  function removal(text: string, { isWhole }: { isWhole: boolean }): TextEdit {
    const document = parseYaml(text);
    const pair = findPair(document);
    const entry = findEntry(document);
    const list = pair?.value;
    if (!entry || !isCollection(list) || !pair) throw new Error('the server is not there');
    const { items } = list;
    if (list.flow) {
      const previous = items[entry.index - 1];
      const next = items[entry.index + 1];
      const start = previous ? endOf(previous) : startOf(items[entry.index]);
      return removeRange(text, start, !previous && next ? startOf(next) : endOf(items[entry.index]));
    }
    const first = isWhole && items.length === 1 ? pair : items[entry.index];
    const start = lineStart(text, startOf(first));
    return removeRange(text, start, lineEnd(text, endOf(items[entry.index])));
  }

  /** Cairn's server must be there (or removed), and everything else must have the same values as before. */
  function checked(
    before: string,
    edits: TextEdit[],
    { made, wasThere, isThere }: { made: AddedParts; wasThere: boolean; isThere: boolean },
  ): EditedSettings {
    const text = edits.reduce(applyEdit, before);
    if (edits.length > 0 && !isRight(before, text, isThere))
      throw new InvalidJsonError(
        before,
        0,
        `write "${within}" as a block of lines, so that Cairn can change it`,
      );
    const undo = edits
      .map(({ offset, removed, inserted }) => ({ offset, removed: inserted, inserted: removed }))
      .reverse();
    return { text, changed: text !== before, undo, made, wasThere };
  }

  function isRight(before: string, after: string, isThere: boolean): boolean {
    try {
      return (
        (inspect(after) === 'installed') === isThere && isDeepStrictEqual(othersIn(before), othersIn(after))
      );
    } catch (error) {
      // Lines added after a map in braces are invalid YAML.
      if (error instanceof InvalidJsonError) return false;
      throw error;
    }
  }

  function findPair(document: Document): Pair<Node, Node | null> | undefined {
    const root = document.contents;
    if (!isMap<Node, Node | null>(root)) return undefined;
    return root.items.find(({ key }) => isScalar(key) && key.value === within);
  }

  function findEntry(document: Document): { index: number; value: Json } | undefined {
    const list: unknown = document.toJS()?.[within];
    if (form === 'map') {
      const index = isObject(list) ? Object.keys(list).indexOf(name) : -1;
      return isObject(list) && index >= 0 ? { index, value: list[name] ?? null } : undefined;
    }
    const items: Json[] = Array.isArray(list) ? list : [];
    const isOurs = (item: Json) => isObject(item) && item.name === name;
    const index = items.findIndex(isOurs);
    return index >= 0 ? { index, value: items[index] ?? null } : undefined;
  }

  /** The values of the file without Cairn's server; an otherwise empty list counts as missing. */
  function othersIn(text: string): unknown {
    const { [within]: list, ...rest } = parseYaml(text).toJS() ?? {};
    const others = Array.isArray(list)
      ? list.filter((item) => !isObject(item) || item.name !== name)
      : Object.entries(list ?? {}).filter(([key]) => key !== name);
    return others.length > 0 ? { ...rest, [within]: others } : rest;
  }
}
