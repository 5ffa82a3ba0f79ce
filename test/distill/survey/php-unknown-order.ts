import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CHECKOUT = 'app/Actions/PlaceOrder.php';
const QUEUE = 'config/queue.php';
const TEST = 'tests/Feature/ConfirmationMailTest.php';

export const phpUnknownOrder: SurveySession = {
  name: 'php unknown order',
  about: 'Confirmation mails fail because jobs start before the transaction is committed.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'php',
  files: {
    'composer.json': '{ "name": "hofladen/shop", "require": { "laravel/framework": "^11.0" } }\n',
    [CHECKOUT]: `<?php

namespace App\\Actions;

use App\\Jobs\\SendConfirmation;
use App\\Models\\Order;
use Illuminate\\Support\\Facades\\DB;

class PlaceOrder
{
    public function __invoke(array $cart): Order
    {
        return DB::transaction(function () use ($cart) {
            $order = Order::create(['email' => $cart['email']]);
            SendConfirmation::dispatch($order);
            $order->lines()->createMany($cart['lines']);
            $order->reserveStock();

            return $order;
        });
    }
}
`,
    'app/Jobs/SendConfirmation.php': `<?php

namespace App\\Jobs;

use App\\Mail\\OrderConfirmed;
use App\\Models\\Order;
use Illuminate\\Contracts\\Queue\\ShouldQueue;
use Illuminate\\Foundation\\Queue\\Queueable;
use Illuminate\\Support\\Facades\\Mail;

class SendConfirmation implements ShouldQueue
{
    use Queueable;

    public function __construct(public Order $order) {}

    public function handle(): void
    {
        Mail::to($this->order->email)->send(new OrderConfirmed($this->order));
    }
}
`,
    'app/Console/Commands/PruneCarts.php': `<?php

namespace App\\Console\\Commands;

use App\\Models\\Order;
use Illuminate\\Console\\Command;

class PruneCarts extends Command
{
    protected $signature = 'carts:prune';

    public function handle(): void
    {
        Order::where('state', 'cart')->where('updated_at', '<', now()->subDays(30))->delete();
    }
}
`,
    [QUEUE]: `<?php

return [
    'default' => 'redis',
    'connections' => [
        'redis' => [
            'driver' => 'redis',
            'queue' => 'default',
            'retry_after' => 90,
            'after_commit' => false,
        ],
    ],
];
`,
  },
  programs: {
    php: `#!/bin/sh
case "$*" in
  *queue:failed*)
    echo '2026-05-04 09:12:40 redis@default App\\Jobs\\SendConfirmation'
    echo 'Illuminate\\Database\\Eloquent\\ModelNotFoundException: No query results for model [App\\Models\\Order] 88213'
    echo '41 failed jobs' ;;
  *tinker*) echo '=> true' ;;
  *test*)
    if grep -q "'after_commit' => true" config/queue.php; then
      echo 'PASS  Tests\\Feature\\ConfirmationMailTest'
      echo 'Tests: 112 passed'
    else
      echo 'FAIL  Tests\\Feature\\ConfirmationMailTest'
      echo 'SendConfirmation was pushed while a transaction was open'
      exit 1
    fi ;;
esac
`,
  },
  prompts: [
    'Support says roughly one customer in fifty never gets an order confirmation since Thursday. Nothing changed in the mail code. Can you dig into it? php artisan queue:failed has a pile of them.',
    'Nice. Anything I need to do for the 41 that failed?',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('Starting with the failed jobs.'),
          run('php artisan queue:failed', 'List failed jobs', 'ModelNotFoundException'),
          read('app/Jobs/SendConfirmation.php'),
        ],
        [
          say(
            'The job cannot find its order. My first guess is that carts:prune deletes the orders before the worker gets to them.',
          ),
          read('app/Console/Commands/PruneCarts.php'),
          run(
            'php artisan tinker --execute="echo Order::whereKey(88213)->exists();"',
            'Does the order exist now?',
            'true',
          ),
        ],
        [
          say(
            'No: pruning only touches rows in state cart that are older than 30 days, and order 88213 is still there. So the row shows up after the job has run.',
          ),
          read(CHECKOUT),
          read(QUEUE),
          run('git log --oneline -3', 'Recent commits'),
        ],
        [
          write(
            TEST,
            `<?php

namespace Tests\\Feature;

use App\\Actions\\PlaceOrder;
use Tests\\TestCase;

class ConfirmationMailTest extends TestCase
{
    public function test_the_mail_waits_for_the_commit(): void
    {
        $this->failWhenAJobIsPushedInsideATransaction();
        app(PlaceOrder::class)(['email' => 'a@example.org', 'lines' => []]);
    }
}
`,
          ),
          fail(
            'php artisan test --filter ConfirmationMailTest',
            'Run the new test',
            'while a transaction was open',
          ),
        ],
        [edit(QUEUE, "'after_commit' => false", "'after_commit' => true")],
        [run('php artisan test', 'Run all tests', '112 passed')],
        [
          say(`Found and fixed. \`PlaceOrder\` dispatches \`SendConfirmation\` in the middle of a database transaction. Redis hands the job to a worker at once, and when the worker is quicker than the commit it looks for an order that no other connection can see yet, hence the ModelNotFoundException. It got noticeable on Thursday because \`reserveStock()\` now locks the stock rows and keeps the transaction open about 200 ms longer.

I set \`after_commit\` to true for the redis connection in \`${QUEUE}\`, so every job waits for the commit, rather than adding \`->afterCommit()\` to this one dispatch: three other actions dispatch inside transactions too and would break the same way sooner or later. The side effect to know: when the transaction rolls back, its jobs are now dropped.

\`${TEST}\` fails without the setting. The whole suite is green.`),
        ],
        [run('php artisan queue:failed | tail -1', 'Count failed jobs', '41 failed jobs')],
        [
          say(`Yes, two steps after the deploy:

1. Restart the workers with \`php artisan queue:restart\`; they read the queue config only when they start.
2. \`php artisan queue:retry all\` sends the 41 mails. All of those orders exist by now, so they go through. But tell support first: some customers were already sent a copy by hand and will get a second one.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery'],
        says: [
          'SendConfirmation',
          /transaction/,
          /commit/,
          /ModelNotFound|order that no other connection|cannot find/,
        ],
        prompt: 1,
      },
      { type: ['bugfix', 'decision', 'change'], says: ['after_commit', /redis|queue/], files: [QUEUE] },
      {
        type: ['decision', 'bugfix'],
        says: [/afterCommit\(\)|this one dispatch/, /three other actions|every job/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'decision', 'bugfix'],
        says: [/roll(s|ed)? back/, /dropped/],
      },
    ],
    niceToHave: [
      { type: ['discovery', 'bugfix', 'gotcha'], says: ['reserveStock', /200 ms|longer|locks/] },
      {
        type: ['gotcha', 'how-it-works', 'discovery', 'change'],
        says: ['queue:restart', /when they start|workers/],
      },
      { type: ['discovery', 'gotcha', 'change'], says: [/queue:retry/, /second one|by hand|41/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['order confirmation'],
        learned: [/transaction/],
        completed: ['after_commit'],
        filesRead: [CHECKOUT],
        filesModified: [QUEUE, TEST],
      },
      { prompt: 2, request: ['41'], learned: [/queue:restart|queue:retry/] },
    ],
    noise: ['Starting with the failed jobs', 'failWhenAJobIsPushed', 'Tests: 112 passed', 'Nice.'],
    untrue: [/carts:prune deletes the orders/, /prun\w+ (removed|deleted) the order/],
    followUps: [
      {
        asks: 'a customer says she never got her order confirmation mail, has that happened before?',
        says: [/transaction/, /commit/],
      },
      { asks: 'why is after_commit switched on in config/queue.php?', says: [/transaction/] },
      {
        asks: 'I want to fire a background task from inside DB::transaction, is that safe here?',
        says: ['after_commit'],
      },
      {
        asks: 'our job never ran although dispatch was called; the surrounding code threw an exception afterwards',
        says: [/dropped/, /roll/],
      },
      { asks: 'I changed a queue setting on production and the workers ignore it', says: ['queue:restart'] },
    ],
    unrelated: [
      'add a French translation for the product page',
      'the favicon looks blurry on high-density screens',
      'write a factory for the Supplier model',
    ],
  },
};
