import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const FCT = 'models/marts/fct_orders.sql';
const REFUNDS = 'models/staging/stg_refunds.sql';
const SCHEMA = 'models/staging/schema.yml';
const SQL_MARKER = 'Review the SQL of PR 318 for correctness';
const TESTS_MARKER = 'Review the tests and docs of PR 318';

const PROBE = `python3 -c "
import sqlite3
d = sqlite3.connect(':memory:')
d.executescript('create table o(id, cents); create table r(id, order_id, cents); insert into o values (1, 10000); insert into r values (7, 1, 2000), (8, 1, 500);')
print('joined', d.execute('select sum(o.cents) - sum(r.cents) from o left join r on r.order_id = o.id').fetchone()[0])
print('aggregated first', d.execute('select sum(o.cents) - sum(x.c) from o left join (select order_id, sum(cents) c from r group by 1) x on x.order_id = o.id').fetchone()[0])
"`;

export const dbtReview: SurveySession = {
  name: 'dbt review',
  about:
    'A pull request is reviewed with two subagents; findings are rejected by the agent and by the author; nothing is changed.',
  kind: 'review',
  language: 'en',
  ecosystem: 'dbt',
  files: {
    'dbt_project.yml':
      "name: larder\nversion: '1.0'\nmodels:\n  larder:\n    marts:\n      +materialized: table\n",
    [FCT]: `{{ config(materialized='incremental') }}

select
    o.order_id,
    o.customer_id,
    o.ordered_at,
    o.updated_at,
    o.gross_cents,
    r.refund_cents,
    o.gross_cents - coalesce(r.refund_cents, 0) as net_cents
from {{ ref('stg_orders') }} o
left join {{ ref('stg_refunds') }} r on r.order_id = o.order_id
{% if is_incremental() %}
where o.updated_at > (select max(updated_at) from {{ this }})
{% endif %}
`,
    [REFUNDS]: `select
    id as refund_id,
    order_id,
    amount_cents as refund_cents,
    created_at as refunded_at
from {{ source('shop', 'refunds') }}
where status = 'settled'
`,
    [SCHEMA]: `version: 2
models:
  - name: stg_refunds
    columns:
      - name: refund_id
        tests: [unique, not_null]
      - name: order_id
        tests: [not_null]
  - name: stg_orders
    columns:
      - name: order_id
        tests: [unique, not_null]
`,
    'review/318.md': `PR 318: make fct_orders incremental, add refunds
author: tomasz
- fct_orders: table -> incremental, new columns refund_cents, net_cents
- new staging model stg_refunds
`,
  },
  prompts: [
    "Can you review PR 318? It's checked out here, description in review/318.md. Use two subagents, one for the SQL and one for tests/docs. Don't edit anything, I post the comments on GitHub under my own name.",
    "Tomasz answered: the late rows thing can go, Fivetran loads orders strictly in updated_at order and the shop never backdates, Priya from platform confirmed that. He agrees on unique_key. Something you can't know: nobody runs --full-refresh on fct_orders in prod, ever. It takes six hours and starves the finance dashboards. Does that change anything for you?",
    'good catch. what would you have him put in the config block then? just tell me, still no edits',
  ],
  script: (dir) => {
    const { run, read, delegate } = callsIn(dir);
    return {
      main: [
        [
          read('review/318.md'),
          run('git log --oneline -3 && ls -R models', 'What is in the branch', 'fct_orders.sql'),
        ],
        [
          delegate('Review SQL', `${SQL_MARKER}. Files: ${FCT}, ${REFUNDS}. Report findings with severity.`),
          delegate(
            'Review tests',
            `${TESTS_MARKER}. Files: models/**/schema.yml. Report missing tests and docs.`,
          ),
        ],
        [
          say("Before I pass these on I'll verify the claims myself, starting with the fan-out."),
          run(PROBE, 'Order of 100.00 with refunds of 20.00 and 5.00', 'joined 17500'),
          read(FCT),
          read(SCHEMA),
        ],
        [
          say(`## Review of PR 318

**Blocking**

1. **Fan-out on refunds.** \`stg_refunds\` has one row per refund, so an order with two refunds appears twice in \`fct_orders\` and its gross counts double. In a probe, an order of 100.00 with refunds of 20.00 and 5.00 came out as 175.00 net instead of 75.00. Refunds must be summed per \`order_id\` before the join.
2. **No \`unique_key\`.** Without it dbt appends, so every updated order is inserted a second time. Needs \`unique_key='order_id'\`.

**Should fix**

3. **Late-arriving rows.** The filter \`updated_at > max(updated_at)\` skips rows that arrive later with an older timestamp. A lookback of three days would catch them.
4. **Refunds don't touch \`updated_at\`.** A refund that settles next week does not change the order, so the incremental run never picks it up and \`net_cents\` stays too high. The filter has to look at \`refunded_at\` as well.

**Dropped.** The second subagent reported that \`refund_id\` has no not_null test. That is wrong, \`schema.yml\` has \`tests: [unique, not_null]\` on it.

Nothing was edited.`),
        ],
        [
          say(
            "Yes, quite a lot. I'm dropping finding 3. Let me check how dbt is configured for schema changes first.",
          ),
          run(
            'grep -rn "on_schema_change\\|full_refresh" dbt_project.yml models || echo "none set"',
            'Schema change settings',
            'none set',
          ),
        ],
        [
          say(`Finding 3 is off the table, loads are in order.

But the rule against full refreshes makes a new finding, and it is blocking: **the new columns would never appear in production.** \`fct_orders\` exists there as a table, so the very first run after the merge already counts as incremental, and \`on_schema_change\` is not set. The default is \`ignore\`: dbt silently leaves out \`refund_cents\` and \`net_cents\`. No error, the columns are just missing.

Even with the columns added, old rows have null in them until they're backfilled. Since a full refresh is out, that has to be done in batches, e.g. one month at a time with a one-off update statement.`),
        ],
        [
          say(`This:

\`\`\`
{{ config(
    materialized='incremental',
    unique_key='order_id',
    on_schema_change='append_new_columns',
    full_refresh=false
) }}
\`\`\`

\`append_new_columns\` rather than \`sync_all_columns\`, because sync also drops columns that are missing from the query, and finance reads some that were added by hand. \`full_refresh=false\` makes dbt ignore the flag for this model, so the rule holds even when somebody types it by accident.`),
        ],
      ],
      subagents: {
        [SQL_MARKER]: [
          [read(FCT), read(REFUNDS)],
          [
            say(`Findings:
- HIGH: join to stg_refunds fans out, one row per refund.
- HIGH: incremental without unique_key, appends duplicates.
- MEDIUM: strict max(updated_at) filter loses late rows.
- MEDIUM: a refund does not bump orders.updated_at, so it is never picked up by the incremental filter.`),
          ],
        ],
        [TESTS_MARKER]: [
          [run('cat models/staging/schema.yml | head -6', 'Look at the tests', 'stg_refunds')],
          [
            say(
              'Findings: stg_refunds.refund_id has no not_null test (HIGH). fct_orders has no schema entry at all, so neither uniqueness of order_id nor the new columns are tested or documented (MEDIUM).',
            ),
          ],
        ],
      },
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/fan-?out|fans out|one row per refund/, /refund/, /double|twice|summed|175/],
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/on_schema_change/, /ignore/, /refund_cents|new columns|silently/],
      },
      {
        type: ['preference', 'gotcha', 'decision'],
        says: [/full[- _]refresh/, /fct_orders/, /six hours|never|ever|nobody/],
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/refund/, /updated_at/, /never picks|never picked|refunded_at|does not change the order/],
      },
      {
        type: ['decision', 'preference', 'discovery', 'how-it-works', 'gotcha'],
        says: [/fivetran/, /order/, /backdate/],
      },
      {
        type: ['decision', 'gotcha', 'how-it-works', 'discovery'],
        says: [/append_new_columns/, /sync/, /drops? columns|by hand/],
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/unique_key/, /append|second time|duplicate/] },
      { type: ['preference', 'decision'], says: [/GitHub/, /own name|don't edit/] },
      { type: ['discovery', 'gotcha', 'decision'], says: [/backfill|old rows/, /batches|month/] },
      { type: ['decision', 'how-it-works', 'gotcha'], says: [/full_refresh=false/] },
      { type: ['discovery', 'gotcha'], says: [/fct_orders/, /schema entry|tested or documented/] },
    ],
    summaries: [
      { prompt: 1, request: [/318/], learned: [/refund/] },
      { prompt: 2, request: [/full-refresh|late rows/], learned: [/on_schema_change|columns/] },
      { prompt: 3, request: [/config block/], learned: [/append_new_columns/] },
    ],
    noise: [
      "I'll verify the claims myself",
      'good catch',
      'Let me check how dbt is configured',
      'Report findings with severity',
      'Nothing was edited',
    ],
    untrue: [
      /refund_id has no not_null test \(HIGH\)/,
      /lookback of three days would catch/,
      /strict max\(updated_at\) filter loses late rows/,
      /(added|set|changed|fixed).{0,20}unique_key.{0,30}in .?models/,
    ],
    followUps: [
      {
        asks: 'can I run dbt with --full-refresh on fct_orders tonight to get the new column in?',
        says: [/six hours|never|ever/, /full[- _]refresh/],
      },
      {
        asks: 'I added a column to an incremental model and it just is not there in prod, no error. why?',
        says: [/on_schema_change/, /ignore/],
      },
      {
        asks: 'do we need a lookback window on orders for rows that come in late?',
        says: [/fivetran/, /backdate/],
      },
      {
        asks: 'net revenue looks too high for customers who returned stuff in several parcels',
        says: [/refund/, /double|twice|one row per refund|summed/],
      },
      {
        asks: 'which option should I use when columns get added upstream, sync or append?',
        says: [/append_new_columns/, /drops? columns|by hand/],
      },
    ],
    unrelated: [
      'set up sqlfluff with the snowflake dialect for this repo',
      'write a seed file with the ISO country codes',
      'how do I get a local profile for the dev warehouse?',
    ],
  },
};
