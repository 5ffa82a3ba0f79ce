import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const STORE = 'lib/drafts/draft_store.dart';
const FORM = 'lib/inspection/inspection_form.dart';
const SYNC = 'lib/drafts/sync_service.dart';
const TEST = 'test/drafts/sync_service_test.dart';
const PUBSPEC = 'pubspec.yaml';

const FLUTTER = `#!/bin/sh
# Stands in for flutter: decides by the text of the sources.
case "$1" in
  analyze) echo "No issues found!"; exit 0 ;;
  pub) echo "Changed 3 dependencies!"; exit 0 ;;
  test) ;;
  *) echo "Could not find a command named $1"; exit 64 ;;
esac
[ -f ${TEST} ] || { echo "00:07 +58: All tests passed!"; exit 0; }
if grep -q 'checkConnectivity' ${SYNC}; then
  echo "00:04 +61 -1: 構内Wi-Fiに繋がっているが外に出られないとき下書きを消さない [E]"
  echo "  Expected: draft is kept"
  echo "  Actual: draft was deleted, captive portal answered 200"
  exit 1
fi
echo "00:08 +62: All tests passed!"
`;

const sync = (check: string) => `import 'draft_store.dart';

class SyncService {
  SyncService(this.store, this.api, this.net);

  final DraftStore store;
  final Api api;
  final Net net;

  Future<void> flush() async {
    if (!await ${check}) return;
    for (final draft in await store.oldestFirst()) {
      await api.submit(draft);
      await store.delete(draft.id);
    }
  }
}
`;

