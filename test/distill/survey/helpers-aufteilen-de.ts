import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const HELPERS = 'abrechnung/helpers.py';
const LAUF = 'abrechnung/lauf.py';
const PREISE = 'abrechnung/preise.py';
const RUNDUNG = 'abrechnung/rundung.py';
const ZEITRAUM = 'abrechnung/zeitraum.py';
const TESTS = 'tests/test_abrechnung.py';
const PYPROJECT = 'pyproject.toml';

const NETZGEBIETE = `NETZGEBIETE = {
    "nord": {"netzbetreiber": "Nordnetz Elbe", "arbeitspreis": "0.0865"},
    "sued": {"netzbetreiber": "Süd Stromnetze", "arbeitspreis": "0.0915"},
    "west": {"netzbetreiber": "Westring Netz", "arbeitspreis": "0.0745"},
}
`;

const CENT = 'CENT = Decimal("0.01")\n';

const PREIS = `@dataclass(frozen=True)
class Preis:
    betrag: Decimal
    waehrung: str = "EUR"
`;

const RUNDE = `def runde(betrag):
    return betrag.quantize(CENT, rounding=ROUND_HALF_UP)
`;

const RUNDE_NETZ = `def runde_netz(betrag):
    return betrag.quantize(CENT, rounding=ROUND_HALF_EVEN)
`;

const TAGE = `def tage(von, bis):
    """bis ist exklusiv"""
    return (bis - von).days
`;

const ENTGELT = `def netzentgelt(gebiet, kwh):
    return Preis(runde_netz(Decimal(NETZGEBIETE[gebiet]["arbeitspreis"]) * kwh))
`;

const IMPORTS = `from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
`;

const HELPERS_BEFORE = [IMPORTS, `${CENT}\n${NETZGEBIETE}`, PREIS, RUNDE, RUNDE_NETZ, TAGE, ENTGELT].join(
  '\n\n',
);

const VORLAUF =
  'gAJjYWJyZWNobnVuZy5oZWxwZXJzClByZWlzCnEAKYFxAX1xAihYBgAAAGJldHJhZ3EDY2RlY2ltYWwKRGVjaW1hbApxBFgFAAAAMTEuMjRxBYVxBlJxB1gIAAAAd2FlaHJ1bmdxCFgDAAAARVVScQl1Yi4=';

const TESTS_BEFORE = `import base64
import pickle
import unittest
from datetime import date
from decimal import Decimal
from pathlib import Path

from abrechnung.lauf import grundpreis, netz


class AbrechnungTest(unittest.TestCase):
    def test_netzentgelt(self):
        self.assertEqual(netz("nord", 110).betrag, Decimal("9.52"))

    def test_grundpreis_anteilig(self):
        self.assertEqual(grundpreis(Decimal("0.30"), date(2025, 1, 1), date(2025, 2, 1)), Decimal("9.30"))

    def test_vorlauf_ist_lesbar(self):
        roh = Path(__file__).with_name("vorlauf.b64").read_text()
        self.assertEqual(pickle.loads(base64.b64decode(roh)).betrag, Decimal("11.24"))
`;

