import { xdgFolder } from './config-folder.ts';
import { createOpenCodeAgent } from './create-agent.ts';

export const opencode = createOpenCodeAgent({
  id: 'opencode',
  name: 'OpenCode',
  configFolder: xdgFolder('opencode'),
});
