import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { createLog } from '../platform/log.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import { endGoneSessions, findSessionOfProcess, recordAgentProcess } from './agent-processes.ts';
import { prepareHome } from './home.ts';

let paths: Paths;
beforeEach(() => {
  paths = pathsOf(tempFolder());
});

function begin(agentSession: string, pid: number, at: number): void {
  const log = createLog({ folder: paths.logs, from: 'test' });
  recordAgentProcess({ paths, log }, { agent: 'codex', agentSession, pid });
  utimesSync(join(paths.agentProcesses, agentSession), at, at);
}

test('a program started by an agent belongs to the session that the agent began last', () => {
  begin('ses_first', process.pid, 1);
  begin('ses_second', process.pid, 3);
  begin('ses_of-another-process', process.ppid, 4);
  expect(findSessionOfProcess(paths, process.pid)).toBe('ses_second');
});

test('a program not started by an agent has no session', () => {
  expect(findSessionOfProcess(paths, process.pid)).toBeUndefined();
  begin('ses_first', process.ppid, 1);
  expect(findSessionOfProcess(paths, process.pid)).toBeUndefined();
  expect(findSessionOfProcess(paths, 1)).toBeUndefined();
});

test.each([
  ['ends a Claude Code session with its process', '0d9c1c1e-2f6b-4b1e-9c57-3f0a6f6d8a11', true],
  ['ends a Kimi Code session with its process', 'session_821e5bc7-5bf1-4608-9ded-bc9b10f7d04d', true],
  ['ends a Cline session with its process', '1794893609270_imk8c', true],
  ['does not record a session id that is not a file name', '../up', false],
])('%s', async (_, agentSession, isRecorded) => {
  prepareHome(paths.home);
  const log = createLog({ folder: paths.logs, from: 'test' });
  const agent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(agent, 'spawn');
  const ended: string[] = [];
  const store = {
    openSessionLastSeen: () => 5,
    ingest: (files: { events: readonly { event: { kind: string; sessionId: string } }[] }[]) => {
      for (const { events } of files)
        for (const { event } of events) ended.push(`${event.kind} ${event.sessionId}`);
      return { files: files.length, stored: files.length, doubled: 0 };
    },
  };
  const check = () => endGoneSessions({ paths, log, now: () => 10, store });
  try {
    recordAgentProcess({ paths, log }, { agent: 'a', agentSession, pid: agent.pid ?? 0 });
    expect(check()).toBe(0);
  } finally {
    agent.kill('SIGKILL');
    await once(agent, 'exit');
  }
  check();
  expect(ended).toEqual(isRecorded ? [`session-end ${agentSession}`] : []);
  if (isRecorded) expect(readdirSync(paths.agentProcesses)).toEqual([]);
});
