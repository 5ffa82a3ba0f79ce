import { xdgFolder } from './config-folder.ts';
import { createOpenCodeAgent } from './create-agent.ts';
import { createOpenCodeTranscripts } from './transcripts.ts';

export const opencode = createOpenCodeAgent({
  id: 'opencode',
  name: 'OpenCode',
  configFolder: xdgFolder('opencode'),
  transcripts: createOpenCodeTranscripts('opencode', 'OPENCODE_DB'),
});
