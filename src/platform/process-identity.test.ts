import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { identifyProcess, type ProcessIdentity, processState, skipShells } from './process-identity.ts';

/** Without /proc (only Linux has it), a process is identified by its pid and machine alone. */
const hasProc = existsSync('/proc/self/stat');

function own(): ProcessIdentity {
  const identity = identifyProcess(process.pid);
  if (!identity) throw new Error('this very process is not found');
  return identity;
}

test('a process is running until it has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
  await once(child, 'spawn');
  const identity = identifyProcess(child.pid ?? 0);
  expect(identity && processState(identity)).toBe('running');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(identity && processState(identity)).toBe('gone');
  expect(identifyProcess(child.pid ?? 0)).toBe(null);
});

test.each<[string, Partial<ProcessIdentity>, string]>([
  ['this process', {}, 'running'],
  ['its pid was reused by another process', { startTime: '1' }, hasProc ? 'gone' : 'running'],
  ['the machine was rebooted', { bootId: 'another' }, hasProc ? 'gone' : 'unknown'],
  ['on another machine', { host: 'another', bootId: 'another' }, 'unknown'],
  ['in another container', { pidNamespace: 'pid:[1]' }, 'unknown'],
])('%s (%j): the state is %s', (_, changes, state) => {
  expect(processState({ ...own(), ...changes })).toBe(state);
});

test('a process recorded without /proc is unknown where /proc exists', () => {
  const { pid, host } = own();
  expect(processState({ pid, host })).toBe(hasProc ? 'unknown' : 'running');
});

test.each([0, 1, -1, 1.5, Number.NaN])('identifyProcess returns null for pid %d', (pid) => {
  expect(identifyProcess(pid)).toBe(null);
});

test.runIf(hasProc)('skipShells finds the process that started nested shells', async () => {
  const shell = spawn('/bin/sh', ['-c', '/bin/sh -c "echo \\$\\$; read -r end"; :'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const [output] = await once(shell.stdout, 'data');
  expect(skipShells(Number(output))).toBe(process.pid);
  expect(skipShells(process.pid)).toBe(process.pid);
  shell.stdin.end();
});
