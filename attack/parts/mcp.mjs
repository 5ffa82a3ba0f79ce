import { spawn } from 'node:child_process';
import { hasStackTrace } from '../checks.mjs';
import { killProcess, waitUntil } from '../process.mjs';
import { cliPath } from '../sandbox.mjs';
import { createHostileMessages } from './mcp-messages.mjs';

const ROUND = 50;
const ANSWER_LIMIT_MS = 30_000;

/**
 * Hostile JSON-RPC on stdin of `cairn mcp`. Every request with a valid id and a string as its method must get exactly
 * one answer; the server must stay alive, and no answer may contain a stack trace.
 */
export async function attack({ tally, random, deadline, events: count, openSandbox }) {
  const sandbox = openSandbox('mcp');
  const server = startServer(sandbox);
  const messages = createHostileMessages(random);
  server.send(
    '{"jsonrpc":"2.0","id":"start","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"attack","version":"1"}}}\n',
  );
  const due = new Set(['"start"']);
  const total = Math.max(100, Math.ceil(count * 1.5));

  for (let sent = 0; sent < total && server.isAlive() && Date.now() < deadline; ) {
    for (let number = 0; number < ROUND && sent < total; number++, sent++) {
      tally.count('tried');
      const { line, ids } = messages();
      for (const id of ids) due.add(JSON.stringify(id));
      server.send(line);
    }
    if (!(await untilAnswered(server, due))) break;
  }
  server.send('{"jsonrpc":"2.0","id":"last","method":"ping"}\n');
  due.add('"last"');
  await untilAnswered(server, due);
  const code = await server.close();

  for (const id of due) {
    const answers = server.answers.get(id) ?? 0;
    if (answers === 1) tally.count('accepted');
    else if (answers === 0) tally.fail('lost', `no answer to the request ${id}`);
    else tally.fail('doubled', `${answers} answers to the request ${id}`);
  }
  for (const line of server.garbage) tally.fail('crashed', `stdout had a line that is not JSON: ${line}`);
  for (const line of server.traces) tally.fail('crashed', `stack trace in an answer: ${line}`);
  if (code !== 0) tally.fail('crashed', `the server ended with ${code}: ${server.stderr()}`);
}

function untilAnswered({ answers, isAlive }, due) {
  const hasAll = () => [...due].every((id) => answers.has(id));
  return waitUntil(() => hasAll() || !isAlive(), ANSWER_LIMIT_MS, 5);
}

function startServer({ env, project }) {
  const child = spawn(process.execPath, [cliPath, 'mcp'], { cwd: project, env });
  const answers = new Map();
  const garbage = [];
  const traces = [];
  let rest = '';
  let stderr = '';
  let exit = null;
  const closed = new Promise((resolve) => {
    child.on('close', (code, signal) => {
      exit = code ?? signal;
      resolve(exit);
    });
  });
  child.stdin.on('error', () => {});
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr = (stderr + text).slice(-2_000);
  });
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) take(line);
  });

  function take(line) {
    try {
      for (const answer of [JSON.parse(line)].flat()) {
        if (answer.id === undefined || answer.method !== undefined) continue;
        const id = JSON.stringify(answer.id);
        answers.set(id, (answers.get(id) ?? 0) + 1);
        if (hasStackTrace(`\n${answer.error?.message ?? answer.result?.content?.[0]?.text ?? ''}`))
          traces.push(line);
      }
    } catch {
      garbage.push(line);
    }
  }

  return {
    answers,
    garbage,
    traces,
    stderr: () => stderr,
    isAlive: () => exit === null,
    send: (line) => child.stdin.write(line),
    async close() {
      child.stdin.end();
      const timer = setTimeout(() => killProcess(child.pid), 10_000);
      const code = await closed;
      clearTimeout(timer);
      return code;
    },
  };
}
