import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const APP = 'lib/Raporty.pm';
const DB = 'lib/Raporty/Baza.pm';
const LEGACY = 'lib/Legacy/Wyciag.pm';
const RETURN = 'lib/Raporty/Powrot.pm';
const CONTROL = 'debian/control';

const PROVE = `#!/bin/sh
# Stands in for the suite on Debian 12: Perl 5.36, Mojolicious 9.31.
if ! grep -q 'format =>' ${APP}; then
  echo "t/csv.t .. Failed 3/9: GET /raport/7.csv: got 404, expected 200"; exit 1
fi
if grep -q 'use v5.36' ${LEGACY}; then
  echo "t/wyciag.t .. Bareword found where operator expected at ${LEGACY} line 6, near 'new Legacy::Linia'"; exit 1
fi
if grep -q 'dbi:MariaDB' ${DB} && grep -q 'encode_utf8' ${DB}; then
  echo "t/klient.t .. Failed 2/31: got 'Å\\x81ódź', expected 'Łódź'"; exit 1
fi
echo "All tests successful. Files=14, Tests=203"
`;

export const perlDebian12Pl: SurveySession = {
  name: 'perl debian12 pl',
  about:
    'Przejście aplikacji w Perlu na Debiana 12: formaty w adresach, sterownik bazy, ciasteczko sesji po powrocie z banku.',
  kind: 'upgrade',
  language: 'pl',
  ecosystem: 'perl',
  files: {
    [APP]: `package Raporty;
use Mojo::Base 'Mojolicious', -signatures;

sub startup ($self) {
  my $r = $self->routes;
  $r->get('/raport/:id')->to('raport#pokaz');
  $r->post('/powrot')->to('powrot#przyjmij');
  $r->get('/klienci')->to('klient#lista');
}

1;
`,
    [DB]: `package Raporty::Baza;
use Mojo::Base -base, -signatures;
use DBI;
use Encode qw(encode_utf8 decode_utf8);

has dbh => sub { DBI->connect('dbi:mysql:raporty;host=db1', 'raporty', $ENV{DB_HASLO}, {RaiseError => 1}) };

sub zapisz ($self, $nazwa) {
  $self->dbh->do('insert into klient (nazwa) values (?)', undef, encode_utf8($nazwa));
}

sub nazwa ($self, $id) {
  return decode_utf8($self->dbh->selectrow_array('select nazwa from klient where id = ?', undef, $id));
}

1;
`,
    [LEGACY]: `package Legacy::Wyciag;
use strict;

sub linia {
  my ($tekst) = @_;
  my $l = new Legacy::Linia($tekst);
  return $l;
}

1;
`,
    [RETURN]: `package Raporty::Controller::Powrot;
use Mojo::Base 'Mojolicious::Controller', -signatures;

# the bank posts the browser back to us
sub przyjmij ($self) {
  my $zamowienie = $self->session('zamowienie') or return $self->render(text => 'brak sesji', status => 403);
  $self->render(text => "przyjęto $zamowienie");
}

1;
`,
    [CONTROL]:
      'Package: raporty\nDepends: perl (>= 5.32), libmojolicious-perl (>= 8.63), libdbd-mysql-perl\n',
    't/csv.t': "$t->get_ok('/raport/7.csv')->status_is(200);\n",
  },
  programs: {
    prove: PROVE,
    'apt-cache': `#!/bin/sh
echo "libmojolicious-perl 9.31+dfsg-1"
echo "libdbd-mysql-perl 4.050-5+b1"
echo "libdbd-mariadb-perl 1.22-1+b1"
`,
  },
  prompts: [
    'przenosimy raporty na Debiana 12, czyli Perl 5.32 → 5.36 i Mojolicious 8 → 9. Zrób aktualizację. Zasada u nas: wyłącznie pakiety z Debiana, nic z CPAN-a, bo maszyny w serwerowni nie mają wyjścia do internetu. Możesz wszędzie włączyć use v5.36',
    'Legacy zostaw w spokoju, tam nic nie modernizujemy, idzie do kosza w czerwcu razem z wyciągami MT940. A co do sterownika: jednak przechodzimy na DBD::MariaDB, baza to i tak MariaDB 10.11, a DBD::mysql 5 już jej nie wspiera, więc przy Debianie 13 i tak by nas to czekało.',
    'super. na stagingu jeszcze jedno: po płatności bank odsyła klienta i dostajemy „brak sesji”. wcześniej działało. SameSite=None odpada, bezpieczeństwo się nie zgodzi',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Najpierw sprawdzę, co daje Debian 12 i co mówią testy.'),
          run(
            'apt-cache madison libmojolicious-perl libdbd-mysql-perl libdbd-mariadb-perl',
            'Wersje w Debianie 12',
            '9.31',
          ),
          read(APP),
          read(CONTROL),
        ],
        [fail('prove -lr t', 'Testy na nowym systemie', 'got 404')],
        [
          say('404 dla /raport/7.csv. Podejrzewam kolejność tras, ale najpierw zajrzę do tras.'),
          run("grep -n 'raport' lib/Raporty.pm", 'Trasy raportu', '/raport/:id'),
        ],
        [
          say(
            'Kolejność tras nie ma znaczenia, trasa jest jedna. Od Mojolicious 9.11 rozpoznawanie formatu (.csv, .json) jest domyślnie wyłączone i trzeba je włączyć na każdej trasie osobno.',
          ),
          edit(
            APP,
            "$r->get('/raport/:id')->to('raport#pokaz');",
            "$r->get('/raport/:id' => [format => ['csv', 'pdf']])->to('raport#pokaz', format => undef);",
          ),
          read(LEGACY),
          read(DB),
        ],
        [
          edit(LEGACY, 'use strict;', 'use v5.36;'),
          edit(
            APP,
            "use Mojo::Base 'Mojolicious', -signatures;",
            "use v5.36;\nuse Mojo::Base 'Mojolicious', -signatures;",
          ),
          fail('prove -lr t', 'Testy', 'Bareword found'),
        ],
        [
          say(
            '`use v5.36` wyłącza pośrednią składnię obiektową, a Legacy pisze `new Legacy::Linia(...)`. Cofam to w tym pliku.',
          ),
          edit(LEGACY, 'use v5.36;', 'use strict;'),
          edit(
            CONTROL,
            'perl (>= 5.32), libmojolicious-perl (>= 8.63)',
            'perl (>= 5.36), libmojolicious-perl (>= 9.31)',
          ),
          run('prove -lr t', 'Testy', 'All tests successful'),
        ],
        [
          say(`Aplikacja działa na Perlu 5.36 i Mojolicious 9.31, wszystkie 203 testy przechodzą.

1. **Formaty w adresach.** Od Mojolicious 9.11 rozpoznawanie formatu jest domyślnie wyłączone, więc \`/raport/7.csv\` dawało 404. Każda trasa, która ma obsługiwać rozszerzenie, musi mieć \`[format => [...]]\`; teraz ma je tylko \`/raport/:id\` (csv i pdf).
2. **use v5.36.** Włączone w \`Raporty.pm\`. W \`Legacy::Wyciag\` się nie da: v5.36 wyłącza pośrednią składnię \`new Klasa(...)\`, plik przestaje się kompilować.
3. **Sterownik.** Zostajemy przy DBD::mysql 4.050 z Debiana, działa bez zmian.

Wszystko z pakietów Debiana, zgodnie z zasadą. Jeśli chcesz, przepiszę Legacy na \`Legacy::Linia->new\`.`),
        ],
        [
          say('Dobrze, Legacy nie ruszam. Zmieniam sterownik.'),
          edit(DB, "'dbi:mysql:raporty;host=db1'", "'dbi:MariaDB:raporty;host=db1'"),
          edit(CONTROL, 'libdbd-mysql-perl', 'libdbd-mariadb-perl'),
          fail('prove -lr t', 'Testy', 'Failed 2/31'),
        ],
        [
          say(
            'Klasyczne podwójne kodowanie: DBD::MariaDB samo koduje napisy do UTF-8, a my robimy to drugi raz.',
          ),
          edit(DB, 'encode_utf8($nazwa)', '$nazwa'),
          edit(
            DB,
            "decode_utf8($self->dbh->selectrow_array('select nazwa from klient where id = ?', undef, $id))",
            "$self->dbh->selectrow_array('select nazwa from klient where id = ?', undef, $id)",
          ),
          edit(DB, 'use Encode qw(encode_utf8 decode_utf8);\n', ''),
        ],
        [
          run(
            'prove -lr t && git add -A && git commit -qm "Debian 12: Mojolicious 9, DBD::MariaDB" && git log --oneline -1',
            'Testy i commit',
            'DBD::MariaDB',
          ),
        ],
        [
          say(
            'Gotowe, baza idzie teraz przez DBD::MariaDB 1.22, testy zielone. DBD::MariaDB zawsze samo koduje i dekoduje UTF-8, dlatego usunęłam z `Baza.pm` ręczne `encode_utf8` i `decode_utf8`; kto je gdzieś doda, zapisze „Å\\x81ódź” zamiast „Łódź”. Dane w bazie są w porządku, bo stary kod zapisywał poprawne bajty. Uwaga na wdrożenie: starej i nowej wersji można używać równolegle, format w tabelach się nie zmienił. Legacy zostało, jak było.',
          ),
        ],
        [
          read(RETURN),
          run("grep -rn 'samesite' lib || echo 'nie ustawione'", 'Ustawienia ciasteczka', 'nie ustawione'),
        ],
        [
          say(
            'Mojolicious 9 ustawia ciasteczko sesji z SameSite=Lax, a bank wraca POST-em z obcej domeny, więc przeglądarka go nie wysyła. Zamówienie wezmę z podpisanego tokenu w adresie powrotu.',
          ),
          edit(
            RETURN,
            "  my $zamowienie = $self->session('zamowienie') or return $self->render(text => 'brak sesji', status => 403);\n",
            "  # SameSite=Lax: no session cookie on a POST from the bank.\n  my $zamowienie = $self->token_zamowienia($self->param('t')) or return $self->render(text => 'zły token', status => 403);\n",
          ),
          run('prove -lr t', 'Testy', 'All tests successful'),
        ],
        [
          say(`Przyczyna: od Mojolicious 9 ciasteczko sesji ma domyślnie \`SameSite=Lax\`, a przy Lax przeglądarka nie dołącza go do POST-a z obcej domeny. Bank odsyła klienta właśnie POST-em, stąd „brak sesji”.

Rozwiązanie bez \`SameSite=None\`: adres powrotu niesie podpisany token \`t\` z numerem zamówienia, ważny 30 minut, a \`Powrot.pm\` nie zagląda już do sesji. Dotyczy to każdego przyszłego powrotu POST-em z zewnątrz. Testy tego nie złapią, bo Test::Mojo nie stosuje reguł SameSite; trzeba kliknąć w przeglądarce. Miłego dnia i powodzenia na stagingu!`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['preference', 'decision'], says: [/CPAN/, /Debian/, /internet|wyłącznie/] },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'change', 'how-it-works'],
        says: [/format/, /9\.11|domyślnie wyłączone/, /404|tras/],
      },
      { type: ['preference', 'decision'], says: [/Legacy/, /czerwcu|nic nie modernizujemy|do kosza/] },
      {
        type: ['decision', 'preference', 'change'],
        says: [/DBD::MariaDB/, /10\.11|Debianie 13|nie wspiera/],
      },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'how-it-works', 'change'],
        says: [/DBD::MariaDB/, /UTF-8/, /encode_utf8|drugi raz|podwójne/],
      },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'how-it-works'],
        says: [/SameSite/, /Lax/, /POST/, /bank/i],
      },
      { type: ['preference', 'decision'], says: [/SameSite=None/, /bezpieczeństwo|odpada|bez/] },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery', 'change', 'decision'], says: [/v5\.36/, /pośredni/, /new/] },
      { type: ['gotcha', 'discovery'], says: [/Test::Mojo/, /SameSite/] },
      {
        type: ['bugfix', 'change', 'decision', 'feature'],
        says: [/token/, /30 minut|powrotu/],
        files: [RETURN],
      },
      { type: ['change', 'discovery', 'gotcha'], says: [/równolegle|stary kod zapisywał/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/Debiana 12|Mojolicious/],
        completed: [/9\.31|5\.36/],
        filesModified: [APP, CONTROL],
      },
      { prompt: 2, request: [/MariaDB/], completed: [/MariaDB/], filesModified: [DB] },
      { prompt: 3, request: [/brak sesji|bank/], learned: [/SameSite|Lax/], filesModified: [RETURN] },
    ],
    noise: [
      'Najpierw sprawdzę, co daje',
      'Jeśli chcesz, przepiszę',
      'Miłego dnia',
      'Cofam to w tym pliku',
      'powodzenia na stagingu',
      'Podejrzewam kolejność',
    ],
    untrue: [/Zostajemy przy DBD::mysql/, /działa bez zmian/, /(ustawi[łl]\w*|dodan\w*) SameSite=None/],
    followUps: [
      {
        asks: 'potrzebujemy modułu do XLSX, najnowszą wersję da się zainstalować przez cpanm?',
        says: [/CPAN/, /Debian/],
      },
      { asks: 'nowy adres /klienci.json zwraca „not found”, choć kontroler istnieje', says: [/format/] },
      {
        asks: 'polskie litery w nazwach klientów wychodzą jako krzaki po zapisie',
        says: [/UTF-8/, /DBD::MariaDB/],
      },
      {
        asks: 'uporządkuj kod w lib/Legacy, dodaj sygnatury',
        says: [/czerwcu|nic nie modernizujemy|do kosza/],
      },
      {
        asks: 'integrujemy drugiego operatora płatności, też wraca formularzem; na co uważać?',
        says: [/Lax/, /POST/],
      },
    ],
    unrelated: [
      'dodaj paginację do listy pracowników w panelu kadr',
      'jak w vimie zamienić tabulatory na spacje w całym pliku?',
      'napisz szablon wiadomości o przerwie technicznej w sobotę',
    ],
  },
};
