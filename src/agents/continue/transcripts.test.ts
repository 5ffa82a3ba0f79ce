import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeTranscripts } from '../../../test/support/agent-transcripts.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { transcripts } from './transcripts.ts';

describeTranscripts({
  transcripts,
  folder: new URL('./payloads/transcripts/', import.meta.url),
  sessionId: '36e329d3-6be2-4b47-9836-d8f3880705cc',
  opening: { at: 1794893609308, folder: '/home/user/project' },
  events: [
    'prompt please write a file',
    'tool-end call_1 Write success',
    'tool-end call_2 Bash success',
    'tool-end call_3 Read success',
    'tool-end call_4 recall success',
    'turn-end Done. I wrote a.txt.',
  ],
  answer: [
    { callId: 'call_1' },
    { callId: 'call_2' },
    { callId: 'call_3' },
    { callId: 'call_4' },
    { text: 'Done. I wrote a.txt.' },
  ],
});

test('accepts a file URL as the folder, and message keys stay the same when the title changes', () => {
  const folder = tempFolder();
  const path = join(folder, 's.json');
  const write = (title: string) =>
    writeFileSync(
      path,
      JSON.stringify({
        sessionId: 's',
        title,
        workspaceDirectory: 'file:///home/me/my%20project',
        history: [{ message: { role: 'user', content: [{ type: 'text', text: 'hello' }] } }],
      }),
    );
  const readKeys = () => {
    const reader = transcripts.createReader({ sessionId: 's', path });
    return [...transcripts.readRecords(path, 0)].flatMap((record) =>
      'value' in record ? reader.read(record.value, record).map(({ key }) => key) : [],
    );
  };
  mkdirSync(folder, { recursive: true });
  write('New');
  expect(transcripts.readOpening(path)).toEqual({ folder: '/home/me/my project' });
  const before = readKeys();
  write('A much longer title');
  expect(readKeys()).toEqual(before);
  expect(before).toHaveLength(1);
});
