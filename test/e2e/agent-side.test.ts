import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts';
import { runSession, type SessionRun } from '../support/claude-code.ts';
import { openScreen } from '../support/claude-code-screen.ts';
import { withoutFrame } from '../support/contexts.ts';
import type { ModelRequest } from '../support/scripted-model.ts';
import { cairn, installPlugin, makeConnectedWorld, makeWorld, type World } from '../support/world.ts';

/**
 * Work items from the agent's side: the real client lists and runs our commands, the scripted model calls the tools.
 */

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
const COMMANDS = ['handoff', 'memory', 'recall', 'resume', 'tasks', 'work'].map((name) => `cairn:${name}`);
/** Only the commands themselves allow anything. */
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

  test('both sessions end without an error', () => {
    expect([first, second].map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual([
      { exitCode: 0, stderr: '' },
      { exitCode: 0, stderr: '' },
    ]);
  });

  test('the client lists the commands, the model sees only the skill', () => {
    expect(commandsIn(first)).toEqual(COMMANDS);
    expect(skillsIn(first)).toEqual(['cairn:memory']);
  });

  test('tasks are added and completed, and a wrong number gets a list of the tasks', () => {
    const name = 'plan-grafting-pear-rows';
    expect(resultOf(first, 'toolu_add')).toBe(
      `${name}: 0 of 2 tasks done\n[ ] 1 Graft row three\n[ ] 2 Label it`,
    );
    expect(resultOf(first, 'toolu_done')).toBe(
      `${name}: 1 of 2 tasks done\n[ ] 1 Graft row three\n[x] 2 Label it`,
    );
    expect(resultOf(first, 'toolu_wrong')).toContain(
      `${name} has no task 9. Nothing was changed.\nIt has:\n[ ] 1 Graft`,
    );
  });

  test('the command describes the parts of a handoff, and the tool saves it', async () => {
    const asked = textsOf(first.requests).find((text) => text.startsWith('Hand this work over'));
    expect(asked).toContain('- note: mind the frost\n');
    expect(resultOf(first, 'toolu_save')).toMatch(
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

  test('the next session gets the handoff, continues the work item, and can read the handoff again', async () => {
    const text = resultOf(second, 'toolu_resume');
    expect(text).toContain('# Handoff 1 of plan-grafting-pear-rows: ');
    expect(text).toContain('- [ ] 1. Graft row three\n');
    expect(resultOf(second, 'toolu_again')).toBe(text);
    const work = JSON.parse(await cairn(world, 'work', 'show', 'plan-grafting-pear-rows', '--json'));
    expect(JSON.stringify(work)).toContain(second.sessionId);
  });

  test('/cairn:work runs without asking for permission, for the session in which it is typed', () => {
    const asked = textsOf(second.requests).find((text) => text.startsWith('The work items of this project'));
    expect(asked).toMatch(/\n\* plan-grafting-pear-rows {2}/);
    expect(asked).not.toContain('CLAUDE_PLUGIN_ROOT');
  });

  test('/cairn:recall asks about memory', () => {
    expect(textsOf(second.requests)).toContainEqual(
      expect.stringMatching(/^What does memory say about this\? whip grafts\n/),
    );
    expect(resultOf(second, 'toolu_recall')).not.toBe('');
  });

  test('uninstalling removes the commands', async () => {
    await cairn(world, 'uninstall', 'claude-code');
    const run = await hello(world);
    expect(commandsIn(run)).toEqual([]);
  });
});

describe('as a plugin, with a home in another folder', () => {
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

  test('the commands are available and work', async () => {
    const run = await listWorks();
    expect(commandsIn(run)).toEqual(COMMANDS);
    expect(skillsIn(run)).toEqual(['cairn:memory']);
    expect(worksShown(run)).toMatch(/\n\* plan-grafting-pear-rows {2}/);
  });

  test('each command is listed once when the settings have it too, and works', async () => {
    await cairn(world, 'install', 'claude-code');
    delete world.env.CAIRN_HOME;
    const run = await listWorks();
    expect(commandsIn(run)).toEqual(COMMANDS);
    expect(skillsIn(run)).toEqual(['cairn:memory']);
    expect(worksShown(run)).toMatch(/\n. plan-grafting-pear-rows {2}/);
  });
});

test.runIf(hasTmux)(
  'after /clear a handoff goes to the new conversation, although the MCP server is the same',
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

/** The skills that the model may use by itself. */
function skillsIn({ requests }: SessionRun): string[] {
  const list = JSON.stringify(requests[0]?.body).match(/- cairn[\w:-]*(?=: )/g) ?? [];
  return list.map((line) => line.slice(2)).sort();
}

function resultOf(run: SessionRun, id: string): string {
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
