import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { install, root, run, useHome } from '../../test/support/install-home.ts';
import { agents } from '../agents/all.ts';
import { mcpOnlyInstallers } from '../agents/mcp-only/agent-installer.ts';
import { command } from './agents.ts';

useHome();

test('each agent has a row with its state; one whose settings are broken does not hide the others', async () => {
  await run(install(), ['copilot'], { yes: true });
  mkdirSync(join(root, 'user/.cursor'));
  writeFileSync(join(root, 'user/.cursor/hooks.json'), '{ broken');
  const { out, code } = await run(command, []);
  expect(code).toBe(0);
  const [headings, ...rows] = out;
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

test('as JSON, with every ability', async () => {
  const { out } = await run(command, [], { json: true });
  const listed: { id: string }[] = JSON.parse(out.join('\n'));
  expect(listed.find(({ id }) => id === 'cursor')).toEqual({
    id: 'cursor',
    name: 'Cursor',
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
