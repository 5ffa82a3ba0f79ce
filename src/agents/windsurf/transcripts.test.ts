import { statSync } from 'node:fs';
import { describeTranscripts } from '../../../test/support/agent-transcripts.ts';
import { transcripts } from './transcripts.ts';

const folder = new URL('./payloads/transcripts/', import.meta.url);

describeTranscripts({
  transcripts,
  folder,
  sessionId: 'traj-0001',
  opening: { at: statSync(new URL('traj-0001.jsonl', folder)).mtimeMs, folder: '/home/user/project' },
  events: [
    'prompt please write a file',
    'tool-end undefined write_code success',
    'turn-end Done. I wrote a.txt.',
  ],
  answer: [{ text: 'I write a.txt now.' }, { text: 'Done. I wrote a.txt.' }],
});
