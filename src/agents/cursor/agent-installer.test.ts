import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PLACE } from '../../../test/support/install-place.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { isObject } from '../../model/json.ts';
import { installParts, removeParts } from '../install/parts.ts';
import { installer } from './agent-installer.ts';
import { registeredEvents } from './events.ts';

const OWN_HOOKS = `{
  // mine
  "version": 1,
  "hooks": {
    "stop": [{ "command": "./notify.sh" }],
    "preToolUse": [{"command":"./check.sh","matcher":"Shell"}]
  }
}
`;

/** All events that the loader of @cursor/sdk 1.0.32 accepts. */
const EVENTS = [
  ...['sessionStart', 'sessionEnd', 'beforeSubmitPrompt', 'preToolUse', 'postToolUse', 'postToolUseFailure'],
  ...['beforeShellExecution', 'afterShellExecution', 'beforeMCPExecution', 'afterMCPExecution'],
  ...['beforeReadFile', 'afterFileEdit', 'beforeTabFileRead', 'afterTabFileEdit', 'preCompact', 'stop'],
  ...['subagentStart', 'subagentStop', 'afterAgentResponse', 'afterAgentThought', 'workspaceOpen'],
];

/** Loads the file by the client's rules: any violation makes the client ignore the whole file. */
function loadAsClient(text: string): Record<string, { command: string }[]> {
  const file: unknown = JSON.parse(text.replace(/\/\/.*$/gm, ''));
  if (!isObject(file) || !Number.isInteger(file.version) || Number(file.version) < 1)
    throw new Error('no version');
  if (!isObject(file.hooks)) throw new Error('no hooks');
  const loaded: Record<string, { command: string }[]> = {};
  for (const [event, entries] of Object.entries(file.hooks)) {
    if (!EVENTS.includes(event) || !Array.isArray(entries)) throw new Error(`unknown event ${event}`);
    loaded[event] = entries.map((entry) => {
      if (!isObject(entry) || typeof entry.command !== 'string' || entry.command === '')
        throw new Error(`bad entry of ${event}`);
      if (entry.timeout !== undefined && typeof entry.timeout !== 'number') throw new Error('bad timeout');
      return { command: entry.command };
    });
  }
  return loaded;
}

function makeHome(text: string | null) {
  const userHome = tempFolder();
  const place = { ...PLACE, userHome, launcher: join(userHome, '.cairn/bin/cairn') };
  const owner = { agent: 'cursor', recordFolder: join(userHome, 'records') };
  const parts = installer.listParts(place);
  const [hooks] = parts;
  if (!hooks) throw new Error('no parts');
  if (text !== null) {
    mkdirSync(dirname(hooks.path), { recursive: true });
    writeFileSync(hooks.path, text);
  }
  return {
    ...{ hooks, place },
    read: () => readFileSync(hooks.path, 'utf8'),
    install: () => installParts(parts, owner),
    remove: () => removeParts(parts, owner),
  };
}

describe('hooks.json', () => {
  test('writes a new file that the client can load, and removes it again', () => {
    const home = makeHome(null);
    home.install();
    const events = registeredEvents.map(({ event }) => event);
    expect(Object.keys(loadAsClient(home.read()))).toEqual(events);
    expect(home.hooks.inspect(home.read())).toBe('installed');
    expect(home.install().some(({ changed }) => changed)).toBe(false);
    home.remove();
    expect(existsSync(dirname(home.hooks.path))).toBe(false);
  });

  test("keeps the person's hooks and restores the file byte for byte", () => {
    const home = makeHome(OWN_HOOKS);
    home.install();
    const loaded = loadAsClient(home.read());
    expect(loaded.preToolUse).toEqual([{ command: './check.sh' }]);
    expect(loaded.stop?.[0]).toEqual({ command: './notify.sh' });
    expect(loaded.stop).toHaveLength(2);
    home.remove();
    expect(home.read()).toBe(OWN_HOOKS);
  });

  test('keeps hooks that were added after the installation', () => {
    const home = makeHome(null);
    home.install();
    const file = JSON.parse(home.read());
    file.hooks.stop.push({ command: './later.sh' });
    writeFileSync(home.hooks.path, JSON.stringify(file));
    home.remove();
    expect(JSON.parse(home.read())).toEqual({ version: 1, hooks: { stop: [{ command: './later.sh' }] } });
  });

  test('rewrites entries of another path and version instead of adding a second one', () => {
    const home = makeHome(null);
    home.install();
    const fresh = home.read();
    const older = fresh
      .replaceAll(home.place.launcher, '/elsewhere/bin/cairn')
      .replaceAll('"timeout": 5', '"timeout": 9');
    writeFileSync(home.hooks.path, older);
    expect(home.hooks.inspect(older)).toBe('outdated');
    home.install();
    expect(home.read()).toBe(fresh);
  });

  test.each([
    ['broken', '{ "version": 1,', '1:16: '],
    [
      'with a URL, which the client treats as a comment',
      '{"version":1, // see http://y\n"hooks":{"stop":[{"command":"curl http://x"}]}}',
      '2:40: "//" is not allowed',
    ],
    ['with a trailing comma', '{"version":1, // one\n"hooks":{},}', '2:11: a trailing comma is not allowed'],
    [
      'with another kind of comment',
      '{"version":1,\n /* one */ "hooks":{}}',
      '2:2: a comment is not allowed',
    ],
  ])('refuses a file that the client cannot read, with line and column: %s', (_, text, place) => {
    const home = makeHome(text);
    expect(() => home.install()).toThrow(/hooks\.json:\d+:\d+: .*Nothing was changed/);
    expect(() => home.install()).toThrow(`hooks.json:${place}`);
    expect(home.read()).toBe(text);
  });

  test.skipIf(process.platform === 'win32')(
    'the command receives the payload in a here-document, as the client sends it',
    () => {
      const home = makeHome(null);
      mkdirSync(dirname(home.place.launcher), { recursive: true });
      writeFileSync(home.place.launcher, '#!/bin/sh\necho "$@"; cat\n', { mode: 0o755 });
      for (const { event } of registeredEvents) {
        const command = home.hooks.hooks?.command(event) ?? '';
        expect(command).not.toMatch(/\/\/|\|\||;|\|/);
        const script = `${command} <<'CURSOR_HOOK_EOF'\n{"a":1}\nCURSOR_HOOK_EOF\n`;
        const { status, stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
        expect({ status, stdout }).toEqual({ status: 0, stdout: `hook cursor ${event} settings\n{"a":1}\n` });
      }
    },
  );
});
