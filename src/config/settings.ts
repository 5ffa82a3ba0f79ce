import { isObject, type Json } from '../model/json.ts';
import { SESSION_SILENT_MS } from '../model/session.ts';
import { readIfThere, writeAtomically } from '../platform/files.ts';
import type { Environment } from './environment.ts';

/** Every setting with its default. The settings file contains only changed values. */
export const SETTINGS = {
  'api.listen': {
    kind: 'choice',
    default: 'on',
    choices: ['on', 'off'],
    about: 'Let the worker answer on 127.0.0.1, for cairn open and the local API',
  },
  'capture.maxText': {
    kind: 'number',
    default: 262_144,
    min: 1_000,
    about: 'Longest text stored per field, in characters; the middle of longer texts is cut out',
  },
  'capture.metaTools': {
    kind: 'list',
    default: ['ListMcpResourcesTool', 'SlashCommand', 'Skill', 'TodoWrite', 'AskUserQuestion'],
    about: 'Tools that only concern the agent itself; stored with low priority',
  },
  'context.file': {
    kind: 'choice',
    default: 'on',
    choices: ['on', 'off'],
    about: 'Give the agent memories about a file before it reads the file',
  },
  'context.fileTokens': {
    kind: 'number',
    default: 300,
    min: 50,
    about: 'Token limit for context before a file is read',
  },
  'context.observations': {
    kind: 'number',
    default: 50,
    min: 0,
    about: 'Maximum number of memories that a new session is given',
  },
  'context.prompt': {
    kind: 'choice',
    default: 'on',
    choices: ['on', 'off'],
    about: 'Give the agent memories related to each prompt',
  },
  'context.promptTokens': {
    kind: 'number',
    default: 400,
    min: 50,
    about: 'Token limit for context with a prompt',
  },
  'context.summaries': {
    kind: 'number',
    default: 10,
    min: 0,
    about: 'Maximum number of past sessions that a new session is given',
  },
  'context.team': {
    kind: 'choice',
    default: 'all',
    choices: ['off', 'notes', 'all'],
    about:
      'Which memories of your team agents are given: none, only notes that people or agents saved, or all',
  },
  'context.tokens': {
    kind: 'number',
    default: 1_500,
    min: 0,
    about: 'Token limit for context at a session start; 0 turns it off',
  },
  'context.workTokens': {
    kind: 'number',
    default: 1_000,
    min: 0,
    about: 'Token limit for the work item of a session: plan, tasks, handoff; 0 turns it off',
  },
  'distill.language': {
    kind: 'text',
    default: '',
    about:
      'Language of memories written by a model: a name, or a file in languages/; empty: that of the session',
  },
  'distill.mode': {
    kind: 'text',
    default: 'code',
    about: 'What a model looks for: code, or the name of your own file in modes/',
  },
  'embedder.baseUrl': {
    kind: 'text',
    default: '',
    about: 'URL of an OpenAI-compatible embedding server; empty: OpenAI',
  },
  'embedder.folder': {
    kind: 'text',
    default: '',
    about: 'Folder with model.onnx and tokenizer.json, for the provider onnx',
  },
  'embedder.model': {
    kind: 'text',
    default: '',
    about: 'Name of the embedding model, for the provider openai',
  },
  'embedder.provider': {
    kind: 'choice',
    default: 'none',
    choices: ['none', 'openai', 'onnx'],
    about: 'Embedding provider, for search by meaning; openai: any OpenAI-compatible server',
  },
  'hooks.failLoudThreshold': {
    kind: 'number',
    default: 3,
    min: 1,
    about: 'Number of failed captures in a row after which you get a message',
  },
  'log.keepDays': { kind: 'number', default: 14, min: 1, about: 'Days that logs are kept' },
  'log.level': {
    kind: 'choice',
    default: 'info',
    choices: ['debug', 'info', 'warn', 'error', 'off'],
    about: 'Lowest level that is logged',
  },
  'mcp.askForNotes': {
    kind: 'choice',
    default: 'on',
    choices: ['on', 'off'],
    about: 'Ask the agent to remember decisions, traps and rules at the moment it learns them',
  },
  'meter.warnings': {
    kind: 'choice',
    default: 'on',
    choices: ['on', 'off'],
    about: 'Warn the agent and you when 30, 20 and 10 % of the context window are left',
  },
  'model.baseUrl': {
    kind: 'text',
    default: '',
    about: "URL of the model's API; empty: the provider's own",
  },
  'model.concurrency': {
    kind: 'number',
    default: 1,
    min: 1,
    about: 'Most calls to the model at the same time',
  },
  'model.dailyCalls': {
    kind: 'number',
    default: 500,
    min: 1,
    about: 'Most calls to the model per day',
  },
  'model.dailyTokens': {
    kind: 'number',
    default: 1_000_000,
    min: 1,
    about: 'Most tokens per day, input and output',
  },
  'model.name': {
    kind: 'text',
    default: '',
    about: 'Name of the model; empty: a small model of the provider',
  },
  'model.provider': {
    kind: 'choice',
    default: 'none',
    choices: ['none', 'claude-cli', 'anthropic', 'openai'],
    about: 'Model provider that improves memories; openai: any OpenAI-compatible server',
  },
  'model.timeoutSeconds': {
    kind: 'number',
    default: 90,
    min: 1,
    about: 'Longest time for an answer of the model, in seconds',
  },
  'notes.auto': {
    kind: 'choice',
    default: 'off',
    choices: ['off', 'on'],
    about: 'Update folder notes automatically (see cairn notes)',
  },
  'notes.rows': {
    kind: 'number',
    default: 50,
    min: 1,
    about: 'Most memories in the notes of a folder',
  },
  'retention.contextDays': {
    kind: 'number',
    default: 30,
    min: 1,
    about: 'Days that the exact text of what agents were given is kept',
  },
  'retention.days': {
    kind: 'number',
    default: 30,
    min: 1,
    about: 'Days that the content of raw events is kept; prompts and memories stay',
  },
  'retention.maxMegabytes': {
    kind: 'number',
    default: 2_000,
    min: 10,
    about: 'Size of the database, in MB, above which older raw events are emptied',
  },
  'forget.undoDays': {
    kind: 'number',
    default: 7,
    min: 0,
    about: 'Days in which "cairn forget --undo" can restore a memory; 0 removes it at once',
  },
  'team.keychain': {
    kind: 'text',
    default: '',
    about: "Command that keeps the team's login, called with get, store or erase; empty: a file in the home",
  },
  'worker.idleSeconds': {
    kind: 'number',
    default: 60,
    min: 0,
    about: 'Seconds after its last job until the worker exits',
  },
  'worker.silentMinutes': {
    kind: 'number',
    default: SESSION_SILENT_MS / 60_000,
    min: 1,
    about: 'Minutes without an event after which an unfinished turn counts as ended',
  },
} as const satisfies Record<string, Setting>;

