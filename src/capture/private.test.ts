import { describe, expect, it } from 'vitest';
import { isWhollyPrivate, stripPart, stripPrivate } from './private.ts';

const cases: { name: string; text: string; clean: string }[] = [
  { name: 'nothing private', text: 'a < b && c > d, <div>x</div>', clean: 'a < b && c > d, <div>x</div>' },
  { name: 'one part', text: 'before <private>hidden</private> after', clean: 'before [private] after' },
  { name: 'two parts', text: '<private>a</private> b <private>c</private>', clean: '[private] b [private]' },
  { name: 'several lines', text: 'a\n<private>\nb\nc\n</private>\nd', clean: 'a\n[private]\nd' },
  { name: 'nested', text: 'a <private>b <private>c</private> d</private> e', clean: 'a [private] e' },
  { name: 'unclosed', text: 'a <private>b c', clean: 'a [private]' },
  { name: 'nested and closed once', text: 'a <private>b <private>c</private> d', clean: 'a [private]' },
  { name: 'stray closing tag', text: 'a b</private> c', clean: '[private] c' },
  { name: 'stray after a whole one', text: '<private>a</private> b</private> c', clean: '[private] c' },
  { name: 'upper case', text: 'a <PRIVATE>b</Private> c', clean: 'a [private] c' },
  { name: 'inner spaces', text: 'a < private >b< / private > c', clean: 'a [private] c' },
  { name: 'newline in the tag', text: 'a <private\n>b</private\n> c', clean: 'a [private] c' },
  { name: 'attributes', text: 'a <private reason="x y">b</private> c', clean: 'a [private] c' },
  { name: 'empty element', text: 'a <private/> c', clean: 'a [private] c' },
  {
    name: 'JSON-escaped',
    text: '{"p":"a \\u003cprivate\\u003eb\\u003c/private\\u003e c"}',
    clean: '{"p":"a [private] c"}',
  },
  {
    name: 'JSON-escaped, upper case',
    text: 'a \\u003Cprivate\\u003Eb\\u003C/private\\u003E c',
    clean: 'a [private] c',
  },
  { name: 'JSON-escaped slash', text: 'a <private>b<\\/private> c', clean: 'a [private] c' },
  { name: 'half escaped', text: 'a \\u003cprivate>b</private\\u003e c', clean: 'a [private] c' },
  {
    name: 'other names',
    text: '<privateKey>a</privateKey> <private-x>b',
    clean: '<privateKey>a</privateKey> <private-x>b',
  },
  { name: 'our context', text: 'a<cairn-context>old\nnews</cairn-context>b', clean: 'ab' },
  {
    name: "the incumbent's context",
    text: 'a <claude-mem-context id="1">old</claude-mem-context> b',
    clean: 'a  b',
  },
  { name: 'our notes', text: 'a\n<cairn-notes>\nold\n</cairn-notes>\nb', clean: 'a\n\nb' },
  { name: 'unclosed context', text: 'a <cairn-context>old', clean: 'a ' },
  { name: 'stray end of a context', text: 'old</cairn-context> b', clean: ' b' },
  { name: 'private in a context', text: 'a<cairn-context><private>x</cairn-context>b', clean: 'ab' },
  { name: 'context in private', text: 'a<private><cairn-context>x</private>b', clean: 'a[private]b' },
  {
    name: 'tag made by removing one',
    text: 'a <pri<cairn-context>x</cairn-context>vate>b',
    clean: 'a [private]',
  },
  { name: 'Chinese', text: '公开<private>秘密</private>公开', clean: '公开[private]公开' },
];

describe('stripPrivate', () => {
  it.each(cases)('strips private parts: $name', ({ text, clean }) => {
    expect(stripPrivate(text)).toBe(clean);
    expect(stripPrivate(clean)).toBe(clean);
  });

  it('replaces a text that keeps forming new tags', () => {
    let text = '<cairn-context/>';
    for (let level = 0; level < 20; level++) text = `<cairn-con${text}text/>`;
    expect(stripPrivate(`a${text}b`)).toBe('[private]');
  });
});

describe('stripPart', () => {
  it('reports an open tag and continues with it', () => {
    expect(stripPart('a <private>b')).toEqual({ text: 'a [private]', open: 'private' });
    expect(stripPart('c', 'private')).toEqual({ text: '[private]', open: 'private' });
    expect(stripPart('d </private> e', 'private')).toEqual({ text: '[private] e' });
  });
});

describe('isWhollyPrivate', () => {
  it.each([
    { text: '<private>a</private>', wholly: true },
    { text: '  <private>a</private>\n<private>b', wholly: true },
    { text: '[private]', wholly: true },
    { text: '<private>a</private> b', wholly: false },
    { text: '<cairn-context>a</cairn-context>', wholly: false },
    { text: '', wholly: false },
    { text: 'a', wholly: false },
  ])('$text: $wholly', ({ text, wholly }) => {
    expect(isWhollyPrivate(text)).toBe(wholly);
  });
});
