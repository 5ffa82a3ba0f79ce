import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { findTranscripts } from './find-transcripts.ts';

test('where the hooks of an agent do not say it, its folder does', () => {
  const userHome = tempFolder();
  const path = join(userHome, '.kimi-code/sessions/wd_x/session_1/agents/main/wire.jsonl');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  const saved: string[][] = [];
  const asked: string[] = [];
  findTranscripts(
    {
      listSessionsWithoutTranscript: (agent) => {
        asked.push(agent);
        return agent === 'kimi' ? ['session_1', 'session_2'] : [];
      },
      saveSessionTranscript: (...row) => {
        saved.push(row);
      },
    },
    { agentHome: { userHome, variable: () => undefined }, now: () => 0 },
  );
  expect(saved).toEqual([['kimi', 'session_1', path]]);
  expect(asked).not.toContain('claude-code');
});