type Setting =
  | { kind: 'number'; default: number; min: number; about: string }
  | { kind: 'text'; default: string; about: string }
  | { kind: 'list'; default: readonly string[]; about: string }
  | { kind: 'choice'; default: string; choices: readonly string[]; about: string };

const MOST_TEXT = 500;

export type SettingName = keyof typeof SETTINGS;

type ValueOf<S> = S extends { kind: 'number' }
  ? number
  : S extends { kind: 'list' }
    ? readonly string[]
    : S extends { kind: 'text' }
      ? string
      : S extends { choices: readonly (infer C)[] }
        ? C
        : never;

export type Settings = { readonly [N in SettingName]: ValueOf<(typeof SETTINGS)[N]> };

export interface LoadedSettings {
  settings: Settings;
  changed: Partial<Record<SettingName, 'file' | 'environment'>>;
  /** Messages about unusable values, for which the default is used. */
  problems: string[];
}

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

/** Never throws: a hook must work with a broken settings file. */
export function loadSettings(file: string, env: Environment): LoadedSettings {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(SETTINGS)) values[name] = setting.default;
  const loaded: LoadedSettings = { settings: values as Settings, changed: {}, problems: [] };

  function take(name: SettingName, input: Json, from: 'file' | 'environment'): void {
    const value = checkSetting(name, input);
    if (value.ok) {
      values[name] = value.value;
      loaded.changed[name] = from;
    } else loaded.problems.push(`${from === 'file' ? file : 'environment'}: ${value.problem}`);
  }

  for (const [name, input] of Object.entries(readChanges(file, loaded.problems))) {
    if (isSettingName(name)) take(name, input, 'file');
    else loaded.problems.push(`${file}: there is no setting ${name}`);
  }
  if (env.failLoudThreshold) take('hooks.failLoudThreshold', env.failLoudThreshold, 'environment');
  if (env.logLevel) take('log.level', env.logLevel, 'environment');
  if (env.logIsOff) take('log.level', 'off', 'environment');
  return loaded;
}

/** Accepts a value as JSON or as a person types it. */
export function checkSetting(
  name: SettingName,
  input: Json,
): { ok: true; value: Json } | { ok: false; problem: string } {
  const setting: Setting = SETTINGS[name];
  switch (setting.kind) {
    case 'number': {
      const value = typeof input === 'string' && input.trim() ? Number(input) : input;
      if (typeof value === 'number' && Number.isInteger(value) && value >= setting.min)
        return { ok: true, value };
      return { ok: false, problem: `${name} must be a whole number of at least ${setting.min}` };
    }
    case 'list': {
      const value = typeof input === 'string' ? input.split(',').map((item) => item.trim()) : input;
      if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
        return { ok: true, value: value.filter((item) => item !== '') };
      return { ok: false, problem: `${name} must be a list of names` };
    }
    case 'text': {
      if (typeof input === 'string' && input.length <= MOST_TEXT && !/[\p{Cc}]/u.test(input))
        return { ok: true, value: input.trim() };
      return { ok: false, problem: `${name} must be one line of at most ${MOST_TEXT} characters` };
    }
    case 'choice': {
      const value = typeof input === 'string' ? input.toLowerCase() : input;
      if (typeof value === 'string' && setting.choices.includes(value)) return { ok: true, value };
      return { ok: false, problem: `${name} must be one of ${setting.choices.join(', ')}` };
    }
  }
}

/** The settings file is broken, and the person has to repair it first. */
export class UnusableSettingsError extends Error {
  override name = 'UnusableSettingsError';
}

/** @throws UnusableSettingsError instead of overwriting a file that it cannot read. */
export function saveSetting(file: string, name: SettingName, value: Json | undefined): void {
  const problems: string[] = [];
  const changes = readChanges(file, problems);
  if (problems[0])
    throw new UnusableSettingsError(`${problems[0]}. Repair or remove the file first; nothing was changed.`);
  if (value === undefined) delete changes[name];
  else changes[name] = value;
  writeAtomically(file, `${JSON.stringify(changes, null, 2)}\n`);
}

function readChanges(file: string, problems: string[]): Record<string, Json> {
  try {
    const text = readIfThere(file);
    if (text === null || text.trim() === '') return {};
    const value: Json = JSON.parse(text);
    if (isObject(value)) return value;
    problems.push(`${file}: must contain one JSON object`);
  } catch (error) {
    problems.push(`${file}: ${error instanceof SyntaxError ? 'is not valid JSON' : 'cannot be read'}`);
  }
  return {};
}
