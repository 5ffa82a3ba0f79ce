import type { FileEdit } from './calls/edits.ts';
import { kindOfFile } from './calls/paths.ts';
import type { Repair } from './calls/repairs.ts';
import { findError, findFailedTests } from './calls/symptom.ts';
import { stripMarkup } from './text/plain.ts';
import { splitSentences } from './text/sentences.ts';
import { shorten } from './text/shorten.ts';

/** A line of code longer than this is not told in a fact. */
const LONGEST_LINE = 80;

/** What was seen before the cure. How an assertion failed is left out: the test's name says what broke. */
export function symptomFacts({ red }: Repair, folder: string): string[] {
  const tests = findFailedTests(red);
  if (tests.length > 0) return [`Failed before: ${tests.slice(0, 3).join('; ')}.`];
  if (red.kind === 'test') return [];
  const error = findError(red, folder);
  return error === undefined ? [] : [`\`${shorten(red.command, 100)}\` failed with: ${error}`];
}

/** How a place was changed, if that is one line; the sources before their tests. */
export function editFacts(edits: FileEdit[], most = 3): string[] {
  const sources = edits.filter(({ path }) => kindOfFile(path) !== 'test');
  return (sources.length > 0 ? sources : edits)
    .map(editFact)
    .filter((fact) => fact !== '')
    .slice(0, most);
}

function editFact(edit: FileEdit): string {
  const place = placeOf(edit);
  if (edit.created) return `${place} is new.`;
  if (edit.removed) return `${edit.path} was removed.`;
  const [before, after] = [codeLines(edit.before), codeLines(edit.after)];
  const short = [...before, ...after].every((line) => line.length <= LONGEST_LINE);
  if (short && before.length === after.length && (before.length === 1 || before.length === 2)) {
    return `${place}: ${before.map((was, at) => `\`${was}\` became \`${after[at]}\``).join(', ')}.`;
  }
  if (short && before.length === 0 && (after.length === 1 || after.length === 2)) {
    return `${place}: added ${after.map((line) => `\`${line}\``).join(' and ')}.`;
  }
  return '';
}

export function placeOf({ path, symbols }: Pick<FileEdit, 'path' | 'symbols'>): string {
  return symbols.length === 0 ? path : `${path} (${symbols.slice(0, 3).join(', ')})`;
}

const comment = /^(?:\/\/+|#+(?!!)|--|\/\*+|\*+)\s*/;

function codeLines(lines: string[]): string[] {
  return lines.filter((line) => !comment.test(line) && /[\p{L}\p{N}]/u.test(line));
}

/** Comments that came with an edit and say why; the only explanation when the agent was cut off. */
export function commentsIn(edits: FileEdit[]): string[] {
  return edits
    .filter(({ path }) => kindOfFile(path) === 'source')
    .flatMap(({ after }) => after.filter((line) => comment.test(line)))
    .map((line) =>
      line
        .replace(comment, '')
        .replace(/\s*\*\/$/, '')
        .trim(),
    )
    .flatMap((words) => splitSentences(words).map(stripMarkup))
    .filter((words) => words.split(/\s+/).length >= 5 && /^[\p{Lu}\p{Lo}]/u.test(words))
    .slice(0, 3);
}
