import { callsIn, say, together } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const PROJECTOR = 'src/projector.js';
const EVENTS = 'fixtures/replay.jsonl';

/** What each handler makes of an order, by the type of its event. */
const HANDLERS: Record<string, string> = {
  'order.placed': "{ ...order, status: 'pending', lines: event.lines }",
  'order.amended': '{ ...order, lines: [...order.lines, ...event.lines] }',
  'order.cancelled': "{ ...order, status: 'cancelled', reason: event.reason }",
  'order.noted': '{ ...order, notes: [...(order.notes ?? []), event.note] }',
  'order.flagged': '{ ...order, flagged: true }',
  'order.unflagged': '{ ...order, flagged: false }',
  'stock.reserved': '{ ...order, reserved: true }',
  'stock.released': '{ ...order, reserved: false }',
  'stock.short': '{ ...order, backordered: event.skus }',
  'stock.restocked': '{ ...order, backordered: [] }',
  'payment.requested': '{ ...order, paymentId: event.paymentId }',
  'payment.captured': "{ ...order, status: 'paid', paidAt: event.at }",
  'payment.refused': "{ ...order, status: 'refused' }",
  'payment.refunded': '{ ...order, refundedCents: (order.refundedCents ?? 0) + event.cents }',
  'payment.disputed': '{ ...order, disputed: true }',
  'parcel.packed': "{ ...order, parcel: 'packed' }",
  'parcel.sent': "{ ...order, parcel: 'sent', tracking: event.tracking }",
  'parcel.returned': "{ ...order, parcel: 'returned' }",
  'parcel.lost': "{ ...order, parcel: 'lost', flagged: true }",
  'mail.queued': '{ ...order, mails: (order.mails ?? 0) + 1 }',
  'mail.bounced': '{ ...order, mailBounced: true }',
  'voucher.applied': '{ ...order, voucher: event.code }',
  'voucher.removed': '{ ...order, voucher: null }',
  'customer.merged': '{ ...order, customerId: event.into }',
};

const types = Object.keys(HANDLERS);
const handlerFile = (type: string) => `src/handlers/${type.replace('.', '-')}.js`;

const events = [
  { stream: 'order-7', version: 1, type: 'order.placed', lines: ['mug'] },
  { stream: 'order-7', version: 2, type: 'stock.reserved' },
  { stream: 'order-7', version: 3, type: 'voucher.applied', code: 'SPRING' },
  { stream: 'payment-91', version: 1, type: 'payment.requested', paymentId: 'p91' },
  { stream: 'payment-91', version: 2, type: 'payment.captured', at: '2026-03-02T10:00:00Z' },
];

const SUMMARY = `<analysis>
The person asked for the cause of orders that stay pending. I went through all handlers and narrowed it down to the projector.
</analysis>
<summary>
1. Primary Request and Intent: find out why some orders stay \`pending\` although the payment went through (replay in test/replay.test.js), then fix it.
2. Key Technical Concepts: event-sourced orders; one state per order fed by several streams (order-*, payment-*), each stream with its own version counter.
3. Files and Code Sections: ${PROJECTOR} (\`project\`, the version check), src/handlers/*.js (24 pure handlers, all read), ${EVENTS}, test/replay.test.js.
4. Errors and fixes: test/replay.test.js is red: 'pending' !== 'paid'.
5. Problem Solving: ruled out the handlers (payment-captured.js sets status paid when called directly), the order of the events in the fixture, and missing registrations in src/handlers/index.js. Suspicion: \`project\` drops events whose version is not above the last one seen, without regard to the stream.
6. Pending Tasks: fix the version check.
7. Current Work: about to change \`project\` to remember the last version per stream.
</summary>`;

