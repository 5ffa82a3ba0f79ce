import { redactValue } from '../capture/redact/redact-value.ts';
import { isBlank } from '../model/blank.ts';
import type { Summary } from '../model/memory.ts';
import type { MemoryChange } from '../store/types/curation.ts';
import { cleanText } from './clean-text.ts';
import type { CurationOptions } from './options.ts';
import { refreshNotesOf } from './refresh-notes.ts';
import { cleanWords } from './remember.ts';

/** Changes a memory by hand; distilling its turn again keeps the change. @returns the problem, if any. */
export function editMemory(
  options: CurationOptions,
  id: number,
  change: MemoryChange,
): { problem: string } | null {
  const memory = options.store.getMemory(id);
  if (!memory) return { problem: `There is no memory ${id}.` };
  if (memory.parts && change.narrative !== undefined)
    return { problem: `Memory ${id} is a summary: it has parts instead of one text.` };
  const clean = cleaned(options, change);
  if (clean.title !== undefined && isBlank(clean.title)) return { problem: 'A memory needs a title.' };
  options.store.editMemory(id, redactValue(clean), options.now());
  refreshNotesOf([id], options);
  return null;
}

function cleaned(options: CurationOptions, change: MemoryChange): MemoryChange {
  const { title, subtitle, narrative, facts, aliases, parts } = change;
  return {
    ...change,
    ...(title !== undefined && { title: cleanText(options, title).replace(/\s+/g, ' ') }),
    ...(subtitle !== undefined && { subtitle: cleanText(options, subtitle) }),
    ...(narrative !== undefined && { narrative: cleanText(options, narrative) }),
    ...(facts && { facts: cleanWords(options, facts) }),
    ...(aliases && { aliases: cleanWords(options, aliases) }),
    ...(parts && { parts: cleanedParts(options, parts) }),
  };
}

function cleanedParts(options: CurationOptions, parts: Summary): Summary {
  const { request, investigated, learned, completed, nextSteps, notes } = parts;
  const texts = { request, investigated, learned, completed, nextSteps, notes };
  const clean = Object.entries(texts).map(([name, text]) => [name, cleanText(options, text)]);
  return { ...parts, ...Object.fromEntries(clean) };
}
