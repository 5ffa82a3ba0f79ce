import { describe, expect, it } from 'vitest';
import { frame } from '../framing/frame.ts';
import { isWhollyPrivate, stripPart, stripPrivate } from './private.ts';

const FRAME = frame('old\nnews');

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
  { name: 'our context', text: `a${FRAME}b`, clean: 'ab' },
  { name: 'two contexts', text: `a${FRAME}b${FRAME}c`, clean: 'abc' },
  {
    name: "the incumbent's context",
    text: 'a <claude-mem-context id="1">\nold\n</claude-mem-context> b',
    clean: 'a  b',
  },
  { name: 'our notes', text: 'a\n<cairn-notes>\nold\n</cairn-notes>\nb', clean: 'a\n\nb' },
  {
    name: 'our notes with line numbers',
    text: '1→a\n2→<cairn-notes>\n3→old\n4→</cairn-notes>\n5→b',
    clean: '1→a\n2→\n5→b',
  },
  { name: 'our notes in a diff', text: ' a\n+<cairn-notes>\n+old\n+</cairn-notes>\n', clean: ' a\n+\n' },
  {
    name: 'our context, JSON-escaped',
    text: '{"t":"a\\u003ccairn-context\\u003e\\nold\\n\\u003c/cairn-context\\u003eb"}',
    clean: '{"t":"ab"}',
  },
  {
    name: 'our context, escaped twice',
    text: '"{\\"t\\":\\"a<cairn-context>\\\\n\\told\\\\n\\\\t</cairn-context>b\\"}"',
    clean: '"{\\"t\\":\\"ab\\"}"',
  },
  { name: 'our context on one line', text: `a ${FRAME.replaceAll('\n', ' ')} b`, clean: 'a  b' },
  {
    name: 'a mention before a context',
    text: `why <cairn-context> here? ${FRAME} b`,
    clean: 'why <cairn-context> here?  b',
  },
  {
    name: 'a mention after a context',
    text: `${FRAME} and </cairn-context> twice?`,
    clean: ' and </cairn-context> twice?',
  },
  ...[
    'why does frame.ts end with </cairn-context> twice?',
    'the frame opens with <cairn-context> and ends with </cairn-context>.',
    'a <cairn-context>old',
    'a\n<cairn-context>\nold, and the rest',
    'old</cairn-notes> b',
    'src/<cairn-notes/>.ts and src/</claude-mem-context>.ts',
    '<cairn-context>\nis closed by <code></cairn-context></code>',
    '<cairn-context>\nold\n</cairn-notes>',
  ].map((text) => ({ name: text, text, clean: text })),
  {
    name: 'private among mentions of a context',
    text: 'a <cairn-context>b <private>x</private> c</cairn-context> d',
    clean: 'a <cairn-context>b [private] c</cairn-context> d',
  },
  {
    name: 'private in a context',
    text: 'a<cairn-context>\n<private>x\n</cairn-context>b',
    clean: 'a<cairn-context>\n[private]',
  },
  { name: 'context in private', text: `a<private>${FRAME}x</private>b`, clean: 'a[private]b' },
  { name: 'tag made by removing one', text: `a <pri${FRAME}vate>b`, clean: 'a [private]' },
  { name: 'Chinese', text: '公开<private>秘密</private>公开', clean: '公开[private]公开' },
];

describe('stripPrivate', () => {
  it.each(cases)('strips private parts: $name', ({ text, clean }) => {
    expect(stripPrivate(text)).toBe(clean);
    expect(stripPrivate(clean)).toBe(clean);
  });

  it('replaces a text that keeps forming new tags', () => {
    let text = FRAME as string;
    for (let level = 0; level < 20; level++) text = `<cairn-con${text}text>\nx\n</cairn-context>`;
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
    { text: FRAME, wholly: false },
    { text: '', wholly: false },
    { text: 'a', wholly: false },
  ])('$text: $wholly', ({ text, wholly }) => {
    expect(isWhollyPrivate(text)).toBe(wholly);
  });
});
