import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const RETRY = 'src/webhook/retry.js';
const SENDER = 'src/webhook/sender.js';
const RESEND = 'src/admin/resend.js';
const PROD = 'deploy/production.env';

export const webhookRetryJa: SurveySession = {
  name: 'webhook-retry-ja',
  about: 'Webhook の再送の仕組みについての質問。README は古く、本番は別の値、手動再送だけ ID が変わる。',
  kind: 'question',
  language: 'ja',
  ecosystem: 'node',
  files: {
    'package.json':
      '{\n  "name": "notify",\n  "type": "module",\n  "scripts": { "test": "node --test" }\n}\n',
    'README.md': '# notify\n\n## Webhook\n配信に失敗した場合は 1 分間隔で 5 回まで再送します。\n',
    [RETRY]: `export const MAX_ATTEMPTS = Number(process.env.WEBHOOK_MAX_ATTEMPTS ?? 6)
const BASE_MS = 30_000
const CAP_MS = 15 * 60_000

/** attempt は 1 から。次の試行までの待ち時間 */
export function delayFor(attempt, random = Math.random) {
  const plain = Math.min(BASE_MS * 2 ** (attempt - 1), CAP_MS)
  return Math.round(plain * (0.8 + random() * 0.4))
}

export function shouldRetry(status, attempt) {
  if (status === 410) return false
  if (status >= 400 && status < 500 && status !== 429) return false
  return attempt < MAX_ATTEMPTS
}
`,
    [SENDER]: `import { randomUUID } from 'node:crypto'
import { delayFor, shouldRetry } from './retry.js'
import { disableEndpoint, schedule } from './queue.js'

const TIMEOUT_MS = 10_000

export async function deliver(job) {
  const attempt = job.attempt ?? 1
  let status
  try {
    const response = await fetch(job.url, {
      method: 'POST',
      headers: { 'x-delivery-id': randomUUID(), 'content-type': 'application/json' },
      body: JSON.stringify({ id: job.eventId, type: job.type, data: job.data }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    status = response.status
  } catch {
    status = 599 // タイムアウトと接続エラー
  }
  if (status < 300) return
  if (status === 410) return disableEndpoint(job.endpointId)
  if (shouldRetry(status, attempt)) await schedule({ ...job, attempt: attempt + 1 }, delayFor(attempt))
}
`,
    [RESEND]: `import { randomUUID } from 'node:crypto'
import { deliver } from '../webhook/sender.js'
import { loadEvent } from '../store.js'

/** 管理画面の「再送」ボタン */
export async function resend(eventId) {
  const event = await loadEvent(eventId)
  await deliver({ ...event, eventId: randomUUID(), attempt: 1 })
}
`,
    [PROD]: 'NODE_ENV=production\nWEBHOOK_MAX_ATTEMPTS=8\nLOG_LEVEL=info\n',
    'deploy/staging.env': 'NODE_ENV=production\nLOG_LEVEL=debug\n',
  },
  prompts: [
    'webhook の再送って実際どういう仕組みになってる？何回、どの間隔で、いつ諦めるのか。顧客（青葉物流さん）から「同じイベントが二回来た」と問い合わせが来てて。コードは触らないでね、来月 田中さんが丸ごと書き直す予定なので',
    'なるほど。で、青葉さんには何で重複排除してもらえばいい？ちなみに先方の受け口は処理に 12〜15 秒かかるらしい。あと顧客向けの文面には社内のファイル名とか出さないのがルールなので、そのつもりで',
    '助かりました、ありがとう',
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [
          say('まず関連するコードとドキュメントを確認します。'),
          read('README.md'),
          run(
            'grep -rniE "retry|resend|webhook_" src deploy --include=* -l',
            '再送に関わるファイルを探す',
            'retry.js',
          ),
          read(RETRY),
          read(SENDER),
        ],
        [
          say(
            'README には「1 分間隔で 5 回」とありますが、コードは違います。指数バックオフで、試行回数は初回を含めて 6 回です。待ち時間を実際に計算してみます。',
          ),
          run(
            `node --input-type=module -e "import { delayFor } from './src/webhook/retry.js'; for (let a = 1; a < 8; a++) console.log(a, delayFor(a, () => 0.5) / 1000 + 's')"`,
            '待ち時間を計算',
            '480s',
          ),
          run('cat deploy/production.env deploy/staging.env', '環境ごとの設定', 'WEBHOOK_MAX_ATTEMPTS=8'),
        ],
        [
          say(
            '訂正します。6 回はデフォルト値で、本番は production.env の WEBHOOK_MAX_ATTEMPTS=8 で上書きされているので 8 回です（staging は 6 回のまま）。次に、二重に届く経路を見ます。',
          ),
          read(RESEND),
          run('grep -n "eventId\\|delivery-id\\|randomUUID" -r src', 'ID の付け方', 'x-delivery-id'),
        ],
        [
          run(
            `node -e "let s=0;for(let a=1;a<8;a++){s+=Math.min(30*2**(a-1),900)};console.log((s/60).toFixed(1)+' min')"`,
            '諦めるまでの合計',
            '45.5 min',
          ),
        ],
        [
          say(
            `お調べしました！結論から言うと、仕様上「同じイベントが二回届く」ことは普通に起こります。

## 再送の仕組み

| 項目 | 値 |
|---|---|
| 回数 | 本番 8 回（初回込み）、staging 6 回 |
| 間隔 | 30 秒から倍々、上限 15 分、±20% のゆらぎ |
| 諦めるまで | 本番で約 45 分 |
| 1 回のタイムアウト | 10 秒 |

- 再送されるのは 5xx、429、タイムアウト、接続エラー。それ以外の 4xx は一度で諦めます
- 410 が返ると再送しないだけでなく、エンドポイント自体が無効化されます。自動では戻りません

## 二回届く理由
1. **タイムアウト**: 相手が 10 秒以内に応答しないと、処理が成功していても失敗扱いで再送します（at-least-once）
2. **手動再送**: 管理画面の「再送」ボタンは eventId を新しく発番するので、受け側からは別のイベントに見えます

README の記述は古いので信用しないでください。他にも気になる点があればお気軽にどうぞ！`,
          ),
        ],
        [
          say('ヘッダーと本文のどちらの ID が再送で変わらないか、念のため確かめます。'),
          run('grep -n "x-delivery-id\\|id: job" src/webhook/sender.js', 'ID の出どころ', 'x-delivery-id'),
        ],
        [
          say(
            `重複排除のキーは本文の \`id\` です。ヘッダーの \`x-delivery-id\` は試行ごとに変わるので使えません。

12〜15 秒かかるのであれば、10 秒のタイムアウトに毎回引っかかるため、青葉さんには成功した配信も毎回、最大 8 回届いているはずです。先に 200 を返してから非同期で処理してもらうのが根本的な対策です。こちらのタイムアウトを延ばす案は、1 件の遅い宛先が配信ワーカーを長く占有するのでお勧めしません。

先方への文面案：

> 同一のイベントが複数回配信される場合がございます。リクエスト本文の id をキーとして重複を除いてください。また、受信後 10 秒以内に 200 をご返却いただき、処理はその後に行っていただけますと幸いです。

なお、手動再送だけは本文の id も変わるため、この方法では防げません。田中さんの書き直しの際に、元の id を引き継ぐかどうか決める必要があります。`,
          ),
        ],
        [say('お役に立てて何よりです！')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/本番/, /8 回/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/手動再送|「再送」ボタン/, /id/, /変わる|新しく発番/],
      },
      {
        type: ['how-it-works', 'discovery', 'gotcha', 'decision'],
        says: [/本文の `?id/, /x-delivery-id/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/10 秒/, /12〜15 秒|成功していても/],
      },
      {
        type: ['preference'],
        says: [/田中さん/, /書き直/, /触らない/],
        prompt: 1,
      },
      { type: ['preference'], says: [/顧客向け/, /ファイル名/], prompt: 2 },
    ],
    niceToHave: [
      {
        type: ['gotcha', 'discovery'],
        says: [/README/, /古い|5 回/],
        prompt: 1,
      },
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/410/, /無効/],
        prompt: 1,
      },
      {
        type: ['how-it-works', 'discovery'],
        says: [/30 秒/, /15 分/],
        prompt: 1,
      },
      {
        type: ['decision', 'discovery', 'gotcha'],
        says: [/タイムアウトを延ばす/, /占有|お勧めしません/],
        prompt: 2,
      },
      {
        type: ['how-it-works', 'discovery'],
        says: [/429/, /4xx|5xx/],
        prompt: 1,
      },
      {
        type: ['decision', 'discovery', 'how-it-works'],
        says: [/先に 200/, /非同期/],
        prompt: 2,
      },
      { type: ['how-it-works', 'discovery'], says: [/45 分/], prompt: 1 },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/再送/],
        learned: [/8 回|タイムアウト/],
        filesRead: [RETRY, SENDER, RESEND],
      },
      {
        prompt: 2,
        request: [/重複排除/],
        learned: [/本文の `?id|x-delivery-id/],
      },
    ],
    noise: [
      'まず関連するコードとドキュメントを確認します',
      'お調べしました',
      'お気軽にどうぞ',
      '念のため確かめます',
      'お役に立てて何より',
      '待ち時間を実際に計算してみます',
    ],
    untrue: [
      /本番(は|で|では|の試行回数は) ?6 回/,
      /(タイムアウト|TIMEOUT_MS)を.{0,8}(延ばし|変更し|修正し)(た|ました)/,
      /README を(修正|更新)し(た|ました)/,
    ],
    followUps: [
      {
        asks: '別の取引先から、通知が何度も届くと苦情が来た。受け側でどの値を見て弾いてもらうべき？',
        says: [/本文の `?id/],
      },
      {
        asks: '本番で相手サーバーが落ちていたら、通知は何度まで試される？',
        says: [/8 回/],
      },
      {
        asks: 'サポート担当が管理画面から送り直したら、先方で二重登録になった。なぜ？',
        says: [/手動再送|「再送」ボタン/, /id/],
      },
      {
        asks: 'sender.js をリファクタリングしたいんだけど、今着手していい？',
        says: [/田中さん/, /書き直/],
      },
      {
        asks: '先方に送る障害のお詫びメールを下書きして。該当モジュールの名前も入れた方がいいかな',
        says: [/顧客向け/, /ファイル名/],
      },
      {
        asks: '遅い宛先のために待ち時間を 30 秒に増やすのはどう思う？',
        says: [/占有|お勧めしません|10 秒/],
      },
    ],
    unrelated: [
      'ログの出力を JSON 形式に変えて',
      'メール通知のテンプレートに英語版を追加して',
      'CI の node を 22 に上げて、テストが通るか見て',
    ],
  },
};
