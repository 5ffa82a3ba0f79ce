import { createOpenCodeInstaller } from '../opencode/agent-installer.ts';
import { xdgFolder } from '../opencode/config-folder.ts';
import { kilo } from './adapter.ts';

export const installer = createOpenCodeInstaller(kilo, {
  program: 'kilo',
  configFolder: xdgFolder('kilo'),
  verifiedWith: '7.7.9',
  settings: ['kilo.json', 'kilo.jsonc'],
});
