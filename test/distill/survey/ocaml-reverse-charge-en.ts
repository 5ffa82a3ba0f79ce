import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const VAT = `type rate = Standard | Reduced | Zero

let percent = function Standard -> 21 | Reduced -> 12 | Zero -> 0

let category_code = function Standard -> "S" | Reduced -> "S" | Zero -> "Z"

let amount rate cents = (cents * percent rate + 50) / 100
`;

const VAT_RC = `type rate = Standard | Reduced | Zero | Reverse_charge

let percent = function Standard -> 21 | Reduced -> 12 | Zero | Reverse_charge -> 0

let category_code = function
  | Standard -> "S"
  | Reduced -> "S"
  | Zero -> "Z"
  | Reverse_charge -> "K"

let amount rate cents = (cents * percent rate + 50) / 100
`;

const INVOICE = `type line = { text : string; cents : int; rate : Vat.rate }

type t = { number : string; seller : Party.t; buyer : Party.t; lines : line list }

let vat_total t =
  List.fold_left (fun sum l -> sum + Vat.amount l.rate l.cents) 0 t.lines
`;

const DUNE = `#!/bin/sh
case "$*" in
  *promote*) echo "Promoting _build/default/test/golden/eu.xml to test/golden/eu.xml."; exit 0 ;;
  *bench*) echo "1000 invoices: 212 ms"; exit 0 ;;
esac
if grep -q 'Reverse_charge -> "K"' lib/vat.ml; then
  echo 'schematron: [BR-IC-02] category K needs the delivery address (BT-80)'
  echo "test_peppol: 1 failure, 58 passed"; exit 1
fi
if grep -q Reverse_charge lib/vat.ml && ! grep -q exemption_reason lib/ubl.ml; then
  echo 'schematron: [BR-AE-10] category AE shall have an exemption reason (BT-120)'
  echo "test_peppol: 1 failure, 58 passed"; exit 1
fi
if grep -q Reverse_charge lib/vat.ml && grep -q "old note" test/golden/eu.xml; then
  echo 'File "test/golden/eu.xml", line 1: golden differs'
  echo "  - <Note>old note</Note>"
  echo "  + <TaxExemptionReason>Reverse charge</TaxExemptionReason>"
  exit 1
fi
echo "test_peppol: 59 passed"
`;

