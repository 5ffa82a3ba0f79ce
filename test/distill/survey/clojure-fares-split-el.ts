import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CORE = `(ns fares.core
  (:require [fares.db :as db]))

(defmulti apply-discount (fn [discount _price _passenger] (:kind discount)))

(defmethod apply-discount :default [_ price _] price)

(defmethod apply-discount :student [_ price _] (* price 1/2))
(defmethod apply-discount :resident [{:keys [percent]} price _] (- price (* price percent 1/100)))
(defmethod apply-discount :coupon [{:keys [amount]} price _] (max 0 (- price amount)))

(defn quote-fare [route passenger discounts]
  (reduce (fn [price d] (apply-discount d price passenger))
          (db/base-price route)
          (sort-by :position discounts)))
`;

const NEW_CORE = `(ns fares.core
  (:require [fares.db :as db]
            [fares.discount :refer [apply-discount]]))

(defn quote-fare [route passenger discounts]
  (reduce (fn [price d] (apply-discount d price passenger))
          (db/base-price route)
          (sort-by :position discounts)))
`;

const CLOJURE = `#!/bin/sh
case "$*" in
  *bench*)
    echo "multimethod  apply-discount :student   Execution time mean : 412 ns"
    echo "protocol     apply-discount Student    Execution time mean : 38 ns"
    echo "quote-fare   6 discounts, db included  Execution time mean : 41.7 ms"
    exit 0 ;;
  *:lint*) echo "linting took 812ms, errors: 0, warnings: 0"; exit 0 ;;
esac
echo "Running tests in #{\\"test\\"}"
echo
echo "Testing fares.golden-test"
if [ -f src/fares/discount/student.clj ] && ! [ -f src/fares/registry.clj ]; then
  cat <<'OUT'

FAIL in (golden-quotes) (golden_test.clj:22)
piraeus-naxos / student
expected: 31.50
  actual: 63.00

FAIL in (golden-quotes) (golden_test.clj:22)
volos-skiathos / student + coupon
expected: 14.25
  actual: 33.50

Ran 14 tests containing 388 assertions.
61 failures, 0 errors.
OUT
  exit 1
fi
if grep -q 'sort-by :kind' src/fares/core.clj; then
  cat <<'OUT'

FAIL in (golden-quotes) (golden_test.clj:22)
piraeus-naxos / resident + coupon
expected: 37.25
  actual: 38.50

Ran 14 tests containing 388 assertions.
9 failures, 0 errors.
OUT
  exit 1
fi
echo
echo "Ran 14 tests containing 388 assertions."
echo "0 failures, 0 errors."
`;

const method = (kind: string, body: string) =>
  `(ns fares.discount.${kind}\n  (:require [fares.discount :refer [apply-discount]]))\n\n(defmethod apply-discount :${kind} ${body})\n`;

