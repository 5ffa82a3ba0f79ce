import { describeTranscripts } from '../../../test/support/agent-transcripts.ts';
import { transcripts } from './transcripts.ts';

describeTranscripts({
  transcripts,
  folder: new URL('./payloads/transcripts/', import.meta.url),
  sessionId: '01a1e3d4-5399-7057-b3ac-72f3e42f10aa',
  opening: { at: Date.parse('2026-11-16T10:08:25.499Z'), folder: '/home/user/project' },
  events: [
    'prompt please write a file',
    'tool-end call_1 write success',
    'tool-end call_2 bash failure',
    'tool-end call_3 read success',
    'turn-end Done. I wrote a.txt.',
  ],
  answer: [
    { callId: 'call_1' },
    { callId: 'call_2' },
    { callId: 'call_3' },
    { text: 'Done. I wrote a.txt.' },
  ],
});
