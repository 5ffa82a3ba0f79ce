import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const NUMBERING = 'billing/numbering.py';
const FINALIZE = 'billing/finalize.py';
const TASKS = 'billing/tasks.py';
const MIGRATION = 'billing/migrations/0042_invoice_number_seq.py';
const SETTINGS = 'config/settings.py';

export const invoiceNumberGapsEn: SurveySession = {
  name: 'invoice number gaps en',
  about:
    'Questions about how invoice numbers come about, why there are gaps, and what may not be done about it.',
  kind: 'question',
  language: 'en',
  ecosystem: 'python',
  files: {
    [NUMBERING]: `from django.db import connection


def next_number(year):
    """The next number of the year, such as R26-004711."""
    with connection.cursor() as cursor:
        cursor.execute("select nextval('invoice_number_seq')")
        return f"R{year % 100}-{cursor.fetchone()[0]:06d}"
`,
    [FINALIZE]: `from django.db import transaction

from billing.numbering import next_number
from billing.pdf import render
from billing.vies import check_vat_id


@transaction.atomic
def finalize(invoice):
    invoice.number = next_number(invoice.date.year)
    invoice.save()
    check_vat_id(invoice.customer)
    render(invoice)
`,
    'billing/credit.py': `from billing.numbering import next_number


def credit_note(invoice):
    return CreditNote(number=next_number(invoice.date.year), invoice=invoice)
`,
    [TASKS]: `from celery import shared_task

from billing.finalize import finalize


@shared_task(autoretry_for=(Exception,), max_retries=5, retry_backoff=30)
def finalize_invoice(invoice_id):
    finalize(Invoice.objects.get(pk=invoice_id))
`,
    [MIGRATION]: `from django.db import migrations


class Migration(migrations.Migration):
    operations = [
        migrations.RunSQL("create sequence invoice_number_seq cache 20"),
    ]
`,
    [SETTINGS]:
      "DATABASES = {'default': {'ENGINE': 'django.db.backends.postgresql', 'CONN_MAX_AGE': 600}}\nCELERY_WORKER_CONCURRENCY = 4\n",
    'docs/numbers-june.csv':
      'number,created\nR26-004701,2026-06-03T09:12\nR26-004702,2026-06-03T09:14\nR26-004721,2026-06-03T09:15\nR26-004703,2026-06-03T09:20\nR26-004709,2026-06-03T09:41\nR26-004722,2026-06-03T09:44\n',
  },
  prompts: [
    'Our invoice numbers have holes and accounting is nervous. I always thought somebody deletes invoices. Can you explain how a number is assigned and where the gaps come from? Just explain, no code changes please.',
    'Interesting. I asked our tax advisor: gaps are fine as long as we can explain them, but a number must never be used twice, and nobody is allowed to reset or setval that sequence. But some numbers in docs/numbers-june.csv are also out of order, 4721 before 4703?? Celery prefetch, right?',
    'Makes sense, thanks. And what would it take to get strictly gapless numbers, should they insist one day?',
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [
          run('grep -rn "next_number\\|invoice_number_seq" billing', 'Where numbers are made', 'credit.py'),
          read(NUMBERING),
          read(FINALIZE),
        ],
        [
          say('Checking your suspicion first: is there any place that deletes invoices?'),
          run(
            'grep -rniE "\\.delete\\(|on_delete=.*CASCADE" billing || echo "nothing deletes invoices"',
            'Deletes in billing',
            'nothing deletes invoices',
          ),
          read(TASKS),
          read('billing/credit.py'),
        ],
        [
          say(`Nobody deletes invoices, there is no delete anywhere in \`billing\`.

**How a number is assigned.** Drafts have none. \`finalize()\` takes one from the Postgres sequence \`invoice_number_seq\` as its very first step, then saves, checks the VAT ID with VIES and renders the PDF, all in one transaction.

**Where the gaps come from**

1. \`nextval\` is not transactional. When VIES times out or the PDF fails, the transaction rolls back, but the number is gone. Celery then retries up to 5 times, and each retry takes another one. So a single VIES outage can burn 6 numbers per invoice.
2. Credit notes draw from the same sequence. Someone who only looks at invoices sees a hole wherever there is a credit note.

Also worth knowing: the year in \`R26-\` is only a prefix. The sequence does not restart in January, it simply goes on counting.

Shall I sketch how to reduce them?`),
        ],
        [
          say('Let me look at the file and at how the sequence was created.'),
          read('docs/numbers-june.csv'),
          read(MIGRATION),
          read(SETTINGS),
        ],
        [
          run(
            'cut -d, -f1 docs/numbers-june.csv | tail -n +2 | sort -c 2>&1 || true',
            'Is it in order',
            'disorder',
          ),
          run(
            'grep -rn "prefetch" config billing || echo "prefetch not set"',
            'Celery prefetch',
            'prefetch not set',
          ),
        ],
        [
          say(`Not Celery prefetch. That only changes which worker gets a task, the number is drawn later, when the task runs.

It is \`cache 20\` in migration 0042: every database connection reserves a block of 20 numbers and hands them out from its own memory. With 4 workers, one holds 4701 to 4720 and the next 4721 to 4740, so numbers are not chronological across workers. It also explains a third kind of gap: connections live 10 minutes (\`CONN_MAX_AGE = 600\`), and when one closes, the rest of its block is lost, up to 19 numbers.

Double use is ruled out by the sequence itself as long as nobody runs setval. There is no unique constraint on the column though, so the rule of your tax advisor is not enforced by the database.`),
        ],
        [
          run(
            'grep -rn "unique" billing/migrations billing/*.py || echo "no unique constraint"',
            'Double-check the constraint',
            'no unique constraint',
          ),
        ],
        [
          say(`A sequence can't do it, gapless needs a counter row:

- A table with one row per year, \`select ... for update\`, increment, in the same transaction as the invoice. A rollback then returns the number.
- The price is that finalizing becomes serial: the row stays locked until commit. VIES takes up to 8 seconds, so it and the PDF would have to move out of the transaction, VIES before it and the PDF after.
- Credit notes would need a counter of their own.

A cheaper first step, without being gapless: draw the number last, after VIES and the PDF checks. That alone removes most of the holes. I'd leave it until somebody insists. Enjoy your weekend!`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['how-it-works', 'discovery', 'gotcha'], says: [/nextval/, /not transactional|rolls back/] },
      { type: ['how-it-works', 'discovery', 'gotcha'], says: [/credit notes/, /same sequence/] },
      { type: ['preference', 'decision', 'gotcha'], says: [/setval/, /twice|reset/, /tax advisor/] },
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/cache 20/, /connection/, /block|chronological/],
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/unique constraint/, /not enforced|no unique/],
      },
      { type: ['how-it-works', 'discovery', 'gotcha'], says: [/CONN_MAX_AGE/, /lost|19/] },
      { type: ['how-it-works', 'decision', 'discovery'], says: [/counter row|for update/, /gapless|serial/] },
    ],
    niceToHave: [
      { type: ['discovery', 'how-it-works', 'gotcha'], says: [/VIES/, /retr/, /5 times|6 numbers/] },
      { type: ['how-it-works', 'discovery', 'gotcha'], says: [/prefix/, /January|restart/] },
      { type: ['discovery', 'how-it-works'], says: [/prefetch/, /which worker|Not Celery/] },
      { type: ['discovery', 'how-it-works'], says: [/deletes invoices/, /Nobody|no delete/] },
      { type: ['decision', 'how-it-works', 'discovery'], says: [/draw the number last/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/invoice numbers|gaps/],
        learned: [/nextval|sequence/],
        filesRead: [NUMBERING, FINALIZE],
      },
      { prompt: 2, request: [/out of order|setval/], learned: [/cache 20|block/], filesRead: [MIGRATION] },
      { prompt: 3, request: [/gapless/], learned: [/counter|serial/] },
    ],
    noise: [
      'Enjoy your weekend',
      'Shall I sketch how to reduce',
      'Checking your suspicion first',
      'Let me look at the file',
      'Makes sense, thanks',
    ],
    untrue: [
      /(gaps|holes|disorder|order)[^.]{0,25}(caused by|come from|due to) (Celery|prefetch|delet)/,
      /prefetch (causes|is the cause|explains)/,
      /(changed|rewrote|fixed|moved|added)[^.]{0,30}(finalize\(\)|numbering\.py|unique constraint)/,
      /sequence restarts (in January|every year)/,
    ],
    followUps: [
      {
        asks: 'auditor asks why R26-004710 does not exist, what do I tell them?',
        says: [/nextval|rolls back|credit notes/],
      },
      { asks: 'set the sequence back to 5000 for the new year', says: [/setval/, /twice|tax advisor/] },
      {
        asks: 'later invoice got a lower number than the earlier one, is that a bug?',
        says: [/cache 20|block/],
      },
      { asks: 'does the database protect us from duplicate invoice numbers?', says: [/unique constraint/] },
      {
        asks: 'what would numbering without holes cost us in throughput?',
        says: [/serial|locked|for update/],
      },
    ],
    unrelated: [
      'add a dark theme to the customer portal',
      'bump ruff to the newest version and fix the new warnings',
      'how do I mock the S3 client in pytest?',
    ],
  },
};
