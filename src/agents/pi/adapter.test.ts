import { describeRecordings } from '../../../test/support/agent-recordings.ts';
import { pi } from './adapter.ts';

const project = '/home/user/project';
const ended = { kind: 'tool-end', outcome: 'success', reportedBy: 'call' };

describeRecordings({
  agent: pi,
  payloads: new URL('./payloads/', import.meta.url),
  origin: {
    sessionId: '01a1e3d4-5399-7057-b3ac-72f3e42f10aa',
    cwd: project,
    transcriptPath: `/home/user/.pi/agent/sessions/--home-user-project--/2026-11-16T10-08-25-499Z_01a1e3d4-5399-7057-b3ac-72f3e42f10aa.jsonl`,
  },
  meanings: {
    'factory.json': [],
    'agent_start.json': [],
    // At this event the extension reports the last `agent_end`.
    'agent_settled.json': [],
    'tool_call.bash.json': [],
    'tool_call.read.json': [],
    'tool_call.write.json': [],
    // The prompt is reported again when the agent starts.
    'input.json': [],
    'session_start.json': [{ kind: 'session-start', source: 'startup' }],
    'before_agent_start.json': [{ kind: 'prompt', text: 'please write a file', origin: 'person' }],
    'tool_result.write.json': [
      {
        ...ended,
        call: {
          id: 'call_1',
          name: 'write',
          does: 'change',
          input: { file_path: `${project}/a.txt`, content: 'hello\n' },
          files: [{ path: `${project}/a.txt`, how: 'write' }],
        },
        response: `Successfully wrote to ${project}/a.txt`,
      },
    ],
    'tool_result.bash.json': [
      {
        ...ended,
        call: {
          id: 'call_2',
          name: 'bash',
          does: 'command',
          input: { command: 'cat a.txt; exit 3' },
          command: 'cat a.txt; exit 3',
          files: [],
        },
        outcome: 'failure',
        response: 'hello\n\n\nCommand exited with code 3',
      },
    ],
    'tool_result.read.json': [
      {
        ...ended,
        call: {
          id: 'call_3',
          name: 'read',
          does: 'read',
          input: { path: `${project}/a.txt` },
          files: [{ path: `${project}/a.txt`, how: 'read' }],
        },
        response: 'hello\n',
      },
    ],
    'agent_end.json': [{ kind: 'turn-end', text: 'Done. I wrote a.txt.', continued: false }],
    'session_shutdown.json': [{ kind: 'session-end', reason: 'quit' }],
  },
  others: [
    ['a new session', 'session_start', { reason: 'new' }, { kind: 'session-start', source: 'clear' }],
    [
      'a command as it was typed',
      'before_agent_start',
      { prompt: 'Continue …', typed: '/cairn-resume' },
      { kind: 'prompt', text: '/cairn-resume', origin: 'person' },
    ],
    [
      'a prompt of another extension',
      'before_agent_start',
      { prompt: 'Go on.', source: 'extension' },
      { kind: 'prompt', text: 'Go on.', origin: 'machine' },
    ],
    [
      'a prompt while the agent works',
      'input',
      { text: 'stop that', streamingBehavior: 'steer' },
      { kind: 'prompt', text: 'stop that', origin: 'person' },
    ],
    [
      'an interruption',
      'agent_end',
      { messages: [{ role: 'assistant', content: [], stopReason: 'aborted' }] },
      { kind: 'turn-end', text: '', continued: false, error: 'interrupted' },
    ],
    [
      'a compaction',
      'session_compact',
      { reason: 'manual', compactionEntry: { summary: 'All of it.' } },
      { kind: 'compact-end', trigger: 'manual', summary: 'All of it.' },
    ],
    [
      'an edit with the common field names',
      'tool_result',
      { toolName: 'edit', input: { path: '/a', edits: [{ oldText: 'x', newText: 'y' }] }, content: [] },
      {
        ...ended,
        call: {
          name: 'edit',
          does: 'change',
          input: { file_path: '/a', edits: [{ old_string: 'x', new_string: 'y' }] },
          files: [{ path: '/a', how: 'write' }],
        },
        response: '',
      },
    ],
  ],
  payloadOf: (event) => ({ event, ctx: { sid: 's' } }),
});
