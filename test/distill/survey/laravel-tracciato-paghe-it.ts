import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CSV_EXPORT = `<?php

namespace App\\Paghe;

class EsportaPresenze
{
    public function esegui(int $anno, int $mese): string
    {
        $file = fopen('php://temp', 'w+');
        foreach (Presenza::delMese($anno, $mese) as $p) {
            fputcsv($file, [$p->matricola, $p->giorno, number_format($p->ore, 2, ',', '')], ';');
        }
        rewind($file);

        return stream_get_contents($file);
    }
}
`;

const FIXED_EXPORT = `<?php

namespace App\\Paghe;

class EsportaPresenze
{
    public function esegui(int $anno, int $mese): string
    {
        $righe = '';
        foreach (Presenza::delMese($anno, $mese) as $p) {
            $righe .= str_pad($p->matricola, 8, '0', STR_PAD_LEFT)
                .$p->giorno->format('dmY')
                .str_pad($p->causale, 4)
                .sprintf('%04d', $p->minuti)
                .str_pad($p->cognome, 30)
                ."\\r\\n";
        }

        return $righe;
    }
}
`;

const PHP = `#!/bin/sh
if [ "$2" != "test" ]; then echo "Laravel Framework 11.9.2"; exit 0; fi
case "$*" in
  *--filter*) ;;
  *) touch suite.in-corso; echo "   PASS  Tests\\\\Unit\\\\OrdineTest"; i=0; while [ -e suite.in-corso ] && [ $i -lt 300 ]; do sleep 0.2; i=$((i+1)); done; exit 1 ;;
esac
f=app/Paghe/EsportaPresenze.php
if ! grep -q 'mb_str_pad\\|ISO-8859-1' $f; then
  cat <<'OUT'

   FAIL  Tests\\Feature\\Paghe\\EsportaPresenzeTest
  ✓ una riga per presenza                                                0.21s
  ⨯ la riga e lunga 54 byte anche con gli accenti                        0.04s
  ⨯ le ore sono in centesimi                                             0.03s
  ────────────────────────────────────────────────────────────────────────────
   FAILED  EsportaPresenzeTest > la riga e lunga 54 byte anche con gli accenti
  Failed asserting that 53 is identical to 54. (NICCOLÒ)
   FAILED  EsportaPresenzeTest > le ore sono in centesimi
  Failed asserting that '0450' is identical to '0750'.

  Tests:    2 failed, 1 passed (3 assertions)
  Duration: 0.61s
OUT
  exit 1
fi
echo
echo "   PASS  Tests\\\\Feature\\\\Paghe\\\\EsportaPresenzeTest"
echo "  ✓ una riga per presenza                                                0.20s"
echo "  ✓ la riga e lunga 54 byte anche con gli accenti                        0.04s"
echo "  ✓ le ore sono in centesimi                                             0.03s"
echo
echo "  Tests:    3 passed (7 assertions)"
echo "  Duration: 0.58s"
`;

