import { callsIn, say, together } from '../calls.ts';
import type { Step, SurveySession } from '../session.ts';

const NORMALIZE = 'palletry/normalize.py';
const POOL = 'palletry/pool.py';
const REGRESS = 'tests/data/regress/WMS-2291.csv';
const COUNT = 'data/count-2025-07-07.csv';

const SUPPLIERS = [
  'alvesta',
  'brenko',
  'cordia',
  'delphin',
  'eastmoor',
  'fennik',
  'gorsel',
  'hallund',
  'ivrea',
  'jotan',
  'kestrel',
  'lumio',
];

/** The articles the warehouse counted and the system does not know. */
const LOST: [supplier: string, sku: string, quantity: number][] = [
  ['brenko', '12E3', 48],
  ['delphin', '45E2', 12],
  ['fennik', '7E5', 6],
  ['gorsel', '1_200', 150],
  ['hallund', '3E4', 31],
  ['ivrea', '340123450000000018', 2],
  ['jotan', '88E1', 77],
];

/** Innocent articles whose number two of the others turn into. */
const NEIGHBOURS: Record<string, string> = { brenko: '12000', fennik: '700000' };

function feed(supplier: string, index: number): string {
  const rows: string[] = [];
  for (let line = 0; rows.length < 200; line++) {
    const lost = LOST.find(([name]) => name === supplier);
    if (line === 60 && NEIGHBOURS[supplier]) rows.push(`${NEIGHBOURS[supplier]};Drum lid;19`);
    else if (line === 137 && lost) rows.push(`${lost[1]};Valve set;${lost[2]}`);
    else if (line % 5 === 0)
      rows.push(`000${(index + 1) * 10000 + 2000 + line * 7 + 1};Bolt M${line};${line + 3}`);
    else if (line % 5 === 1)
      rows.push(`${(index + 1) * 10000 + 5000 + line * 3 + 2}.0;Washer ${line};${line + 1}`);
    else rows.push(`${supplier.slice(0, 2).toUpperCase()}-${1000 + line};Fitting ${line};${line + 9}`);
  }
  return `sku;name;qty\n${rows.join('\n')}\n`;
}

function supplierModule(supplier: string, index: number): string {
  return `"""Feed of ${supplier}: semicolons, ${index % 2 ? 'one file a night' : 'one file an hour'}."""
from palletry.suppliers.base import Feed

FEED = Feed(
    name="${supplier}",
    path="data/feeds/${supplier}.csv",
    delimiter=";",
    encoding="${index % 3 ? 'utf-8' : 'latin-1'}",
)
`;
}

const CLEAN_SKU = `    text = raw.strip().upper()
    try:
        # Excel turns 4711 into 4711.0, SAP pads to 00004711
        return str(int(float(text)))
    except (ValueError, OverflowError):
        return text
`;

