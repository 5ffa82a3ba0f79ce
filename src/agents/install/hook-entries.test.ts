import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import type { AddedParts } from './edited-settings.ts';
import { inspectEntries, installEntries, removeEntries, type WantedEntry } from './hook-entries.ts';
import { applyEdit, InvalidJsonError } from './json-text.ts';

const isOurs = (command: string) => command.startsWith('ours ');
const entries: WantedEntry[] = [
  { event: 'SessionStart', command: 'ours SessionStart', timeout: 5 },
  { event: 'PreToolUse', matcher: 'Read|Edit', command: 'ours PreToolUse', timeout: 5 },
  { event: 'Stop', command: 'ours Stop', timeout: 3 },
];
const install = (text: string | null) => installEntries(text, entries, isOurs);
const remove = (text: string, made?: AddedParts) => removeEntries(text, isOurs, { made });
const allInstalled = entries.map(({ event }) => ({ event, state: 'installed' }));

/** `byStructure`: the text restored without the undo edits; by default the original text. */
const cases: { name: string; text: string; byStructure?: string }[] = [
  { name: 'an empty file', text: '', byStructure: '{}\n' },
  { name: 'a file with only a line end', text: '\n', byStructure: '\n{}\n' },
  { name: 'a file with only a comment', text: '// my settings', byStructure: '// my settings\n{}\n' },
  { name: 'an empty object', text: '{}' },
  { name: 'an empty object with a line end', text: '{}\n' },
  { name: 'an empty object with a space', text: '{ }\n', byStructure: '{}\n' },
  { name: 'an empty object on two lines', text: '{\n}\n', byStructure: '{}\n' },
  { name: 'an empty object with a comment', text: '{\n  // nothing yet\n}\n' },
  { name: 'an empty object with a comment next to the brace', text: '{ // nothing yet\n}\n' },
  { name: 'empty hooks', text: '{\n  "hooks": {}\n}\n' },
  {
    name: 'empty hooks on two lines',
    text: '{\n  "hooks": {\n  }\n}\n',
    byStructure: '{\n  "hooks": {}\n}\n',
  },
  {
    name: 'empty arrays',
    text: '{\n  "hooks": {\n    "Stop": [],\n    "PreToolUse": [\n    ]\n  }\n}\n',
    byStructure: '{\n  "hooks": {\n    "Stop": [],\n    "PreToolUse": []\n  }\n}\n',
  },
  { name: 'no line end at the end', text: '{\n  "model": "opus"\n}' },
  { name: 'four spaces', text: '{\n    "env": {\n        "A": "1"\n    },\n    "model": "opus"\n}\n' },
  { name: 'tabs', text: '{\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n' },
  { name: 'CRLF', text: '{\r\n  "model": "opus",\r\n  "hooks": {\r\n    "Stop": []\r\n  }\r\n}\r\n' },
  { name: 'CR alone', text: '{\r  "model": "opus" // mine\r}\r' },
  { name: 'a byte order mark', text: '\uFEFF{\n  "model": "opus"\n}\n' },
  { name: 'a byte order mark and an empty object', text: '\uFEFF{}' },
  { name: 'one line', text: '{"model":"opus","permissions":{"allow":["Bash(ls:*)"]}}' },
  { name: 'one line with spaces', text: '{ "model": "opus", "hooks": { "Stop": [] } }\n' },
  {
    name: "one line with others' hooks",
    text: '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say hi"}]}]}}',
  },
  { name: 'a trailing comma', text: '{\n  "model": "opus",\n}\n' },
  {
    name: 'trailing commas everywhere',
    text: '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "say hi", },], },\n    ],\n  },\n}\n',
  },
  { name: 'a comment after the last value', text: '{\n  "model": "opus" // the big one\n}\n' },
  {
    name: 'a comment after a trailing comma',
    text: '{\n  "model": "opus", /* the big one */\n  // end\n}\n',
  },
  {
    name: 'the closing brace next to the last value',
    text: '{\n  "a": 1,\n  "b": [1,\n    2]}',
    byStructure: '{\n  "a": 1,\n  "b": [1,\n    2]\n}',
  },
  { name: 'the first value next to the brace', text: '{ "a": 1,\n  "b": 2\n}\n' },
  {
    name: 'comments and hooks of others on the same events',
    text: `// settings of the team
{
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  /* keep in step with the server */
  "hooks": {
    // formats what was written
    "PostToolUse": [{ "matcher": "Write|Edit", "hooks": [{ "type": "command", "command": "prettier" }] }],
    "PreToolUse": [
      {
        "matcher": "Bash", // guards
        "hooks": [
          { "type": "command", "command": "guard.py", "timeout": 10 }
        ]
      }
    ],
    "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ]
  },
  "permissions": { "allow": ["Bash(npm run *)"], "deny": [] }
}
`,
  },
  {
    name: 'nested settings in unusual order',
    text: `{
  "permissions": {
    "allow": ["Read", "mcp__mem__*"],
    "defaultMode": "acceptEdits"
  },
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {
            "command": "say done",
            "type": "command"
          }
        ]
      }
    ]
  },

  "env": { "A\\u0042": "x\\ty", "EMPTY": "" },
  "statusLine": { "type": "command", "command": "~/line.sh" },
  "enabledPlugins": { "x@y": true }
}
`,
  },
];

