import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CLIENT = 'Sources/Net/APIClient.swift';
const TOKEN = 'Sources/Net/TokenStore.swift';
const SCANNER = 'Sources/Scan/ScannerBridge.swift';
const VIEW_MODEL = 'Sources/UI/CatalogViewModel.swift';
const TESTS = 'Tests/NetTests/TokenStoreTests.swift';

const SWIFT = `#!/bin/sh
# Stands in for swift: builds, or runs the tests.
[ "$1" = build ] && { echo "Build complete!"; exit 0; }
[ "$1" = test ] || exit 2
if grep -q withCheckedThrowingContinuation ${SCANNER} && ! grep -q 'var resumed' ${SCANNER}; then
  echo "Fatal error: SWIFT TASK CONTINUATION MISUSE: scan() tried to resume its continuation more than once"; exit 1
fi
if grep -q '^actor' ${TOKEN} && ! grep -q 'refreshing' ${TOKEN}; then
  if grep -q concurrent ${TESTS}; then echo "TokenStoreTests.concurrent failed: expected 1 refresh, got 5"; exit 1; fi
fi
echo "Executed 87 tests, with 0 failures"
`;

export const swiftAsyncJa: SurveySession = {
  name: 'swift async ja',
  about: 'コールバックを async/await に書き換える。継続の二重再開、アクターの再入、MainActor の付け過ぎ。',
  kind: 'refactoring',
  language: 'ja',
  ecosystem: 'swift',
  files: {
    'Package.swift':
      '// swift-tools-version:5.9\nimport PackageDescription\nlet package = Package(name: "Tana", platforms: [.iOS(.v15)])\n',
    [CLIENT]: `import Foundation

final class APIClient: NSObject {
    func get<T: Decodable>(_ path: String, completion: @escaping (Result<T, Error>) -> Void) {
        URLSession.shared.dataTask(with: url(path)) { data, _, error in
            if let error { return completion(.failure(error)) }
            completion(Result { try JSONDecoder().decode(T.self, from: data ?? Data()) })
        }.resume()
    }

    @objc func charge(_ cents: Int, completion: @escaping (NSError?) -> Void) {
        post("/charge", ["cents": cents], completion: completion)
    }
}
`,
    [TOKEN]: `import Foundation

final class TokenStore {
    private let queue = DispatchQueue(label: "token")
    private var token: Token

    func valid(_ completion: @escaping (Token) -> Void) {
        queue.async {
            if self.token.isFresh { return completion(self.token) }
            self.refreshSync()
            completion(self.token)
        }
    }
}
`,
    [SCANNER]: `import ScanKit

final class ScannerBridge {
    func scan(completion: @escaping (Result<String, Error>) -> Void) {
        SKScanner.start(timeout: 8) { code, error in
            completion(code.map(Result.success) ?? .failure(error!))
        }
    }
}
`,
    [VIEW_MODEL]: `import SwiftUI

final class CatalogViewModel: ObservableObject {
    @Published var items: [Item] = []
    let client = APIClient()

    func load() {
        client.get("/catalog") { (r: Result<[Item], Error>) in
            DispatchQueue.main.async { self.items = (try? r.get()) ?? [] }
        }
    }
}
`,
    [TESTS]: `import XCTest

final class TokenStoreTests: XCTestCase {
    func testFresh() async {}
}
`,
  },
  programs: { swift: SWIFT },
  prompts: [
    'Net 層のコールバックを async/await に書き換えてください。対象は iOS 15 以上のまま、外部ライブラリの追加はなしで。それと charge の completion 版は残してください、決済端末の SDK が Objective-C から呼んでいるので消すと店舗のレジが止まります',
    'レビューしました。APIClient に @MainActor は付けないでください。カタログの JSON は 4 MB あって、メインでデコードすると古い iPad で 300 ms くらい固まります。MainActor は ViewModel だけ、が弊社のルールです。続けて TokenStore を actor にしてください',
    'ありがとうございます。コミットお願いします。メッセージは日本語、1 コミット 1 モジュールでお願いします',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('まず呼び出し側を含めて全体を確認します。'),
          run(
            'grep -rn "completion" Sources | wc -l && grep -rn "@objc" Sources',
            'コールバックの数と ObjC の入口',
            '@objc func charge',
          ),
          read(CLIENT),
          read(SCANNER),
          read(VIEW_MODEL),
        ],
        [
          edit(
            CLIENT,
            `    func get<T: Decodable>(_ path: String, completion: @escaping (Result<T, Error>) -> Void) {
        URLSession.shared.dataTask(with: url(path)) { data, _, error in
            if let error { return completion(.failure(error)) }
            completion(Result { try JSONDecoder().decode(T.self, from: data ?? Data()) })
        }.resume()
    }
`,
            `    func get<T: Decodable>(_ path: String) async throws -> T {
        let (data, _) = try await URLSession.shared.data(from: url(path))
        return try JSONDecoder().decode(T.self, from: data)
    }
`,
          ),
          edit(CLIENT, 'final class APIClient', '@MainActor\nfinal class APIClient'),
          edit(
            SCANNER,
            `    func scan(completion: @escaping (Result<String, Error>) -> Void) {
        SKScanner.start(timeout: 8) { code, error in
            completion(code.map(Result.success) ?? .failure(error!))
        }
    }
`,
            `    func scan() async throws -> String {
        try await withCheckedThrowingContinuation { c in
            SKScanner.start(timeout: 8) { code, error in
                c.resume(with: code.map(Result.success) ?? .failure(error!))
            }
        }
    }
`,
          ),
          edit(
            VIEW_MODEL,
            `    func load() {
        client.get("/catalog") { (r: Result<[Item], Error>) in
            DispatchQueue.main.async { self.items = (try? r.get()) ?? [] }
        }
    }`,
            `    func load() async {
        items = (try? await client.get("/catalog")) ?? []
    }`,
          ),
          edit(VIEW_MODEL, 'final class CatalogViewModel', '@MainActor\nfinal class CatalogViewModel'),
        ],
        [fail('swift test', 'テスト', 'more than once')],
        [
          say(
            '最初はテスト側のモックが二度呼んでいるのかと思いましたが、違いました。ScanKit は 8 秒のタイムアウト後に読み取りが終わると、エラーと結果でハンドラを二回呼びます。コールバックでは無害でしたが、継続は二度再開するとクラッシュします。一度だけ通すようにします。',
          ),
          edit(
            SCANNER,
            '            SKScanner.start(timeout: 8) { code, error in\n',
            '            // ScanKit calls twice when a scan ends after the timeout; always on its own serial queue.\n            var resumed = false\n            SKScanner.start(timeout: 8) { code, error in\n                if resumed { return }\n                resumed = true\n',
          ),
          run('swift test', 'テスト', 'Executed 87 tests, with 0 failures'),
        ],
        [
          say(`Net 層の書き換えが終わりました。テスト 87 件すべて成功です。

- \`APIClient.get\` と \`ScannerBridge.scan\` が async になりました。
- \`charge\` の completion 版はそのまま残しています。
- **注意:** ScanKit はタイムアウト(8 秒)のあとに読み取りが完了すると、ハンドラを二回呼びます。\`withCheckedThrowingContinuation\` は二度目の再開でクラッシュするので、\`resumed\` フラグで最初の一回だけ通しています。ほかの SDK を継続で包むときも同じ確認が必要です。
- スレッドの取り違えを避けるため、\`APIClient\` 全体に \`@MainActor\` を付けました。

TokenStore はまだ古いままです。次に進めましょうか?`),
        ],
        [
          say('承知しました。@MainActor を外してから TokenStore に移ります。'),
          edit(CLIENT, '@MainActor\nfinal class APIClient', 'final class APIClient'),
          read(TOKEN),
          read(TESTS),
        ],
        [
          write(
            TOKEN,
            `import Foundation

actor TokenStore {
    private var token: Token

    func valid() async throws -> Token {
        if token.isFresh { return token }
        token = try await refresh()
        return token
    }
}
`,
          ),
          edit(
            TESTS,
            '    func testFresh() async {}\n',
            '    func testFresh() async {}\n    /// Five concurrent callers, one refresh.\n    func testConcurrent() async {}\n    // concurrent\n',
          ),
          fail('swift test', 'テスト', 'expected 1 refresh, got 5'),
        ],
        [
          say(
            'アクターでも await の間は別の呼び出しが入ってきます(再入)。更新中の Task を持たせて相乗りさせます。',
          ),
          edit(
            TOKEN,
            '        token = try await refresh()\n        return token\n',
            `        // An actor lets others in during await: they join the refresh under way.
        if let refreshing { return try await refreshing.value }
        let task = Task { try await refresh() }
        refreshing = task
        defer { refreshing = nil }
        token = try await task.value
        return token
`,
          ),
          edit(
            TOKEN,
            '    private var token: Token\n',
            '    private var token: Token\n    private var refreshing: Task<Token, Error>?\n',
          ),
          run('swift test', 'テスト', '0 failures'),
        ],
        [
          say(`\`TokenStore\` を actor にし、\`APIClient\` の \`@MainActor\` は外しました。MainActor が付いているのは \`CatalogViewModel\` だけです。

**再入の罠:** actor は await の間に別の呼び出しを受け付けるため、単純に書くと 5 つの同時呼び出しで更新が 5 回走りました。以前は DispatchQueue が直列化していたので起きなかった問題です。認証サーバーは使用済みのリフレッシュトークンが再び来ると全セッションを失効させるので、実機では利用者が突然ログアウトします。更新中の \`Task\` を \`refreshing\` に保持し、後から来た呼び出しはそれを待つようにしました。

NSLock で守る案は見送りました。await をまたいでロックを持つとデッドロックの恐れがあり、Swift 6 ではエラーになります。

ほかに気になる点があればお知らせください。`),
        ],
        [
          run(
            'git add Sources/Net Tests && git commit -qm "Net: コールバックを async/await に置き換え、TokenStore を actor に" && git add Sources/Scan && git commit -qm "Scan: scan を async に、二重再開を防ぐ" && git add Sources/UI && git commit -qm "UI: CatalogViewModel を async に" && git log --oneline -3',
            'モジュールごとにコミット',
            'UI: CatalogViewModel',
          ),
          run('git status --short | wc -l', '残りの変更', '0'),
        ],
        [
          say(
            'モジュールごとに 3 件(Net、Scan、UI)、日本語のメッセージでコミットしました。一つ補足です。Net だけのコミットでは UI がまだ旧 API を呼んでいるためビルドが通りません。git bisect で途中のコミットに当たったら skip してください。お疲れさまでした。',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['preference', 'decision', 'gotcha'], says: [/charge/, /completion/, /Objective-C|レジ|決済/] },
      { type: ['preference', 'decision'], says: [/iOS 15/, /外部ライブラリ/] },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/MainActor/, /ViewModel|APIClient/, /4 MB|300 ms|ルール/],
      },
      {
        type: ['gotcha', 'discovery', 'bugfix'],
        says: [/ScanKit/, /二回|二度/, /継続|クラッシュ|Continuation/],
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'how-it-works', 'refactor'],
        says: [/actor|アクター/, /await/, /再入|5 回|別の呼び出し/],
      },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/リフレッシュトークン/, /失効|ログアウト/] },
      { type: ['refactor', 'change'], says: [/TokenStore|APIClient/, /actor|async/], files: [TOKEN] },
      { type: ['preference'], says: [/日本語/, /1 コミット 1 モジュール/] },
    ],
    niceToHave: [
      { type: ['decision', 'gotcha'], says: [/NSLock/, /デッドロック|見送/] },
      { type: ['gotcha', 'discovery', 'change'], says: [/bisect/, /ビルド|skip/] },
      { type: ['refactor', 'change'], says: [/get/, /scan/, /async/] },
      { type: ['bugfix', 'refactor', 'change', 'decision'], says: [/refreshing/, /Task/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/async\/await/],
        completed: [/async/],
        filesModified: [CLIENT, SCANNER, VIEW_MODEL],
      },
      {
        prompt: 2,
        request: [/TokenStore|MainActor/],
        completed: [/TokenStore|actor/],
        filesModified: [TOKEN],
      },
      { prompt: 3, request: [/コミット/], completed: [/コミット/] },
    ],
    noise: [
      'お疲れさまでした',
      '次に進めましょうか',
      'まず呼び出し側を含めて',
      'お知らせください',
      '承知しました',
    ],
    untrue: [
      /APIClient.{0,4}全体に.{0,4}@MainActor.{0,4}を付けました/,
      /TokenStore はまだ古いまま/,
      /モックが二度呼んでいる(?!のかと思いました)/,
    ],
    followUps: [
      { asks: '使われていない completion 付きのメソッドを全部消して', says: [/charge/, /レジ|Objective-C/] },
      {
        asks: 'UI 更新の警告が出るので通信クラスごとメインスレッドに載せてもいい?',
        says: [/MainActor/, /300 ms|ViewModel/],
      },
      {
        asks: 'バーコードの読み取りでたまにアプリが落ちていた件、原因は何だった?',
        says: [/ScanKit/, /二回|二度/],
      },
      { asks: '在庫キャッシュも actor で書きます。気をつけることは?', says: [/再入|await/] },
      { asks: 'この変更をコミットしておいて', says: [/日本語/, /モジュール/] },
    ],
    unrelated: [
      'アプリのアイコンを新しいロゴに差し替えて',
      'Xcode Cloud の無料枠は月に何時間ですか?',
      '利用規約ページの文言を法務の新しい版に更新して',
    ],
  },
};
