import { posix } from 'node:path';
import { isObject, type Json } from '../../../model/json.ts';
import type { Turn, TurnCall } from '../../turn.ts';
import { inProject } from './paths.ts';
import { listField, textField } from './response.ts';
import { splitShell } from './shell.ts';

/** All that was changed in one file. */
export interface FileEdit {
  path: string;
  created: boolean;
  removed: boolean;
  events: number[];
  /** The place of its first change among the calls. */
  place: number;
  /** Lines taken out and put in, trimmed, without those that stayed the same; only the first of many. */
  before: string[];
  after: string[];
  /** Functions, classes and other names in which something was changed. */
  symbols: string[];
}

/** How much of a text put into a file is looked at. */
const MOST_CHARS = 6_000;
const MOST_LINES = 60;

export function collectEdits(turn: Turn): FileEdit[] {
  const byPath = new Map<string, FileEdit>();
  for (const [place, call] of turn.calls.entries()) {
    if (call.outcome !== 'success') continue;
    for (const change of call.does === 'command' ? shellChanges(call) : toolChanges(call)) {
      const path = inProject(change.path, turn.folder);
      const known = byPath.get(path);
      const edit = known ?? {
        ...noEdit,
        path,
        place,
        created: change.created,
        events: [],
        before: [],
        after: [],
        symbols: [],
      };
      byPath.set(path, edit);
      edit.removed = change.removed;
      if (edit.events.at(-1) !== call.event) edit.events.push(call.event);
      addAll(edit.before, change.before);
      addAll(edit.after, change.after);
      addAll(edit.symbols, change.symbols);
    }
  }
  return [...byPath.values()];
}

type Change = Omit<FileEdit, 'events' | 'place'>;

const noEdit: Change = { path: '', created: false, removed: false, before: [], after: [], symbols: [] };

function toolChanges(call: TurnCall): Change[] {
  const path = call.files.find(({ how }) => how === 'write')?.path;
  if (path === undefined) return [];
  const { input, response } = call;
  const content = textField(input, 'content');
  if (content !== undefined) {
    const created = textField(response, 'type') !== 'update';
    const patch = created ? undefined : patchLines(response);
    const after = patch?.after ?? linesOf(content);
    return [{ ...noEdit, path, created, before: patch?.before ?? [], after, symbols: definedIn(after) }];
  }
  const pairs = listField(input, 'edits').length > 0 ? listField(input, 'edits') : [input];
  return pairs.slice(0, 20).map((pair) => {
    const whole = textField(pair, 'content');
    const before = linesOf(textField(pair, 'old_string') ?? '');
    const after = linesOf(whole ?? textField(pair, 'new_string') ?? textField(pair, 'new_source') ?? '');
    const [taken, put] = [new Set(before), new Set(after)];
    const around = patchLines(response).around;
    const own = definedIn(after);
    return {
      ...noEdit,
      path: textField(pair, 'file_path') ?? path,
      created: whole !== undefined,
      before: before.filter((line) => !put.has(line)),
      after: after.filter((line) => !taken.has(line)),
      symbols: own.length > 0 ? own : around,
    };
  });
}

/** The lines of a patch the agent's client made: what went, what came, and in which function. */
function patchLines(response: Json): { before: string[]; after: string[]; around: string[] } {
  const found = { before: [] as string[], after: [] as string[], around: [] as string[] };
  for (const hunk of listField(response, 'structuredPatch').slice(0, 10)) {
    let nearest: string | undefined;
    for (const line of listField(isObject(hunk) ? hunk : null, 'lines').slice(0, MOST_LINES)) {
      if (typeof line !== 'string') continue;
      const text = line.slice(1, 400);
      const name = definedIn([text])[0];
      if (line.startsWith(' ')) nearest = name ?? nearest;
      else {
        found[line.startsWith('-') ? 'before' : 'after'].push(text.trim());
        if (name ?? nearest) found.around.push(name ?? nearest ?? '');
      }
    }
  }
  return found;
}

const definition =
  /(?:^|\s)(?:function\*?|class|interface|type|def|func|fn|struct|trait|impl|module|object|enum)\s+(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)|^\s*(?:export\s+)?(?:const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*=\s*(?:async\s*)?(?:\(|function|[\p{L}_$][\p{L}\p{N}_$]*\s*=>)|^\s*(?:(?:public|private|protected|static|async|get|set)\s+)+([\p{L}_$][\p{L}\p{N}_$]*)\s*\(|^(\w+)\s*\(\)\s*\{/u;

function definedIn(lines: string[]): string[] {
  return lines.flatMap((line) => {
    if (/^\s*(?:\/\/|#|\*|\/\*|--)/.test(line)) return [];
    const [, ...names] = definition.exec(line.slice(0, 300)) ?? [];
    return names.filter((name) => name !== undefined);
  });
}

const fileArgument = /^(?!-)[\p{L}\p{N}_@./+-]*[\p{L}\p{N}_-]\.[A-Za-z]\w{0,6}$/u;

/** Files that common commands change; what a script does inside is not seen. */
function shellChanges(call: TurnCall): Change[] {
  const changes: Change[] = [];
  const steps = splitShell(call.command ?? '');
  for (const { words, folder } of steps) {
    const [program, ...rest] = words[0] === 'git' ? words.slice(1) : words;
    const paths = rest.filter((word) => fileArgument.test(word)).map((path) => placeIn(folder, path));
    if (program === 'sed' && rest.some((word) => /^-\w*i/.test(word))) {
      changes.push(...paths.slice(-1).map((path) => ({ ...noEdit, path })));
    } else if (program === 'rm') {
      changes.push(...paths.map((path) => ({ ...noEdit, path, removed: true })));
    } else if (program === 'mv' && paths.length === 2) {
      const [from = '', to = ''] = paths;
      changes.push({ ...noEdit, path: from, removed: true }, { ...noEdit, path: to, created: true });
    }
  }
  const written = /(?:^|\s)>{1,2}\s*([\w@./-]*[\w-]\.\w{1,6})(?=\s|$)/.exec(
    call.command?.slice(0, 2_000) ?? '',
  );
  if (written?.[1] !== undefined && !/\.(?:log|tmp|out)$|^\/(?:dev|tmp)\//.test(written[1])) {
    changes.push({ ...noEdit, path: placeIn(steps.at(-1)?.folder ?? '', written[1]) });
  }
  return changes;
}

/** A path behind `cd ../copy` is outside the project, and stays recognisable as such. */
function placeIn(folder: string, path: string): string {
  return folder === '' || path.startsWith('/') ? path : posix.join(folder, path);
}

function linesOf(text: string): string[] {
  return text
    .slice(0, MOST_CHARS)
    .split('\n')
    .slice(0, MOST_LINES)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function addAll(list: string[], more: string[]): void {
  for (const each of more) if (list.length < MOST_LINES && !list.includes(each)) list.push(each);
}
