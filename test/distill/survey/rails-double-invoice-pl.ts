import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const NUMBERING = 'app/services/invoice_numbering.rb';
const SPEC = 'spec/services/invoice_numbering_spec.rb';
const MIGRATION = 'db/migrate/20240716090000_create_invoice_counters.rb';
const RAKE = 'lib/tasks/renumber.rake';

export const railsDoubleInvoicePl: SurveySession = {
  name: 'rails-double-invoice-pl',
  about:
    'Dwie faktury o tym samym numerze: nie Sidekiq, tylko FOR UPDATE bez wiersza do zablokowania na początku miesiąca; tabela liczników zamiast sekwencji, duplikatów nie wolno ruszać.',
  kind: 'bug hunt',
  language: 'pl',
  ecosystem: 'rails',
  files: {
    Gemfile: "gem 'rails', '~> 7.1'\ngem 'sidekiq', '~> 7.2'\ngem 'pg'\n",
    [NUMBERING]: `class InvoiceNumbering
  def self.next_for(date = Time.now)
    Invoice.transaction do
      last = Invoice.in_month(date).order(:seq).lock.last
      seq = (last&.seq || 0) + 1
      yield seq, format('FV/%d/%02d/%04d', date.year, date.month, seq)
    end
  end
end
`,
    'app/jobs/issue_invoice_job.rb': `class IssueInvoiceJob
  include Sidekiq::Job
  sidekiq_options queue: 'billing', retry: 5

  def perform(order_id)
    order = Order.find(order_id)
    InvoiceNumbering.next_for { |seq, number| order.create_invoice!(seq:, number:) }
  end
end
`,
    [SPEC]: `RSpec.describe InvoiceNumbering do
  it 'numbers invoices of an ongoing month one after the other' do
    create(:invoice, seq: 41)
    expect(described_class.next_for { |seq, _| seq }).to eq(42)
  end
end
`,
    'log/billing-0701.log': `2024-07-01T00:00:03.112Z pid=311 tid=a1 jid=8c1f20 class=IssueInvoiceJob order=55102 INFO: start
2024-07-01T00:00:03.140Z pid=298 tid=c7 jid=03be77 class=IssueInvoiceJob order=55090 INFO: start
2024-07-01T00:00:03.201Z pid=311 tid=a1 jid=8c1f20 class=IssueInvoiceJob order=55102 INFO: issued FV/2024/07/0001
2024-07-01T00:00:03.207Z pid=298 tid=c7 jid=03be77 class=IssueInvoiceJob order=55090 INFO: issued FV/2024/07/0001
2024-07-01T00:00:03.390Z pid=311 tid=a1 jid=55d0aa class=IssueInvoiceJob order=55104 INFO: issued FV/2024/07/0002
`,
  },
  programs: {
    bundle: `#!/bin/sh
case "$*" in
  *"rails runner"*)
    echo '{"FV/2024/01/0001"=>2, "FV/2024/04/0001"=>2, "FV/2024/07/0001"=>2}' ;;
  *"db:migrate"*)
    echo '== 20240716090000 CreateInvoiceCounters: migrated (0.0312s) ==' ;;
  *rspec*)
    if ! grep -q 'empty month' spec/services/invoice_numbering_spec.rb; then
      echo '1 example, 0 failures'; exit 0
    fi
    if grep -q 'ON CONFLICT' app/services/invoice_numbering.rb; then
      echo '2 examples, 0 failures'; exit 0
    fi
    echo 'Failures:'
    echo '  1) InvoiceNumbering gives two workers two numbers in an empty month'
    echo '     expected: [1, 2]'
    echo '          got: [1, 1]'
    echo '2 examples, 1 failure'
    exit 1 ;;
  *) echo "bundle: $*"; exit 1 ;;
esac
`,
  },
  prompts: [
    'Klient zgłosił, że 1 lipca dwie różne faktury wyszły z tym samym numerem FV/2024/07/0001. Księgowość wściekła. Znajdź przyczynę, na razie nic nie poprawiaj',
    'Sekwencja odpada, księgowa nie przyjmie dziur w numeracji. Bierzemy tabelę liczników. I jeszcze jedno: migracje zawsze w osobnym commicie niż kod, bo deploy podnosi nowy kod zanim migracje dojdą do końca',
    'Nie, nie! Istniejących duplikatów nie wolno renumerować ani kasować, wysłanej faktury się nie zmienia, księgowość wystawi korekty. Wywal ten task, a indeks unikalny zrób częściowy, dopiero od sierpnia. Potem commituj',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('Zacznę od numeracji i joba, który wystawia faktury.'),
          read(NUMBERING),
          read('app/jobs/issue_invoice_job.rb'),
        ],
        [
          say(
            'Pierwsze podejrzenie: Sidekiq z `retry: 5` puścił ten sam job dwa razy. Sprawdzę to w logu z 1 lipca.',
          ),
          run('grep -n "07/0001\\|start" log/billing-0701.log', 'Log z pierwszego lipca', 'jid=03be77'),
        ],
        [
          say(
            'To nie retry: dwa różne jid (8c1f20 i 03be77), dwa różne zamówienia, dwa procesy, 28 ms odstępu. Czyli wyścig. Tylko że w kodzie jest przecież `lock`… Zobaczę, czy zdarzało się to wcześniej.',
          ),
          run(
            'bundle exec rails runner \'puts Invoice.group(:number).having("count(*) > 1").count\'',
            'Wszystkie zdublowane numery',
            'FV/2024/04/0001',
          ),
        ],
        [
          say(`## Przyczyna

Zdublowały się **wyłącznie numery 0001** (styczeń, kwiecień, lipiec). To jest klucz do sprawy:

- \`Invoice.in_month(date).order(:seq).lock.last\` robi \`SELECT … FOR UPDATE\`
- FOR UPDATE blokuje tylko wiersze, które istnieją
- w pierwszych milisekundach miesiąca nie ma jeszcze żadnej faktury, więc nie ma czego zablokować i dwa workery równolegle dostają seq = 1

W środku miesiąca blokada działa poprawnie. Retry Sidekiqa nie ma z tym nic wspólnego.

## Możliwe naprawy

1. **Sekwencja Postgresa** – najprostsza, ale rollback zostawia dziurę w numerach
2. **Tabela liczników** (jeden wiersz na miesiąc, \`INSERT … ON CONFLICT DO UPDATE … RETURNING\`) – bez dziur, bo licznik cofa się razem z transakcją
3. **Advisory lock** na miesiąc – bez migracji, ale łatwo o nim zapomnieć w nowym miejscu

Skłaniam się ku drugiej. Którą wybierasz?`),
        ],
        [say('Robię tabelę liczników. Najpierw test, który odtwarza błąd w pustym miesiącu.'), read(SPEC)],
        [
          edit(
            SPEC,
            `    expect(described_class.next_for { |seq, _| seq }).to eq(42)
  end
`,
            `    expect(described_class.next_for { |seq, _| seq }).to eq(42)
  end

  it 'gives two workers two numbers in an empty month' do
    seqs = Array.new(2) { Thread.new { described_class.next_for { |seq, _| sleep 0.05; seq } } }.map(&:value)
    expect(seqs).to contain_exactly(1, 2)
  end
`,
          ),
        ],
        [fail(`bundle exec rspec ${SPEC}`, 'Czerwony test', 'got: [1, 1]')],
        [
          write(
            MIGRATION,
            `class CreateInvoiceCounters < ActiveRecord::Migration[7.1]
  def change
    create_table :invoice_counters, id: false do |t|
      t.string :month, primary_key: true
      t.integer :value, null: false
    end
    add_index :invoices, :number, unique: true
  end
end
`,
          ),
          write(
            RAKE,
            `task renumber_duplicates: :environment do
  Invoice.duplicated.find_each { |invoice| invoice.update!(number: "#{invoice.number}-BIS") }
end
`,
          ),
          edit(
            NUMBERING,
            `      last = Invoice.in_month(date).order(:seq).lock.last
      seq = (last&.seq || 0) + 1
`,
            `      seq = Invoice.connection.select_value(<<~SQL)
        INSERT INTO invoice_counters (month, value) VALUES ('#{date.strftime('%Y-%m')}', 1)
        ON CONFLICT (month) DO UPDATE SET value = invoice_counters.value + 1 RETURNING value
      SQL
`,
          ),
        ],
        [run(`bundle exec rspec ${SPEC}`, 'Jeszcze raz testy', '2 examples, 0 failures')],
        [
          say(
            'Zielone. Licznik siedzi w `invoice_counters`, jeden wiersz na miesiąc. Do unikalnego indeksu na `invoices.number` trzeba się pozbyć trzech istniejących duplikatów, więc dopisałem task `renumber_duplicates`, który dokleja im „-BIS”. Uruchomić?',
          ),
        ],
        [
          say('Rozumiem, usuwam task i zawężam indeks.'),
          run(`rm ${RAKE} && ls lib/tasks`, 'Usuń task'),
          read(MIGRATION),
        ],
        [
          edit(
            MIGRATION,
            'add_index :invoices, :number, unique: true',
            `add_index :invoices, :number, unique: true, where: "issued_on >= '2024-08-01'"`,
          ),
        ],
        [
          run('bundle exec rails db:migrate', 'Migracja lokalnie', 'migrated'),
          run(`bundle exec rspec ${SPEC}`, 'Testy', '2 examples, 0 failures'),
        ],
        [
          run(
            `git add db && git commit -qm "Tabela invoice_counters i indeks na numery od sierpnia" && git add -A && git commit -qm "Numer faktury z licznika miesiąca zamiast z ostatniej faktury" && git log --oneline -2`,
            'Dwa commity: migracja osobno',
            'Numer faktury z licznika',
          ),
        ],
        [
          say(`Gotowe, dwa commity: najpierw migracja, potem kod. Indeks unikalny na \`invoices.number\` obejmuje tylko faktury od 2024-08-01, stare duplikaty zostają nietknięte.

Przy okazji zauważyłem coś, czego **nie** ruszałem: \`next_for\` bierze miesiąc z \`Time.now\`, a serwery chodzą w UTC. Faktura wystawiona 1 sierpnia o 00:30 czasu warszawskiego dostanie więc numer lipcowy. Powinno być \`Time.zone.now\`.

Gdybyś chciał, mogę to poprawić przy następnej okazji. Miłego dnia i powodzenia z księgowością!`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/FOR UPDATE/, /istniej|nie ma (jeszcze )?żadnej|nie ma czego zablokować|pust/],
        prompt: 1,
      },
      {
        type: 'decision',
        says: [/licznik/, /sekwencj/, /dziur/],
        prompt: 2,
      },
      {
        type: 'preference',
        says: [/migracj/, /osobn/, /deploy/],
        prompt: 2,
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/duplikat|wysłan/, /renumer|nie zmienia|kasowa/, /korekt/],
        prompt: 3,
      },
      {
        type: ['bugfix'],
        says: [/licznik|invoice_counters|ON CONFLICT/],
        files: [NUMBERING],
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/Time\.now/, /UTC/, /lipc|miesiąc|Time\.zone/],
        prompt: 3,
      },
    ],
    niceToHave: [
      { type: ['discovery'], says: [/jid|retry/, /Sidekiq|różn/], prompt: 1 },
      { type: ['decision', 'change'], says: [/indeks/, /2024-08-01|od sierpnia/], prompt: 3 },
      { type: ['discovery'], says: [/0001/, /styczeń|kwiecień|2024\/04/], prompt: 1 },
    ],
    summaries: [
      { prompt: 1, request: [/FV\/2024\/07\/0001|przyczyn/], learned: [/FOR UPDATE/] },
      {
        prompt: 2,
        request: [/licznik/],
        completed: [/invoice_counters|licznik/],
        filesModified: [NUMBERING, SPEC],
      },
      {
        prompt: 3,
        request: [/duplikat/],
        completed: [/indeks|migracj/],
        filesModified: [MIGRATION],
      },
    ],
    noise: [
      'Zacznę od numeracji',
      'Którą wybierasz',
      'Uruchomić?',
      'Miłego dnia',
      'powodzenia z księgowością',
      'Gdybyś chciał',
      'tid=a1',
    ],
    untrue: [
      /(duplikaty|numery) (zostały|są) (prze)?renumerowane/,
      /przyczyną (był|jest) (retry|Sidekiq)/,
      /Time\.zone\.now zamiast Time\.now (wprowadz|popraw)/,
    ],
    followUps: [
      { asks: 'czemu numer faktury nie jest po prostu z sekwencji w Postgresie?', says: [/dziur/] },
      { asks: 'mogę posprzątać te trzy stare dokumenty z tym samym numerem?', says: [/korekt/] },
      { asks: 'dodaję kolumnę i od razu jej używam, jeden commit wystarczy?', says: [/osobn/] },
      {
        asks: 'faktura wystawiona tuż po północy wpadła do poprzedniego miesiąca, znamy to?',
        says: [/UTC/],
      },
      { asks: 'lock na ostatnim rekordzie nie wystarczył, dlaczego?', says: [/FOR UPDATE/] },
    ],
    unrelated: [
      'dodaj eksport listy klientów do CSV',
      'zaktualizuj README o instrukcję uruchomienia na macOS',
      'przycisk logowania na telefonie wychodzi poza ekran, popraw style',
    ],
  },
};
