import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadPlugin, readSpool } from '../../../test/support/plugin.ts';
import type { Json } from '../../model/json.ts';

type Handler = (event?: Json, ctx?: object) => Promise<Json | undefined>;
interface Tool {
  name: string;
  parameters: Json;
  execute(id: string, args: Json): Promise<Json>;
}

const cwd = import.meta.dirname;
const ctx = {
  cwd,
  sessionManager: { getSessionId: () => 'id-1', getSessionFile: () => undefined },
};

async function loadHandlers(cairn: string | null) {
  const { plugin, home } = await loadPlugin<{ default(pi: object): void }>('pi', 'pi', cairn);
  const handlers = new Map<string, Handler>();
  const tools: Tool[] = [];
  plugin.default({
    on: (event: string, handler: Handler) => handlers.set(event, handler),
    registerTool: (tool: Tool) => tools.push(tool),
  });
  const callHook = (event: string, fields: Json) => handlers.get(event)?.(fields, ctx);
  return { handlers, tools, home, callHook };
}

/** A `cairn` that answers hooks with the name of the event, and serves one tool. */
const CAIRN = `
if [ "$1" = hook ]; then cat >"$(dirname "$0")/$3"; printf '{"context":"about %s"}' "$3"; exit; fi
while read -r line; do
  id=$(expr "$line" : '.*"id":\\([0-9]*\\)')
  case $line in
    *initialize*) printf '{"id":%s,"result":{"instructions":"Use it."}}\\n' "$id" ;;
    *tools/list*) printf '{"id":%s,"result":{"tools":[{"name":"search","inputSchema":{"type":"object"}}]}}\\n' "$id" ;;
    *wrong*) printf '{"id":%s,"result":{"isError":true,"content":[{"type":"text","text":"no such memory"}]}}\\n' "$id" ;;
    *) printf '{"id":%s,"result":{"content":[{"type":"text","text":"found"}]}}\\n' "$id" ;;
  esac
done
echo ended >"$(dirname "$0")/server"`;

describe.skipIf(process.platform === 'win32')('the extension', () => {
  test('adds the same start context to every system prompt, and a message to the prompt', async () => {
    const { callHook, home } = await loadHandlers(CAIRN);
    await callHook('session_start', { reason: 'startup' });
    await callHook('input', { text: '/cairn-resume', source: 'interactive' });
    const expected = {
      systemPrompt: 'own\n\nUse it.\n\nabout session_start',
      message: { customType: 'cairn', content: 'about before_agent_start', display: false },
    };
    const event = { prompt: 'Continue …', systemPrompt: 'own' };
    expect(await callHook('before_agent_start', event)).toEqual(expected);
    const sent = JSON.parse(readFileSync(join(home, 'bin/before_agent_start'), 'utf8'));
    expect(sent).toEqual({
      event: { prompt: 'Continue …', typed: '/cairn-resume', source: 'interactive' },
      ctx: { cwd, sid: 'id-1' },
    });
    expect(await callHook('before_agent_start', event)).toEqual(expected);
    await callHook('session_shutdown', { reason: 'quit' });
  });

  test('registers the tools of the server, which stops at session end', async () => {
    const { callHook, tools, home } = await loadHandlers(CAIRN);
    await callHook('session_start', { reason: 'startup' });
    await callHook('input', { text: 'hi', source: 'interactive' });
    const [search] = tools;
    expect(search).toMatchObject({ name: 'cairn_search', parameters: { type: 'object' } });
    expect(await search?.execute('c', { query: 'port' })).toEqual({
      content: [{ type: 'text', text: 'found' }],
      details: undefined,
    });
    await expect(search?.execute('c', { query: 'wrong' })).rejects.toThrow('no such memory');
    await callHook('session_shutdown', { reason: 'quit' });
    await expect(search?.execute('c', {})).rejects.toThrow('Cairn has ended');
    await expect.poll(() => readFileSync(join(home, 'bin/server'), 'utf8')).toBe('ended\n');
  });

  test('writes calls and prompts sent during a turn into the spool', async () => {
    const { callHook, home } = await loadHandlers(CAIRN);
    const call = { toolName: 'read', toolCallId: 'c', input: { path: 'a.png' }, isError: false };
    const picture = { type: 'image', data: 'AAAA' };
    const note = { type: 'text', text: 'a picture' };
    await callHook('tool_result', { ...call, content: [note, picture] });
    await callHook('input', { text: 'stop that', source: 'interactive', streamingBehavior: 'steer' });
    const sent = readSpool(home).map(({ agent, hook, payload }) => ({ agent, hook, event: payload.event }));
    expect(sent).toEqual(
      expect.arrayContaining([
        { agent: 'pi', hook: 'tool_result', event: { ...call, content: [note] } },
        {
          agent: 'pi',
          hook: 'input',
          event: { text: 'stop that', source: 'interactive', streamingBehavior: 'steer' },
        },
      ]),
    );
    expect(sent).toHaveLength(2);
  });

  test('reports only the final end of a turn, and no session end at a reload', async () => {
    const { callHook, home } = await loadHandlers(CAIRN);
    const messageOf = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] });
    await callHook('agent_end', { messages: [messageOf('Trying again.')] });
    await callHook('agent_end', { messages: [messageOf('Look.'), messageOf('Done.')] });
    await callHook('agent_settled', {});
    await callHook('session_shutdown', { reason: 'reload' });
    const sent = JSON.parse(readFileSync(join(home, 'bin/agent_end'), 'utf8'));
    expect(sent.event).toEqual({ messages: [messageOf('Done.')] });
    expect(() => readFileSync(join(home, 'bin/session_shutdown'))).toThrow('ENOENT');
  });

  test.each([
    ['that fails', 'exit 3'],
    ['that prints garbage', 'echo oops; echo oops >&2'],
    ['that hangs', 'exec sleep 30'],
    ['that is missing', null],
  ])('a cairn %s does not change or block anything', async (_, cairn) => {
    const { callHook, tools } = await loadHandlers(cairn);
    await callHook('session_start', { reason: 'startup' });
    await callHook('input', { text: 'hi', source: 'interactive' });
    const reply = await callHook('before_agent_start', { prompt: 'hi', systemPrompt: 'own' });
    expect({ ...(reply as object), tools }).toEqual({ tools: [] });
    await callHook('session_shutdown', { reason: 'quit' });
  });

  test('handlers never throw for any input', async () => {
    const { handlers } = await loadHandlers('exit 0');
    for (const handler of handlers.values())
      for (const value of [undefined, null, 1, {}, { messages: 1 }])
        await expect(handler(value as Json, {})).resolves.toSatisfy(() => true);
  });
});
