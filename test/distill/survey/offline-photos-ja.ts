import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const UPLOAD = 'lib/upload.dart';
const QUEUE = 'lib/photo_queue.dart';
const TEST = 'test/photo_queue_test.dart';

const FLUTTER = `#!/bin/sh
case "$1" in
  analyze) echo "No issues found! (ran in 3.1s)" ;;
  test)
    if [ ! -f lib/photo_queue.dart ]; then echo "Error: lib/photo_queue.dart not found"; exit 1; fi
    if grep -q 'file.absolute.path' lib/photo_queue.dart; then
      echo "00:02 +1 -1: アプリ更新後も写真が開ける [E]"
      echo "  PathNotFoundException: /var/mobile/Containers/Data/Application/1F2A/Documents/q/1.jpg"
      exit 1
    fi
    if grep -q 'maxWait' lib/photo_queue.dart; then echo "00:04 +5: All tests passed!"; else echo "00:03 +3: All tests passed!"; fi ;;
  *) echo "unknown $1" >&2; exit 64 ;;
esac
`;

const SUMMARY = `<analysis>
オフライン登録の実装が終わり、テストは緑。残りは再送の間隔。
</analysis>
<summary>
1. Primary Request and Intent: 点検写真をオフラインでも登録できるようにし、電波が戻ったら自動で送信する。写真は端末の共有領域に置かない。
2. Key Technical Concepts: Flutter、sqflite のキュー、iOS のコンテナパス。
3. Files and Code Sections: ${QUEUE}（PhotoQueue）、${UPLOAD}、${TEST}。
4. Errors and fixes: 絶対パスを保存すると、アプリ更新後に PathNotFoundException。相対パスに変更して解決。
5. Problem Solving: shared_preferences は採用せず、sqflite を採用。
6. Pending Tasks: 再送の間隔は 5 分固定のまま。
7. Current Work: 利用者の次の指示待ち。
</summary>`;

