import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const INV = 'src/Invoice/NumberGenerator.php';
const COR = 'src/Invoice/CorrectionNumberGenerator.php';
const ISSUE = 'src/Invoice/IssueInvoiceHandler.php';

const PSQL = `#!/bin/sh
case "$*" in
  *generate_series*) echo " missing"; echo "---------"; echo "      37"; echo "(1 row)" ;;
  *pg_stat_statements*) echo " issue_invoice | mean_ms 1810 | calls_per_month_end 12040" ;;
  *) echo "(0 rows)" ;;
esac
`;

export const numeracja: SurveySession = {
  name: 'numeracja faktur',
  about: 'Same pytania o luki w numeracji; jedna odpowiedź agenta zostaje poprawiona, nic się nie zmienia.',
  kind: 'question',
  language: 'pl',
  ecosystem: 'php',
  files: {
    'composer.json':
      '{ "name": "acme/fakturownik", "require": { "php": "^8.3", "symfony/framework-bundle": "^7.1" } }\n',
    [INV]: `<?php
namespace App\\Invoice;

final class NumberGenerator
{
    public function next(int $year): string
    {
        $n = $this->db->fetchOne("SELECT nextval('invoice_seq')");
        return sprintf('FV/%d/%06d', $year, $n);
    }
}
`,
    [COR]: `<?php
namespace App\\Invoice;

final class CorrectionNumberGenerator
{
    public function next(int $year): string
    {
        $n = $this->db->fetchOne('SELECT last + 1 FROM correction_counter WHERE year = ? FOR UPDATE', [$year]);
        $this->db->executeStatement('UPDATE correction_counter SET last = ? WHERE year = ?', [$n, $year]);
        return sprintf('KOR/%d/%04d', $year, $n);
    }
}
`,
    [ISSUE]: `<?php
namespace App\\Invoice;

final class IssueInvoiceHandler
{
    public function __invoke(IssueInvoice $cmd): void
    {
        $this->db->transactional(function () use ($cmd) {
            $invoice = Invoice::issue($this->numbers->next($cmd->year), $cmd->lines);
            $this->pdf->render($invoice); // needs the number on the page
            $this->invoices->add($invoice);
        });
    }
}
`,
    'config/crontab':
      '# 0 0 1 1 * bin/console app:reset-invoice-seq\n15 3 * * * bin/console app:send-reminders\n',
  },
  programs: { psql: PSQL },
  prompts: [
    'hej, mam pytanie zanim odpiszę księgowości: dlaczego w numerach faktur są dziury, a w korektach nie ma? nic nie zmieniaj w kodzie, tylko wytłumacz',
    'a nie można po prostu dać fakturom tego samego mechanizmu co korektom? księgowa woli bez dziur',
    'ok, to zostaje jak jest. księgowa mówi że dziury są w porządku, byle nie było duplikatów i daty szły po kolei. jedna rzecz się nie zgadza: sekwencji nie resetuje cron, jest zakomentowany od 2025, robi to Basia ręcznie 2 stycznia rano. wrzucę to do confluence sama',
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [say('Zajrzę do obu generatorów.'), read(INV), read(COR)],
        [
          run(
            'psql -c "select count(*) as missing from generate_series(1, 18211) n where not exists (select 1 from invoice where num = n and year = 2026)"',
            'Ile numerów brakuje',
            '37',
          ),
          run('grep -n "invoice-seq" config/crontab', 'Kto resetuje sekwencję', 'reset-invoice-seq'),
        ],
        [
          say(`Krótko: to dwa różne mechanizmy, i oba działają tak, jak je napisano.

**Faktury** (\`${INV}\`) biorą numer z sekwencji Postgresa, \`nextval('invoice_seq')\`. Sekwencje nie uczestniczą w transakcji: jeśli wystawienie faktury się nie powiedzie i transakcja zostanie wycofana, numer przepada. Stąd dziury; w tym roku brakuje 37 numerów na 18 211.

**Korekty** (\`${COR}\`) mają wiersz w tabeli \`correction_counter\`, blokowany przez \`SELECT … FOR UPDATE\`. Licznik jest częścią transakcji, więc przy wycofaniu wraca też numer i dziur nie ma.

Na początku roku sekwencję zeruje cron (\`app:reset-invoice-seq\` w \`config/crontab\`), licznik korekt ma osobny wiersz na każdy rok i resetu nie potrzebuje.

Daj znać, jeśli mam to ująć w formie maila do księgowości.`),
        ],
        [
          say('Żeby nie zgadywać, sprawdzę, jak długo trwa transakcja i ile faktur idzie naraz.'),
          read(ISSUE),
          run(
            'psql -c "select * from pg_stat_statements where query like \'issue%\'"',
            'Czas wystawiania',
            'mean_ms 1810',
          ),
        ],
        [
          say(`Można, ale odradzam.

Blokada wiersza trwa do końca transakcji, a w \`IssueInvoiceHandler\` w tej samej transakcji renderuje się PDF, bo numer musi być na stronie. Średnio to 1,8 s. Na koniec miesiąca wystawiamy ok. 12 000 faktur równolegle; z licznikiem wszystkie ustawiłyby się w jednej kolejce: 12 000 × 1,8 s to około 6 godzin zamiast obecnych kilkunastu minut. Korekt jest kilka dziennie, dlatego tam to nie boli.

Gdyby kiedyś brak dziur był konieczny, droga prowadzi przez wyjęcie PDF-a z transakcji (numer nadajemy i zatwierdzamy, PDF renderuje się potem z kolejki). Wtedy blokada trwa milisekundy i licznik jest do przyjęcia.`),
        ],
        [
          say(
            'Dzięki za sprostowanie: wiersz w `config/crontab` faktycznie zaczyna się od `#`, przeoczyłem to. Czyli reset `invoice_seq` jest ręczny, robi go Basia 2 stycznia rano. Uwaga na jedno: faktury wystawione między 1 stycznia a jej resetem dostają rok 2027 z numerami ciągnącymi się po grudniu, a po resecie numeracja rusza od 1, więc przy większym wolumenie te numery mogą się w ciągu roku powtórzyć. Niczego nie zmieniałem.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/sekwencj/, /transakcj/, /dziur|przepada/],
      },
      {
        type: ['how-it-works', 'discovery'],
        says: [/correction_counter|korekt/i, /FOR UPDATE|licznik/],
      },
      {
        type: ['decision', 'gotcha', 'discovery'],
        says: [/PDF/, /1,8 s|6 godzin/, /12 000|blokad/],
      },
      {
        type: ['preference', 'decision', 'discovery', 'how-it-works'],
        says: [/księgowa/, /duplikat/, /po kolei|w porządku/],
      },
      {
        type: ['preference', 'discovery', 'gotcha', 'how-it-works'],
        says: [/Basia/, /ręczn/, /stycznia/],
      },
      { type: ['gotcha', 'discovery'], says: [/reset/, /powtórzyć/] },
    ],
    niceToHave: [
      { type: ['discovery', 'how-it-works'], says: [/37/, /18 211/] },
      {
        type: ['decision', 'discovery', 'gotcha'],
        says: [/wyjęcie PDF|PDF renderuje się potem/, /kolejk|milisekund/],
      },
      { type: ['preference', 'decision'], says: [/zostaje jak jest/] },
    ],
    summaries: [
      { prompt: 1, request: [/dziury/], learned: [/sekwencj/] },
      { prompt: 2, request: [/mechanizmu/], learned: [/PDF|1,8|blokad/i] },
      { prompt: 3, request: [/zostaje jak jest|Basia/], learned: [/reset/] },
    ],
    noise: [
      'Zajrzę do obu generatorów',
      'Daj znać, jeśli mam',
      'Żeby nie zgadywać',
      'Dzięki za sprostowanie',
      'hej, mam pytanie',
    ],
    untrue: [
      /sekwencję zeruje cron/,
      /(resetuje|zeruje|reset robi) (ją )?cron(?!,? jest)/,
      /faktury (mają|dostały|używają) licznik/,
    ],
    followUps: [
      { asks: 'czemu nie użyjemy FOR UPDATE także dla faktur?', says: [/PDF/, /1,8|6 godzin|kolejc/] },
      { asks: 'kto zeruje invoice_seq po nowym roku?', says: [/Basia/] },
      {
        asks: 'kontroler pyta, dlaczego brakuje kilku pozycji w rejestrze sprzedaży. to błąd?',
        says: [/sekwencj/, /wycofan|przepada|transakcj/],
      },
      {
        asks: 'czy grozi nam, że dwa dokumenty będą miały to samo oznaczenie?',
        says: [/powtórzyć|duplikat/],
      },
      { asks: 'chcę przenieść generowanie PDF poza transakcję, co to nam da?', says: [/blokad|licznik/] },
    ],
    unrelated: [
      'dodaj pole NIP do formularza rejestracji z walidacją sumy kontrolnej',
      'jak w Symfony 7 zarejestrować własny voter?',
      'maile z przypomnieniami mają złe polskie znaki w temacie, popraw kodowanie',
    ],
  },
};
