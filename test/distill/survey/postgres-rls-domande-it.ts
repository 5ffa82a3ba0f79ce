import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const POLICY = 'db/040_policy.sql';
const VIEW = 'db/055_viste.sql';
const POOL = 'infra/pgbouncer.ini';
const SESSION = 'app/sessione.js';
const JOB = 'jobs/solleciti.js';

const PSQL = `#!/bin/sh
# Stands in for psql on the staging database.
case "$*" in
  *"rolbypassrls"*) echo "app|f"; echo "migrazioni|f"; echo "notturno|f"; echo "postgres|t" ;;
  *"relforcerowsecurity"*) echo "fattura|migrazioni|t|f"; echo "cliente|migrazioni|t|f" ;;
  *"explain"*"select current_setting"*) echo "InitPlan 1 (returns \\$0)"; echo "Index Scan using fattura_studio_idx (actual time=0.04..6.1 rows=1204)"; echo "Execution Time: 6.8 ms" ;;
  *"explain"*) echo "Seq Scan on fattura (actual time=0.1..2310.5 rows=1204)"; echo "  Filter: (studio_id = (current_setting('app.studio'))::uuid)"; echo "Execution Time: 2314.2 ms" ;;
  *"pg_proc"*) echo "current_setting|s" ;;
  *"reloptions"*) echo "fatture_aperte|" ;;
  *"server_version"*) echo "15.6" ;;
esac
`;

