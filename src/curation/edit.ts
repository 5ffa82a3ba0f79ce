import { redactValue } from '../capture/redact/redact-value.ts';
import { refreshNotes } from '../context/notes/notes.ts';
import type { Summary } from '../model/memory.ts';
import type { MemoryChange } from '../store/curation-store.ts';
import { cleanText } from './clean-text.ts';
import { cleanWords } from './remember.ts';
import type { CurationWorld } from './world.ts';

/** Changes a memory by hand; distilling its turn again leaves it alone. @returns what is wrong, if anything. */
export function editMemory(
  world: CurationWorld,
  id: number,
  change: MemoryChange,
): { problem: string } | null {
  const memory = world.store.memory(id);
  if (!memory) return { problem: `There is no memory ${id}.` };
  if (memory.parts && change.narrative !== undefined)
    return { problem: `Memory ${id} is a summary: it has parts instead of one text.` };
  const clean = cleaned(world, change);
  if (clean.title === '') return { problem: 'A memory needs a title.' };
  world.store.editMemory(id, redactValue(clean), world.now());
  refreshNotes(world.store, { changed: [id] }, { rows: world.settings['notes.rows'], redact: redactValue });
  return null;
}

function cleaned(world: CurationWorld, change: MemoryChange): MemoryChange {
  const { title, subtitle, narrative, facts, aliases, parts } = change;
  return {
    ...change,
    ...(title !== undefined && { title: cleanText(world, title).replace(/\s+/g, ' ') }),
    ...(subtitle !== undefined && { subtitle: cleanText(world, subtitle) }),
    ...(narrative !== undefined && { narrative: cleanText(world, narrative) }),
    ...(facts && { facts: cleanWords(world, facts) }),
    ...(aliases && { aliases: cleanWords(world, aliases) }),
    ...(parts && { parts: cleanedParts(world, parts) }),
  };
}

function cleanedParts(world: CurationWorld, parts: Summary): Summary {
  const { request, investigated, learned, completed, nextSteps, notes } = parts;
  const texts = { request, investigated, learned, completed, nextSteps, notes };
  const clean = Object.entries(texts).map(([name, text]) => [name, cleanText(world, text)]);
  return { ...parts, ...Object.fromEntries(clean) };
}
