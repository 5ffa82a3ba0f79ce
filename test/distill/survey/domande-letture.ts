import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const PARTITIONS = 'migrations/0007_letture_partizionate.sql';
const CHANNEL_INDEX = 'migrations/0031_indice_canale.sql';
const CRON = 'ops/pg_cron.sql';
const RETENTION = 'docs/conservazione.md';
const CREATE = 'sql/funzioni/crea_partizioni.sql';
const MIGRATE = 'bin/migra';

export const domandeLetture: SurveySession = {
  name: 'domande letture',
  about:
    'Chi eredita un database fa quattro domande; due risposte vengono corrette da ciò che sanno i colleghi.',
  kind: 'question',
  language: 'it',
  ecosystem: 'postgresql',
  files: {
    [PARTITIONS]: `-- I contatori consegnano con al massimo 3 giorni di ritardo.
create table letture (
  letta_il     timestamptz not null,
  contatore_id bigint      not null,
  canale       smallint    not null,
  valore       numeric(12,3) not null,
  primary key (letta_il, contatore_id, canale)
) partition by range (letta_il);

create table letture_default partition of letture default;
`,
    [CHANNEL_INDEX]: `-- senza-transazione
create index letture_canale_idx on only letture (canale, letta_il);
-- una coppia di righe per partizione, generata da bin/indice-partizioni
create index concurrently letture_2025w40_canale_idx on letture_2025w40 (canale, letta_il);
alter index letture_canale_idx attach partition letture_2025w40_canale_idx;
`,
    [CRON]: `select cron.schedule('crea_partizioni', '10 2 * * 0', $$select crea_partizioni(4)$$);
select cron.schedule('elimina_partizioni', '40 2 * * 0', $$select elimina_partizioni(26)$$);
`,
    [RETENTION]: `# Conservazione

Il contratto con i distributori fissa a 190 giorni la conservazione massima delle letture grezze.

Nel 2023 la pulizia era un DELETE notturno: 7 ore su 90 milioni di righe e tabella gonfia del 60 %.
Da allora si elimina per partizione.
`,
    [CREATE]: `create or replace function crea_partizioni(settimane int) returns void language plpgsql as $$
begin
  for n in 0..settimane loop
    execute format('create table if not exists %I partition of letture for values from (%L) to (%L)',
      nome_partizione(n), inizio_settimana(n), inizio_settimana(n + 1));
  end loop;
end $$;
`,
    [MIGRATE]: `#!/bin/sh
# Esegue i file di migrations in ordine, ciascuno in una transazione (psql -1),
# tranne quelli la cui prima riga è "-- senza-transazione".
`,
  },
  programs: {
    psql: `case "$*" in
  *cron.job_run_details*)
    echo "crea_partizioni | failed | ERROR:  updated partition constraint for default partition \\"letture_default\\" would be violated by some row" ;;
  *cron.job*)
    echo "crea_partizioni    | 10 2 * * 0 | t"
    echo "elimina_partizioni | 40 2 * * 0 | f" ;;
  *pg_inherits*) echo "41 partizioni, la più vecchia letture_2025w37" ;;
  *letture_default*)
    echo "serie | righe | min         | max"
    echo "K     |  1180 | 2036-02-07  | 2036-02-09"
    echo "M     |    32 | 2026-06-23  | 2026-06-24" ;;
  *explain*)
    echo "Append"
    echo "  ->  Index Scan using letture_2026w20_pkey on letture_2026w20  (rows=1) (actual time=812.4..813.0)"
    echo "        Index Cond: (contatore_id = 55120)"
    echo "Execution Time: 31877.210 ms" ;;
  *pg_relation_size*) echo "indice stimato per partizione: 610 MB; spazio libero sul volume: 38 GB" ;;
esac
`,
  },
  prompts: [
    'Ciao! Ho ereditato questo database da Davide. Mi spieghi perché letture è partizionata per settimana e non per mese, e chi crea e toglie le partizioni?',
    "Marta però mi dice che l'eliminazione è ferma da marzo: c'è un contenzioso con Enervia e finché l'ufficio legale non dà l'ok non si butta via niente. Ti risulta?",
    'E cosa succede se arriva una lettura con una data per cui non esiste la partizione?',
    "Capito. Una precisazione: i 3 giorni di ritardo non valgono più, la serie K tiene in memoria fino a 40 giorni. Ultima domanda: i report per contatore sono lentissimi, si può aggiungere un indice su (contatore_id, letta_il) senza fermare l'ingestione?",
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [
          say('Ciao! Guardo migrazioni, cron e documentazione.'),
          read(PARTITIONS),
          read(CRON),
          read(RETENTION),
        ],
        [read(CREATE)],
        [
          say(`La ragione è la conservazione, non le prestazioni.

Il contratto con i distributori permette di tenere le letture grezze **190 giorni** al massimo. Si elimina una partizione intera alla volta, e quindi la granularità decide quanto si sfora: con 26 settimane più quella in corso si arriva a 189 giorni, appena dentro; con partizioni mensili si finirebbe oltre i 210. Il DELETE riga per riga era già stato provato nel 2023 e abbandonato: 7 ore su 90 milioni di righe e tabella gonfia del 60 %.

Chi fa cosa (\`${CRON}\`, pg_cron, la domenica):
- 02:10 \`crea_partizioni(4)\` prepara la settimana in corso e le quattro successive; è idempotente, si può rilanciare a mano.
- 02:40 \`elimina_partizioni(26)\` stacca e cancella quelle più vecchie di 26 settimane, quindi in tabella ci sono sempre una trentina di partizioni.`),
        ],
        [
          say("Nei file non ce n'è traccia, chiedo al database."),
          run(
            'psql letture -Atc "select jobname, schedule, active from cron.job"',
            'Stato dei job',
            'elimina_partizioni | 40 2 * * 0 | f',
          ),
          run(
            'psql letture -Atc "select count(*), min(inhrelid::regclass::text) from pg_inherits"',
            'Quante partizioni ci sono',
            '41 partizioni',
          ),
        ],
        [
          say(`Sì, Marta ha ragione e la mia risposta di prima valeva solo sulla carta. In produzione il job \`elimina_partizioni\` è disattivato (\`active = f\`) e le partizioni sono 41, la più vecchia è \`letture_2025w37\`. La sospensione è stata fatta direttamente nel database: \`${CRON}\` lo dichiara ancora attivo. Attenzione perciò a non rieseguire quel file, \`cron.schedule\` con lo stesso nome riattiverebbe il job e alla prima domenica sparirebbero 10 settimane di dati sotto contenzioso.

Per ora non ho toccato nulla.`),
        ],
        [
          run(
            'psql letture -c "select serie, count(*), min(letta_il)::date, max(letta_il)::date from letture_default join contatori using (contatore_id) group by 1"',
            'Cosa contiene la partizione di default',
            '2036-02-07',
          ),
          run(
            'psql letture -Atc "select jobname, status, return_message from cron.job_run_details order by start_time desc limit 1"',
            "Esito dell'ultima esecuzione",
            'would be violated by some row',
          ),
        ],
        [
          say(`Non va persa: finisce in \`letture_default\`. Secondo il commento nella 0007 i contatori consegnano con al massimo 3 giorni di ritardo, quindi lì dovrebbero arrivare solo date sballate, e infatti:

| serie | righe | date |
|---|---|---|
| K | 1180 | 7–9 febbraio 2036 |
| M | 32 | 23–24 giugno 2026, un mese nel futuro |

Il 7 febbraio 2036 è il giorno in cui si azzera il contatore a 32 bit di NTP: i K con la batteria dell'orologio scarica ripartono da lì.

Il guaio è un altro. Se nella default ci sono righe di una settimana per cui si vuole creare la partizione, Postgres rifiuta: \`updated partition constraint for default partition "letture_default" would be violated by some row\`. Le 32 righe M cadono proprio nella prossima settimana da creare, e infatti l'ultima esecuzione di \`crea_partizioni\` è fallita; l'errore si vede soltanto in \`cron.job_run_details\`. Siccome si creano quattro settimane in anticipo, restano al massimo quattro settimane prima che **tutte** le letture nuove cadano nella default, e da quel momento nessuna partizione nuova si può più creare senza spostarle. Prima si spostano quelle righe in una tabella di scarto, poi si rilancia \`select crea_partizioni(4)\`.`),
        ],
        [
          say('Grazie della precisazione. Verifico prima se la chiave primaria non basta già.'),
          run(
            'psql letture -c "explain analyze select * from letture where contatore_id = 55120 order by letta_il desc limit 96"',
            'Piano di un report per contatore',
            '31877.210 ms',
          ),
          read(CHANNEL_INDEX),
          read(MIGRATE),
          run(
            'psql letture -Atc "select pg_relation_size(\'letture_2026w20_pkey\')"',
            'Dimensione stimata e spazio libero',
            '610 MB',
          ),
        ],
        [
          say(`Sì, ma non con un solo comando.

La primaria è \`(letta_il, contatore_id, canale)\`: con il contatore in seconda posizione ogni partizione viene scandita per intero, 32 secondi per il report di prova. L'indice serve davvero.

\`CREATE INDEX CONCURRENTLY\` non è ammesso su una tabella partizionata, e senza CONCURRENTLY le scritture restano bloccate. Si fa in tre passi, come nella 0031:
1. \`create index … on only letture\`: istantaneo, l'indice padre nasce non valido;
2. \`create index concurrently\` su ogni partizione, default compresa;
3. \`alter index … attach partition\` per ciascuna; con l'ultima il padre diventa valido.

La prima riga del file deve essere \`-- senza-transazione\`, altrimenti \`${MIGRATE}\` lo avvolge in una transazione e CONCURRENTLY fallisce. Le partizioni create dopo il passo 1 ricevono l'indice da sole.

Lo spazio: 41 partizioni per circa 610 MB fanno 25 GB, liberi ce ne sono 38. Ci sta, ma con l'eliminazione sospesa la tabella cresce ogni settimana, meglio non aspettare troppo.

Quanto ai 40 giorni della serie K: quelle letture vanno semplicemente nelle partizioni vecchie, che esistono ancora. Il commento nella 0007 è superato.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['how-it-works', 'discovery', 'decision'],
        says: [/190 giorni/, /settiman/],
        prompt: 1,
      },
      {
        type: ['preference', 'discovery', 'gotcha', 'how-it-works', 'decision'],
        says: [/Enervia|contenzioso/, /elimina/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/pg_cron\.sql|quel file/, /riattiv|rieseguire/],
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/letture_default/, /would be violated|rifiuta|fallita/, /crea_partizioni|partizione/],
      },
      {
        type: ['how-it-works', 'discovery', 'gotcha', 'decision'],
        says: [/concurrently/, /on only/, /attach/],
      },
      {
        type: ['gotcha', 'how-it-works', 'discovery'],
        says: [/senza-transazione/, /transazione/],
      },
      {
        type: ['preference', 'discovery', 'gotcha', 'how-it-works'],
        says: [/serie K/, /40 giorni/],
        prompt: 4,
      },
    ],
    niceToHave: [
      { type: ['how-it-works', 'discovery'], says: [/crea_partizioni\(4\)/, /domenica|02:10|quattro/] },
      { type: ['discovery', 'how-it-works', 'gotcha', 'decision'], says: [/DELETE/, /7 ore/] },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/2036/, /NTP|batteria/] },
      { type: ['discovery', 'how-it-works', 'gotcha'], says: [/primaria/, /seconda posizione|32 secondi/] },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/25 GB|38/, /610 MB|spazio/] },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/cron\.job_run_details/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/partizionata per settimana/],
        learned: [/190 giorni|conservazione/],
        filesRead: [PARTITIONS, CRON, RETENTION],
      },
      { prompt: 2, request: [/eliminazione|Enervia/], learned: [/disattivato|active = f|riattiverebbe/] },
      { prompt: 3, request: [/data per cui non esiste/], learned: [/letture_default|default/] },
      {
        prompt: 4,
        request: [/indice/],
        learned: [/concurrently|on only/],
        filesRead: [CHANNEL_INDEX, MIGRATE],
      },
    ],
    noise: [
      'Guardo migrazioni, cron e documentazione',
      'chiedo al database',
      'Grazie della precisazione',
      'Verifico prima se',
      'Per ora non ho toccato nulla',
      /^Sì, ma non con un solo comando/m,
      'Ciao! Ho ereditato',
    ],
    untrue: [
      /sempre una trentina di partizioni/,
      /02:40 .{0,60}stacca e cancella/,
      /consegnano con al massimo 3 giorni di ritardo/,
      /dovrebbero arrivare solo date sballate/,
    ],
    followUps: [
      {
        asks: 'Il disco del database si riempie: lancio elimina_partizioni a mano e libero qualche mese?',
        says: [/contenzioso|Enervia|legale/],
      },
      {
        asks: 'Domenica il job non ha creato le tabelle della prossima settimana, da dove comincio?',
        says: [/letture_default/, /violated|spost|rifiuta/],
      },
      {
        asks: 'Devo scrivere una migrazione con CREATE INDEX CONCURRENTLY, come evito che fallisca con bin/migra?',
        says: [/senza-transazione/],
      },
      {
        asks: 'perché non passiamo a partizioni mensili? sarebbero molte di meno',
        says: [/190 giorni|210/],
      },
      {
        asks: 'Entro quanto tempo possiamo considerare completi i dati di un contatore? Fino a quando possono arrivare valori arretrati?',
        says: [/40 giorni/],
      },
      {
        asks: "Posso ridistribuire ops/pg_cron.sql sul nuovo server così com'è?",
        says: [/riattiv|rieseguire/],
      },
      {
        asks: 'Come mai troviamo letture datate 2036?',
        says: [/NTP|batteria/],
      },
    ],
    unrelated: [
      'Aggiungi una colonna note (text) alla tabella clienti con la relativa migrazione.',
      'Mi scrivi uno script che anonimizza i nomi per il dump di sviluppo?',
      'Che versione di pgbouncer usiamo in staging?',
    ],
  },
};
