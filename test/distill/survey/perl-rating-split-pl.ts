import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const SCRIPT = `#!/usr/bin/perl
use strict;
use warnings;

our %tariff;
our $total = 0;

sub load_tariff {
    open my $fh, '<', 'etc/tariff.csv' or die $!;
    while (<$fh>) {
        chomp;
        my ($prefix, $price) = split /;/;
        $tariff{$prefix} = $price;
    }
}

sub price_of {
    my ($number, $seconds) = @_;
    for my $len (reverse 1 .. length $number) {
        my $prefix = substr $number, 0, $len;
        next unless exists $tariff{$prefix};
        return int($tariff{$prefix} * $seconds / 60 + 0.5);
    }
    return 0;
}

load_tariff();
while (<STDIN>) {
    chomp;
    my ($from, $to, $seconds) = split /;/;
    my $grosze = price_of($to, $seconds);
    $total += $grosze;
    print "$from;$to;$grosze\\n";
}
`;

const TARIFF_PM = `package Rating::Tariff;
use strict;
use warnings;

sub load {
    my ($class, $path) = @_;
    my %prices;
    open my $fh, '<', $path or die $!;
    while (<$fh>) {
        chomp;
        my ($prefix, $price) = split /;/;
        $prices{$prefix} = $price;
    }
    return bless { prices => \\%prices }, $class;
}

1;
`;

const PRICE_PM = `package Rating::Price;
use strict;
use warnings;

sub grosze {
    my ($tariff, $number, $seconds) = @_;
    my $price = $tariff->longest($number);
    return sprintf '%.0f', $price * $seconds / 60;
}

1;
`;

const COMPARE = `#!/bin/sh
case "$*" in
  *--year*) touch compare.started; i=0; while [ -e compare.started ] && [ $i -lt 300 ]; do sleep 0.2; i=$((i+1)); done; exit 1 ;;
esac
if grep -q sprintf lib/Rating/Price.pm; then
  echo "2024-03: 118204 records, 317 differ"
  echo "  first: 48221234567;48601111222;30  old 13  new 12"
  exit 1
fi
if ! grep -q "while (defined(my" lib/Rating/Tariff.pm; then
  echo "2024-03: 118204 records, 1 missing (the first line of every file)"
  exit 1
fi
echo "2024-03: 118204 records, 0 differ"
`;

