import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts';
import { distillSessions, surveySessions, unseenSessions } from '../distill/all.ts';
import { type Bounds, expectWithin } from '../distill/bounds.ts';
import { callsOf } from '../distill/consistency.ts';
import { askLater, type FollowUpScore } from '../distill/follow-ups.ts';
import { playSession } from '../distill/play.ts';
import { afterSilence, remembered } from '../distill/remembered.ts';
import { addShares, type SessionScore, scoreSession, shareOf } from '../distill/score.ts';
import type { DistillScript, DistillSession, PlayedCall } from '../distill/session.ts';
import { absent } from '../distill/words.ts';
import type { SessionRun } from '../support/claude-code.ts';
import { makeConnectedWorld, type World } from '../support/world.ts';

// Sessions of the real client: each must happen as its script says. Their memories are judged per set, since no
// distiller keeps everything: users can rely on the shares below.

const hasTmux = spawnSync('tmux', ['-V']).status === 0;

// Each session has its own machine. Two run at a time: a client mostly waits for its hooks and its commands.
vi.setConfig({ maxConcurrency: 2 });

const FIRST: Bounds = {
  essentials: 0.84,
  niceToHave: 0.85,
  types: 0.89,
  summaryFields: 0.92,
  receipts: 0.18,
  noise: 1 / 30,
  untrue: 1 / 100,
};
/**
 * The client plays every session with a special ending, and every tenth of the others: it played all of them while they
 * were unseen. test/distill-told.test.ts judges the whole survey.
 */
const playedSurvey = surveySessions.filter(({ how }, index) => how !== undefined || index % 10 === 0);
const SURVEY: Bounds = {
  essentials: 0.92,
  niceToHave: 0.81,
  types: 0.89,
  summaryFields: 0.92,
  receipts: 0.1,
  noise: 1 / 40,
  untrue: 1 / 30,
};
/** For sessions on which the distiller was not improved, as measured when they were first played. */
const UNSEEN: Bounds = {
  essentials: 0.92,
  niceToHave: 0.8,
  types: 0.8,
  summaryFields: 0.92,
  receipts: 0.2,
  noise: 1 / 17,
  untrue: 1 / 50,
};

for (const [set, sessions, bounds] of [
  ['the first sessions', distillSessions, FIRST],
  ['the survey', playedSurvey, SURVEY],
  ['the sessions kept unseen', unseenSessions, UNSEEN],
] as const) {
  describe.runIf(sessions.length > 0)(set, () => {
    const scores: SessionScore[] = [];
    const later: FollowUpScore[] = [];
    for (const session of sessions) playAndScore(session, scores, later);

    test('keeps what a careful engineer would have noted, and little else', () => {
      expectWithin(set, scores, bounds);
    });

    test.runIf(sessions.some(({ expects }) => expects.followUps))(
      'answers later questions, and does not disturb other prompts',
      () => {
        const total = (part: keyof FollowUpScore) => later.map((score) => score[part]).reduce(addShares);
        const figures = {
          answered: total('answered'),
          answeredByPrompt: total('answeredByPrompt'),
          disturbed: total('disturbed'),
        };
        console.log(set, JSON.stringify(figures));
        expect(shareOf(figures.answered)).toBeGreaterThanOrEqual(0.8);
        expect(shareOf(figures.answeredByPrompt)).toBeGreaterThanOrEqual(0.4);
        expect(shareOf(figures.disturbed)).toBeLessThanOrEqual(0.1);
      },
    );
  });
}

function playAndScore(session: DistillSession, scores: SessionScore[], later: FollowUpScore[]): void {
  const canPlay = hasTmux || session.how?.cut !== 'interrupted';
  describe.runIf(canPlay)(session.name, { concurrent: true }, () => {
    let world: World;
    let script: DistillScript;
    let run: SessionRun;

    beforeAll(async () => {
      world = await makeConnectedWorld(session);
      // The ids of the calls differ each time a script is made.
      script = session.script(world.project);
      run = await playSession(world, { ...session, script: () => script });
      if (session.how?.cut === 'killed') await afterSilence(world);
      scores.push(scoreSession(session.expects, await remembered(world)));
      if (session.expects.followUps) later.push(await askLater(world, session.expects));
    });
    afterAll(() => world.remove());

    test('plays the whole script and no more', () => {
      const asked = run.requests.filter(({ queue }) => queue !== 'side');
      const { main, notification = [], compact = [], subagents = {} } = script;
      const turns = [...main, ...notification, ...compact, ...Object.values(subagents).flat()];
      expect(asked.map(({ scripted }) => scripted)).toEqual(turns.map(() => true));
      expect(run.exitCode).toBe(session.how?.cut === 'killed' ? null : 0);
    });

    test('every call has the outcome in the script', () => {
      const results = resultsIn([run.transcript, ...Object.values(run.subagentTranscripts)].flat());
      const calls = callsOf(script);
      expect(calls.map((call) => outcomeOf(call, results.get(call.id)))).toEqual(
        calls.map(({ input, goes, shows }) => ({ input, goes, ...(shows ? { output: shows } : {}) })),
      );
    });

    test.runIf(session.long)('has at least 60 calls', () => {
      expect(callsOf(script).length).toBeGreaterThanOrEqual(60);
    });

    test('contains all the noise that must not be remembered', () => {
      const everything = stringsIn([run.transcript, ...Object.values(run.subagentTranscripts)].flat()).join(
        '\n',
      );
      expect(absent(session.expects.noise, everything)).toEqual([]);
    });
  });
}

interface Result {
  failed: boolean;
  output: string;
}

/** If the output does not contain that of the script, the diff shows the real one. */
function outcomeOf({ input, goes, shows }: PlayedCall, result: Result | undefined) {
  const went =
    !result || /user doesn't want to proceed/.test(result.output)
      ? 'nowhere'
      : result.failed
        ? 'wrong'
        : 'well';
  const output = result?.output ?? '';
  if (shows) return { input, goes: went, output: output.includes(shows) ? shows : output };
  return went === goes ? { input, goes: went } : { input, goes: went, output };
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
