import { OBSERVATION_TYPES } from '../model/memory.ts';
import { parseDate } from './dates.ts';
import type { HitKind } from './request.ts';

export interface ParsedQuery {
  /** The remaining words, phrases included. */
  words: string;
  phrases: string[];
  without: string[];
  kinds: HitKind[];
  types: string[];
  files: string[];
  projects: string[];
  branches: string[];
  agents: string[];
  since: number | null;
  before: number | null;
  /** Operators with an unknown value; they count as plain text. Worded for the person. */
  problems: string[];
}

const KINDS: readonly string[] = ['observation', 'summary', 'note', 'prompt'];
const TYPES: readonly string[] = OBSERVATION_TYPES;
const OPERATOR = /(?<=^|\s)(type|file|project|branch|agent|since|before|kind):("[^"]*"|\S+)/gi;
const PHRASE = /(?<=^|\s)"([^"]+)"(?=\s|$)/g;
const WITHOUT = /(?<=^|\s)-("[^"]+"|[\p{L}\p{N}][^\s"]+)(?=\s|$)/gu;

/** Never fails: unknown operators are plain text. */
export function parseQuery(text: string, now: number): ParsedQuery {
  const query: ParsedQuery = {
    words: '',
    phrases: [],
    without: [],
    kinds: [],
    types: [],
    files: [],
    projects: [],
    branches: [],
    agents: [],
    since: null,
    before: null,
    problems: [],
  };
  const rest = text.replace(OPERATOR, (all, name: string, value: string) =>
    apply(query, name.toLowerCase(), unquoted(value), now) ? ' ' : all,
  );
  // In a longer text a dash is a list item or a command's option.
  const hasDash = rest.includes('-') && !rest.includes('\n');
  const positive = !hasDash
    ? rest
    : rest.replace(WITHOUT, (_all, word: string) => {
        query.without.push(unquoted(word));
        return ' ';
      });
  query.words = positive
    .replace(PHRASE, (_all, phrase: string) => {
      query.phrases.push(phrase);
      return ` ${phrase} `;
    })
    .trim();
  return query;
}

/** @returns false if the value is invalid. */
function apply(query: ParsedQuery, name: string, value: string, now: number): boolean {
  if (value === '') return false;
  const lower = value.toLowerCase();
  switch (name) {
    case 'kind':
      if (!KINDS.includes(lower))
        return refuse(`Unknown kind in kind:${value}. Use one of ${KINDS.join(', ')}.`);
      query.kinds.push(lower as HitKind);
      return true;
    case 'type':
      if (KINDS.includes(lower)) query.kinds.push(lower as HitKind);
      else if (TYPES.includes(lower)) query.types.push(lower);
      else return refuse(`Unknown type in type:${value}. Use one of ${[...TYPES, ...KINDS].join(', ')}.`);
      return true;
    case 'file':
      query.files.push(value);
      return true;
    case 'project':
      query.projects.push(value);
      return true;
    case 'branch':
      query.branches.push(value);
      return true;
    case 'agent':
      query.agents.push(lower);
      return true;
    default: {
      const span = parseDate(value, now);
      if (!span)
        return refuse(
          `Unknown date in ${name}:${value}. Use a date such as 2026-11-10, yesterday, 3d or 2w.`,
        );
      if (name === 'since') query.since = span.from;
      else query.before = span.from;
      return true;
    }
  }

  function refuse(problem: string): false {
    query.problems.push(problem);
    return false;
  }
}

function unquoted(value: string): string {
  return value.replace(/^"|"$/g, '');
}
