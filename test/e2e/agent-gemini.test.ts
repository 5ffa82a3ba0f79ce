import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkAgent } from '../support/agent-checks.ts';
import { textOfRequest } from '../support/agent-world.ts';
import { GEMINI_SETTINGS, gemini } from '../support/gemini.ts';

checkAgent({
  ...gemini,
  installFlags: ['--allow-tools'],
  steps: (project) => [
    { call: 'write_file', input: { file_path: join(project, 'a.txt'), content: 'hello\n' } },
    { call: 'run_shell_command', input: { command: 'cat a.txt; exit 3', description: 'print it' } },
    { call: 'read_file', input: { file_path: join(project, 'a.txt') } },
    { call: 'read_file', input: { file_path: join(project, 'missing.txt') } },
    { call: 'mcp_cairn_search', input: { query: 'port' } },
  ],
  calls: [
    'write_file success',
    'run_shell_command failure',
    'read_file success',
    'read_file failure',
    'mcp_cairn_search success',
  ],
  more(rig) {
    test('the installation only adds an extension', () => {
      const folder = join(rig.world.home, '.gemini');
      expect(readFileSync(join(folder, 'settings.json'), 'utf8')).toBe(GEMINI_SETTINGS);
      expect(readdirSync(join(folder, 'extensions/cairn')).sort()).toEqual([
        'commands',
        'gemini-extension.json',
        'hooks',
      ]);
    });

    test('the client escapes the frame and reports no error of a hook', () => {
      const { requests, stderr } = rig.session;
      expect(textOfRequest(requests[0])).toContain('&lt;cairn-context&gt;\\nThis is recorded data');
      expect(stderr).not.toMatch(/hook.*(?:fail|error)/i);
    });
  },
});
