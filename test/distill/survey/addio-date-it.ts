import { callsIn, say, together } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const BASE = 'src/main/java/it/deposito';
const CONVERTER = `${BASE}/comune/RomaInstantConverter.java`;
const SERVICE = `${BASE}/resi/ResoService.java`;

/** The date field of each class, by module. */
const MODULES: Record<string, Record<string, string>> = {
  ordini: {
    Ordine: 'creatoIl',
    RigaOrdine: 'confermataIl',
    Carrello: 'scadeIl',
    Preventivo: 'validoFinoAl',
    Sollecito: 'inviatoIl',
    Annullamento: 'richiestoIl',
  },
  spedizioni: {
    Spedizione: 'partitaIl',
    Collo: 'pesatoIl',
    Ritiro: 'fissatoPer',
    Tracciamento: 'lettoIl',
    Bolla: 'emessaIl',
    Corriere: 'attivoDal',
  },
  resi: {
    Reso: 'ricevutoIl',
    Perizia: 'conclusaIl',
    Rimborso: 'pagatoIl',
    Etichetta: 'stampataIl',
    Motivo: 'inseritoIl',
    Giacenza: 'iniziataIl',
  },
  fatture: {
    Fattura: 'data',
    RigaFattura: 'competenza',
    NotaCredito: 'emessaIl',
    Scadenza: 'scadeIl',
    Incasso: 'registratoIl',
    Protocollo: 'assegnatoIl',
  },
};

const pathOf = (module: string, name: string) => `${BASE}/${module}/${name}.java`;
const getter = (field: string) => `get${field[0]?.toUpperCase()}${field.slice(1)}`;
const body = (type: string, pkg: string, name: string, field: string) => `import ${pkg}.${type};

/** ${name}. */
public class ${name} {
    private ${type} ${field};

    public ${type} ${getter(field)}() {`;
const source = (module: string, name: string, field: string) =>
  `package it.deposito.${module};

${body('Date', 'java.util', name, field)}
        return ${field};
    }
}
`;

const MVN = `#!/bin/sh
B=${BASE}
case "$*" in *JsonTest*) echo "Tests run: 9, Failures: 0"; exit 0 ;; esac
if grep -q Instant $B/resi/Reso.java && grep -q java.util.Date $B/fatture/Fattura.java && ! grep -q 'Date.from' $B/resi/ResoService.java; then
  echo "[ERROR] ResoService.java:[7,26] incompatible types: java.time.Instant cannot be converted to java.util.Date"; exit 1
fi
if grep -q Instant $B/ordini/Ordine.java && [ ! -f $B/comune/RomaInstantConverter.java ]; then
  echo "[ERROR] OrdineRepositoryIT.rileggeLaStessaOra expected: 2025-07-01T08:00:00Z but was: 2025-07-01T10:00:00Z"; exit 1
fi
echo "Tests run: 212, Failures: 0"
`;

const SUMMARY = `<analysis>
L'utente vuole togliere java.util.Date. Il modulo ordini è convertito, la verifica è rossa, la causa è nota.
</analysis>
<summary>
1. Primary Request and Intent: sostituire java.util.Date con java.time.Instant in tutto il progetto, un modulo alla volta, \`mvn -q verify\` dopo ogni modulo, senza Lombok.
2. Key Technical Concepts: Hibernate 6, colonne \`timestamp without time zone\` con l'ora di Roma.
3. Files and Code Sections: ${BASE}/ordini/*.java (6 classi convertite), schema.sql.
4. Errors and fixes: OrdineRepositoryIT rosso, due ore di scarto.
5. Problem Solving: Jackson escluso (JsonTest verde). Causa: le colonne contengono l'ora locale di Roma, Hibernate legge gli Instant come UTC.
6. Pending Tasks: scegliere fra timestamptz e un converter; poi spedizioni, resi, fatture.
7. Current Work: in attesa della decisione.
</summary>`;

