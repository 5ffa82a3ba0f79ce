import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/support/hook-call.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { putInOutbox, putInSessionOutbox } from '../capture/outbox.ts';
import { readEnvironment } from '../config/environment.ts';
import { pathsOf } from '../platform/paths.ts';
import { createHookIo } from './io.ts';
import { runHook } from './run.ts';

/** One call in this process, with a clock that stands still but for one leap. As a process: test/e2e/hook-matrix. */

const WELCOME = /^\{"systemMessage":"Cairn is on\. .+"\}\n$/;

describe('the time budget', () => {
  test('within it the answer is given', async () => {
    expect(await call({ leapsAfter: Number.POSITIVE_INFINITY })).toEqual({
      stdout: expect.stringMatching(WELCOME),
      stderr: '',
      exits: [0],
      kept: 1,
      waits: false,
      late: false,
    });
  });

  test('when it is over before the answer is begun there is none, which is logged, and the event is kept', async () => {
    expect(await call({ leapsAfter: 1 })).toEqual({
      stdout: '',
      stderr: '',
      exits: [0],
      kept: 1,
      waits: false,
      late: true,
    });
  });

  test('whenever it runs out, the answer is whole or not there', async () => {
    let tooLate = 0;
    for (let leapsAfter = 1; leapsAfter < 12; leapsAfter++) {
      const { stdout, late, ...rest } = await call({ leapsAfter });
      expect(rest).toEqual({ stderr: '', exits: [0], kept: 1, waits: false });
      expect(stdout === '' || WELCOME.test(stdout)).toBe(true);
      if (late) tooLate++;
    }
    expect(tooLate).toBeGreaterThan(0);
  });

  test('a notice that waited is told all the same: it costs no time', async () => {
    const { stdout } = await call({ leapsAfter: 1, notice: 'The apples are ripe.' });
    expect(stdout).toBe('{"systemMessage":"The apples are ripe."}\n');
  });
});

describe('what was meant for a session', () => {
  test.each([
    ['is told where the model can hear it', 'SessionStart', 'SessionStart.resume', 'The window is full.'],
    ['is void when the window was emptied', 'SessionStart', 'SessionStart.compact.with-model', ''],
    ['is void when it is about to be', 'PreCompact', 'PreCompact.manual', ''],
  ])('%s', async (_, hook, payload, heard) => {
    const { stdout, waits } = await call({ hook, payload, word: 'The window is full.' });
    expect({ waits, heard: stdout.includes('The window is full.') ? 'The window is full.' : '' }).toEqual({
      waits: false,
      heard,
    });
  });
});

interface Call {
  leapsAfter?: number;
  notice?: string;
  /** For the session itself. */
  word?: string;
  hook?: string;
  payload?: string;
}

async function call({
  leapsAfter = Number.POSITIVE_INFINITY,
  notice,
  word,
  hook = 'SessionStart',
  payload = 'SessionStart.startup',
}: Call) {
  const root = tempFolder();
  const paths = pathsOf(join(root, 'home'));
  mkdirSync(paths.state, { recursive: true });
  if (notice) putInOutbox(paths, notice);
  const input = recorded(`events/${payload}`);
  const session: string = JSON.parse(input).session_id;
  if (word) putInSessionOutbox(paths, session, { context: word, notice: word });
  const files = { stdout: join(root, 'stdout'), stderr: join(root, 'stderr') };
  const fds = { stdout: openSync(files.stdout, 'w'), stderr: openSync(files.stderr, 'w') };
  const exits: number[] = [];
  const quiet = { write: () => true };
  const io = createHookIo(
    {
      stdin: Readable.from([Buffer.from(input)], { objectMode: false }),
      stdout: quiet,
      stderr: quiet,
      pid: 0,
      kill: () => undefined,
      exit: (code) => void exits.push(code),
      on: () => {},
    },
    fds,
  );
  let looks = 0;
  const now = () => Date.UTC(2026, 10, 15) + (looks++ < leapsAfter ? 0 : 5_000);
  const env = readEnvironment({ HOME: root, CAIRN_HOME: paths.home, XDG_RUNTIME_DIR: root });
  await runHook({ agent: 'claude-code', hook, via: 'settings' }, io, env, now);
  Object.values(fds).forEach(closeSync);
  return {
    stdout: readFileSync(files.stdout, 'utf8'),
    stderr: readFileSync(files.stderr, 'utf8'),
    exits,
    kept: readdirSync(paths.spool).length,
    waits: existsSync(join(paths.outboxFor, session)),
    late: logOf(paths.logs).includes('answer came too late'),
  };
}

function logOf(folder: string): string {
  try {
    return readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');
  } catch {
    return '';
  }
}
