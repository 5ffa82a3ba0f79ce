import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { until } from '../../test/support/until.ts';
import { askProgram, type ProgramCall } from './run-program.ts';

/** Writes its pid next to itself, then does this with each line that it reads. */
function makeProgram(onLine: string): { call: ProgramCall; pid: () => number } {
  const folder = tempFolder();
  const [program, pid] = [join(folder, 'program.js'), join(folder, 'pid')];
  writeFileSync(
    program,
    `require('node:fs').writeFileSync(${JSON.stringify(pid)}, String(process.pid));
     require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => { ${onLine} });`,
  );
  const call = { program: process.execPath, args: [program], cwd: folder, env: {}, input: 'a\nb\n' };
  return { call, pid: () => Number(readFileSync(pid, 'utf8')) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const ended = (pid: number) => until('the end of the program', () => (isAlive(pid) ? undefined : true));
const isAnswer = (line: string) => line === 'answer b';

test('the answer is returned, and the program killed, which would not end by itself', async () => {
  const { call, pid } = makeProgram('console.log("answer " + line)');
  expect(await askProgram(call, isAnswer, AbortSignal.timeout(20_000))).toBe('answer b');
  await ended(pid());
});

test('a program that does not answer is killed', async () => {
  const { call, pid } = makeProgram('console.log("other")');
  const limit = new AbortController();
  const asked = askProgram(call, isAnswer, limit.signal);
  const running = until('its start', () => {
    try {
      return pid() || undefined;
    } catch {
      return undefined;
    }
  });
  const started = await running;
  limit.abort(new Error('too late'));
  await expect(asked).rejects.toThrow('too late');
  await ended(started);
});

test('a program that ends without an answer, or cannot be started, is an error', async () => {
  const { call } = makeProgram('process.exit(0)');
  const signal = AbortSignal.timeout(20_000);
  await expect(askProgram(call, isAnswer, signal)).rejects.toThrow('ended without an answer');
  await expect(askProgram({ ...call, program: '/nowhere/x' }, isAnswer, signal)).rejects.toThrow('ENOENT');
});
