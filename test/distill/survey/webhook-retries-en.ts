import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const WORKER = 'lib/parcelo/webhooks/delivery_worker.ex';
const DISPATCH = 'lib/parcelo/webhooks/dispatcher.ex';
const SIGNATURE = 'lib/parcelo/webhooks/signature.ex';
const TEST = 'test/parcelo/webhooks/delivery_worker_test.exs';

const MIX = `#!/bin/sh
# Stands in for mix: judges the webhook code by its text.
case "$1" in
  format) exit 0 ;;
  deps) echo "* oban 2.17.10 (Hex package) ok"; echo "* req 0.4.14 (Hex package) ok"; exit 0 ;;
  test) ;;
  *) echo "** (Mix) The task could not be found"; exit 1 ;;
esac
[ -f ${TEST} ] || { echo "204 tests, 0 failures"; exit 0; }
if grep -q 'keys: \\[:event_id\\]' ${WORKER}; then
  echo "  1) test an event goes to every endpoint of the shop"
  echo "     expected 2 jobs, got 1"
  echo "211 tests, 1 failure"; exit 2
fi
if grep -q '410' ${TEST} && ! grep -q '410' ${WORKER}; then
  echo "  1) test 410 switches the endpoint off"; echo "213 tests, 1 failure"; exit 2
fi
grep -q '410' ${TEST} && echo "213 tests, 0 failures" || echo "211 tests, 0 failures"
`;

const worker = (keys: string) => `defmodule Parcelo.Webhooks.DeliveryWorker do
  use Oban.Worker,
    queue: :webhooks,
    max_attempts: 8,
    unique: [period: 86_400, keys: [${keys}]]

  alias Parcelo.Webhooks.{Endpoints, Events, Signature}

  @impl true
  def perform(%Oban.Job{args: %{"event_id" => event_id, "endpoint_id" => endpoint_id}}) do
    endpoint = Endpoints.get!(endpoint_id)
    body = Events.body!(event_id)

    case Req.post(endpoint.url, body: body, headers: headers(endpoint, event_id, body), retry: false, receive_timeout: 10_000) do
      {:ok, %{status: status}} when status in 200..299 -> :ok
      {:ok, %{status: status}} -> {:error, "status #{status}"}
      {:error, reason} -> {:error, inspect(reason)}
    end
  end

  @impl true
  def backoff(%Oban.Job{attempt: attempt}), do: Enum.at([10, 60, 300, 1_800, 7_200, 21_600, 43_200], attempt - 1, 43_200)

  defp headers(endpoint, event_id, body) do
    [{"x-parcelo-event", event_id}, {"x-parcelo-signature", Signature.sign(endpoint.secret, body)}]
  end
end
`;

