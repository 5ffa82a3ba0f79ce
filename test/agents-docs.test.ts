import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agents } from '../src/agents/all.ts';
import { describeAbilities, formatAbilities, formatMcpOnly } from '../src/agents/install/abilities.ts';
import { installers } from '../src/agents/install/installers.ts';
import { mcpOnlyInstallers } from '../src/agents/mcp-only/agent-installer.ts';
import { PLACE } from './support/install-place.ts';

const repository = join(import.meta.dirname, '..');
const page = readFileSync(join(repository, 'docs/agents.md'), 'utf8');

test('the table of agents is what they declare; print it with: cairn agents --markdown', () => {
  const [, shown] = /<!-- the table of agents -->\n([\s\S]*?)\n<!-- end of the table -->/.exec(page) ?? [];
  const declared = agents.map((agent) =>
    describeAbilities(
      agent,
      installers.find(({ id }) => id === agent.id),
      PLACE,
    ),
  );
  expect(shown).toBe(formatAbilities(declared));
});

test('the example shows files of this repository', () => {
  const blocks = [...page.matchAll(/```ts\n\/\/ (src\/\S+)\n([\s\S]*?)```/g)];
  expect(blocks.map(([, path]) => path)).toEqual([
    'src/agents/kilo/adapter.ts',
    'src/agents/kilo/agent-installer.ts',
    'src/agents/all.ts',
  ]);
  for (const [, path = '', shown = ''] of blocks)
    expect(readFileSync(join(repository, path), 'utf8')).toContain(shown);
});

test('the table of agents that are reached through MCP alone is what their rows say', () => {
  const [, shown] =
    /<!-- the table of MCP clients -->\n([\s\S]*?)\n<!-- end of the table -->/.exec(page) ?? [];
  expect(shown).toBe(formatMcpOnly(mcpOnlyInstallers, PLACE));
});

test('every agent whose hooks are installed has an adapter of the same name', () => {
  const hooked = installers.filter((installer) => !mcpOnlyInstallers.includes(installer));
  for (const { id, name } of hooked) expect(agents).toContainEqual(expect.objectContaining({ id, name }));
  const ids = [...installers.map(({ id }) => id), 'raw'];
  expect(new Set(ids).size).toBe(ids.length);
});
