import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const RESOLVERS = `import { InvoiceModel } from '../models/invoice';

export const billingResolvers = {
  Query: {
    invoices: async (_p: unknown, { teamId }: { teamId: string }, ctx: Context) => {
      if (ctx.user.teamId !== teamId) throw new ForbiddenError('team');
      return ctx.loaders.invoicesByTeam.load(teamId);
    },
    node: async (_p: unknown, { id }: { id: string }, ctx: Context) => {
      const { type, key } = fromGlobalId(id);
      if (type === 'Invoice') return InvoiceModel.findById(key);
      return nodeByType(type, key, ctx);
    },
  },
  Invoice: {
    lines: (invoice: Invoice, _a: unknown, ctx: Context) => ctx.loaders.linesByInvoice.load(invoice.id),
    issuer: (invoice: Invoice) => UserModel.findById(invoice.issuerId),
  },
};
`;

const CONTEXT = `import { createLoaders } from './loaders';

export async function buildContext({ req }: { req: Request }): Promise<Context> {
  return { user: await authenticate(req), loaders: createLoaders() };
}
`;

const LOADERS = `import DataLoader from 'dataloader';

export function createLoaders() {
  return {
    invoicesByTeam: new DataLoader(loadInvoicesByTeam),
    linesByInvoice: new DataLoader(loadLinesByInvoice),
  };
}
`;

const AUTHZ = 'AUTHZ: PR #482 の認可を調べてください。';
const LOADING = 'LOADING: PR #482 の N+1 と DataLoader を調べてください。';
const COMPAT = 'COMPAT: PR #482 のスキーマ互換性を調べてください。';