export const webhookRetriesEn: SurveySession = {
  name: 'webhook retries en',
  about:
    'Outgoing webhooks get retries on Oban; a uniqueness key swallows deliveries, and the attempts are raised later.',
  kind: 'feature',
  language: 'en',
  ecosystem: 'elixir',
  files: {
    'mix.exs': 'defmodule Parcelo.MixProject do\n  use Mix.Project\nend\n',
    'config/config.exs':
      'import Config\n\nconfig :parcelo, Oban, repo: Parcelo.Repo, queues: [default: 10, mail: 5]\n',
    [DISPATCH]: `defmodule Parcelo.Webhooks.Dispatcher do
  alias Parcelo.Webhooks.{Endpoints, Signature}

  # Fire and forget.
  def dispatch(event) do
    for endpoint <- Endpoints.active(event.shop_id) do
      Task.start(fn ->
        Req.post(endpoint.url, body: event.body, headers: [{"x-parcelo-signature", Signature.sign(endpoint.secret, event.body)}])
      end)
    end
  end
end
`,
    [SIGNATURE]: `defmodule Parcelo.Webhooks.Signature do
  def sign(secret, body), do: :crypto.mac(:hmac, :sha256, secret, body) |> Base.encode16(case: :lower)
end
`,
  },
  programs: { mix: MIX },
  prompts: [
    "Webhooks to merchants are fire and forget right now, if their server is down for a minute the event is gone. I want retries: 8 attempts spread over roughly a day, 10s timeout per attempt. Please don't build it as a GenServer with state in memory, we deploy a couple of times a day and every deploy restarts all nodes.",
    'Nice. Two things. When a merchant answers 410 Gone, switch the endpoint off right away and stop retrying. And never log the request body in this context, there are customer addresses in it, legal was very clear about that.',
    'Sofia from support wants merchants to survive a whole weekend outage, so make it 12 attempts over about 72 hours please. Rest stays.',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [read(DISPATCH), read(SIGNATURE), run('mix deps', 'Which job library is there', 'oban 2.17.10')],
        [
          say(
            'Oban is already in the project, so jobs in Postgres are the natural fit. Looking at the queues.',
          ),
          read('config/config.exs'),
          run('mix test', 'Baseline', '204 tests, 0 failures'),
        ],
        [
          write(WORKER, worker(':event_id')),
          edit(
            DISPATCH,
            `      Task.start(fn ->
        Req.post(endpoint.url, body: event.body, headers: [{"x-parcelo-signature", Signature.sign(endpoint.secret, event.body)}])
      end)
`,
            '      %{event_id: event.id, endpoint_id: endpoint.id} |> DeliveryWorker.new() |> Oban.insert!()\n',
          ),
          edit(
            DISPATCH,
            '.{Endpoints, Signature}\n\n  # Fire and forget.\n',
            '.{DeliveryWorker, Endpoints}\n\n',
          ),
          edit('config/config.exs', 'mail: 5]', 'mail: 5, webhooks: 20]'),
        ],
        [
          say('Now tests for the happy path, the retry and a shop with two endpoints.'),
          write(
            TEST,
            `defmodule Parcelo.Webhooks.DeliveryWorkerTest do
  use Parcelo.DataCase, async: true

  test "an event goes to every endpoint of the shop" do
    shop = shop_with_endpoints(2)
    Dispatcher.dispatch(event(shop))
    assert length(all_enqueued(worker: DeliveryWorker)) == 2
  end
end
`,
          ),
          fail('mix test', 'Run the suite', 'expected 2 jobs, got 1'),
        ],
        [
          say(
            "That one's on me: I made jobs unique by event_id alone, so the second endpoint of a shop counts as a duplicate and Oban silently drops it. The key has to be the pair.",
          ),
          edit(WORKER, 'keys: [:event_id]]', 'keys: [:event_id, :endpoint_id]]'),
          run('mix format && mix test', 'Suite again', '211 tests, 0 failures'),
        ],
        [
          say(`Deliveries now run as Oban jobs in \`DeliveryWorker\`, queue \`webhooks\` with 20 at a time per node.

**Schedule:** 8 attempts, waiting 10 s, 1 min, 5 min, 30 min, 2 h, 6 h and 12 h in between, so about 21 hours in total. Timeout is 10 s per attempt.

**Choices worth knowing**
- Oban over a GenServer, because jobs live in Postgres and survive a deploy.
- The signature is computed at send time rather than when the job is enqueued: a merchant may rotate the secret between two attempts, and a stored signature would then be invalid.
- \`x-parcelo-event\` carries the same event id on every attempt, so merchants can deduplicate.
- \`retry: false\` on Req is deliberate. Req retries on its own by default, which would multiply our attempts by four.

**Gotcha:** uniqueness must be on \`event_id\` plus \`endpoint_id\`. With \`event_id\` alone Oban silently drops the job of the second endpoint, because \`insert!\` returns the existing job and no error.

Let me know if you'd like a dashboard for failed deliveries as well.`),
        ],
        [
          run(
            'grep -rn "Logger" lib/parcelo/webhooks || echo "no logging"',
            'Is anything logged today',
            'no logging',
          ),
          edit(
            TEST,
            '    assert length(all_enqueued(worker: DeliveryWorker)) == 2\n  end\n',
            '    assert length(all_enqueued(worker: DeliveryWorker)) == 2\n  end\n\n  test "410 switches the endpoint off" do\n    assert {:cancel, "gone"} = perform_job(DeliveryWorker, args_for(410))\n    refute endpoint().active\n  end\n',
          ),
        ],
        [fail('mix test', 'Should be red', '410 switches the endpoint off')],
        [
          edit(
            WORKER,
            '      {:ok, %{status: status}} -> {:error, "status #{status}"}\n',
            '      {:ok, %{status: 410}} ->\n        Endpoints.disable!(endpoint, :gone)\n        {:cancel, "gone"}\n\n      {:ok, %{status: status}} -> {:error, "status #{status}"}\n',
          ),
          edit(WORKER, '{:error, inspect(reason)}', '{:error, Exception.message(reason)}'),
        ],
        [
          say(
            'I also replaced `inspect(reason)`, since it could carry parts of the request into oban_jobs.errors.',
          ),
          run('mix format && mix test', 'Suite', '213 tests, 0 failures'),
        ],
        [
          say(`Done, 213 tests pass.

- A 410 disables the endpoint and returns \`{:cancel, "gone"}\`. I used \`:cancel\` and not \`:discard\` since discard is deprecated in Oban 2.17. Jobs for that endpoint that are already queued still run once each, get their 410 and cancel themselves.
- No body in logs: the webhooks context doesn't log at all. One leak was subtle: \`inspect(reason)\` ended up in \`oban_jobs.errors\`, and that column is shown in Oban Web. It's now \`Exception.message(reason)\`.`),
        ],
        [
          edit(WORKER, 'max_attempts: 8', 'max_attempts: 12'),
          edit(
            WORKER,
            '[10, 60, 300, 1_800, 7_200, 21_600, 43_200], attempt - 1, 43_200)',
            '[10, 60, 300, 1_800, 7_200, 14_400, 28_800, 36_000, 43_200, 57_600, 64_800], attempt - 1, 64_800)',
          ),
          edit(WORKER, 'period: 86_400', 'period: 345_600'),
        ],
        [
          run(
            "node -e 'console.log([10,60,300,1800,7200,14400,28800,36000,43200,57600,64800].reduce((a,b)=>a+b)/3600)'",
            'Total hours of the schedule',
            '70.6',
          ),
          run('mix test', 'Suite', '213 tests, 0 failures'),
        ],
        [
          say(
            "12 attempts over about 71 hours now. I had to raise the unique period along with it, from one day to four: it must be longer than the whole schedule, otherwise an event dispatched again on day two would be delivered twice. Oban's pruner keeps finished jobs for 7 days, so that is long enough. Have a good one!",
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['preference', 'decision'],
        says: [/GenServer/, /deploy/, /restart|survive|memory/],
      },
      {
        type: ['gotcha', 'bugfix', 'discovery'],
        says: [/event_id/, /endpoint_id/, /drops|duplicate/],
      },
      {
        type: ['decision', 'how-it-works', 'gotcha'],
        says: [/signature/, /send time/, /rotate/],
      },
      { type: ['preference'], says: [/log/, /body/, /legal|addresses/] },
      {
        type: ['feature', 'change', 'decision', 'preference'],
        says: [/12 attempts/, /7[12] hours/],
      },
      { type: ['gotcha', 'change', 'decision'], says: [/unique/, /period/, /longer than|twice/] },
      {
        type: ['feature', 'change', 'decision', 'preference'],
        says: [/410/, /cancel|switch|disable/],
        prompt: 2,
      },
      { type: ['gotcha', 'decision', 'how-it-works'], says: [/retry: false/, /multiply|on its own|by four/] },
    ],
    niceToHave: [
      { type: ['gotcha', 'bugfix', 'discovery', 'change'], says: [/inspect\(reason\)/, /oban_jobs\.errors/] },
      {
        type: ['decision', 'how-it-works', 'feature'],
        says: [/x-parcelo-event/, /deduplicate|same event id/],
      },
      { type: ['feature', 'change'], says: [/DeliveryWorker/, /queue|Oban/], files: [WORKER] },
      { type: ['preference', 'decision', 'feature'], says: [/Sofia/, /weekend/] },
      { type: ['decision', 'gotcha'], says: [/discard/, /deprecated/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/retries/],
        completed: [/Oban|DeliveryWorker/],
        filesModified: [WORKER, DISPATCH],
      },
      { prompt: 2, request: [/410/], completed: [/410|disables/], filesModified: [WORKER, TEST] },
      { prompt: 3, request: [/12 attempts/], completed: [/12 attempts|71 hours/], filesModified: [WORKER] },
    ],
    noise: [
      'Have a good one',
      "Let me know if you'd like a dashboard",
      "That one's on me",
      'Looking at the queues',
      'Now tests for the happy path',
      /Nice\. Two things/,
    ],
    untrue: [
      /8 attempts (spread|over)|8 attempts, waiting/,
      /about 21 hours in total/,
      /max_attempts: 8\b/,
      /period: 86_400/,
      /keys: \[:event_id\]/,
    ],
    followUps: [
      {
        asks: 'could we just keep pending deliveries in a process and retry from there? seems simpler',
        says: [/GenServer/, /deploy/],
      },
      {
        asks: 'add a debug line to the webhook worker that prints what we send to the merchant',
        says: [/addresses|legal/, /body/],
      },
      { asks: 'how long do we keep trying when a shop is down?', says: [/12 attempts/, /7[12] hours/] },
      {
        asks: 'shop with three callback urls only receives one of them, seen that before?',
        says: [/endpoint_id/, /drops|duplicate/],
      },
      {
        asks: 'stretch the backoff to two weeks',
        says: [/unique period|unique/, /longer than|pruner/],
      },
    ],
    unrelated: [
      'add a csv export to the orders page',
      'the login form looks broken in Safari, can you check the tailwind classes?',
      'what does the pin operator do in an ecto query?',
    ],
  },
};