export const addioDate: SurveySession = {
  name: 'addio java.util.Date',
  about:
    "Un refactoring lungo e compattato: lo scarto di due ore viene dalle colonne, un modulo viene poi rimesso com'era.",
  kind: 'refactoring',
  language: 'it',
  ecosystem: 'java',
  long: true,
  files: {
    'pom.xml':
      '<project><groupId>it.deposito</groupId><artifactId>magazzino</artifactId><version>3.2.0</version></project>\n',
    'src/main/resources/schema.sql': `create table ordine (id bigint primary key, creato_il timestamp without time zone not null);
create table spedizione (id bigint primary key, partita_il timestamp without time zone);
`,
    ...Object.fromEntries(
      Object.entries(MODULES).flatMap(([module, classes]) =>
        Object.entries(classes).map(([name, field]) => [pathOf(module, name), source(module, name, field)]),
      ),
    ),
    [SERVICE]: `package it.deposito.resi;

import it.deposito.fatture.NotaCredito;

public class ResoService {
    public NotaCredito accredita(Reso reso) {
        return NotaCredito.del(reso.getRicevutoIl());
    }
}
`,
  },
  programs: { mvn: MVN },
  prompts: [
    'togliamo java.util.Date da tutto il progetto e mettiamo Instant. un modulo alla volta, dopo ogni modulo mvn -q verify. niente lombok, non lo vogliamo. parti da ordini',
    '/compact',
    "converter. lo schema non si tocca, sulle stesse tabelle scrive anche il vecchio gestionale AS/400 e quello mette l'ora di Roma. vai avanti con spedizioni, resi e fatture",
    "scusa, contrordine: fatture lasciala fuori, la riscrive Marta da zero entro fine mese. rimettila com'era",
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    const reads = (module: string) =>
      together(
        Object.keys(MODULES[module] ?? {}).map((name) => read(pathOf(module, name))),
        3,
      );
    const edits = (module: string) =>
      together(
        Object.entries(MODULES[module] ?? {}).map(([name, field]) =>
          edit(
            pathOf(module, name),
            body('Date', 'java.util', name, field),
            body('Instant', 'java.time', name, field),
          ),
        ),
        3,
      );
    return {
      main: [
        [
          say('Faccio prima un inventario.'),
          run(
            'grep -rlc "java.util.Date" src | sort | cut -d/ -f6 | uniq -c',
            'Classi con Date per modulo',
            '6 fatture',
          ),
          run('grep -rn "lombok" pom.xml src | wc -l', 'Lombok presente?', '0'),
        ],
        ...reads('ordini'),
        ...edits('ordini'),
        [say('Ordini è convertito, verifico.'), fail('mvn -q verify', 'Verifica', 'OrdineRepositoryIT')],
        [
          say(
            'Due ore di scarto. Sospetto la serializzazione di Jackson, che scrive gli Instant in UTC: provo i suoi test da soli.',
          ),
          run('mvn -q test -Dtest=JsonTest', 'Solo i test JSON', 'Failures: 0'),
        ],
        [
          say("Jackson non c'entra, i suoi test sono verdi. Guardo le colonne."),
          read('src/main/resources/schema.sql'),
        ],
        [
          run('grep -c "without time zone" src/main/resources/schema.sql', 'Quante colonne senza fuso', '2'),
          run(
            `python3 -c "from zoneinfo import ZoneInfo; from datetime import datetime; print(datetime(2025,7,1,10,tzinfo=ZoneInfo('Europe/Rome')).utcoffset())"`,
            'Scarto di Roma in luglio',
            '2:00:00',
          ),
        ],
        [
          say(`Il modulo ordini è convertito (6 classi), ma la verifica è rossa e mi fermo qui.

**Causa.** Le colonne sono \`timestamp without time zone\` e contengono l'ora locale di Roma. Con \`Date\` funzionava perché la JVM gira in Europe/Rome; un \`Instant\` invece viene letto da Hibernate come UTC. Risultato: due ore di scarto d'estate, una d'inverno. Jackson è escluso, \`JsonTest\` è verde.

**Opzioni**
- A. Migrare le colonne a \`timestamptz\`. Pulito, ma tocca lo schema.
- B. Un \`AttributeConverter\` che interpreta il valore della colonna come ora di Roma. Lo schema resta com'è.

Dimmi quale preferisci.`),
        ],
        [
          say('Scrivo il converter con autoApply, così vale per tutte le entità.'),
          write(
            CONVERTER,
            `package it.deposito.comune;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;

/** The columns hold the local time of Rome; the old AS/400 system writes them too. */
@Converter(autoApply = true)
public class RomaInstantConverter implements AttributeConverter<Instant, LocalDateTime> {
    private static final ZoneId ROMA = ZoneId.of("Europe/Rome");

    public LocalDateTime convertToDatabaseColumn(Instant i) {
        return i == null ? null : LocalDateTime.ofInstant(i, ROMA);
    }

    public Instant convertToEntityAttribute(LocalDateTime t) {
        return t == null ? null : t.atZone(ROMA).withEarlierOffsetAtOverlap().toInstant();
    }
}
`,
          ),
          run('mvn -q verify', 'Verifica', 'Tests run: 212, Failures: 0'),
        ],
        ...reads('spedizioni').map((turn, n) =>
          n === 0 ? [say('Verde. Passo a spedizioni.'), ...turn] : turn,
        ),
        ...edits('spedizioni'),
        [run('mvn -q verify', 'Verifica dopo spedizioni', 'Failures: 0')],
        ...reads('resi'),
        ...edits('resi'),
        [fail('mvn -q verify', 'Verifica dopo resi', 'cannot be converted to java.util.Date')],
        [
          say(
            'È il confine fra resi e fatture: `ResoService` passa un Instant a una classe che vuole ancora Date. Sparisce con fatture, quindi proseguo.',
          ),
          read(SERVICE),
        ],
        ...reads('fatture'),
        ...edits('fatture'),
        [
          run('mvn -q verify', 'Verifica dopo fatture', 'Tests run: 212, Failures: 0'),
          run('grep -rl "java.util.Date" src | wc -l', 'Classi rimaste', '0'),
        ],
        [
          say(`Fatto: nessuna classe usa più \`java.util.Date\`, 24 convertite, 212 test verdi, Lombok non c'è.

- \`RomaInstantConverter\` (\`${CONVERTER}\`) ha \`autoApply = true\`: ogni campo \`Instant\` di un'entità viene letto e scritto come ora di Roma, senza annotazioni. Chi aggiunge una colonna \`timestamptz\` deve escluderla con \`@Convert(disableConversion = true)\`, altrimenti viene spostata.
- L'ora ripetuta di fine ottobre (fra le 2 e le 3) è ambigua nelle colonne senza fuso. Il converter prende sempre la prima delle due; la seconda va persa nel giro di scrittura e lettura. Con questo schema non si può evitare.`),
        ],
        [
          say('Rimetto fatture allo stato del commit.'),
          run(`git checkout -- ${BASE}/fatture && git status --short | wc -l`, 'Ripristina fatture'),
          fail('mvn -q verify', 'Verifica', 'cannot be converted to java.util.Date'),
        ],
        [
          say('Torna il confine di prima, stavolta serve un adattatore.'),
          edit(
            SERVICE,
            'import it.deposito.fatture.NotaCredito;\n',
            'import it.deposito.fatture.NotaCredito;\nimport java.util.Date;\n',
          ),
          edit(
            SERVICE,
            'NotaCredito.del(reso.getRicevutoIl())',
            'NotaCredito.del(Date.from(reso.getRicevutoIl()))',
          ),
        ],
        [
          run('mvn -q verify', 'Verifica', 'Tests run: 212, Failures: 0'),
          run('grep -rl "java.util.Date" src | sort', 'Chi usa ancora Date', 'ResoService.java'),
        ],
        [
          say(`Il modulo fatture è di nuovo com'era, con \`java.util.Date\` in tutte e sei le classi; ordini, spedizioni e resi restano su \`Instant\` (18 classi). 212 test verdi.

L'unico punto di contatto è \`ResoService.accredita\`, che ora converte con \`Date.from(...)\`. Quando Marta avrà riscritto fatture, quella conversione va tolta. Non ho fatto commit.`),
        ],
      ],
      compact: [[say(SUMMARY)]],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix', 'how-it-works'],
        says: [/without time zone|colonne/, /Roma/, /UTC|due ore/],
      },
      {
        type: ['decision', 'preference', 'gotcha'],
        says: [/schema/, /AS\/400|gestionale/, /non si tocca|converter/],
      },
      { type: ['preference', 'decision'], says: [/lombok/i, /niente|non lo vogliamo|senza/] },
      { type: ['preference'], says: [/mvn -q verify/, /modulo/] },
      {
        type: ['gotcha', 'how-it-works', 'discovery'],
        says: [/timestamptz/, /disableConversion/],
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/ottobre/, /ambigua|prima delle due|va persa/],
      },
      {
        type: ['preference', 'decision', 'change', 'refactor'],
        says: [/fatture/, /Marta/, /riscrive|riscritto/],
      },
    ],
    niceToHave: [
      { type: ['refactor', 'change'], says: [/ordini/, /spedizioni/, /resi/, /Instant/] },
      { type: ['gotcha', 'change', 'decision', 'refactor', 'bugfix'], says: [/ResoService/, /Date\.from/] },
      { type: ['discovery', 'gotcha'], says: [/Jackson/, /escluso|non c'entra|verd/] },
      { type: ['feature', 'change', 'refactor', 'bugfix', 'decision'], says: [/RomaInstantConverter/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/java\.util\.Date/],
        learned: [/Roma|without time zone/],
        completed: [/ordini/],
      },
      { prompt: 2, request: [/converter/], completed: [/RomaInstantConverter|convertit/] },
      {
        prompt: 3,
        request: [/fatture/],
        completed: [/fatture|Date\.from/],
        nextSteps: [/Marta/],
        filesModified: [SERVICE],
      },
    ],
    noise: [
      'Faccio prima un inventario',
      'Dimmi quale preferisci',
      'Primary Request and Intent',
      'Verde. Passo a spedizioni',
      'Sparisce con fatture',
    ],
    untrue: [
      /nessuna classe usa più/,
      /24 convertite/,
      /Sospetto la serializzazione di Jackson(?![\s\S]*(non c'entra|escluso))/,
      /(colonne|schema) migrat[eo]/,
      /in attesa della decisione/,
    ],
    followUps: [
      { asks: 'posso finalmente convertire le colonne in timestamptz?', says: [/AS\/400|gestionale/] },
      {
        asks: "un nuovo campo Instant mi arriva spostato di un'ora o due, perché?",
        says: [/autoApply|RomaInstantConverter|converter/, /Roma/],
      },
      { asks: 'perché il modulo della fatturazione usa ancora le vecchie date?', says: [/Marta/] },
      {
        asks: "mi stufano tutti questi getter scritti a mano, aggiungo un'annotazione che li genera?",
        says: [/lombok/i],
      },
      {
        asks: "la notte del cambio dell'ora due registrazioni risultano identiche, è un difetto noto?",
        says: [/ambigua|prima delle due|va persa/],
      },
    ],
    unrelated: [
      'come si configura un secondo utente per la dashboard di Grafana?',
      'traduci in inglese il testo della mail di benvenuto',
      'spiegami la differenza fra record e classe in Java 21',
    ],
  },
};
