import { describeTranscripts } from '../../../test/support/agent-transcripts.ts';
import { transcripts } from './transcripts.ts';

describeTranscripts({
  transcripts,
  folder: new URL('./payloads/transcripts/', import.meta.url),
  sessionId: 'session_821e5bc7-5bf1-4608-9ded-bc9b10f7d04d',
  opening: { at: 1794894401042, folder: '/home/user/project' },
  events: [
    'prompt please write a file',
    'tool-end call_1 Write success',
    'tool-end call_2 Bash failure',
    'tool-end call_3 Read failure',
    'tool-end call_4 mcp__tiny__recall success',
    'turn-end Done. I wrote a.txt.',
  ],
  answer: [
    ...['call_1', 'call_2', 'call_3', 'call_4'].map((callId) => ({ callId })),
    { text: 'Done. I wrote a.txt.' },
  ],
});
