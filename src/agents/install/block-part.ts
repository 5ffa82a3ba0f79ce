import type { InstallPart, PartState } from './agent-installer.ts';
import { type EditedSettings, unchanged } from './edited-settings.ts';
import { applyEdit, type TextEdit } from './json-text.ts';

export interface WantedBlock {
  kind: InstallPart['kind'];
  label: string;
  path: string;
  /** Markdown to be written between two mark lines. */
  text: string;
  isWanted: boolean;
}

const BEGIN = '<!-- cairn: written by `cairn install`; text outside these two lines is yours -->';
const END = '<!-- /cairn -->';

/** A line that begins with a mark of any version. */
const MARK_LINE = /^(?:\uFEFF)?<!-- (\/?)cairn\b.*$/gm;

/** Cairn's block in a Markdown file of the person. Everything outside it is kept byte for byte. */
export function createBlockPart({ kind, label, path, text: content, isWanted }: WantedBlock): InstallPart {
  const written = `${BEGIN}\n${content.trimEnd()}\n${END}`;
  return {
    kind,
    label,
    path,
    isWanted,
    install,
    remove,
    inspect,
    explain: (state) =>
      state === 'foreign'
        ? `${path} should have one line "${BEGIN}" and after it one "${END}". It was left unchanged.`
        : undefined,
  };

  function inspect(text: string | null): PartState {
    const found = findBlock(text ?? '');
    if (found === null) return 'missing';
    if (found === 'broken') return 'foreign';
    return (text ?? '').slice(found.start, found.end).replaceAll('\r\n', '\n') === written
      ? 'installed'
      : 'outdated';
  }

  function install(before: string | null): EditedSettings {
    const text = before ?? '';
    const found = findBlock(text);
    if (found === 'broken') return unchanged(before);
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const block = written.replaceAll('\n', eol);
    if (found) {
      const removed = text.slice(found.start, found.end);
      return edited(text, { offset: found.start, removed, inserted: block }, true);
    }
    const gap = text.trim() === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
    return edited(text, { offset: text.length, removed: '', inserted: `${gap}${block}${eol}` }, false);
  }

  /** Removes the block with the blank line before it and its last line break. */
  function remove(text: string): EditedSettings {
    const found = findBlock(text);
    if (found === null || found === 'broken') return unchanged(text);
    const start = found.start - (/(?:^|\n)(\r?\n)$/.exec(text.slice(0, found.start))?.[1] ?? '').length;
    const end = found.end + (/^\r?\n/.exec(text.slice(found.end))?.[0] ?? '').length;
    return edited(text, { offset: start, removed: text.slice(start, end), inserted: '' }, true);
  }
}

function findBlock(text: string): { start: number; end: number } | 'broken' | null {
  const marks = [...text.matchAll(MARK_LINE)];
  const [begin, end] = marks;
  if (!begin) return null;
  if (!end || marks.length > 2 || begin[1] === '/' || end[1] !== '/') return 'broken';
  const start = begin.index + (begin[0].startsWith('\uFEFF') ? 1 : 0);
  return { start, end: end.index + end[0].trimEnd().length };
}

function edited(before: string, edit: TextEdit, wasThere: boolean): EditedSettings {
  const text = applyEdit(before, edit);
  return {
    text,
    changed: text !== before,
    undo: [{ offset: edit.offset, removed: edit.inserted, inserted: edit.removed }],
    made: { object: before === '', containers: [] },
    wasThere,
  };
}
