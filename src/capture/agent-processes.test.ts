import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { createLog } from '../platform/log.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import { findSessionOfProcess, recordAgentProcess } from './agent-processes.ts';

let paths: Paths;
beforeEach(() => {
  paths = pathsOf(tempFolder());
});

function begin(agentSession: string, pid: number, at: number): void {
  const log = createLog({ folder: paths.logs, from: 'test' });
  recordAgentProcess({ paths, log }, { agent: 'codex', agentSession, pid });
  utimesSync(join(paths.agentProcesses, agentSession), at, at);
}

test('a program that an agent started belongs to the session that the agent began last', () => {
  begin('ses_first', process.pid, 1);
  begin('ses_second', process.pid, 3);
  begin('ses_of-another-process', process.ppid, 4);
  expect(findSessionOfProcess(paths, process.pid)).toBe('ses_second');
});

test('a program that no agent started belongs to none', () => {
  expect(findSessionOfProcess(paths, process.pid)).toBeUndefined();
  begin('ses_first', process.ppid, 1);
  expect(findSessionOfProcess(paths, process.pid)).toBeUndefined();
  expect(findSessionOfProcess(paths, 1)).toBeUndefined();
});
