import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const READER = 'src/read-rows.js';
const TEST = 'test/read-rows.test.js';
const IMPORT = 'src/import-products.js';
const VERIFY = 'scripts/verify-all.js';

const COUNT_BROKEN = `node --input-type=module -e "
import { readRows } from './src/read-rows.js';
let bytes = 0;
let broken = 0;
for await (const row of readRows('tmp/big.csv')) {
  if (row.join().includes('\\ufffd')) { broken++; console.log('row', row[0], 'around byte', bytes, 'chunk', (bytes / 65536).toFixed(2)); }
  bytes += Buffer.byteLength(row.join()) + 1;
}
console.log('broken:', broken);
"`;

export const mojibakeImport: SurveySession = {
  name: 'mojibake import',
  about: 'チャンク境界で切れた UTF-8 の文字化け。全件検証の途中でクライアントが落ちる。',
  kind: 'bug hunt',
  language: 'ja',
  ecosystem: 'node',
  files: {
    'package.json':
      '{\n  "name": "shohin-master",\n  "private": true,\n  "type": "module",\n  "scripts": { "test": "node --test test/" }\n}\n',
    '.gitignore': 'tmp/\n',
    [READER]: `import { createReadStream } from 'node:fs';

/** CSV を 1 行ずつ読む。 */
export async function* readRows(path) {
  let rest = '';
  for await (const chunk of createReadStream(path)) {
    rest += chunk.toString();
    const lines = rest.split('\\n');
    rest = lines.pop();
    for (const line of lines) yield line.split(',');
  }
  if (rest) yield rest.split(',');
}
`,
    [IMPORT]: `import { readRows } from './read-rows.js';

export async function importProducts(path, save) {
  let header;
  for await (const row of readRows(path)) {
    if (!header) header = row;
    else await save(Object.fromEntries(header.map((name, i) => [name, row[i]])));
  }
}
`,
    [TEST]: `import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readRows } from '../src/read-rows.js';

function csv(text) {
  const path = join(mkdtempSync(join(tmpdir(), 'rows-')), 'a.csv');
  writeFileSync(path, text);
  return path;
}

test('行を分割する', async () => {
  const rows = [];
  for await (const row of readRows(csv('1,りんご\\n2,みかん\\n'))) rows.push(row);
  assert.deepEqual(rows, [['1', 'りんご'], ['2', 'みかん']]);
});
`,
    [VERIFY]: `import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

mkdirSync('tmp', { recursive: true });
writeFileSync('tmp/verify.started', '');
console.log('verifying 38 files ...');
await pause(20_000);
`,
  },
  prompts: [
    '商品マスタの取り込みで、たまに商品名に「�」が混ざります。昨日の本番は12万行中9行だけで、同じ行が毎回壊れるわけでもないです（ファイルが変わると場所も変わる）。先方は UTF-8 で出してると言ってます。原因調べて直してもらえますか。ワーカーのメモリが256MBしかないので、全部メモリに載せるのはなしで（ファイルは最大800MBくらい）。あと、テストデータに本番の顧客ファイルは絶対使わないでください、生成したものだけでお願いします',
  ],
  how: { cut: 'killed', when: 'tmp/verify.started' },
  script: (dir) => {
    const { run, fail, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('まず取り込みのコードを確認します。'),
          run('git ls-files && cat package.json', 'ファイル一覧', 'read-rows.js'),
          read(READER),
          read(IMPORT),
        ],
        [
          say('最初は Shift_JIS の行が混ざっているのを疑いました。生成データで再現するか試します。'),
          run(
            `mkdir -p tmp && node -e "let s='';for(let i=1;i<=20000;i++)s+=i+',りんごジュース'+i+',120\\n';require('fs').writeFileSync('tmp/big.csv',s)" && ls -l tmp/big.csv | awk '{print $5}'`,
            '2万行の CSV を生成',
            '717788',
          ),
          run(
            `node -e "new TextDecoder('utf-8',{fatal:true}).decode(require('fs').readFileSync('tmp/big.csv'));console.log('valid utf-8')"`,
            '生成ファイルが正しい UTF-8 か確認',
            'valid utf-8',
          ),
        ],
        [run(COUNT_BROKEN, '壊れた行とバイト位置を数える', 'broken: 6')],
        [
          say(
            '再現しました。完全に正しい UTF-8 のファイルでも 6 行壊れるので、文字コード混在説は外れです。壊れた行はどれも 65536 バイトの倍数の位置にあります。原因は `chunk.toString()` です。createReadStream のチャンク境界が 3 バイト文字の途中に来ると、前後の半端なバイトがそれぞれ U+FFFD になってしまいます。',
          ),
          read(TEST),
        ],
        [
          say('回帰テストを先に書きます。境界をまたぐように 1 バイトずらした生成データを使います。'),
          edit(
            TEST,
            "test('行を分割する'",
            `test('チャンク境界をまたぐ文字が壊れない', async () => {
  for (const shift of [0, 1, 2]) {
    const name = 'x'.repeat(shift) + 'あ'.repeat(40_000);
    const rows = [];
    for await (const row of readRows(csv(\`1,\${name}\\n\`))) rows.push(row);
    assert.equal(rows[0][1] === name, true, \`shift \${shift}\`);
  }
});

test('行を分割する'`,
          ),
          fail('node --test test/ 2>&1', 'テスト（赤になるはず）', 'not ok'),
        ],
        [
          say('試しに highWaterMark を 256KB に上げて変化を見ます。'),
          edit(READER, 'createReadStream(path)', 'createReadStream(path, { highWaterMark: 256 * 1024 })'),
          run(COUNT_BROKEN, 'もう一度数える', 'broken: 1'),
        ],
        [
          say(
            "highWaterMark を大きくしても 6 行が 1 行に減るだけで、境界が減って起きにくくなるにすぎません。これは対策にならないので戻します。readFile で一括読みすれば直りますが、800MB のファイルを 256MB のワーカーでは読めないので却下。ストリームに encoding: 'utf8' を渡せば、内部の StringDecoder が半端なバイトを次のチャンクまで持ち越してくれます。",
          ),
          run('git checkout src/read-rows.js', '実験を戻す'),
          read(READER),
        ],
        [
          edit(READER, 'createReadStream(path)', "createReadStream(path, { encoding: 'utf8' })"),
          edit(READER, 'rest += chunk.toString();', 'rest += chunk;'),
          run(COUNT_BROKEN, '修正後に数える', 'broken: 0'),
          run('node --test test/ 2>&1', 'テスト', 'pass 2'),
        ],
        [
          say('直りました。ついでに、先方のファイルが BOM 付きの場合も見ておきます。'),
          run(
            `printf '\\357\\273\\277商品コード,商品名\\n1,りんご\\n' > tmp/bom.csv && node --input-type=module -e "import { importProducts } from './src/import-products.js'; await importProducts('tmp/bom.csv', (p) => console.log(Object.keys(p)[0].length, p['商品コード']))"`,
            'BOM 付きファイルの先頭列',
            'undefined',
          ),
        ],
        [
          say(
            '別件ですが、BOM 付きのファイルだと先頭の列名に U+FEFF が残り、商品コードが undefined になります。今回の依頼とは別なので触らずに残しておきます。それと、本番に既に入ってしまった 9 行は、修正後に再取り込みしないと直りません。',
          ),
          run('git diff --stat', '差分の確認', 'read-rows.js'),
        ],
        [say('最後に全件検証を流します。'), cut('node scripts/verify-all.js', '全ファイルの検証')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/chunk|チャンク/, /境界/, /U\+FFFD|toString/],
        prompt: 1,
      },
      {
        type: 'preference',
        says: [/本番の顧客ファイル/, /使わない|生成/],
        prompt: 1,
      },
      {
        type: ['decision', 'discovery', 'gotcha', 'preference', 'how-it-works'],
        says: [/256MB/, /800MB/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha', 'decision', 'bugfix'],
        says: [/highWaterMark/, /対策にならない|減るだけ|起きにくく/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/BOM/, /U\+FEFF|undefined/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'decision'],
        says: [/9 ?行/, /再取り込み/],
        prompt: 1,
      },
    ],
    niceToHave: [
      {
        type: ['bugfix', 'change', 'decision', 'how-it-works'],
        says: [/encoding/, /utf8/, /StringDecoder|持ち越/],
        files: [READER],
        prompt: 1,
      },
      {
        type: ['discovery', 'bugfix', 'gotcha'],
        says: [/UTF-8/, /混在説は外れ|6 行/],
        prompt: 1,
      },
      {
        type: ['change', 'bugfix', 'feature'],
        says: [/回帰テスト/, /境界/],
        files: [TEST],
        prompt: 1,
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/商品マスタ|取り込み/],
        learned: [/境界|toString/],
        filesModified: [READER],
      },
    ],
    noise: [
      'まず取り込みのコードを確認します',
      '試しに highWaterMark を 256KB に上げて',
      '最後に全件検証を流します',
      '直りました。ついでに',
      'around byte',
      'もう一度数える',
    ],
    untrue: [
      /(Shift_JIS|文字コード混在)が(原因|混ざってい(た|ました))/,
      /highWaterMark を.{0,20}(上げて|大きくして)(修正|解決|直)/,
      /全件検証.{0,12}(通りました|成功|完了|問題なし|合格)/,
      /BOM.{0,20}(修正しました|除去する(よう|処理))/,
    ],
    followUps: [
      {
        asks: '在庫ファイルの読み込みでも日本語が時々化けるんだけど、何を疑えばいい？',
        says: [/境界/],
      },
      {
        asks: '読み込みバッファを増やせば化けなくなるんじゃない？',
        says: [/highWaterMark/],
      },
      {
        asks: 'readFile で一気に読む実装に書き換えてシンプルにしてもいい？',
        says: [/256MB/],
      },
      {
        asks: 'お客さんからもらった実ファイルを fixture に入れてテストを足して',
        says: [/顧客ファイル|生成/],
      },
      {
        asks: 'Excel で保存した CSV を取り込むと商品コードが空になる',
        says: [/BOM/],
      },
      {
        asks: '化けたまま登録されている商品名はどうやって戻す？',
        says: [/再取り込み/],
      },
    ],
    unrelated: [
      '価格改定の通知メールのテンプレートを作って',
      'package.json に lint のスクリプトを追加して',
      '商品検索 API のレスポンスが遅いので調べて',
    ],
  },
};
