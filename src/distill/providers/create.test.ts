import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import type { ModelAccess } from '../../config/environment.ts';
import { createProvider, type ProviderSettings } from './create.ts';
import { ProviderError } from './provider.ts';

const SETTINGS: ProviderSettings = {
  'model.provider': 'none',
  'model.name': '',
  'model.baseUrl': '',
  'model.timeoutSeconds': 5,
};

let home: string;
beforeEach(() => {
  home = tempFolder();
});

function create(settings: Partial<ProviderSettings>, access: Partial<ModelAccess> = {}) {
  const nothing = { searchPath: '', userHome: home, cairnHome: join(home, '.cairn'), programEnvironment: {} };
  return createProvider({ ...SETTINGS, ...settings }, { ...nothing, ...access });
}

test.each<[string, Partial<ProviderSettings>, Partial<ModelAccess>, { name: string; model: string }]>([
  [
    'anthropic',
    { 'model.provider': 'anthropic' },
    { anthropicApiKey: 'k' },
    { name: 'anthropic', model: 'claude-haiku-4-5' },
  ],
  [
    'anthropic with a model',
    { 'model.provider': 'anthropic', 'model.name': 'm' },
    { anthropicApiKey: 'k' },
    { name: 'anthropic', model: 'm' },
  ],
  [
    'openai',
    { 'model.provider': 'openai', 'model.name': 'm' },
    { openaiApiKey: 'k' },
    { name: 'openai', model: 'm' },
  ],
  [
    'a local server without a key',
    { 'model.provider': 'openai', 'model.name': 'm', 'model.baseUrl': 'http://localhost:11434/v1' },
    {},
    { name: 'openai', model: 'm' },
  ],
])('%s', (_name, settings, access, expected) => {
  expect(create(settings, access)).toMatchObject(expected);
});

test.each([
  ['on the search path', 'bin'],
  ['where its installer puts it', '.local/bin'],
])('claude %s', (_name, folder) => {
  mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, folder, 'claude'), '#!/bin/sh\n', { mode: 0o755 });
  const provider = create({ 'model.provider': 'claude-cli' }, { searchPath: join(home, 'bin') });
  expect(provider).toMatchObject({ name: 'claude-cli', model: 'haiku' });
});

test.each<[string, Partial<ProviderSettings>, Partial<ModelAccess>, string]>([
  ['none', {}, { anthropicApiKey: 'k' }, 'model.provider'],
  ['anthropic without a key', { 'model.provider': 'anthropic' }, { openaiApiKey: 'k' }, 'ANTHROPIC_API_KEY'],
  [
    'openai without a key',
    { 'model.provider': 'openai', 'model.name': 'm' },
    { anthropicApiKey: 'k' },
    'OPENAI_API_KEY',
  ],
  ['openai without a model', { 'model.provider': 'openai' }, { openaiApiKey: 'k' }, 'model.name'],
  [
    'no URL',
    { 'model.provider': 'anthropic', 'model.baseUrl': 'localhost' },
    { anthropicApiKey: 'k' },
    'model.baseUrl',
  ],
  [
    'another protocol',
    { 'model.provider': 'anthropic', 'model.baseUrl': 'file:///etc' },
    { anthropicApiKey: 'k' },
    'model.baseUrl',
  ],
  [
    'a password in the URL',
    { 'model.provider': 'openai', 'model.name': 'm', 'model.baseUrl': 'https://me:hidden@host/v1' },
    {},
    'environment only',
  ],
])('%s will not heal, and the message tells the cure', (_name, settings, access, cure) => {
  const trouble = troubleOf(() => create(settings, access));
  expect(trouble).toMatchObject({ kind: 'will-not-heal', message: expect.stringContaining(cure) });
  expect(trouble.message).not.toContain('hidden');
});

test('the address in the settings goes before the one in the environment', () => {
  const access = { anthropicApiKey: 'k', anthropicBaseUrl: 'not a url' };
  const settings = { 'model.provider': 'anthropic' } as const;
  expect(create({ ...settings, 'model.baseUrl': 'http://127.0.0.1:9' }, access)).toMatchObject({
    name: 'anthropic',
  });
  expect(troubleOf(() => create(settings, access)).kind).toBe('will-not-heal');
});

function troubleOf(make: () => unknown): ProviderError {
  try {
    make();
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
  throw new Error('no trouble at all');
}
