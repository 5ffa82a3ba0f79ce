import { collectEdits } from '../offline/calls/edits.ts';
import type { Turn } from '../turn.ts';

/** A value that an edit replaced in a line that is otherwise the same: `max_retries=4`, now `max_retries=8`. */
export interface ChangedSetting {
  path: string;
  name: string;
  before: string;
  after: string;
}

/** A number or version, with what belongs to it, such as `30s`; or a short quoted word. */
const VALUE = /(?<![\w$.])\d[\w.]*\b|(["'`])([\w./:-]{1,40})\1/g;
/** The name that a value belongs to stands right before it. */
const NAME_BEFORE = /([A-Za-z_$][\w$.-]{2,})["'`]?\s*(?:[:=(<>?]|=>|:=)\s*[^A-Za-z]{0,3}$/;

export function findChangedSettings(turn: Turn): ChangedSetting[] {
  return collectEdits(turn).flatMap(({ path, before, after }) => {
    const put = new Map(after.map((line) => [withoutValues(line), line]));
    return before.flatMap((line) => {
      const now = put.get(withoutValues(line));
      return now === undefined ? [] : compareLines(line, now).map((change) => ({ path, ...change }));
    });
  });
}

function withoutValues(line: string): string {
  return line.replace(VALUE, '□');
}

function compareLines(line: string, now: string): Omit<ChangedSetting, 'path'>[] {
  const [old, given] = [[...line.matchAll(VALUE)], [...now.matchAll(VALUE)]];
  return old.flatMap((found, index) => {
    const [before, after] = [bare(found[0]), bare(given[index]?.[0] ?? '')];
    const name = NAME_BEFORE.exec(line.slice(0, found.index))?.[1];
    return name === undefined || after === '' || before === after ? [] : [{ name, before, after }];
  });
}

function bare(value: string): string {
  return value.replace(/^["'`]|["'`]$/g, '');
}

/** So many characters after its name, a value is still the value of that name. */
const REACH = 24;

/** Whether a sentence gives a name its old value: “max_retries is set to 4”, but not “from 4 to 8”. */
export function statesOldValue(sentence: string, settings: ChangedSetting[]): boolean {
  return settings.some(({ name, before, after }) => {
    if (hasValue(sentence, after)) return false;
    const short = name.slice(name.lastIndexOf('.') + 1);
    return placesOf(sentence, short).some((place) => {
      const rest = sentence.slice(place + short.length, place + short.length + REACH);
      const first = /(?<![\w.])\d[\w.]*\w|(?<![\w.])\d|(?<=["'`])[\w./:-]{1,40}(?=["'`])/.exec(rest)?.[0];
      return first !== undefined && first.replace(/\.$/, '') === before;
    });
  });
}

function hasValue(text: string, value: string): boolean {
  return placesOf(text, value).length > 0;
}

/** Where a text has a word, whole. */
function placesOf(text: string, word: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!/[\w$]/.test(text[at - 1] ?? '') && !/[\w$]/.test(text[at + word.length] ?? '')) places.push(at);
  return places;
}