const files: Record<string, string> = {
  '.gitignore': '__pycache__/\nvar/\n',
  'README.md': `# palletry

Nightly stock import and reconciliation.

    python3 -m palletry.cli import all
    python3 -m palletry.cli reconcile ${COUNT}
    python3 -m unittest discover -s tests
`,
  'CHANGELOG.md': `# Changelog

## 3.5.0 (2025-05-19)
- latin-1 feeds are decoded strictly
- batches of 500 lines

## 3.4.0 (2025-03-03)
- import runs in a thread pool (8 workers)
- numeric article numbers are normalised (Excel exports, SAP padding)
- feeds are archived

## 3.3.2 (2025-01-20)
- reconcile prints the supplier
`,
  'palletry/__init__.py': '__version__ = "3.5.0"\n',
  'palletry/config.py': 'WORKERS = 8\nBATCH = 500\nSTOCK_FILE = "var/stock.json"\n',
  'palletry/log.py': `import sys


def info(message):
    print(message, file=sys.stdout)
`,
  'palletry/units.py': `FACTORS = {"pc": 1, "box": 12, "pal": 480}


def to_pieces(quantity, unit="pc"):
    return quantity * FACTORS[unit]
`,
  'palletry/archive.py': `"""Moves read feeds to the archive and deletes old ones."""
import time
from pathlib import Path

KEEP_DAYS = 90


def expired(folder, now=None):
    limit = (now or time.time()) - KEEP_DAYS * 86400
    return [path for path in Path(folder).glob("*.csv") if path.stat().st_mtime < limit]
`,
  'palletry/reader.py': `import csv


def rows(feed):
    with open(feed.path, encoding=feed.encoding, newline="") as file:
        yield from csv.DictReader(file, delimiter=feed.delimiter)
`,
  'palletry/batches.py': `from itertools import islice


def batches(items, size):
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
`,
  [NORMALIZE]: `"""Brings what suppliers send into one form."""


def clean_sku(raw):
${CLEAN_SKU}

def clean_name(raw):
    return " ".join(raw.split())


def clean_quantity(raw):
    return int(raw.strip() or 0)
`,
  'palletry/store.py': `import json
from pathlib import Path


class Store:
    def __init__(self):
        self.items = {}

    def put(self, supplier, sku, name, quantity):
        self.items[f"{supplier}/{sku}"] = {"name": name, "qty": quantity}

    def save(self, path):
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_text(json.dumps(self.items, indent=0))

    @classmethod
    def load(cls, path):
        store = cls()
        store.items = json.loads(Path(path).read_text())
        return store
`,
  [POOL]: `from concurrent.futures import ThreadPoolExecutor

from palletry.normalize import clean_name, clean_quantity, clean_sku


def import_batches(store, supplier, batches, workers):
    def work(batch):
        for row in batch:
            store.put(supplier, clean_sku(row["sku"]), clean_name(row["name"]), clean_quantity(row["qty"]))
        return len(batch)

    with ThreadPoolExecutor(max_workers=workers) as pool:
        return sum(pool.map(work, batches))
`,
  'palletry/report.py': `import csv


def unknown_articles(store, count_file):
    with open(count_file, newline="") as file:
        for row in csv.DictReader(file):
            if f"{row['supplier']}/{row['sku']}" not in store.items:
                yield row
`,
  'palletry/suppliers/__init__.py': `from importlib import import_module

NAMES = [
${SUPPLIERS.map((name) => `    "${name}",`).join('\n')}
]


def feed_of(name):
    return import_module(f"palletry.suppliers.{name}").FEED
`,
  'palletry/suppliers/base.py': `from dataclasses import dataclass


@dataclass(frozen=True)
class Feed:
    name: str
    path: str
    delimiter: str
    encoding: str
`,
  'palletry/cli.py': `import argparse

from palletry import config, log
from palletry.batches import batches
from palletry.pool import import_batches
from palletry.reader import rows
from palletry.report import unknown_articles
from palletry.store import Store
from palletry.suppliers import NAMES, feed_of


def main():
    parser = argparse.ArgumentParser(prog="palletry", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    imports = commands.add_parser("import")
    imports.add_argument("supplier")
    imports.add_argument("--workers", type=int, default=config.WORKERS)
    imports.add_argument("--batch", type=int, default=config.BATCH)
    reconcile = commands.add_parser("reconcile")
    reconcile.add_argument("count")
    args = parser.parse_args()

    if args.command == "import":
        store = Store()
        total = 0
        for name in NAMES if args.supplier == "all" else [args.supplier]:
            total += import_batches(store, name, batches(rows(feed_of(name)), args.batch), args.workers)
        store.save(config.STOCK_FILE)
        log.info(f"{args.supplier}: {total} imported")
    else:
        unknown = list(unknown_articles(Store.load(config.STOCK_FILE), args.count))
        for row in unknown:
            log.info(f"unknown article {row['supplier']}/{row['sku']} (counted {row['qty']})")
        log.info(f"{len(unknown)} unknown")


if __name__ == "__main__":
    main()
`,
  'tests/__init__.py': '',
  'tests/test_normalize.py': `import unittest

from palletry.normalize import clean_name, clean_sku


class CleanSku(unittest.TestCase):
    def test_excel(self):
        self.assertEqual(clean_sku("4711.0"), "4711")

    def test_sap_padding(self):
        self.assertEqual(clean_sku("00004711"), "4711")

    def test_letters_stay(self):
        self.assertEqual(clean_sku(" al-1002 "), "AL-1002")


class CleanName(unittest.TestCase):
    def test_spaces(self):
        self.assertEqual(clean_name(" Drum   lid "), "Drum lid")
`,
  'tests/test_batches.py': `import unittest

from palletry.batches import batches


class Batches(unittest.TestCase):
    def test_last_one_is_short(self):
        self.assertEqual(list(batches(range(5), 2)), [[0, 1], [2, 3], [4]])
`,
  'tests/test_store.py': `import unittest

from palletry.store import Store


class Put(unittest.TestCase):
    def test_keeps_the_quantity(self):
        store = Store()
        store.put("brenko", "BR-1", "Lid", 3)
        self.assertEqual(store.items["brenko/BR-1"]["qty"], 3)
`,
  'tests/data/regress/WMS-1874.csv': 'sku;name;qty\nCO-1;Fitting\u00a0wide;4\n',
  [COUNT]: `supplier,sku,qty\n${[
    'alvesta,AL-1002,11',
    ...LOST.map((each) => each.join(',')),
    'kestrel,KE-1003,12',
    'lumio,LU-1004,13',
  ].join('\n')}\n`,
};
for (const [index, supplier] of SUPPLIERS.entries()) {
  files[`palletry/suppliers/${supplier}.py`] = supplierModule(supplier, index);
  files[`data/feeds/${supplier}.csv`] = feed(supplier, index);
}