export const graphqlBillingReviewJa: SurveySession = {
  name: 'graphql-billing-review-ja',
  about: 'Three subagents review a pull request; one finding turns out to be false.',
  kind: 'review',
  language: 'ja',
  ecosystem: 'typescript',
  files: {
    'src/resolvers/billing.ts': RESOLVERS,
    'src/context.ts': CONTEXT,
    'src/loaders/index.ts': LOADERS,
    'src/models/invoice.ts':
      "export const InvoiceModel = {\n  findById: (id: string) => db('invoices').where({ id }).first(),\n};\n",
    'schema/billing.graphql':
      'type Invoice implements Node {\n  id: ID!\n  amount: Float!\n  issuer: User!\n  lines: [InvoiceLine!]!\n}\n',
    'schema/published.graphql':
      'type Invoice implements Node {\n  id: ID!\n  amount: Int!\n  lines: [InvoiceLine!]!\n}\n',
    'src/resolvers/team.ts': 'export const teamResolvers = {};\n',
  },
  programs: {
    gh: `#!/bin/sh
case "$*" in
  *"pr diff"*) cat <<'OUT'
src/resolvers/billing.ts
src/loaders/index.ts
schema/billing.graphql
OUT
  ;;
  *review*) echo "- Requested changes to pull request #482" ;;
esac
`,
    'graphql-inspector': `#!/bin/sh
echo "Detected the following changes (2) between schemas:"
echo
echo "✖  Field Invoice.amount changed type from Int! to Float!"
echo "✔  Field issuer was added to object type Invoice"
echo
echo "Detected 1 breaking change"
exit 1
`,
    usage: `#!/bin/sh
echo "Invoice.amount  last 30 days"
echo "  web        1,204,881"
echo "  ios 4.x      388,102"
echo "  ios 3.x       51,377   (6.2 % of active devices)"
echo "  android      402,915"
`,
    trace: `#!/bin/sh
echo "query Invoices { invoices(teamId: \\"t_91\\") { id issuer { name } } }"
echo "sql: select * from users where id = ?   x 240"
echo "duration: 1,870 ms   without issuer: 64 ms"
`,
  },
  script(projectDir) {
    const { run, fail, read, write, delegate } = callsIn(projectDir);
    return {
      main: [
        [run('gh pr diff 482 --name-only', '変更ファイルを確認', 'billing.ts')],
        [
          say('3 観点に分けてサブエージェントに並行で調べさせます。'),
          delegate('認可の確認', AUTHZ),
          delegate('N+1 の確認', LOADING),
          delegate('互換性の確認', COMPAT),
        ],
        [
          say(`レビュー結果をまとめます。

1. **[重大] 認可の抜け**: \`invoices\` クエリはチームを確認しますが、\`node(id)\` 経由だと \`InvoiceModel.findById\` が直接呼ばれ、グローバル ID さえ分かれば他チームの請求書が読めます。
2. **[重大] DataLoader の共有**: loaders がモジュールスコープで共有され、リクエスト間でキャッシュが漏れます。
3. **[中] N+1**: \`Invoice.issuer\` が DataLoader を通らず、240 件の一覧で users への SQL が 240 回、1,870 ms かかります(issuer なしなら 64 ms)。
4. **[重大] 破壊的変更**: \`Invoice.amount\` の Int! → Float! で iOS 3.x のデコードが失敗します。iOS 3.x はまだアクティブ端末の 6.2 % です。`),
        ],
        [read('src/context.ts'), read('src/loaders/index.ts')],
        [
          say(
            'ご指摘のとおりで、2 番は誤検知でした。`createLoaders()` は `buildContext` の中でリクエストごとに呼ばれているので、キャッシュは共有されません。サブエージェントは loaders/index.ts だけを見て context.ts を確認していませんでした。指摘から外します。',
          ),
        ],
        [
          write(
            'review-482.md',
            `## 変更依頼

- 認可は model 層で: \`InvoiceModel.load(ctx, id)\` に寄せ、\`findById\` は export しない
- \`amount\` は Int! のまま @deprecated にし、\`amountMinor: Int!\` を追加
- \`Invoice.issuer\` は \`usersById\` ローダー経由に
`,
          ),
          run(
            'gh pr review 482 --request-changes --body-file review-482.md',
            'レビューを投稿',
            'Requested changes',
          ),
        ],
        [
          say(
            '変更依頼として投稿しました。内容は 3 点: 認可を `InvoiceModel.load(ctx, id)` に移す、`amount` は Int! のまま残して `amountMinor` を追加、`Invoice.issuer` は `usersById` ローダー経由にする。お疲れさまでした!',
          ),
        ],
      ],
      subagents: {
        AUTHZ: [
          [read('src/resolvers/billing.ts'), read('src/models/invoice.ts')],
          [run('grep -rn "findById" src', '直接の読み出しを探す', 'findById')],
          [
            say(
              '`invoices` は ctx.user.teamId を確認していますが、`node(id)` は `InvoiceModel.findById(key)` をそのまま返すため、認可を通らずに他チームの請求書を読めます。`Invoice.issuer` の User も同様に素通しです。',
            ),
          ],
        ],
        LOADING: [
          [read('src/loaders/index.ts'), run('trace --query invoices', 'クエリを計測', 'x 240')],
          [
            say(
              'loaders がモジュールスコープで共有されているように見え、リクエスト間でキャッシュが漏れる恐れがあります。また Invoice.issuer は DataLoader を使わず、240 件で users への SQL が 240 回、1,870 ms でした。',
            ),
          ],
        ],
        COMPAT: [
          [
            fail(
              'graphql-inspector diff schema/published.graphql schema/billing.graphql',
              'スキーマ差分',
              'breaking change',
            ),
          ],
          [run('usage Invoice.amount', '利用状況', '6.2 %')],
          [
            say(
              'Invoice.amount の Int! → Float! は破壊的変更です。iOS 3.x のデコーダーは Int 固定なので失敗します。iOS 3.x はアクティブ端末の 6.2 % です。',
            ),
          ],
        ],
      },
    };
  },
  prompts: [
    'PR #482(チーム請求)をレビューして。認可・N+1・スキーマ互換の3つに分けてサブエージェントで。コードは直さなくていい',
    '2番は誤検知じゃない?context.ts でリクエストごとに作ってるはずだけど',
    '了解。方針決めます: 認可はリゾルバに書かず必ず model 層の load(ctx, id) でやる。リゾルバに書くと node や federation の入口で毎回漏れるので。amount は消さずに deprecated、iOS 3.x が 1% を切るまで残す。金額は Float 禁止、最小単位の Int で。これで変更依頼を出して',
  ],
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix', 'how-it-works'],
        says: [/node\(id\)/, /他チーム|認可/],
        prompt: 1,
      },
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/issuer/, /240/], prompt: 1 },
      {
        type: ['discovery', 'gotcha', 'decision', 'bugfix'],
        says: [/amount/, /Int! → Float!|破壊的変更/, /iOS 3\.x/],
        prompt: 1,
      },
      {
        type: ['discovery', 'how-it-works', 'gotcha', 'decision'],
        says: [/リクエストごと/, /誤検知|共有されません/],
        prompt: 2,
      },
      {
        type: ['decision', 'preference', 'gotcha'],
        says: [/model 層|InvoiceModel\.load/, /リゾルバに書/],
        prompt: 3,
      },
      { type: ['decision', 'preference'], says: [/deprecated/, /1 ?%/], prompt: 3 },
      { type: ['preference', 'decision', 'gotcha'], says: [/Float 禁止/], prompt: 3 },
    ],
    niceToHave: [
      { type: ['change', 'decision', 'discovery'], says: [/変更依頼/], prompt: 3 },
      { type: ['decision', 'change'], says: [/amountMinor/], prompt: 3 },
      { type: ['decision', 'change'], says: [/usersById/], prompt: 3 },
    ],
    summaries: [
      { prompt: 1, request: ['#482'], learned: [/node\(id\)|認可/] },
      { prompt: 2, request: ['誤検知'], learned: [/リクエストごと|誤検知/] },
      { prompt: 3, request: [/model 層/], completed: [/投稿|変更依頼/] },
    ],
    noise: ['お疲れさま', 'まとめます', '並行で調べさせ'],
    untrue: [/モジュールスコープで共有され/, /キャッシュが漏れ(ます|る)/],
    followUps: [
      {
        asks: '見積書(Quote)も GraphQL で取れるようにしたい。Quote 型とリゾルバを追加して、閲覧できるのは自チームだけ',
        says: [/model 層|InvoiceModel\.load/],
      },
      {
        asks: 'Invoice.amount もう誰も使ってなさそうなので schema から削除して',
        says: [/iOS 3\.x/, /1 ?%/],
      },
      {
        asks: 'add a tax field to the invoice type, something like tax: Float!',
        says: [/Float 禁止|最小単位/],
      },
      {
        asks: 'is it safe to use our dataloaders for per-user data, or do they cache across requests?',
        says: [/リクエストごと/],
      },
    ],
    unrelated: [
      'パスワードリセットのメール文面を英語にも対応させて',
      'CI の lint が遅いのでキャッシュを効かせて',
    ],
  },
};
