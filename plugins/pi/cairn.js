// Written by Cairn, which renews and removes it while it is unchanged:
// Cairn for Pi.
import * as processes from 'node:child_process';
import { createInterface } from 'node:readline';
import { ask, ENDING_MS, home, isConnected, record, safely, server } from '../hook-calls.js';

const CALL_MS = 30_000;

/** Pi makes a new one for each session. No process is started before the session starts. */
export default function connectCairn(pi) {
  /** The context of the session's start; it stays the same until the next report, as prompt caches need it. */
  let context;
  /** The connection to the MCP server. */
  let tools;
  let typed;
  let ended;

  pi.on(
    'session_start',
    safely((event, ctx) => {
      start(event.reason, ctx);
      tools = registerTools(pi, ctx);
    }),
  );

  pi.on(
    'input',
    safely(async ({ text, source, streamingBehavior }, ctx) => {
      typed = { text, source };
      if (streamingBehavior) report('input', { text, source, streamingBehavior }, ctx);
      // The next request has the tools only if they are registered now.
      else await tools;
    }),
  );

  pi.on(
    'before_agent_start',
    safely(async ({ prompt, systemPrompt }, ctx) => {
      const fields = { prompt, ...(typed && { typed: typed.text, source: typed.source }) };
      typed = undefined;
      const start = await context;
      const instructions = (await tools)?.instructions;
      const content = await answer('before_agent_start', fields, ctx);
      const added = [instructions, start].filter(Boolean);
      return {
        ...(added.length > 0 && { systemPrompt: [systemPrompt, ...added].join('\n\n') }),
        ...(content && { message: { customType: 'cairn', content, display: false } }),
      };
    }),
  );

  pi.on(
    'tool_result',
    safely(({ toolName, toolCallId, input, content, isError }, ctx) => {
      const texts = content.filter(({ type }) => type === 'text');
      report('tool_result', { toolName, toolCallId, input, content: texts, isError }, ctx);
    }),
  );

  pi.on(
    'session_before_compact',
    safely(({ reason }, ctx) => {
      report('session_before_compact', { reason }, ctx);
    }),
  );

  pi.on(
    'session_compact',
    safely(({ reason, compactionEntry }, ctx) => {
      report('session_compact', { reason, compactionEntry: { summary: compactionEntry.summary } }, ctx);
      start('compact', ctx);
    }),
  );

  pi.on(
    'agent_end',
    safely(({ messages }) => {
      const last = messages.findLast(({ role }) => role === 'assistant');
      const texts = last?.content.filter(({ type }) => type === 'text');
      ended = { messages: last ? [{ role: last.role, content: texts, stopReason: last.stopReason }] : [] };
    }),
  );

  // After retries and everything else that continues a turn.
  pi.on(
    'agent_settled',
    safely(async (_, ctx) => {
      if (!ended) return;
      const fields = ended;
      ended = undefined;
      // Also wakes the worker, which distils the turn.
      await answer('agent_end', fields, ctx, ENDING_MS);
    }),
  );

  pi.on(
    'session_shutdown',
    safely(async ({ reason }, ctx) => {
      (await tools)?.close();
      // After a reload the same session goes on.
      if (reason !== 'reload') await answer('session_shutdown', { reason }, ctx, ENDING_MS);
    }),
  );

  function start(reason, ctx) {
    context = answer('session_start', { reason }, ctx);
  }
}

function payloadOf(event, { cwd, sessionManager }) {
  const [sid, file] = [sessionManager.getSessionId(), sessionManager.getSessionFile()];
  return { event, ctx: { cwd, sid, ...(file && { file }) } };
}

function answer(event, fields, ctx, deadline) {
  return ask({ folder: ctx.cwd, event, payload: payloadOf(fields, ctx), deadline });
}

function report(event, fields, ctx) {
  record({ folder: ctx.cwd, event, payload: payloadOf(fields, ctx) });
}

/** Pi has no MCP client: our server is started with the session, and its tools become tools of Pi. */
async function registerTools(pi, { cwd, sessionManager }) {
  if (!server || !isConnected()) return undefined;
  const connection = connectServer(cwd, sessionManager.getSessionId());
  try {
    const clientInfo = { name: 'pi', version: '1' };
    const { instructions } = await connection.request('initialize', { clientInfo, capabilities: {} });
    const { tools } = await connection.request('tools/list', {});
    for (const { name, title, description, inputSchema } of tools)
      pi.registerTool({
        name: `cairn_${name}`,
        label: title ?? name,
        description,
        parameters: inputSchema,
        execute: async (_, args) => {
          const { content, isError } = await connection.request('tools/call', { name, arguments: args });
          if (isError) throw new Error(content.map(({ text }) => text).join('\n'));
          return { content, details: undefined };
        },
      });
    return { instructions, close: connection.close };
  } catch {
    connection.close();
    return undefined;
  }
}

/** Our MCP server, one message per line. */
function connectServer(folder, session) {
  const [program, ...args] = server;
  const child = processes.spawn(program, args, {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, CAIRN_HOME: home, CLAUDE_PROJECT_DIR: folder, PI_SESSION_ID: session },
  });
  const waiting = new Map();
  let lastId = 0;
  let isClosed = false;

  const close = () => {
    isClosed = true;
    child.stdin.end();
    for (const { reject } of waiting.values()) reject(new Error('Cairn has ended. Start Pi again.'));
    waiting.clear();
  };
  child.on('error', close);
  child.on('close', close);
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on(
    'line',
    safely((line) => {
      const { id, result, error } = JSON.parse(line);
      const { resolve, reject } = waiting.get(id) ?? {};
      waiting.delete(id);
      if (error) reject?.(new Error(error.message));
      else resolve?.(result);
    }),
  );

  const request = (method, params) =>
    new Promise((resolve, reject) => {
      if (isClosed) throw new Error('Cairn has ended. Start Pi again.');
      lastId += 1;
      const id = lastId;
      const limit = setTimeout(() => {
        waiting.delete(id);
        reject(new Error('Cairn did not answer in time.'));
      }, CALL_MS);
      const settle = (end) => (value) => {
        clearTimeout(limit);
        end(value);
      };
      waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  return { request, close };
}
