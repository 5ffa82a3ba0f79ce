import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts';
import { runSession, type SessionRun } from '../support/claude-code.ts';
import { openScreen } from '../support/claude-code-screen.ts';
import { withoutFrame } from '../support/contexts.ts';
import type { ModelRequest } from '../support/scripted-model.ts';
import { cairn, installPlugin, makeConnectedWorld, makeWorld, type World } from '../support/world.ts';

/** Works as the agent has them: the real client lists and runs our commands, the scripted model calls the tools. */

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
const COMMANDS = ['handoff', 'memory', 'recall', 'resume', 'tasks', 'work'].map((name) => `cairn:${name}`);
/** Nothing is allowed but by the commands themselves. */
const NOTHING_ALLOWED: JsonObject = { permissions: { allow: [] } };
const GOAL = 'plan the grafting of the pear rows';

describe('with Cairn in the settings', () => {
  let world: World;
  let first: SessionRun;
  let second: SessionRun;

  beforeAll(async () => {
    world = await makeConnectedWorld();
    first = await runSession(world, {
      prompts: [GOAL, '/cairn:tasks graft row three', '/cairn:handoff mind the frost'],
      settings: NOTHING_ALLOWED,
      script: {
        main: [
          [{ text: 'Row one and two are planned.' }],
          [{ tool: 'mcp__cairn__tasks', input: { add: ['Graft row three', 'Label it'] }, id: 'toolu_add' }],
          [{ tool: 'mcp__cairn__tasks', input: { done: [2] }, id: 'toolu_done' }],
          [{ tool: 'mcp__cairn__tasks', input: { done: [9] }, id: 'toolu_wrong' }],
          [{ text: 'Two tasks.' }],
          [
            {
              tool: 'mcp__cairn__handoff',
              input: {
                goal: 'Pears in two years',
                decisions: ['Whip grafts: they heal faster'],
                files: 'rows.txt: row three added\nlabels.txt: new',
                note: 'mind the frost',
              },
              id: 'toolu_save',
            },
          ],
          [{ text: 'Saved.' }],
        ],
      },
    });
    second = await runSession(world, {
      prompts: ['/cairn:resume', '/cairn:work', '/cairn:recall whip grafts'],
      settings: NOTHING_ALLOWED,
      script: {
        main: [
          [{ tool: 'mcp__cairn__handoff', input: { action: 'resume' }, id: 'toolu_resume' }],
          [{ tool: 'mcp__cairn__handoff', input: { action: 'resume' }, id: 'toolu_again' }],
          [{ text: 'On with row three.' }],
          [{ text: 'One work.' }],
          [{ tool: 'mcp__cairn__search', input: { query: 'whip grafts' }, id: 'toolu_recall' }],
          [{ text: 'Nothing.' }],
        ],
      },
    });
  });
  afterAll(() => world.remove());

  test('the sessions end well', () => {
    expect([first, second].map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual([
      { exitCode: 0, stderr: '' },
      { exitCode: 0, stderr: '' },
    ]);
  });

  test('the commands are listed; the model sees only the skill, and the tools', () => {
    expect(commandsIn(first)).toEqual(COMMANDS);
    expect(skillsTold(first)).toEqual(['cairn:memory']);
  });

  test('tasks are added and ticked off, and a wrong number is put right', () => {
    const name = 'plan-grafting-pear-rows';
    expect(told(first, 'toolu_add')).toBe(
      `${name}: 0 of 2 tasks done\n[ ] 1 Graft row three\n[ ] 2 Label it`,
    );
    expect(told(first, 'toolu_done')).toBe(
      `${name}: 1 of 2 tasks done\n[ ] 1 Graft row three\n[x] 2 Label it`,
    );
    expect(told(first, 'toolu_wrong')).toContain(
      `${name} has no task 9. Nothing was changed.\nIt has:\n[ ] 1 Graft`,
    );
  });

  test('the command says what a handoff is made of, and the tool saves it', async () => {
    const asked = textsOf(first.requests).find((text) => text.startsWith('Hand this work over'));
    expect(asked).toContain('- note: mind the frost\n');
    expect(told(first, 'toolu_save')).toMatch(
      /^Saved handoff 1 of plan-grafting-pear-rows\. The next session gets it/,
    );
    const shown = JSON.parse(await cairn(world, 'handoff', 'show', '--json'));
    expect(shown).toMatchObject({
      number: 1,
      by: 'agent',
      agentSession: first.sessionId,
      state: 'taken',
      parts: {
        goal: 'Pears in two years',
        decisions: ['Whip grafts: they heal faster'],
        files: [
          { path: 'rows.txt', what: 'row three added' },
          { path: 'labels.txt', what: 'new' },
        ],
        note: 'mind the frost',
      },
    });
  });

  test('the next session gets it, goes on with its work, and may read it again', async () => {
    const text = told(second, 'toolu_resume');
    expect(text).toContain('# Handoff 1 of plan-grafting-pear-rows: ');
    expect(text).toContain('- [ ] 1. Graft row three\n');
    expect(told(second, 'toolu_again')).toBe(text);
    const work = JSON.parse(await cairn(world, 'work', 'show', 'plan-grafting-pear-rows', '--json'));
    expect(JSON.stringify(work)).toContain(second.sessionId);
  });

  test('/cairn:work runs without being asked for permission, in the session it is typed in', () => {
    const asked = textsOf(second.requests).find((text) => text.startsWith('The work items of this project'));
    expect(asked).toMatch(/\n\* plan-grafting-pear-rows {2}/);
    expect(asked).not.toContain('CLAUDE_PLUGIN_ROOT');
  });

  test('/cairn:recall leads to memory', () => {
    expect(textsOf(second.requests)).toContainEqual(
      expect.stringMatching(/^What does memory say about this\? whip grafts\n/),
    );
    expect(told(second, 'toolu_recall')).not.toBe('');
  });

  test('uninstalled, they are gone', async () => {
    await cairn(world, 'uninstall', 'claude-code');
    const run = await hello(world);
    expect(commandsIn(run)).toEqual([]);
  });
});

describe('by the plugin, with a home elsewhere', () => {
  let world: World;

  beforeAll(async () => {
    world = await makeWorld();
    world.env.CAIRN_HOME = join(world.root, "robin's memory");
    await installPlugin(world);
  });
  afterAll(() => world.remove());

  const listWorks = () =>
    runSession(world, {
      prompts: [GOAL, '/cairn:work'],
      settings: NOTHING_ALLOWED,
      script: { main: [[{ text: 'Planned.' }], [{ text: 'One work.' }]] },
    });
  const worksShown = (run: SessionRun) =>
    textsOf(run.requests).find((text) => text.startsWith('The work items of this project'));

  test('the commands are there and work', async () => {
    const run = await listWorks();
    expect(commandsIn(run)).toEqual(COMMANDS);
    expect(skillsTold(run)).toEqual(['cairn:memory']);
    expect(worksShown(run)).toMatch(/\n\* plan-grafting-pear-rows {2}/);
  });

  test('with the settings beside it each is there once, and works', async () => {
    await cairn(world, 'install', 'claude-code');
    delete world.env.CAIRN_HOME;
    const run = await listWorks();
    expect(commandsIn(run)).toEqual(COMMANDS);
    expect(skillsTold(run)).toEqual(['cairn:memory']);
    expect(worksShown(run)).toMatch(/\n. plan-grafting-pear-rows {2}/);
  });
});

test.runIf(hasTmux)(
  'after /clear a handoff goes to the conversation that began, though the server is the same',
  async () => {
    const world = await makeConnectedWorld();
    const screen = await openScreen(world, {
      settings: { permissions: { allow: ['mcp__cairn__*'] } },
      script: {
        main: [
          [{ tool: 'mcp__cairn__handoff', input: { note: 'mind the frost' }, id: 'toolu_save' }],
          [{ text: 'FIRST ANSWER' }],
          [{ tool: 'mcp__cairn__handoff', input: { action: 'resume' }, id: 'toolu_resume' }],
          [{ text: 'SECOND ANSWER' }],
        ],
      },
    });
    try {
      await screen.shows(/❯|>/);
      await screen.type(GOAL);
      await screen.shows(/FIRST ANSWER/);
      await screen.type('/clear');
      await expect.poll(async () => JSON.parse(await cairn(world, 'sessions', '--json'))).toHaveLength(2);
      await screen.type('/cairn:resume');
      await screen.shows(/SECOND ANSWER/);
      expect(answerIn(screen.requests(), 'toolu_resume')).toContain(
        '# Handoff 1 of plan-grafting-pear-rows: ',
      );
    } finally {
      await screen.close();
      await world.remove();
    }
  },
);

function hello(world: World): Promise<SessionRun> {
  return runSession(world, { prompts: ['hello'], script: { main: [[{ text: 'Good morning.' }]] } });
}

function commandsIn(run: SessionRun): string[] {
  const listed = run.printed.find(({ subtype }) => subtype === 'init')?.slash_commands;
  const names = Array.isArray(listed) ? listed.map(String) : [];
  return names.filter((name) => name.includes('cairn')).sort();
}

/** What the model is told that it may use by itself. */
function skillsTold({ requests }: SessionRun): string[] {
  const list = JSON.stringify(requests[0]?.body).match(/- cairn[\w:-]*(?=: )/g) ?? [];
  return list.map((line) => line.slice(2)).sort();
}

function told(run: SessionRun, id: string): string {
  return withoutFrame(answerIn(run.requests, id));
}

function answerIn(requests: ModelRequest[], id: string): string {
  const result = blocksOf(requests).find((block) => block.tool_use_id === id);
  return textOf(result?.content);
}

function textsOf(requests: ModelRequest[]): string[] {
  return blocksOf(requests).map(({ text }) => String(text));
}

function blocksOf(requests: ModelRequest[]): JsonObject[] {
  const messages = requests.flatMap(({ body }) => (Array.isArray(body.messages) ? body.messages : []));
  return messages
    .filter(isObject)
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter(isObject);
}

function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  return blocks.map(({ text }) => String(text)).join('');
}
