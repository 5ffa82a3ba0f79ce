import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const APP = 'src/app.js';
const NORMALIZE = 'src/middleware/normalize-query.js';
const STOCK = 'src/routes/stock.js';
const STOCK_TEST = 'test/stock.test.js';

const APP_BEFORE = `require('express-async-errors');
const express = require('express');
const { audit } = require('@souko/audit-log');
const normalizeQuery = require('./middleware/normalize-query');
const stock = require('./routes/stock');

const app = express();
app.use(express.json());
app.use(audit({ service: 'zaiko-api', redactKeys: ['authorization', 'terminalPin'] }));
app.use(normalizeQuery);
app.use('/stock', stock);
app.get('/*', (req, res) => res.status(404).json({ error: 'not_found' }));

module.exports = app;
`;

const NORMALIZE_BEFORE = `// ハンディ端末は全角数字を送ってくることがある
const toHalf = (s) => s.replace(/[０-９]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0));

module.exports = function normalizeQuery(req, res, next) {
  const clean = {};
  for (const [key, value] of Object.entries(req.query)) {
    clean[key] = typeof value === 'string' ? toHalf(value) : value;
  }
  req.query = clean;
  next();
};
`;

const STOCK_BEFORE = `const { Router } = require('express');
const repo = require('../repo');

const router = Router();

router.get('/', async (req, res) => {
  const { shelf, filter } = req.query;
  res.json(await repo.find({ shelf, status: filter && filter.status }));
});

module.exports = router;
`;

const STOCK_TEST_BEFORE = `const { test } = require('node:test');
const assert = require('node:assert');
const request = require('supertest');
const app = require('../src/app');

test('棚番号は全角でも引ける', async () => {
  const res = await request(app).get('/stock').query({ shelf: '１２' });
  assert.equal(res.body.length, 3);
});
`;

const FILTER_TEST = `
test('filter[status] で絞り込める (ハンディ端末の形式)', async () => {
  const res = await request(app).get('/stock?filter[status]=hold');
  assert.equal(res.body.length, 2);
});
`;

const NPM = `#!/bin/sh
has() { grep -q "$1" "$2"; }
case "$1" in
  ls)
    echo "zaiko-api@2.8.0 $PWD"
    grep -o '"express": "[^"]*"' package.json | sed 's/.*: "\\^*\\(.*\\)"/├── express@\\1/'
    grep -o '"@souko/audit-log": "[^"]*"' package.json | sed 's/.*: "\\^*\\(.*\\)"/└── @souko\\/audit-log@\\1/'
    ;;
  install)
    case "$*" in
      *audit-log@3.0.1*)
        sed -i 's/"express": "[^"]*"/"express": "5.1.0"/; s/"@souko\\/audit-log": "[^"]*"/"@souko\\/audit-log": "3.0.1"/' package.json
        mkdir -p node_modules/@souko/audit-log
        printf '# 3.0.0\\n\\n- peer: express >=4.18 <6\\n- BREAKING: option \`redactKeys\` is now \`mask\`. Unknown options are ignored.\\n- Node 18+\\n\\n# 2.3.0\\n\\n- peer: express ^4.17\\n' > node_modules/@souko/audit-log/CHANGELOG.md
        echo; echo "added 11 packages, changed 23 packages, and audited 184 packages in 4s"; echo; echo "found 0 vulnerabilities" ;;
      *)
        echo "npm error code ERESOLVE" >&2
        echo "npm error ERESOLVE unable to resolve dependency tree" >&2
        echo "npm error Found: express@5.1.0" >&2
        echo 'npm error Could not resolve dependency:' >&2
        echo 'npm error peer express@"^4.17" from @souko/audit-log@2.3.0' >&2
        exit 1 ;;
    esac ;;
  uninstall)
    sed -i '/express-async-errors/d' package.json
    echo; echo "removed 1 package, and audited 183 packages in 1s" ;;
  view) echo "[ '2.2.1', '2.3.0', '3.0.0', '3.0.1' ]" ;;
  test|t)
    n=14; has 'filter\\[status\\]' test/stock.test.js && n=15
    red() { echo "✖ $2"; echo "ℹ tests $n"; echo "ℹ pass $((n - $1))"; echo "ℹ fail $1"; exit 1; }
    if has '"express": "5' package.json; then
      if has "get('/\\*'" src/app.js; then
        echo "TypeError: Missing parameter name at 2: https://git.new/pathToRegexpError"
        echo "    at name (node_modules/path-to-regexp/dist/index.js:73:19)"
        red $n "test/stock.test.js"
      fi
      if has 'req.query = clean' src/middleware/normalize-query.js; then
        echo "TypeError: Cannot set property query of #<IncomingMessage> which has only a getter"
        echo "    at normalizeQuery (src/middleware/normalize-query.js:9:13)"
        red 9 "棚番号は全角でも引ける: 500 !== 200"
      fi
      if has 'Object.assign(req.query' src/middleware/normalize-query.js; then
        red 2 "棚番号は全角でも引ける: 0 !== 3"
      fi
      if [ $n = 15 ] && ! has "'query parser'" src/app.js; then
        red 1 "filter[status] で絞り込める (ハンディ端末の形式): 40 !== 2"
      fi
    fi
    echo "ℹ tests $n"; echo "ℹ pass $n"; echo "ℹ fail 0" ;;
  *) echo "10.8.2" ;;
esac
`;

