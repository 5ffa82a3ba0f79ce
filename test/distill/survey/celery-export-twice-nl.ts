import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CELERY_APP = `from celery import Celery

app = Celery("rapporten")
app.conf.update(
    broker_url="redis://redis:6379/0",
    result_backend="redis://redis:6379/1",
    task_acks_late=True,
    worker_prefetch_multiplier=1,
    task_time_limit=3 * 3600,
)
`;

const EXPORT = `from .celery_app import app
from .mail import stuur_mail
from .query import regels_van


@app.task(bind=True, ignore_result=True)
def jaarexport(self, klant_id: int, jaar: int) -> None:
    pad = f"/exports/{klant_id}-{jaar}.csv"
    with open(pad, "w") as uit:
        for maand in range(1, 13):
            for regel in regels_van(klant_id, jaar, maand):
                uit.write(regel.als_csv())
    stuur_mail(klant_id, pad)
`;

const NEW_EXPORT = `from celery import chord

from .celery_app import app
from .mail import stuur_mail
from .query import regels_van


@app.task
def exporteer_maand(klant_id: int, jaar: int, maand: int) -> str:
    pad = f"/exports/{klant_id}-{jaar}-{maand:02}.csv"
    with open(pad, "w") as uit:
        for regel in regels_van(klant_id, jaar, maand):
            uit.write(regel.als_csv())
    return pad


@app.task
def voeg_samen_en_mail(paden: list[str], klant_id: int, jaar: int) -> None:
    doel = f"/exports/{klant_id}-{jaar}.csv"
    with open(doel, "w") as uit:
        for pad in sorted(paden):
            uit.write(open(pad).read())
    stuur_mail(klant_id, doel, mail_key=f"jaarexport-{klant_id}-{jaar}")


def jaarexport(klant_id: int, jaar: int):
    delen = [exporteer_maand.s(klant_id, jaar, maand) for maand in range(1, 13)]
    return chord(delen)(voeg_samen_en_mail.s(klant_id, jaar))
`;

const WORKER_LOG = `[2026-02-03 08:00:11,402: INFO/MainProcess] worker-1: Task rapporten.export.jaarexport[6f0c2b9e] received
[2026-02-03 08:00:11,910: INFO/ForkPoolWorker-2] worker-1: jaarexport[6f0c2b9e] klant=4411 jaar=2025 begonnen
[2026-02-03 08:14:52,003: INFO/MainProcess] worker-2: Task rapporten.export.jaarexport[a1d9e377] received
[2026-02-03 08:15:40,118: INFO/ForkPoolWorker-1] worker-2: Task rapporten.export.jaarexport[a1d9e377] succeeded in 47.9s
[2026-02-03 09:00:12,020: INFO/MainProcess] worker-2: Task rapporten.export.jaarexport[6f0c2b9e] received
[2026-02-03 09:00:12,480: INFO/ForkPoolWorker-1] worker-2: jaarexport[6f0c2b9e] klant=4411 jaar=2025 begonnen
[2026-02-03 09:11:30,664: INFO/ForkPoolWorker-2] worker-1: Task rapporten.export.jaarexport[6f0c2b9e] succeeded in 4278.7s
[2026-02-03 10:12:01,377: INFO/ForkPoolWorker-1] worker-2: Task rapporten.export.jaarexport[6f0c2b9e] succeeded in 4308.9s
`;

const PYTEST = `#!/bin/sh
echo "============================= test session starts =============================="
echo "platform linux -- Python 3.12.4, pytest-8.2.2, pluggy-1.5.0"
echo "rootdir: $(pwd)"
echo "collected 9 items"
echo
if grep -q 'ignore_result=True' rapporten/export.py && grep -q chord rapporten/export.py; then
  cat <<'OUT'
tests/test_export.py ....F....                                           [100%]

=================================== FAILURES ===================================
____________________ test_mail_gaat_uit_als_alles_klaar_is _____________________

    def test_mail_gaat_uit_als_alles_klaar_is(celery_worker, postbus):
        jaarexport(4411, 2025)
>       assert postbus.wacht_op(1, timeout=20)
E       AssertionError: geen mail binnen 20 s; chord-unlock wacht op 12 resultaten, 0 gevonden

tests/test_export.py:41: AssertionError
=========================== short test summary info ============================
FAILED tests/test_export.py::test_mail_gaat_uit_als_alles_klaar_is
========================= 1 failed, 8 passed in 24.31s =========================
OUT
  exit 1
fi
echo "tests/test_export.py .........                                           [100%]"
echo
echo "============================== 9 passed in 3.87s ==============================="
`;