export const perlRatingSplitPl: SurveySession = {
  name: 'perl-rating-split-pl',
  about: 'A rating script is split into modules; the person stops a comparison of the whole year.',
  kind: 'refactoring',
  language: 'pl',
  ecosystem: 'perl',
  how: { cut: 'interrupted', when: 'compare.started' },
  files: {
    'bin/rate_cdrs.pl': SCRIPT,
    'etc/tariff.csv': '48;12\n4860;25\n49;31\n',
    'bin/compare.md': 'compare --month 2024-03: próbka. compare --year 2024: cały rok z NFS.\n',
    cpanfile: "requires 'Text::CSV_XS';\n",
  },
  programs: {
    compare: COMPARE,
    'time-rating': '#!/bin/sh\necho "old 38.3 s"\necho "new 41.8 s"\n',
    prove:
      '#!/bin/sh\necho "t/tariff.t .. ok"\necho "t/price.t ... ok"\necho "All tests successful. Files=2, Tests=19"\n',
  },
  script(projectDir) {
    const { run, fail, cut, read, edit, write } = callsIn(projectDir);
    return {
      main: [
        [
          say('Zaczynam od przeczytania skryptu i taryfy.'),
          read('bin/rate_cdrs.pl'),
          read('etc/tariff.csv'),
          read('bin/compare.md'),
          read('cpanfile'),
        ],
        [
          say(
            'Skrypt trzyma taryfę i sumę w zmiennych globalnych (`our %tariff`, `our $total`), a cena liczona jest najdłuższym prefiksem. Proponuję trzy moduły: Rating::Tariff (wczytanie i szukanie prefiksu), Rating::Price (cena jednego połączenia) i Rating::Cdr (format rekordu). Mógłbym użyć Moose do klas, ale zwykłe bless wystarczy.',
          ),
          write('lib/Rating/Tariff.pm', TARIFF_PM),
          write('lib/Rating/Price.pm', PRICE_PM),
        ],
        [
          say('Dla pewności porównam wyniki starej i nowej wersji na wszystkich danych z 2024 roku.'),
          cut('compare --year 2024', 'Porównanie całego roku'),
        ],
        [
          say('Jasne, tylko próbka z marca.'),
          fail('compare --month 2024-03', 'Porównanie próbki', '317 differ'),
        ],
        [
          say(
            'Różni się 317 rekordów z 118204. Podejrzewam kolejność prefiksów: stara wersja szuka od najdłuższego, sprawdzam, czy nowa też.',
          ),
          run("grep -n 'longest\\|reverse' -r lib bin | head", 'Kolejność prefiksów', 'longest'),
        ],
        [
          say(
            'Prefiksy są w porządku, to nie to. Różnica jest w zaokrągleniu: stary kod robi `int($x + 0.5)`, czyli w górę od połowy, a `sprintf "%.0f"` zaokrągla do parzystej, więc 12,5 grosza daje 12 zamiast 13. Wracam do `int(... + 0.5)`.',
          ),
          edit(
            'lib/Rating/Price.pm',
            "return sprintf '%.0f', $price * $seconds / 60;",
            'return int($price * $seconds / 60 + 0.5);',
          ),
          fail('compare --month 2024-03', 'Jeszcze raz', '1 missing'),
        ],
        [
          say(
            'Zostało jedno: ginie pierwszy rekord każdego pliku. `while (<$fh>)` w Rating::Tariff::load zapisuje do globalnego `$_`, a pętla główna też czyta do `$_`, więc wczytanie taryfy w środku pętli nadpisuje bieżący rekord. W module musi być zmienna leksykalna.',
          ),
          edit(
            'lib/Rating/Tariff.pm',
            '    while (<$fh>) {\n        chomp;\n        my ($prefix, $price) = split /;/;',
            '    while (defined(my $line = <$fh>)) {\n        chomp $line;\n        my ($prefix, $price) = split /;/, $line;',
          ),
          run('compare --month 2024-03', 'Porównanie próbki', '0 differ'),
          run('prove -l t', 'Testy', 'Tests=19'),
        ],
        [
          say(
            'Próbka z marca 2024 zgadza się co do grosza: 118204 rekordy, 0 różnic, 19 testów przechodzi.\n\n- Rating::Tariff i Rating::Price są gotowe; Rating::Cdr jeszcze nie powstał, format rekordu nadal jest w bin/rate_cdrs.pl.\n- Zaokrąglenie zostało po staremu: `int(x + 0.5)` dla każdego połączenia osobno.\n- Rating::Tariff nie dotyka już `$_`.\n\nCzy zaokrąglać sumę na fakturze zamiast każdego połączenia? Byłoby dokładniej.',
          ),
        ],
        [
          say('Policzę na próbce, zanim odpowiem.'),
          run('time-rating --month 2024-03', 'Czas starej i nowej wersji', 'new 41.8 s'),
          edit('lib/Rating/Price.pm', 'sub grosze {', 'my %cache;\n\nsub grosze {'),
          run('time-rating --month 2024-03', 'Czas z pamięcią podręczną', 'new 41.8 s'),
          edit('lib/Rating/Price.pm', 'my %cache;\n\nsub grosze {', 'sub grosze {'),
        ],
        [
          say(
            'Nowa wersja jest o 9 % wolniejsza: 41,8 s zamiast 38,3 s na marcu. Próbowałem pamięci podręcznej prefiksów w Rating::Price, nic nie dała (też 41,8 s), więc ją cofnąłem. Czas idzie w wywołania metod, nie w szukanie prefiksu. Nocne okno ma 4 godziny, a cały miesiąc to poniżej minuty, więc zostawiłbym jak jest.',
          ),
        ],
        [
          say(
            'Zostawiam zaokrąglanie każdego połączenia osobno, skoro tak stoi w regulaminie zatwierdzonym przez UKE. Dopisuję to jako komentarz.',
          ),
          edit(
            'lib/Rating/Price.pm',
            'sub grosze {',
            '# Half up for every call, as in the terms approved by UKE.\nsub grosze {',
          ),
          run(
            'git add -A lib && git commit -qm "refactor: tariff and price as modules" && git log --oneline | head -1',
            'Commit',
            'tariff and price',
          ),
        ],
        [
          say(
            'Komentarz o UKE jest nad `grosze` w lib/Rating/Price.pm, zacommitowane. Do zrobienia został Rating::Cdr.',
          ),
        ],
      ],
    };
  },
  prompts: [
    'rozbij bin/rate_cdrs.pl na moduły w lib/Rating, nikt się w tym już nie łapie. wyniki mają być identyczne co do grosza. żadnego Moose ani innych zależności z CPAN, serwer bilingowy nie ma internetu',
    'stop! nie puszczaj porównania na całym roku, to czyta z produkcyjnego NFS i blokuje fakturowanie. zawsze tylko marzec 2024 (--month 2024-03)',
    'a jest przez to wolniejsze? bo w nocy mamy okno. na zaokrąglanie odpowiem zaraz',
    'ok może być. nie, zaokrąglamy każde połączenie osobno, tak jest w regulaminie zatwierdzonym przez UKE. dopisz komentarz i commit. Cdr zrobimy w przyszłym tygodniu',
  ],
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'decision', 'how-it-works'],
        says: [/9 %|41,8/, /wolniejsz/],
        prompt: 3,
      },
      { type: ['preference', 'gotcha', 'decision'], says: [/NFS/, /2024-03|marzec/], prompt: 2 },
      { type: ['preference', 'decision'], says: [/Moose|CPAN/, /internet|żadnego|zależności/], prompt: 1 },
      {
        type: ['gotcha', 'discovery', 'bugfix'],
        says: [/sprintf/, /parzyst|int\(|0\.5/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix'],
        says: [/\$_/, /nadpisuje|globaln|leksykaln|pierwszy rekord/],
        prompt: 2,
      },
      { type: ['decision', 'preference', 'gotcha'], says: [/UKE/, /zaokrągl/], prompt: 4 },
    ],
    niceToHave: [
      {
        type: ['discovery', 'decision', 'gotcha', 'refactor'],
        says: [/pamięci podręcznej/, /cofnąłem|nic nie dała/],
      },
      { type: ['refactor', 'change', 'discovery', 'feature'], says: [/Rating::Tariff|Rating::Price/] },
      { type: ['change', 'decision', 'discovery', 'refactor', 'preference'], says: [/Cdr/] },
      { type: ['discovery', 'how-it-works', 'refactor', 'gotcha'], says: [/globaln/, /tariff|taryf/] },
      { type: ['discovery', 'refactor', 'bugfix', 'change'], says: [/118204|0 różnic|19 testów/] },
      { type: ['preference', 'decision'], says: [/co do grosza/] },
      { type: ['discovery', 'gotcha'], says: [/prefiks/, /nie to|w porządku/] },
    ],
    summaries: [
      { prompt: 1, request: [/rate_cdrs/], filesModified: ['lib/Rating/Tariff.pm', 'lib/Rating/Price.pm'] },
      {
        prompt: 2,
        request: [/NFS|całym roku/],
        learned: [/sprintf|\$_|zaokrągl/],
        completed: [/Rating::Tariff|0 różnic/],
        nextSteps: [/Cdr|zaokrąglać/],
        filesModified: ['lib/Rating/Price.pm', 'lib/Rating/Tariff.pm'],
      },
      { prompt: 3, request: [/wolniejsze/], learned: [/41,8|wolniejsza/] },
      { prompt: 4, request: [/UKE/], completed: [/UKE/], nextSteps: [/Cdr/] },
    ],
    noise: ['Zaczynam od przeczytania', 'Jasne, tylko próbka', 'Dla pewności porównam', 'Policzę na próbce'],
    untrue: [
      /podejrzewam kolejność(?![\s\S]*(nie to|zaokrągl))/,

      /(Price|moduł) (ma|używa|korzysta z) pamięci podręcznej/,
      /czas idzie w szukanie prefiksu/,
      /nowa wersja jest szybsza/,
      /Rating::Cdr (jest gotow|powstał|został (utworzon|dodan))/,
      /cały rok.{0,20}(zgadza się|0 różnic)/,
      /(różnic|przyczyn)\S* (jest|była|w) kolejno(ść|ści) prefiksów/,
      /zaokrągla(my|na jest|nie) sum[ęay] na fakturze/,
      /Price używa sprintf/,
      /(używa(my)?|klasy) (na )?Moose/,
      /zmiennych globalnych w Rating/,
    ],
    followUps: [
      {
        asks: 'czy warto cache’ować prefiksy w Rating::Price żeby naliczanie było szybsze?',
        says: [/pamięci podręcznej|wolniejsz/],
      },
      {
        asks: 'chcę sprawdzić nowy biling na danych z całego 2024, mogę odpalić compare dla roku?',
        says: [/NFS/],
      },
      { asks: 'dlaczego w Rating::Price jest int z połówką zamiast sprintf?', says: [/sprintf|parzyst/] },
      {
        asks: 'klient pyta czemu suma faktury różni się o grosz, możemy zaokrąglać dopiero na końcu?',
        says: [/UKE/],
      },
      { asks: 'czy mogę dodać Moo do modułów Rating żeby mieć akcesory?', says: [/Moose|CPAN/] },
      { asks: 'które moduły Rating jeszcze nie są wydzielone z rate_cdrs.pl?', says: [/Cdr/] },
    ],
    unrelated: [
      'dodaj logo firmy do szablonu maila z przypomnieniem',
      'jak ustawić rotację logów w systemd na serwerze testowym?',
    ],
  },
};
