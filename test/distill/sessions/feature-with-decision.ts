import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const LIMIT = 'src/middleware/rate-limit.js';
const TESTS = 'test/rate-limit.test.js';

export const featureWithDecision: DistillSession = {
  name: 'feature with a decision',
  about: 'A rate limit is built; the agent chooses between two ways and says why.',
  files: {
    'package.json': '{ "name": "parcel-api", "private": true, "type": "module" }\n',
    'src/app.js': `import { createServer } from 'node:http';
import { track } from './routes/track.js';

export function app() {
  return createServer((request, response) => track(request, response));
}
`,
    'src/routes/track.js': `export function track(request, response) {
  const number = request.url.slice(1);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ number, state: 'in transit' }));
}
`,
    'src/config.js': `export const config = {
  port: Number(process.env.PORT ?? 8080),
  trustProxy: process.env.TRUST_PROXY === '1',
};
`,
  },
  prompts: [
    'add a rate limit to the tracking endpoint, 60 requests a minute per API key, answer 429 above that',
  ],
  script: (dir) => {
    const { run, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say("I'll look at how requests get to the endpoint."),
          read('src/app.js'),
          read('src/routes/track.js'),
          read('src/config.js'),
        ],
        [
          say('There is no middleware yet. I write the limiter as a pure function with the clock passed in.'),
          write(
            LIMIT,
            `/** A token bucket per key: \`perMinute\` tokens at most, filled up steadily. */
export function rateLimit({ perMinute, now = Date.now }) {
  const buckets = new Map();
  return (key) => {
    const at = now();
    const { tokens, since } = buckets.get(key) ?? { tokens: perMinute, since: at };
    const filled = Math.min(perMinute, tokens + ((at - since) / 60_000) * perMinute);
    if (filled < 1) {
      buckets.set(key, { tokens: filled, since: at });
      return { allowed: false, retryAfter: Math.ceil(((1 - filled) / perMinute) * 60) };
    }
    buckets.set(key, { tokens: filled - 1, since: at });
    return { allowed: true, retryAfter: 0 };
  };
}
`,
          ),
        ],
        [
          write(
            TESTS,
            `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateLimit } from '../src/middleware/rate-limit.js';

test('the 61st request of a minute is refused, with the seconds to wait', () => {
  const limit = rateLimit({ perMinute: 60, now: () => 0 });
  for (let i = 0; i < 60; i++) assert.equal(limit('a').allowed, true);
  assert.deepEqual(limit('a'), { allowed: false, retryAfter: 1 });
});

test('keys do not share a bucket', () => {
  const limit = rateLimit({ perMinute: 1, now: () => 0 });
  limit('a');
  assert.equal(limit('b').allowed, true);
});
`,
          ),
        ],
        [
          edit(
            'src/app.js',
            "import { track } from './routes/track.js';",
            "import { rateLimit } from './middleware/rate-limit.js';\nimport { track } from './routes/track.js';",
          ),
          edit(
            'src/app.js',
            '  return createServer((request, response) => track(request, response));',
            `  const limit = rateLimit({ perMinute: 60 });
  return createServer((request, response) => {
    const { allowed, retryAfter } = limit(request.headers['x-api-key'] ?? 'anonymous');
    if (allowed) return track(request, response);
    response.writeHead(429, { 'retry-after': String(retryAfter) }).end();
  });`,
          ),
        ],
        [run('node --test', 'Run the tests', 'keys do not share a bucket')],
        [
          say(`The tracking endpoint now allows 60 requests a minute per \`x-api-key\`; above that it answers 429 with a \`Retry-After\` header. Both new tests pass.

## How it is built
- \`${LIMIT}\` holds the limiter, a function of the key with the clock passed in.
- \`src/app.js\` asks it before \`track\`. Requests without a key share one bucket called \`anonymous\`.

## Decision
I went with a **token bucket** rather than a fixed window, because a fixed window lets a client send 120 requests within a second around the turn of the minute. The price is one small object per key in memory.

## What's left
- Buckets are never removed, so memory grows with the number of keys. Fine for our few hundred customers; a clean-up is needed before the endpoint becomes public.
- With more than one instance each has its own buckets. A shared limit would need Redis.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'feature',
        says: [/rate limit|limiter/, '60', '429', /x-api-key|per API key/],
        files: [LIMIT, 'src/app.js'],
        prompt: 1,
      },
      {
        type: 'decision',
        says: ['token bucket', 'fixed window', /120 requests|turn of the minute/],
        prompt: 1,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery'], says: [/never removed|memory grows|own buckets|Redis/] },
      { type: ['how-it-works', 'discovery'], says: ['anonymous'] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['rate limit'],
        completed: ['429'],
        nextSteps: [/clean-up|removed/, 'Redis'],
        filesRead: ['src/routes/track.js'],
        filesModified: [LIMIT, TESTS, 'src/app.js'],
      },
    ],
    noise: ['There is no middleware yet', 'how requests get to the endpoint', 'in transit', 'buckets.set('],
  },
};
