import * as z from 'zod/mini';
import { toStoredPlace } from '../../capture/stored-place.ts';
import { findFileHistory } from '../../context/file-history.ts';
import { cutNewest } from '../../context/present-count.ts';
import { entryLine, entryOfMemory } from '../../context/present-entry.ts';
import { createReliability } from '../../context/reliability.ts';
import { toOneLine } from '../../framing/stored-lines.ts';
import { MAX_LENGTH, requiredText, wholeNumber } from './limits.ts';
import { structureOf } from './structure.ts';
import { defineTool, READ_ONLY } from './tool.ts';

const MOST_ENTRIES = 50;

export const fileHistory = defineTool({
  name: 'file_history',
  description: 'What was changed in a file or folder and why, newest first. Use before a risky edit.',
  input: z.object({
    path: requiredText(MAX_LENGTH.path),
    limit: z.optional(wholeNumber(1, MOST_ENTRIES)),
  }),
  annotations: READ_ONLY,
  run({ path, limit = 20 }, call) {
    const name = toOneLine(path);
    const { store, folder, project } = call;
    const found = findFileHistory(store, {
      ...{ path, folder, project, limit: limit + 1 },
      projectOf: (top) => store.findProject(toStoredPlace(top)),
    });
    const reliabilityOf = createReliability(call);
    const { shown, remark } = cutNewest(found, limit, (number) => `limit: ${number}`, MOST_ENTRIES);
    const entries = shown.map((memory) => entryOfMemory(memory, { marks: reliabilityOf(memory).marks }));
    const structure = { path, entries: entries.map(structureOf) };
    if (entries.length === 0) return { text: `No memories about ${name}.`, structure };
    const lines = entries.map((entry) => entryLine(entry));
    return { text: [`${name}, newest first; open with get:`, ...lines, ...remark].join('\n'), structure };
  },
});
