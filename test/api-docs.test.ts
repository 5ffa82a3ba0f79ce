import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Route } from '../src/api/route.ts';
import { ROUTES } from '../src/api/routes/all.ts';
import { type ApiWorker, startApiWorker } from './support/api-worker.ts';
import { ORCHARD } from './support/captured.ts';
import { rememberTurn } from './support/memories.ts';

const repository = resolve(import.meta.dirname, '..');
const page = readFileSync(join(repository, 'docs/api.md'), 'utf8');

let worker: ApiWorker;

beforeAll(async () => {
  worker = await startApiWorker({
    fill(store) {
      // The team has no login, so nothing is sent.
      store.saveTeam({
        ...{ team: randomUUID(), member: 'Anna', machine: 'laptop', epoch: '', server: 'db.example.com' },
        ...{
          isEncrypted: false,
          joinedAt: Date.now(),
          hlc: '0',
          clockOffset: 0,
          syncedAt: null,
          problem: null,
        },
      });
      for (const title of ['Retry three times', 'Retry with growing pauses', 'The cache is warm at noon'])
        rememberTurn(store, {
          ...{
            place: { ...ORCHARD, remote: 'git.example.com/team/orchard' },
            at: Date.now() - 60_000,
            folder: '/nowhere/orchard',
          },
          observations: [{ type: 'discovery', title, narrative: `${title}, as measured.` }],
        });
    },
  });
});

afterAll(() => worker.stop());

test('the examples in docs/api.md work in order', async () => {
  const blocks = [...page.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block]) => block);
  expect(blocks.length).toBe(9);
  const cairn = `cairn() { "${process.execPath}" "${join(repository, 'dist/cli.mjs')}" "$@"; }`;
  const script = ['set -e', cairn, ...blocks, 'echo "the end"'].join('\n');
  const env = { PATH: process.env.PATH, HOME: dirname(worker.paths.home), CAIRN_HOME: worker.paths.home };
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env, cwd: '/' });
  expect(stdout).toMatch(/the end\n$/);
  expect(stdout).toContain('Retry three times, then give up');
});

test('docs/api.md names every path for reading, and only existing paths', () => {
  const paths = Object.values<Route>(ROUTES).map(({ path }) => path);
  const named = [...page.matchAll(/`(\/(?:api\/[\w{}/-]+|health))/g)].map(([, path]) => path ?? '');
  expect(named.filter((path) => !paths.some((known) => known === path))).toEqual([]);
  const reads = Object.values<Route>(ROUTES).filter(
    ({ method, access }) => method === 'GET' && access === 'key',
  );
  expect(reads.map(({ path }) => path).filter((path) => !page.includes(path))).toEqual([]);
});

const description = JSON.parse(readFileSync(join(repository, 'dist/assets/api/openapi.json'), 'utf8'));

test('the OpenAPI document is valid and describes every route', async () => {
  expect(await new Validator().validate(structuredClone(description))).toEqual({ valid: true });
  const described = Object.entries<Record<string, { operationId: string }>>(description.paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, method, path]),
  );
  expect(described).toEqual(
    expect.arrayContaining(
      Object.entries<Route>(ROUTES).map(([name, { method, path }]) => [name, method.toLowerCase(), path]),
    ),
  );
  expect(described).toHaveLength(Object.keys(ROUTES).length);
});

test('the worker serves the same document', async () => {
  expect(JSON.parse((await worker.raw({ path: '/openapi.json' })).text)).toEqual(description);
});

test.each([
  '/health',
  '/api/health',
  '/api/memories?limit=2',
  '/api/memories/1',
  '/api/search?q=retry',
  '/api/timeline',
  '/api/files?path=src',
  '/api/sessions',
  '/api/sessions/1',
  '/api/turns/1',
  '/api/turns/1/events',
  '/api/injections',
  '/api/work-items',
  '/api/projects',
  '/api/team',
  '/api/queue',
  '/api/logs',
  '/api/settings',
  '/api/statistics',
  '/api/forget',
])('%s answers according to its schema', async (path) => {
  const found = Object.keys(description.paths).find((pattern) =>
    new RegExp(`^${pattern.replace(/\{\w+\}/g, '\\d+')}$`).test(path.replace(/\?.*/, '')),
  );
  const { schema } = description.paths[found ?? ''].get.responses[200].content['application/json'];
  const answer = await worker.raw({ path, headers: { authorization: `Bearer ${worker.key}` } });
  const validate = new Ajv2020({ strict: false }).compile(schema);
  validate(JSON.parse(answer.text));
  expect(validate.errors).toBeNull();
});
