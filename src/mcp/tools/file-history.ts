import * as z from 'zod/mini';
import { storedPlaceOf } from '../../capture/stored-place.ts';
import { historyOfFile } from '../../context/file-history.ts';
import { entryLine, entryOfMemory } from '../../context/present-entry.ts';
import { oneLine } from '../../framing/stored-lines.ts';
import { LONGEST, textUpTo } from './limits.ts';
import { standingIn } from './standing.ts';
import { structureOf } from './structure.ts';
import { atMost, defineTool, READS } from './tool.ts';

export const fileHistory = defineTool({
  name: 'file_history',
  description:
    'What was changed in a file or folder and why, newest first. Use before a risky edit of code you do not know.',
  input: z.object({
    path: textUpTo(LONGEST.path),
    limit: z.optional(z.int()),
  }),
  annotations: READS,
  run({ path, limit = 20 }, scene) {
    const name = oneLine(path);
    const { store, folder, project } = scene;
    const found = historyOfFile(store, {
      ...{ path, folder, project, limit: atMost(50, limit) },
      projectOf: (top) => store.findProject(storedPlaceOf(top)),
    });
    const standing = standingIn(scene);
    const entries = found.map((memory) => entryOfMemory(memory, { marks: standing(memory).marks }));
    const structure = { path, entries: entries.map(structureOf) };
    if (entries.length === 0) return { text: `Nothing is known of ${name}.`, structure };
    const lines = entries.map((entry) => entryLine(entry));
    return { text: [`${name}, newest first; open with get:`, ...lines].join('\n'), structure };
  },
});
