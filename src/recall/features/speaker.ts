import { parseRole } from '../../indexing/role.ts';
import { tokenise } from '../../indexing/tokenise.ts';
import { INSTRUCTION } from '../../indexing/traits.ts';
import type { SearchDoc } from '../../store/types/search.ts';
import type { Match } from '../match.ts';
import type { Question } from '../parse-question.ts';
import { FEATURE_INDEX, type Features } from './list.ts';

/** Which of the terms are names of speakers in these documents. */
export function findNamedSpeakers(terms: string[], docs: SearchDoc[]): Set<number> {
  const named = new Set<number>();
  for (const saidBy of new Set(docs.map((doc) => doc.saidBy)))
    if (parseRole(saidBy) === null)
      for (const name of tokenise(saidBy)) if (terms.includes(name)) named.add(terms.indexOf(name));
  return named;
}

/**
 * "What did Caroline research?" asks for Caroline's own words, not for what was said to her. The speaker is named, or
 * is the person who asks, or the agent.
 */
export function speakerFeatures({ parsed, speakers }: Question): (values: Features, match: Match) => void {
  const names = new Set([...speakers].map((index) => parsed.terms[index]));
  const isNamed = cached((saidBy) => tokenise(saidBy).some((name) => names.has(name)));
  return (values, { doc, own }) => {
    const role = parseRole(doc.saidBy);
    const isAsked = role === null ? isNamed(doc.saidBy) : role === parsed.role;
    const isOther = !isAsked && (role === null ? names.size > 0 : role !== 'none' && parsed.role !== null);
    if (isAsked) values[FEATURE_INDEX.said] = 1;
    if (isOther) values[FEATURE_INDEX.saidByOther] = 1;
    // A memory with a title says by itself what it is about, no matter who wrote it.
    if (doc.title === '' && role === 'agent' && parsed.role !== 'agent') values[FEATURE_INDEX.byAgent] = 1;
    if (parsed.isRequest && role === 'person' && doc.mentions.includes(INSTRUCTION))
      values[FEATURE_INDEX.instructs] = 1;
    if (isOther && [...speakers].some((index) => (own[index] ?? 0) > 0)) values[FEATURE_INDEX.addressed] = 1;
  };
}

function cached<T>(make: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key) ?? make(key);
    known.set(key, found);
    return found;
  };
}
