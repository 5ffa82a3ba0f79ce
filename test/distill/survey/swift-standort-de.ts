import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const LOCATOR = 'Sources/Touren/LocationService.swift';
const MODEL = 'Sources/Touren/TourViewModel.swift';
const TEST = 'Tests/TourenTests/TourViewModelTests.swift';

export const swiftStandortDe: SurveySession = {
  name: 'swift standort de',
  about: 'Ein Singleton wird durch eine übergebene Abhängigkeit ersetzt; die Person lenkt um.',
  kind: 'refactoring',
  language: 'de',
  ecosystem: 'swift',
  files: {
    'Package.swift': '// swift-tools-version: 5.10\n',
    [LOCATOR]: `import CoreLocation

final class LocationService {
    static let shared = LocationService()
    private let manager = CLLocationManager()
    var last: CLLocation? { manager.location }
}
`,
    [MODEL]: `import Foundation

final class TourViewModel {
    func distanceToStart(of tour: Tour) -> Double? {
        LocationService.shared.last?.distance(from: tour.start)
    }
}
`,
    'Sources/Touren/RecorderViewModel.swift': `final class RecorderViewModel {
    func record() { track.append(LocationService.shared.last) }
}
`,
    'Sources/Widget/NextTourWidget.swift': `struct NextTourProvider {
    func entry() -> Entry { Entry(distance: LocationService.shared.last) }
}
`,
  },
  programs: {
    swift: `#!/bin/sh
if grep -q 'init(locator' Sources/Touren/TourViewModel.swift; then
  echo 'Executed 27 tests, with 0 failures in 1.9 seconds'
else
  echo 'Executed 25 tests, with 0 failures in 41.3 seconds'
fi
`,
  },
  prompts: [
    'LocationService.shared macht uns die Tests kaputt, die hängen jedes Mal an der Berechtigungsabfrage vom Simulator. Bitte raus mit dem Singleton, Abhängigkeit übergeben.',
    'Stopp, beim Widget bitte nicht. Die Extension läuft in einem eigenen Prozess mit 30 MB Speicherlimit, da baut uns niemand ein Objekt rein. Dort soll shared bleiben. Und nenn das Protokoll bitte Locating, nicht LocationProviding, wir benennen Protokolle nach Fähigkeiten auf -ing.',
  ],
  script: (dir) => {
    const { run, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('Ich suche zuerst alle Stellen, die das Singleton benutzen.'),
          run('grep -rln "LocationService.shared" Sources', 'Verwendungen suchen', 'NextTourWidget.swift'),
          read(LOCATOR),
          read(MODEL),
          read('Sources/Touren/RecorderViewModel.swift'),
        ],
        [
          edit(
            LOCATOR,
            'final class LocationService {',
            'protocol LocationProviding {\n    var last: CLLocation? { get }\n}\n\nfinal class LocationService: LocationProviding {',
          ),
          edit(
            MODEL,
            'final class TourViewModel {\n',
            'final class TourViewModel {\n    private let locator: LocationProviding\n    init(locator: LocationProviding) { self.locator = locator }\n\n',
          ),
          edit(MODEL, 'LocationService.shared.last', 'locator.last'),
        ],
        [
          say(
            'Drei Stellen benutzen das Singleton: TourViewModel, RecorderViewModel und das Widget. TourViewModel ist umgestellt, als Nächstes würde ich Recorder und Widget umbauen und `shared` danach löschen.',
          ),
        ],
        [
          say('Verstanden, das Widget lasse ich in Ruhe.'),
          edit(LOCATOR, 'protocol LocationProviding {', 'protocol Locating {'),
          edit(LOCATOR, 'LocationService: LocationProviding', 'LocationService: Locating'),
          edit(MODEL, 'private let locator: LocationProviding', 'private let locator: Locating'),
          edit(MODEL, 'init(locator: LocationProviding)', 'init(locator: Locating)'),
          edit(
            'Sources/Touren/RecorderViewModel.swift',
            '    func record() { track.append(LocationService.shared.last) }',
            '    private let locator: Locating\n    init(locator: Locating) { self.locator = locator }\n    func record() { track.append(locator.last) }',
          ),
        ],
        [
          write(
            TEST,
            `struct FixedLocator: Locating { let last: CLLocation? }

final class TourViewModelTests: XCTestCase {
    func testDistanceIsNilWithoutALocation() {
        XCTAssertNil(TourViewModel(locator: FixedLocator(last: nil)).distanceToStart(of: .watzmann))
    }
}
`,
          ),
          run('swift test', 'Tests laufen lassen', '0 failures in 1.9 seconds'),
        ],
        [
          say(`Fertig. TourViewModel und RecorderViewModel bekommen ihren Ortungsdienst jetzt über den Initialisierer als \`Locating\`; in Tests reicht \`FixedLocator\`. Das Widget greift weiter auf \`LocationService.shared\` zu, ich habe an \`shared\` einen Kommentar mit dem Grund vorgesehen, aber noch nicht geschrieben.

Die Tests brauchen 1,9 statt 41 Sekunden, weil kein CLLocationManager mehr entsteht und der Simulator deshalb nicht nach der Berechtigung fragt.

Offen: \`AppDelegate\` erzeugt die ViewModels noch nicht mit dem neuen Parameter, das liegt im Xcode-Projekt außerhalb dieses Pakets und muss dort vor dem nächsten App-Build angepasst werden.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['change', 'refactor', 'decision'],
        says: [/TourViewModel/, /RecorderViewModel/, 'Locating'],
        files: [MODEL],
        prompt: 2,
      },
      {
        type: ['decision', 'preference', 'gotcha'],
        says: [/Widget|Extension/, /shared/, /30 MB|eigenen Prozess/],
        prompt: 2,
      },
      { type: ['preference', 'decision'], says: [/Protokoll/, /-ing|Fähigkeiten/], prompt: 2 },
      { type: ['discovery', 'gotcha', 'change'], says: ['AppDelegate', /Xcode-Projekt|Parameter/] },
    ],
    niceToHave: [
      {
        type: ['discovery', 'change', 'refactor', 'gotcha', 'how-it-works'],
        says: [/1,9|41 Sekunden/, /CLLocationManager|Berechtigung/],
      },
      { type: ['how-it-works', 'change', 'refactor', 'discovery'], says: ['FixedLocator'] },
    ],
    summaries: [
      { prompt: 1, request: ['LocationService.shared'], filesModified: [MODEL, LOCATOR] },
      {
        prompt: 2,
        request: ['Widget', 'Locating'],
        completed: ['Locating'],
        nextSteps: ['AppDelegate'],
        filesModified: [LOCATOR, 'Sources/Touren/RecorderViewModel.swift', TEST],
      },
    ],
    noise: [
      'Ich suche zuerst alle Stellen',
      'Verstanden, das Widget lasse ich',
      'Executed 27 tests',
      'Stopp,',
    ],
    untrue: [
      /shared (wurde|ist) (gelöscht|entfernt)/,
      /Widget (wurde|ist) (umgestellt|umgebaut)/,
      /würde ich Recorder und Widget umbauen/,
    ],
    followUps: [
      {
        asks: 'warum benutzt das Widget noch LocationService.shared, kann das weg?',
        says: [/30 MB|eigenen Prozess/],
      },
      {
        asks: 'ich lege ein Protokoll für den Höhenmesser an, wie soll es heißen?',
        says: [/-ing|Fähigkeiten/],
      },
      { asks: 'App-Build bricht ab: missing argument for parameter locator', says: ['AppDelegate'] },
      { asks: 'Wie teste ich ein ViewModel ohne echtes GPS?', says: [/FixedLocator|Locating/] },
    ],
    unrelated: [
      'Bitte die Farben für den Dark Mode anpassen',
      'Die Texte im App Store auf Englisch übersetzen',
      'Wie exportiere ich eine GPX-Datei?',
    ],
  },
};
