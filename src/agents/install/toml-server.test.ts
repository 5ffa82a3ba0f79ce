import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import type { InstallPlace } from './agent-installer.ts';
import { applyEdit, InvalidJsonError } from './json-text.ts';
import { createTomlServerPart } from './toml-server.ts';

const place: InstallPlace = {
  userHome: '/home/u',
  variable: () => undefined,
  platform: 'linux',
  captureScript: '/home/u/.cairn/capture.sh',
  launcher: '/home/u/.cairn/bin/cairn',
  interpreter: '/usr/bin/node',
  hookProgram: '/opt/cairn/hook.cjs',
  cairn: ['/home/u/.cairn/bin/cairn'],
  folder: '/src/app',
  project: null,
  choices: { hasServer: true, allowsTools: false, programs: [] },
};
const partFor = (more: Partial<InstallPlace> = {}) =>
  createTomlServerPart(
    { path: '/home/u/config.toml', within: 'mcp_servers', allowing: { approval: 'approve' } },
    { ...place, ...more },
  );
const part = partFor();
const allowed = partFor({ choices: { ...place.choices, allowsTools: true } });
const elsewhere = partFor({ cairn: ['/opt/"odd"\\cairn/bin/cairn'], cairnHome: '/var/cairn' });

describe('adds the table once and removes it', () => {
  it.each([
    ['an empty file', ''],
    ['one line without a line break', 'model = "x"'],
    ['comments', '# mine\nmodel = "x" # here\n\n[a.b] # there\nc = 1\n'],
    ['Windows line endings', 'model = "x"\r\n[a]\r\nb = 1\r\n'],
    ['another server', '[mcp_servers.other]\ncommand = "o"\n'],
    ['texts that look like tables', 'text = """\n[mcp_servers.cairn]\n"""\n'],
  ])('%s', (_, before) => {
    const first = part.install(before);
    expect(part.inspect(first.text)).toBe('installed');
    expect(parse(first.text)).toMatchObject({
      mcp_servers: { cairn: { command: '/home/u/.cairn/bin/cairn', args: ['mcp'] } },
    });
    expect(part.install(first.text)).toMatchObject({ changed: false, wasThere: true });
    expect(first.undo.reduce(applyEdit, first.text)).toBe(before);
    const added = `${first.text}\n[later]\nd = 2\n`;
    if (before.includes('"""')) return;
    const removed = part.remove(added).text;
    expect(parse(removed)).toEqual({ ...parse(before), later: { d: 2 } });
    expect(removed.startsWith(before)).toBe(true);
  });
});

it("updates an entry with another path and keeps the person's additions", () => {
  const old = elsewhere.install('').text.replace('args', 'startup_timeout_sec = 3 # mine\nargs');
  expect(elsewhere.inspect(old)).toBe('installed');
  expect(part.inspect(old)).toBe('outdated');
  expect(parse(part.install(old).text)).toEqual({
    mcp_servers: {
      cairn: { command: '/home/u/.cairn/bin/cairn', args: ['mcp'], startup_timeout_sec: 3 },
    },
  });
  const renewed = allowed.install(part.install('').text).text;
  expect(renewed).toContain('approval = "approve"');
  expect(part.inspect(renewed)).toBe('installed');
});

it('leaves a table of another program alone', () => {
  const text = '[mcp_servers.cairn]\ncommand = "theirs"\n';
  expect(part.inspect(text)).toBe('foreign');
  expect(part.install(text)).toMatchObject({ text, changed: false });
  expect(part.remove(text)).toMatchObject({ text, changed: false });
  expect(part.explain?.('foreign')).toContain('another server');
});

it('refuses an unreadable file, with the line', () => {
  const text = 'a = 1\nb = = 2\n';
  expect(() => part.install(text)).toThrow(InvalidJsonError);
  try {
    part.install(text);
  } catch (error) {
    expect(error).toMatchObject({ line: 2 });
  }
});

it('refuses a table in another form', () => {
  const text = 'mcp_servers = { cairn = { command = "/x/bin/cairn", args = ["mcp"], env = { A = "1" } } }\n';
  expect(() => part.install(text)).toThrow('as a table');
});
