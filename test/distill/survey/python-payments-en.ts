import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CHARGE = 'payments/charge.py';
const WEBHOOK = 'payments/webhook.py';
const MONEY = 'payments/money.py';
const REFUND = 'payments/refund.py';

export const pythonPaymentsEn: SurveySession = {
  name: 'python-payments-en',
  about: 'A review of a payments module with four findings; one is intended, and nothing is changed.',
  kind: 'review',
  language: 'en',
  ecosystem: 'python',
  files: {
    'payments/__init__.py': '',
    [CHARGE]: `import uuid


class GatewayTimeout(Exception):
    pass


def charge(gateway, intent, attempts=3):
    """Charge an intent, trying again when the gateway times out."""
    last = None
    for _ in range(attempts):
        key = str(uuid.uuid4())
        try:
            return gateway.post("/charges", {"intent": intent.id, "amount": intent.amount}, idempotency_key=key)
        except GatewayTimeout as error:
            last = error
    raise last
`,
    [WEBHOOK]: `import hashlib
import hmac
import json


def verify(body: bytes, signature: str, secret: bytes) -> bool:
    expected = hmac.new(secret, body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, signature)


def handle(body: bytes, store, ledger):
    event = json.loads(body)
    if store.seen(event["id"]):
        return
    store.mark_seen(event["id"])
    store.commit()
    if event["type"] == "charge.captured":
        ledger.book(event["data"]["intent"], event["data"]["amount"])
        ledger.commit()
`,
    [MONEY]: `def to_minor_units(amount: float) -> int:
    return int(amount * 100)
`,
    [REFUND]: `REFUND_LIMIT = 1.10


def refund(gateway, captured: int, amount: int, intent_id: str):
    if amount > captured * REFUND_LIMIT:
        raise ValueError("refund exceeds limit")
    return gateway.post("/refunds", {"intent": intent_id, "amount": amount})
`,
    'tests/__init__.py': '',
    'tests/test_money.py': `import unittest

from payments.money import to_minor_units


class MoneyTest(unittest.TestCase):
    def test_whole_amounts(self):
        self.assertEqual(to_minor_units(20.0), 2000)


if __name__ == "__main__":
    unittest.main()
`,
  },
  script(projectDir) {
    const { run, read, delegate } = callsIn(projectDir);
    return {
      main: [
        [
          say("I'll read the whole module first, and have the webhook part looked at separately."),
          read(CHARGE),
          read(MONEY),
          read(REFUND),
          delegate(
            'Review webhook handling',
            'Review webhook handling: read payments/webhook.py for correctness and security. Read only, change nothing. Report findings with lines.',
          ),
        ],
        [
          say('Two suspicions can be checked directly: the float conversion and what the tests cover.'),
          run(
            'python3 -c "from payments.money import to_minor_units as m; print([(a, m(a)) for a in (19.99, 20.0, 1.15, 4.35)])"',
            'Try amounts that floats cannot represent',
            '(19.99, 1998)',
          ),
          run(
            'python3 -c "from payments.money import to_minor_units as m; print(sum(m(c/100) != c for c in range(1, 10001)), \'of 10000 wrong\')"',
            'Count wrong amounts up to 100.00',
            '573 of 10000 wrong',
          ),
          run('python3 -m unittest discover -s tests -t .', 'Run the tests', 'OK'),
        ],
        [
          say(`## Review of \`payments/\`

Four findings, nothing changed.

1. **High: a retry can charge twice** (\`charge.py:12\`). The idempotency key is made inside the retry loop, so each attempt carries a new one. If the gateway has booked the charge and only the answer times out, the next attempt is a second charge.
2. **High: a captured payment can be lost** (\`webhook.py:15-16\`). The event is marked as seen and committed before the ledger is booked. If the process dies in between, the gateway delivers the event again, \`seen\` is true, and the payment never reaches the ledger.
3. **Medium: amounts lose a cent** (\`money.py:2\`). \`int(amount * 100)\` truncates: 19.99 becomes 1998. Of all amounts from 0.01 to 100.00, 573 of 10000 come out one cent short. The only test uses 20.0, which happens to work.
4. **Medium: refunds may exceed the captured amount** (\`refund.py:1\`). \`REFUND_LIMIT = 1.10\` lets 110 % be paid back. This looks like a mistake and should be 1.0.

Checked and fine: the webhook signature is computed over the raw body and compared with \`hmac.compare_digest\`.

Let me know which of these you want fixed!`),
        ],
        [
          say('A fake gateway that books the charge and then times out shows it.'),
          run(
            `python3 - <<'EOF'
from types import SimpleNamespace
from payments.charge import GatewayTimeout, charge

booked = {}

class Gateway:
    def post(self, path, body, idempotency_key):
        booked.setdefault(idempotency_key, body["amount"])
        if len(booked) < 3:
            raise GatewayTimeout()
        return "ok"

charge(Gateway(), SimpleNamespace(id="pi_1", amount=4900))
print("keys:", len(booked), "charged:", sum(booked.values()))
EOF`,
            'Reproduce the double charge outside the repository',
            'keys: 3 charged: 14700',
          ),
        ],
        [
          say(
            'Reproduced: with two timeouts in a row, a payment of 49.00 is booked three times, 147.00 in total, under three different keys. The customer is charged once per attempt, so up to three times with the default `attempts=3`.\n\nFinding 4 is withdrawn: 110 % is the agreed goodwill margin, so `REFUND_LIMIT` stays at 1.10.\n\nFor finding 1 I would build the key once before the loop from the order, `charge-{order_id}`.',
          ),
        ],
        [run('git status --short', 'Make sure that nothing was changed'), say('The working tree is clean.')],
        [
          say(`Understood, the key must come from the payment intent: an order can be paid in several partial charges, and with a key per order the gateway would swallow the second one as a repeat. So \`charge-{intent.id}\`, built once before the loop.

Order of work for Mika:

1. PAY-331: idempotency key from the intent id (finding 1).
2. Book the ledger and mark the event as seen in one transaction (finding 2); it has to be one transaction, because merely swapping the two would book twice after a crash.
3. \`Decimal\` instead of float in \`to_minor_units\` (finding 3).

I have not touched any file. Have a nice weekend!`),
        ],
      ],
      subagents: {
        'Review webhook handling': [
          [say('Reading the webhook handler.'), read(WEBHOOK)],
          [
            say(
              'One finding in payments/webhook.py: lines 15-16 mark the event as seen and commit before ledger.book runs. A crash in between loses the payment, because the redelivered event is skipped. The signature check is sound: raw body, sha256, hmac.compare_digest.',
            ),
          ],
        ],
      },
    };
  },
  prompts: [
    'please review payments/ before we go live. only review, dont change anything. severity and file:line for each finding',
    "thx. no 4 is intended, support may give up to 10% goodwill on top of the refund, agreed with finance. don't flag that again. no 1 scares me, can you show it really happens?",
    'wow ok. but not the order id, an order can have several partial charges. use the payment intent id. mika will do the fixes, 1 is PAY-331. in which order?',
  ],
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [
          /idempotency key|\bkeys?\b/,
          /retry|attempt|loop/,
          /twice|second charge|three times|147|double/,
        ],
      },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/ledger/, /seen/, /lost|loses|never reaches|before/],
      },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/19\.99|573|to_minor_units|money\.py/, /1998|cent|truncat/],
      },
      {
        type: ['decision', 'preference', 'gotcha', 'how-it-works'],
        says: [/110 ?%|10 ?%|1\.10|REFUND_LIMIT/, /goodwill|intended|agreed/],
      },
      {
        type: ['decision', 'preference', 'gotcha'],
        says: [/intent/, /partial charges|not the order id|key per order|order can/],
      },
    ],
    niceToHave: [
      {
        type: ['decision', 'gotcha', 'how-it-works'],
        says: [/one transaction/, /ledger|seen/],
      },
      {
        type: ['discovery', 'how-it-works'],
        says: [/compare_digest|signature/, /raw body|fine|sound/],
      },
      {
        type: ['decision', 'preference', 'change'],
        says: [/PAY-331/, /Mika|intent|idempotency/],
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/49\.00|147\.00|three different keys/],
      },
      {
        type: ['preference'],
        says: [/severity/, /file:line/],
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/review/],
        learned: [/idempotency|ledger|573|1998/],
        filesRead: [CHARGE, MONEY, REFUND],
      },
      { prompt: 2, request: [/goodwill|no 1|really happens/], learned: [/three times|147\.00|goodwill/] },
      { prompt: 3, request: [/intent|PAY-331|order/], learned: [/intent|one transaction/] },
    ],
    noise: [
      /I'll read the whole module first/,
      /Let me know which of these/,
      /Have a nice weekend/,
      /Reading the webhook handler/,
      /Two suspicions can be checked/,
      /The working tree is clean/,
    ],
    untrue: [
      /looks like a mistake and should be 1\.0/,
      /I would build the key once before the loop from the order/,
      /(fixed|corrected|repaired) (the )?(double charge|retry|idempotency|rounding|webhook|to_minor_units)/,
      /REFUND_LIMIT (was|is now) (lowered|set|changed) to 1\.0(?!\d)/,
    ],
    followUps: [
      {
        asks: 'a customer says we took the money three times for one purchase, any idea?',
        says: [/idempotency|\bkeys?\b/],
      },
      {
        asks: 'REFUND_LIMIT is 1.10, shouldnt we cap refunds at what was captured?',
        says: [/goodwill|intended|agreed/],
      },
      {
        asks: 'what should the idempotency key be derived from?',
        says: [/intent/],
      },
      {
        asks: 'can I fix the webhook by just booking first and marking the event afterwards?',
        says: [/one transaction|twice after a crash/],
      },
      {
        asks: 'our totals are off by one cent compared to the gateway report, where could that come from?',
        says: [/to_minor_units|money\.py|1998|truncat/],
      },
    ],
    unrelated: [
      'add a pre-commit hook that runs ruff',
      'how do I build the docs site locally?',
      'translate the email templates for password resets to French',
    ],
  },
};
