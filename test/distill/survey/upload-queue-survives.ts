import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const QUEUE = 'Sources/UploadCore/UploadQueue.swift';
const STORE = 'Sources/UploadCore/QueueStore.swift';
const TESTS = 'Tests/UploadCoreTests/UploadQueueTests.swift';
const PACKAGE = 'Package.swift';

const STORE_TEXT = `import Foundation

/// Keeps pending uploads on disk, one file per item.
struct QueueStore {
    let folder: URL

    func save(_ item: PendingUpload) throws {
        let stamp = Int(Date().timeIntervalSince1970 * 1000)
        let file = folder.appendingPathComponent("\\(stamp).json")
        try JSONEncoder().encode(item).write(to: file, options: [.atomic, .completeFileProtection])
    }

    func load() throws -> [PendingUpload] {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { try JSONDecoder().decode(PendingUpload.self, from: Data(contentsOf: $0)) }
    }
}
`;

export const uploadQueueSurvives: SurveySession = {
  name: 'upload queue survives',
  about: 'A queue that survives a relaunch, by an agent of few words who decides between the calls.',
  kind: 'feature',
  language: 'en',
  ecosystem: 'swift',
  files: {
    [PACKAGE]: `// swift-tools-version:5.10
import PackageDescription

let package = Package(
    name: "FieldNotes",
    platforms: [.iOS(.v16), .watchOS(.v9), .macOS(.v13)],
    targets: [
        .target(name: "UploadCore"),
        .testTarget(name: "UploadCoreTests", dependencies: ["UploadCore"]),
    ]
)
`,
    [QUEUE]: `import Foundation

public struct PendingUpload: Codable, Equatable {
    public let id: UUID
    public let note: String
    public let photo: URL?
}

public actor UploadQueue {
    private var items: [PendingUpload] = []

    public init() {}

    public func enqueue(_ item: PendingUpload) {
        items.append(item)
    }

    public func next() -> PendingUpload? {
        items.first
    }
}
`,
    [TESTS]: `import XCTest
@testable import UploadCore

final class UploadQueueTests: XCTestCase {
    func testFirstInFirstOut() async {
        let queue = UploadQueue()
        await queue.enqueue(PendingUpload(id: UUID(), note: "a", photo: nil))
        let next = await queue.next()
        XCTAssertEqual(next?.note, "a")
    }
}
`,
  },
  programs: {
    swift: `#!/bin/sh
case "$1" in
  build) echo "Build complete! (4.31s)" ;;
  test)
    if [ ! -f ${STORE} ]; then echo "Executed 1 test, with 0 failures (0 unexpected) in 0.004 seconds"; exit 0; fi
    if grep -q timeIntervalSince1970 ${STORE}; then
      echo 'UploadQueueTests.swift:24: error: testOrderSurvivesRelaunch : XCTAssertEqual failed: ("["n0", "n2", "n1", "n3"]") is not equal to ("["n0", "n1", "n2", "n3"]")'
      echo "Executed 3 tests, with 1 failure (0 unexpected) in 0.021 seconds"; exit 1
    fi
    if grep -q 'limit = 200' ${QUEUE} && grep -q testCapDropsTheOldest ${TESTS}; then n=4; else n=3; fi
    echo "Executed $n tests, with 0 failures (0 unexpected) in 0.019 seconds" ;;
  *) echo "swift-driver version: 1.90.11.1 Apple Swift version 5.10" ;;
esac
`,
  },
  prompts: [
    'pending uploads are gone when iOS kills the app. make the queue survive a relaunch, keep 500 items max. no new dependencies in UploadCore btw, the watch app embeds it',
    'nice. cap of 200 please, 500 fills up the old iPads of the rangers. and drop the oldest when full, the newest sighting is the one that counts',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [read(QUEUE), read(TESTS), read(PACKAGE)],
        [
          say(
            'One JSON file per item in Application Support. Not UserDefaults: it rewrites the whole array on every enqueue, and a kill before the flush loses all of it.',
          ),
          run('swift test', 'Baseline', '0 failures'),
          write(STORE, STORE_TEXT),
        ],
        [
          edit(
            QUEUE,
            '    private var items: [PendingUpload] = []\n\n    public init() {}\n\n    public func enqueue(_ item: PendingUpload) {\n        items.append(item)\n    }',
            `    static let limit = 500
    private let store: QueueStore
    private var items: [PendingUpload]

    public init(folder: URL) throws {
        store = QueueStore(folder: folder)
        items = try store.load()
    }

    public func enqueue(_ item: PendingUpload) throws {
        guard items.count < Self.limit else { return }
        try store.save(item)
        items.append(item)
    }`,
          ),
          edit(
            TESTS,
            'final class UploadQueueTests: XCTestCase {\n',
            `final class UploadQueueTests: XCTestCase {
    func testSurvivesRelaunch() async throws {
        let folder = try scratchFolder()
        try await UploadQueue(folder: folder).enqueue(note("a"))
        let next = try await UploadQueue(folder: folder).next()
        XCTAssertEqual(next?.note, "a")
    }

    func testOrderSurvivesRelaunch() async throws {
        let folder = try scratchFolder()
        let queue = try UploadQueue(folder: folder)
        for i in 0..<4 { try await queue.enqueue(note("n\\(i)")) }
        let notes = try QueueStore(folder: folder).load().map(\\.note)
        XCTAssertEqual(notes, ["n0", "n1", "n2", "n3"])
    }

    private func note(_ text: String) -> PendingUpload {
        PendingUpload(id: UUID(), note: text, photo: nil)
    }

    private func scratchFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

`,
          ),
          edit(
            TESTS,
            '    func testFirstInFirstOut() async {\n        let queue = UploadQueue()\n        await queue.enqueue(PendingUpload(id: UUID(), note: "a", photo: nil))',
            '    func testFirstInFirstOut() async throws {\n        let queue = try UploadQueue(folder: scratchFolder())\n        try await queue.enqueue(note("a"))',
          ),
          fail('swift test', 'Tests', 'testOrderSurvivesRelaunch'),
        ],
        [
          say(
            'Timestamps collide: two notes within one millisecond come back swapped or overwrite each other. File names get a zero-padded sequence number instead.',
          ),
          edit(
            STORE,
            '    func save(_ item: PendingUpload) throws {\n        let stamp = Int(Date().timeIntervalSince1970 * 1000)\n        let file = folder.appendingPathComponent("\\(stamp).json")\n',
            '    func save(_ item: PendingUpload, sequence: Int) throws {\n        let file = folder.appendingPathComponent(String(format: "%010d.json", sequence))\n',
          ),
          edit(
            QUEUE,
            '        try store.save(item)\n',
            '        try store.save(item, sequence: sequence)\n        sequence += 1\n',
          ),
          edit(
            QUEUE,
            '    private var items: [PendingUpload]\n',
            '    private var items: [PendingUpload]\n    private var sequence = 0\n',
          ),
          run('swift test', 'Tests', '0 failures'),
        ],
        [
          say(
            '`.completeFileProtection` is wrong here: the background session runs while the device is locked and could not read its own queue. Taking completeUntilFirstUserAuthentication.',
          ),
          edit(STORE, '.completeFileProtection]', '.completeFileProtectionUntilFirstUserAuthentication]'),
          run(
            'grep -n "sequence" Sources/UploadCore/UploadQueue.swift',
            'Where does the sequence start',
            'sequence = 0',
          ),
        ],
        [
          say(
            'Sequence starts at 0 after every launch, so a relaunch would overwrite the oldest waiting item. Must continue after the highest file on disk; the tests did not catch that.',
          ),
          edit(
            QUEUE,
            '        items = try store.load()\n',
            '        items = try store.load()\n        sequence = try store.highestSequence() + 1\n',
          ),
          edit(
            STORE,
            '    func load() throws',
            `    func highestSequence() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .compactMap { Int($0.replacingOccurrences(of: ".json", with: "")) }
            .max() ?? -1
    }

    func load() throws`,
          ),
          run('swift build && swift test', 'Build and test', '0 failures'),
        ],
        [
          run(
            'git add -A && git commit -qm "Keep pending uploads on disk" && git log --oneline | head -1',
            'Commit',
            'Keep pending',
          ),
        ],
        [say('Done. The queue survives a relaunch. 3 tests pass.')],

        [
          read(QUEUE),
          edit(QUEUE, 'static let limit = 500', 'static let limit = 200'),
          edit(
            QUEUE,
            '        guard items.count < Self.limit else { return }\n',
            '        if items.count >= Self.limit { try store.removeOldest(); items.removeFirst() }\n',
          ),
        ],
        [
          say(
            'The old guard refused the newest silently, the opposite of what you want. One gap stays: the photo of a dropped item is not deleted, because the gallery may still show it.',
          ),
          read(STORE),
          edit(
            STORE,
            '    func highestSequence()',
            `    func removeOldest() throws {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let oldest = files.min { $0.lastPathComponent < $1.lastPathComponent }
        if let oldest { try FileManager.default.removeItem(at: oldest) }
    }

    func highestSequence()`,
          ),
          edit(
            TESTS,
            '    func testSurvivesRelaunch()',
            `    func testCapDropsTheOldest() async throws {
        let queue = try UploadQueue(folder: scratchFolder())
        for i in 0...200 { try await queue.enqueue(note("n\\(i)")) }
        let next = await queue.next()
        XCTAssertEqual(next?.note, "n1")
    }

    func testSurvivesRelaunch()`,
          ),
          run('swift test', 'Tests', 'Executed 4 tests'),
        ],
        [
          run(
            'git commit -qam "Cap the queue at 200, drop the oldest" && git log --oneline | head -1',
            'Commit',
            'Cap the queue',
          ),
        ],
        [say('Cap is 200. Oldest goes first.')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['decision'],
        says: [/UserDefaults/, /one JSON file per item|rewrites the whole array/],
        prompt: 1,
      },
      {
        type: 'preference',
        says: [/no new dependencies/, /UploadCore|watch/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'decision', 'bugfix', 'discovery'],
        says: [/completeUntilFirstUserAuthentication|completeFileProtection/, /locked/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'bugfix', 'decision', 'discovery'],
        says: [/timestamps|millisecond/, /sequence|swapped/],
        prompt: 1,
      },
      {
        type: ['decision', 'preference', 'change'],
        says: [/200/, /oldest/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: [/photo/, /not deleted/],
        prompt: 2,
      },
    ],
    niceToHave: [
      {
        type: ['gotcha', 'bugfix', 'discovery'],
        says: [/sequence/, /overwrite/, /relaunch|launch/],
        prompt: 1,
      },
      {
        type: ['feature', 'change'],
        says: [/queue/, /survives a relaunch|pending uploads on disk|on disk/],
        files: [STORE],
        prompt: 1,
      },
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/guard/, /newest/],
        prompt: 2,
      },
      {
        type: ['preference', 'decision', 'discovery'],
        says: [/500/, /iPads/],
        prompt: 2,
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/survive a relaunch|pending uploads/],
        completed: [/survives|on disk/],
        filesModified: [QUEUE, STORE],
      },
      {
        prompt: 2,
        request: ['200'],
        completed: ['200'],
        filesModified: [QUEUE],
      },
    ],
    noise: [
      '3 tests pass',
      'Where does the sequence start',
      'Build complete!',
      'XCTAssertEqual failed',
      'Executed 4 tests',
      'static let limit = 500',
    ],
    untrue: [
      /(stored|kept|saved|persisted) in UserDefaults/,
      /(cap|limit|max(imum)?)( is| of|:)? 500(?! fills)/,
      /file names (are|get|use) (a )?timestamps?/,
    ],
    followUps: [
      {
        asks: "couldn't we simplify persistence and put the waiting notes into the app's preferences?",
        says: [/UserDefaults/],
      },
      {
        asks: 'add GRDB to the core target for the history screen',
        says: [/no new dependencies/],
      },
      {
        asks: 'security review wants the strictest file encryption class for everything we write, any objection?',
        says: [/locked/],
      },
      {
        asks: 'a ranger was offline for two weeks and her first sightings are missing, is that a bug?',
        says: [/200/, /oldest/],
      },
      {
        asks: 'images pile up on the tablets although their notes are long gone from the queue',
        says: [/photo/, /not deleted/],
      },
      {
        asks: 'can I name the files in the outbox after their creation time? easier to debug',
        says: [/millisecond|collide/],
      },
    ],
    unrelated: [
      'raise the minimum iOS version to 17',
      'write a test for the species picker',
      'the map tiles look blurry on the watch, please have a look',
    ],
  },
};
