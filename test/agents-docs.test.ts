import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '../src/agents/agent.ts';
import { agents } from '../src/agents/all.ts';
import {
  describeAbilities,
  formatAbilities,
  formatEvents,
  formatMcpOnly,
} from '../src/agents/install/abilities.ts';
import type { AgentInstaller } from '../src/agents/install/agent-installer.ts';
import { installers } from '../src/agents/install/installers.ts';
import { installParts, removeParts } from '../src/agents/install/parts.ts';
import { mcpOnlyInstallers } from '../src/agents/mcp-only/agent-installer.ts';
import { PLACE } from './support/install-place.ts';
import { tempFolder } from './support/temp.ts';

const repository = join(import.meta.dirname, '..');
const page = readFileSync(join(repository, 'docs/agents.md'), 'utf8');

function findTable(of: string): string | undefined {
  const [, rest] = page.split(`<!-- the table of ${of} -->\n`);
  return rest?.split('\n<!-- end of the table -->')[0];
}

/** Path and text of each example in the page. */
function listExamples(): [path: string, text: string][] {
  return [...page.matchAll(/```ts\n\/\/ (src\/\S+)\n([\s\S]*?)```/g)].map(([, path = '', text = '']) => [
    path,
    text,
  ]);
}

/** `raw` is for programs that call Cairn themselves; of `continue` only past sessions are read. */
const WITHOUT_HOOKS = ['raw', 'continue'];

test('the tables of agents match the code; print them with: cairn agents --markdown', () => {
  const declared = agents.map((agent) =>
    describeAbilities(
      agent,
      installers.find(({ id }) => id === agent.id),
      PLACE,
    ),
  );
  expect(findTable('agents')).toBe(formatAbilities(declared));
  expect(findTable('events')).toBe(formatEvents(declared));
  for (const { id, events } of declared) expect(events.length > 0, id).toBe(!WITHOUT_HOOKS.includes(id));
});

test('the kilo example quotes files of this repository', () => {
  const blocks = listExamples().filter(([path]) => !path.includes('/teapot/'));
  expect(blocks.map(([path]) => path)).toEqual([
    'src/agents/kilo/adapter.ts',
    'src/agents/kilo/agent-installer.ts',
    'src/agents/all.ts',
  ]);
  for (const [path, shown] of blocks) expect(readFileSync(join(repository, path), 'utf8')).toContain(shown);
});

test('the table of MCP-only agents matches their installers', () => {
  const clients = installers.filter(({ check }) => check !== undefined);
  expect(findTable('MCP clients')).toBe(formatMcpOnly(clients, PLACE));
});

test('every agent with installable hooks has an adapter of the same name', () => {
  const hooked = installers.filter((installer) => !mcpOnlyInstallers.includes(installer));
  for (const { id, name } of hooked) expect(agents).toContainEqual(expect.objectContaining({ id, name }));
  const ids = [...installers.map(({ id }) => id), 'raw'];
  expect(new Set(ids).size).toBe(ids.length);
});

test('the example adapter and installer work as printed', async () => {
  const folder = tempFolder();
  for (const [path, text] of listExamples().filter(([path]) => path.includes('/teapot/')))
    writeFileSync(
      join(folder, basename(path)),
      text.replaceAll("from '../", `from '${join(repository, 'src/agents')}/`),
    );
  const { teapot }: { teapot: Agent } = await import(join(folder, 'adapter.ts'));
  const { installer }: { installer: AgentInstaller } = await import(join(folder, 'agent-installer.ts'));

  const call = { tool_name: 'pour', tool_input: { cup: '/a' }, tool_response: 'ok' };
  expect(teapot.toEvents('PostToolUse', { session_id: 's', ...call })).toMatchObject([
    { kind: 'tool-end', sessionId: 's', call: { does: 'change', files: [{ path: '/a', how: 'write' }] } },
  ]);
  expect(JSON.parse(teapot.print('SessionStart', { context: 'c' }).stdout)).toEqual({
    hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'c' },
  });
  expect(formatAbilities([describeAbilities(teapot, installer, PLACE)])).toContain('| `teapot` |');

  const parts = installer.listParts({ ...PLACE, userHome: folder });
  const owner = { agent: 'teapot', recordFolder: join(folder, 'records') };
  installParts(parts, owner);
  const written = JSON.parse(readFileSync(join(folder, '.teapot/settings.json'), 'utf8'));
  expect(Object.keys(written.hooks)).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'PostToolUse',
    'Stop',
    'SessionEnd',
  ]);
  expect(written.mcpServers.cairn.args).toEqual(['mcp']);
  removeParts(parts, owner);
  expect(existsSync(join(folder, '.teapot'))).toBe(false);
});

/** These ids have other meanings too: only a quoted string counts as a mention. */
const COMMON_WORDS = ['cursor', 'pi'];
/**
 * Claude Code is the default, the tour plays it, and some things exist only there; `raw` is not a client; `continue` has
 * many meanings.
 */
const NAMED_ELSEWHERE = ['claude-code', 'raw', 'continue'];
/** Names of assistants that people address in prompts. */
const ROLE_WORDS = 'indexing/role.ts';

test.each(agents.map(({ id }) => id).filter((id) => !NAMED_ELSEWHERE.includes(id)))(
  '%s is named only in its folder, by agents that share code with it, and in the list',
  (id) => {
    const source = join(repository, 'src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        /\.(?:ts|tsx|sh)$/.test(name) &&
        !name.includes('.test.') &&
        !/^agents\/[^/]+\//.test(name.replace(/^agents\/(?:install|dialect)\//, '')) &&
        name !== ROLE_WORDS,
    );
    expect(files.length).toBeGreaterThan(500);
    const form = COMMON_WORDS.includes(id)
      ? new RegExp(`['"\`]${id}['"\`]`)
      : new RegExp(`\\b${id}(?!byte)`, 'i');
    const naming = files.filter((name) => form.test(readFileSync(join(source, name), 'utf8')));
    const imported = COMMON_WORDS.includes(id) ? [] : ['agents/all.ts'];
    expect(naming).toEqual(imported);
  },
);
