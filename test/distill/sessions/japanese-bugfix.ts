import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const CUT = 'src/excerpt.js';

export const japaneseBugfix: DistillSession = {
  name: 'japanese bugfix',
  about: 'Person and agent speak Japanese: a broken character at the end of an excerpt.',
  files: {
    'package.json': '{ "name": "nikki", "private": true, "type": "module" }\n',
    [CUT]: `/** 一覧に出す短い抜粋 */
export function excerpt(text, limit) {
  return text.length <= limit ? text : \`\${text.slice(0, limit)}…\`;
}
`,
    'test/excerpt.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excerpt } from '../src/excerpt.js';

test('絵文字の途中で切らない', () => {
  assert.equal(excerpt('今日は🍣を食べた', 4), '今日は🍣…');
});
`,
  },
  prompts: ['日記の一覧で、絵文字のある抜粋の最後が文字化けします。原因を調べて直してください。'],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [say('まずテストを実行してみます。'), fail('node --test', 'テストを実行', '絵文字の途中で切らない')],
        [read(CUT), read('test/excerpt.test.js')],
        [
          edit(
            CUT,
            `  return text.length <= limit ? text : \`\${text.slice(0, limit)}…\`;`,
            `  const letters = Array.from(new Intl.Segmenter('ja').segment(text), (part) => part.segment);
  return letters.length <= limit ? text : \`\${letters.slice(0, limit).join('')}…\`;`,
          ),
        ],
        [run('node --test', 'もう一度テスト', '絵文字の途中で切らない')],
        [
          say(`修正しました。テストはすべて通ります。

**原因:** \`${CUT}\` の \`excerpt()\` は \`slice\` で UTF-16 の単位ごとに切っていました。絵文字はサロゲートペア(2単位)なので、途中で切られて文字化けしていました。

**対応:** \`Intl.Segmenter\` で書記素ごとに分けてから切るようにしました。\`Array.from(text)\` ではなく \`Intl.Segmenter\` を選んだのは、家族の絵文字のように複数の文字を結合したものも壊さないためです。

**残り:** 検索結果の抜粋は別の関数を使っているので、まだ直っていません。`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'bugfix',
        says: ['excerpt', /サロゲートペア|UTF-16/, 'Intl.Segmenter'],
        files: [CUT],
        prompt: 1,
      },
    ],
    niceToHave: [
      { type: 'decision', says: ['Intl.Segmenter', 'Array.from'] },
      { type: ['gotcha', 'discovery'], says: ['検索結果'] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['文字化け'],
        learned: [/サロゲートペア|UTF-16/],
        completed: ['Intl.Segmenter'],
        nextSteps: ['検索結果'],
        filesModified: [CUT],
      },
    ],
    noise: ['まずテストを実行', 'AssertionError'],
  },
};
