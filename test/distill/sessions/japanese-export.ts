import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const EXPORT = 'src/export.js';
const EXPORT_TEST = 'test/export.test.js';

export const japaneseExport: DistillSession = {
  name: 'japanese export',
  about: 'A feature asked for in Japanese, answered with plain bullets; then a rule about commits.',
  files: {
    'package.json': '{ "name": "kakeibo", "private": true, "type": "module" }\n',
    'src/entries.js': "export const entries = [{ date: '2026-04-01', label: '食費', yen: 1200 }];\n",
    'README.md': '# 家計簿\n',
  },
  prompts: [
    '家計簿の明細を CSV でダウンロードできるようにしてください。Excel で開いたときに文字化けしないようにお願いします。',
    'ありがとうございます。コミットしてください。今後、コミットメッセージは必ず日本語で書いてください。',
  ],
  script: (dir) => {
    const { run, fail, read, write, edit } = callsIn(dir);
    return {
      main: [
        [
          say('承知しました。まず現在の構成を確認します。'),
          run('git ls-files', 'ファイル一覧', 'src/entries.js'),
          read('src/entries.js'),
        ],
        [
          write(
            EXPORT,
            "export function toCsv(entries) {\n  const rows = entries.map(({ date, label, yen }) => [date, label, yen].join(','));\n  return ['日付,項目,金額', ...rows].join('\\r\\n');\n}\n",
          ),
          write(
            EXPORT_TEST,
            `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv } from '../src/export.js';

test('BOM で始まる', () => assert.ok(toCsv([]).startsWith('\\uFEFF')));
`,
          ),
        ],
        [fail('node --test', 'テスト', 'BOM で始まる')],
        [
          say('BOM がまだ付いていないので、追加します。'),
          edit(EXPORT, "return ['日付,項目,金額'", "return '\\uFEFF' + ['日付,項目,金額'"),
        ],
        [run('node --test', 'もう一度テスト', 'BOM で始まる')],
        [
          say(`CSV ダウンロードを実装しました。

- \`${EXPORT}\` に \`toCsv()\` を追加しました。列は日付・項目・金額です。
- Excel は BOM のない UTF-8 を Shift_JIS と解釈して文字化けするため、先頭に BOM(\`\\uFEFF\`)を付けています。
- 改行は Excel に合わせて CRLF にしました。
- 項目名にカンマや引用符が含まれる場合のエスケープは、まだ対応していません。`),
        ],
        [
          run(
            'git add -A && git commit -qm "明細の CSV ダウンロードを追加" && git log --oneline -1',
            'コミット',
            '明細の CSV ダウンロードを追加',
          ),
        ],
        [say('「明細の CSV ダウンロードを追加」としてコミットしました。今後も日本語で書きます。')],
      ],
    };
  },
  expects: {
    essentials: [
      { type: 'feature', says: ['toCsv', 'CSV', 'BOM'], files: [EXPORT], prompt: 1 },
      { type: 'preference', says: ['コミットメッセージ', '日本語'], prompt: 2 },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery', 'decision'], says: ['BOM', 'Shift_JIS'], prompt: 1 },
      { type: ['gotcha', 'discovery'], says: ['エスケープ'], prompt: 1 },
      { type: 'change', says: ['明細の CSV ダウンロードを追加'], prompt: 2 },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['CSV'],
        completed: ['toCsv'],
        filesModified: [EXPORT, EXPORT_TEST],
      },
      { prompt: 2, request: ['コミット'] },
    ],
    noise: ['承知しました', 'まず現在の構成', 'まだ付いていないので'],
  },
};