export const expressFiveJa: SurveySession = {
  name: 'express-five-ja',
  about:
    'Express 4 to 5 in a stock API: a peer conflict, a getter that parses anew, a silent change of the query parser.',
  kind: 'upgrade',
  language: 'ja',
  ecosystem: 'node',
  files: {
    'package.json': `{
  "name": "zaiko-api",
  "version": "2.8.0",
  "scripts": { "test": "node --test test/" },
  "dependencies": {
    "@souko/audit-log": "2.3.0",
    "express": "4.19.2",
    "express-async-errors": "3.1.1"
  },
  "devDependencies": { "supertest": "7.0.0" }
}
`,
    '.gitignore': 'node_modules/\n',
    [APP]: APP_BEFORE,
    [NORMALIZE]: NORMALIZE_BEFORE,
    [STOCK]: STOCK_BEFORE,
    'src/repo.js': "module.exports = { find: async () => require('./fixtures.json') };\n",
    'src/fixtures.json': '[]\n',
    [STOCK_TEST]: STOCK_TEST_BEFORE,
    Dockerfile:
      'FROM node:20-slim\nWORKDIR /app\nCOPY . .\nRUN npm ci --omit=dev\nCMD ["node", "src/server.js"]\n',
  },
  programs: { npm: NPM },
  prompts: [
    'express を 4 から 5 に上げたいです。ブランチ切ってお願いします。express-async-errors は 5 だと要らないはずなので消してOK。あと依存は必ずバージョン固定で(^ なし)、前に minor の自動更新で棚卸し当日に落ちたことがあるので',
    'ありがとう。ところでハンディ端末は /stock?filter[status]=hold みたいな形で投げてくるんだけど、これ5でも効いてる?テストに無かった気がする。端末のファームは年2回しか更新できないからクライアント側は変えられない前提で',
    'いいね。じゃあコミットお願い。メッセージは先頭にチケット番号、ZK-311 で。本文は日本語。pushはまだしないで、来週の棚卸しが終わるまで main に入れたくない',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('まず現状のバージョンと、Express に依存している箇所を確認します。'),
          run(
            'git switch -c chore/express-5 && npm ls --depth=0',
            'ブランチ作成と依存の確認',
            'express@4.19.2',
          ),
          run('grep -rn "req.query\\|app.get(\\|redirect(" src', 'Express API の使用箇所'),
        ],
        [read(APP), read(NORMALIZE), read(STOCK)],
        [
          say('規模は小さいですね。バージョン固定で入れます。'),
          fail('npm install --save-exact express@5.1.0', 'Express 5 を固定で導入', 'ERESOLVE'),
        ],
        [
          say(
            '社内パッケージの @souko/audit-log 2.3.0 が peer で express ^4.17 を要求していて衝突しています。--legacy-peer-deps で押し切る手もありますが、Dockerfile の npm ci が同じ理由で落ちるので採りません。対応版があるか見てみます。',
          ),
          run('npm view @souko/audit-log versions', '公開済みバージョン', '3.0.1'),
        ],
        [
          run(
            'npm install --save-exact express@5.1.0 @souko/audit-log@3.0.1 && npm uninstall express-async-errors',
            '両方まとめて更新',
            'removed 1 package',
          ),
          run(
            'cat node_modules/@souko/audit-log/CHANGELOG.md',
            '破壊的変更の確認',
            'Unknown options are ignored',
          ),
        ],
        [
          say(
            'これは危ないところでした。audit-log 3 では redactKeys が mask に改名されていて、知らないオプションは黙って無視されます。つまり気づかずに上げると authorization と terminalPin が監査ログに平文で出ます。先に直します。',
          ),
          edit(APP, "redactKeys: ['authorization', 'terminalPin']", "mask: ['authorization', 'terminalPin']"),
          edit(APP, "require('express-async-errors');\n", ''),
        ],
        [run('npm test 2>&1 | tail -4', 'テスト')],
        [
          say('tail のせいで終了コードは 0 ですが、中身は全滅しています。エラー本体を見ます。'),
          fail('npm test', 'テスト(全出力)', 'Missing parameter name at 2'),
        ],
        [
          say('path-to-regexp 8 ではワイルドカードに名前が必須です。`/*` を `/*splat` にします。'),
          edit(APP, "app.get('/*', ", "app.get('/*splat', "),
        ],
        [fail('npm test', '再テスト', 'which has only a getter')],
        [
          say(
            '次は normalize-query。Express 5 の req.query は getter だけなので代入できません。まずは中身の書き換えで試します。',
          ),
          edit(NORMALIZE, '  req.query = clean;', '  Object.assign(req.query, clean);'),
        ],
        [fail('npm test', '再テスト', '0 !== 3')],
        [
          say(
            'なるほど、例外は消えたのに全角の棚番号が変換されていません。Express 5 の req.query はアクセスのたびにURLを解析し直すので、Object.assign で書き換えた値は次に読んだ時点で消えます。defineProperty で上書きすれば動きますが、後続のミドルウェアから見て本物の query と区別がつかなくなるのでやめて、別プロパティ req.cleanQuery に入れてハンドラ側がそれを読む形にします。',
          ),
          edit(NORMALIZE, '  Object.assign(req.query, clean);', '  req.cleanQuery = clean;'),
          edit(STOCK, '= req.query;', '= req.cleanQuery;'),
        ],
        [run('npm test', '再テスト', 'pass 14')],
        [
          say(
            [
              '完璧に仕上がりました！Express 5.1.0 への移行が完了し、テストは 14 件すべて通っています。',
              '',
              '## 変更点',
              '',
              '- **express** 4.19.2 → 5.1.0、**@souko/audit-log** 2.3.0 → 3.0.1(どちらも固定)',
              '- **express-async-errors** を削除(Express 5 は async ハンドラの reject を自前でエラーハンドラに渡すため)',
              '- 404 のルートを `/*splat` に変更',
              '- 正規化済みのクエリは `req.cleanQuery` から読む',
              '',
              '他に気になる点があればお気軽にどうぞ！',
            ].join('\n'),
          ),
        ],
        [say('確かにテストがありません。先にテストを足して、現状どうなるか確かめます。'), read(STOCK_TEST)],
        [
          edit(
            STOCK_TEST,
            '  assert.equal(res.body.length, 3);\n});\n',
            `  assert.equal(res.body.length, 3);\n});\n${FILTER_TEST}`,
          ),
        ],
        [fail('npm test', 'filter のテスト', '40 !== 2')],
        [
          say(
            '効いていませんでした。Express 5 は query parser の既定が extended から simple に変わり、filter[status] が入れ子にならず「filter[status]」という名前のただのキーになります。エラーにはならず絞り込みなしの全 40 件が返るので、気づきにくい壊れ方です。',
          ),
          edit(
            APP,
            'const app = express();\n',
            "const app = express();\napp.set('query parser', 'extended');\n",
          ),
        ],
        [run('npm test', '再テスト', 'pass 15')],
        [
          say(
            "ご指摘のとおり、壊れていました。`app.set('query parser', 'extended')` を入れて 4 と同じ解釈に戻し、端末の形式のテストも追加しました。\n\nひとつ残っている問題: normalizeQuery は文字列の値しか変換しないので、filter の中の全角数字はそのまま素通りします。これは Express 4 の頃からの挙動なので今回は触っていません。\n\n必要であれば再帰的に変換するよう直しましょうか?",
          ),
        ],
        [
          run(
            "git add -A && git commit -q -F - <<'MSG'\nZK-311 Express 5 へ更新\n\naudit-log 3 で redactKeys が mask に改名されたため合わせて変更。\nquery parser は端末の filter[status] 形式のため extended に固定。\nMSG\ngit log --oneline -1",
            'コミット',
            'ZK-311',
          ),
        ],
        [say('コミットしました(push はしていません)。棚卸しお疲れさまです、うまくいきますように！')],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['preference', 'decision'], says: [/バージョン固定|固定で/, /minor|\^ なし/], prompt: 1 },
      { type: ['gotcha', 'discovery', 'bugfix'], says: ['redactKeys', 'mask', /無視|平文/], prompt: 1 },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'how-it-works'],
        says: ['req.query', /解析し直|アクセスのたび/, 'Object.assign'],
        prompt: 1,
      },
      {
        type: ['gotcha', 'bugfix', 'discovery'],
        says: ['query parser', /simple|extended/, /filter/],
        prompt: 2,
      },
      { type: ['preference', 'gotcha', 'discovery', 'decision'], says: [/ファーム/, /年2回/], prompt: 2 },
      { type: ['preference', 'decision'], says: [/棚卸し/, /main/], prompt: 3 },
    ],
    niceToHave: [
      { type: ['decision', 'gotcha', 'discovery'], says: ['legacy-peer-deps', 'npm ci'], prompt: 1 },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: ['normalizeQuery', '全角', /素通り|文字列の値/],
        prompt: 2,
      },
      { type: ['change', 'bugfix', 'gotcha', 'discovery'], says: [/splat/, /ワイルドカード|404/], prompt: 1 },
      {
        type: ['decision', 'change', 'refactor'],
        says: ['cleanQuery', /defineProperty|正規化|ハンドラ/],
        prompt: 1,
      },
      { type: ['change', 'feature'], says: ['5.1.0', 'express'], prompt: 1 },
      { type: ['preference'], says: ['チケット番号', '先頭'], prompt: 3 },
      {
        type: ['change', 'decision', 'discovery'],
        says: ['express-async-errors', /reject|要らない|削除/],
        prompt: 1,
      },
    ],
    summaries: [
      { prompt: 1, request: ['express'], completed: ['5.1.0'], filesModified: [APP, NORMALIZE] },
      { prompt: 2, request: [/filter/], learned: [/query parser|filter/], completed: [/extended/] },
      { prompt: 3, optional: true, request: [/コミット/] },
    ],
    noise: [
      '完璧に仕上がりました',
      'お気軽にどうぞ',
      '規模は小さいですね',
      '必要であれば再帰的に変換するよう直しましょうか',
      'うまくいきますように',
      'エラー本体を見ます',
      'audited 184 packages',
    ],
    untrue: [
      /push しました|push済み/,
      /normalizeQuery.{0,20}再帰的に変換する(よう|ように)(した|なった|直した|しました)/,
    ],
    followUps: [
      {
        asks: '新しいミドルウェアでURLパラメータを書き換えたいんだけど、代入しても反映されない。なんで?',
        says: ['req.query', /解析し直|アクセスのたび|getter/],
      },
      {
        asks: '監査ログに端末のPINがそのまま出てないか心配。マスクの設定ってどう書くんだっけ',
        says: ['mask', 'redactKeys'],
      },
      {
        asks: 'pino を追加したい。package.json の書き方で気をつけることある?',
        says: [/バージョン固定|固定で|\^ なし/],
      },
      { asks: 'ハンディ側のリクエスト形式を JSON ボディに変える案、どう思う?', says: [/年2回/] },
      {
        asks: '在庫一覧で角括弧つきの検索条件が効かず全部返ってくる原因になりそうな設定は?',
        says: ['query parser', /extended|simple/],
      },
      { asks: 'この express の更新ブランチ、もうマージしていいんだっけ?', says: [/棚卸し/] },
    ],
    unrelated: [
      'README にローカルの起動手順を書いてください',
      '在庫データのCSVエクスポート用のスクリプトを新しく作って',
      'GitHub Actions のワークフローに lint のジョブを足したい',
    ],
  },
};
