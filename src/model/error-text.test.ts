import { expect, test } from 'vitest';
import { type ErrorText, listErrorNames, parseErrors } from './error-text.ts';

const cases: { name: string; text: string; errors: ErrorText[] }[] = [
  {
    name: 'a stack of node',
    text: [
      'Exit code 1',
      'node:internal/modules/cjs/loader:1228',
      '  throw err;',
      "Error: Cannot find module '/srv/app/src/upload/retry.js'",
      '    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)',
      '    at loadRetry (/srv/app/src/upload/load.js:14:3)',
      '    at /srv/app/src/main.js:3:1',
      'Node.js v20.19.0',
    ].join('\n'),
    errors: [
      { name: 'Error', message: "Cannot find module 'retry.js'", frames: ['loadRetry load.js', 'main.js'] },
    ],
  },
  {
    name: 'an error with a code',
    text: 'Error [ERR_MODULE_NOT_FOUND]: Cannot find package',
    errors: [{ name: 'Error ERR_MODULE_NOT_FOUND', message: 'Cannot find package', frames: [] }],
  },
  {
    name: 'a traceback of Python',
    text: [
      'Traceback (most recent call last):',
      '  File "/home/ada/shop/price.py", line 12, in total',
      '    return price["net"]',
      "KeyError: 'net'",
    ].join('\n'),
    errors: [{ name: 'KeyError', message: "'net'", frames: ['total price.py'] }],
  },
  {
    name: 'a compiler',
    text: "src/a.ts(3,7): error TS2345: Argument of type 'string' is not assignable",
    errors: [
      {
        name: 'TS2345',
        message: "a.ts error Argument of type 'string' is not assignable",
        frames: [],
      },
    ],
  },
  {
    name: 'ports, addresses and times',
    text: 'connect ECONNREFUSED 127.0.0.1:5432 after 3000ms at 0x7ffee4',
    errors: [{ name: 'ECONNREFUSED', message: 'connect after at', frames: [] }],
  },
  {
    name: 'a shell',
    text: "Exit code 3\nls: cannot access '/nonexistent-dir': No such file or directory",
    errors: [
      { name: '', message: "ls cannot access 'nonexistent-dir' No such file or directory", frames: [] },
    ],
  },
  {
    name: 'a message without an error name',
    text: 'String to replace not seen in file.',
    errors: [{ name: '', message: 'String to replace not seen in file.', frames: [] }],
  },
  { name: 'nothing', text: 'Exit code 1\n', errors: [] },
];

test.each(cases)('$name', ({ text, errors }) => {
  expect(parseErrors(text, 3)).toEqual(errors);
});

test.each([
  ['MODULE_NOT_FOUND', ['MODULE_NOT_FOUND']],
  ['why ECONNRESET in the TypeError of TS2345', ['TypeError', 'TS2345', 'ECONNRESET']],
  ['rate limiter of the API in README', []],
  ['DROP TABLE IF EXISTS; EMAIL and ENOUGH', []],
  ['EEXIST, ENOENT, ERESOLVE', ['EEXIST', 'ENOENT', 'ERESOLVE']],
])('finds error names in %s', (text, names) => {
  expect(listErrorNames(text)).toEqual(names);
});

test('finishes on long lines of repeated pieces', () => {
  expect(parseErrors(`${'at '.repeat(20_000)}\n${'a/'.repeat(20_000)}`, 3).length).toBeLessThan(2);
});
