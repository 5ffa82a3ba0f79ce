import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const FORM = 'src/components/QuestionnaireForm.vue';
const STORE = 'src/stores/questionnaire.ts';
const QUESTIONS = 'src/questions.ts';
const DRAFT = 'src/composables/useDraft.ts';
const TEST = 'src/composables/useDraft.test.ts';
const LOCALE = 'src/locales/ja.json';

const PNPM = `#!/bin/sh
D=${DRAFT}
case "$*" in
  *vue-tsc*) echo "no errors" ;;
  *vitest*)
    if ! grep -q 'Array.from' $D; then
      echo "FAIL useDraft.test.ts > restores the answers after a reload"
      echo "AssertionError: expected undefined to be '頭痛'"
      exit 1
    fi
    if grep -q 'toISOString' $D; then
      echo "FAIL useDraft.test.ts > takes the day in Tokyo"
      echo "AssertionError: expected '2025-09-17' to be '2025-09-18'"
      exit 1
    fi
    if grep -q 'persist' $D && ! grep -q 'firstUnanswered' $D; then
      echo "FAIL useDraft.test.ts > stops at the page that has to be filled in again"
      echo "AssertionError: expected page 3 to be page 2"
      exit 1
    fi
    echo "Test Files  1 passed"
    echo "Tests  $(grep -c "^test" ${TEST}) passed" ;;
esac
`;

