import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const STORE = 'lib/stocktake/draft_store.dart';
const PAGE = 'lib/stocktake/count_page.dart';
const TEST = 'test/draft_store_test.dart';

export const flutterStocktakeJa: SurveySession = {
  name: 'flutter stocktake ja',
  about: '棚卸しの下書き保存。最初は SharedPreferences、途中で sqflite に変更する。',
  kind: 'feature',
  language: 'ja',
  ecosystem: 'flutter',
  files: {
    'pubspec.yaml':
      'name: tanaoroshi\ndependencies:\n  flutter:\n    sdk: flutter\n  shared_preferences: ^2.2.0\n  sqflite: ^2.3.0\n',
    [PAGE]: `class CountPage extends StatefulWidget {
  const CountPage({super.key, required this.shelf});
  final String shelf;
}

class CountPageState {
  final counts = <String, int>{};

  void onScan(String jan) {
    counts[jan] = (counts[jan] ?? 0) + 1;
  }
}
`,
    'lib/db.dart': `/// The database of the app; tables are made in onCreate.
Future<Database> openAppDb() => openDatabase('tanaoroshi.db', version: 3);
`,
  },
  programs: {
    flutter: `#!/bin/sh
if [ -f test/draft_store_test.dart ]; then echo '00:04 +9: All tests passed!'; else echo '00:03 +6: All tests passed!'; fi
`,
  },
  prompts: [
    '棚卸し画面でアプリが落ちるとスキャンした数が全部消えます。途中の数を端末に保存して、開き直したら続きから再開できるようにしてください。',
    'すみません、やっぱり SharedPreferences はやめて sqflite にしてください。川崎倉庫だと1棚で8000件くらいスキャンするので、毎回全部書き直すのは重すぎます。',
    '下書きはいつ消えますか？',
  ],
  script: (dir) => {
    const { run, read, edit, write } = callsIn(dir);
    return {
      main: [
        [say('まず画面のコードを確認します。'), read(PAGE), read('pubspec.yaml')],
        [
          write(
            STORE,
            `class DraftStore {
  DraftStore(this.prefs);
  final SharedPreferences prefs;

  Future<void> save(String shelf, Map<String, int> counts) =>
      prefs.setString('draft-$shelf', jsonEncode(counts));

  Map<String, int> load(String shelf) =>
      Map.from(jsonDecode(prefs.getString('draft-$shelf') ?? '{}'));
}
`,
          ),
          edit(
            PAGE,
            '    counts[jan] = (counts[jan] ?? 0) + 1;\n',
            '    counts[jan] = (counts[jan] ?? 0) + 1;\n    drafts.save(shelf, counts);\n',
          ),
        ],
        [run('flutter test', 'テストを実行', 'All tests passed')],
        [
          say(
            `スキャンのたびに \`DraftStore\` が棚ごとの数を SharedPreferences に JSON で保存するようにしました。同じ棚の画面を開くと続きから始まります。`,
          ),
        ],
        [say('了解しました。既存の DB を見ます。'), read('lib/db.dart')],
        [
          edit(
            'lib/db.dart',
            'version: 3)',
            `version: 4, onUpgrade: (db, from, to) async {
      if (from < 4) {
        await db.execute('CREATE TABLE stocktake_draft(shelf TEXT, jan TEXT, count INTEGER, PRIMARY KEY(shelf, jan))');
      }
    })`,
          ),
          read(STORE),
        ],
        [
          write(
            STORE,
            `class DraftStore {
  DraftStore(this.db);
  final Database db;

  Future<void> add(String shelf, String jan) => db.rawInsert(
        'INSERT INTO stocktake_draft(shelf, jan, count) VALUES(?, ?, 1) '
        'ON CONFLICT(shelf, jan) DO UPDATE SET count = count + 1',
        [shelf, jan],
      );

  Future<Map<String, int>> load(String shelf) async {
    final rows = await db.query('stocktake_draft', where: 'shelf = ?', whereArgs: [shelf]);
    return {for (final row in rows) row['jan'] as String: row['count'] as int};
  }

  Future<void> clear(String shelf) =>
      db.delete('stocktake_draft', where: 'shelf = ?', whereArgs: [shelf]);
}
`,
          ),
          edit(PAGE, 'drafts.save(shelf, counts);', 'drafts.add(shelf, jan);'),
          write(
            TEST,
            `void main() {
  test('同じ商品は1行にまとまる', () async {
    final drafts = DraftStore(await openTestDb());
    await drafts.add('A-1', '4900000000001');
    await drafts.add('A-1', '4900000000001');
    expect(await drafts.load('A-1'), {'4900000000001': 2});
  });
}
`,
          ),
        ],
        [run('flutter test', 'テストを実行', '+9: All tests passed')],
        [
          say(`sqflite に置き換えました。\`stocktake_draft\` テーブル（主キーは shelf と jan）に、スキャン1回につき1行だけ UPSERT します。8000件の棚でも書き込み量は変わりません。

- \`lib/db.dart\` の DB バージョンを 3 から 4 に上げました。onUpgrade でテーブルを作るので、既存の端末でもデータは消えません。
- SharedPreferences のコードは削除済みです。

注意点が一つあります。古い Android 10 以下の端末に入っている SQLite は 3.22 で、UPSERT 構文は 3.24 からです。ハンディ端末 BT-A700 は Android 10 なので、実機で確認してから配布してください。`),
        ],
        [run('grep -rn "clear(" lib', '下書きを消す箇所', 'draft_store.dart')],
        [
          say(
            '今はどこからも消していません。`DraftStore.clear` はありますが、呼び出す側がまだない状態です。サーバーが棚卸しの確定を受け付けて 200 を返した後に呼ぶのが安全だと思います。送信前に消すと、通信エラーのときに数が失われるためです。',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['feature', 'change'],
        says: [/stocktake_draft|DraftStore/, /sqflite|UPSERT/],
        files: [STORE],
        prompt: 2,
      },
      { type: ['decision', 'preference'], says: ['SharedPreferences', 'sqflite', /8000|重すぎ/], prompt: 2 },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/Android 10/, /UPSERT|SQLite/, /3\.24|3\.22|BT-A700/],
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works', 'decision'],
        says: [/clear|消して/, /200|確定|どこからも/],
        prompt: 3,
      },
    ],
    niceToHave: [
      {
        type: ['change', 'feature', 'discovery', 'how-it-works'],
        says: [/バージョン/, /3 から 4|onUpgrade/],
      },
      { type: ['how-it-works', 'feature', 'discovery', 'change'], says: [/主キー|1行/, /shelf|スキャン/] },
    ],
    summaries: [
      { prompt: 1, request: ['棚卸し'], optional: true },
      {
        prompt: 2,
        request: ['sqflite'],
        completed: [/sqflite|stocktake_draft/],
        filesModified: [STORE, PAGE, 'lib/db.dart', TEST],
      },
      { prompt: 3, request: ['下書き'], learned: [/clear|消して/] },
    ],
    noise: ['まず画面のコードを確認します', '了解しました', '00:04 +9', 'すみません'],
    untrue: [/SharedPreferences に JSON で保存する/],
    followUps: [
      { asks: '棚卸しの下書きはどこに保存されていますか', says: [/sqflite|stocktake_draft/] },
      { asks: 'SharedPreferences を使わない理由は？', says: [/8000|重すぎ/] },
      { asks: '倉庫のハンディ端末でカウント画面だけ SQL エラーになる', says: [/UPSERT|3\.24/] },
      { asks: '確定を送信したあとに途中データを削除する処理を入れたい', says: [/200|clear/] },
      { asks: 'db.dart のバージョン4で何が変わった？', says: [/stocktake_draft|onUpgrade/] },
    ],
    unrelated: [
      'ログイン画面のボタンの色を青にしてください',
      'README にビルド手順を書いて',
      'アプリのアイコンを差し替えたい',
    ],
  },
};
