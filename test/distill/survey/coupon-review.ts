import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const APPLY = 'src/coupon/apply.ts';
const REDEEM = 'src/coupon/redeem.ts';
const EXPIRY = 'src/coupon/expiry.ts';
const LOAD = 'src/coupon/load.ts';
const TEST = 'test/coupon.test.ts';
const CI = '.github/workflows/ci.yml';

export const couponReview: SurveySession = {
  name: 'coupon-review',
  about: 'リリース前のクーポン実装のレビュー。指摘だけで、コードは変えない。',
  kind: 'review',
  language: 'ja',
  ecosystem: 'typescript',
  files: {
    'package.json':
      '{ "name": "kago", "private": true, "type": "module", "scripts": { "test": "vitest run" } }\n',
    'src/coupon/types.ts': `export interface Line { sku: string; price: number; quantity: number; taxRate: 8 | 10 }
export interface Coupon { code: string; percent: number; priority: number; lastDay: string; limit: number }
`,
    [APPLY]: `import type { Coupon, Line } from './types.ts';

/** 割引後の合計(税込、円)。 */
export function applyCoupons(lines: Line[], coupons: Coupon[]): number {
  coupons.sort((a, b) => b.priority - a.priority);
  let total = 0;
  for (const line of lines) {
    let amount = line.price * line.quantity;
    for (const coupon of coupons) amount -= Math.floor((amount * coupon.percent) / 100);
    total += amount;
  }
  return Math.max(0, total);
}
`,
    [REDEEM]: `import type { Db } from '../db.ts';
import type { Coupon } from './types.ts';

/** クーポンを使用済みにする。上限に達していれば false。 */
export async function redeem(db: Db, coupon: Coupon, userId: string): Promise<boolean> {
  const used = await db.count('redemptions', { code: coupon.code });
  if (used >= coupon.limit) return false;
  await db.insert('redemptions', { code: coupon.code, userId });
  return true;
}
`,
    [EXPIRY]: `import type { Coupon } from './types.ts';

/** lastDay は '2025-03-31' の形。その日いっぱい使える。 */
export function isExpired(coupon: Coupon, now = new Date()): boolean {
  return now.getTime() > new Date(coupon.lastDay).getTime();
}
`,
    [LOAD]: `import { couponLoader } from '../loaders.ts';

export async function loadCoupons(codes: string[]) {
  return Promise.all(codes.map((code) => couponLoader.load(code)));
}
`,
    'src/loaders.ts': `import DataLoader from 'dataloader';
import { db } from './db.ts';

export const couponLoader = new DataLoader((codes: readonly string[]) => db.couponsByCodes(codes));
`,
    'src/db.ts': `export interface Db {
  count(table: string, where: object): Promise<number>;
  insert(table: string, row: object): Promise<void>;
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
}
`,
    [TEST]: `import { expect, test } from 'vitest';
import { isExpired } from '../src/coupon/expiry.ts';

test('最終日の翌日は期限切れ', () => {
  const coupon = { code: 'A', percent: 10, priority: 1, lastDay: '2025-03-31', limit: 1 };
  expect(isExpired(coupon, new Date('2025-04-01T12:00:00+09:00'))).toBe(true);
});
`,
    [CI]: 'jobs:\n  test:\n    env:\n      TZ: UTC\n    steps:\n      - run: pnpm test\n',
  },
  programs: {
    pnpm: `#!/bin/sh
case "$*" in
  *race*) echo "同時リクエスト 50, 上限 1 -> 成功 3"; exit 0 ;;
  *order*)
    dir=$(printf '%s' "$*" | sed 's/.*--dir \\([^ ]*\\).*/\\1/')
    if grep -q '\\[...coupons\\]' "$dir/coupon/apply.ts"; then echo "呼び出し後の配列: B,A (元のまま)"; else echo "呼び出し後の配列: A,B (入力が並べ替わった)"; fi ;;
  *queries*) echo "40 codes -> 1 query" ;;
  *) echo " Test Files  6 passed (6)"; echo "      Tests  31 passed (31)" ;;
esac
`,
  },
  prompts: [
    '来週リリースするクーポンまわり(src/coupon)のレビューお願いします。コードは変更せず指摘だけで。試したいことがあればコピーの方でやってください。ちなみに本番は TZ=Asia/Tokyo、金額は全部税込の整数(円)で持ってます',
    'ありがとうございます。2点だけ。0円未満を0円に丸めてるのは経理と合意済みの仕様なので、指摘から外してください。sort の件も今回はそのままで。カート画面が今の並び順に依存してて、そっちを来月直すので。あとうちのレビューは must / want / nits の3段階で書くルールなので、それでまとめ直してもらえますか',
    '助かりました、PRには自分で貼っておきます!',
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    const copy = '"$TMPDIR/coupon-copy"';
    return {
      main: [
        [
          say('まず対象のコードを一通り読みます。'),
          read('src/coupon/types.ts'),
          read(APPLY),
          read(REDEEM),
          read(EXPIRY),
          read(LOAD),
        ],
        [read(TEST), read('src/loaders.ts'), run('pnpm test', 'テストを実行', '31 passed')],
        [
          say('テストは全部通っています。気になる点を一つずつ確かめます。最初は期限の判定です。'),
          run(
            `TZ=Asia/Tokyo node -e "const d = new Date('2025-03-31'); console.log(d.getHours() + '時', d.toISOString())"`,
            '日付文字列の解釈を確認',
            '9時',
          ),
        ],
        [
          say(
            'やはりそうでした。`new Date("2025-03-31")` は UTC の0時として解釈されるので、日本時間では最終日の朝9時にクーポンが期限切れになります。「その日いっぱい使える」というコメントと食い違っています。',
          ),
          run(`cat ${CI}`, 'CI の設定を確認', 'TZ: UTC'),
        ],
        [
          say(
            'CI は TZ=UTC で動いている上に、テストは翌日の昼しか見ていないので、この種の時差の不具合は CI では絶対に見つかりません。次は端数です。',
          ),
          run(
            `node -e "const p = Array.from({length: 12}, () => 95); const each = p.reduce((s, x) => s + x - Math.floor(x * 10 / 100), 0); const sum = p.reduce((s, x) => s + x, 0); const once = sum - Math.floor(sum * 10 / 100); console.log('行ごと', each, 'まとめて', once, '差', each - once)"`,
            '端数処理の差を計算',
            '差 6',
          ),
        ],
        [
          say(
            '12行のカートで6円ずれます。割引の端数を行ごとに切り捨てているのが原因で、インボイス制度では端数処理は請求書1枚につき税率ごとに1回と決まっているため、請求書の金額と合わなくなります。',
          ),
          run(
            `mkdir -p ${copy} && cp -r src/. ${copy}/ && cd ${copy} && cat > race.ts <<'END'
import { redeem } from './coupon/redeem.ts';
const results = await Promise.all(Array.from({ length: 50 }, (_, i) => redeem(db, { ...coupon, limit: 1 }, 'u' + i)));
console.log('同時リクエスト 50, 上限 1 -> 成功', results.filter(Boolean).length);
END
echo "applyCoupons([], list); console.log('呼び出し後の配列:', list.map((c) => c.code).join())" > order.ts
echo "await loadCoupons(codes); console.log(codes.length, 'codes ->', queries, 'query')" > queries.ts
ls`,
            '実験用にコピーを作る',
            'race.ts',
          ),
        ],
        [run(`pnpm --dir ${copy} tsx race.ts`, 'コピーで同時リクエストを試す', '成功 3')],
        [
          say(
            '上限1のクーポンが、同時50リクエストで3回使えてしまいました。`redeem` は件数の確認と insert が別々で、トランザクションにも入っていないので、同時に来ると上限を超えます。確認だけトランザクションに入れても READ COMMITTED では防げないので、(code, 連番) の一意制約か行ロックが必要です。',
          ),
          run(`pnpm --dir ${copy} tsx order.ts`, '引数の配列が変わるか確認', '入力が並べ替わった'),
        ],
        [
          run(
            `sed -i 's/coupons.sort(/const sorted = [...coupons].sort(/; s/of coupons)/of sorted)/' ${copy}/coupon/apply.ts && pnpm --dir ${copy} tsx order.ts`,
            'コピーの方だけ直して再確認',
            '元のまま',
          ),
        ],
        [
          say(
            'コピーでは `[...coupons].sort` にすれば副作用が消えました。もう一つ、`loadCoupons` は N+1 に見えるので計ります。',
          ),
          run(`pnpm --dir ${copy} tsx queries.ts`, 'クエリ数を数える', '40 codes -> 1 query'),
        ],
        [
          say(
            '`loadCoupons` は N+1 ではありませんでした。DataLoader がまとめるので、40件でもクエリは1回です。',
          ),
          run(`rm -rf ${copy} && git status --short`, 'コピーを消し、変更がないことを確認'),
        ],
        [
          say(
            `レビューが完了しました!全体としてとても読みやすいコードです 👏

### 重大
1. **期限**(expiry.ts)– 最終日の朝9時に切れます。
2. **端数**(apply.ts)– 行ごとの切り捨てで、12行で6円ずれます。
3. **同時使用**(redeem.ts)– 上限を超えて使えます。
4. **負の合計**(apply.ts)– \`Math.max(0, total)\` で0円に丸めており、計算ミスを隠してしまう恐れがあります。

### 中
5. \`coupons.sort\` が引数の配列を書き換えます。

### 軽微
6. \`percent\` が 0〜100 の範囲か検証していません。

修正案のパッチも作れますので、お気軽にお申し付けください。`,
          ),
        ],
        [
          say('承知しました。呼び出し側を一度だけ確認してからまとめ直します。'),
          run('grep -rn "percent" src | head', 'percent の使用箇所', 'percent'),
        ],
        [
          say(
            `まとめ直しました。

| 段階 | ファイル | 指摘 |
|---|---|---|
| must | expiry.ts | 日本時間の最終日9時に期限切れになる |
| must | apply.ts | 端数は行ごとではなく税率ごとに1回 |
| must | redeem.ts | 同時に使うと上限を超える |
| nits | types.ts | percent の範囲を検証していない |

must のうち redeem.ts だけはテーブルに一意制約を足すマイグレーションが要るので、リリース日に間に合わせるなら最初に着手するのがよいと思います。

他にも気になる箇所があればいつでもどうぞ!`,
          ),
        ],
        [say('お役に立てて何よりです。リリース頑張ってください!')],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/UTC/, /最終日/, /9時/], prompt: 1 },
      { type: ['discovery', 'gotcha'], says: [/端数/, /行ごと/, /税率ごと/], prompt: 1 },
      { type: ['discovery', 'gotcha'], says: [/redeem/, /トランザクション|同時/, /上限/], prompt: 1 },
      { type: ['preference', 'decision'], says: [/0円/, /経理/, /仕様/], prompt: 2 },
      { type: ['preference', 'decision'], says: [/sort|並び順/, /カート画面/], prompt: 2 },
      { type: 'preference', says: [/must/, /want/, /nits/], prompt: 2 },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/CI/, /TZ=UTC/], prompt: 1 },
      { type: ['discovery', 'how-it-works'], says: [/N\+1/, /DataLoader|loadCoupons/], prompt: 1 },
      { type: ['decision', 'discovery', 'gotcha'], says: [/READ COMMITTED/, /一意制約|行ロック/], prompt: 1 },
      { type: ['preference', 'how-it-works'], says: [/税込/, /整数/], prompt: 1 },
      { type: ['preference', 'decision'], says: [/コピー/, /変更せず|指摘だけ/], prompt: 1 },
      {
        type: ['decision', 'discovery', 'gotcha', 'change'],
        says: [/マイグレーション/, /redeem|一意制約/],
        prompt: 2,
      },
    ],
    summaries: [
      { prompt: 1, request: [/レビュー/], learned: [/期限|端数|上限/] },
      { prompt: 2, request: [/must|経理/], completed: [/must|まとめ/] },
    ],
    noise: [
      'まず対象のコードを一通り読みます',
      'とても読みやすいコードです',
      'お気軽にお申し付けください',
      'いつでもどうぞ',
      'リリース頑張ってください',
      'お役に立てて何より',
      '31 passed',
    ],
    untrue: [
      /計算ミスを隠してしまう恐れ/,
      /N\+1 (である|になっている|が発生)/,
      /(apply|expiry|redeem)\.ts を(修正|変更)(した|しました)/,
    ],
    followUps: [
      {
        asks: 'キャンペーンの締め日に朝から割引が効かないと問い合わせが来ました。何か心当たりある?',
        says: [/9時/],
      },
      { asks: '先着1名のはずの特典が複数人に渡っていたようです。原因を調べて', says: [/上限/] },
      { asks: 'マイナスになった注文額をエラーにしたいんだけど、変えていい?', says: [/経理/] },
      { asks: '請求書と注文履歴の金額が数円合わないのはなぜ?', says: [/税率ごと/] },
      { asks: 'applyCoupons で渡した配列が並び変わるの、今直してもいいですか', says: [/カート画面/] },
      { asks: 'このリポジトリでPRにコメントするときの書き方の決まりは?', says: [/nits/] },
    ],
    unrelated: [
      '商品一覧ページに無限スクロールを付けてください',
      'README にローカル環境のセットアップ手順を追加して',
      'ログイン画面のパスワード入力欄に表示切り替えボタンが欲しい',
    ],
  },
};