export const monshinDraftJa: SurveySession = {
  name: 'monshin draft ja',
  about:
    'クリニックの問診票に自動保存を入れる。保存期間が変わり、日付と Map でつまずき、一部の欄は残さないことになる。',
  kind: 'feature',
  language: 'ja',
  ecosystem: 'vue',
  files: {
    'package.json':
      '{ "name": "monshin", "private": true, "dependencies": { "vue": "3.5.13", "pinia": "2.3.0" } }\n',
    [FORM]: `<script setup lang="ts">
import { useQuestionnaire } from '../stores/questionnaire';

const store = useQuestionnaire();
</script>

<template>
  <form @submit.prevent="store.submit()">
    <QuestionPage :page="store.page" />
  </form>
</template>
`,
    [STORE]: `import { defineStore } from 'pinia';
import { ref } from 'vue';

export const useQuestionnaire = defineStore('questionnaire', () => {
  /** 受付番号 */
  const ticket = ref(0);
  const page = ref(1);
  const answers = ref(new Map<string, string>());

  async function submit() {
    await send(ticket.value, answers.value);
  }

  return { ticket, page, answers, submit };
});
`,
    [QUESTIONS]: `export interface Question {
  id: string;
  label: string;
  page: number;
  required?: true;
}

/** 院ごとの追加設問は管理画面から届く。 */
export const QUESTIONS: Question[] = [
  { id: 'symptom', label: '今日の症状', page: 1, required: true },
  { id: 'allergy', label: 'アレルギー', page: 2, required: true },
  { id: 'medication', label: '服薬中の薬', page: 2, required: true },
  { id: 'history', label: '既往歴', page: 3 },
];
`,
    [LOCALE]: `{
  "form.next": "次へ",
  "form.send": "送信"
}
`,
  },
  programs: { pnpm: PNPM },
  prompts: [
    '問診票を書いてる途中でタブレットの画面が消えると入力が全部飛ぶって受付から苦情きてます。下書きの自動保存を入れてもらえますか。3秒ごとくらいで、24時間残ればいいです。テストもお願いします',
    'あ、24時間はまずいです。待合室のタブレットは患者さんどうしで使い回すので30分でお願いします。それと受付番号は毎朝1番から振り直しなので、キーに日付も入れてください',
    '院長に見せたら「アレルギーと服薬の欄は端末に残すな」とのことです。置きっぱなしの端末なので。あと患者さんに「下書き」が伝わらないみたいなので画面の文言は「一時保存」にしてください',
    'ありがとうございます！コミットまでお願いします。本番に出すのは休診日の水曜だけと決まってるので、デプロイはこちらでやります',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('承知しました。まず今の作りを確認します。'),
          read(FORM),
          read(STORE),
          run('grep -rn "localStorage\\|sessionStorage" src || echo なし', '既存の保存処理を探す', 'なし'),
        ],
        [
          say(
            '3秒ごとのタイマーは使わないことにします。画面が消えている間、iPad の Safari はタイマーを止めるので、肝心なときに保存されません。入力が1秒止まったら保存し、さらに `visibilitychange` で hidden になった瞬間にも保存します。`beforeunload` は iPad の Safari だと発火しないことがあるので頼りません。',
          ),
          write(
            DRAFT,
            `import { onMounted, watch } from 'vue';
import { useQuestionnaire } from '../stores/questionnaire';

const TTL_MS = 24 * 60 * 60 * 1000;
const WAIT_MS = 1000;

const keyOf = (ticket: number) => \`monshin-draft:\${ticket}\`;

export function useDraft() {
  const store = useQuestionnaire();
  let timer = 0;

  function save() {
    const draft = { at: Date.now(), page: store.page, answers: store.answers };
    localStorage.setItem(keyOf(store.ticket), JSON.stringify(draft));
  }

  function restore() {
    const found = localStorage.getItem(keyOf(store.ticket));
    if (!found) return;
    const draft = JSON.parse(found);
    if (Date.now() - draft.at > TTL_MS) return localStorage.removeItem(keyOf(store.ticket));
    store.answers = new Map(draft.answers);
    store.page = draft.page;
  }

  onMounted(() => {
    restore();
    watch(store.answers, () => {
      clearTimeout(timer);
      timer = window.setTimeout(save, WAIT_MS);
    });
    document.addEventListener('visibilitychange', () => document.hidden && save());
  });

  return { discard: () => localStorage.removeItem(keyOf(store.ticket)) };
}
`,
          ),
          write(
            TEST,
            `import { expect, test } from 'vitest';

test('restores the answers after a reload', () => {});
test('saves at once when the screen goes dark', () => {});
test('forgets what is too old', () => {});
test('forgets after sending', () => {});
`,
          ),
        ],
        [fail('pnpm vitest run src/composables', 'テスト', '頭痛')],
        [
          say(
            '`answers` は `Map` なので、そのまま `JSON.stringify` すると中身が `{}` になって消えていました。`Array.from` で配列にしてから書き出します。',
          ),
          edit(
            DRAFT,
            'page: store.page, answers: store.answers };',
            'page: store.page, answers: Array.from(store.answers) };',
          ),
        ],
        [
          run('pnpm vitest run src/composables', 'もう一度', '4 passed'),
          edit(
            FORM,
            "import { useQuestionnaire } from '../stores/questionnaire';\n\nconst store = useQuestionnaire();",
            "import { useDraft } from '../composables/useDraft';\nimport { useQuestionnaire } from '../stores/questionnaire';\n\nconst store = useQuestionnaire();\nconst { discard } = useDraft();",
          ),
          edit(FORM, '@submit.prevent="store.submit()"', '@submit.prevent="store.submit().then(discard)"'),
          read(LOCALE),
        ],
        [
          edit(
            LOCALE,
            '"form.send": "送信"',
            '"form.send": "送信",\n  "draft.saved": "下書きを保存しました",\n  "draft.restored": "下書きから再開しました"',
          ),
          run('pnpm vue-tsc --noEmit', '型検査', 'no errors'),
        ],
        [
          say(`自動保存を入れました。テストは4件とも通っています。

**動き**
- 入力が1秒止まったとき、または画面が消えたときに保存します。
- 再読み込みすると、回答とページ位置を復元します。
- 送信が成功したら下書きを消します（失敗したときは残します）。
- 保存した内容は24時間で自動的に消えます。

**設計メモ**
- 保存先は \`localStorage\` です。\`sessionStorage\` は Safari がメモリ不足でタブを破棄すると失われることがあるため、見送りました。
- キーは \`monshin-draft:受付番号\` です。受付番号は一意なので、他の患者さんと衝突しません。

文言や間隔など、気になる点があれば遠慮なくおっしゃってください。`),
        ],
        [
          say('期間とキーを直します。日付は `toISOString` の先頭10文字で足ります。'),
          edit(DRAFT, '24 * 60 * 60 * 1000', '30 * 60 * 1000'),
          edit(
            DRAFT,
            'const keyOf = (ticket: number) => `monshin-draft:${ticket}`;',
            'const today = () => new Date().toISOString().slice(0, 10);\nconst keyOf = (ticket: number) => `monshin-draft:${today()}:${ticket}`;',
          ),
          edit(
            TEST,
            "test('forgets after sending'",
            "test('takes the day in Tokyo', () => {});\ntest('forgets after sending'",
          ),
        ],
        [fail('pnpm vitest run src/composables', 'テスト', "expected '2025-09-17' to be '2025-09-18'")],
        [
          say(
            '朝8時40分のテストで前日の日付になりました。`toISOString` は UTC なので、日本時間の朝9時までは昨日になります。診療開始は8時半なので実際に起きます。`Intl.DateTimeFormat` に `Asia/Tokyo` を指定します。',
          ),
          edit(
            DRAFT,
            'const today = () => new Date().toISOString().slice(0, 10);',
            "/** UTC の日付だと朝9時まで前日になる。 */\nconst today = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo' }).format(new Date());",
          ),
          run('pnpm vitest run src/composables', 'もう一度', '5 passed'),
        ],
        [
          say(`直しました。

- 保存期間は **30分** です（\`useDraft.ts\` の \`TTL_MS\`）。最後の入力から数えます。
- キーは \`monshin-draft:2025-09-18:12\` の形で、日付は日本時間です。

期限切れの掃除は復元のときだけでした。別の番号の分が端末に残り続けるので、起動時に \`monshin-draft:\` で始まる古いものを全部消す処理も足したほうがよさそうです。次の修正で一緒に入れましょうか？なお、今は全項目を保存しています。`),
        ],
        [
          say('除外する欄の持たせ方を見るため、設問の定義を開きます。'),
          read(QUESTIONS),
          run('grep -rn "QUESTIONS" src --include=*.ts | wc -l', '定義の使用箇所', '1'),
        ],
        [
          say(
            '`useDraft` に ID の一覧を書く手もありますが、設問は院ごとに管理画面から増えるので、すぐ漏れます。設問の定義側に `persist: false` を持たせます。',
          ),
          edit(
            QUESTIONS,
            '  required?: true;\n',
            '  required?: true;\n  /** 端末に残さない。 */\n  persist?: false;\n',
          ),
          edit(
            QUESTIONS,
            "label: 'アレルギー', page: 2, required: true",
            "label: 'アレルギー', page: 2, required: true, persist: false",
          ),
          edit(
            QUESTIONS,
            "label: '服薬中の薬', page: 2, required: true",
            "label: '服薬中の薬', page: 2, required: true, persist: false",
          ),
          edit(
            DRAFT,
            'answers: Array.from(store.answers) };',
            'answers: Array.from(store.answers).filter(([id]) => persisted(id)) };',
          ),
          edit(
            DRAFT,
            'export function useDraft() {',
            'const persisted = (id: string) => QUESTIONS.find((question) => question.id === id)?.persist !== false;\n\nexport function useDraft() {',
          ),
          edit(
            TEST,
            "test('forgets after sending'",
            "test('leaves out what must not stay on the device', () => {});\ntest('stops at the page that has to be filled in again', () => {});\ntest('forgets after sending'",
          ),
        ],
        [fail('pnpm vitest run src/composables', 'テスト', 'expected page 3 to be page 2')],
        [
          say(
            '3ページ目まで進んだ人が復元すると、2ページ目のアレルギー欄が空のまま素通りできてしまいます。安全上よくないので、復元後は未回答の必須設問がある最初のページに戻します。',
          ),
          edit(
            DRAFT,
            '    store.page = draft.page;',
            '    store.page = Math.min(draft.page, firstUnanswered(store.answers));',
          ),
          edit(
            DRAFT,
            "import { useQuestionnaire } from '../stores/questionnaire';",
            "import { firstUnanswered, QUESTIONS } from '../questions';\nimport { useQuestionnaire } from '../stores/questionnaire';",
          ),
          edit(DRAFT, '`monshin-draft:${today()}', '`monshin-draft:v2:${today()}'),
          edit(
            LOCALE,
            '"下書きを保存しました",\n  "draft.restored": "下書きから再開しました"',
            '"一時保存しました",\n  "draft.restored": "一時保存した内容から再開しました"',
          ),
        ],
        [run('pnpm vue-tsc --noEmit && pnpm vitest run src/composables', '型検査とテスト', '7 passed')],
        [
          say(`反映しました。

1. **アレルギーと服薬は保存しません。** 設問に \`persist: false\` を付けると対象外になります。管理画面から届く設問は指定がなければ保存されるので、同じような欄を足すときは注意が必要です。
2. **復元後のページ**：空に戻った必須欄があれば、そのページから再開します。
3. **キーを \`v2\` に上げました。** 旧版で保存された分（アレルギーを含む）は読まれません。ただし端末からは消えないので、起動時に \`v2\` 以外を削除する処理がまだ必要です。
4. 文言は「一時保存」にしました。コード側の名前（\`useDraft\`、\`draft.*\`）は変えていません。

院長にもよろしくお伝えください。`),
        ],
        [
          run(
            'git add -A && git commit -qm "feat: 問診票の一時保存" && git log --oneline -1',
            'コミット',
            '一時保存',
          ),
        ],
        [
          say(
            'コミットしました（プッシュはしていません）。水曜のデプロイの前に、一度だけ実機の iPad で画面を消して確かめることをおすすめします。`visibilitychange` の動きは jsdom では本当のところが分かりません。残っているのは、起動時に古いキーを消す処理です。お疲れさまでした！',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['preference', 'decision', 'feature', 'change', 'gotcha'],
        says: [/30分/, /待合室|使い回|保存期間|TTL_MS|24時間は/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'how-it-works', 'decision', 'change'],
        says: [/toISOString|UTC/, /9時|前日|昨日/],
      },
      {
        type: ['preference', 'decision', 'change', 'feature', 'gotcha'],
        says: [/アレルギー/, /服薬/, /残すな|保存しません|persist|残さない/],
        prompt: 3,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'how-it-works'],
        says: [/Map/, /JSON\.stringify|Array\.from/],
      },
      { type: ['preference', 'decision', 'gotcha'], says: [/水曜/, /本番|デプロイ|休診日/], prompt: 4 },
      {
        type: ['gotcha', 'decision', 'discovery', 'how-it-works', 'feature'],
        says: [/visibilitychange|タイマー/, /Safari/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'decision', 'change'],
        says: [/復元/, /アレルギー欄|必須/, /ページ/],
        prompt: 3,
      },
      {
        type: ['gotcha', 'discovery', 'change', 'decision'],
        says: [/起動時/, /古い|v2|旧版/, /消|削除/],
      },
    ],
    niceToHave: [
      {
        type: ['decision', 'how-it-works', 'gotcha', 'discovery'],
        says: [/sessionStorage/, /Safari|localStorage/],
      },
      {
        type: ['decision', 'feature', 'change', 'how-it-works', 'gotcha'],
        says: [/persist: false/, /管理画面|設問/],
      },
      {
        type: ['preference', 'decision', 'change', 'feature'],
        says: [/一時保存/, /文言|下書き/],
        prompt: 3,
      },
      {
        type: ['feature', 'change', 'how-it-works'],
        says: [/自動保存|1秒/, /保存/],
        files: [DRAFT],
      },
      {
        type: ['gotcha', 'discovery', 'preference', 'how-it-works'],
        says: [/受付番号/, /毎朝|振り直し|日付/],
        prompt: 2,
      },
      { type: ['discovery', 'gotcha'], says: [/jsdom|実機/, /visibilitychange|iPad/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/自動保存/],
        learned: [/Map|Safari|visibilitychange/],
        completed: [/自動保存|保存/],
        filesModified: [DRAFT, FORM],
      },
      { prompt: 2, request: [/30分|日付/], completed: [/30分|日本時間|Asia\/Tokyo/], filesModified: [DRAFT] },
      {
        prompt: 3,
        request: [/アレルギー|一時保存/],
        completed: [/アレルギー|persist|一時保存/],
        filesModified: [QUESTIONS, DRAFT, LOCALE],
      },
      { prompt: 4, request: [/コミット|水曜/] },
    ],
    noise: [
      'まず今の作りを確認します',
      '遠慮なくおっしゃってください',
      'テストは4件とも通っています',
      '次の修正で一緒に入れましょうか',
      '設問の定義を開きます',
      'お疲れさまでした',
      'よろしくお伝えください',
    ],
    untrue: [
      /24時間で自動的に消え/,
      /衝突しません/,
      /toISOString.{0,10}先頭10文字で足り/,
      /全項目を保存して/,
      /キーは .?monshin-draft:受付番号/,
    ],
    followUps: [
      { asks: '途中まで書いた回答って端末にどのくらいの時間残る設定でしたっけ？', says: [/30分/] },
      {
        asks: '院の独自設問に「妊娠の可能性」を足したい。プライバシー的に気をつけることある？',
        says: [/persist|アレルギー/],
      },
      {
        asks: '開院直後だけ日付がひとつずれるデータがあるのですが心当たりは？',
        says: [/UTC|toISOString/],
      },
      { asks: '今日の夕方にリリースしちゃって大丈夫ですか', says: [/水曜/] },
      {
        asks: 'iPad でページを閉じる直前に処理を走らせたい。どのイベントを使うのが安全？',
        says: [/visibilitychange|beforeunload/],
      },
    ],
    unrelated: [
      '待ち人数を表示するサイネージ画面の配色を変えたい',
      'Pinia と Vuex の違いを簡単に教えて',
      '領収書の PDF で金額が右にはみ出すのを直してください',
    ],
  },
};
