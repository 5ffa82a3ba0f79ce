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

/** Runs hook calls in this process with a clock that jumps once. For real processes see test/e2e/hook-matrix. */

const WELCOME = /^\{"systemMessage":"Cairn is on\. .+"\}\n$/;

describe('the time budget', () => {
  test('answers within the budget', async () => {
    expect(await call({ leapsAfter: Number.POSITIVE_INFINITY })).toEqual({
      stdout: expect.stringMatching(WELCOME),
      stderr: '',
      exits: [0],
      kept: 1,
      waits: false,
      late: false,
    });
  });

  test('gives and logs no answer when it is used up before the answer begins, but keeps the event', async () => {
    expect(await call({ leapsAfter: 1 })).toEqual({
      stdout: '',
      stderr: '',
      exits: [0],
      kept: 1,
      waits: false,
      late: true,
    });
  });

  test('prints a complete answer or none, whenever it runs out', async () => {
    let tooLate = 0;
    for (let leapsAfter = 1; leapsAfter < 12; leapsAfter++) {
      const { stdout, late, ...rest } = await call({ leapsAfter });
      expect(rest).toEqual({ stderr: '', exits: [0], kept: 1, waits: false });
      expect(stdout === '' || WELCOME.test(stdout)).toBe(true);
      if (late) tooLate++;
    }
    expect(tooLate).toBeGreaterThan(0);
  });

  test('still delivers a pending notice, which takes no time', async () => {
    const { stdout } = await call({ leapsAfter: 1, notice: 'The apples are ripe.' });
    expect(stdout).toBe('{"systemMessage":"The apples are ripe."}\n');
  });
});

describe('a message for a session', () => {
  test.each([
    ['is delivered where the model reads it', 'SessionStart', 'SessionStart.resume', 'The window is full.'],
    ['is dropped after a compaction', 'SessionStart', 'SessionStart.compact.with-model', ''],
    ['is dropped before a compaction', 'PreCompact', 'PreCompact.manual', ''],
  ])('%s', async (_, hook, payload, delivered) => {
    const { stdout, waits } = await call({ hook, payload, message: 'The window is full.' });
    expect({ waits, delivered: stdout.includes('The window is full.') ? 'The window is full.' : '' }).toEqual(
      {
        waits: false,
        delivered,
      },
    );
  });
});

interface Call {
  leapsAfter?: number;
  notice?: string;
  /** In the session's outbox. */
  message?: string;
  hook?: string;
  payload?: string;
}

async function call({
  leapsAfter = Number.POSITIVE_INFINITY,
  notice,
  message,
  hook = 'SessionStart',
  payload = 'SessionStart.startup',
}: Call) {
  const root = tempFolder();
  const paths = pathsOf(join(root, 'home'));
  mkdirSync(paths.state, { recursive: true });
  if (notice) putInOutbox(paths, notice);
  const input = recorded(`events/${payload}`);
  const session: string = JSON.parse(input).session_id;
  if (message) putInSessionOutbox(paths, session, { context: message, notice: message });
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
  let reads = 0;
  const now = () => Date.UTC(2026, 10, 15) + (reads++ < leapsAfter ? 0 : 5_000);
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