export const laravelTracciatoPagheIt: SurveySession = {
  name: 'laravel-tracciato-paghe-it',
  about: 'An export for the payroll office; the person stops the whole test suite and corrects the format.',
  kind: 'feature',
  language: 'it',
  ecosystem: 'php',
  how: { cut: 'interrupted', when: 'suite.in-corso' },
  files: {
    artisan: '#!/usr/bin/env php\n',
    'app/Paghe/Presenza.php':
      "<?php\n\nnamespace App\\Paghe;\n\nclass Presenza extends Model\n{\n    protected $casts = ['giorno' => 'date', 'minuti' => 'int'];\n}\n",
    'routes/console.php': "<?php\n\nSchedule::command('paghe:promemoria')->monthlyOn(1, '07:00');\n",
    'docs/tracciato-paghe.txt': `TRACCIATO PRESENZE v2.4 - Studio Bassi
pos  1- 8  matricola, zeri a sinistra
pos  9-16  giorno GGMMAAAA
pos 17-20  causale
pos 21-24  ore in centesimi (7h30 = 0750)
pos 25-54  cognome, spazi a destra, ISO-8859-1
fine riga CR LF
`,
    'tests/Feature/Paghe/EsportaPresenzeTest.php': '<?php\n',
  },
  programs: { php: PHP },
  script(projectDir) {
    const { run, fail, cut, read, edit, write } = callsIn(projectDir);
    return {
      main: [
        [
          say('Guardo il modello delle presenze e i comandi pianificati.'),
          read('app/Paghe/Presenza.php'),
          read('routes/console.php'),
        ],
        [
          say(
            'Genero il CSV con `fputcsv` e separatore `;`, cosi Excel italiano lo apre senza importazione.',
          ),
          write('app/Paghe/EsportaPresenze.php', CSV_EXPORT),
        ],
        [cut('php artisan test', 'Lancia tutti i test')],
        [
          say('Ok, niente suite completa. Leggo il tracciato dello studio.'),
          read('docs/tracciato-paghe.txt'),
        ],
        [
          write('app/Paghe/EsportaPresenze.php', FIXED_EXPORT),
          fail('php artisan test --filter=EsportaPresenze', 'Solo i test del modulo', '2 failed'),
        ],
        [
          say(
            "Due errori distinti. Primo: `str_pad` conta i byte, quindi un cognome come NICCOLÒ in UTF-8 accorcia la riga di uno; va convertito in ISO-8859-1 prima del riempimento. Secondo: nel tracciato le ore sono in centesimi, non in minuti: 7h30 e' 0750 e non 0450.",
          ),
          edit(
            'app/Paghe/EsportaPresenze.php',
            '.str_pad($p->cognome, 30)\n                ."\\r\\n"',
            ".str_pad(mb_convert_encoding($p->cognome, 'ISO-8859-1', 'UTF-8'), 30)\n                .\"\\r\\n\"",
          ),
          edit(
            'app/Paghe/EsportaPresenze.php',
            "sprintf('%04d', $p->minuti)",
            "sprintf('%04d', round($p->minuti * 100 / 60))",
          ),
          run('php artisan test --filter=EsportaPresenze', 'Solo i test del modulo', '3 passed'),
        ],
        [
          say(`L'export ora segue il tracciato v2.4 dello Studio Bassi: larghezza fissa di 54 byte, niente CSV.

Due trappole da ricordare:
- le ore sono in centesimi (7h30 = 0750), nel database abbiamo i minuti
- il cognome va convertito in ISO-8859-1 prima di \`str_pad\`, perche' \`str_pad\` conta i byte e con gli accenti la riga viene corta

Domanda: se manca la causale metto spazi o blocco l'export?`),
        ],
        [
          edit(
            'app/Paghe/EsportaPresenze.php',
            "        $righe = '';\n",
            "        $senza = Presenza::delMese($anno, $mese)->whereNull('causale');\n        if ($senza->isNotEmpty()) {\n            throw new CausaleMancante($senza);\n        }\n        $righe = '';\n",
          ),
          run('php artisan test --filter=EsportaPresenze', 'Solo i test del modulo', '3 passed'),
        ],
        [
          say(
            "Fatto: se anche una sola presenza e' senza causale l'export si ferma con `CausaleMancante` ed elenca le matricole. Il comando gira il 3 del mese appena lo pianifichi; per ora non l'ho messo in routes/console.php.",
          ),
        ],
      ],
    };
  },
  prompts: [
    "aggiungi l'export delle presenze per lo studio paghe, un csv col punto e virgola, virgola nei decimali",
    'fermo, mai lanciare tutta la suite in locale, ci mette 40 minuti e tocca il db condiviso: usa sempre --filter col modulo. e ho detto una cavolata io, lo studio non vuole il csv ma il tracciato a larghezza fissa, sta in docs/tracciato-paghe.txt',
    "blocca l'export, se la causale manca lo studio la conta come ferie e poi dobbiamo rifare i cedolini. e' gia' successo a novembre",
  ],
  expects: {
    essentials: [
      {
        type: ['preference', 'gotcha', 'decision'],
        says: [/suite/, /--filter/],
        prompt: 2,
      },
      {
        type: ['decision', 'feature', 'change', 'preference', 'discovery'],
        says: [/larghezza fissa|tracciato v2\.4/, /csv/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'how-it-works'],
        says: [/centesimi/, /0750|minuti/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'how-it-works'],
        says: ['ISO-8859-1', /byte|accenti|str_pad/],
        prompt: 2,
      },
      {
        type: ['decision', 'preference', 'gotcha', 'change', 'feature'],
        says: [/causale/, /ferie/],
        prompt: 3,
      },
    ],
    niceToHave: [
      { type: ['feature', 'change', 'decision'], says: [/CausaleMancante|si ferma/], prompt: 3 },
      { type: ['discovery', 'decision', 'change'], says: [/routes\/console\.php|3 del mese/], prompt: 3 },
      { type: ['feature', 'change'], says: ['EsportaPresenze'] },
    ],
    summaries: [
      { prompt: 1, optional: true, request: ['presenze'] },
      { prompt: 2, request: ['larghezza fissa'], completed: [/tracciato|54 byte/] },
      { prompt: 3, request: ['causale'], completed: [/CausaleMancante|causale/] },
    ],
    noise: ['Guardo il modello', 'niente suite completa'],
    untrue: [/fputcsv/, /Excel italiano/, /con spazi se manca la causale/],
    followUps: [
      {
        asks: "lancia i test per vedere se il mio refactoring dell'anagrafica ha rotto qualcosa",
        says: [/--filter/],
      },
      {
        asks: 'lo studio bassi dice che il file di gennaio ha righe da 53 caratteri per qualche dipendente, guarda il problema',
        says: ['ISO-8859-1'],
      },
      {
        asks: 'aggiungiamo gli straordinari al file delle presenze per le paghe, la colonna ore come va scritta?',
        says: [/centesimi/],
      },
      {
        asks: "three people have no absence code this month and the payroll export throws, can't we just leave the field blank?",
        says: [/causale/, /ferie/],
      },
    ],
    unrelated: [
      'il menu laterale sparisce su tablet in verticale, sistemalo',
      'aggiorna il testo della mail di benvenuto ai nuovi fornitori',
    ],
  },
};