export const offlinePhotos: SurveySession = {
  name: 'offline photos',
  about:
    '点検アプリの写真をオフラインで登録する機能。途中で圧縮（compact）があり、再送の上限は言い直される。',
  kind: 'feature',
  language: 'ja',
  ecosystem: 'flutter',
  files: {
    'pubspec.yaml':
      'name: tenken\nenvironment:\n  sdk: ">=3.3.0 <4.0.0"\ndependencies:\n  flutter:\n    sdk: flutter\n  sqflite: ^2.3.0\n  path_provider: ^2.1.0\n  connectivity_plus: ^6.0.0\n',
    [UPLOAD]: `import 'dart:io';

class Uploader {
  Uploader(this.client);
  final HttpClient client;

  /// 写真を 1 枚送る。失敗したら例外。
  Future<void> send(File photo, String inspectionId) async {
    final req = await client.postUrl(Uri.parse('https://api.tenken.example/v1/photos?i=$inspectionId'));
    await req.addStream(photo.openRead());
    final res = await req.close();
    if (res.statusCode != 201) throw HttpException('status \${res.statusCode}');
  }
}
`,
    'lib/inspection_page.dart': `import 'upload.dart';

// 撮影ボタンを押すと Uploader.send を直接呼ぶ。
`,
    [TEST]: `import 'package:flutter_test/flutter_test.dart';

void main() {
  test('圏外でも登録できる', () {});
  test('電波が戻ると古い順に送る', () {});
  test('アプリ更新後も写真が開ける', () {});
}
`,
    'docs/api.md': '# API\n\n- POST /v1/photos … 同じ photo_id を二度送っても 1 件として扱う\n',
  },
  programs: { flutter: FLUTTER },
  prompts: [
    '点検写真をオフラインでも登録できるようにして。電波が戻ったら自動送信。あと写真は端末の共有領域（カメラロール等）には絶対に保存しないで。客先のセキュリティ規定なので',
    '/compact',
    '再送が5分固定なのはまずい。サーバーが1分30件で制限してて429返してくるから、指数バックオフにして。上限は30分…いや、15分で。30分だと日報の締めに間に合わない',
    'ちなみに送る前に画像を圧縮したら速くならない？',
    'いや圧縮はなしで。EXIFの撮影日時が証跡になるから、元のファイルは1バイトも変えないこと',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('まず現在の送信処理を確認します。'),
          read(UPLOAD),
          read('lib/inspection_page.dart'),
          read(TEST),
          read('pubspec.yaml'),
        ],
        [
          say(
            'キューの保存先は sqflite にします。shared_preferences も検討しましたが、書き込み途中でアプリが落ちると一覧全体が壊れるので採用しません。sqflite は既に依存関係にあります。',
          ),
          write(
            QUEUE,
            `import 'dart:io';
import 'package:path_provider/path_provider.dart';
import 'package:sqflite/sqflite.dart';
import 'upload.dart';

/// 未送信の写真。古い順に送る。
class PhotoQueue {
  PhotoQueue(this.db, this.uploader);
  final Database db;
  final Uploader uploader;

  Future<void> add(File photo, String inspectionId) async {
    final dir = await getApplicationDocumentsDirectory();
    final file = await photo.copy('\${dir.path}/q/\${DateTime.now().microsecondsSinceEpoch}.jpg');
    await db.insert('queue', {'path': file.absolute.path, 'inspection': inspectionId});
  }

  Duration nextWait(int failures) => const Duration(minutes: 5);

  Future<void> drain() async {
    for (final row in await db.query('queue', orderBy: 'id')) {
      final dir = await getApplicationDocumentsDirectory();
      await uploader.send(File(row['path'] as String), row['inspection'] as String);
      await db.delete('queue', where: 'id = ?', whereArgs: [row['id']]);
    }
  }
}
`,
          ),
        ],
        [fail('flutter test', 'テストを実行', 'PathNotFoundException')],
        [
          say(
            'iOS はアプリを更新するたびにコンテナの絶対パスが変わります。絶対パスを DB に入れると、更新後に未送信の写真が開けなくなります。ファイル名だけを保存するように直します。',
          ),
          edit(
            QUEUE,
            "{'path': file.absolute.path, 'inspection'",
            "{'path': file.uri.pathSegments.last, 'inspection'",
          ),
          edit(QUEUE, "File(row['path'] as String)", `File('\${dir.path}/q/\${row['path']}')`),
        ],
        [run('flutter test && flutter analyze', 'テストと解析', 'All tests passed')],
        [read('docs/api.md')],
        [
          say(`オフライン登録ができるようになりました。テスト 3 件は緑です。

### 仕組み
- \`lib/photo_queue.dart\` の \`PhotoQueue\` が未送信の写真を sqflite に積み、電波が戻ると古い順に送ります。
- 写真はアプリ専用の Documents 配下（\`q/\`）だけに置きます。カメラロールなどの共有領域には一切書きません。

### 注意点
- DB に保存するのはファイル名だけです。iOS はアプリ更新のたびにコンテナの絶対パスが変わるため、絶対パスを保存すると未送信の写真が開けなくなります。
- 送信直後にアプリが落ちると同じ写真を二度送りますが、API は同じ photo_id を 1 件として扱うので問題ありません（docs/api.md）。

再送の間隔は 5 分固定です。ほかに必要なことがあればお知らせください。`),
        ],
        [say('上限 15 分で実装します。'), read(QUEUE), read(UPLOAD)],
        [
          edit(
            QUEUE,
            '  Duration nextWait(int failures) => const Duration(minutes: 5);\n',
            `  static const maxWait = Duration(minutes: 15);

  /// 30 秒から倍々に延ばす。
  Duration nextWait(int failures, {Duration? retryAfter}) {
    if (retryAfter != null) return retryAfter;
    final wait = const Duration(seconds: 30) * (1 << failures.clamp(0, 6));
    return wait > maxWait ? maxWait : wait;
  }
`,
          ),
        ],
        [run('flutter test 2>&1 | tail -1', 'テスト', '+5: All tests passed')],
        [
          say(
            '再送を指数バックオフに変えました。30 秒から倍々に延ばし、上限は 15 分です（日報の締めに間に合わせるため）。429 に Retry-After が付いていれば、そちらを優先します。サーバーの制限は 1 分 30 件なので、溜まった写真が 30 枚を超えるときは一度に流し切れない点に注意してください。',
          ),
        ],
        [
          say(
            '速くはなります。flutter_image_compress を使えば 1 枚 4 MB が 0.8 MB ほど、約 5 分の 1 です。導入しましょうか。なお、再エンコードすると既定では EXIF が失われます。',
          ),
        ],
        [
          say(
            '承知しました。圧縮は入れません。写真は撮影時のファイルをそのまま送ります。EXIF の撮影日時が証跡になるため、元のファイルは変更しない方針とします。コードの変更はありません。',
          ),
        ],
      ],
      compact: [[say(SUMMARY)]],
    };
  },
  expects: {
    essentials: [
      { type: ['preference', 'decision', 'gotcha'], says: [/共有領域/, /規定|一切|絶対/] },
      { type: ['gotcha', 'bugfix', 'discovery', 'how-it-works'], says: [/絶対パス/, /iOS/, /更新/] },
      { type: ['decision'], says: [/sqflite/, /shared_preferences/] },
      { type: ['preference', 'change', 'decision', 'feature'], says: [/15 ?分/, /上限|締め/] },
      { type: ['gotcha', 'discovery', 'preference', 'how-it-works'], says: [/1 ?分 ?30 ?件/] },
      { type: ['preference', 'decision'], says: [/EXIF/, /証跡/] },
      {
        type: ['feature', 'change', 'how-it-works'],
        says: ['PhotoQueue', /古い順|sqflite|未送信/],
        files: [QUEUE],
      },
    ],
    niceToHave: [
      { type: ['how-it-works', 'discovery', 'gotcha'], says: [/photo_id/, /1 件/] },
      { type: ['change', 'feature', 'how-it-works'], says: [/Retry-After/, /429/] },
      { type: ['gotcha', 'discovery', 'decision'], says: [/再エンコード|flutter_image_compress/, /EXIF/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/オフライン/],
        learned: [/絶対パス|コンテナ|photo_id/],
        completed: [/PhotoQueue|オフライン登録/],
        filesModified: [QUEUE],
      },
      {
        prompt: 2,
        request: [/再送|バックオフ/],
        completed: [/15 ?分|指数バックオフ/],
        filesModified: [QUEUE],
      },
      { prompt: 3, optional: true, request: [/圧縮/] },
      { prompt: 4, request: [/圧縮|EXIF/] },
    ],
    noise: [
      'Primary Request and Intent',
      'ほかに必要なことがあればお知らせください',
      'まず現在の送信処理を確認します',
      '導入しましょうか',
      '上限 15 分で実装します',
    ],
    untrue: [
      /再送の間隔は ?5 ?分固定(です|のまま)/,
      /上限(は|を) ?30 ?分(です|に(し|設定)|とする)/,
      /圧縮(を|機能を)(導入し|追加し|入れ)(た|ました|てい)/,
    ],
    followUps: [
      { asks: '再送の待ち時間の上限を1時間に伸ばしたい。問題ある？', says: [/15 ?分/, /締め/] },
      {
        asks: 'ストアで新しい版を入れた人から写真が消えたと言われた。パスの持ち方はどうなってる？',
        says: [/絶対パス|ファイル名/],
      },
      { asks: '通信量を減らしたいので、送る前に画質を落としてリサイズしよう', says: [/EXIF|証跡/] },
      { asks: '撮った写真をギャラリーでも見られるようにしてほしいと要望が来た', says: [/共有領域/] },
      {
        asks: '未送信の一覧、もっと軽いキー値ストアに移していい？',
        says: [/shared_preferences/, /壊れる|sqflite/],
      },
    ],
    unrelated: [
      'ログイン画面のロゴを新しいものに差し替えて',
      'Dart の sealed class と enum はどう使い分ける？',
      '点検表の並び順を設備番号の昇順にしてほしい',
    ],
  },
};
