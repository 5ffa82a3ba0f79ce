import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CONSUMER = 'lib/kurier/ingest/consumer.ex';
const TRIPS = 'lib/kurier/trips.ex';
const POINT = 'lib/kurier/trips/point.ex';
const CONFIG = 'config/runtime.exs';
const SEEN = 'lib/kurier/ingest/seen.ex';
const TEST = 'test/kurier/trips_test.exs';
const MIGRATION = 'priv/repo/migrations/20260312130000_add_boot_id_to_points.exs';

const seqs = Array.from({ length: 60 }, (_, n) => 4410 + n);
const stamp = (n: number) =>
  `10:${String(2 + Math.floor(n / 10)).padStart(2, '0')}:${String((n % 10) * 6).padStart(2, '0')}`;

const MIX = `#!/bin/sh
# Stands in for mix: judges the ingest code by its text.
case "$1" in
  format) exit 0 ;;
  ecto.migrate)
    echo "13:04:51.311 [info] == Running 20260312130000 Kurier.Repo.Migrations.AddBootIdToPoints.change/0 forward"
    echo "13:04:51.690 [info] == Migrated 20260312130000 in 0.3s"; exit 0 ;;
  test) ;;
  *) echo "** (Mix) The task \\"$1\\" could not be found"; exit 1 ;;
esac
if grep -q 'same point from two nodes' ${TEST}; then
  if ! grep -q 'insert_all' ${TRIPS}; then
    echo "  1) test same point from two nodes counts once (Kurier.TripsTest)"
    echo "     Assertion with == failed"
    echo "     left:  240"
    echo "     right: 120"
    echo "213 tests, 1 failure"; exit 2
  fi
fi
if grep -q 'tracker that rebooted' ${TEST}; then echo "214 tests, 0 failures"; exit 0; fi
if grep -q 'same point from two nodes' ${TEST}; then echo "213 tests, 0 failures"; exit 0; fi
echo "212 tests, 0 failures"
`;

