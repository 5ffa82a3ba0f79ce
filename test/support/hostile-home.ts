import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, realpathSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markCaptureBroken } from '../../src/capture/broken-capture.ts';
import { findPlace } from '../../src/capture/place.ts';
import { writeSpoolFile } from '../../src/capture/spool.ts';
import { recordStall } from '../../src/capture/stall.ts';
import { type Paths, pathsOf } from '../../src/platform/paths.ts';

import { rememberTurn } from './memories.ts';
import { openPlainStore } from './plain-store.ts';
import { makeRepository } from './run-cairn.ts';

/**
 * Sets the clipboard and the title, clears the screen, colours, rings the bell, moves back, reverses the text
 * direction.
 */
export const HOSTILE =
  '\u001b]52;c;ZXZpbA==\u0007\u001b]0;evil\u001b\\\u001b[2J\u001b[31m\u001bc\u009b31m\u009d0;evil\u009c\u007f\b\v\f\r\u0000\u0085\u202egpj.\u202c\u2066x\u2069\u2028\u2029';
/** The part of it that file names and arguments can contain. */
export const HOSTILE_NAME = HOSTILE.replaceAll('\u0000', '').replaceAll('/', '');
/** git allows no ASCII control characters in the name of a branch. */
const HOSTILE_BRANCH = 'b\u009b31m\u202egpj\u2066';

export interface HostileHome {
  home: string;
  folder: string;
  paths: Paths;
  env: Record<string, string>;
}

/** A home in which every stored text is hostile, and a project in which every name is. */
export function makeHostileHome(home: string): HostileHome {
  const folder = makeRepository(join(home, `shop${HOSTILE_NAME}`));
  execFileSync('git', ['symbolic-ref', 'HEAD', `refs/heads/${HOSTILE_BRANCH}`], { cwd: folder });
  writeFileSync(join(folder, `file${HOSTILE_NAME}.ts`), '');
  const paths = pathsOf(join(home, '.cairn'));
  for (const made of [paths.spool, paths.logs, paths.state])
    mkdirSync(made, { recursive: true, mode: 0o700 });
  storeMemories(paths, realpathSync(folder));
  captureSession(paths, folder);
  const logged = {
    time: HOSTILE,
    level: 'error',
    from: `worker${HOSTILE}`,
    message: HOSTILE,
    [HOSTILE]: HOSTILE,
  };
  appendFileSync(
    join(paths.logs, `${new Date().toISOString().slice(0, 10)}.jsonl`),
    `${JSON.stringify(logged)}\n${HOSTILE}\n`,
  );
  writeFileSync(
    paths.config,
    JSON.stringify({ [HOSTILE]: HOSTILE, 'model.name': HOSTILE, 'log.level': HOSTILE }),
  );
  for (const at of [Date.now() - 1, Date.now()])
    markCaptureBroken(paths, { agent: HOSTILE, hook: HOSTILE, at });
  recordStall(paths, HOSTILE, 3, Date.now());
  return { home, folder, paths, env: environmentOf(home) };
}

export function environmentOf(home: string): Record<string, string> {
  return { HOME: home, PATH: process.env.PATH ?? '', CAIRN_NO_WORKER: '1', EDITOR: 'true', TERM: 'xterm' };
}

function storeMemories(paths: Paths, folder: string): void {
  const store = openPlainStore(paths.database);
  const texts = { title: `Plum ${HOSTILE}`, subtitle: HOSTILE, narrative: `plum\n${HOSTILE}` };
  const lists = { facts: [HOSTILE], concepts: [HOSTILE], filesRead: [HOSTILE], filesModified: [HOSTILE] };
  const part = `plum ${HOSTILE}`;
  rememberTurn(store, {
    ...{ session: `earlier${HOSTILE_NAME}`, at: Date.now() - 60_000, place: findPlace(folder), folder },
    observations: [{ type: 'gotcha', ...texts, ...lists }],
    summary: {
      request: part,
      investigated: part,
      learned: part,
      completed: part,
      nextSteps: part,
      notes: part,
    },
  });
  store.close();
}

function captureSession(paths: Paths, folder: string): void {
  const plan = { tool_name: 'ExitPlanMode', permission_mode: 'plan' };
  const file = join(folder, `file${HOSTILE_NAME}.ts`);
  const calls: [string, Record<string, unknown>][] = [
    ['SessionStart', { source: 'startup', model: HOSTILE }],
    ['UserPromptSubmit', { prompt: `Prune the plum trees ${HOSTILE}` }],
    ['PermissionRequest', { ...plan, tool_input: { plan: `# Plums ${HOSTILE}\n\n1. Cut ${HOSTILE}` } }],
    [
      'PostToolUse',
      { ...plan, tool_use_id: 'a', tool_input: {}, tool_response: { plan: `# Plums ${HOSTILE}\n\n1. Cut` } },
    ],
    [
      'PostToolUse',
      { tool_name: `Odd${HOSTILE}`, tool_use_id: 'b', tool_input: { command: HOSTILE }, tool_response: {} },
    ],
    [
      'PostToolUse',
      { tool_name: 'Read', tool_use_id: 'c', tool_input: { file_path: file }, tool_response: {} },
    ],
    ['Stop', { last_assistant_message: HOSTILE }],
  ];
  for (const [index, [hook, fields]] of calls.entries()) {
    const payload = { session_id: `s${HOSTILE}`, cwd: folder, hook_event_name: hook, ...fields };
    const header = { agent: 'claude-code', hook, via: 'settings', projectDir: folder };
    const name = writeSpoolFile(paths, header, undefined, Buffer.from(JSON.stringify(payload)));
    const seconds = Date.now() / 1000 - 20 + index;
    utimesSync(join(paths.spool, name), seconds, seconds);
  }
}
