import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { findModel } from './find-model.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Null: it never answers. */
async function serve(answer: string | null): Promise<string> {
  const server = createServer((_, response) => {
    if (answer !== null) response.end(answer);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function folderWithClaude(): string {
  const folder = tempFolder();
  writeFileSync(join(folder, 'claude'), '#!/bin/sh\n');
  chmodSync(join(folder, 'claude'), 0o755);
  return folder;
}

test('a local server and its first model that writes text', async () => {
  const url = await serve('{"data":[{"id":"nomic-embed-text"},{"id":"qwen3:8b"},{"id":"other"}]}');
  const found = { provider: 'openai', baseUrl: url, model: 'qwen3:8b' };
  expect(await findModel(folderWithClaude(), [await serve(null), url])).toEqual(found);
});

test.each([
  ['no server', async () => []],
  ['one that does not answer', async () => [await serve(null)]],
  [
    'one of another kind',
    async () => [await serve('<html>'), await serve('[]'), await serve('{"data":[{}]}')],
  ],
  ['one without a model', async () => [await serve('{"data":[{"id":"bge-m3"}]}')]],
])('%s: the claude on the search path', async (_name, urls) => {
  expect(await findModel(folderWithClaude(), await urls())).toEqual({ provider: 'claude-cli' });
  expect(await findModel(tempFolder(), await urls())).toBeNull();
});
