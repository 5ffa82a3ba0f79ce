import { frameNotes } from '../../framing/frame.ts';
import type { Framed } from '../../model/framed.ts';
import { formatReference } from '../../model/reference.ts';
import { shorten } from '../../model/shorten.ts';
import type { FolderEntry } from '../../store/types/notes.ts';
import { formatDay, formatTime } from '../words.ts';

const TITLE_LENGTH = 120;

const ABOUT =
  '<!-- Written by Cairn, and written again when its memory changes; text outside these tags is yours. ' +
  'To remove it: cairn notes --clean -->';
const INTRO = 'Memories about the files in this folder, newest first. To read one: `cairn show <id>`.';

/**
 * The whole block with its tags. It stays the same until a memory changes (no age, no count of days), and is formatted
 * like the output of Markdown formatters, which then do not change it.
 */
export function formatFolderNotes(entries: FolderEntry[]): Framed {
  const lines: string[] = [];
  let lastDay = '';
  for (const entry of entries) {
    if (formatDay(entry.at) !== lastDay) {
      lastDay = formatDay(entry.at);
      lines.push('', lastDay, '');
    }
    lines.push(row(entry));
  }
  return frameNotes({ comment: ABOUT, intro: INTRO, rows: [...lines, ''] });
}

function row({ id, type, title, at }: FolderEntry): string {
  return `- ${formatTime(at)} · ${type} · ${asProse(title)} · ${formatReference({ what: 'memory', id })}`;
}

/** The memory numbers in the lines of notes. */
export function findIds(notes: string): number[] {
  return [...notes.matchAll(/^\s*[-*+] .*#(\d+)\s*$/gm)].map(([, id]) => Number(id));
}

/** A title must not hide the following text, or make an agent load a file (`@path`). */
function asProse(title: string): string {
  return shorten(title.replace(/\p{Cc}/gu, ' '), TITLE_LENGTH)
    .replace(/<(?=\s*!--)/g, '‹')
    .replace(/(?<=^|\s)@(?=\S)/g, '\\@');
}
