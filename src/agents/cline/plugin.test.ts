import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadPlugin, readSpool } from '../../../test/support/plugin.ts';
import type { Json } from '../../model/json.ts';

interface Rule {
  id: string;
  content(): Promise<string>;
}
type Hook = (context: Json) => Promise<Json | undefined>;
interface ClinePlugin {
  setup(api: object, ctx?: Json): Promise<void>;
  hooks: Record<string, Hook>;
}

const ctx = { session: { sessionId: 'ses-1' }, workspaceInfo: { rootPath: '/home/user/project' } };
const typed = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });

async function load(cairn: string | null) {
  const { plugin, home } = await loadPlugin<{ default: ClinePlugin }>('cline', 'cline', cairn);
  const rules: Rule[] = [];
  const setUp = (value: Json = ctx) =>
    plugin.default.setup({ registerRule: (rule: Rule) => rules.push(rule) }, value);
  const callHook = (hook: string, context: Json) => plugin.default.hooks[hook]?.(context);
  return { rules, setUp, callHook, home, hooks: plugin.default.hooks, setup: plugin.default.setup };
}

/** A `cairn` that answers with the name of the event and counts the calls of each. */
const CAIRN =
  'f="$(dirname "$0")/$3"; cat >"$f"; echo x >>"$f.count"; printf \'{"context":"about %s"}\' "$3"';

describe.skipIf(process.platform === 'win32')('the plugin', () => {
  test('registers a rule with the same context at every setup', async () => {
    const { rules, setUp, home } = await load(CAIRN);
    await setUp({ workspaceInfo: { rootPath: '/home/user/project' } });
    expect(rules).toEqual([]);
    await setUp();
    await setUp();
    expect(await Promise.all(rules.map((rule) => rule.content()))).toEqual(['about setup', 'about setup']);
    expect(readFileSync(join(home, 'bin/setup.count'), 'utf8')).toBe('x\n');
  });

  test('adds context to a prompt and sends only that prompt', async () => {
    const { setUp, callHook, home } = await load(CAIRN);
    await setUp();
    const snapshot = { agentId: 'a', messages: [typed('earlier'), typed('now')] };
    expect(await callHook('beforeRun', { snapshot })).toEqual({ appendContext: 'about beforeRun' });
    expect(JSON.parse(readFileSync(join(home, 'bin/beforeRun'), 'utf8'))).toEqual({
      sessionId: 'ses-1',
      rootPath: '/home/user/project',
      context: { snapshot: { agentId: 'a', messages: [typed('now')] } },
    });
    const ofSubagent = { ...snapshot, parentAgentId: 'a' };
    expect(await callHook('beforeRun', { snapshot: ofSubagent })).toBeUndefined();
  });

  test('writes calls into the spool, those of a subagent with its parent', async () => {
    const { setUp, callHook, home } = await load(CAIRN);
    await setUp();
    const toolCall = { toolCallId: 'c', toolName: 'read_files', input: { files: [] } };
    const snapshot = { agentId: 'b', parentAgentId: 'a', messages: [typed('long')] };
    const result = { output: [], metadata: { much: true } };
    expect(await callHook('afterTool', { snapshot, toolCall, result, durationMs: 3 })).toBeUndefined();
    expect(readSpool(home)).toEqual([
      {
        ...{ agent: 'cline', hook: 'afterTool', via: 'settings', at: 0, name: '' },
        projectDir: '/home/user/project',
        payload: {
          sessionId: 'ses-1',
          rootPath: '/home/user/project',
          context: {
            snapshot: { agentId: 'b', parentAgentId: 'a' },
            toolCall,
            result: { output: [] },
            durationMs: 3,
          },
        },
      },
    ]);
  });

  test.each([
    ['that fails', 'exit 3'],
    ['that prints garbage', 'echo oops; echo oops >&2'],
    ['that hangs', 'exec sleep 30'],
    ['that is missing', null],
  ])('a cairn %s does not change or block anything', async (_, cairn) => {
    const { rules, setUp, callHook } = await load(cairn);
    await setUp();
    expect(await Promise.all(rules.map((rule) => rule.content()))).toEqual(cairn === null ? [] : ['']);
    expect(await callHook('beforeRun', { snapshot: { messages: [typed('now')] } })).toBeUndefined();
    expect(await callHook('afterRun', { snapshot: {}, result: {} })).toBeUndefined();
  });

  test('hooks never throw for any input', async () => {
    const { setUp, hooks, setup } = await load('exit 0');
    await setUp();
    for (const value of [undefined, null, 1, {}, { snapshot: 1 }]) {
      await expect(setup(value as object, value as Json)).resolves.toBeUndefined();
      for (const hook of Object.values(hooks)) await expect(hook(value as Json)).resolves.toBeUndefined();
    }
  });
});