export const ocamlReverseChargeEn: SurveySession = {
  name: 'ocaml-reverse-charge-en',
  about:
    'Invoices without VAT for companies in other EU countries; the code of the category is corrected by a check.',
  kind: 'feature',
  language: 'en',
  ecosystem: 'ocaml',
  files: {
    'lib/vat.ml': VAT,
    'lib/invoice.ml': INVOICE,
    'lib/party.ml':
      'type t = { name : string; country : string; vat_id : string option }\n\nlet is_eu c = List.mem c [ "BE"; "NL"; "DE"; "FR"; "LU" ]\n',
    'lib/ubl.ml':
      'let tax_category rate =\n  Xml.el "cac:TaxCategory" [ Xml.el "cbc:ID" [ Xml.text (Vat.category_code rate) ] ]\n',
    'lib/vies.ml': 'let check ~timeout:_ _vat_id = Ok `Valid\n',
    'test/golden/eu.xml': '<Invoice><Note>old note</Note></Invoice>\n',
    'dune-project': '(lang dune 3.14)\n',
  },
  programs: { dune: DUNE },
  script(projectDir) {
    const { run, fail, read, edit, write } = callsIn(projectDir);
    return {
      main: [
        [
          say("I'll read how rates and parties are modelled."),
          read('lib/vat.ml'),
          read('lib/invoice.ml'),
          read('lib/party.ml'),
          read('lib/ubl.ml'),
          read('lib/vies.ml'),
        ],
        [
          say(
            'Two ways to model it. (a) A GADT that makes a reverse charge line with a percentage unrepresentable; it touches all 31 call sites. (b) A plain constructor `Reverse_charge` next to `Zero`, the compiler then lists every match that misses it. Before I choose: should an invoice be allowed to mix reverse charge lines with normal ones?',
          ),
        ],
        [
          say('Plain constructor then, and one check per invoice.'),
          write('lib/vat.ml', VAT_RC),
          edit(
            'lib/invoice.ml',
            'let vat_total t =',
            'exception Mixed_reverse_charge of string\n\nlet check t =\n  let rc, rest = List.partition (fun l -> l.rate = Vat.Reverse_charge) t.lines in\n  if rc <> [] && rest <> [] then raise (Mixed_reverse_charge t.number)\n\nlet vat_total t =',
          ),
          fail('dune test', 'Run the tests', 'BR-IC-02'),
        ],
        [
          say(
            'I used category K and that was wrong: K is for intra-community supply of goods and demands a delivery address. Our invoices are services, so the category has to be AE.',
          ),
          edit('lib/vat.ml', 'Reverse_charge -> "K"', 'Reverse_charge -> "AE"'),
          fail('dune test', 'Run the tests', 'BR-AE-10'),
        ],
        [
          edit(
            'lib/ubl.ml',
            'let tax_category rate =\n',
            'let exemption_reason = function\n  | Vat.Reverse_charge -> Some "Reverse charge"\n  | _ -> None\n\nlet tax_category rate =\n',
          ),
          fail('dune test', 'Run the tests', 'golden differs'),
        ],
        [
          say(
            'Only a golden file differs now. As you asked, I do not promote by myself, here is the diff of test/golden/eu.xml:\n\n- `<Note>old note</Note>`\n- becomes `<TaxExemptionReason>Reverse charge</TaxExemptionReason>`\n\nState: `Reverse_charge` has category AE and the exemption reason that rule BR-AE-10 demands; `Invoice.check` raises `Mixed_reverse_charge` for a mixed invoice. When do we decide that a buyer gets it? I would ask VIES at the moment the invoice is made, with a timeout of 5 s, and refuse the invoice if VIES is down.',
          ),
        ],
        [
          run('dune promote', 'Promote after the ok', 'Promoting'),
          run(
            "sed -i 's/<Note>old note/<TaxExemptionReason>Reverse charge/' test/golden/eu.xml && dune test",
            'Run the tests',
            '59 passed',
          ),
          edit(
            'lib/party.ml',
            'let is_eu c =',
            '(* The answer of VIES is stored nightly; invoicing never waits for it. *)\nlet vies_max_age_days = 30\n\nlet is_eu c =',
          ),
        ],
        [
          say(
            'Promoted, 59 tests pass. Invoicing uses the stored VIES answer from the nightly job and never calls VIES itself; an answer is good for 30 days. A buyer without a valid answer gets Belgian VAT, 21 %.',
          ),
        ],
        [
          edit('lib/party.ml', 'let vies_max_age_days = 30', 'let vies_max_age_days = 14'),
          run('dune test', 'Run the tests', '59 passed'),
          run(
            'git add -A && git commit -qm "feat: reverse charge for EU companies" && git log --oneline | head -1',
            'Commit',
            'reverse charge',
          ),
        ],
        [
          say(
            '`vies_max_age_days` is 14 now and everything is committed. Not done: credit notes. They still use the rate of the day instead of the rate of the original invoice, I noticed it while reading and left it alone.',
          ),
        ],
      ],
    };
  },
  prompts: [
    'we need reverse charge: services to companies in other EU countries go out without VAT. never `dune promote` golden files before i have seen the diff, the auditors sign those',
    'no mixing, refuse it. and no GADTs please, half the team comes from python and has to read this',
    "diff is fine, promote. VIES at invoice time no way, it's down every other evening and billing must not hang. there is a nightly job that stores the answer, use that, 30 days old is ok. no valid answer = normal belgian VAT",
    'tax advisor says 14 days not 30. change it and commit',
  ],
  expects: {
    essentials: [
      { type: ['preference', 'decision', 'gotcha'], says: [/promote/, /diff|auditors/], prompt: 1 },
      { type: ['decision', 'preference'], says: [/GADT/, /python|plain constructor|team/], prompt: 2 },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'decision', 'how-it-works'],
        says: [/\bAE\b/, /\bK\b|services|goods/],
        prompt: 2,
      },
      {
        type: ['decision', 'preference', 'gotcha', 'how-it-works'],
        says: [/VIES/, /nightly|stored/],
        prompt: 3,
      },
      {
        type: ['decision', 'change', 'preference'],
        says: [/vies_max_age_days|tax advisor|14 days/, /14/],
        prompt: 4,
      },
      {
        type: ['feature', 'decision', 'change', 'how-it-works', 'preference'],
        says: [/Mixed_reverse_charge|mixed|mixing/, /refuse|raise/],
        prompt: 2,
      },
    ],
    niceToHave: [
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'change', 'feature'],
        says: [/BR-AE-10|exemption reason/],
      },
      { type: ['decision', 'preference', 'how-it-works', 'change', 'feature'], says: [/belgian VAT|21 %/] },
      { type: ['discovery', 'gotcha', 'change'], says: [/credit notes/] },
      { type: ['feature', 'change'], says: [/Reverse_charge|reverse charge/] },
      { type: ['discovery', 'change', 'feature'], says: [/59 tests|golden/] },
    ],
    summaries: [
      { prompt: 1, request: [/reverse charge/], filesRead: ['lib/vat.ml'] },
      {
        prompt: 2,
        request: [/mixing|GADT/],
        learned: [/AE|BR-AE-10/],
        filesModified: ['lib/vat.ml', 'lib/invoice.ml', 'lib/ubl.ml'],
      },
      {
        prompt: 3,
        request: [/VIES/],
        completed: [/VIES|59 tests|promoted/],
        filesModified: ['lib/party.ml'],
      },
      { prompt: 4, request: [/14 days/], completed: [/14/], nextSteps: [/credit notes/] },
    ],
    noise: ["I'll read how rates", 'Plain constructor then, and'],
    untrue: [
      /Reverse_charge (has|uses|gets|is) (the )?category K/,
      /vies_max_age_days (is|=) 30(?!` became)/,
      /answer is good for 30 days/,
      /(asks|calls|queries) VIES (at|when|at the moment)/,
      /refuse the invoice if VIES is down/,
      /credit notes (now )?use the rate of the original/,
      /(modelled|implemented) (as|with) a GADT/,
      /mixed invoices? (is|are) allowed/,
    ],
    followUps: [
      {
        asks: 'the golden xml files changed after my refactoring, can I just promote them?',
        says: [/diff|auditors/],
      },
      {
        asks: 'a buyer got 21 % although he has a valid VAT number, how old may the VIES result be?',
        says: [/14/],
      },
      {
        asks: 'why not verify the VAT number live against VIES while billing?',
        says: [/nightly|stored|down every/],
      },
      { asks: 'which Peppol VAT category do we send for reverse charge, and why not K?', says: [/\bAE\b/] },
      {
        asks: 'could we encode the tax rules in Vat with a GADT so that wrong states cannot be built?',
        says: [/python|plain constructor|GADT/],
      },
      { asks: 'customer wants one invoice with a reverse charge line and a normal line', says: [/mix/] },
    ],
    unrelated: [
      'the PDF footer cuts off the IBAN on A4',
      'set up ocamlformat in the pre-commit hook',
      'how do I run the service with docker locally?',
    ],
  },
};
