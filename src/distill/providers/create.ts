import { delimiter, join } from 'node:path';
import type { ModelAccess } from '../../config/environment.ts';
import type { Settings } from '../../config/settings.ts';
import { findProgram } from '../../platform/installation.ts';
import { anthropicProvider } from './anthropic.ts';
import { claudeCliProvider } from './claude-cli.ts';
import { openAiProvider } from './openai.ts';
import { type ModelProvider, ProviderError } from './provider.ts';

export type ProviderSettings = Pick<
  Settings,
  'model.provider' | 'model.name' | 'model.baseUrl' | 'model.timeoutSeconds'
>;

/** The configured provider. Throws `will-not-heal` if it cannot work with the current settings. */
export function createProvider(settings: ProviderSettings, access: ModelAccess): ModelProvider {
  const timeoutMs = settings['model.timeoutSeconds'] * 1_000;
  const name = settings['model.name'];
  switch (settings['model.provider']) {
    case 'none':
      throw cannotWork('No model is asked: the setting model.provider is none.');
    case 'claude-cli': {
      const environment = access.programEnvironment;
      const program = findClaude(access);
      const folder = join(access.cairnHome, 'state', 'model');
      return claudeCliProvider({ program, model: name || 'haiku', folder, environment, timeoutMs });
    }
    case 'anthropic': {
      const baseUrl = baseUrlFrom(
        settings['model.baseUrl'] || access.anthropicBaseUrl || 'https://api.anthropic.com',
      );
      const apiKey = access.anthropicApiKey;
      if (!apiKey) throw createMissingKeyError('ANTHROPIC_API_KEY');
      return anthropicProvider({ model: name || 'claude-haiku-4-5', baseUrl, apiKey, timeoutMs });
    }
    case 'openai': {
      const given = settings['model.baseUrl'];
      const baseUrl = baseUrlFrom(given || 'https://api.openai.com/v1');
      const apiKey = access.modelApiKey ?? access.openaiApiKey;
      if (!name) throw cannotWork('model.provider is openai, but no model is named. Set model.name.');
      if (!apiKey && !given) throw createMissingKeyError('OPENAI_API_KEY or CAIRN_MODEL_API_KEY');
      return openAiProvider({ model: name, baseUrl, apiKey, timeoutMs });
    }
  }
}

/** The worker may have a shorter PATH than the person's shell. */
function findClaude({ searchPath, userHome }: ModelAccess): string {
  const usual = [
    join(userHome, '.local/bin'),
    join(userHome, '.claude/local'),
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ];
  const program = findProgram('claude', [searchPath, ...usual].join(delimiter));
  if (program) return program;
  throw cannotWork(
    'model.provider is claude-cli, but there is no `claude` on the search path. Install Claude Code, or choose another model.provider.',
  );
}

function baseUrlFrom(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw cannotWork('The address of the model is not an http(s) URL. Check the setting model.baseUrl.');
  }
  if (url.username || url.password) {
    throw cannotWork(
      'The address of the model must not contain a password. Keys come from the environment only.',
    );
  }
  return url;
}

function createMissingKeyError(variable: string): ProviderError {
  return cannotWork(
    `The model's key is missing. Set ${variable} in the environment, then \`cairn worker restart\`.`,
  );
}

function cannotWork(message: string): ProviderError {
  return new ProviderError('will-not-heal', message);
}
