import { commandAndArgs } from '../install/server-part.ts';
import { createMcpInstaller } from '../mcp-only/agent-installer.ts';
import { continueAgent } from './adapter.ts';
import { configFolder } from './config-folder.ts';

export const installer = createMcpInstaller({
  id: continueAgent.id,
  name: continueAgent.name,
  program: 'cn',
  folder: configFolder,
  server: {
    files: ['config.yaml'],
    within: 'mcpServers',
    yaml: 'list',
    // Continue would use a new file as its whole configuration, which may be on its hub or in an older file.
    mustExist: true,
    ...commandAndArgs({ name: 'cairn', type: 'stdio' }),
  },
  rules: { file: 'rules/cairn.md', frontMatter: ['name: Cairn', 'alwaysApply: true'] },
  verifiedWith: '1.5.47',
  check: '/mcp in cn',
});
