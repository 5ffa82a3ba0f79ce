import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MemoryStoreForTest, openMemoryStore } from '../../../test/support/memory-store.ts';
import { updateIndex } from '../../indexing/update-index.ts';
import { recall } from '../recall.ts';
import type { RecallRequest } from '../request.ts';
import { correctQuery } from './correct-query.ts';
import { describeReplaced } from './describe-replaced.ts';

let memory: MemoryStoreForTest;
beforeEach(() => {
  memory = openMemoryStore();
});
afterEach(() => memory.close());

function request(text: string, rest: Partial<RecallRequest> = {}): RecallRequest {
  return { text, projectId: 1, reach: 'project', limit: 10, now: 0, ...rest };
}

function search(text: string): number[] {
  const { text: searched } = correctQuery(memory.store, request(text));
  return recall(memory.store, request(searched)).map(({ id }) => id);
}

describe('words that no memory has', () => {
  beforeEach(() => {
    memory.addNote('The rate limiter uses getUserName and WebSockets, policies are in connection_pool');
    memory.addNote('React renders twice');
  });

  it.each([
    { typed: 'limitter', used: 'limiter' },
    { typed: 'limiters', used: 'limiters' },
    { typed: 'getUserNmae', used: 'getUserName' },
    { typed: 'conection_pool', used: 'connection_pool' },
    { typed: 'websokcets', used: 'WebSockets' },
    { typed: 'polciies', used: 'policies' },
    { typed: 'ratelimiter', used: 'rate limiter' },
    { typed: 'reactjs', used: 'React' },
    // Other words for the same, also of another language.
    { typed: 'throttle', used: 'rate limiter' },
    { typed: 'Richtlinie', used: 'policies' },
    { typed: 'limitter -websokcets', used: 'limiter -websokcets' },
    { typed: 'type:gotcha limitter', used: 'type:gotcha limiter' },
    // A phrase, the name of an error, and everyday words mean what they say.
    { typed: '"limitter"', used: '"limitter"' },
    { typed: 'LIMIT_TER_REACHED', used: 'LIMIT_TER_REACHED' },
    { typed: 'nothing twice', used: 'nothing twice' },
    { typed: 'elephant', used: 'elephant' },
    { typed: 'r2d2', used: 'r2d2' },
  ])('$typed → $used', ({ typed, used }) => {
    expect(correctQuery(memory.store, request(typed)).text).toBe(used);
  });

  it('says which word was searched for instead', () => {
    const { replaced } = correctQuery(memory.store, request('limitter renderrs'));
    expect(describeReplaced(replaced, [])).toBe(
      'Showing results for limiter, renders (no memory has “limitter” or “renderrs”).',
    );
    expect(describeReplaced([], ['elephant'])).toBeNull();
  });

  it('says which other words no memory has', () => {
    const { replaced, unknown } = correctQuery(memory.store, request('limitter of the elephant'));
    expect(describeReplaced(replaced, unknown)).toBe(
      'Showing results for limiter (no memory has “limitter” or “elephant”).',
    );
  });

  it('knows the words of the searched project only', () => {
    const { text } = correctQuery(memory.store, request('limitter', { projectId: 2 }));
    expect(text).toBe('limitter');
  });

  it('knows the words in the paths of files', () => {
    const id = memory.addNote('Attempts are counted in Redis');
    memory.db
      .prepare(
        "INSERT INTO memory_files (memory_id, path, how) VALUES (?, 'src/auth/throttle_gate.ts', 'write')",
      )
      .run(id);
    memory.db.prepare('UPDATE memories SET narrative = ? WHERE id = ?').run('Per address.', id);
    updateIndex(memory.store);
    expect(correctQuery(memory.store, request('throtle')).text).toBe('throttle');
    expect(correctQuery(memory.store, request('throtle_gate')).text).toBe('throttle_gate');
  });

  it('completes the last word while it is typed', () => {
    const typing = { isTyping: true };
    expect(correctQuery(memory.store, request('rate limi'), typing).text).toBe('rate limiter');
    expect(correctQuery(memory.store, request('limi twice'), typing).text).toBe('limi twice');
    expect(correctQuery(memory.store, request('rate q'), typing)).toEqual({
      text: 'rate ',
      replaced: [],
      unknown: [],
    });
    expect(correctQuery(memory.store, request('q'), typing).text).toBe('q');
    expect(correctQuery(memory.store, request('rate q')).text).toBe('rate q');
  });
});

