import { describeTranscripts } from '../../../test/support/agent-transcripts.ts';
import { transcripts } from './transcripts.ts';

describeTranscripts({
  transcripts,
  folder: new URL('./payloads/transcripts/', import.meta.url),
  sessionId: '1794893609270_imk8c',
  opening: { at: Date.parse('2026-11-17T05:33:29.308Z'), folder: '/home/user/project' },
  events: [
    'prompt please write a file',
    'tool-end call_1 editor success',
    'tool-end call_2 run_commands failure',
    'tool-end call_3 read_files failure',
    'turn-end Done. I wrote a.txt.',
  ],
  answer: [
    { callId: 'call_1' },
    { callId: 'call_2' },
    { callId: 'call_3' },
    { text: 'Done. I wrote a.txt.' },
  ],
});
