import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts';
import { distillSessions } from '../distill/all.ts';
import { callsOf } from '../distill/consistency.ts';
import { judge, type Verdict } from '../distill/judge.ts';
import { playSession } from '../distill/play.ts';
import { afterSilence, remembered } from '../distill/remembered.ts';
import type { DistillScript, PlayedCall } from '../distill/session.ts';
import { absent } from '../distill/words.ts';
import type { SessionRun } from '../support/claude-code.ts';
import { makeConnectedWorld, type World } from '../support/world.ts';

// Sessions of the real client: each must really happen as its script tells it, and leave behind what is
// expected of it. The expectations were written before the distiller.

const hasTmux = spawnSync('tmux', ['-V']).status === 0;

let kept = 0;
const junk: string[] = [];

test('there are enough sessions, enough of them long, and each has a name of its own', () => {
  const names = new Set(distillSessions.map(({ name }) => name));
  expect(names.size).toBe(distillSessions.length);
  expect(distillSessions.length).toBeGreaterThanOrEqual(14);
  expect(distillSessions.filter(({ long }) => long).length).toBeGreaterThanOrEqual(4);
});

for (const session of distillSessions) {
  describe.runIf(hasTmux || session.how?.cut !== 'interrupted')(session.name, () => {
    let world: World;
    let script: DistillScript;
    let run: SessionRun;
    let verdict: Verdict;

    beforeAll(async () => {
      world = await makeConnectedWorld(session);
      // The ids of the calls are new each time a script is made.
      script = session.script(world.project);
      run = await playSession(world, { ...session, script: () => script });
      if (session.how?.cut === 'killed') await afterSilence(world);
      const stored = await remembered(world);
      verdict = judge(session.expects, stored);
      kept += stored.observations.length + stored.summaries.length;
      junk.push(...verdict.junk);
    });
    afterAll(() => world.remove());

    test('leaves what a careful engineer would have written down, and no noise', () => {
      const { missing, noise } = verdict;
      expect({ missing, noise }).toEqual({ missing: [], noise: [] });
    });

    test('plays the whole script and no more', () => {
      const asked = run.requests.filter(({ queue }) => queue !== 'side');
      const { main, notification = [], compact = [], subagents = {} } = script;
      const turns = [...main, ...notification, ...compact, ...Object.values(subagents).flat()];
      expect(asked.map(({ scripted }) => scripted)).toEqual(turns.map(() => true));
      expect(run.exitCode).toBe(session.how?.cut === 'killed' ? null : 0);
    });

    test('every call has the outcome its script tells', () => {
      const results = resultsIn([run.transcript, ...Object.values(run.subagentTranscripts)].flat());
      const calls = callsOf(script);
      expect(calls.map((call) => told(call, results.get(call.id)))).toEqual(
        calls.map(({ input, goes, shows }) => ({ input, goes, ...(shows ? { output: shows } : {}) })),
      );
    });

    test.runIf(session.long)('is long', () => {
      expect(callsOf(script).length).toBeGreaterThanOrEqual(60);
    });

    test('makes all the noise that must not be remembered', () => {
      const heard = stringsIn([run.transcript, ...Object.values(run.subagentTranscripts)].flat()).join('\n');
      expect(absent(session.expects.noise, heard)).toEqual([]);
    });
  });
}

test('at most one in twenty of the memories is junk', () => {
  expect(junk.length / kept, `of ${kept}: ${junk.join('; ')}`).toBeLessThanOrEqual(1 / 20);
});

interface Result {
  failed: boolean;
  output: string;
}

/** Put so that a difference shows the real output where the script's is not in it. */
function told({ input, goes, shows }: PlayedCall, result: Result | undefined) {
  const went = !result || /user doesn't want to proceed/.test(result.output) ? 'nowhere' : outcome(result);
  const output = result?.output ?? '';
  if (shows) return { input, goes: went, output: output.includes(shows) ? shows : output };
  return went === goes ? { input, goes: went } : { input, goes: went, output };
}

function outcome({ failed }: Result): PlayedCall['goes'] {
  return failed ? 'wrong' : 'well';
}

function resultsIn(transcript: JsonObject[]): Map<string, Result> {
  const results = new Map<string, Result>();
  for (const line of transcript) {
    const content = isObject(line.message) ? line.message.content : null;
    for (const block of Array.isArray(content) ? content.filter(isObject) : []) {
      if (block.type !== 'tool_result' || typeof block.tool_use_id !== 'string') continue;
      results.set(block.tool_use_id, { failed: block.is_error === true, output: textOf(block.content) });
    }
  }
  return results;
}

function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  return blocks.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}

function stringsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isObject(value) ? Object.values(value).flatMap(stringsIn) : [];
}