describe('one normal form for names', () => {
  it.each([
    { written: 'NextJS', typed: ['nextjs', 'next js', 'next-js', 'Next.js', 'NEXTJS'] },
    { written: 'Next.js', typed: ['nextjs', 'NextJS', 'next.js'] },
    { written: 'WebSockets', typed: ['websockets', 'websocket', 'web socket', 'web_sockets'] },
    { written: 'websocket', typed: ['WebSockets', 'web sockets', 'web-socket'] },
    { written: 'JWT', typed: ['JWTs', 'jwt', 'jwts'] },
    { written: 'JWTs', typed: ['JWT', 'jwt'] },
    { written: 'getUserName', typed: ['get user name', 'get_user_name', 'getusername', 'GetUserNames'] },
    { written: 'api.getUserName()', typed: ['getusername', 'getUserName'] },
    { written: 'PostgreSQL', typed: ['postgres', 'postgresql', 'pg'] },
    { written: 'utf8Decoder', typed: ['utf8decoders', 'utf8_decoder'] },
  ])('$written is found by $typed', ({ written, typed }) => {
    memory.addNote('Something else altogether');
    const id = memory.addNote(`About ${written} here`);
    for (const name of typed) expect({ name, found: search(name) }).toEqual({ name, found: [id] });
  });

  const WORDS = [
    ...[
      'user',
      'name',
      'token',
      'cache',
      'queue',
      'socket',
      'file',
      'http',
      'json',
      'parser',
      'handler',
      'index',
    ],
    ...[
      'rate',
      'limit',
      'order',
      'price',
      'stream',
      'buffer',
      'config',
      'error',
      'retry',
      'worker',
      'id',
      'db',
    ],
  ];
  const capital = (word: string) => (word[0] ?? '').toUpperCase() + word.slice(1);
  const STYLES: ((words: string[]) => string)[] = [
    (words) => words.map((word, at) => (at === 0 ? word : capital(word))).join(''),
    (words) => words.map(capital).join(''),
    (words) => words.join('_'),
    (words) => words.join('-'),
    (words) => words.join('_').toUpperCase(),
    (words) => words.join(''),
  ];
  const TYPED = [
    ...STYLES,
    (words: string[]) => words.join(''),
    (words: string[]) => words.join('').toUpperCase(),
    (words: string[]) => words.join(' '),
    (words: string[]) => words.map(capital).join(' '),
    (words: string[]) => `${words.join('')}s`,
    (words: string[]) => `${words.map(capital).join('')}s`,
  ];
  const SURROUNDINGS = [
    (name: string) => name,
    (name: string) => `api.${name}()`,
    (name: string) => `src/${name}.ts`,
  ];

  it('a name of a short word, which English could do without an apostrophe, is found', () => {
    const id = memory.addNote('Changed iduser yesterday');
    expect(search('id user')).toContain(id);
  });

  it('any name in a memory finds it, in any case, joined or split, in the plural', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 3 }),
        fc.constantFrom(...STYLES),
        fc.constantFrom(...TYPED),
        fc.constantFrom(...SURROUNDINGS),
        (words, style, typed, around) => {
          const id = memory.addNote(`Changed ${around(style(words))} yesterday`);
          expect(search(typed(words))).toContain(id);
          memory.db.exec('DELETE FROM memories');
        },
      ),
      { numRuns: 150 },
    );
  });
});