export const clojureFaresSplitEl: SurveySession = {
  name: 'clojure-fares-split-el',
  about: 'A namespace is split by discount; methods that are not loaded fall through; compacted midway.',
  kind: 'refactoring',
  language: 'el',
  ecosystem: 'clojure',
  files: {
    'src/fares/core.clj': CORE,
    'src/fares/db.clj': '(ns fares.db)\n\n(defn base-price [route] 63.00M)\n',
    'test/fares/golden_test.clj': '(ns fares.golden-test)\n',
    'deps.edn': '{:paths ["src"] :aliases {:test {} :bench {} :lint {}}}\n',
  },
  programs: { clojure: CLOJURE },
  script(projectDir) {
    const { run, fail, read, edit, write } = callsIn(projectDir);
    return {
      main: [
        [
          say('Ξεκινάω από τα golden tests, για να έχουμε βάση σύγκρισης.'),
          run('clojure -M:test', 'Τρέξε τα τεστ', '0 failures'),
          read('src/fares/core.clj'),
        ],
        [
          write(
            'src/fares/discount.clj',
            '(ns fares.discount)\n\n(defmulti apply-discount (fn [discount _price _passenger] (:kind discount)))\n\n(defmethod apply-discount :default [_ price _] price)\n',
          ),
          write('src/fares/discount/student.clj', method('student', '[_ price _] (* price 1/2)')),
          write(
            'src/fares/discount/resident.clj',
            method('resident', '[{:keys [percent]} price _] (- price (* price percent 1/100))'),
          ),
          write(
            'src/fares/discount/coupon.clj',
            method('coupon', '[{:keys [amount]} price _] (max 0 (- price amount))'),
          ),
          write('src/fares/core.clj', NEW_CORE),
        ],
        [fail('clojure -M:test', 'Τρέξε τα τεστ', '61 failures')],
        [
          say(
            'Το φοιτητικό βγαίνει ολόκληρο, 63.00 αντί για 31.50. Η αιτία: κανείς δεν κάνει require τα fares.discount.*, άρα τα defmethod δεν φορτώνονται ποτέ και το dispatch πέφτει σιωπηλά στο :default, που επιστρέφει την πλήρη τιμή χωρίς έκπτωση.',
          ),
          write(
            'src/fares/registry.clj',
            '(ns fares.registry\n  (:require fares.discount.coupon\n            fares.discount.resident\n            fares.discount.student))\n',
          ),
          edit(
            'src/fares/core.clj',
            '[fares.discount :refer [apply-discount]]',
            '[fares.discount :refer [apply-discount]]\n            fares.registry',
          ),
          run('clojure -M:test', 'Τρέξε τα τεστ', '0 failures'),
        ],
        [
          say(`Έγινε το σπάσιμο, τα golden tests βγαίνουν ίδια.

- κάθε έκπτωση έχει το δικό της namespace κάτω από \`fares.discount\`
- το \`fares.registry\` κάνει require όλα τα namespaces των εκπτώσεων· αν ξεχαστεί ένα, το defmethod δεν φορτώνεται και το dispatch πέφτει στο :default
- το :default επιστρέφει ακόμα την πλήρη τιμή σιωπηλά. Θέλεις να πετάει exception;`),
        ],
        [
          read('src/fares/discount.clj'),
          edit(
            'src/fares/discount.clj',
            '(defmethod apply-discount :default [_ price _] price)',
            '(defmethod apply-discount :default [discount _ _]\n  (throw (ex-info "unknown discount" {:discount discount})))',
          ),
          run('clojure -M:test', 'Τρέξε τα τεστ', '0 failures'),
        ],
        [say('Το :default πετάει πλέον `ex-info "unknown discount"` με όλο τον χάρτη της έκπτωσης.')],
        [run('clojure -M:bench', 'Μέτρηση με criterium', '412 ns')],
        [
          say(
            'Το μέτρησα με criterium: multimethod 412 ns, protocol 38 ns. Ένα quote-fare κάνει το πολύ 6 dispatch, δηλαδή κάτω από 3 µs σε 41.7 ms που είναι σχεδόν όλα βάση. Δεν αξίζει: μένουμε στα multimethods, γιατί οι εκπτώσεις έρχονται ως δεδομένα από τη βάση και με protocols θα θέλαμε ένα record για κάθε γραμμή.',
          ),
        ],
        [
          say('Δοκιμάζω να αντικαταστήσω το :position με ταξινόμηση κατά :kind.'),
          read('src/fares/core.clj'),
          edit('src/fares/core.clj', '(sort-by :position discounts)', '(sort-by :kind discounts)'),
        ],
        [fail('clojure -M:test', 'Τρέξε τα τεστ', '9 failures')],
        [
          say(
            'Δεν είναι περιττό. Με αλφαβητική σειρά το κουπόνι αφαιρείται πριν από την έκπτωση νησιώτη και το Πειραιάς-Νάξος βγαίνει 38.50 αντί για 37.25. Το γυρίζω πίσω.',
          ),
          edit('src/fares/core.clj', '(sort-by :kind discounts)', '(sort-by :position discounts)'),
          run('clojure -M:test', 'Τρέξε τα τεστ', '0 failures'),
        ],
        [
          say(
            'Το άφησα όπως ήταν: το `:position` χρειάζεται, γιατί το ποσοστό (νησιώτης) εφαρμόζεται πρώτα και το σταθερό ποσό (κουπόνι) μετά. Να το γράψω κάπου ως κανόνα;',
          ),
        ],
        [
          edit(
            'src/fares/core.clj',
            '(defn quote-fare',
            ';; Η σειρά ορίζεται από τη σύμβαση: πρώτα ποσοστά, μετά σταθερά ποσά.\n(defn quote-fare',
          ),
          run(
            'clojure -M:test && clojure -M:lint && git add -A && git commit -qm "Split discounts"',
            'Commit',
          ),
        ],
        [say('Έτοιμο, το σχόλιο μπήκε πάνω από το quote-fare και έγινε commit. Καλή συνέχεια! 🙂')],
      ],
      compact: [
        [
          say(`<analysis>Η δουλειά είναι το σπάσιμο του fares.core.</analysis>
<summary>
1. Primary Request: σπάσιμο του fares.core ανά τύπο έκπτωσης, χωρίς αλλαγή συμπεριφοράς, golden tests ίδια.
2. Done: fares.discount, fares.discount.{student,resident,coupon}, fares.registry· το :default πετάει exception.
3. Decision: μένουμε στα multimethods (412 ns έναντι 38 ns, ασήμαντο μπροστά στα 41.7 ms).
4. Pending: έλεγχος αν χρειάζεται το :position.
</summary>`),
        ],
      ],
    };
  },
  prompts: [
    'το fares.core έχει γίνει θηρίο, σπάσε το ανά τύπο έκπτωσης. καμία αλλαγή συμπεριφοράς, τα golden tests να βγαίνουν ίδια ακριβώς. μην πειράξεις τα golden αρχεία, ποτέ, αυτά τα εγκρίνει το λογιστήριο',
    'ναι, exception. καλύτερα να σκάσει παρά να χρεώσουμε λάθος τιμή',
    'μηπως να τα κάνουμε protocols με records για ταχύτητα; πες μου με νούμερα',
    '/compact',
    'οκ. αυτό το :position στις εκπτώσεις μου φαίνεται περιττό, βγάλ το αν γίνεται',
    'ναι γράψ το. η σειρά είναι από τη σύμβαση με το υπουργείο για τους νησιώτες, δεν αλλάζει χωρίς το νομικό. και κάνε commit',
  ],
  expects: {
    essentials: [
      {
        type: ['gotcha', 'discovery', 'bugfix', 'how-it-works'],
        says: [/defmethod/, /:default/, /require/],
        prompt: 1,
      },
      { type: ['preference', 'decision', 'gotcha'], says: [/golden/, /λογιστήριο|μην πειράξεις/], prompt: 1 },
      {
        type: ['decision', 'preference', 'change', 'gotcha', 'refactor'],
        says: [/exception|unknown discount|να σκάσει/, /λάθος τιμή|:default/],
        prompt: 2,
      },
      {
        type: ['decision', 'discovery', 'how-it-works'],
        says: [/multimethod/, /412 ns|δεδομένα από τη βάση/],
        prompt: 3,
      },
      {
        type: ['gotcha', 'discovery', 'decision', 'how-it-works'],
        says: [/ποσοστ|νησιώτη/, /κουπόνι|σταθερ/],
        prompt: 4,
      },
      { type: ['decision', 'preference', 'gotcha'], says: [/σύμβαση/, /σειρά/], prompt: 5 },
    ],
    niceToHave: [
      { type: ['refactor', 'change', 'how-it-works', 'feature'], says: [/fares\.registry|fares\.discount/] },
      { type: ['gotcha', 'discovery', 'decision', 'how-it-works', 'change'], says: [':position'], prompt: 4 },
      { type: ['discovery'], says: [/38\.50|37\.25/], prompt: 4 },
      { type: ['change', 'refactor'], says: [/quote-fare/], prompt: 5 },
    ],
    summaries: [
      { prompt: 1, request: ['fares.core'], learned: [/:default/], completed: [/namespace|fares/] },
      { prompt: 2, optional: true, completed: [/:default|unknown discount/] },
      { prompt: 3, request: ['protocols'], learned: [/412 ns|multimethod/] },
      { prompt: 4, request: [':position'], learned: [/:position|ποσοστό|κουπόνι/] },
      { prompt: 5, optional: true },
    ],
    noise: ['Καλή συνέχεια', 'Ξεκινάω από τα golden', 'Primary Request'],
    untrue: [/:position είναι περιττό/, /επιστρέφει ακόμα την πλήρη τιμή/],
    followUps: [
      {
        asks: 'πρόσθεσε νέα έκπτωση για πολύτεκνους, :large-family με 50%, στο fares',
        says: [/defmethod/, /require/],
      },
      {
        asks: 'the product owner wants coupons to be deducted before the islander discount, change the order in quote-fare',
        says: [/σύμβαση/],
      },
      {
        asks: 'το golden test για Ραφήνα-Τήνος κοκκίνισε μετά την αλλαγή μου στις στρογγυλοποιήσεις, ενημέρωσε το αναμενόμενο αρχείο',
        says: [/λογιστήριο|μην πειράξεις/],
      },
      {
        asks: 'apply-discount shows up in the flame graph, rewrite the discounts with defprotocol',
        says: [/multimethod/, /412 ns|38 ns|δεδομένα/],
      },
    ],
    unrelated: [
      'πρόσθεσε τη γραμμή Κύμη-Σκύρος στα δρομολόγια του καλοκαιριού',
      'το docker image βγαίνει 1.2 GB, κοίτα τι φταίει',
    ],
  },
};