describe('installing', () => {
  it.each(cases)(
    'adds entries once to $name, keeps everything else and is undone byte for byte',
    ({ text }) => {
      const first = install(text);
      expect(first.changed).toBe(true);
      expect(inspectEntries(first.text, entries, isOurs)).toEqual(allInstalled);
      expect(linesGone(text, first.text)).toEqual([]);
      expect(othersIn(first.text)).toEqual(othersIn(text));
      expect(/\r/.test(first.text)).toBe(/\r/.test(text));

      expect(install(first.text)).toMatchObject({
        text: first.text,
        changed: false,
        undo: [],
        wasThere: true,
      });
      expect(first.undo.reduce(applyEdit, first.text)).toBe(text);
    },
  );

  it('writes a new file in the style of the client', () => {
    const { text, made } = install(null);
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    expect(made).toEqual({
      object: true,
      containers: [['hooks'], ['hooks', 'SessionStart'], ['hooks', 'PreToolUse'], ['hooks', 'Stop']],
    });
    expect(JSON.parse(text)).toEqual({
      hooks: {
        SessionStart: [{ hooks: [{ type: 'command', command: 'ours SessionStart', timeout: 5 }] }],
        PreToolUse: [
          { matcher: 'Read|Edit', hooks: [{ type: 'command', command: 'ours PreToolUse', timeout: 5 }] },
        ],
        Stop: [{ hooks: [{ type: 'command', command: 'ours Stop', timeout: 3 }] }],
      },
    });
  });

  it('uses the last of two equal keys, as JSON parsers do', () => {
    const { text } = install('{"hooks": {"Stop": []}, "hooks": {}}');
    expect(Object.keys(JSON.parse(text).hooks)).toEqual(['SessionStart', 'PreToolUse', 'Stop']);
  });
});

describe('upgrading', () => {
  const entry = (command: string, more = {}) => ({ type: 'command', command, timeout: 5, ...more });
  const settings = (hooks: unknown) => `${JSON.stringify({ hooks, model: 'opus' }, null, 4)}\n`;

  it("rewrites path, timeout and matcher in place and keeps the user's additions", () => {
    const before = settings({
      Stop: [
        { hooks: [entry('ours old Stop', { timeout: 60, statusMessage: 'mine' })] },
        { hooks: [entry('x')] },
      ],
      PreToolUse: [{ matcher: 'Read', hooks: [entry('ours PreToolUse')] }],
      SessionStart: [{ matcher: 'startup', hooks: [entry('ours SessionStart')] }],
    });
    const { text, wasThere } = install(before);
    expect(wasThere).toBe(true);
    expect(text).toBe(
      settings({
        Stop: [
          { hooks: [entry('ours Stop', { timeout: 3, statusMessage: 'mine' })] },
          { hooks: [entry('x')] },
        ],
        PreToolUse: [{ matcher: 'Read|Edit', hooks: [entry('ours PreToolUse')] }],
        SessionStart: [{ hooks: [entry('ours SessionStart')] }],
      }),
    );
  });

  it('removes duplicates and events that are no longer wanted', () => {
    const { text } = install(
      settings({
        Stop: [
          { hooks: [entry('ours a')] },
          { hooks: [entry('x')] },
          { hooks: [entry('y'), entry('ours b')] },
        ],
        Notification: [{ hooks: [entry('ours Notification')] }],
        SessionEnd: [{ hooks: [entry('ours SessionEnd')] }, { hooks: [entry('z')] }],
      }),
    );
    expect(JSON.parse(text).hooks).toMatchObject({
      Stop: [
        { hooks: [entry('ours Stop', { timeout: 3 })] },
        { hooks: [entry('x')] },
        { hooks: [entry('y')] },
      ],
      SessionEnd: [{ hooks: [entry('z')] }],
    });
    expect(JSON.parse(text).hooks).not.toHaveProperty('Notification');
  });

  it('keeps the matcher of a group with other hooks', () => {
    const { text } = install(
      settings({ PreToolUse: [{ matcher: 'Bash', hooks: [entry('x'), entry('ours PreToolUse')] }] }),
    );
    expect(JSON.parse(text).hooks.PreToolUse).toEqual([
      { matcher: 'Bash', hooks: [entry('x')] },
      { matcher: 'Read|Edit', hooks: [entry('ours PreToolUse')] },
    ]);
  });

  it('inspectEntries reports outdated, missing and doubled entries', () => {
    const text = settings({
      SessionStart: [{ hooks: [entry('ours old')] }],
      Stop: [{ hooks: [entry('ours Stop')] }, { hooks: [entry('ours Stop')] }],
    });
    expect(inspectEntries(text, entries, isOurs)).toEqual([
      { event: 'SessionStart', state: 'outdated' },
      { event: 'PreToolUse', state: 'missing' },
      { event: 'Stop', state: 'doubled' },
    ]);
    expect(inspectEntries(null, entries, isOurs).map(({ state }) => state)).toEqual(Array(3).fill('missing'));
  });
});

