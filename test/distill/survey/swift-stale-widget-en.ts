import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const PROVIDER = 'Widget/StepsProvider.swift';
const STORE = 'Shared/StepsStore.swift';
const TEST = 'WidgetTests/StepsProviderTests.swift';

export const swiftStaleWidgetEn: SurveySession = {
  name: 'swift-stale-widget-en',
  about:
    'The widget shows yesterday’s steps: not the refresh budget but UserDefaults.standard instead of the app group; the person interrupts the full test run.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'swift',
  files: {
    [STORE]: `import Foundation

struct StepsStore {
    static let group = "group.app.strider"
    let defaults: UserDefaults

    init(defaults: UserDefaults = .standard) { self.defaults = defaults }

    var today: Int {
        get { defaults.integer(forKey: "steps.today") }
        nonmutating set { defaults.set(newValue, forKey: "steps.today") }
    }
}
`,
    [PROVIDER]: `import WidgetKit

struct StepsProvider: TimelineProvider {
    func getTimeline(in context: Context, completion: @escaping (Timeline<StepsEntry>) -> Void) {
        let entry = StepsEntry(date: .now, steps: StepsStore().today)
        completion(Timeline(entries: [entry], policy: .after(.now.addingTimeInterval(5 * 60))))
    }
}
`,
    'App/StepsView.swift': `import SwiftUI
import WidgetKit

struct StepsView: View {
    let store = StepsStore(defaults: UserDefaults(suiteName: StepsStore.group)!)
    var body: some View { Text("\\(store.today)").onAppear { WidgetCenter.shared.reloadAllTimelines() } }
}
`,
    [TEST]: `import XCTest

final class StepsProviderTests: XCTestCase {
    func testEntryHasStepsOfTheAppGroup() {}
}
`,
    'Config/Widget.entitlements':
      '<plist><dict><key>com.apple.security.application-groups</key><array/></dict></plist>\n',
  },
  programs: {
    xcodebuild: `#!/bin/sh
case "$*" in
  *only-testing:WidgetTests*)
    if grep -q 'defaults: UserDefaults = .standard' Shared/StepsStore.swift; then
      echo 'Test Case StepsProviderTests.testEntryHasStepsOfTheAppGroup failed: ("0") is not equal to ("4210")'
      echo '** TEST FAILED **'; exit 65
    fi
    echo 'Executed 1 test, with 0 failures'; echo '** TEST SUCCEEDED **' ;;
  *)
    echo 'Test Suite All tests started'; touch .suite-started; sleep 60 ;;
esac
`,
  },
  prompts: [
    "Home screen widget shows yesterday's step count until you open the app, sometimes longer. Two users complained this week. Can you fix it?",
    "Stop, never run the whole scheme, the UI tests take 40 minutes and steal the simulator. Only WidgetTests. And it can't be the refresh budget: I logged getTimeline and it IS called, it just returns the old number",
    'Works on my phone now. Commit it, then stop, I want to do the App Store notes myself',
  ],
  how: { cut: 'interrupted', when: '.suite-started' },
  script: (dir) => {
    const { run, fail, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [say('Looking at the timeline provider first.'), read(PROVIDER)],
        [
          say(
            'The provider asks for a new timeline every 5 minutes. iOS only grants roughly 40 to 70 refreshes a day, so my guess is that the budget is used up by noon and the widget stays stale. Raising the interval to 30 minutes should help.',
          ),
          edit(PROVIDER, '5 * 60', '30 * 60'),
        ],
        [cut('xcodebuild test -scheme Strider', 'Run all tests')],
        [
          say(
            "Understood. If the timeline runs and still gets the old number, it's reading from the wrong place.",
          ),
          read(STORE),
          read('App/StepsView.swift'),
          read('Config/Widget.entitlements'),
        ],
        [
          fail(
            'xcodebuild test -scheme Strider -only-testing:WidgetTests',
            'Only the widget tests',
            'is not equal to ("4210")',
          ),
        ],
        [
          say(
            "There it is. The app writes through `UserDefaults(suiteName: group.app.strider)`, the widget calls `StepsStore()` and so falls back to `.standard`. An extension's `.standard` is its own sandbox, not the app's, so the widget kept showing whatever an old version had left there. On top, the widget target's entitlements list no app group at all. I'm removing the default argument so nobody can forget the suite again, and putting the interval back to what it was.",
          ),
          edit(
            STORE,
            '    init(defaults: UserDefaults = .standard) { self.defaults = defaults }',
            '    init() { defaults = UserDefaults(suiteName: Self.group)! }',
          ),
          edit(PROVIDER, '30 * 60', '5 * 60'),
          edit('Config/Widget.entitlements', '<array/>', '<array><string>group.app.strider</string></array>'),
          edit(
            'App/StepsView.swift',
            'StepsStore(defaults: UserDefaults(suiteName: StepsStore.group)!)',
            'StepsStore()',
          ),
        ],
        [
          run(
            'xcodebuild test -scheme Strider -only-testing:WidgetTests',
            'Widget tests again',
            'TEST SUCCEEDED',
          ),
        ],
        [
          say(
            "Fixed: `StepsStore` now always uses the app group, for the app and the widget, and the widget target has the entitlement. The provisioning profile for the widget needs the group too, otherwise the suite is silently nil on device and the force unwrap crashes; in the simulator you won't notice. Could you try it on a phone?",
          ),
        ],
        [
          run(
            'git add -A Shared Widget App Config && git commit -qm "Read widget steps from the app group" && git log --oneline -1',
            'Commit',
            'Read widget steps',
          ),
        ],
        [say('Committed. Enjoy writing the release notes!')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha'],
        says: [/\.standard/, /suiteName|app group|group\.app\.strider/],
        prompt: 2,
      },
      {
        type: 'preference',
        says: [/WidgetTests/, /whole scheme|UI tests|40 minutes/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/provisioning profile/, /device|nil|crash/],
        prompt: 2,
      },
      {
        type: ['bugfix', 'change'],
        says: [/StepsStore/],
        files: [STORE],
        prompt: 2,
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/getTimeline|budget/, /called|old number/], prompt: 2 },
      { type: ['gotcha', 'bugfix', 'discovery'], says: [/entitlement/], prompt: 2 },
    ],
    summaries: [
      { prompt: 1, optional: true, request: [/widget/] },
      {
        prompt: 2,
        request: [/WidgetTests|getTimeline|whole scheme/],
        learned: [/\.standard|app group/],
        completed: [/app group|StepsStore/],
        filesModified: [STORE],
      },
      { prompt: 3, optional: true, request: [/commit/] },
    ],
    noise: [
      'Looking at the timeline provider first',
      'There it is',
      'Raising the interval to 30 minutes should help',
      'Could you try it on a phone',
      'Enjoy writing the release notes',
      'TEST FAILED',
    ],
    untrue: [
      /(cause|reason) (was|is) (that )?the (refresh )?budget/,
      /interval (is now|was raised to|raised to) 30 minutes/,
      /(?<!not )(all|full) (scheme )?tests (pass|passed)/,
    ],
    followUps: [
      {
        asks: 'adding a watch complication, how do I get at the number the app stored?',
        says: [/app group|suiteName|group\.app\.strider/],
      },
      {
        asks: 'extension crashes on launch on a real iPhone but is fine in the simulator',
        says: [/provisioning profile/],
      },
      { asks: 'quick sanity check before I push: xcodebuild test for everything?', says: [/WidgetTests/] },
      { asks: 'would a longer refresh interval help with outdated widgets?', says: [/\.standard|called/] },
    ],
    unrelated: [
      'localize the onboarding screens into Spanish',
      'add haptic feedback to the goal slider',
      'the weekly chart needs dark mode colors',
    ],
  },
};
