import { describe, expect, it } from 'vitest';
import { applyEdit } from './json-text.ts';
import { inspectServer, installServer, removeServer, type WantedServer } from './server-entry.ts';

const value = { command: 'node', args: ['cli.mjs', 'mcp'] };
const server: WantedServer = {
  within: ['mcpServers'],
  name: 'cairn',
  value,
  renew: (known) => (JSON.stringify(known).includes('cli.mjs') ? { ...(known as object), ...value } : null),
};
const ofProject: WantedServer = { ...server, within: ['projects', '/orchard', 'mcpServers'] };

const layouts = [
  { name: 'an empty file', text: '', wanted: server },
  { name: 'an empty object', text: '{}', wanted: server },
  { name: 'one line', text: '{"a": 1}', wanted: server },
  { name: 'many lines', text: '{\n  "a": 1\n}\n', wanted: server },
  { name: 'tabs and CRLF', text: '{\r\n\t"a": 1\r\n}\r\n', wanted: server },
  { name: 'comments and trailing commas', text: '{\n  // mine\n  "a": 1,\n}\n', wanted: server },
  { name: 'other servers', text: '{\n  "mcpServers": {\n    "x": {}\n  }\n}\n', wanted: server },
  { name: 'an empty list of servers', text: '{\n  "mcpServers": {}\n}\n', wanted: server },
  { name: 'no project', text: '{\n  "a": 1\n}\n', wanted: ofProject },
  { name: 'another project', text: '{"projects": {"/meadow": {"x": 1}}}', wanted: ofProject },
  {
    name: 'this project',
    text: '{\n  "projects": {\n    "/orchard": {\n      "x": 1\n    }\n  }\n}\n',
    wanted: ofProject,
  },
];

describe.each(layouts)('in $name', ({ text, wanted }) => {
  const installed = installServer(text, wanted);

  it('the server is added once', () => {
    expect(inspectServer(installed.text, wanted)).toBe('installed');
    expect(installed).toMatchObject({ changed: true, wasThere: false });
    expect(installServer(installed.text, wanted)).toMatchObject({ changed: false, wasThere: true });
  });

  it('the installation is undone byte for byte', () => {
    expect(installed.undo.reduce(applyEdit, installed.text)).toBe(text);
  });

  it('the server and its containers are removed, even if the text was rewritten', () => {
    const removed = removeServer(installed.text, wanted, installed.made);
    expect(removed).toMatchObject({ changed: true, wasThere: true });
    expect(parsed(removed.text)).toEqual(parsed(text));
    const rewritten = JSON.stringify(parsed(installed.text), null, '\t');
    expect(parsed(removeServer(rewritten, wanted, installed.made).text)).toEqual(parsed(text));
  });
});

it('updates an older entry in place', () => {
  const old =
    '{"mcpServers": {"cairn": {"command": "old", "args": ["/gone/cli.mjs", "mcp"], "env": {"A": "1"}}, "x": {}}}';
  expect(inspectServer(old, server)).toBe('outdated');
  const renewed = installServer(old, server);
  expect(renewed).toMatchObject({ changed: true, wasThere: true });
  expect(parsed(renewed.text)).toEqual({ mcpServers: { cairn: { ...value, env: { A: '1' } }, x: {} } });
});

it('leaves another server with the same name alone', () => {
  const theirs = '{"mcpServers": {"cairn": {"url": "http://localhost"}}}';
  expect(inspectServer(theirs, server)).toBe('foreign');
  expect(installServer(theirs, server)).toMatchObject({ changed: false, wasThere: false });
  expect(removeServer(theirs, server)).toMatchObject({ changed: false, wasThere: false });
});

it.each(['{"mcpServers": []}', '{"mcpServers": null}', '{"mcpServers": "x"}'])('refuses %s', (text) =>
  expect(() => installServer(text, server)).toThrow('"mcpServers" is not an object'),
);

function parsed(text: string): unknown {
  const json = text.replace(/^\s*\/\/.*$/gm, '').replace(/,(\s*})/g, '$1');
  return json.trim() === '' ? {} : JSON.parse(json);
}
