import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { claudeCode } from '../agents/claude-code/adapter.ts';
import { prepareHome } from '../capture/home.ts';
import { writeSpoolFile } from '../capture/spool.ts';
import { readEnvironment } from '../config/environment.ts';
import { loadSettings } from '../config/settings.ts';
import { createLog } from '../platform/log.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import { tryLock } from '../store/sqlite/lock.ts';
import { openAnswers } from './open-answers.ts';

describe('intake before a hook answers', () => {
  let paths: Paths;
  let ownFile: string;
  let woken: number;

  beforeEach(() => {
    const home = join(tempFolder(), 'home');
    prepareHome(home);
    paths = pathsOf(home);
    ownFile = put('new', 'SessionStart');
    woken = 0;
  });

  test('leaves its own event alone when the spool has no other files', () => {
    ask('startup');
    expect({ left: namesLeft(), woken }).toEqual({ left: [ownFile], woken: 0 });
  });

  test('ingests a few files of any session and wakes the worker for the turns they end', () => {
    put('new');
    put('other');
    ask('startup');
    expect({ left: namesLeft(), woken }).toEqual({ left: [ownFile], woken: 1 });
  });

  test('with many files, ingests those of its session and leaves the others to the worker', () => {
    const others = Array.from({ length: 250 }, () => put('other'));
    put('new');
    ask('compact');
    expect({ left: namesLeft(), woken }).toEqual({ left: [ownFile, ...others].sort(), woken: 1 });
  });

  test('a new session leaves many files to the worker', () => {
    const others = Array.from({ length: 250 }, () => put('other'));
    ask('startup');
    expect({ left: namesLeft(), woken }).toEqual({ left: [ownFile, ...others].sort(), woken: 1 });
  });

  describe('while another process ingests', () => {
    let release: (() => void) | null;
    beforeEach(() => {
      release = tryLock(paths.intakeLock);
    });
    afterEach(() => release?.());

    test('does not wake the worker', () => {
      const other = put('other');
      expect(ask('startup')).toEqual([]);
      expect({ left: namesLeft(), woken }).toEqual({ left: [ownFile, other].sort(), woken: 0 });
    });

    test('reports files that have been pending for long', () => {
      const long = new Date(Date.now() - 3_600_000);
      utimesSync(join(paths.spool, put('other')), long, long);
      expect(ask('startup')).toEqual([expect.stringContaining('have not been stored')]);
    });
  });

  function put(session: string, hook = 'Stop'): string {
    const payload = { session_id: session, hook_event_name: hook, last_assistant_message: 'Done.' };
    const header = { agent: 'claude-code', hook, via: 'settings' };
    return writeSpoolFile(paths, header, session, Buffer.from(JSON.stringify(payload)));
  }

  function ask(source: string): string[] {
    const env = readEnvironment({ HOME: paths.home, CAIRN_HOME: paths.home });
    const answers = openAnswers({
      event: { kind: 'session-start', sessionId: 'new', source },
      agent: claudeCode,
      until: noon,
      latest: noon,
      paths,
      env,
      ownFile,
      settings: loadSettings(paths.config, env).settings,
      log: createLog({ folder: paths.logs, from: 'test' }),
      // The clock does not advance, so a slow machine cannot use up the time for intake.
      now: () => noon,
      busyMs: 100,
      wakeWorker: () => {
        woken++;
      },
    });
    const problems = answers.findProblems();
    answers.close();
    return problems;
  }

  function namesLeft(): string[] {
    return readdirSync(paths.spool).sort();
  }
});

const noon = Date.now();
