import { cleanText } from '../curation/clean-text.ts';
import type { CurationOptions } from '../curation/options.ts';
import { cleanWords, splitTitle } from '../curation/remember.ts';
import type { Summary } from '../model/memory.ts';
import type { NewMemory } from '../store/types/port.ts';

type Texts = Pick<
  NewMemory,
  'title' | 'subtitle' | 'narrative' | 'facts' | 'concepts' | 'aliases' | 'parts' | 'files'
>;

/** Cleaned like captured text, because a foreign file may contain anything. Null if nothing is left. */
export function cleanMemory<T extends Texts>(
  options: Pick<CurationOptions, 'settings'>,
  memory: T,
): T | null {
  const clean = (text: string) => {
    const cleaned = cleanText(options, text);
    return cleaned === text.trim() ? text : cleaned;
  };
  const title = clean(memory.title);
  const narrative = clean(memory.narrative);
  const facts = memory.facts.map(clean).filter((fact) => fact !== '');
  const parts = memory.parts && cleanParts(memory.parts, clean);
  const [heading] = [title, narrative, ...facts, parts?.request, parts?.completed].filter(Boolean);
  if (heading === undefined) return null;
  return {
    ...memory,
    title: title === '' ? splitTitle(heading).title : title,
    subtitle: clean(memory.subtitle),
    narrative,
    facts,
    concepts: cleanWords(options, memory.concepts),
    aliases: cleanWords(options, memory.aliases),
    parts,
    files: memory.files.filter(({ path }) => path !== '' && !path.includes('\0')),
  };
}

function cleanParts(parts: Summary, clean: (text: string) => string): Summary {
  const { request, investigated, learned, completed, nextSteps, notes } = parts;
  return {
    ...parts,
    request: clean(request),
    investigated: clean(investigated),
    learned: clean(learned),
    completed: clean(completed),
    nextSteps: clean(nextSteps),
    notes: clean(notes),
  };
}
