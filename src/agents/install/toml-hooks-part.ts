import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../model/json.ts';
import type { InstallPart, InstallPlace } from './agent-installer.ts';
import { type EditedSettings, type EntryState, unchanged } from './edited-settings.ts';
import { buildHookCommand, isHookCommand } from './hook-command.ts';
import { type HookEntry, summarise } from './hooks-part.ts';
import { applyEdit, InvalidJsonError, type TextEdit } from './json-text.ts';
import { formatTomlLines, readToml } from './toml-text.ts';

const BEGIN = "# Cairn's hooks: cairn uninstall removes them.";
const END = "# End of Cairn's hooks.";

export interface WantedTomlHooks {
  agent: string;
  path: string;
  entries: HookEntry[];
}

/**
 * Hooks as tables `[[hooks]]` with `event`, `command` and `timeout` in a TOML file. They are recognised by their
 * command, because an agent that saves its settings may drop comments. Everything else is kept byte for byte.
 */
export function createTomlHooksPart(
  { agent, path, entries }: WantedTomlHooks,
  place: InstallPlace,
): InstallPart {
  const command = buildHookCommand(agent, place);
  const isOurs = (hook: unknown) => isObject(hook) && isHookCommand(agent, String(hook.command));
  const tables = entries.map(({ event, timeout }) => ({ event, command: command(event), timeout }));
  const lines = tables.flatMap((table) => ['[[hooks]]', ...formatTomlLines(table)]);
  const inspect = (text: string | null) => {
    const ours = hooksIn(readToml(text)).filter(isOurs);
    return tables.map((table) => ({ event: table.event, state: stateOf(table, ours) }));
  };

  function install(text: string): EditedSettings {
    const ours = hooksIn(readToml(text)).filter(isOurs);
    const isCurrent = tables.every((table) => stateOf(table, ours) === 'installed');
    if (isCurrent && ours.length === tables.length) return { ...unchanged(text), wasThere: true };
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const block = [BEGIN, ...lines, END, ''].join(eol);
    const [first, ...rest] = findRanges(text, isOurs);
    const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
    const edits = first
      ? [...rest.toReversed().map(removal(text)), { ...removal(text)(first), inserted: block }]
      : [{ offset: text.length, removed: '', inserted: gap + block }];
    return edited(text, edits, ours.length > 0);
  }

  function remove(text: string): EditedSettings {
    const ranges = findRanges(text, isOurs).map((range) => withBlankLine(text, range));
    return edited(text, ranges.toReversed().map(removal(text)), ranges.length > 0);
  }

  /** Everything except Cairn's tables must parse to the same values as before. */
  function edited(before: string, edits: TextEdit[], wasThere: boolean): EditedSettings {
    const after = edits.reduce(applyEdit, before);
    if (!isDeepStrictEqual(withoutOurs(readEdited(before, after)), withoutOurs(readToml(before))))
      throw new InvalidJsonError(before, 0, 'hooks cannot be added without changing the rest');
    const undo = edits.map(({ offset, removed, inserted }) => ({
      offset,
      removed: inserted,
      inserted: removed,
    }));
    return {
      text: after,
      changed: after !== before,
      undo: undo.toReversed(),
      made: { object: before === '', containers: [] },
      wasThere,
    };
  }

  function withoutOurs(settings: unknown): unknown {
    if (!isObject(settings)) return settings;
    const { hooks, ...rest } = settings as Record<string, unknown>;
    if (hooks !== undefined && !Array.isArray(hooks)) return settings;
    const theirs = (hooks ?? []).filter((hook) => !isOurs(hook));
    return { ...rest, hooks: theirs };
  }

  return {
    kind: 'hooks',
    label: `${entries.length} hooks`,
    path,
    isWanted: true,
    install: (text) => install(text ?? ''),
    remove,
    inspect: (text) => summarise(inspect(text).map(({ state }) => state)),
    hooks: { events: entries.map(({ event }) => event), inspect, command },
  };
}

function hooksIn(settings: unknown): unknown[] {
  const hooks = isObject(settings) ? settings.hooks : undefined;
  return Array.isArray(hooks) ? hooks : [];
}

function stateOf(table: HookTable, ours: unknown[]): EntryState {
  const [known, ...more] = ours.filter(isObject).filter(({ event }) => event === table.event);
  if (known === undefined) return 'missing';
  if (more.length > 0) return 'doubled';
  const { command, timeout, ...others } = known;
  const isCurrent = command === table.command && timeout === table.timeout;
  return isCurrent && Object.keys(others).length === 1 ? 'installed' : 'outdated';
}

function readEdited(before: string, after: string): unknown {
  try {
    return readToml(after);
  } catch {
    throw new InvalidJsonError(before, 0, 'write the hooks as tables [[hooks]]');
  }
}

interface HookTable {
  event: string;
  command: string;
  timeout: number;
}

interface Range {
  start: number;
  end: number;
}

/** Cairn's tables and the comments around them; adjacent ones are one range. */
function findRanges(text: string, isOurs: (hook: unknown) => boolean): Range[] {
  const ranges: Range[] = [];
  let offset = 0;
  for (const piece of splitTables(text)) {
    const end = offset + piece.length;
    const isOwn = [BEGIN, END].includes(piece.trim()) || isOwnTable(piece, isOurs);
    const last = ranges.at(-1);
    if (isOwn && last?.end === offset) last.end = end;
    else if (isOwn) ranges.push({ start: offset, end });
    offset = end;
  }
  return ranges;
}

/** Splits the text into hooks (from header to last value), Cairn's comments, and the text between. */
function splitTables(text: string): string[] {
  const pieces: string[] = [];
  let isInTable = false;
  for (const line of text.split(/(?<=\n)/)) {
    const content = line.trim();
    const isHook = /^\[\[\s*hooks\s*\]\]\s*(?:#.*)?$/.test(content);
    // A comment or blank line ends a table here, because it may belong to the next one.
    const isValue = content !== '' && !content.startsWith('#') && !content.startsWith('[');
    if (isInTable && isValue) pieces[pieces.length - 1] += line;
    else pieces.push(line);
    isInTable = isHook || (isInTable && isValue);
  }
  return pieces;
}

function isOwnTable(piece: string, isOurs: (hook: unknown) => boolean): boolean {
  if (!piece.trimStart().startsWith('[[')) return false;
  try {
    return hooksIn(readToml(piece)).some(isOurs);
  } catch {
    return false;
  }
}

/** Includes the blank line before the table, which was written with it. */
function withBlankLine(text: string, { start, end }: Range): Range {
  const blank = /(?:^|\n)(\r?\n)$/.exec(text.slice(0, start))?.[1] ?? '';
  return { start: start - blank.length, end };
}

function removal(text: string): (range: Range) => TextEdit {
  return ({ start, end }) => ({ offset: start, removed: text.slice(start, end), inserted: '' });
}