const LOCKED = `    lock = threading.Lock()

    def work(batch):
        for row in batch:
            with lock:
                store.put(supplier, clean_sku(row["sku"]), clean_name(row["name"]), clean_quantity(row["qty"]))
        return len(batch)
`;

const UNLOCKED = `    def work(batch):
        for row in batch:
            store.put(supplier, clean_sku(row["sku"]), clean_name(row["name"]), clean_quantity(row["qty"]))
        return len(batch)
`;

const STRIPPED = `    text = raw.strip().upper()
    # Excel turns 4711 into 4711.0, SAP pads to 00004711
    if text.removesuffix(".0").isdigit():
        return text.removesuffix(".0").lstrip("0")
    return text
`;

const MATCHED = `    text = raw.strip().upper()
    # Excel turns 4711 into 4711.0, SAP pads to 00004711. Never via float(): it reads 12E3 and 1_200 as numbers.
    number = _PLAIN_NUMBER.fullmatch(text)
    return number[1] if number else text
`;

const COUNT_KEYS = `echo "$(grep -c '": {' var/stock.json) keys"`;

export const lostArticles: SurveySession = {
  name: 'lost-articles',
  about:
    'Articles vanish from a stock import: not a race, but article numbers that float() takes for numbers.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'python',
  files,
  long: true,
  prompts: [
    `stock reconciliation loses articles. at the inventory count on 7 july the warehouse had 7 articles on the shelf that palletry says dont exist (${COUNT}), from all kinds of suppliers. started sometime after the march release i think. rerunning the import doesnt bring them back. pls find out why, local feeds are a copy of prod's. and no new dependencies please, the box this runs on is airgapped`,
    'wow ok. fix it then. leading zeros have to keep getting stripped tho, sap pads everything to 18. and add a regression feed: tests/data/regress has one file per incident, named after the ticket, this one is WMS-2291',
    'perfect, commit it (ticket number first, then a colon)',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    const told = (text: string, calls: Step[], atOnce = 6): Step[][] => {
      const [first = [], ...rest] = together(calls, atOnce);
      return [[say(text), ...first], ...rest];
    };
    return {
      main: [
        ...told("I'll start with the layout and the history of the release.", [
          run('git ls-files | head -60', 'List the files', 'palletry/pool.py'),
          read('CHANGELOG.md'),
          read('README.md'),
          run(`cat ${COUNT}`, 'The inventory count', 'brenko,12E3,48'),
        ]),
        ...told(
          'Release 3.4.0 changed three things at once: thread pool, number normalisation, archive. Let me reproduce before reading on.',
          [run('python3 -m palletry.cli import all', 'Import everything', 'all: 2400 imported')],
        ),
        [run(`python3 -m palletry.cli reconcile ${COUNT}`, 'Reconcile with the count', '7 unknown')],
        [
          say(
            'Reproduced: all seven, locally. The import claims 2400 lines. What is really in the stock file?',
          ),
          run(COUNT_KEYS, 'Count the stored keys', '2398 keys'),
        ],
        ...told(
          '2400 imported but 2398 stored. That smells like lost updates between threads: eight workers put into one dict without a lock. Reading the import path.',
          [
            'cli',
            'pool',
            'store',
            'reader',
            'batches',
            'report',
            'config',
            'log',
            'units',
            'normalize',
            'archive',
          ].map((name) => read(`palletry/${name}.py`)),
        ),
        ...told(
          'If it is a race, the number must change with the workers. Measuring.',
          [1, 2, 8, 16].map((workers) =>
            run(
              `python3 -m palletry.cli import all --workers ${workers} && ${COUNT_KEYS}`,
              `Import with ${workers} workers`,
              '2398 keys',
            ),
          ),
          3,
        ),
        [
          say(
            'Identical each time, even with one worker. Once more with repetition, to be sure it is no luck.',
          ),
          run(
            `python3 - <<'END'
from collections import Counter
from palletry.batches import batches
from palletry.pool import import_batches
from palletry.reader import rows
from palletry.store import Store
from palletry.suppliers import NAMES, feed_of

def keys(workers):
    store = Store()
    for name in NAMES:
        import_batches(store, name, batches(rows(feed_of(name)), 500), workers)
    return len(store.items)

for workers in (1, 8):
    for count, times in Counter(keys(workers) for _ in range(20)).items():
        print(workers, "workers:", times, "x", count, "keys")
END`,
            'Twenty imports each with 1 and 8 workers',
            '8 workers: 20 x 2398 keys',
          ),
        ],
        [
          say('For completeness I put a lock around the put and see whether anything moves.'),
          edit(POOL, 'from concurrent.futures', 'import threading\nfrom concurrent.futures'),
        ],
        [edit(POOL, UNLOCKED, LOCKED)],
        [run(`python3 -m palletry.cli import all && ${COUNT_KEYS}`, 'Import with the lock', '2398 keys')],
        [
          say(
            'So my first hypothesis is dead: it is no race. 20 imports each with 1 and with 8 workers store exactly 2398 keys every time, and a lock changes nothing. I take the lock out again.',
          ),
          run(`git checkout -q ${POOL} && git status --short`, 'Undo the lock'),
        ],
        ...told(
          'Next suspect: the last partial batch.',
          [1, 7, 200].map((batch) =>
            run(
              `python3 -m palletry.cli import all --batches ${batch} 2>&1 | tail -1`,
              `Import with batches of ${batch}`,
              'unrecognized arguments',
            ),
          ),
          6,
        ),
        ...told(
          'Those three "results" are a usage error that tail turned into exit code 0 – the option is called --batch.',
          [1, 7, 200].map((batch) =>
            run(
              `python3 -m palletry.cli import all --batch ${batch} && ${COUNT_KEYS}`,
              `Import with batches of ${batch}`,
              '2398 keys',
            ),
          ),
          3,
        ),
        ...told(
          'Batch size is irrelevant too. Then per supplier: which feeds lose something?',
          SUPPLIERS.map((supplier) =>
            run(
              `python3 -m palletry.cli import ${supplier} && ${COUNT_KEYS}`,
              `Import ${supplier} alone`,
              supplier in NEIGHBOURS ? '199 keys' : '200 keys',
            ),
          ),
          3,
        ),
        [
          say(
            'Interesting: only brenko and fennik are one short, yet seven articles are unknown. So five of the seven are not dropped, they must be stored under some other key. Let me look at how the feeds are declared; maybe encoding.',
          ),
          read('palletry/suppliers/__init__.py'),
          read('palletry/suppliers/base.py'),
        ],
        ...together(
          SUPPLIERS.map((supplier) => read(`palletry/suppliers/${supplier}.py`)),
          6,
        ),
        ...told(
          'A third of the feeds are latin-1. Checking for anything outside ASCII.',
          SUPPLIERS.map((supplier) =>
            run(
              `LC_ALL=C grep -c -P '[^\\x00-\\x7F]' data/feeds/${supplier}.csv || true`,
              `Non-ASCII lines of ${supplier}`,
              '0',
            ),
          ),
        ),
        ...told(
          'Pure ASCII everywhere, so encoding is out. Are the rows in the feeds at all, and where?',
          LOST.map(([supplier, sku]) =>
            run(
              `grep -n '^${sku};' data/feeds/${supplier}.csv`,
              `Find ${sku} in the feed of ${supplier}`,
              sku,
            ),
          ),
        ),
        [
          say(
            'All present, all on line 139, ordinary lines. Under which key do they end up? A fresh full import first.',
          ),
          run('python3 -m palletry.cli import all', 'Import everything again', '2400 imported'),
        ],
        ...together(
          LOST.map(([supplier]) =>
            run(
              `grep -A1 '"${supplier}/' var/stock.json | grep -B1 '"name": "Valve set"'`,
              `Stored key of the valve set of ${supplier}`,
              `"${supplier}/`,
            ),
          ),
        ),
        [
          say(
            'There it is. 12E3 is stored as brenko/12000, 1_200 as gorsel/1200, the 18-digit one ends in different digits. Let me run the seven through the normaliser directly.',
          ),
          run(
            `python3 -c "from palletry.normalize import clean_sku; [print(s, '->', clean_sku(s)) for s in ['12E3','45E2','7E5','1_200','3E4','340123450000000018','88E1']]"`,
            'Normalise the seven',
            '12E3 -> 12000',
          ),
        ],
        [
          say(
            'Root cause: `clean_sku` in palletry/normalize.py goes through `float()`, so an article number like 12E3 is read as scientific notation and becomes 12000; Python also accepts underscores in numbers (1_200 becomes 1200), and above 2^53, i.e. from 16 digits on, float rounds the last digits. How many other lines in the feeds have such a shape?',
          ),
          run(
            `grep -h -c -E '^([0-9]+E[0-9]+|[0-9]+_[0-9_]+|[0-9]{16,});' data/feeds/*.csv | paste -sd+ | sed 's/$//' | xargs -I{} sh -c 'echo "$(({})) lines"'`,
            'Count lines with such numbers',
            '7 lines',
          ),
          run("grep -n '^12000;\\|^12E3;' data/feeds/brenko.csv", 'The pair at brenko', '12000;Drum lid;19'),
          run("grep -n '^700000;\\|^7E5;' data/feeds/fennik.csv", 'The pair at fennik', '700000;Drum lid;19'),
        ],
        [
          say(
            `I found it, and it is not what I first thought.

## Cause

\`clean_sku\` (since 3.4.0) converts with \`int(float(text))\` to get rid of Excel's \`.0\` and SAP's zeros. Anything Python can read as a number gets rewritten:

| Sent | Stored | Why |
|---|---|---|
| 12E3 | 12000 | scientific notation |
| 1_200 | 1200 | underscore is legal in Python numbers |
| 340123450000000018 | last digits differ | float is exact only up to 2^53 |

## What else I noticed

- **Two of the seven overwrote an innocent article**: brenko 12000 and fennik 700000 (both "Drum lid") currently show the stock of the valve sets 12E3 and 7E5.
- Nobody saw it because the "imported" figure in the log counts rows read, not keys stored – \`Store.put\` overwrites silently.
- The archive keeps feeds for 90 days only, so the feeds from March until about mid-April are already deleted and cannot be imported again; for those the suppliers must send a full feed.

## Ruled out

- Thread race, batch boundaries, encoding.

I was pretty thorough here! Want me to go ahead with a fix?`,
          ),
        ],
        ...told("Great, let's fix it. First the existing tests and the shape of the older regression feed.", [
          read('tests/test_normalize.py'),
          read('tests/test_batches.py'),
          read('tests/test_store.py'),
          run(
            'ls tests/data/regress && cat tests/data/regress/WMS-1874.csv',
            'The older regression feed',
            'WMS-1874.csv',
          ),
        ]),
        [
          write(
            REGRESS,
            `sku;name;qty
12E3;Valve set;48
12000;Drum lid;19
1_200;Valve set;150
340123450000000018;Valve set;2
000000000000004711;Bolt;5
0000;Placeholder;1
`,
          ),
          edit(
            'tests/test_normalize.py',
            `    def test_letters_stay(self):`,
            `    def test_wms_2291(self):
        with open("tests/data/regress/WMS-2291.csv", newline="") as file:
            cleaned = [clean_sku(row["sku"]) for row in csv.DictReader(file, delimiter=";")]
        self.assertEqual(cleaned, ["12E3", "12000", "1_200", "340123450000000018", "4711", "0"])

    def test_letters_stay(self):`,
          ),
          edit('tests/test_normalize.py', 'import unittest\n', 'import csv\nimport unittest\n'),
        ],
        [fail('python3 -m unittest discover -s tests', 'Run the tests', 'FAILED (failures=1)')],
        [say('Red for the right reason. Now the fix.'), edit(NORMALIZE, CLEAN_SKU, STRIPPED)],
        [fail('python3 -m unittest discover -s tests', 'Run the tests', 'FAILED (failures=1)')],
        [
          say(
            'Almost: with lstrip the all-zero placeholder 0000 turns into an empty key. (float() had made it 0, and the stores rely on that.) A pattern that leaves the last digit is cleaner.',
          ),
          edit(NORMALIZE, STRIPPED, MATCHED),
        ],
        [
          edit(
            NORMALIZE,
            '"""Brings what suppliers send into one form."""\n',
            `"""Brings what suppliers send into one form."""\nimport re\n\n_PLAIN_NUMBER = re.compile(r"0*(\\d+)(?:\\.0+)?", re.ASCII)\n`,
          ),
        ],
        [run('python3 -m unittest discover -s tests', 'Run the tests', 'OK')],
        [
          run(`python3 -m palletry.cli import all && ${COUNT_KEYS}`, 'Import everything', '2400 keys'),
          run(`python3 -m palletry.cli reconcile ${COUNT}`, 'Reconcile', '0 unknown'),
        ],
        [
          say(
            `Done! 2400 of 2400 keys now, and the count reconciles with 0 unknown articles.

- \`clean_sku\` only touches plain digits with optional zeros in front and an optional \`.0\` behind; everything else stays as it was sent.
- Leading zeros are still stripped, including SAP's 18-digit padding.
- Regression feed WMS-2291.csv plus a test.

One thing before you deploy: the wrong keys (such as brenko/12000 with the valve set's stock) stay wrong until the next full import of that supplier; delta feeds will not repair them.

Let me know if you'd like a warning for duplicate keys as well!`,
          ),
        ],
        [
          run(
            `git add -A && git commit -qm "WMS-2291: do not read article numbers as floats" && git log --oneline | head -1`,
            'Commit',
            'WMS-2291',
          ),
        ],
        [say('Committed. Happy counting!')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: ['clean_sku', /float/, /12E3|scientific/],
        files: [NORMALIZE],
      },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/\brace\b/, /2398|lock/, /\bno\b|\bnot\b|dead|ruled out/],
        prompt: 1,
      },
      { type: ['gotcha', 'how-it-works', 'discovery'], says: [/imported/, /rows read/], prompt: 1 },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/90 days/, /feeds?/], prompt: 1 },
      { type: 'preference', says: [/no new dependenc/, /air-?gapped/], prompt: 1 },
      { type: 'preference', says: ['tests/data/regress', /one file per incident/], prompt: 2 },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/overwrote/, /12000/], prompt: 1 },
      {
        type: ['gotcha', 'bugfix', 'discovery'],
        says: [/lstrip|all-zero|placeholder/, /empty key/],
        prompt: 2,
      },
      { type: ['gotcha', 'discovery', 'change'], says: [/full import/, /delta|stay wrong/], prompt: 2 },
      { type: ['preference', 'decision'], says: [/leading zeros/, /sap/], prompt: 2 },
      { type: 'preference', says: [/ticket number first/], prompt: 3 },
      { type: ['bugfix', 'change'], says: [/plain digits|article numbers/, /stays as it was sent|floats/] },
      { type: ['gotcha', 'discovery'], says: [/tail/, /--batch/], prompt: 1 },
    ],
    summaries: [
      { prompt: 1, request: [/reconciliation|loses articles/], learned: [/float/] },
      {
        prompt: 2,
        request: [/fix it|regression/],
        completed: [/clean_sku|plain digits/],
        filesModified: [NORMALIZE],
      },
      { prompt: 3, optional: true, request: [/commit/] },
    ],
    noise: [
      'Want me to go ahead with a fix',
      'I was pretty thorough here',
      "I'll start with the layout",
      'Red for the right reason',
      'Happy counting',
      "Great, let's fix it",
      'Measuring.',
    ],
    untrue: [
      /(added|introduced|put in|now uses) a lock/,
      /smells like lost updates/,
      /caused by a (thread )?race/,
    ],
    followUps: [
      {
        asks: 'an item code like 5E10 from a new vendor, can the nightly job cope with that?',
        says: [/float|scientific/],
      },
      {
        asks: 'should we guard Store.put against concurrent writes, i suspect threads step on each other',
        says: [/\brace\b/],
      },
      { asks: 'the log line says 3100 but the table has fewer, which one do I trust?', says: [/rows read/] },
      { asks: 'can I replay the supplier csvs from four months ago?', says: [/90 days/] },
      { asks: 'could I pull in pandas for parsing the csvs here?', says: [/air-?gapped/] },
      { asks: 'where does the sample csv for the bug of WMS-2350 belong?', says: ['tests/data/regress'] },
    ],
    unrelated: [
      'translate the README into Norwegian please',
      'add a dark mode to the web dashboard',
      'write a Dockerfile with a multi-stage build for this service',
    ],
  },
};
