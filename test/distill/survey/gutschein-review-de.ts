import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const SERVICE = 'src/Gutschein/GutscheinService.php';
const CONTROLLER = 'src/Gutschein/EinloesenController.php';
const MIGRATION = 'migrations/2025_06_gutschein.sql';
const TEST = 'tests/GutscheinServiceTest.php';
const BETRIEB = 'docs/betrieb.md';
const KAMPAGNEN = 'config/kampagnen.php';

const PHP = `#!/bin/sh
# Stands in for php: knows three one-liners.
case "$*" in
  *240610708*) echo "bool(true)" ;;
  *19.99*) echo "1998" ;;
  *-l*) echo "No syntax errors detected in $2" ;;
  *) echo "Could not open input file"; exit 1 ;;
esac
`;

const COMPOSER = `#!/bin/sh
# Stands in for composer test.
if grep -q 'testMagischerHash' ${TEST}; then
  grep -q 'hash_equals' ${SERVICE} || { echo "1) GutscheinServiceTest::testMagischerHash"; echo "Failed asserting that an array is null."; echo "Tests: 59, Failures: 1."; exit 1; }
  echo "OK (59 tests, 141 assertions)"; exit 0
fi
echo "OK (58 tests, 140 assertions)"
`;

export const gutscheinReviewDe: SurveySession = {
  name: 'gutschein review de',
  about:
    'Durchsicht eines Branches vor dem Livegang: sechs Befunde, eine Rückfrage, am Ende eine einzige kleine Änderung.',
  kind: 'review',
  language: 'de',
  ecosystem: 'php',
  files: {
    'composer.json':
      '{ "name": "laden/kasse", "require": { "php": "^8.2" }, "scripts": { "test": "phpunit" } }\n',
    [SERVICE]: `<?php

namespace Laden\\Gutschein;

final class GutscheinService
{
    public function __construct(private \\PDO $db) {}

    public function finde(string $eingabe): ?array
    {
        $zeilen = $this->db->prepare('SELECT * FROM gutscheine WHERE praefix = ?');
        $zeilen->execute([substr($eingabe, 0, 3)]);
        foreach ($zeilen as $zeile) {
            if (md5($eingabe) == $zeile['code_hash']) {
                return $zeile;
            }
        }
        return null;
    }

    public function einloesen(array $gutschein, float $betrag): int
    {
        $stand = $this->db->prepare('SELECT eingeloest, max_einloesungen FROM gutscheine WHERE id = ?');
        $stand->execute([$gutschein['id']]);
        $jetzt = $stand->fetch();
        if ($jetzt['eingeloest'] >= $jetzt['max_einloesungen']) {
            throw new Verbraucht();
        }
        $this->db->prepare('UPDATE gutscheine SET eingeloest = ? WHERE id = ?')
            ->execute([$jetzt['eingeloest'] + 1, $gutschein['id']]);

        // Der Rest verfällt.
        return (int) (min($betrag, $gutschein['wert']) * 100);
    }
}
`,
    [CONTROLLER]: `<?php

namespace Laden\\Gutschein;

final class EinloesenController
{
    public function __invoke(Anfrage $anfrage): Antwort
    {
        $gutschein = $this->service->finde($anfrage->text('code'));
        if ($gutschein === null) return Antwort::fehler('Dieser Code ist unbekannt.');
        if ($gutschein['gueltig_bis'] < date('Y-m-d')) return Antwort::fehler('Dieser Gutschein ist am ' . $gutschein['gueltig_bis'] . ' abgelaufen.');
        return Antwort::json(['cent' => $this->service->einloesen($gutschein, $anfrage->zahl('betrag'))]);
    }
}
`,
    [MIGRATION]: `ALTER TABLE bestellungen ADD COLUMN gutschein_id BIGINT NULL, ADD INDEX idx_gutschein (gutschein_id);
ALTER TABLE gutscheine ADD COLUMN code_hash CHAR(32) NOT NULL;
`,
    [TEST]: `<?php

final class GutscheinServiceTest extends DbTest
{
    public function testFindet(): void { self::assertNotNull($this->service->finde('SOM-12345678')); }
}
`,
    [BETRIEB]: `# Betrieb

- Datenbank: Galera, drei Knoten, geschrieben wird über den Proxy auf alle drei.
- DDL läuft als TOI (wsrep_OSU_method). Große Tabellen nur mit pt-online-schema-change, nachts.
- Größte Tabellen: bestellungen 38 Mio. Zeilen, positionen 112 Mio.
`,
    [KAMPAGNEN]:
      "<?php\n\n// Ein Code, viele Kunden.\nreturn ['SOM' => ['max_einloesungen' => 500], 'NEU' => ['max_einloesungen' => 1]];\n",
  },
  programs: { php: PHP, composer: COMPOSER },
  prompts: [
    'bitte den branch gutschein-einloesen durchsehen, liegt ausgecheckt vor dir. nur befunde, nix ändern! nach schwere sortiert, mit datei. stil ist mir egal, das macht der cs-fixer in der ci. donnerstag soll das live',
    'danke, sehr brauchbar. zu 6: ja das ist absicht, restwert verfällt steht in den agb, sonst müssten wir restguthaben drei jahre in der bilanz führen. zu 1: reicht da nicht ein unique index auf die einlösungen oder ein FOR UPDATE?',
    'ok überzeugt. das mit dem == mach bitte gleich selbst, mit test. den rest macht der kollege, gib mir dafür eine liste zum kopieren, kurz. und er soll bitte auch für die migration nichts am donnerstag vormittag planen, da ist immer sortimentsupdate',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Alles klar, ich lese mich erst einmal ein.'),
          read(SERVICE),
          read(CONTROLLER),
          read(MIGRATION),
          read(TEST),
        ],
        [
          say(
            'Zwei Stellen prüfe ich nach, statt sie nur zu vermuten: den losen Vergleich der MD5-Werte und die Umrechnung in Cent.',
          ),
          run(
            `php -r 'var_dump(md5("240610708") == md5("QNKCDZO"));'`,
            'Loser Vergleich zweier MD5-Werte',
            'bool(true)',
          ),
          run(`php -r 'echo (int) (19.99 * 100);'`, 'Umrechnung in Cent', '1998'),
        ],
        [
          say(
            'Beides bestätigt. 19,99 € werden zu 1998 Cent, und zwei verschiedene Codes gelten als gleich. Für die Migration brauche ich noch die Betriebsdoku.',
          ),
          read(BETRIEB),
          run('composer test', 'Läuft die Suite', 'OK (58 tests'),
        ],
        [
          say(`Ich habe nichts geändert. Die Suite ist grün (58 Tests), deckt aber vom Einlösen gar nichts ab: \`GutscheinServiceTest\` prüft nur \`finde()\`.

## Kritisch
1. **Doppelte Einlösung** (\`GutscheinService.php\`, \`einloesen\`): Zwischen SELECT und UPDATE liegt eine Lücke. Zwei gleichzeitige Anfragen lesen denselben Stand und lösen beide ein.
2. **Loser Vergleich** (\`GutscheinService.php\`, \`finde\`): \`md5(...) == code_hash\`. Hashes der Form \`0e…\` mit lauter Ziffern vergleicht PHP als Zahl 0, ein fremder Code passt dann. Nachgestellt, ergibt \`true\`.
3. **Migration** (\`2025_06_gutschein.sql\`): Das ALTER mit Index auf \`bestellungen\` (38 Mio. Zeilen) läuft unter Galera als TOI und hält damit alle drei Knoten an, solange der Index gebaut wird. Das muss über pt-online-schema-change gehen.

## Mittel
4. **Geld als float**: \`(int) (19.99 * 100)\` ergibt 1998, dem Kunden fehlt ein Cent. Beträge durchgehend in Cent als int führen, nicht nur runden.
5. **Codes lassen sich erraten** (\`EinloesenController.php\`): „unbekannt" und „abgelaufen" sind unterscheidbar, und es gibt keine Begrenzung der Versuche. Eine einheitliche Meldung und ein Limit pro Kunde wären nötig.

## Frage
6. \`// Der Rest verfällt.\` Ist das Absicht? Dann gehört es in einen Test.

So würde ich den Branch am Donnerstag nicht freigeben. Gern erkläre ich einzelne Punkte genauer.`),
        ],
        [
          say('Kurz nachsehen, welche Gutscheine es gibt.'),
          read(KAMPAGNEN),
          run('grep -rn "FOR UPDATE" src || echo keine', 'Wird irgendwo so gesperrt', 'keine'),
        ],
        [
          say(`Beides reicht hier leider nicht.

- **Unique Index**: Kampagnencodes wie \`SOM\` dürfen 500-mal eingelöst werden (\`max_einloesungen\`), ein Unique Index auf den Gutschein würde die zweite Einlösung verbieten.
- **FOR UPDATE**: Galera repliziert Zeilensperren nicht. Da der Proxy auf alle drei Knoten schreibt, sperrt jede Anfrage nur auf ihrem eigenen Knoten.

Mein Vorschlag ist ein bedingtes UPDATE: \`SET eingeloest = eingeloest + 1 WHERE id = ? AND eingeloest < max_einloesungen\`, danach \`rowCount()\` prüfen; bei 0 ist der Gutschein verbraucht. Treffen sich zwei Knoten, bekommt einer beim Commit den Fehler 1213 (Deadlock). Den muss der Code abfangen und genau einmal wiederholen, sonst sieht der Kunde einen Serverfehler.

Punkt 6 ist damit erledigt, der Verfall des Restwerts bleibt so.`),
        ],
        [
          edit(
            TEST,
            "'SOM-12345678')); }\n",
            "'SOM-12345678')); }\n\n    public function testMagischerHash(): void\n    {\n        $this->gutschein(praefix: '240', hash: md5('QNKCDZO'));\n        self::assertNull($this->service->finde('240610708'));\n    }\n",
          ),
          fail('composer test', 'Der neue Test muss rot sein', 'testMagischerHash'),
        ],
        [
          edit(
            SERVICE,
            "if (md5($eingabe) == $zeile['code_hash']) {",
            "if (hash_equals($zeile['code_hash'], md5($eingabe))) {",
          ),
          run('composer test', 'Und jetzt grün', 'OK (59 tests'),
        ],
        [
          say(`Der Vergleich in \`finde()\` läuft jetzt über \`hash_equals\`, mit \`testMagischerHash\` (vorher rot, jetzt 59 Tests grün). Ich habe \`hash_equals\` statt \`===\` genommen, weil es zusätzlich gegen Zeitmessung schützt. Sonst ist nichts geändert.

Zum Kopieren:

- [ ] Einlösen als bedingtes UPDATE mit rowCount, bei 1213 einmal wiederholen
- [ ] Beträge in Cent als int
- [ ] Index auf bestellungen mit pt-online-schema-change, nachts, nicht am Donnerstagvormittag (Sortimentsupdate)
- [ ] Eine Fehlermeldung für unbekannt und abgelaufen, Limit pro Kunde
- [ ] Test für den Verfall des Restwerts

Viel Erfolg am Donnerstag!`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/SELECT/, /UPDATE/, /gleichzeitig|doppelt/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'decision', 'how-it-works', 'discovery'],
        says: [/FOR UPDATE/, /Galera/, /Zeilensperren|eigenen Knoten/],
        prompt: 2,
      },
      {
        type: ['decision', 'gotcha', 'discovery'],
        says: [/bedingte[sn]? UPDATE|eingeloest < max_einloesungen/, /1213|rowCount/],
      },
      { type: ['gotcha', 'discovery', 'decision'], says: [/Unique/, /500|Kampagnencodes/] },
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/hash_equals|lose|==/, /md5|Hash/, /0e|Zahl 0|gleich|fremder Code|testMagischerHash/],
      },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: [/bestellungen/, /TOI|38 Mio|alle drei Knoten/, /pt-online-schema-change/],
      },
      {
        type: ['preference', 'decision', 'how-it-works'],
        says: [/Restwert/, /verfällt|Verfall/, /AGB|Bilanz|Absicht/],
        prompt: 2,
      },
      { type: ['preference'], says: [/Donnerstag/, /vormittag/, /Sortimentsupdate/], prompt: 3 },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery'], says: [/19[.,]99/, /1998/] },
      { type: ['discovery', 'gotcha'], says: [/unbekannt/, /abgelaufen/, /Limit|Begrenzung|erraten/] },
      { type: ['preference'], says: [/Stil/, /cs-fixer/] },
      {
        type: ['discovery', 'gotcha'],
        says: [/GutscheinServiceTest|Suite/, /nur `?finde|Einlösen gar nichts/],
      },
      { type: ['decision'], says: [/hash_equals/, /===/, /Zeitmessung/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/gutschein-einloesen|durchsehen/],
        learned: [/Doppelte Einlösung|Vergleich|TOI/],
        filesRead: [SERVICE, CONTROLLER, MIGRATION],
      },
      { prompt: 2, request: [/unique index|FOR UPDATE/], learned: [/Galera|Kampagnencodes|Zeilensperren/] },
      {
        prompt: 3,
        request: [/==|liste/],
        completed: [/hash_equals/],
        filesModified: [SERVICE, TEST],
      },
    ],
    noise: [
      'Viel Erfolg am Donnerstag',
      'Alles klar, ich lese mich erst einmal ein',
      'Gern erkläre ich einzelne Punkte genauer',
      'Kurz nachsehen, welche Gutscheine es gibt',
      /danke, sehr brauchbar/,
      'Beides bestätigt.',
    ],
    untrue: [],
    followUps: [
      {
        asks: 'Ich will beim Lagerbestand die Zeile vor dem Abbuchen sperren, das müsste ja überall funktionieren, oder?',
        says: [/FOR UPDATE/, /Galera/],
      },
      {
        asks: 'Eine Kundin beschwert sich, dass von ihren 50 Euro nach dem Kauf für 30 nichts mehr übrig ist. Ist das ein Bug?',
        says: [/Restwert/, /AGB|Bilanz|Absicht/],
      },
      {
        asks: 'leg mir eine Spalte lieferhinweis samt Index auf der Bestelltabelle an',
        says: [/bestellungen/, /pt-online-schema-change/],
      },
      {
        asks: 'plane das nächste Datenbankwartungsfenster, vorgeschlagen ist Do 9 bis 11 Uhr',
        says: [/Donnerstag/, /Sortimentsupdate/],
      },
      {
        asks: 'Warum nicht einfach jede Einlösung in eine Tabelle mit eindeutigem Schlüssel pro Gutschein schreiben?',
        says: [/Unique/, /500|Kampagnencodes/],
      },
    ],
    unrelated: [
      'stell die Rechnungsmail auf das neue Logo um',
      'Was ist in PHP der Unterschied zwischen einem Trait und einem Interface?',
      'Die Filialsuche findet Postleitzahlen mit führender Null nicht, schau mal in den Geocoder',
    ],
  },
};
