import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { file, install, root, run, useHome } from '../../test/support/install-home.ts';
import { agents } from '../agents/all.ts';
import { mcpOnlyInstallers } from '../agents/mcp-only/agent-installer.ts';
import { command } from './agents.ts';

useHome();

test('lists every agent with its state, even if the settings of one are broken', async () => {
  await run(install(), ['copilot'], { yes: true });
  mkdirSync(join(root, 'user/.cursor'));
  writeFileSync(join(root, 'user/.cursor/hooks.json'), '{ broken');
  const { out, code } = await run(command, []);
  expect(code).toBe(0);
  const [headings, ...rows] = out.filter((line) => !/^(✗| {2}→)/.test(line));
  expect(headings).toMatch(/^AGENT +STATE +CONTEXT +MORE +TESTED WITH$/);
  const states = Object.fromEntries(
    rows.slice(0, -1).map((row) => [row.split(/ {2,}/)[0], row.split(/ {2,}/)[1]]),
  );
  const clients = mcpOnlyInstallers.map(({ id }) => id);
  expect(Object.keys(states)).toEqual([...agents.map(({ id }) => id), ...clients]);
  expect(states).toMatchObject({
    'claude-code': 'not connected',
    copilot: 'connected',
    cursor: 'unreadable settings',
    raw: 'needs no setup',
    zed: 'not on this machine',
  });
});

test('names unreadable settings with a fix, as doctor does', async () => {
  const user = join(root, 'user');
  for (const folder of ['.cursor', '.qwen/settings.json', '.config/goose'])
    mkdirSync(join(user, folder), { recursive: true });
  writeFileSync(join(user, '.cursor/hooks.json'), '{ broken');
  writeFileSync(file, '{ "model": "opus" // mine\n}');
  mkdirSync(join(user, '.kimi-code'));
  writeFileSync(join(user, '.kimi-code/config.toml'), Buffer.from('# caf\xe9', 'latin1'));
  symlinkSync('config.yaml', join(user, '.config/goose/config.yaml'));
  const { out, code } = await run(command, []);
  expect(code).toBe(0);
  expect(out.filter((line) => /^(✗| {2}→)/.test(line))).toEqual([
    `✗ Claude Code: ${file}:1:19: a comment is not allowed, so Claude Code ignores the whole file`,
    '  → Run: cairn install claude-code --fix-settings',
    `✗ Cursor: ${user}/.cursor/hooks.json:1:3: invalid symbol`,
    '  → Correct this place in the file.',
    `✗ Qwen Code: ${user}/.qwen/settings.json cannot be read: it is a folder`,
    '  → Move or remove that folder.',
    `✗ Kimi Code: ${user}/.kimi-code/config.toml cannot be read: it is not UTF-8 text`,
    '  → Save it as UTF-8.',
    `✗ Goose: ${user}/.config/goose/config.yaml cannot be read: it is a link that leads back to itself`,
    '  → Remove the link.',
  ]);
  for (const id of ['claude-code', 'cursor', 'qwen', 'kimi', 'goose'])
    expect(out.find((line) => line.startsWith(`${id} `))).toContain('unreadable settings');

  const listed: { id: string }[] = JSON.parse((await run(command, [], { json: true })).out.join('\n'));
  expect(listed.find(({ id }) => id === 'cursor')).toMatchObject({
    state: 'unreadable settings',
    problems: [
      { message: `${user}/.cursor/hooks.json:1:3: invalid symbol`, fix: 'Correct this place in the file.' },
    ],
  });
});

test('prints every capability as JSON', async () => {
  const { out } = await run(command, [], { json: true });
  const listed: { id: string }[] = JSON.parse(out.join('\n'));
  expect(listed.find(({ id }) => id === 'cursor')).toEqual({
    id: 'cursor',
    name: 'Cursor',
    events: [
      ...['sessionStart', 'beforeSubmitPrompt', 'postToolUse', 'postToolUseFailure'],
      ...['preCompact', 'afterAgentResponse', 'stop', 'sessionEnd'],
    ],
    context: { start: 'again', prompt: true, read: false, tool: true },
    showsMessages: false,
    longestContext: 10_000,
    hasTranscripts: false,
    hasServer: true,
    hasCommands: true,
    verifiedWith: null,
    state: 'not on this machine',
  });
  expect(listed.find(({ id }) => id === 'kiro')).toEqual({
    id: 'kiro',
    name: 'Kiro',
    isMcpOnly: true,
    check: 'kiro-cli mcp list',
    verifiedWith: null,
    state: 'not on this machine',
  });
});
