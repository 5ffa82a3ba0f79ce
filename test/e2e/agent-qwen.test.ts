import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkAgent } from '../support/agent-checks.ts';
import { textOfRequest, writeText } from '../support/agent-world.ts';

const SETTINGS = `{
  // mine
  "security": { "auth": { "selectedType": "openai" } },
  "privacy": { "usageStatisticsEnabled": false },
  "general": { "enableAutoUpdate": false },
  "$version": 4
}
`;

checkAgent({
  client: {
    id: 'qwen',
    version: '0.24.4',
    package: '@qwen-code/qwen-code',
    programs: ['@qwen-code/qwen-code/cli.js'],
    node: '22',
  },
  prepare: ({ home }) => writeText(join(home, '.qwen/settings.json'), SETTINGS),
  run: (modelUrl, prompt) => ({
    args: ['--yolo', '-p', prompt],
    env: { OPENAI_API_KEY: 'fake-key', OPENAI_MODEL: 'scripted-model', OPENAI_BASE_URL: modelUrl },
  }),
  installFlags: ['--allow-tools'],
  steps: (project) => [
    { call: 'write_file', input: { file_path: join(project, 'a.txt'), content: 'hello\n' } },
    {
      call: 'run_shell_command',
      // Its terminal may miss the output of a command that exits at once.
      input: { command: 'cat a.txt; sleep 0.5; exit 3', description: 'print it', is_background: false },
    },
    { call: 'read_file', input: { file_path: join(project, 'a.txt') } },
    { call: 'read_file', input: { file_path: join(project, 'missing.txt') } },
    { call: 'mcp__cairn__search', input: { query: 'port' } },
  ],
  calls: [
    'write_file success',
    'run_shell_command failure',
    'read_file success',
    'read_file failure',
    'mcp__cairn__search success',
  ],
  more(rig) {
    test('context is given once, not again after every round of calls', () => {
      const { requests } = rig.session;
      const [first, last] = [requests[0], requests.at(-1)].map(
        (request) => textOfRequest(request).split('What Cairn remembers').length,
      );
      expect({ first, last }).toEqual({ first: 2, last: 2 });
    });

    test('the slash commands are available', async () => {
      const { requests } = await rig.client.runSession([{ text: 'Port 7070.' }], '/cairn:recall ports');
      expect(textOfRequest(requests[0])).toContain('What does memory say about this? ports');
    });
  },
});