export const offlineShitagakiJa: SurveySession = {
  name: 'offline shitagaki ja',
  about: '点検アプリにオフラインの下書き保存を足す。Wi-Fiの判定に罠があり、自動保存の間隔は後で変わる。',
  kind: 'feature',
  language: 'ja',
  ecosystem: 'flutter',
  files: {
    [PUBSPEC]: `name: tenken
environment:
  sdk: '>=3.3.0 <4.0.0'
dependencies:
  flutter:
    sdk: flutter
  http: ^1.2.0
  path_provider: ^2.1.0
`,
    [FORM]: `import 'package:flutter/material.dart';

class InspectionForm extends StatefulWidget {
  const InspectionForm({super.key, required this.elevatorId});

  final String elevatorId;

  @override
  State<InspectionForm> createState() => _InspectionFormState();
}

class _InspectionFormState extends State<InspectionForm> {
  final answers = <String, String>{};

  void onChanged(String question, String answer) {
    answers[question] = answer;
  }
}
`,
    'docs/tablets.md': `# 現場のタブレット

- 120台、うち80台は2017年モデル(RAM 2GB)
- 機械室は圏外が多い。ビルの構内Wi-Fiには繋がるが、外には出られないことがある
`,
  },
  programs: { flutter: FLUTTER },
  prompts: [
    'エレベーター点検アプリに下書き保存を付けたいです。機械室は圏外なので、入力中の内容を端末に保存して、電波が戻ったら送信。入力が止まって3秒で自動保存でお願いします。写真は絶対に端末のギャラリーに入れないでください、入居者の顔が写り込むことがあって去年クレームになりました。',
    'ありがとうございます！なるほど、Wi-Fiの件は助かりました。あと下書きはいつまで残りますか？情報管理規程で、個人情報は端末に14日以上置けないことになっています。',
    '現場から、古いタブレットで入力がカクつくと言われました。自動保存は3秒ではなく10秒にしてください。',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('まず既存のフォームと端末の資料を確認します。'),
          read(FORM),
          read(PUBSPEC),
          read('docs/tablets.md'),
        ],
        [run('flutter test', '現状のテスト', '+58: All tests passed')],
        [
          say(
            '保存先はHiveではなくdrift(SQLite)にします。Hiveはボックス全体をメモリに載せるので、RAM 2GBの端末では写真付きの下書きが増えると落ちる恐れがあります。',
          ),
          edit(
            PUBSPEC,
            '  path_provider: ^2.1.0\n',
            '  path_provider: ^2.1.0\n  drift: ^2.18.0\n  connectivity_plus: ^6.0.0\n',
          ),
          run('flutter pub get', '依存を取得', 'Changed 3 dependencies'),
        ],
        [
          write(
            STORE,
            `import 'dart:io';
import 'package:drift/drift.dart';
import 'package:path_provider/path_provider.dart';

/// Drafts in SQLite; photos as files in the private folder of the app, never in the gallery.
class DraftStore {
  DraftStore(this.db);

  final DraftDatabase db;

  Future<void> save(Draft draft) => db.into(db.drafts).insertOnConflictUpdate(draft);
  Future<List<Draft>> oldestFirst() =>
      (db.select(db.drafts)..orderBy([(d) => OrderingTerm.asc(d.createdAtUtc)])).get();
  Future<void> delete(String id) => (db.delete(db.drafts)..where((d) => d.id.equals(id))).go();

  Future<File> photoFile(String name) async {
    final dir = await getApplicationSupportDirectory();
    return File('\${dir.path}/drafts/$name');
  }
}
`,
          ),
          write(SYNC, sync('net.checkConnectivity()')),
          edit(
            FORM,
            "import 'package:flutter/material.dart';\n",
            "import 'dart:async';\nimport 'package:flutter/material.dart';\n",
          ),
          edit(
            FORM,
            '    answers[question] = answer;\n',
            '    answers[question] = answer;\n    _timer?.cancel();\n    _timer = Timer(autosaveAfter, _save);\n',
          ),
          edit(
            FORM,
            '  final answers = <String, String>{};\n',
            '  static const autosaveAfter = Duration(seconds: 3);\n  final answers = <String, String>{};\n  Timer? _timer;\n',
          ),
        ],
        [
          say('構内Wi-Fiだけ繋がる場合のテストを書きます。'),
          write(
            TEST,
            `void main() {
  test('構内Wi-Fiに繋がっているが外に出られないとき下書きを消さない', () async {
    final store = storeWith(1);
    await SyncService(store, captivePortalApi, wifiWithoutInternet).flush();
    expect(await store.oldestFirst(), hasLength(1));
  });
}
`,
          ),
          fail('flutter test', 'テスト', 'draft was deleted, captive portal answered 200'),
        ],
        [
          say(
            'connectivity_plusはWi-Fiに繋がっていれば「接続あり」を返すうえ、ビルのログイン画面が200で応答するので送信済みと誤認しました。サーバー固有の応答で確かめる形に直します。',
          ),
          edit(SYNC, 'net.checkConnectivity()', 'api.healthy()'),
          edit(PUBSPEC, '  connectivity_plus: ^6.0.0\n', ''),
        ],
        [
          run('flutter analyze', '解析', 'No issues found'),
          run('flutter test', 'テスト', '+62: All tests passed'),
        ],
        [
          say(`下書き保存を実装しました。テストは62件すべて通っています。

### 仕組み
- **保存先**: drift(SQLite)。Hiveはボックス全体をメモリに読み込むため、RAM 2GBのタブレットでは避けました。
- **写真**: \`getApplicationSupportDirectory()\` 配下の \`drafts/\` に置きます。ギャラリーには入りません。
- **自動保存**: 入力が止まって3秒後。
- **送信**: \`SyncService.flush()\` が古い順に送り、サーバーが受け取ってから端末の下書きを消します。

### 注意点
- \`connectivity_plus\` は構内Wi-Fiに繋がっているだけで「接続あり」と返します。外に出られるとは限らないので使わず、\`api.healthy()\` でサーバー固有の応答を確かめています。構内のログイン画面も200を返すため、ステータスだけでは足りません。
- \`createdAtUtc\` はUTCです。端末の時計がずれていると送信順が入れ替わる可能性があります。

他にご要望があればお知らせください。`),
        ],
        [
          say('今の実装には期限がないので、確認してから追加します。'),
          run('grep -n "delete" lib/drafts/draft_store.dart', '削除している箇所', 'Future<void> delete'),
        ],
        [
          edit(
            STORE,
            '  Future<File> photoFile',
            '  /// The rules allow less than 14 days on the device.\n  Future<int> purge(DateTime nowUtc) => (db.delete(db.drafts)\n        ..where((d) => d.createdAtUtc.isSmallerThanValue(nowUtc.subtract(const Duration(days: 13)))))\n      .go();\n\n  Future<File> photoFile',
          ),
          run('flutter test', 'テスト', 'All tests passed'),
        ],
        [
          say(`これまでは期限がなく、送信できるまで残り続けていました。\`DraftStore.purge()\` を追加し、作成から13日を過ぎた下書きを起動時に消すようにしました。規程は「14日以上置けない」なので、1日の余裕を見て13日にしています。

ただし、アプリを起動しない限り消えません。長期間使わない端末には残るので、MDM側でのワイプが別途必要です。`),
        ],
        [
          edit(FORM, 'Duration(seconds: 3)', 'Duration(seconds: 10)'),
          edit(
            FORM,
            '    _timer = Timer(autosaveAfter, _save);\n  }\n',
            '    _timer = Timer(autosaveAfter, _save);\n  }\n\n  @override\n  void deactivate() {\n    _save();\n    super.deactivate();\n  }\n',
          ),
        ],
        [
          run(
            'flutter test && git add -A && git commit -qm "feat: offline drafts" && git log --oneline -1',
            'テストとコミット',
            'feat: offline drafts',
          ),
        ],
        [
          say(
            '自動保存の間隔を10秒にしました。間隔が延びると画面を閉じたときに最大10秒分の入力が失われるため、`deactivate()` でも保存するようにしています。アプリが強制終了された場合だけは直近10秒分が残りません。お疲れさまでした。',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: 'preference', says: [/写真/, /ギャラリー/, /入居者|クレーム|絶対/] },
      { type: ['decision', 'feature'], says: [/drift/, /Hive/, /メモリ/] },
      {
        type: ['gotcha', 'discovery', 'decision', 'bugfix'],
        says: [/connectivity_plus/, /Wi-Fi/, /接続あり|healthy/],
      },
      { type: ['preference', 'gotcha', 'decision'], says: [/14日/, /個人情報|規程/] },
      { type: ['preference', 'change', 'decision'], says: [/10秒/, /自動保存/] },
      { type: ['gotcha', 'discovery', 'change', 'feature'], says: [/起動しない|起動時/, /MDM|13日/] },
      { type: ['feature', 'change'], says: [/下書き/, /SyncService|drift|保存/], files: [STORE] },
    ],
    niceToHave: [
      { type: ['gotcha', 'change', 'decision', 'feature'], says: [/deactivate/, /10秒/] },
      { type: ['gotcha', 'how-it-works', 'discovery'], says: [/createdAtUtc/, /時計|送信順/] },
      { type: ['decision', 'change', 'feature'], says: [/purge/, /13日/] },
      { type: ['preference', 'discovery', 'change'], says: [/古いタブレット/, /カクつく/] },
    ],
    summaries: [
      { prompt: 1, request: [/下書き/], completed: [/下書き|drift/], filesModified: [STORE, SYNC] },
      { prompt: 2, request: [/14日|いつまで/], completed: [/purge|13日/] },
      { prompt: 3, request: [/10秒/], completed: [/10秒/], filesModified: [FORM] },
    ],
    noise: [
      '他にご要望があれば',
      'お疲れさまでした',
      'まず既存のフォームと端末の資料',
      'ありがとうございます！なるほど',
      'テストを書きます',
      '確認してから追加します',
    ],
    untrue: [
      /止まって3秒(で|後)/,
      /seconds: 3\b/,
      /connectivity_plus: \^6/,
      /今の実装には期限がない/,
      /Hiveに(します|保存)/,
    ],
    followUps: [
      { asks: '撮影した画像をカメラロールにも残すボタンを付けて', says: [/ギャラリー/, /入居者|クレーム/] },
      {
        asks: 'オンラインかどうかの判定はどのパッケージを使えばいい？',
        says: [/connectivity_plus/, /Wi-Fi/],
      },
      { asks: '未送信データの保持期間を1か月に延ばして', says: [/14日/, /規程|個人情報/] },
      { asks: 'ローカルDBをもっと軽いキーバリュー型に替えるのはどう？', says: [/Hive/, /メモリ/] },
      { asks: '入力途中の内容は何秒おきに書き込まれるんだっけ', says: [/10秒/] },
    ],
    unrelated: [
      'ログイン画面のロゴを新しいSVGに差し替えて',
      'Xcodeの署名エラーで証明書が見つからないと言われる',
      '報告書PDFのフッターにページ番号を入れて',
    ],
  },
};
