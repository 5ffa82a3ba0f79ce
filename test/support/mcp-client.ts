import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts';

const CLI = resolve(import.meta.dirname, '../../dist/cli.mjs');

/** A small MCP client for a real server process. */
export interface McpClient {
  /** @returns the server's answer. */
  request(method: string, params?: JsonObject): Promise<JsonObject>;
  send(message: Json | string): void;
  /** The next message that does not answer a `request`. */
  next(): Promise<JsonObject>;
  /** Closes the server's input and waits until it exits. */
  close(): Promise<{ exitCode: number | null; stderr: string }>;
  process: ChildProcessWithoutNullStreams;
}

export function startMcp(env: Record<string, string>, cwd: string, args: string[] = []): McpClient {
  const server = spawn(process.execPath, [CLI, 'mcp', ...args], { env, cwd });
  const waiting = new Map<Json, (message: JsonObject) => void>();
  const unasked: JsonObject[] = [];
  const listeners: ((message: JsonObject) => void)[] = [];
  let stderr = '';
  let number = 0;

  server.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  createInterface({ input: server.stdout }).on('line', (line) => {
    // Output that is not JSON fails the test here: stdout carries nothing else.
    const message: Json = JSON.parse(line);
    const answer = isObject(message) ? message : { batch: message };
    const id = answer.id ?? null;
    const taker = answer.method === undefined ? waiting.get(id) : undefined;
    if (taker) taker(answer);
    else if (listeners.length > 0) listeners.shift()?.(answer);
    else unasked.push(answer);
  });

  const send = (message: Json | string) =>
    server.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  return {
    process: server,
    send,
    request(method, params) {
      const id = ++number;
      return new Promise((take) => {
        waiting.set(id, take);
        send({ jsonrpc: '2.0', id, method, ...(params && { params }) });
      });
    },
    next: () =>
      new Promise((take) => {
        const first = unasked.shift();
        if (first) take(first);
        else listeners.push(take);
      }),
    close: () =>
      new Promise((take) => {
        server.once('close', (exitCode) => take({ exitCode, stderr }));
        server.stdin.end();
      }),
  };
}
