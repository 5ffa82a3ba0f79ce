import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const PAGE = 'app/products/[slug]/page.tsx';
const META = 'lib/metadata.ts';
const API = 'lib/api.ts';
const CI = '.github/workflows/ci.yml';

export const next15Japanese: SurveySession = {
  name: 'Next.js 15 への更新',
  about: 'A shop moves from Next.js 14 to 15; the person corrects what the agent says about caching.',
  kind: 'upgrade',
  language: 'ja',
  ecosystem: 'nextjs',
  files: {
    'package.json': `{
  "name": "hanaya-web",
  "private": true,
  "scripts": { "build": "next build", "count-fetch": "node scripts/count-fetch.mjs" },
  "dependencies": { "next": "14.2.5", "react": "18.3.1", "react-dom": "18.3.1", "react-datepicker": "6.9.0" }
}
`,
    [PAGE]: `import { getProduct } from '../../../lib/api';
export { generateMetadata } from '../../../lib/metadata';

export default async function Page({ params }: { params: { slug: string } }) {
  const product = await getProduct(params.slug);
  return <h1>{product.name}</h1>;
}
`,
    [META]: `import type { Metadata } from 'next';
import { getProduct } from './api';

export async function generateMetadata({ params }: { params: { slug: string } }): Promise<Metadata> {
  return { title: (await getProduct(params.slug)).name };
}
`,
    [API]: `const BASE = process.env.API_BASE;

export async function getProduct(slug: string) {
  return (await fetch(\`\${BASE}/products/\${slug}\`)).json();
}

export async function getStock(slug: string) {
  return (await fetch(\`\${BASE}/stock/\${slug}\`)).json();
}
`,
    'middleware.ts': "export { auth as middleware } from './lib/auth';\n",
    [CI]: `jobs:
  build:
    steps:
      - uses: actions/cache@v4
        with:
          path: .next/cache
          key: next-\${{ hashFiles('pnpm-lock.yaml') }}
      - run: pnpm build
`,
    '.gitignore': '.next\nnode_modules\n',
  },
  programs: {
    pnpm: `#!/bin/sh
case "$*" in
  add*react-datepicker@7*) sed -i 's/14.2.5/15.1.4/; s/18.3.1/19.0.0/g; s/6.9.0/7.6.0/' package.json; echo "+ next 15.1.4"; echo "+ react 19.0.0" ;;
  add*) echo " ERR_PNPM_PEER_DEP_ISSUES  react-datepicker 6.9.0: unmet peer react@^16.9.0 || ^17 || ^18: found 19.0.0"; exit 1 ;;
  dlx*) sed -i 's/params: { slug: string }/params: Promise<{ slug: string }>/; s/getProduct(params.slug)/getProduct((await params).slug)/' 'app/products/[slug]/page.tsx'; echo "1 ok, 0 errors" ;;
  *no-lint*) echo "Done in 203s" ;;
  *build*)
    if grep -q 'params: { slug' lib/metadata.ts; then
      echo "Type error: Type '{ params: { slug: string; }; }' does not satisfy the constraint 'PageProps'."; exit 1; fi
    echo "Compiled successfully"
    if [ -d .next/cache ]; then echo "Done in 118s"; else mkdir -p .next/cache; echo "Done in 207s"; fi ;;
  *count-fetch*) if grep -q revalidate lib/api.ts; then echo "10 views: upstream /products 1"; else echo "10 views: upstream /products 20"; fi ;;
esac
`,
  },
  prompts: [
    'Next.js を 14.2 から 15.1 に上げてください。React も 19 にします。pnpm build が通ることと、商品ページが API を叩く回数が今より増えないことが条件です。うちでは canary と rc は使いません。',
    '二点あります。在庫 (/stock) はもともとキャッシュしていません。1 時間もキャッシュされると売り切れの花が買えてしまうので no-store にしてください。商品情報も 3600 秒は長すぎるので 300 秒で。それと今後、依存の更新は 1 パッケージ 1 コミットに分けてください。まとめられると bisect できないので。',
    'turbopack は見送りで。Sentry のプラグインが webpack 前提なので、対応版が出てからにします。あと CI のビルドが前は 2 分だったのに 3 分半かかるようになりました。原因だけ調べてもらえますか。直すのは私がやります。',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('現状を確認します。'),
          read('package.json'),
          read(PAGE),
          read(API),
          run('grep -rn "cookies()\\|headers()" app lib || true', '同期 API の利用箇所'),
        ],
        [
          fail(
            'pnpm add next@15.1.4 react@19.0.0 react-dom@19.0.0',
            '依存を更新',
            'ERR_PNPM_PEER_DEP_ISSUES',
          ),
        ],
        [
          say(
            'react-datepicker 6.9.0 が React 18 までしか許していません。`strict-peer-dependencies=false` で黙らせる手もありますが、実行時の不整合を隠すだけなので採りません。React 19 に対応した 7.6.0 に上げます。',
          ),
          run(
            'pnpm add next@15.1.4 react@19.0.0 react-dom@19.0.0 react-datepicker@7.6.0',
            '依存をまとめて更新',
            'next 15.1.4',
          ),
        ],
        [run('pnpm dlx @next/codemod@15.1.4 next-async-request-api .', 'codemod を実行', '1 ok')],
        [fail('pnpm build', 'ビルド', 'PageProps')],
        [
          say(
            'codemod は page.tsx だけ直し、`lib/metadata.ts` を見落としています。`generateMetadata` が別ファイルからの再エクスポートだと codemod は追いかけないようです。手で直します。',
          ),
          read(META),
        ],
        [
          edit(META, '{ params: { slug: string } }', '{ params: Promise<{ slug: string }> }'),
          edit(META, 'getProduct(params.slug)', 'getProduct((await params).slug)'),
        ],
        [
          run('pnpm build', 'もう一度ビルド', 'Compiled successfully'),
          run('pnpm count-fetch', '上流 API の呼び出し回数', 'upstream /products 20'),
        ],
        [
          say(`ビルドは通りましたが、商品ページ 10 回の表示で API を 20 回叩いています。Next.js 15 では fetch の既定が no-store になったためで、14 では暗黙に force-cache でした。

対応は二つ考えられます。
- レイアウトに \`export const fetchCache = 'default-cache'\` を置く: 一行で済むが、カートや注文履歴まで巻き込む
- \`${API}\` で呼び出しごとに \`revalidate\` を書く: 行は増えるが、何がキャッシュされるか読めば分かる

後者にします。`),
          edit(API, '/products/${slug}`)', '/products/${slug}`, { next: { revalidate: 3600 } })'),
          edit(API, '/stock/${slug}`)', '/stock/${slug}`, { next: { revalidate: 3600 } })'),
        ],
        [run('pnpm count-fetch', '呼び出し回数を再測定', 'upstream /products 1')],
        [
          say(`更新が終わりました。

- next 15.1.4 / react 19.0.0 / react-datepicker 7.6.0(いずれも安定版)
- \`params\` は Promise になったので await する。\`${META}\` は codemod の対象外だったため手で修正
- \`${API}\` に \`revalidate: 3600\` を明示。表示 10 回あたりの API 呼び出しは 20 回から 1 回に減少
- 在庫も以前と同じく 1 時間キャッシュされます
- \`middleware.ts\` は変更不要

開発サーバーで turbopack(\`next dev --turbopack\`)も有効にしましょうか?`),
        ],
        [say('在庫の件、確認不足でした。直します。'), run('git log --oneline -3', '履歴の確認'), read(API)],
        [
          edit(
            API,
            '/stock/${slug}`, { next: { revalidate: 3600 } })',
            "/stock/${slug}`, { cache: 'no-store' })",
          ),
          edit(API, 'revalidate: 3600', 'revalidate: 300'),
        ],
        [
          run('pnpm build', 'ビルド', 'Compiled successfully'),
          run('pnpm count-fetch', '回数の確認', 'upstream /products 1'),
        ],
        [
          run(
            "git add lib app && git commit -qm 'params を await し、fetch のキャッシュを明示する'",
            'コードの変更をコミット',
          ),
          run(
            "git add package.json && git commit -qm 'next 15.1.4, react 19.0.0, react-datepicker 7.6.0'",
            '依存をコミット',
          ),
        ],
        [
          say(`修正しました。

- \`getStock\` は \`cache: 'no-store'\`。売り切れが即座に反映されます
- \`getProduct\` は \`revalidate: 300\`
- コードと依存は別コミットにしました。ただし next と react と react-datepicker は peer の制約で互いに縛られていて、単独で上げるとインストールが失敗します。この三つだけは一つのコミットです。次回から、独立して上げられるものは 1 パッケージ 1 コミットにします`),
        ],
        [
          say('了解です。まず lint を疑います。15 で next build の lint 対象が広がったという話があるので。'),
          run('rm -rf .next && pnpm build --no-lint', 'lint なしで計測', '203s'),
          run('rm -rf .next && pnpm build', 'lint ありで計測', '207s'),
        ],
        [
          say('差は 4 秒なので lint ではありません。キャッシュの有無で比べます。'),
          run('pnpm build', 'キャッシュが残った状態で計測', '118s'),
          read(CI),
        ],
        [
          say(`原因は Next.js 15 そのものではなく、CI のキャッシュが当たっていないことでした。

| 条件 | 時間 |
|---|---|
| キャッシュなし | 207 秒 |
| キャッシュなし、lint なし | 203 秒 |
| キャッシュあり | 118 秒 |

\`${CI}\` の key は \`pnpm-lock.yaml\` のハッシュだけで、\`restore-keys\` がありません。lock が変わるたびに \`.next/cache\` が丸ごと捨てられ、毎回ゼロからのビルドになります。今後は更新を細かいコミットに分けるので、これまで以上に外れます。

\`restore-keys: next-\` を足せば、lock が変わった直後でも前回のキャッシュから始められます。ファイルは変更していません。`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['change', 'feature', 'decision'],
        says: ['15.1.4', /react.{0,3}19/, /react-datepicker/],
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'change', 'bugfix', 'decision'],
        says: ['fetch', 'no-store', /既定|暗黙|force-cache/],
        prompt: 1,
      },
      {
        type: ['decision', 'change', 'preference', 'bugfix', 'gotcha'],
        says: [/在庫|getStock|stock/, 'no-store', /売り切れ/],
        prompt: 2,
      },
      { type: ['preference', 'decision'], says: [/1 パッケージ 1 コミット/], prompt: 2 },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'how-it-works'],
        says: ['codemod', /lib\/metadata\.ts|generateMetadata/, /再エクスポート|見落と|対象外/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: [/restore-keys/, /キャッシュ/, /pnpm-lock\.yaml|lock が変わ/],
        prompt: 3,
      },
      {
        type: ['decision', 'preference'],
        says: [/turbopack/, 'Sentry', /webpack/],
        prompt: 3,
      },
      { type: ['preference', 'decision'], says: [/canary/, /\brc\b/, /使いません|安定版/], prompt: 1 },
    ],
    niceToHave: [
      { type: ['decision', 'discovery', 'gotcha'], says: ['strict-peer-dependencies', /隠す|採りません/] },
      { type: ['decision', 'discovery'], says: ['fetchCache', /カート|巻き込む/] },
      { type: ['change', 'decision', 'preference'], says: [/300/, /商品|getProduct|revalidate/], prompt: 2 },
      { type: ['discovery', 'gotcha'], says: ['118', '207'] },
      {
        type: ['gotcha', 'discovery', 'decision', 'change'],
        says: [/peer/, /一つのコミット|単独で/],
        prompt: 2,
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/Next\.js/, /15\.1/],
        completed: [/15\.1\.4|revalidate/],
        filesModified: [META, API],
      },
      { prompt: 2, request: [/在庫/], completed: [/no-store/], filesModified: [API] },
      { prompt: 3, request: [/CI のビルド/], learned: [/restore-keys|キャッシュ/], filesRead: [CI] },
    ],
    noise: [
      '現状を確認します',
      '確認不足でした',
      /^了解です/m,
      '有効にしましょうか',
      '1 ok, 0 errors',
      'ファイルは変更していません',
    ],
    untrue: [/在庫も以前と同じく/, /revalidate: 3600. を明示/, /lint 対象が広がった/, /原因は lint(?!では)/],
    followUps: [
      { asks: '商品ページのデータが古いと言われた。何秒で更新される設定だっけ?', says: [/300/] },
      { asks: '在庫の取得にもキャッシュを入れて速くしたい', says: [/売り切れ/] },
      { asks: 'Dependabot の PR が溜まっているので全部まとめて上げて', says: [/1 パッケージ 1 コミット/] },
      { asks: 'dev サーバーが遅い。turbopack に切り替えない理由ある?', says: ['Sentry'] },
      { asks: 'GitHub Actions のビルドが毎回遅いのはなぜ?', says: [/restore-keys|pnpm-lock\.yaml/] },
      {
        asks: '次のメジャーに上げるとき、自動変換ツールに任せて大丈夫?',
        says: [/再エクスポート|lib\/metadata\.ts|見落と|対象外/],
      },
      {
        asks: 'we see far more requests against the backend since the framework update, what changed in fetch?',
        says: [/no-store/, /既定|force-cache/],
      },
    ],
    unrelated: [
      'お問い合わせフォームに電話番号の入力欄を追加して',
      'README に開発環境の立ち上げ手順を書いてください',
      'TypeScript の enum を union 型に置き換える方法を教えて',
    ],
  },
};