export const compactedHunt: DistillSession = {
  name: 'compacted hunt',
  about: 'A long hunt through two dozen handlers, compacted before the cure.',
  long: true,
  files: {
    'package.json': '{ "name": "order-desk", "private": true, "type": "module" }\n',
    [PROJECTOR]: `import { handlers } from './handlers/index.js';

export const emptyOrder = { version: 0, status: 'new' };

/** The order after one more event. */
export function project(order, event) {
  if (event.version <= order.version) return order; // delivered twice
  const handle = handlers[event.type];
  return { ...(handle ? handle(order, event) : order), version: event.version };
}
`,
    'src/handlers/index.js': [
      ...types.map((type, i) => `import { handle as h${i} } from './${type.replace('.', '-')}.js';`),
      `\nexport const handlers = {\n${types.map((type, i) => `  '${type}': h${i},`).join('\n')}\n};\n`,
    ].join('\n'),
    ...Object.fromEntries(
      Object.entries(HANDLERS).map(([type, result]) => [
        handlerFile(type),
        `/** ${type} */\nexport function handle(order, event) {\n  return ${result};\n}\n`,
      ]),
    ),
    [EVENTS]: `${events.map((event) => JSON.stringify(event)).join('\n')}\n`,
    'test/replay.test.js': `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { emptyOrder, project } from '../src/projector.js';

test('a captured payment makes the order paid', () => {
  const lines = readFileSync('fixtures/replay.jsonl', 'utf8').trim().split('\\n');
  const order = lines.map((line) => JSON.parse(line)).reduce(project, emptyOrder);
  assert.equal(order.status, 'paid');
});
`,
  },
  prompts: [
    'some orders stay pending forever although the payment went through. test/replay.test.js shows it. find out why, do not change anything yet',
    '/compact',
    'ok, fix it',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    const looks = types.map((type) =>
      run(`grep -c '"type":"${type}"' ${EVENTS} || true`, `How often ${type} is in the replay`),
    );
    return {
      main: [
        [say("I'll start with the red test."), fail('node --test', 'Run the replay', "'pending'")],
        [read('test/replay.test.js'), read('src/handlers/index.js'), read(EVENTS)],
        ...together(types.map((type) => read(handlerFile(type)))).map((turn, n) =>
          n === 0 ? [say('The handlers come next. Let me read them all.'), ...turn] : turn,
        ),
        ...together(looks, 6).map((turn, n) =>
          n === 0 ? [say('Let me see which of them the replay reaches at all.'), ...turn] : turn,
        ),
        [
          say('The handler itself could be wrong, so I call it directly.'),
          run(
            `node -e "import('./src/handlers/payment-captured.js').then(({handle}) => console.log(handle({status:'pending'},{at:'x'}).status))"`,
            'Call the handler alone',
            'paid',
          ),
        ],
        [
          run('git log --oneline -5', 'Recent commits'),
          run('grep -rn "version" src', 'Who uses versions', PROJECTOR),
        ],
        [read(PROJECTOR)],
        [
          run(
            `node -e "import('./src/projector.js').then(({project}) => console.log(project({version:3,status:'pending'},{version:2,type:'payment.captured',at:'x'}).status))"`,
            'Feed a payment event with a lower version',
            'pending',
          ),
        ],
        [
          say(`I found it, and nothing is changed yet.

**Cause:** \`project()\` in \`${PROJECTOR}\` treats every event whose version is not above \`order.version\` as delivered twice. But versions are counted *per stream*: after three events of \`order-7\` the order is at version 3, and the payment stream \`payment-91\` starts at 1. So \`payment.requested\` and \`payment.captured\` are dropped as duplicates, and the order stays pending. Orders with fewer events than their payment stream are not hit, which is why it looks random.

**Ruled out:**
- the handlers: \`payment-captured.js\` sets \`paid\` when called alone
- a missing registration in \`src/handlers/index.js\`
- the order of the events in the fixture

Shall I fix it? I would remember the last version per stream instead of one number.`),
        ],
        [say('I pick up at the version check.'), read(PROJECTOR)],
        [
          edit(
            PROJECTOR,
            "export const emptyOrder = { version: 0, status: 'new' };",
            "export const emptyOrder = { versions: {}, status: 'new' };",
          ),
          edit(
            PROJECTOR,
            '  if (event.version <= order.version) return order; // delivered twice',
            '  // Each stream counts its own versions.\n  const seen = order.versions[event.stream] ?? 0;\n  if (event.version <= seen) return order; // delivered twice',
          ),
          edit(
            PROJECTOR,
            'version: event.version };',
            'versions: { ...order.versions, [event.stream]: event.version } };',
          ),
        ],
        [run('node --test', 'Run the replay again', 'a captured payment makes the order paid')],
        [
          say(`Fixed: the replay is green.

\`project()\` in \`${PROJECTOR}\` now keeps \`versions\`, the last version seen per stream, instead of a single \`version\`, so events of the payment stream are no longer dropped as duplicates.

**What's left:** orders already stored have a single \`version\` field. Their projections have to be rebuilt once from the event log before this is deployed.`),
        ],
      ],
      compact: [[say(SUMMARY)]],
    };
  },
  expects: {
    essentials: [
      {
        type: 'bugfix',
        says: ['project', 'versions', /per stream|each stream/, /duplicate|dropped/],
        files: [PROJECTOR],
      },
    ],
    niceToHave: [
      // Unless the cure has taken its place.
      {
        type: ['discovery', 'gotcha', 'bugfix', 'how-it-works'],
        says: ['project', /per stream|each stream/, /duplicate|delivered twice|dropped/, /payment/],
        prompt: 1,
      },
      { type: ['discovery', 'how-it-works'], says: [/ruled out|handlers/, 'payment-captured'] },
      { type: ['gotcha', 'discovery', 'decision'], says: [/rebuilt|rebuild/, /projection|stored/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['stay pending'],
        investigated: [/handler/],
        learned: [/per stream|each stream/],
        filesRead: [PROJECTOR, EVENTS, handlerFile('payment.captured')],
      },
      {
        prompt: 2,
        completed: ['versions', /per stream|each stream/],
        nextSteps: [/rebuilt/],
        filesModified: [PROJECTOR],
      },
    ],
    noise: [
      'Primary Request and Intent',
      'Shall I fix it',
      "'pending' !== 'paid'",
      'backordered',
      /^I pick up/m,
    ],
  },
};
