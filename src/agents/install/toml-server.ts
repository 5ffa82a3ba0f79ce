import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../model/json.ts';
import type { InstallPart, InstallPlace, PartState } from './agent-installer.ts';
import { type EditedSettings, unchanged } from './edited-settings.ts';
import { applyEdit, InvalidJsonError, type TextEdit } from './json-text.ts';
import { describeForeignServer, isCairnServer, SERVER_NAME } from './server-part.ts';
import { formatTomlLines, readToml } from './toml-text.ts';

interface TomlServer {
  path: string;
  within: string;
  /** Fields that let the agent call Cairn's tools without asking. */
  allowing: Record<string, string>;
}

/**
 * Cairn's MCP server as a table in a TOML file. The file is edited as text to keep comments and order; the parser only
 * checks that nothing else has changed.
 */
export function createTomlServerPart(
  { path, within, allowing }: TomlServer,
  { cairn, cairnHome, choices }: InstallPlace,
): InstallPart {
  const [command, ...args] = [...cairn, 'mcp'];
  const env = cairnHome === undefined ? undefined : { CAIRN_HOME: cairnHome };
  const wanted = { command, args, ...(env && { env }), ...(choices.allowsTools && allowing) };
  const table = { header: `${within}.${SERVER_NAME}`, lines: formatTomlLines(wanted) };
  const keys = [...within.split('.'), SERVER_NAME];
  return {
    kind: 'mcp server',
    label: 'the MCP server',
    path,
    isWanted: choices.hasServer,
    install: (text) => install(text ?? ''),
    remove: (text) => (inspect(text) === 'foreign' ? unchanged(text) : remove(text)),
    inspect,
    explain: (state) => (state === 'foreign' ? describeForeignServer(path) : undefined),
    server: { command: command ?? '', args },
  };

  function inspect(text: string | null): PartState {
    const known = keys.reduce<unknown>(
      (value, key) => (isObject(value) ? value[key] : undefined),
      readToml(text),
    );
    if (known === undefined) return 'missing';
    const line = isObject(known) && Array.isArray(known.args) ? [known.command, ...known.args] : [];
    if (!isObject(known) || !isCairnServer(line.map(String))) return 'foreign';
    // The person's additions are kept.
    const isCurrent = JSON.stringify({ ...known, ...wanted }) === JSON.stringify(known);
    return isCurrent && (env || known.env === undefined) ? 'installed' : 'outdated';
  }

  function install(text: string): EditedSettings {
    const state = inspect(text);
    if (state === 'installed' || state === 'foreign')
      return { ...unchanged(text), wasThere: state === 'installed' };
    const place = findTable(text, table.header);
    if (state === 'outdated' && place) return renew(text, place);
    if (state === 'outdated') throw new InvalidJsonError(text, 0, `write [${table.header}] as a table`);
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
    const added = [`[${table.header}]`, ...table.lines, ''].join(eol);
    return edited(text, { offset: text.length, removed: '', inserted: gap + added }, { wasThere: false });
  }

  /** Updates only the program: the person's additions to the table are kept. */
  function renew(text: string, { start, end }: Range): EditedSettings {
    const [header = '', ...lines] = text.slice(start, end).split(/(?<=\n)/);
    const keyOf = (line: string) => /^\s*(\w+)\s*=/.exec(line)?.[1] ?? '';
    const theirs = lines.filter((line) => !['env', ...Object.keys(wanted)].includes(keyOf(line)));
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const ours = table.lines.map((line) => line + eol);
    const inserted = [header, ...ours, ...theirs].join('');
    return edited(text, { offset: start, removed: text.slice(start, end), inserted }, { wasThere: true });
  }

  function remove(text: string): EditedSettings {
    const found = findTable(text, table.header);
    if (!found) return unchanged(text);
    const { start, end } = withBlankLine(text, found);
    return edited(text, { offset: start, removed: text.slice(start, end), inserted: '' }, { wasThere: true });
  }

  /** Everything except Cairn's table must parse to the same values as before. */
  function edited(before: string, edit: TextEdit, { wasThere }: { wasThere: boolean }): EditedSettings {
    const after = applyEdit(before, edit);
    if (!isDeepStrictEqual(withoutServer(readToml(before), keys), withoutServer(readToml(after), keys)))
      throw new InvalidJsonError(before, 0, `[${table.header}] cannot be changed without changing the rest`);
    return {
      text: after,
      changed: after !== before,
      undo: [{ offset: edit.offset, removed: edit.inserted, inserted: edit.removed }],
      made: { object: before === '', containers: [] },
      wasThere,
    };
  }
}

interface Range {
  start: number;
  end: number;
}

/** From its header to the header of the next table, without the blank lines and comments before that. */
function findTable(text: string, header: string): Range | undefined {
  const isOwn = (line: string) => line === `[${header}]` || line.startsWith(`[${header}.`);
  let start: number | undefined;
  let end = 0;
  let offset = 0;
  for (const line of text.split(/(?<=\n)/)) {
    const content = line.trim();
    const isHeader = /^\[.+\]\s*(?:#.*)?$/.test(content);
    if (start === undefined && isOwn(content)) start = offset;
    else if (start !== undefined && isHeader && !isOwn(content)) break;
    offset += line.length;
    if (start !== undefined && content !== '' && !content.startsWith('#')) end = offset;
  }
  return start === undefined ? undefined : { start, end };
}

/** Includes the blank line before the table, which was written with it. */
function withBlankLine(text: string, { start, end }: Range): Range {
  const blank = /(?:^|\n)(\r?\n)$/.exec(text.slice(0, start))?.[1] ?? '';
  return { start: start - blank.length, end };
}

function withoutServer(value: unknown, [key = '', ...inner]: string[]): unknown {
  if (!isObject(value)) return value;
  const { [key]: found, ...rest } = value as Record<string, unknown>;
  if (found === undefined || inner.length === 0) return rest;
  const left = withoutServer(found, inner);
  return isObject(left) && Object.keys(left).length === 0 ? rest : { ...rest, [key]: left };
}
