import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const BASE = 'shared/src/commonMain/kotlin/inspect';
const MANAGER = `${BASE}/sync/SyncManager.kt`;
const UPLOADER = `${BASE}/sync/PendingUploader.kt`;
const MERGE = `${BASE}/domain/ReportMerge.kt`;
const TEST = 'shared/src/commonTest/kotlin/inspect/SyncTest.kt';

export const kotlinSyncSplitJa: SurveySession = {
  name: 'kotlin-sync-split-ja',
  about:
    'SyncManager の分割。並列化したら写真より先に報告書が送られて 422、順序は仕様。公開 API は iOS が使うので変えない。',
  kind: 'refactoring',
  language: 'ja',
  ecosystem: 'kotlin',
  files: {
    'settings.gradle.kts': 'include(":shared", ":androidApp")\n',
    [MANAGER]: `package inspect.sync

class SyncManager(private val api: Api, private val db: ReportDao) {
    suspend fun sync() {
        for (photo in db.pendingPhotos()) api.putPhoto(photo)
        for (report in db.pendingReports()) api.putReport(report)
        for (remote in api.reports()) {
            val local = db.find(remote.id)
            if (local == null || remote.updatedAt > local.updatedAt) db.upsert(remote)
        }
    }
}
`,
    [TEST]: `package inspect

class SyncTest {
    @Test fun photosReachTheServerBeforeTheirReport() = runTest { /* FakeApi answers 422 to unknown photo ids */ }
    @Test fun newerReportWins() = runTest { }
}
`,
    'docs/api.md': '# API\n\n- PUT /photos/{id}\n- PUT /reports/{id}\n',
  },
  programs: {
    gradle: `#!/bin/sh
dir=shared/src/commonMain/kotlin/inspect
if grep -rqs 'awaitAll' $dir; then
  echo '> Task :shared:allTests FAILED'
  echo 'SyncTest > photosReachTheServerBeforeTheirReport FAILED'
  echo '    HttpException: 422 unknown photo id p-3'
  echo '2 tests completed, 1 failed'
  exit 1
fi
echo '> Task :shared:allTests'
echo 'BUILD SUCCESSFUL in 9s'
`,
  },
  prompts: [
    'SyncManager が太ってきたので分割してほしい。アップロードと競合解決を別クラスに。SyncManager.sync() のシグネチャは絶対に変えないで、iOS チームが KMP の framework 経由で呼んでる。あと新しいクラスに Manager とか Helper って名前は付けないこと',
    '競合解決は domain に置いていいけど、Room の型には依存させないで。domain は純粋な Kotlin だけ、っていうのがうちのルール。終わったらコミットして',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [read(MANAGER), read(TEST)],
        [say('まず現状で緑か確認。'), run('gradle :shared:allTests', 'テスト', 'BUILD SUCCESSFUL')],
        [
          say('アップロードを切り出す。ついでに写真と報告書を並列で送れば速くなるはず。'),
          write(
            UPLOADER,
            `package inspect.sync

class PendingUploader(private val api: Api, private val db: ReportDao) {
    suspend fun upload() = coroutineScope {
        (db.pendingPhotos().map { async { api.putPhoto(it) } } +
            db.pendingReports().map { async { api.putReport(it) } }).awaitAll()
    }
}
`,
          ),
          edit(
            MANAGER,
            `        for (photo in db.pendingPhotos()) api.putPhoto(photo)
        for (report in db.pendingReports()) api.putReport(report)
`,
            `        uploader.upload()
`,
          ),
        ],
        [fail('gradle :shared:allTests', 'テスト', '422 unknown photo id')],
        [
          say(
            '並列化は誤り。サーバーは未知の photo id を含む報告書を 422 で拒否するので、写真が全部届いてから報告書を送る必要がある。順序はたまたまではなく仕様だった(docs/api.md には書かれていない)。逐次に戻す。',
          ),
          read(UPLOADER),
        ],
        [
          write(
            UPLOADER,
            `package inspect.sync

class PendingUploader(private val api: Api, private val db: ReportDao) {
    /** Photos first: the server answers 422 to a report with a photo it does not know. */
    suspend fun upload() {
        for (photo in db.pendingPhotos()) api.putPhoto(photo)
        for (report in db.pendingReports()) api.putReport(report)
    }
}
`,
          ),
          edit(
            MANAGER,
            'class SyncManager(private val api: Api, private val db: ReportDao) {\n',
            'class SyncManager(private val api: Api, private val db: ReportDao) {\n    private val uploader = PendingUploader(api, db)\n\n',
          ),
        ],
        [run('gradle :shared:allTests', 'テスト', 'BUILD SUCCESSFUL')],
        [
          say(
            'アップロードは PendingUploader に分離、テスト緑。競合解決の置き場所は sync パッケージか domain か、どちらにしますか。',
          ),
        ],
        [
          write(
            MERGE,
            `package inspect.domain

/** The newer report wins; a tie keeps the local one. */
fun needsUpdate(localUpdatedAt: Long?, remoteUpdatedAt: Long): Boolean =
    localUpdatedAt == null || remoteUpdatedAt > localUpdatedAt
`,
          ),
          edit(
            MANAGER,
            `            if (local == null || remote.updatedAt > local.updatedAt) db.upsert(remote)`,
            `            if (needsUpdate(local?.updatedAt, remote.updatedAt)) db.upsert(remote)`,
          ),
        ],
        [
          edit(
            MANAGER,
            'package inspect.sync\n',
            'package inspect.sync\n\nimport inspect.domain.needsUpdate\n',
          ),
        ],
        [
          run('gradle :shared:allTests', 'テスト', 'BUILD SUCCESSFUL'),
          run(`grep -rn "androidx.room" ${BASE}/domain || echo なし`, 'Room への依存', 'なし'),
        ],
        [
          run(
            'git add -A && git commit -qm "同期処理を送信と競合判定に分割" && git log --oneline -1',
            'コミット',
            '同期処理を送信と競合判定に分割',
          ),
        ],
        [
          say(`完了、コミット済み。

- 競合判定は \`domain/ReportMerge.kt\` の \`needsUpdate\`。updatedAt の値だけ受け取り、Room の型は見ない
- \`SyncManager.sync()\` のシグネチャはそのまま

別件で気づいた点: 競合判定は端末の updatedAt を信用している。端末の時計が進んでいると、サーバー側の新しい修正が届かない。今回は触っていない。

ほかにも整理したいところがあれば声をかけてください。`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/写真/, /422/, /報告書/],
        prompt: 1,
      },
      {
        type: 'preference',
        says: [/sync\(\)|シグネチャ/, /iOS/],
        prompt: 1,
      },
      { type: 'preference', says: [/Manager/, /Helper/, /名前/], prompt: 1 },
      { type: 'preference', says: [/domain/, /Room/], prompt: 2 },
      {
        type: ['gotcha', 'discovery'],
        says: [/updatedAt/, /時計/],
        prompt: 2,
      },
      {
        type: ['refactor'],
        says: [/PendingUploader/],
        files: [UPLOADER],
        prompt: 1,
      },
    ],
    niceToHave: [
      { type: ['refactor', 'change', 'decision'], says: [/needsUpdate|ReportMerge/], prompt: 2 },
      { type: ['decision', 'discovery', 'gotcha'], says: [/並列/, /逐次|誤り|422/], prompt: 1 },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/SyncManager/],
        learned: [/422|順序/],
        completed: [/PendingUploader/],
        filesModified: [UPLOADER, MANAGER],
      },
      {
        prompt: 2,
        request: [/domain/],
        completed: [/needsUpdate|コミット/],
        filesModified: [MERGE, MANAGER],
      },
    ],
    noise: [
      'まず現状で緑か確認',
      'どちらにしますか',
      '声をかけてください',
      '速くなるはず',
      'BUILD SUCCESSFUL in 9s',
    ],
    untrue: [/写真と報告書(を|は)並列(で|に)送(る|信する)(ようにした|よう変更)/, /時計のずれを修正/],
    followUps: [
      { asks: '同期が遅いのでアップロードを全部同時に投げたいんだけど、問題ある?', says: [/422/] },
      { asks: 'sync に引数 force を足してもいい?', says: [/iOS/] },
      { asks: 'エンティティをそのまま domain の関数に渡したい', says: [/Room/] },
      { asks: '本部で直した内容が一部のスマホに反映されないらしい', says: [/時計/] },
      { asks: '日付まわりの共通処理を DateHelper にまとめようと思う', says: [/Helper/, /名前/] },
    ],
    unrelated: [
      'ログイン画面にパスワード表示の切り替えを付けて',
      'アプリのアイコンを新しいロゴに差し替えて',
      'CI の Gradle キャッシュを有効にして',
    ],
  },
};
