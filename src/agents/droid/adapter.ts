import { createDialectAgent } from '../dialect/agent.ts';
import { configFolder } from './config-folder.ts';
import { controlMarks } from './control-marks.ts';
import { hookRouting } from './events.ts';
import { knownFields } from './known-fields.ts';
import { dialect } from './read-events.ts';
import { replyTable } from './reply-rules.ts';
import { transcripts } from './transcripts.ts';

export const droid = createDialectAgent({
  id: 'droid',
  name: 'Droid',
  configFolder,
  hooks: hookRouting,
  knownFields,
  context: { start: true, prompt: true, read: false, tool: true },
  dialect,
  replyTable,
  controlMarks,
  transcripts,
});
