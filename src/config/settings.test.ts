import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import type { Json } from '../model/json.ts';
import { readEnvironment } from './environment.ts';
import { checkSetting, loadSettings, SETTINGS, type SettingName, saveSetting } from './settings.ts';

const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]),
);

let file: string;
beforeEach(() => {
  file = join(tempFolder(), 'home', 'config.json');
});

describe('loading', () => {
  test('without a file every setting has its default', () => {
    expect(load()).toEqual({ settings: DEFAULTS, changed: {}, problems: [] });
    expect(existsSync(file)).toBe(false);
  });

  test.each<[string, string, Partial<Record<SettingName, Json>>, string[]]>([
    ['an empty file', '  \n', {}, []],
    ['a value', '{"log.keepDays": 3}', { 'log.keepDays': 3 }, []],
    ['a value in quotes', '{"log.keepDays": "3"}', { 'log.keepDays': 3 }, []],
    ['a list', '{"capture.metaTools": ["A", ""]}', { 'capture.metaTools': ['A'] }, []],
    ['text that is not JSON', '{"log.keepDays": 3', {}, ['is not valid JSON']],
    ['JSON that is not an object', '[1]', {}, ['must contain one JSON object']],
    ['an unknown name', '{"log.colour": 1}', {}, ['there is no setting log.colour']],
    ['the name of an inherited property', '{"constructor": 1}', {}, ['there is no setting constructor']],
    [
      'a bad value next to a good one',
      '{"log.keepDays": 0, "log.level": "WARN"}',
      { 'log.level': 'warn' },
      ['log.keepDays must be a whole number of at least 1'],
    ],
  ])('%s', (_name, text, changes, problems) => {
    write(text);
    expect(load()).toEqual({
      settings: { ...DEFAULTS, ...changes },
      changed: Object.fromEntries(Object.keys(changes).map((name) => [name, 'file'])),
      problems: problems.map((problem) => `${file}: ${problem}`),
    });
  });

  test('a folder instead of the file is reported and ignored', () => {
    mkdirSync(file, { recursive: true });
    expect(load()).toEqual({ settings: DEFAULTS, changed: {}, problems: [`${file}: cannot be read`] });
  });

  test('the environment overrides the file', () => {
    write('{"hooks.failLoudThreshold": 5, "log.level": "error"}');
    const { settings, changed } = load({
      CAIRN_HOOK_FAIL_LOUD_THRESHOLD: '2',
      CAIRN_LOG_LEVEL: 'debug',
    });
    expect(settings).toEqual({ ...DEFAULTS, 'hooks.failLoudThreshold': 2, 'log.level': 'debug' });
    expect(changed).toEqual({ 'hooks.failLoudThreshold': 'environment', 'log.level': 'environment' });
    expect(load({ CAIRN_LOG_LEVEL: 'debug', CAIRN_LOG: 'off' }).settings['log.level']).toBe('off');
  });

  test('wrong values in the environment are reported and ignored', () => {
    expect(load({ CAIRN_HOOK_FAIL_LOUD_THRESHOLD: 'often', CAIRN_LOG_LEVEL: 'loud' })).toEqual({
      settings: DEFAULTS,
      changed: {},
      problems: [
        'environment: hooks.failLoudThreshold must be a whole number of at least 1',
        'environment: log.level must be one of debug, info, warn, error, off',
      ],
    });
  });
});

describe('checking', () => {
  test.each<[SettingName, Json, Json]>([
    ['log.keepDays', '7', 7],
    ['log.keepDays', ' 7 ', 7],
    ['context.tokens', 0, 0],
    ['capture.metaTools', 'Skill, TodoWrite', ['Skill', 'TodoWrite']],
    ['capture.metaTools', '', []],
    ['log.level', 'Debug', 'debug'],
  ])('%s accepts %j', (name, input, value) => {
    expect(checkSetting(name, input)).toEqual({ ok: true, value });
  });

  test.each<[SettingName, Json]>([
    ['log.keepDays', ''],
    ['log.keepDays', '1.5'],
    ['log.keepDays', -1],
    ['log.keepDays', null],
    ['log.keepDays', true],
    ['log.keepDays', [7]],
    ['log.keepDays', '7 days'],
    ['capture.maxText', 999],
    ['capture.metaTools', [1]],
    ['capture.metaTools', 7],
    ['log.level', 'loud'],
    ['log.level', 3],
  ])('%s rejects %j', (name, input) => {
    expect(checkSetting(name, input)).toEqual({
      ok: false,
      problem: expect.stringContaining(`${name} must be`),
    });
  });
});

describe('saving', () => {
  test('stores only changed values, readable for the owner only', () => {
    saveSetting(file, 'log.keepDays', 3);
    saveSetting(file, 'log.level', 'warn');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ 'log.keepDays': 3, 'log.level': 'warn' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    saveSetting(file, 'log.keepDays', undefined);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ 'log.level': 'warn' });
  });

  test('keeps unknown settings', () => {
    write('{"from.a.newer.version": [1]}');
    saveSetting(file, 'log.keepDays', 3);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      'from.a.newer.version': [1],
      'log.keepDays': 3,
    });
  });

  test('refuses to overwrite a file that it cannot parse', () => {
    write('{"log.keepDays": 3');
    expect(() => saveSetting(file, 'log.level', 'warn')).toThrow(
      `${file}: is not valid JSON. Repair or remove the file first; nothing was changed.`,
    );
    expect(readFileSync(file, 'utf8')).toBe('{"log.keepDays": 3');
  });
});

function load(variables: Record<string, string> = {}) {
  return loadSettings(file, readEnvironment(variables));
}

function write(text: string): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}
