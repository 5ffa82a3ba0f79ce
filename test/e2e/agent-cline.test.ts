import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { checkAgent } from '../support/agent-checks.ts';
import { writeJson } from '../support/agent-world.ts';

const machine = `${platform()}-${arch()}`;

checkAgent({
  client: {
    id: 'cline',
    version: '3.0.65',
    // The package for this machine alone lacks packages that the plugins need.
    package: 'cline',
    programs: [`@cline/cli-${machine}/bin/cline`],
  },
  prepare: ({ home }, modelUrl) => {
    const settings = join(home, '.cline/data/settings');
    const provider = 'openai-compatible';
    const own = { provider, apiKey: 'fake-key', model: 'scripted-model', baseUrl: modelUrl };
    writeJson(join(settings, 'global-settings.json'), { telemetryOptOut: true, autoUpdateEnabled: false });
    writeJson(join(settings, 'cline_mcp_settings.json'), { mcpServers: {} });
    writeJson(join(settings, 'providers.json'), {
      version: 1,
      lastUsedProvider: provider,
      providers: {
        [provider]: { settings: own, updatedAt: '2026-01-01T00:00:00.000Z', tokenSource: 'manual' },
      },
    });
  },
  run: (_, prompt) => ({
    args: [prompt],
    // On a busy machine plugins take longer to load than the client waits by default.
    env: { CLINE_NO_AUTO_UPDATE: '1', CLINE_PLUGIN_IMPORT_TIMEOUT_MS: '60000' },
  }),
  steps: (project) => [
    { call: 'editor', input: { path: join(project, 'a.txt'), new_text: 'hello\n' } },
    { call: 'run_commands', input: { commands: ['cat a.txt; exit 3', 'echo more'] } },
    { call: 'read_files', input: { files: [{ path: join(project, 'a.txt') }] } },
    { call: 'read_files', input: { files: [{ path: join(project, 'missing.txt') }] } },
    { call: 'cairn__search', input: { query: 'port' } },
  ],
  calls: [
    'editor success',
    'run_commands failure',
    'run_commands success',
    'read_files success',
    'read_files failure',
    'cairn__search success',
  ],
  hidesEnd: true,
  stopArgs: ['hub', 'stop'],
});