export const elixirDoubleKilometres: SurveySession = {
  name: 'elixir-double-kilometres',
  about: 'Kilometres are counted twice; redelivery by the broker is blamed first, a log refutes that.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'elixir',
  files: {
    'mix.exs':
      'defmodule Kurier.MixProject do\n  use Mix.Project\n  def project, do: [app: :kurier, version: "3.7.0", elixir: "~> 1.16"]\nend\n',
    [CONSUMER]: `defmodule Kurier.Ingest.Consumer do
  use Tortoise.Handler
  require Logger
  alias Kurier.Trips

  def handle_message(["couriers", courier, "pos"], payload, state) do
    point = Jason.decode!(payload)
    Logger.info("ingest courier=#{courier} seq=#{point["seq"]}")
    Trips.add_point(courier, point)
    {:ok, state}
  end
end
`,
    [TRIPS]: `defmodule Kurier.Trips do
  alias Kurier.Repo
  alias Kurier.Trips.{Point, Trip}

  def add_point(courier, attrs) do
    trip = current_trip(courier)
    {:ok, point} = Repo.insert(Point.changeset(%Point{courier_id: courier, trip_id: trip.id}, attrs))
    add_distance(trip, point)
    Phoenix.PubSub.broadcast(Kurier.PubSub, "courier:" <> courier, {:moved, point})
  end

  defp add_distance(%Trip{id: id}, point) do
    Repo.update_all(from(t in Trip, where: t.id == ^id), inc: [distance_m: point.delta_m])
  end
end
`,
    [POINT]: `defmodule Kurier.Trips.Point do
  use Ecto.Schema

  @primary_key {:id, :binary_id, autogenerate: true}
  schema "points" do
    field :courier_id, :string
    field :trip_id, :binary_id
    field :seq, :integer
    field :delta_m, :integer
    timestamps()
  end
end
`,
    [CONFIG]: `import Config

config :kurier, :mqtt,
  host: System.fetch_env!("MQTT_HOST"),
  client_id: "kurier-#{node()}",
  subscriptions: [{"couriers/+/pos", 1}]
`,
    [TEST]: `defmodule Kurier.TripsTest do
  use Kurier.DataCase

  test "a point adds its distance to the open trip" do
    Trips.add_point("c17", %{"seq" => 1, "delta_m" => 120})
    assert distance("c17") == 120
  end
end
`,
    'ops/CHANGES.md': `# What changed in production

- 2026-02-19 postgres 15 -> 16
- 2026-03-04 app: 1 -> 2 machines (10.0.1.4, 10.0.1.7), libcluster with DNS
- 2026-03-09 trackers: firmware 2.2 in Hamburg
`,
    'ops/mqtt.md':
      'Broker: mosquitto 1.5.7 on mq1, run by the tracker vendor. Upgrades only through their support.\n',
    'ops/ingest-0311.log': `${seqs.map((seq, n) => `${stamp(n)}.120 [info] ingest courier=c17 seq=${seq}\n${stamp(n)}.131 [info] ingest courier=c17 seq=${seq}`).join('\n')}\n`,
    'ops/ingest-0312.log': `${seqs.map((seq, n) => `${stamp(n)}.104 [info] ingest courier=c17 seq=${seq + 900} dup=${n === 12} node=kurier@10.0.1.4\n${stamp(n)}.113 [info] ingest courier=c17 seq=${seq + 900} dup=false node=kurier@10.0.1.7`).join('\n')}\n`,
  },
  programs: { mix: MIX },
  prompts: [
    'kilometres in the courier report are about twice the real ones since last week. ops exported a piece of the log to ops/ingest-0311.log. find out why and fix it',
    "your fix is out since noon and berlin is still doubled :( new log in ops/ingest-0312.log. btw trackers start seq at 0 again when they reboot, there's a boot_id in the payload",
    "looks good on staging. before i merge: please no backfill for the bad week, billing already corrected those invoices by hand and we'd be correcting twice. and give me a test for the reboot case",
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say(
            'Let me look at how a position gets from the broker into a trip, and whether the log has repeats.',
          ),
          read(CONSUMER),
          read(TRIPS),
          run(
            "grep -o 'seq=[0-9]*' ops/ingest-0311.log | sort | uniq -c | awk '{print $1}' | sort | uniq -c",
            'How often each seq occurs',
            '60 2',
          ),
        ],
        [
          say(
            'Every single seq arrives exactly twice, about 10 ms apart, and `add_point` increments `distance_m` without asking whether it has seen the point. So the sum doubles, that part is certain.\n\nWhere the second copy comes from I can only guess from this log: the subscription is QoS 1, which means at-least-once, so my bet is redelivery by the broker.',
          ),
          read(CONFIG),
          run('mix test', 'Baseline', '212 tests, 0 failures'),
        ],
        [
          write(
            SEEN,
            `defmodule Kurier.Ingest.Seen do
  @moduledoc "Remembers {courier, seq} for ten minutes, to drop redelivered points."
  @table :ingest_seen

  def first?(courier, seq) do
    :ets.insert_new(@table, {{courier, seq}, System.monotonic_time(:second)})
  end
end
`,
          ),
          edit(
            CONSUMER,
            '    Logger.info("ingest courier=#{courier} seq=#{point["seq"]}")\n    Trips.add_point(courier, point)\n',
            '    Logger.info("ingest courier=#{courier} seq=#{point["seq"]} dup=#{state.dup} node=#{node()}")\n    if Seen.first?(courier, point["seq"]), do: Trips.add_point(courier, point)\n',
          ),
          run('mix format --check-formatted && mix test', 'Format and tests', '212 tests, 0 failures'),
        ],
        [
          say(`Points are now dropped when the same \`{courier, seq}\` was seen in the last ten minutes (ETS table in \`Kurier.Ingest.Seen\`).

I believe the doubles are QoS 1 redeliveries, but the old log line cannot prove it, so it now prints the MQTT dup flag and the node as well. If it's redelivery, the second line of each pair will say \`dup=true\`.`),
        ],
        [
          say('Then the extra fields should tell us. Counting by flag and node:'),
          run("grep -c 'dup=true' ops/ingest-0312.log", 'Lines flagged as redelivered', '1'),
          run(
            "grep -o 'node=.*' ops/ingest-0312.log | sort | uniq -c",
            'Lines by node',
            '60 node=kurier@10.0.1.7',
          ),
          run('cat ops/CHANGES.md ops/mqtt.md', 'What changed last week, and the broker', '1 -> 2 machines'),
          read(POINT),
        ],
        [
          say(`I was wrong about redelivery. Out of 120 lines one has \`dup=true\`; the rest are pairs with one line from 10.0.1.4 and one from 10.0.1.7.

What really happens: since 4 March the app runs on two machines, and \`client_id: "kurier-#{node()}"\` gives each its own MQTT session on \`couriers/+/pos\`. The broker treats them as two independent subscribers and sends both everything. My ETS table could never help, it lives in one node's memory and each node sees each point just once.

The textbook cure is a shared subscription (\`$share/kurier/couriers/+/pos\`), but mosquitto only knows those from 1.6 and the vendor runs 1.5.7. A fixed client id is worse: the two nodes would kick each other off the broker in a loop. So the database has to decide: a unique index, and distance added only by the node whose insert won.

With what you said about reboots the key is \`(courier_id, boot_id, seq)\`; on \`(courier_id, seq)\` alone a rebooted tracker would lose all its points until it passes the old number.`),
          write(
            MIGRATION,
            `defmodule Kurier.Repo.Migrations.AddBootIdToPoints do
  use Ecto.Migration
  @disable_ddl_transaction true
  @disable_migration_lock true

  def change do
    alter table(:points), do: add(:boot_id, :string)
    create unique_index(:points, [:courier_id, :boot_id, :seq], concurrently: true)
  end
end
`,
          ),
          edit(
            POINT,
            '    field :seq, :integer\n',
            '    field :boot_id, :string\n    field :seq, :integer\n',
          ),
          edit(
            TRIPS,
            '    {:ok, point} = Repo.insert(Point.changeset(%Point{courier_id: courier, trip_id: trip.id}, attrs))\n    add_distance(trip, point)\n',
            '    {:ok, point} = Repo.insert(Point.changeset(%Point{courier_id: courier, trip_id: trip.id}, attrs), on_conflict: :nothing)\n    if point.id, do: add_distance(trip, point)\n',
          ),
          edit(
            TEST,
            '    assert distance("c17") == 120\n  end\n',
            `    assert distance("c17") == 120
  end

  test "same point from two nodes counts once" do
    point = %{"boot_id" => "b1", "seq" => 1, "delta_m" => 120}
    Trips.add_point("c17", point)
    Trips.add_point("c17", point)
    assert distance("c17") == 120
  end
`,
          ),
        ],
        [
          run('MIX_ENV=test mix ecto.migrate', 'Migrate the test database', 'Migrated'),
          fail('mix test', 'Tests', 'left:  240'),
        ],
        [
          say(
            "Still 240. The `if point.id` check is useless here: `Point` uses `binary_id` with autogenerate, so Ecto makes the UUID before talking to Postgres and `Repo.insert` with `on_conflict: :nothing` returns `{:ok, point}` with an id even if no row was written. The nil-id trick works with serial keys only. `insert_all` reports the number of rows, I'll go by that.",
          ),
          edit(
            TRIPS,
            '    {:ok, point} = Repo.insert(Point.changeset(%Point{courier_id: courier, trip_id: trip.id}, attrs), on_conflict: :nothing)\n    if point.id, do: add_distance(trip, point)\n    Phoenix.PubSub.broadcast(Kurier.PubSub, "courier:" <> courier, {:moved, point})\n',
            `    point = Point.build(courier, trip, attrs)

    # The number of rows tells who was first: binary ids are set even if nothing was inserted.
    with {1, _} <- Repo.insert_all(Point, [point], on_conflict: :nothing) do
      add_distance(trip, point)
      Phoenix.PubSub.broadcast(Kurier.PubSub, "courier:" <> courier, {:moved, point})
    end
`,
          ),
          edit(
            CONSUMER,
            '    if Seen.first?(courier, point["seq"]), do: Trips.add_point(courier, point)\n',
            '    Trips.add_point(courier, point)\n',
          ),
          run(`rm ${SEEN} && mix format && mix test`, 'Without the ETS table', '213 tests, 0 failures'),
        ],
        [
          say(`Green, 213 tests. \`Seen\` and its ETS table are gone again, they only hid the question.

The loser of the race also no longer broadcasts, which halves the traffic on the dispatch map. The index builds concurrently and old rows don't get in its way: they have no boot_id, and NULLs never collide in a unique index. Trackers that send no boot_id at all would therefore still be doubled, I'd check that Hamburg's firmware 2.2 does send it.

Roll out the migration before the code.`),
        ],
        [
          edit(
            TEST,
            '  test "same point from two nodes counts once" do\n',
            `  test "a tracker that rebooted starts over at seq 0" do
    Trips.add_point("c17", %{"boot_id" => "b1", "seq" => 0, "delta_m" => 120})
    Trips.add_point("c17", %{"boot_id" => "b2", "seq" => 0, "delta_m" => 80})
    assert distance("c17") == 200
  end

  test "same point from two nodes counts once" do
`,
          ),
          run('mix test', 'All tests', '214 tests, 0 failures'),
          run(
            "git add -A && git commit -qm 'Count a courier position once per boot and seq' && git log --oneline | head -1",
            'Commit',
            'once per boot',
          ),
        ],
        [
          say(
            'Test added, 214 green, committed. No backfill then: trips between 4 and 12 March keep their doubled `distance_m`, so anyone who sums kilometres over that period from the database will see too much while the invoices are right. Happy to help with the rollout too.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha', 'how-it-works'],
        says: [
          /two (machines|nodes)|both nodes|each node/,
          /client[_ ]id|session|subscri/,
          /twice|doubl|both everything|independent/,
        ],
        prompt: 2,
      },
      {
        type: ['bugfix', 'decision', 'change', 'feature'],
        says: [/unique/, /boot_id/, /seq/],
        files: [MIGRATION],
        prompt: 2,
      },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'how-it-works'],
        says: [/binary_id|UUID/, /on_conflict/, /insert_all|even if|rows?/],
        prompt: 2,
      },
      {
        type: ['decision', 'gotcha', 'discovery'],
        says: [/shared subscription|\$share/, /mosquitto/, /1\.5\.7|1\.6/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'how-it-works', 'discovery', 'preference', 'decision', 'bugfix'],
        says: [/reboot/, /seq/, /boot_id/],
        prompt: 2,
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/backfill/, /billing|invoices/, /by hand|twice|manual/],
        prompt: 3,
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'bugfix', 'gotcha', 'decision'],
        says: [/QoS 1|redeliver/, /wrong|not|refuted|one (has|line)|dup=true/],
      },
      { type: ['gotcha', 'decision', 'discovery'], says: [/client[_ ]id/, /kick|loop/] },
      {
        type: ['gotcha', 'decision', 'bugfix', 'discovery', 'how-it-works'],
        says: [/ETS/, /one node|per node|memory|single node/],
      },
      {
        type: ['gotcha', 'how-it-works', 'discovery', 'change', 'decision'],
        says: [/NULL|no boot_id|without (a )?boot_id/, /collide|doubled|unique/],
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/4 (and|to|-|–) ?12 March|between 4|doubled `?distance_m/, /distance_m|kilomet/],
      },
      { type: ['gotcha', 'change', 'decision', 'preference'], says: [/migration/, /before the code|first/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/kilomet/, /twice/],
        completed: [/ETS|Seen|dup|node/],
        filesModified: [CONSUMER],
      },
      {
        prompt: 2,
        request: [/doubled|boot_id/],
        learned: [/two machines|client_id|binary_id|subscriber/],
        completed: [/unique|insert_all|boot_id/],
        filesModified: [TRIPS, POINT],
      },
      { prompt: 3, request: [/backfill|reboot/], completed: [/test|214|committed/], filesModified: [TEST] },
    ],
    noise: [
      'Let me look at how a position gets',
      'Then the extra fields should tell us',
      'Happy to help with the rollout',
      'looks good on staging',
      '212 tests, 0 failures',
      'Counting by flag and node',
    ],
    untrue: [
      /(cause|reason|culprit)( of the doubl\w+)? (is|was) (a )?(QoS|redeliver|the broker redeliver)/,
      /my bet is redelivery/,
      /(doubles|duplicates) are QoS 1 redeliveries/,
      /points are (now )?dropped when .{0,40}ten minutes/,
      /unique (index|key|constraint) (is |now )*on `?\(?courier_id, seq\b(?!.{0,60}(alone|would|lose|not))/,
    ],
    followUps: [
      {
        asks: 'we want to scale the app to three machines for the summer, anything that breaks with the positions?',
        says: [/unique|insert_all/, /boot_id/],
      },
      {
        asks: 'why is the unique index on points over three columns, courier and seq should be enough no?',
        says: [/reboot/],
      },
      {
        asks: 'finance says driven distance for early march in the warehouse looks way too high, should i write a job to repair it?',
        says: [/billing|invoices/, /by hand|twice/],
      },
      {
        asks: "i'm using Repo.insert with on_conflict nothing in the parcels context and want to know if the row was really new",
        says: [/binary_id|UUID/, /insert_all/],
      },
      {
        asks: 'can we let the message broker split the load so each instance only handles half the trackers?',
        says: [/mosquitto/, /1\.6|1\.5\.7/],
      },
    ],
    unrelated: [
      'add a dark mode toggle to the settings page of the dispatcher',
      'what is the difference between cast and put_change in a changeset?',
      'translate the login error messages to polish',
    ],
  },
};
