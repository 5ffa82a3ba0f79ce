import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PLACE } from '../../../test/support/install-place.ts';
import { loadPlugin, readSpool } from '../../../test/support/plugin.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { OWN_MARK } from '../install/own-mark.ts';
import { buildPluginText } from '../install/plugin-text.ts';

type Hooks = Record<string, (input?: Json, output?: Json) => Promise<void>>;

async function loadHooks(cairn: string | null): Promise<{ hooks: Hooks; home: string }> {
  const { plugin, home } = await loadPlugin<{ Cairn(input: Json): Promise<Hooks> }>(
    'opencode',
    'opencode',
    cairn,
  );
  return { hooks: await plugin.Cairn({ directory: '/home/user/project' }), home };
}

const created = { event: { type: 'session.created', properties: { info: { id: 'ses_1' } } } };
const answering = 'printf \'{"context":"%s"}\' "$3"; cat >/dev/null';

function message(): { message: JsonObject; parts: JsonObject[] } {
  return { message: { id: 'msg_1' }, parts: [{ id: 'prt_1', messageID: 'msg_1', type: 'text', text: 'hi' }] };
}

describe.skipIf(process.platform === 'win32')('the plugin', () => {
  test('adds the same context to every request of a session', async () => {
    const { hooks } = await loadHooks(answering);
    await hooks.event?.(created);
    const [first, second] = [{ system: ['own'] }, { system: [] as string[] }];
    await hooks['experimental.chat.system.transform']?.({ sessionID: 'ses_1' }, first);
    await hooks['experimental.chat.system.transform']?.({ sessionID: 'ses_1' }, second);
    expect([first.system, second.system]).toEqual([['own', 'session.created'], ['session.created']]);
  });

  test('adds a part to a prompt, even in a session whose start was not reported', async () => {
    const { hooks } = await loadHooks(answering);
    const output = message();
    await hooks['chat.message']?.({ sessionID: 'ses_2' }, output);
    expect(output.parts.slice(1)).toEqual([
      {
        id: 'prt_10',
        sessionID: 'ses_2',
        messageID: 'msg_1',
        type: 'text',
        text: 'chat.message',
        synthetic: true,
      },
    ]);
  });

  test('sends a command as the person typed it', async () => {
    const { hooks, home } = await loadHooks('[ "$3" != chat.message ] || cat >"$(dirname "$0")/sent"');
    await hooks.event?.(created);
    const command = { command: 'cairn/handoff', sessionID: 'ses_1', arguments: 'for Ada' };
    await hooks['command.execute.before']?.(command, { parts: [] });
    await hooks['chat.message']?.({ sessionID: 'ses_1' }, message());
    expect(JSON.parse(readFileSync(join(home, 'bin/sent'), 'utf8'))).toMatchObject({
      command: '/cairn/handoff for Ada',
    });
  });

  test('writes calls into the spool as capture.sh does, those of a subagent with its parent', async () => {
    const { hooks, home } = await loadHooks(answering);
    const child = {
      event: { type: 'session.created', properties: { info: { id: 'ses_3', parentID: 'ses_1' } } },
    };
    await hooks.event?.(created);
    await hooks.event?.(child);
    const input = { tool: 'bash', sessionID: 'ses_3', callID: 'c', args: { command: 'ls' } };
    await hooks['tool.execute.after']?.(input, { output: 'a', metadata: { exit: 0, output: 'a' } });
    const head = { agent: 'opencode', hook: 'tool.execute.after', via: 'settings', at: 0, name: '' };
    expect(readSpool(home)).toEqual([
      {
        ...head,
        projectDir: '/home/user/project',
        payload: {
          sessionID: 'ses_3',
          directory: '/home/user/project',
          parentID: 'ses_1',
          input: { tool: 'bash', callID: 'c', args: { command: 'ls' } },
          output: { output: 'a', metadata: { exit: 0 } },
        },
      },
    ]);
  });

  test.each([
    ['that fails', 'exit 3'],
    ['that prints garbage', 'echo oops; echo oops >&2'],
    ['that hangs', 'exec sleep 30'],
    ['that is missing', null],
  ])('a hook program %s does not change or block anything', async (_, program) => {
    const { hooks, home } = await loadHooks(program);
    await hooks.event?.(created);
    const output = message();
    await hooks['chat.message']?.({ sessionID: 'ses_1' }, output);
    const system = { system: [] };
    await hooks['experimental.chat.system.transform']?.({ sessionID: 'ses_1' }, system);
    expect({ parts: output.parts, ...system }).toEqual({ parts: message().parts, system: [] });
    await hooks.dispose?.();
    if (program === null) expect(existsSync(home)).toBe(false);
  });

  test('hooks never throw for any input', async () => {
    const { hooks } = await loadHooks('exit 0');
    for (const hook of Object.values(hooks))
      for (const value of [undefined, null, 1, {}, { event: null }, { sessionID: 1 }])
        await expect(hook(value as Json, value as Json)).resolves.toBeUndefined();
  });

  test('contains its mark and the values for this machine', () => {
    const text = buildPluginText('kilo', 'opencode', PLACE);
    expect(text.startsWith(`// ${OWN_MARK}\n`)).toBe(true);
    expect(text).not.toContain('@SETTINGS@');
    expect(text).toContain(
      JSON.stringify(
        '{"agent":"kilo","home":"/home/u/.cairn","command":["/home/u/.cairn/bin/cairn","hook"],"server":["/home/u/.cairn/bin/cairn","mcp"]}',
      ),
    );
    expect(text.match(/^import .* from '(?!node:)/m)).toBeNull();
    // The client treats every export as a plugin.
    expect(text.match(/^export .*/gm)).toEqual(['export const Cairn = async ({ directory: folder }) => {']);
  });
});