export const celeryExportTwiceNl: SurveySession = {
  name: 'celery-export-twice-nl',
  about:
    'A task is delivered twice; the person takes back the longer timeout and has the task split instead.',
  kind: 'bug hunt',
  language: 'nl',
  ecosystem: 'python',
  files: {
    'rapporten/celery_app.py': CELERY_APP,
    'rapporten/export.py': EXPORT,
    'rapporten/mail.py':
      'def stuur_mail(klant_id, pad, mail_key=None):\n    """Een mail_key die al verstuurd is, wordt overgeslagen."""\n    ...\n',
    'rapporten/query.py': 'def regels_van(klant_id, jaar, maand):\n    ...\n',
    'logs/worker-2026-02-03.log': WORKER_LOG,
    'docs/taken.md': '# Taken\n\nTaken draaien in Celery, broker is Redis.\n',
    'tests/test_export.py': '# de tests van de export\n',
  },
  programs: {
    pytest: PYTEST,
    meet: `#!/bin/sh
echo "klant 4411, jaar 2025 (staging, kopie van productie)"
for m in 01 02 03 04 05 06 07 08 09 10 11; do echo "maand $m  5m4$((\${m#0} % 10))s"; done
echo "maand 12  9m12s"
echo "langste deel: 9m12s   totaal: 71m18s"
`,
  },
  script(projectDir) {
    const { run, fail, read, edit, write } = callsIn(projectDir);
    return {
      main: [
        [
          say('Ik kijk eerst in de log van die dag en in de configuratie van Celery.'),
          run('grep -n jaarexport logs/worker-2026-02-03.log', 'Zoek de export in de log', '6f0c2b9e'),
          read('rapporten/celery_app.py'),
          read('rapporten/export.py'),
        ],
        [
          say(
            'Dezelfde task-id 6f0c2b9e komt om 08:00:11 binnen op worker-1 en om 09:00:12 nog een keer op worker-2: precies een uur later, terwijl de eerste nog liep. De klant klikt dus niet twee keer.',
          ),
          run('git log --oneline -5 -- rapporten/celery_app.py', 'Wie heeft de configuratie aangepast'),
        ],
        [
          say(`Gevonden, niks aangepast.

**Oorzaak:** Redis kent geen echte ack. De broker levert een bericht dat na \`visibility_timeout\` (standaard 3600 s) niet bevestigd is opnieuw af, en met \`task_acks_late=True\` wordt er pas bevestigd als de taak klaar is. De export van Verhoeven duurt 71 minuten, dus elke taak van langer dan een uur draait bij ons dubbel.

Kleine klanten hebben er geen last van: die zijn in een minuut klaar.

Opties:
1. \`visibility_timeout\` verhogen
2. de export in kleinere taken opknippen`),
        ],
        [
          edit(
            'rapporten/celery_app.py',
            '    worker_prefetch_multiplier=1,\n',
            '    worker_prefetch_multiplier=1,\n    broker_transport_options={"visibility_timeout": 6 * 3600},\n',
          ),
          run('pytest -q', 'Draai de tests', '9 passed'),
        ],
        [say('Gedaan: de `visibility_timeout` staat nu op 6 uur, tests zijn groen.')],
        [
          say('Ik draai het terug en splits de export per maand.'),
          run('git checkout -- rapporten/celery_app.py && git status --short', 'Draai de wijziging terug'),
          run('meet export --klant 4411 --jaar 2025 --per-maand', 'Meet de duur per maand', '9m12s'),
        ],
        [
          write(
            'rapporten/export.py',
            NEW_EXPORT.replace(
              '@app.task\ndef exporteer_maand',
              '@app.task(ignore_result=True)\ndef exporteer_maand',
            ),
          ),
          fail('pytest -q', 'Draai de tests', '0 gevonden'),
        ],
        [
          say(
            'De chord wacht op twaalf resultaten en vindt er geen: ik had `ignore_result=True` van de oude taak meegenomen. Met `ignore_result=True` op de delen vuurt de callback van een chord nooit, en zonder foutmelding.',
          ),
          edit(
            'rapporten/export.py',
            '@app.task(ignore_result=True)\ndef exporteer_maand',
            '@app.task\ndef exporteer_maand',
          ),
          run('pytest -q', 'Draai de tests', '9 passed'),
        ],
        [
          say(`Teruggedraaid en opgesplitst:

- \`visibility_timeout\` is weer de standaard van een uur
- \`jaarexport\` is nu een chord van twaalf taken \`exporteer_maand\`; \`voeg_samen_en_mail\` draait pas als alle delen klaar zijn
- op staging duurt het langste deel 9m12s (december) in plaats van 71 minuten aan één stuk
- let op: geen \`ignore_result=True\` op de delen, dan komt de callback van de chord nooit`),
        ],
        [
          read('docs/taken.md'),
          read('rapporten/celery_app.py'),
          edit(
            'docs/taken.md',
            'Taken draaien in Celery, broker is Redis.\n',
            'Taken draaien in Celery, broker is Redis.\n\n- Een taak van meer dan 30 minuten wordt opgeknipt.\n- Een mail uit een taak heeft altijd een `mail_key`.\n',
          ),
          edit('rapporten/celery_app.py', 'task_time_limit=3 * 3600', 'task_time_limit=30 * 60'),
          run('pytest -q', 'Draai de tests', '9 passed'),
        ],
        [
          say(
            'Staat in docs/taken.md. Ik heb `task_time_limit` meteen van 3 uur naar 30 minuten gezet, zodat een te lange taak hard faalt in plaats van stilletjes dubbel te draaien.',
          ),
        ],
        [run('git diff', 'Nog een keer alles bekijken', 'exporteer_maand')],
        [
          run(
            'git add -A && git commit -qm "Jaarexport per maand, taken hooguit 30 minuten" && git log --oneline -1',
            'Commit',
          ),
        ],
        [say('Gecommit, niet gepusht. Fijne middag nog!')],
      ],
    };
  },
  prompts: [
    'klant Verhoeven krijgt de jaarexport dubbel, twee mails met een uur ertussen. alleen bij grote klanten. zoek uit waarom, nog niks aanpassen aub',
    'ok zet die visibility timeout dan maar omhoog',
    "hmm nee draai dat toch terug. als een worker crasht ligt die taak dan 6 uur stil, dat hadden we in maart al en toen zat finance tot 's avonds te wachten. knip de export liever op per maand en mail pas als alle delen klaar zijn",
    'mooi. zet ook in de docs: een taak die langer dan 30 minuten duurt knippen we altijd op. en nooit mailen vanuit een taak zonder mail_key, want elke taak kan opnieuw draaien',
    'top, commit maar. pushen doe ik zelf',
  ],
  expects: {
    essentials: [
      {
        type: ['discovery', 'bugfix', 'gotcha', 'how-it-works'],
        says: [/visibility_timeout/, /3600|langer dan een uur/, /opnieuw af|dubbel/],
      },
      {
        type: ['decision', 'gotcha', 'preference', 'discovery', 'bugfix', 'change'],
        says: [/6 uur/, /crasht/],
        prompt: 3,
      },
      {
        type: ['decision', 'bugfix', 'change', 'feature', 'refactor'],
        says: [/per maand|chord van twaalf/, /alle delen klaar/],
        prompt: 3,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'how-it-works'],
        says: ['ignore_result', /chord/],
        prompt: 3,
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/30 minuten/, /knippen we|opgeknipt/],
        prompt: 4,
      },
      { type: ['preference', 'decision', 'gotcha'], says: ['mail_key', /nooit|altijd/], prompt: 4 },
    ],
    niceToHave: [
      { type: ['discovery', 'how-it-works', 'bugfix', 'gotcha'], says: ['6f0c2b9e', /uur later/] },
      { type: ['discovery', 'how-it-works'], says: [/Kleine klanten/] },
      {
        type: ['discovery', 'change', 'bugfix', 'refactor', 'feature', 'decision'],
        says: [/9m12s/],
        prompt: 3,
      },
      { type: ['change', 'bugfix', 'decision'], says: [/teruggedraaid|weer de standaard/], prompt: 3 },
      {
        type: ['change', 'decision', 'bugfix', 'feature', 'gotcha'],
        says: ['task_time_limit', /30/],
        prompt: 4,
      },
      { type: ['preference'], says: [/pushen doe ik zelf/], prompt: 5 },
    ],
    summaries: [
      { prompt: 1, request: ['jaarexport'], learned: ['visibility_timeout'] },
      { prompt: 2, optional: true },
      { prompt: 3, request: ['draai dat'], completed: [/exporteer_maand|opgesplitst|Teruggedraaid/] },
      { prompt: 4, request: ['mail_key'], completed: [/taken\.md|task_time_limit/] },
      { prompt: 5, optional: true },
    ],
    noise: ['Fijne middag', 'niks aangepast', 'Ik kijk eerst'],
    untrue: [/staat nu op 6 uur/, /klant klikt (dus )?twee keer/],
    followUps: [
      {
        asks: 'we krijgen voor de kwartaalrapportage een nieuwe celery-taak die zo’n anderhalf uur gaat lopen, maak er een opzet voor in rapporten/',
        says: [/30 minuten|visibility_timeout/],
      },
      {
        asks: 'can we just raise the redis visibility timeout for the import workers? they take 2 hours',
        says: [/6 uur/, /crasht/],
      },
      {
        asks: 'de callback van mijn chord met de btw-delen wordt nooit aangeroepen, ik zie ook geen fout. wat mis ik?',
        says: ['ignore_result'],
      },
      {
        asks: 'voeg aan de taak voor herinneringen een stuur_mail toe naar de contactpersoon',
        says: ['mail_key'],
      },
    ],
    unrelated: [
      'maak de kolom btw-nummer verplicht in het klantformulier',
      'waarom is het logo op de inlogpagina zo wazig op retina-schermen?',
    ],
  },
};
