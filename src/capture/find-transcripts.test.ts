import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { findTranscripts } from './find-transcripts.ts';

test("finds transcripts in the agent's folder if its hooks do not report the path", () => {
  const userHome = tempFolder();
  const path = join(userHome, '.kimi-code/sessions/wd_x/session_1/agents/main/wire.jsonl');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  const saved: string[][] = [];
  const agents: string[] = [];
  findTranscripts(
    {
      listSessionsWithoutTranscript: (agent) => {
        agents.push(agent);
        return agent === 'kimi' ? ['session_1', 'session_2'] : [];
      },
      saveSessionTranscript: (...row) => {
        saved.push(row);
      },
    },
    { agentHome: { userHome, variable: () => undefined }, now: () => 0 },
  );
  expect(saved).toEqual([['kimi', 'session_1', path]]);
  expect(agents).not.toContain('claude-code');
});