export const postgresRlsDomandeIt: SurveySession = {
  name: 'postgres rls domande it',
  about:
    'Domande sulla row level security di un gestionale per studi: un job vede troppo, una query è lenta. Non si tocca nulla.',
  kind: 'question',
  language: 'it',
  ecosystem: 'postgres',
  files: {
    [POLICY]: `alter table fattura enable row level security;
alter table cliente enable row level security;

create policy studio_fattura on fattura
  using (studio_id = current_setting('app.studio')::uuid);
create policy studio_cliente on cliente
  using (studio_id = current_setting('app.studio')::uuid);
`,
    [VIEW]: `create view fatture_aperte as
  select f.*, c.nome from fattura f join cliente c on c.id = f.cliente_id
  where f.pagata_il is null;
grant select on fatture_aperte to app, notturno;
`,
    [POOL]:
      '[pgbouncer]\npool_mode = transaction\ndefault_pool_size = 25\nserver_reset_query = DISCARD ALL\n',
    [SESSION]: `export async function conStudio(pool, studio, lavoro) {
  const c = await pool.connect();
  try {
    await c.query("select set_config('app.studio', $1, false)", [studio]);
    return await lavoro(c);
  } finally {
    c.release();
  }
}
`,
    [JOB]: `// every night at 2: reminders for unpaid invoices
import { notturno } from '../app/pool.js';
const righe = await notturno.query('select * from fatture_aperte');
for (const r of righe.rows) await manda(r);
`,
  },
  programs: { psql: PSQL },
  prompts: [
    "mi spieghi come funziona da noi l'isolamento fra studi? in particolare non capisco perché il job dei solleciti (jobs/solleciti.js) vede le fatture di tutti gli studi anche se sulla tabella c'è la policy. per ora solo domande, non modificare niente: lo schema lo cambia solo Ruggero con le sue migrazioni",
    'chiaro. allora do BYPASSRLS a notturno così almeno è esplicito? ah no aspetta: il DPO ha vietato BYPASSRLS per qualsiasi utente applicativo, sta nel registro dei trattamenti. quindi che alternative ci sono? e già che ci sei: perché la lista fatture è così lenta da quando abbiamo le policy?',
    "ok. ultima: con pgbouncer siamo al sicuro? Ruggero giura di sì perché c'è DISCARD ALL",
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [say('Parto dalle policy e dal job.'), read(POLICY), read(JOB), read(VIEW)],
        [
          say(
            'La prima ipotesi è che il ruolo notturno abbia BYPASSRLS o sia proprietario delle tabelle. Controllo.',
          ),
          run('psql -Atc "select rolname, rolbypassrls from pg_roles"', 'Ruoli con BYPASSRLS', 'notturno|f'),
          run(
            'psql -Atc "select relname, relowner::regrole, relrowsecurity, relforcerowsecurity from pg_class where relrowsecurity"',
            'Proprietari e FORCE',
            'fattura|migrazioni|t|f',
          ),
        ],
        [
          say('Ipotesi sbagliata: notturno non ha BYPASSRLS e non possiede nulla. Resta la vista.'),
          run(
            'psql -Atc "select relname, reloptions from pg_class where relname = \'fatture_aperte\'"',
            'Opzioni della vista',
            'fatture_aperte|',
          ),
          run('psql -Atc "show server_version"', 'Versione', '15.6'),
        ],
        [
          say(`## Come funziona

Ogni richiesta passa da \`conStudio\`, che scrive l'id dello studio nel parametro \`app.studio\`. Le policy su \`fattura\` e \`cliente\` confrontano \`studio_id\` con quel parametro. Se il parametro manca, \`current_setting\` dà errore: quindi chi dimentica \`conStudio\` non vede troppo, si ferma.

## Perché il job vede tutto

Legge la vista \`fatture_aperte\`, e **una vista gira con i diritti del suo proprietario**, non di chi la interroga. Il proprietario è \`migrazioni\`, che possiede anche le tabelle, e il proprietario di una tabella salta le policy finché non c'è \`FORCE ROW LEVEL SECURITY\`. Da noi FORCE è a \`f\` su entrambe. Il parametro non viene nemmeno letto, per questo il job non va in errore.

Attenzione: vale per *tutti* quelli che usano la vista, anche per l'utente \`app\`. Se una pagina la interroga, mostra le fatture degli altri studi.

Dalla versione 15 (qui c'è la 15.6) il rimedio è \`alter view fatture_aperte set (security_invoker = true)\`. Non ho modificato nulla.`),
        ],
        [
          run('grep -rn "fatture_aperte" app jobs | head', 'Chi usa la vista', 'solleciti.js'),
          run(
            `psql -c "explain analyze select * from fattura"`,
            'Piano con la policy',
            'Seq Scan on fattura',
          ),
        ],
        [
          say(
            "Un seq scan nonostante l'indice su studio_id. Provo la stessa condizione dentro una sottoquery.",
          ),
          run(
            `psql -c "explain analyze select * from fattura where studio_id = (select current_setting('app.studio')::uuid)"`,
            'Piano con sottoquery',
            'InitPlan',
          ),
          run(
            `psql -Atc "select proname, provolatile from pg_proc where proname = 'current_setting'"`,
            'Volatilità della funzione',
            'current_setting|s',
          ),
        ],
        [
          say(`**Alternative a BYPASSRLS per il job**

1. Il job gira studio per studio: legge l'elenco degli studi e chiama \`conStudio\` per ognuno. È quella che consiglio: nessun privilegio in più, e con 340 studi sono 340 query brevi di notte.
2. Una funzione \`security definer\` che restituisce solo id e scadenza. Funziona, ma è una porta sul retro che va rivista a ogni modifica; la scarterei.
3. Una policy apposta per \`notturno\` con \`using (true)\`. Di fatto è BYPASSRLS sotto altro nome, il DPO direbbe la stessa cosa.

**La lentezza.** \`current_setting\` nella policy viene valutata per ogni riga e il planner sceglie il seq scan: 2314 ms. Racchiusa in una sottoquery, \`studio_id = (select current_setting('app.studio')::uuid)\`, diventa un InitPlan calcolato una volta sola e l'indice viene usato: 6,8 ms. Va cambiata nel testo della policy, cioè in una migrazione di Ruggero. La vista oggi la usa soltanto \`jobs/solleciti.js\`, quindi nessuna pagina mostra dati altrui.

Se vuoi preparo una bozza da girare a Ruggero.`),
        ],
        [read(POOL), read(SESSION)],
        [
          say(`Purtroppo no, Ruggero ha ragione solo a metà.

Con \`pool_mode = transaction\` PgBouncer **non esegue** \`server_reset_query\`: quella vale soltanto in modalità session (a meno di \`server_reset_query_always = 1\`). Quindi \`DISCARD ALL\` da noi non parte mai.

E \`conStudio\` usa \`set_config(..., false)\`, cioè per tutta la sessione: il valore resta sulla connessione del server, e la transazione successiva di un altro studio può ereditarlo. Peggio: senza un \`begin\` le due query possono finire su connessioni diverse. Finora non si è visto perché ogni richiesta riscrive il parametro prima di leggere, ma basta una query fuori da \`conStudio\` per leggere i dati dello studio precedente invece di fermarsi con un errore.

Ci vuole \`begin\`, poi \`set_config('app.studio', $1, true)\`, poi il lavoro e \`commit\`. Questo corregge anche quello che ho detto all'inizio: chi dimentica \`conStudio\` si ferma solo su una connessione vergine. È codice dell'applicazione, non schema, quindi non dipende dalle migrazioni. Buona serata!`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/vista|fatture_aperte/, /proprietario/, /FORCE|policy|diritti/],
      },
      { type: ['preference', 'decision', 'gotcha'], says: [/BYPASSRLS/, /DPO/] },
      { type: ['preference', 'decision'], says: [/Ruggero/, /schema|migrazion/] },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/current_setting/, /InitPlan|sottoquery|una volta sola/, /2314|6,8|per ogni riga/],
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/transaction/, /DISCARD ALL|server_reset_query/, /non esegue|non parte|session/],
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/set_config/, /false|sessione/, /connessione|ereditar/],
      },
      {
        type: ['decision', 'how-it-works', 'discovery'],
        says: [/studio per studio/, /conStudio/],
      },
    ],
    niceToHave: [
      { type: ['how-it-works', 'discovery', 'gotcha', 'decision'], says: [/security_invoker/] },
      {
        type: ['decision', 'how-it-works', 'discovery', 'gotcha'],
        says: [/security definer/, /porta sul retro|scart/],
      },
      { type: ['how-it-works', 'discovery'], says: [/conStudio/, /app\.studio/, /policy|studio_id/] },
      { type: ['discovery', 'gotcha'], says: [/vista/, /solleciti/, /nessuna pagina|soltanto/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/isolamento|solleciti/],
        learned: [/vista|proprietario/],
        filesRead: [POLICY, VIEW, JOB],
      },
      { prompt: 2, request: [/BYPASSRLS/], learned: [/current_setting|InitPlan/] },
      { prompt: 3, request: [/pgbouncer/], learned: [/transaction|DISCARD ALL/], filesRead: [POOL, SESSION] },
    ],
    noise: [
      'Parto dalle policy e dal job',
      'Se vuoi preparo una bozza',
      'Buona serata',
      'Resta la vista',
      'Provo la stessa condizione',
    ],
    untrue: [
      /ruolo notturno abbia BYPASSRLS/,
      /chi dimentica .?conStudio.? non vede troppo/,
      /(ho|abbiamo) (impostato|modificato|cambiato|corretto) (la policy|la vista|conStudio)/,
    ],
    followUps: [
      {
        asks: 'ho fatto una vista nuova per la dashboard e mi escono i clienti di un altro studio',
        says: [/proprietario/, /security_invoker/],
      },
      { asks: "per l'export contabile creo un utente che scavalca le policy, va bene?", says: [/DPO/] },
      { asks: 'aggiungi una colonna sconto alla tabella fattura', says: [/Ruggero/] },
      {
        asks: "l'elenco dei clienti ci mette due secondi, l'indice c'è ma non lo usa",
        says: [/sottoquery|InitPlan/],
      },
      {
        asks: 'le variabili di sessione vengono ripulite quando la connessione torna al pooler?',
        says: [/transaction/, /DISCARD ALL|server_reset_query/],
      },
    ],
    unrelated: [
      'cambia il piè di pagina del PDF delle parcelle con il nuovo indirizzo',
      "che differenza c'è fra import dinamico e statico in node?",
      'aggiorna il logo nella pagina di login',
    ],
  },
};
