import { expect, test } from 'vitest';
import { GUARD_VARIABLE, readModelAccess } from './environment.ts';

test('an empty environment gives no access to models', () => {
  expect(readModelAccess({ HOME: '/home/robin' })).toEqual({
    searchPath: '',
    userHome: '/home/robin',
    cairnHome: '/home/robin/.cairn',
    programEnvironment: { HOME: '/home/robin', [GUARD_VARIABLE]: '1' },
  });
});

test('reads keys and addresses', () => {
  const { programEnvironment: _, ...access } = readModelAccess({
    HOME: '/home/robin',
    PATH: '/bin',
    ANTHROPIC_API_KEY: 'a',
    ANTHROPIC_BASE_URL: 'http://b',
    OPENAI_API_KEY: 'c',
    CAIRN_MODEL_API_KEY: 'd',
  });
  expect(access).toEqual({
    anthropicApiKey: 'a',
    anthropicBaseUrl: 'http://b',
    openaiApiKey: 'c',
    modelApiKey: 'd',
    searchPath: '/bin',
    userHome: '/home/robin',
    cairnHome: '/home/robin/.cairn',
  });
});

test('a program that calls a model gets the login, but no variable of the session that started the worker', () => {
  const { programEnvironment } = readModelAccess({
    HOME: '/home/robin',
    CLAUDE_CONFIG_DIR: '/home/robin/.config/claude',
    CLAUDE_CODE_OAUTH_TOKEN: 'login',
    CLAUDE_CODE_USE_BEDROCK: '1',
    CLAUDECODE: '1',
    CLAUDE_CODE_SESSION_ID: 'of-another',
    CLAUDE_CODE_SESSION_ATTENDED: '1',
    CLAUDE_CODE_CHILD_SESSION: '1',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_CODE_MESSAGING_SOCKET: '/tmp/x',
    CLAUDE_CODE_MESSAGING_TOKEN: 'token',
    CLAUDE_PROJECT_DIR: '/project',
    CLAUDE_PLUGIN_ROOT: '/plugin',
    CLAUDE_ENV_FILE: '/env',
    CLAUDE_PID: '1',
    CLAUDE_EFFORT: 'high',
    UNSET: undefined,
  });
  expect(programEnvironment).toEqual({
    HOME: '/home/robin',
    CLAUDE_CONFIG_DIR: '/home/robin/.config/claude',
    CLAUDE_CODE_OAUTH_TOKEN: 'login',
    CLAUDE_CODE_USE_BEDROCK: '1',
    [GUARD_VARIABLE]: '1',
  });
});
