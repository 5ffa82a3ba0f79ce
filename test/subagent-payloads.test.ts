import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeSpoolFile } from '../src/capture/spool.ts';
import { openDatabase } from '../src/store/sqlite/open.ts';
import { afterIntake, makeHookWorld } from './support/hook-call.ts';
import { tempFolder } from './support/temp.ts';

/**
 * Recorded hooks of real clients, from a session in which the agent asks a subagent, which runs a failing command and
 * reports. The end-to-end tests do the same with the clients of Codex, OpenCode and Kilo.
 */

const PROMPT = 'how many trees are in the orchard';
const REPORT = 'I counted two trees, an apple and a pear.';
const ANSWER = 'There are two trees in the orchard.';
/** `turns` counts stored turns, however many ends of a turn the client reports. */
const usual = { prompts: [PROMPT], turns: 1, answers: [ANSWER], isEnded: true };

test.each([
  [
    'copilot',
    [
      {
        ...{ ...usual, answers: [''] },
        calls: ['bash failure of general-purpose', 'task success'],
        // The report is in the result of the call.
        reports: [''],
      },
    ],
  ],
  // Gemini's hooks do not mark the calls of a subagent.
  ['gemini', [{ ...usual, calls: ['run_shell_command failure', 'invoke_agent success'], reports: [] }]],
  [
    'qwen',
    [
      {
        // The subagent works in the background; without a screen no hook reports the end of the session.
        ...{ ...usual, answers: [ANSWER, ANSWER], isEnded: false },
        calls: ['agent success', 'run_shell_command failure of a subagent'],
        reports: [REPORT],
      },
    ],
  ],
  [
    'kimi',
    [
      {
        // The first end of a turn is the subagent's: the turn continues.
        ...{ ...usual, answers: ['', ''], isEnded: false },
        calls: ['Bash failure', 'Agent success'],
        reports: [REPORT],
      },
    ],
  ],
  [
    'droid',
    [
      // Without a screen no hook reports the prompt.
      { ...usual, prompts: [], answers: [''], calls: ['Task success'], reports: [REPORT] },
      // The subagent has a session without a prompt of a person.
      { ...usual, prompts: [], answers: [''], calls: [], reports: [] },
    ],
  ],
  [
    'cline',
    [
      {
        ...{ ...usual, isEnded: false },
        calls: ['run_commands failure of a subagent', 'spawn_agent success'],
        reports: [REPORT],
      },
    ],
  ],
])('ingests a %s session with a subagent', (agent, expected) => {
  expect(ingestRecorded(agent)).toEqual(expected);
});

function ingestRecorded(agent: string) {
  const world = makeHookWorld(tempFolder());
  const file = join(import.meta.dirname, `../src/agents/${agent}/payloads/with-subagent.jsonl`);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  for (const [at, line] of lines.entries()) {
    const { event, payload } = JSON.parse(line);
    const bytes = Buffer.from(JSON.stringify(payload));
    const header = { agent, hook: event, via: 'settings' };
    const spooled = join(world.paths.spool, writeSpoolFile(world.paths, header, 'told', bytes));
    const time = new Date(Date.UTC(2026, 10, 18, 7, 0, at));
    utimesSync(spooled, time, time);
  }
  return afterIntake(world, () => readSessions(world.paths.database));
}

function readSessions(path: string) {
  const database = openDatabase(path, { busyMs: 5_000 });
  const all = (sql: string, id: number) => database.prepare(sql).all(id) as Record<string, string | null>[];
  try {
    const sessions = database.prepare('SELECT id, ended_at FROM sessions ORDER BY id').all() as {
      id: number;
      ended_at: number | null;
    }[];
    return sessions.map(({ id, ended_at }) => {
      const events = all('SELECT * FROM events WHERE session_id = ? ORDER BY at, id', id);
      const textsOf = (kind: string) => events.filter((event) => event.kind === kind).map(({ text }) => text);
      return {
        prompts: all("SELECT text FROM prompts WHERE session_id = ? AND origin = 'person'", id).map(
          ({ text }) => text,
        ),
        turns: all('SELECT id FROM turns WHERE session_id = ?', id).length,
        calls: events
          .filter(({ kind }) => kind === 'tool-end')
          .map(({ tool, outcome, subagent_type: type }) => `${tool} ${outcome}${nameSubagent(type)}`),
        reports: textsOf('subagent-end'),
        answers: textsOf('turn-end'),
        isEnded: ended_at !== null,
      };
    });
  } finally {
    database.close();
  }
}

function nameSubagent(type: string | null | undefined): string {
  return type === null || type === undefined ? '' : ` of ${type || 'a subagent'}`;
}
