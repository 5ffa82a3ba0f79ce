import { expect, test } from 'vitest';
import { describeAgent } from '../../../test/support/agent-contract.ts';
import type { JsonObject } from '../../model/json.ts';
import { droid } from './adapter.ts';
import { installer } from './agent-installer.ts';
import { registeredEvents } from './events.ts';
import { replyTable } from './reply-rules.ts';

const file = '/home/user/project/a.txt';
const create = {
  name: 'Create',
  does: 'change',
  input: { file_path: file, content: 'hello\n' },
  files: [{ path: file, how: 'write' }],
};
const read = { name: 'Read', does: 'read', input: { file_path: file }, files: [{ path: file, how: 'read' }] };
const mcp = { name: 'tiny___recall', does: 'other', input: { query: 'what' }, files: [] };
const ended = { kind: 'tool-end', outcome: 'success', reportedBy: 'call' };

describeAgent({
  agent: droid,
  payloads: new URL('./payloads/', import.meta.url),
  replies: replyTable,
  registered: registeredEvents.map(({ event }) => event),
  originOf: (wire: JsonObject) => ({
    sessionId: wire.session_id,
    cwd: wire.cwd,
    transcriptPath: wire.transcript_path,
    permissionMode: wire.permission_mode,
  }),
  meanings: {
    'SessionStart.json': [{ kind: 'session-start', source: 'startup' }],
    'UserPromptSubmit.json': [
      {
        kind: 'prompt',
        text: 'hello there',
        origin: 'person',
        promptId: 'e78ededa-14c8-48dd-976e-1c87e2bd7e1d',
      },
    ],
    'PreToolUse.Create.json': [{ kind: 'tool-start', call: create }],
    'PreToolUse.Execute.json': [
      {
        kind: 'tool-start',
        call: {
          name: 'Execute',
          does: 'command',
          input: expect.objectContaining({ command: 'cat a.txt; exit 3' }),
          command: 'cat a.txt; exit 3',
          files: [],
        },
      },
    ],
    'PreToolUse.Read.json': [{ kind: 'tool-start', call: read }],
    'PreToolUse.mcp.json': [{ kind: 'tool-start', call: mcp }],
    'PostToolUse.Create.json': [
      { ...ended, call: create, response: `{"success":true,"file_path":"${file}"}` },
    ],
    'PostToolUse.Read.json': [{ ...ended, call: read, response: 'hello\n' }],
    'PostToolUse.mcp.json': [{ ...ended, call: mcp, response: 'memory: {"query":"what"}' }],
    'Notification.json': [],
    'Stop.json': [{ kind: 'turn-end', text: '', continued: false }],
    'SessionEnd.json': [{ kind: 'session-end', reason: 'other' }],
  },
});

test.each([
  ['no file', null, 0],
  ['a file that Droid ignores', '{ nonsense', 0],
  ['an empty list', '{"Stop":[]}', 0],
  ['other events', '{"PreToolUse":[{}]}', 0],
  ["hooks that replace Cairn's", '{"Stop":[{}],"SessionStart":[{}]}', 1],
])('findObstacles with hooks.json: %s', (_, text, count) => {
  const place = {
    userHome: '/home/u',
    variable: () => undefined,
    platform: 'linux' as const,
    captureScript: '/home/u/.cairn/capture.sh',
    launcher: '/home/u/.cairn/bin/cairn',
    interpreter: '/usr/bin/node',
    hookProgram: '/opt/cairn/hook.cjs',
    cairn: ['/home/u/.cairn/bin/cairn'] as [string],
    folder: '/src/app',
    project: null,
    choices: { hasServer: true, allowsTools: false, programs: [] },
  };
  const found = installer.findObstacles?.(place, (path) => (path.endsWith('hooks.json') ? text : null));
  expect(found).toHaveLength(count);
});
