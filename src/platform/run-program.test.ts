import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { until } from '../../test/support/until.ts';
import { askProgram, type ProgramCall } from './run-program.ts';

/** A program that writes its pid next to itself, then runs `onLine` for each line of input. */
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

const untilEnded = (pid: number) => until('the end of the program', () => (isAlive(pid) ? undefined : true));
const isAnswer = (line: string) => line === 'answer b';

test('returns the answer and kills the program, which would not end by itself', async () => {
  const { call, pid } = makeProgram('console.log("answer " + line)');
  expect(await askProgram(call, isAnswer, AbortSignal.timeout(20_000))).toBe('answer b');
  await untilEnded(pid());
});

test('kills a program that does not answer before the abort', async () => {
  const { call, pid } = makeProgram('console.log("other")');
  const limit = new AbortController();
  const answer = askProgram(call, isAnswer, limit.signal);
  const running = until('its start', () => {
    try {
      return pid() || undefined;
    } catch {
      return undefined;
    }
  });
  const started = await running;
  limit.abort(new Error('too late'));
  await expect(answer).rejects.toThrow('too late');
  await untilEnded(started);
});

test('rejects if the program ends without an answer or cannot be started', async () => {
  const { call } = makeProgram('process.exit(0)');
  const signal = AbortSignal.timeout(20_000);
  await expect(askProgram(call, isAnswer, signal)).rejects.toThrow('ended without an answer');
  await expect(askProgram({ ...call, program: '/nowhere/x' }, isAnswer, signal)).rejects.toThrow('ENOENT');
});