describe('removing after another program changed the file', () => {
  it.each(cases)('restores $name by structure alone', ({ text, byStructure = text }) => {
    const { text: installed, made } = install(text);
    expect(remove(installed, made).text).toBe(byStructure);
  });

  it('keeps additions and formatting', () => {
    const { text, made } = install('{\n  "model": "opus"\n}\n');
    const value = JSON.parse(text);
    value.hooks.Stop.push({ hooks: [{ type: 'command', command: 'say done' }] });
    value.env = { A: '1' };
    delete value.model;
    expect(remove(JSON.stringify(value, null, '\t'), made).text).toBe(
      JSON.stringify(
        { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] }, env: { A: '1' } },
        null,
        '\t',
      ),
    );
  });

  it('keeps empty containers that were there before', () => {
    const { text, made } = install('{"hooks": {"Stop": []}, "a": 1}');
    expect(remove(`${text}\n`, made).text).toBe('{"hooks": {"Stop": []}, "a": 1}\n');
  });

  it('without a record, removes only containers that it left empty', () => {
    const { text } = install('{"hooks": {"Notification": []}, "a": 1}');
    expect(remove(text).text).toBe('{"hooks": {"Notification": []}, "a": 1}');
    expect(remove(install('{"a": 1}').text).text).toBe('{"a": 1}');
    expect(remove(install('{}').text).text).toBe('{}');
  });

  it('never removes a comment or moves code into one', () => {
    const text = `{
  "hooks": {
    "Stop": [
      // mine
      { "hooks": [{ "type": "command", "command": "ours Stop" }] }, { "hooks": [] } // theirs
    ],
    "PreToolUse": [
      { "hooks": [{ "type": "command", "command": "ours PreToolUse" }] } // note
    ]
  }
}`;
    expect(remove(text).text).toBe(`{
  "hooks": {
    "Stop": [
      // mine
      { "hooks": [] } // theirs
    ],
    "PreToolUse": [
       // note
    ]
  }
}`);
  });

  it('changes nothing if there are no entries of Cairn', () => {
    for (const { text } of cases)
      expect(remove(text)).toMatchObject({ text, changed: false, wasThere: false });
  });
});

describe('refuses', () => {
  const refusals = [
    {
      name: 'a missing comma',
      text: '{\n  "a": 1\n  "b": 2\n}',
      line: 3,
      column: 3,
      reason: 'comma expected',
    },
    { name: 'a missing brace', text: '{"a": 1', line: 1, column: 8, reason: 'close brace expected' },
    { name: 'text after the end', text: '{}\r\n\r\nx', line: 3, column: 1, reason: 'invalid symbol' },
    { name: 'a merge conflict', text: '{\n<<<<<<< HEAD\n', line: 2, column: 1, reason: 'invalid symbol' },
    { name: 'an array', text: ' []', line: 1, column: 2, reason: 'the top level is not an object' },
    { name: 'null', text: 'null', line: 1, column: 1, reason: 'the top level is not an object' },
    {
      name: 'hooks of another kind',
      text: '{"hooks": []}',
      line: 1,
      column: 11,
      reason: '"hooks" is not an object',
    },
    {
      name: 'an event of another kind',
      text: '{"hooks": {\n"Other": {}}}',
      line: 2,
      column: 10,
      reason: '"hooks.Other" is not an array',
    },
  ];
  it.each(refusals)('$name, with line and column', ({ text, line, column, reason }) => {
    for (const attempt of [() => install(text), () => remove(text)]) {
      const error = thrownBy(attempt);
      expect(error).toBeInstanceOf(InvalidJsonError);
      expect(error).toMatchObject({ line, column, message: reason });
    }
  });
});

