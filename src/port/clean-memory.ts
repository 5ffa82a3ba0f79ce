import { cleanText } from '../curation/clean-text.ts';
import { cleanWords, titled } from '../curation/remember.ts';
import type { CurationWorld } from '../curation/world.ts';
import type { Summary } from '../model/memory.ts';
import type { PortableFile } from '../store/port-store.ts';

interface Texts {
  title: string;
  subtitle: string;
  narrative: string;
  facts: string[];
  concepts: string[];
  aliases: string[];
  parts: Summary | null;
  files: PortableFile[];
}

/** As captured text is cleaned: nobody knows what a foreign file holds. Null when nothing is left to tell. */
export function cleanMemory<T extends Texts>(world: Pick<CurationWorld, 'settings'>, memory: T): T | null {
  const clean = (text: string) => {
    const cleaned = cleanText(world, text);
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
    title: title === '' ? titled(heading).title : title,
    subtitle: clean(memory.subtitle),
    narrative,
    facts,
    concepts: cleanWords(world, memory.concepts),
    aliases: cleanWords(world, memory.aliases),
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