export const helpersAufteilenDe: SurveySession = {
  name: 'helpers-aufteilen-de',
  about:
    'A catch-all module is split up; two roundings that look alike must stay two, and old pickles know the old path.',
  kind: 'refactoring',
  language: 'de',
  ecosystem: 'python',
  files: {
    'abrechnung/__init__.py': '',
    [HELPERS]: HELPERS_BEFORE,
    [LAUF]: `from abrechnung.helpers import netzentgelt, runde, tage


def netz(gebiet, kwh):
    return netzentgelt(gebiet, kwh)


def grundpreis(pro_tag, von, bis):
    return runde(pro_tag * tage(von, bis))
`,
    'tests/__init__.py': '',
    [TESTS]: TESTS_BEFORE,
    'tests/vorlauf.b64': `${VORLAUF}\n`,
    [PYPROJECT]: `[project]
name = "abrechnung"
version = "4.2.0"

[tool.setuptools]
packages = ["abrechnung"]
`,
    '.gitignore': '__pycache__/\n',
  },
  prompts: [
    'abrechnung/helpers.py ist ein sammelsurium, bitte aufteilen in rundung.py, zeitraum.py und preise.py. das meiste hängt am preis, also helpers per git mv nach preise.py damit blame erhalten bleibt. verhalten darf sich nicht ändern. ach so: fachbegriffe bleiben bei uns deutsch, bitte keine englischen namen einführen',
    'ne, die beiden runde-funktionen bitte NICHT zusammenlegen! Die Netzbetreiber rechnen ihre Entgelte mit half-even, wenn wir da 1 cent abweichen fliegt die Rechnung durch die INVOIC-Prüfung. Rest passt. und zu deiner Frage: Vorläufe liegen 24 Monate im Archiv, der Alias muss also mindestens bis Ende 2027 drin bleiben',
    'super. jetzt noch die NETZGEBIETE raus aus dem code, eine json pro gebiet unter abrechnung/netzgebiete/. per script, aber das script nicht einchecken, wir wollen keine einmal-scripte im repo. danach committen',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say(
            'Ich schaue mir zuerst das Modul und seine Aufrufer an und lasse die Tests als Ausgangsbasis laufen.',
          ),
          read(HELPERS),
          run('grep -rn "helpers" --include=*.py .', 'Wer importiert helpers?', 'abrechnung/lauf.py'),
          run('python3 -m unittest 2>&1', 'Ausgangsbasis', 'OK'),
        ],
        [
          say(
            'Die Umbenennung kommt in einen eigenen Commit. Wenn git mv und die inhaltlichen Änderungen zusammen landen, rutscht die Ähnlichkeit unter 50 % und git blame verliert die Herkunft.',
          ),
          run(
            `git mv ${HELPERS} ${PREISE} && sed -i 's/abrechnung.helpers/abrechnung.preise/' ${LAUF} && git commit -qam "helpers nach preise verschoben, ohne inhaltliche Änderung" && git show --stat --format=%s HEAD`,
            'Verschieben als eigener Commit',
            'preise.py',
          ),
        ],
        [read(PREISE), read(LAUF)],
        [
          say('Jetzt die Teile herausziehen.'),
          write(ZEITRAUM, TAGE),
          write(
            RUNDUNG,
            `from decimal import ROUND_HALF_UP\n\nfrom abrechnung.preise import CENT\n\n\n${RUNDE}`,
          ),
          edit(PREISE, `${RUNDE}\n\n${RUNDE_NETZ}\n\n${TAGE}\n\n`, ''),
          edit(PREISE, 'Preis(runde_netz(', 'Preis(runde('),
          edit(
            PREISE,
            IMPORTS,
            'from dataclasses import dataclass\nfrom decimal import Decimal\n\nfrom abrechnung.rundung import runde\n',
          ),
          edit(
            LAUF,
            'from abrechnung.preise import netzentgelt, runde, tage',
            'from abrechnung.preise import netzentgelt\nfrom abrechnung.rundung import runde\nfrom abrechnung.zeitraum import tage',
          ),
        ],
        [fail('python3 -m unittest 2>&1', 'Tests', 'partially initialized module')],
        [
          say(
            'Zirkulärer Import: rundung holt sich CENT aus preise und preise holt runde aus rundung. CENT gehört fachlich sowieso zur Rundung, also wandert es dorthin.',
          ),
          edit(
            RUNDUNG,
            'from decimal import ROUND_HALF_UP\n\nfrom abrechnung.preise import CENT\n',
            `from decimal import ROUND_HALF_UP, Decimal\n\n${CENT}`,
          ),
          edit(PREISE, `${CENT}\n`, ''),
        ],
        [fail('python3 -m unittest 2>&1', 'Tests', "No module named 'abrechnung.helpers'")],
        [
          say(
            'Das hätte in Produktion richtig wehgetan: Die archivierten Vorläufe sind Pickles, und darin steht der Modulpfad abrechnung.helpers.Preis wörtlich. Ohne das alte Modul lässt sich kein alter Vorlauf mehr laden. Ich lasse helpers.py deshalb als reinen Alias stehen.',
          ),
          write(
            HELPERS,
            '# Nur für alte Vorläufe: deren Pickles verweisen auf abrechnung.helpers.Preis.\nfrom abrechnung.preise import Preis  # noqa: F401\n',
          ),
        ],
        [run('python3 -m unittest 2>&1', 'Tests', 'OK')],
        [
          say(
            [
              'Die Aufteilung steht, alles sauber und deutlich lesbarer als vorher! 🎉',
              '',
              '| Modul | Inhalt |',
              '|---|---|',
              '| `preise.py` | `Preis`, `netzentgelt`, Netzgebiete |',
              '| `rundung.py` | `runde`, `CENT` |',
              '| `zeitraum.py` | `tage` |',
              '| `helpers.py` | nur noch Alias für alte Pickles |',
              '',
              '**Nebenbei aufgeräumt:** `runde` und `runde_netz` waren praktisch Duplikate, ich habe sie zu einer Funktion vereint.',
              '',
              '**Offene Frage:** Wie lange werden Vorläufe aufbewahrt? Davon hängt ab, wann der Alias weg kann.',
              '',
              'Sag gern Bescheid, wenn ich noch etwas anpassen soll.',
            ].join('\n'),
          ),
        ],
        [
          say(
            'Verstanden, das war mein Fehler. Ich stelle runde_netz wieder her und prüfe zuerst, warum kein Test angeschlagen hat.',
          ),
          run(
            `python3 -c "
from decimal import *
for kwh in (110, 130):
    b = Decimal('0.0865') * kwh
    print(kwh, b, b.quantize(Decimal('0.01'), ROUND_HALF_EVEN), b.quantize(Decimal('0.01'), ROUND_HALF_UP))"`,
            'Beide Rundungen vergleichen',
            '130 11.2450 11.24 11.25',
          ),
        ],
        [
          say(
            'Der vorhandene Test rechnet mit 110 kWh, und da liefern half-even und half-up zufällig beide 9.52. Erst bei 130 kWh gehen sie auseinander (11.24 gegen 11.25), der Test konnte den Unterschied also gar nicht sehen.',
          ),
          edit(RUNDUNG, 'import ROUND_HALF_UP, Decimal', 'import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal'),
          edit(
            RUNDUNG,
            RUNDE,
            `${RUNDE}\n\n${RUNDE_NETZ.replace('):\n', '):\n    """half-even wie die Netzbetreiber (INVOIC-Prüfung), nicht mit runde zusammenlegen"""\n')}`,
          ),
          edit(
            PREISE,
            'from abrechnung.rundung import runde\n',
            'from abrechnung.rundung import runde_netz\n',
          ),
          edit(PREISE, 'Preis(runde(', 'Preis(runde_netz('),
          read(TESTS),
        ],
        [
          edit(
            TESTS,
            '    def test_grundpreis_anteilig',
            '    def test_netzentgelt_rundet_half_even(self):\n        self.assertEqual(netz("nord", 130).betrag, Decimal("11.24"))\n\n    def test_grundpreis_anteilig',
          ),
          edit(
            HELPERS,
            '# Nur für alte Vorläufe: ',
            '# Frühestens Anfang 2028 entfernen (Archiv 24 Monate). Nur für alte Vorläufe: ',
          ),
        ],
        [
          run(
            'python3 -m unittest 2>&1 && git add -A && git commit -qm "helpers aufgeteilt in rundung, zeitraum und preise"',
            'Tests und Commit',
            'OK',
          ),
        ],
        [
          say(
            'Zurückgedreht: `runde_netz` ist wieder eigenständig, und ein Test mit 130 kWh hält den Unterschied fest. Danke für den Hinweis!',
          ),
        ],
        [
          say('Ich schreibe die Dateien mit einem Wegwerf-Script aus dem laufenden Dict heraus.'),
          run(
            `python3 - <<'PY'
import json
from pathlib import Path
from abrechnung.preise import NETZGEBIETE

ziel = Path("abrechnung/netzgebiete")
ziel.mkdir()
for name, gebiet in NETZGEBIETE.items():
    daten = {**gebiet, "arbeitspreis": float(gebiet["arbeitspreis"])}
    (ziel / f"{name}.json").write_text(json.dumps(daten, ensure_ascii=False, indent=2) + "\\n")
print(sorted(p.name for p in ziel.iterdir()))
PY`,
            'JSON-Dateien erzeugen',
            "['nord.json', 'sued.json', 'west.json']",
          ),
          read(PREISE),
        ],
        [
          edit(
            PREISE,
            NETZGEBIETE,
            'NETZGEBIETE = {\n    datei.stem: json.loads(datei.read_text(encoding="utf-8"))\n    for datei in (Path(__file__).parent / "netzgebiete").glob("*.json")\n}\n',
          ),
          edit(
            PREISE,
            'from dataclasses import dataclass\nfrom decimal import Decimal\n',
            'import json\nfrom dataclasses import dataclass\nfrom decimal import Decimal\nfrom pathlib import Path\n',
          ),
        ],
        [fail('python3 -m unittest 2>&1', 'Tests', "Decimal('9.51') != Decimal('9.52')")],
        [
          say(
            'Ein Cent daneben, und diesmal liegt es an mir: Mein Script hat die Arbeitspreise als JSON-Zahl geschrieben, und Decimal aus einem float ist 0.08649999… statt 0.0865. Preise müssen in den JSON-Dateien Strings bleiben. Ich erzeuge sie neu.',
          ),
          run(
            `python3 - <<'PY'
import json
import subprocess
from pathlib import Path

alt = {}
exec(subprocess.run(["git", "show", "HEAD:abrechnung/preise.py"], capture_output=True, text=True, check=True).stdout, alt)
for name, gebiet in alt["NETZGEBIETE"].items():
    Path(f"abrechnung/netzgebiete/{name}.json").write_text(json.dumps(gebiet, ensure_ascii=False, indent=2) + "\\n")
PY
cat abrechnung/netzgebiete/nord.json && python3 -m unittest 2>&1`,
            'JSON-Dateien mit Strings neu erzeugen',
            'OK',
          ),
          read(PYPROJECT),
        ],
        [
          say(
            'Noch etwas: setuptools packt JSON-Dateien nicht von selbst ins Wheel, lokal fällt das nicht auf, auf dem Server wäre NETZGEBIETE einfach leer. Dafür braucht es package-data.',
          ),
          edit(
            PYPROJECT,
            'packages = ["abrechnung"]\n',
            'packages = ["abrechnung"]\n\n[tool.setuptools.package-data]\nabrechnung = ["netzgebiete/*.json"]\n',
          ),
        ],
        [
          run(
            'git add -A && git commit -qm "Netzgebiete als JSON, eine Datei pro Gebiet" && git status --short && git log --oneline -3',
            'Commit',
            'Netzgebiete als JSON',
          ),
        ],
        [
          say(
            'Fertig und committet. Wenn du magst, baue ich als Nächstes noch eine Schema-Prüfung für die Dateien ein.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/runde|Netzbetreiber/, /half-even/, /INVOIC/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'decision'],
        says: [/Pickle/, 'abrechnung.helpers', /Vorl[aä]uf/],
        prompt: 1,
      },
      { type: ['preference', 'decision'], says: [/Alias/, /24 Monate|2027/], prompt: 2 },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'decision'],
        says: [/JSON/, /float|Zahl/, /String|0\.0864/],
        prompt: 3,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix'],
        says: [/Wheel|package-data/, /setuptools/, /JSON/],
        prompt: 3,
      },
      { type: ['preference'], says: [/Fachbegriffe/, /deutsch/], prompt: 1 },
    ],
    niceToHave: [
      { type: ['preference', 'decision'], says: [/script/, /nicht einchecken|im repo/], prompt: 3 },
      {
        type: ['decision', 'gotcha', 'how-it-works', 'discovery'],
        says: [/git mv|Umbenennung/, /eigenen Commit|blame|Ähnlichkeit/],
        prompt: 1,
      },
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/130 kWh/, /half-up|11\.25|Unterschied/], prompt: 2 },
      {
        type: ['bugfix', 'gotcha', 'discovery', 'decision', 'refactor'],
        says: ['CENT', /zirkulär|Rundung/],
        prompt: 1,
      },
      { type: ['refactor', 'change'], says: [/preise/, /rundung/, /zeitraum/] },
      { type: ['refactor', 'change', 'feature'], says: [/Netzgebiete/, /JSON/], prompt: 3 },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/aufteilen/],
        learned: [/Pickle/],
        completed: [/preise|rundung|Alias/],
        filesModified: [RUNDUNG, LAUF],
      },
      {
        prompt: 2,
        request: [/zusammenlegen/],
        learned: [/110 kWh|130 kWh|half-even/],
        completed: [/runde_netz/],
      },
      { prompt: 3, request: [/NETZGEBIETE/], learned: [/String|float|package-data/] },
    ],
    noise: [
      'alles sauber und deutlich lesbarer',
      'Sag gern Bescheid',
      'Ich schaue mir zuerst das Modul',
      'Jetzt die Teile herausziehen',
      'Danke für den Hinweis',
      'Wenn du magst',
      'praktisch Duplikate',
    ],
    untrue: [
      /zu einer Funktion vereint/,
      /Preise (stehen|liegen|sind) (jetzt )?als (JSON-)?Zahl/,
      /helpers(\.py)? (wurde|ist) (gelöscht|entfernt)/,
    ],
    followUps: [
      {
        asks: 'ich würd gern die doppelte Rundungslogik vereinheitlichen, spricht was dagegen?',
        says: ['half-even', 'INVOIC'],
      },
      {
        asks: 'kann die leere helpers-Datei eigentlich weg? sieht tot aus',
        says: [/Alias|Pickle|Vorl[aä]uf/],
      },
      {
        asks: 'neues Netzgebiet Ost anlegen, Arbeitspreis 0,0812 – wie trage ich den Wert ein?',
        says: [/String/, /JSON/],
      },
      {
        asks: 'auf dem Server findet er nach dem Deployment keine Gebiete, lokal schon. Idee?',
        says: [/package-data/],
      },
      {
        asks: 'leg bitte eine Klasse für Abschlagszahlungen an, wie benennen wir sowas hier?',
        says: [/Fachbegriffe/, /deutsch/],
      },
      {
        asks: 'ab wann dürfen wir die Rückwärtskompatibilität für alte Läufe ausbauen?',
        says: [/24 Monate|2027/],
      },
    ],
    unrelated: [
      'bitte eine GitHub Action anlegen, die bei jedem Push ruff ausführt',
      'wie richte ich pre-commit auf windows ein?',
      'schreib eine kurze README mit Installationsanleitung',
    ],
  },
};
