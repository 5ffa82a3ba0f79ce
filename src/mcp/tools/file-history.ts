import * as z from 'zod/mini';
import { toStoredPlace } from '../../capture/stored-place.ts';
import { findFileHistory } from '../../context/file-history.ts';
import { entryLine, entryOfMemory } from '../../context/present-entry.ts';
import { createReliability } from '../../context/reliability.ts';
import { toOneLine } from '../../framing/stored-lines.ts';
import { limitedText, MAX_LENGTH } from './limits.ts';
import { structureOf } from './structure.ts';
import { clampLimit, defineTool, READ_ONLY } from './tool.ts';

export const fileHistory = defineTool({
  name: 'file_history',
  description: 'What was changed in a file or folder and why, newest first. Use before a risky edit.',
  input: z.object({
    path: limitedText(MAX_LENGTH.path),
    limit: z.optional(z.int()),
  }),
  annotations: READ_ONLY,
  run({ path, limit = 20 }, call) {
    const name = toOneLine(path);
    const { store, folder, project } = call;
    const found = findFileHistory(store, {
      ...{ path, folder, project, limit: clampLimit(50, limit) },
      projectOf: (top) => store.findProject(toStoredPlace(top)),
    });
    const reliabilityOf = createReliability(call);
    const entries = found.map((memory) => entryOfMemory(memory, { marks: reliabilityOf(memory).marks }));
    const structure = { path, entries: entries.map(structureOf) };
    if (entries.length === 0) return { text: `No memories about ${name}.`, structure };
    const lines = entries.map((entry) => entryLine(entry));
    return { text: [`${name}, newest first; open with get:`, ...lines].join('\n'), structure };
  },
});
