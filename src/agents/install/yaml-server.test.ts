import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { PLACE } from '../../../test/support/install-place.ts';
import { applyEdit, InvalidJsonError } from './json-text.ts';
import { commandAndArgs } from './server-part.ts';
import { createYamlServerPart, type YamlShape } from './yaml-server.ts';

const list: YamlShape = {
  path: '/home/u/config.yaml',
  within: 'servers',
  form: 'list',
  ...commandAndArgs({ name: 'cairn' }),
};
const map: YamlShape = { ...list, form: 'map', ...commandAndArgs({ type: 'stdio' }) };
const elsewhere = { ...PLACE, cairn: ['/opt/it\'s: "odd"/bin/cairn'] as [string], cairnHome: '/var/cairn' };

describe.each([
  ['list', list, { name: 'other', command: 'o' }],
  ['map', map, { command: 'o' }],
] as const)('as a %s', (form, shape, other) => {
  const part = createYamlServerPart(shape, PLACE);
  const old = createYamlServerPart(shape, elsewhere);
  const item = form === 'list' ? '- name: other\n    command: o' : 'other:\n    command: o';
  const flow = form === 'list' ? `[${JSON.stringify(other)}]` : `{ other: ${JSON.stringify(other)} }`;

  it.each([
    ['an empty file', ''],
    ['a comment alone', '# mine\n'],
    ['other settings', 'model: x # here\n\n# there\ntheme: "dark"\n'],
    ['no line break at the end', 'model: x'],
    ['Windows line endings', 'model: x\r\ntheme: dark\r\n'],
    ['a byte order mark', '\uFEFFmodel: x\n'],
    ['a key without a value', 'servers:\nmodel: x\n'],
    ['an empty flow collection', `model: x\nservers: ${form === 'list' ? '[]' : '{}'} # none\n`],
    ['another server in a flow collection', `servers: ${flow} # one\nmodel: x\n`],
    ['another server', `# top\nservers:\n  # the first\n  ${item} # its command\n\n# rest\nmodel: x\n`],
    ['another server at the end of the file', `model: x\nservers:\n  ${item}`],
    ['block scalars', 'text: |\n  servers:\n    - name: cairn\nmodel: >-\n  x\n  y\n'],
    ...(form === 'list' ? [['no indent', 'servers:\n- name: other\n  command: o\nmodel: x\n']] : []),
  ])('adds the server once and removes it: %s', (_name, before) => {
    const first = part.install(before);
    expect(part.inspect(first.text)).toBe('installed');
    expect(part.install(first.text)).toMatchObject({ changed: false, wasThere: true });
    expect(first.undo.reduce(applyEdit, first.text)).toBe(before);
    const eol = before.includes('\r\n') ? '\r\n' : '\n';
    const added = `${first.text}${first.text.endsWith(eol) ? '' : eol}later: 1${eol}`;
    const removed = part.remove(added, first.made);
    expect(part.inspect(removed.text)).toBe('missing');
    const { servers, ...rest } = parse(before) ?? {};
    const { servers: left, ...others } = parse(removed.text);
    expect(others).toEqual({ ...rest, later: 1 });
    expect(left ?? null).toEqual(servers ?? null);
    expect(removed.text.replaceAll(/\r?\n/g, '').startsWith(before.replaceAll(/\r?\n/g, ''))).toBe(true);
  });

  it('keeps any settings in any style, and restores them byte for byte', () => {
    const style = fc.record({
      indent: fc.integer({ min: 1, max: 4 }),
      indentSeq: fc.boolean(),
      // Without `block`: the yaml package would write empty lists that it cannot read.
      collectionStyle: fc.constantFrom('any' as const, 'flow' as const),
    });
    const known = form === 'list' ? fc.array(fc.jsonValue()) : fc.dictionary(fc.string(), fc.jsonValue());
    const settings = fc.record({ servers: known, 'other key': fc.jsonValue() }, { requiredKeys: [] });
    fc.assert(
      fc.property(settings, style, (value, how) => {
        const before = stringify(value, how);
        const installed = installIfPossible(before);
        if (!installed) return;
        expect(installed.undo.reduce(applyEdit, installed.text)).toBe(before);
        const removed = part.remove(installed.text, installed.made).text;
        expect({ servers: null, ...parse(removed) }).toEqual({ servers: null, ...parse(before) });
      }),
      { numRuns: 60 },
    );
  });

  /** Returns null for a file in flow style, which is refused. */
  function installIfPossible(text: string) {
    try {
      return part.install(text);
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidJsonError);
      expect(text).toMatch(/^\{/);
      return null;
    }
  }

  it("updates an entry with another path and keeps the person's additions", () => {
    const text = old.install('').text.replace(/args:/, 'timeout: 3\n    args:');
    expect([old.inspect(text), part.inspect(text)]).toEqual(['installed', 'outdated']);
    const renewed = part.install(text);
    expect(part.inspect(renewed.text)).toBe('installed');
    expect(renewed.text).toContain('timeout: 3');
    expect(renewed.undo.reduce(applyEdit, renewed.text)).toBe(text);
    expect(part.remove(renewed.text).text).toBe('');
  });

  it('leaves a server of another program with the same name alone', () => {
    const text = form === 'list' ? 'servers:\n  - name: cairn\n    command: o\n' : 'servers:\n  cairn: {}\n';
    expect(part.inspect(text)).toBe('foreign');
    expect(part.install(text)).toMatchObject({ text, changed: false });
    expect(part.remove(text)).toMatchObject({ text, changed: false });
  });

  it.each([
    ['a: [1\n', /sequence(?!.* at line)/],
    ['a: 1\n---\nb: 2\n', /multiple documents/],
    ['- 1\n', /top level/],
    ['{ a: 1 }\n', /block of lines/],
    ['servers: none\n', /./],
    [form === 'list' ? 'servers: [\n  1, # one\n]\n' : 'servers: {\n  a: 1 # one\n}\n', /block of lines/],
  ])('refuses %j', (text, reason) => {
    expect(() => part.install(text)).toThrow(InvalidJsonError);
    expect(() => part.install(text)).toThrow(reason);
  });
});
