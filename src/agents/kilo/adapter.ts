import { xdgFolder } from '../opencode/config-folder.ts';
import { createOpenCodeAgent } from '../opencode/create-agent.ts';

export const kilo = createOpenCodeAgent({ id: 'kilo', name: 'Kilo', configFolder: xdgFolder('kilo') });
