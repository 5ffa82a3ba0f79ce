import { xdgFolder } from '../opencode/config-folder.ts';
import { createOpenCodeAgent } from '../opencode/create-agent.ts';
import { createOpenCodeTranscripts } from '../opencode/transcripts.ts';

export const kilo = createOpenCodeAgent({
  id: 'kilo',
  name: 'Kilo',
  configFolder: xdgFolder('kilo'),
  transcripts: createOpenCodeTranscripts('kilo', 'KILO_DB'),
});