it('any settings in any layout can be installed, reinstalled, undone and removed', () => {
  const group = fc.oneof(
    fc.record({
      matcher: fc.string(),
      hooks: fc.array(fc.record({ command: fc.string() }), { maxLength: 2 }),
    }),
    fc.jsonValue({ maxDepth: 1 }),
  );
  const events = fc.dictionary(
    fc.constantFrom('Stop', 'PreToolUse', 'Other'),
    fc.array(group, { maxLength: 3 }),
  );
  const settings = fc.record({ a: fc.jsonValue(), hooks: events, z: fc.jsonValue() }, { requiredKeys: [] });
  const layout = fc.constantFrom<string | number>(0, 2, 4, '\t');
  fc.assert(
    fc.property(settings, layout, fc.boolean(), fc.boolean(), (value, indent, crlf, commented) => {
      let text = JSON.stringify(value, null, indent);
      if (commented) text = text.replace(/^([\t ]*[}\]],?)$/gm, '$1 // a note');
      if (crlf) text = text.replaceAll('\n', '\r\n');
      const { text: installed, undo, made } = install(text);
      expect(inspectEntries(installed, entries, isOurs)).toEqual(allInstalled);
      expect(install(installed).changed).toBe(false);
      expect(undo.reduce(applyEdit, installed)).toBe(text);
      expect(parse(remove(installed, made).text)).toEqual(parse(text));
    }),
  );
});

/** Lines of the old text that are missing in the new one; a comma or a bracket may be added at a line's end. */
function linesGone(before: string, after: string): string[] {
  const bare = (text: string) => text.split(/\r\n|\n|\r/).map((line) => line.replace(/[\s,[\]{}]+/g, ''));
  const left = bare(after);
  return bare(before).filter((line) => !left.some((other) => other.startsWith(line)));
}

/** The settings without Cairn's entries and without empty hook containers. */
function othersIn(text: string): unknown {
  const { hooks = {}, ...rest } = parse(text.replace('\uFEFF', '')) ?? {};
  const others = Object.entries<{ hooks: { command?: string }[] }[]>(hooks).map(([event, groups]) => [
    event,
    groups.filter((group) => !group.hooks.some((hook) => isOurs(hook.command ?? ''))),
  ]);
  return { ...rest, hooks: others.filter(([, groups]) => groups?.length) };
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('for an agent that identifies hooks by position', () => {
  const group = (command: string) => ({ hooks: [{ type: 'command', command, timeout: 3 }] });
  const removeKeeping = (stop: object[]) => {
    const text = JSON.stringify({ hooks: { Stop: stop } });
    return parse(removeEntries(text, isOurs, { keepsPositions: true }).text);
  };

  it('leaves an empty group before the group of another program', () => {
    expect(removeKeeping([group('one'), group('ours Stop'), group('two')])).toEqual({
      hooks: { Stop: [group('one'), { hooks: [] }, group('two')] },
    });
  });

  it('leaves no empty group after the others', () => {
    expect(removeKeeping([group('one'), group('ours Stop')])).toEqual({ hooks: { Stop: [group('one')] } });
    expect(removeKeeping([group('ours Stop')])).toEqual({});
  });
});

it('a hook can have a name for display', () => {
  const named = [{ event: 'Stop', command: 'ours Stop', timeout: 3, name: 'cairn' }];
  const { text } = installEntries(null, named, isOurs);
  expect(parse(text)).toEqual({
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'ours Stop', timeout: 3, name: 'cairn' }] }] },
  });
  expect(inspectEntries(text, named, isOurs)).toEqual([{ event: 'Stop', state: 'installed' }]);
  const old = installEntries(null, [{ event: 'Stop', command: 'ours Stop', timeout: 3 }], isOurs).text;
  expect(parse(installEntries(old, named, isOurs).text)).toEqual(parse(text));
});
