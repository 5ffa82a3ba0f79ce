import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const MIX = 'mix.exs';
const CONFIG = 'config/config.exs';
const ACTIVITY = 'lib/harbor/activity.ex';
const WORKER = 'lib/harbor/workers/weekly_digest.ex';
const FANOUT = 'lib/harbor/workers/digest_fanout.ex';
const WORKER_TEST = 'test/harbor/workers/weekly_digest_test.exs';
const WORKSPACES = 'lib/harbor/workspaces.ex';

export const elixirWeeklyDigest: SurveySession = {
  name: 'elixir-weekly-digest',
  about:
    'A weekly digest e-mail; the person corrects the agent four times and states rules that outlive the feature.',
  kind: 'feature',
  language: 'en',
  ecosystem: 'elixir',
  files: {
    [MIX]: `defmodule Harbor.MixProject do
  use Mix.Project

  def project, do: [app: :harbor, version: "1.9.0", elixir: "~> 1.16", deps: deps()]

  defp deps do
    [
      {:phoenix, "~> 1.7"},
      {:ecto_sql, "~> 3.11"},
      {:oban, "~> 2.17"},
      {:swoosh, "~> 1.16"}
    ]
  end
end
`,
    [CONFIG]: `import Config

config :harbor, Oban,
  repo: Harbor.Repo,
  queues: [default: 10, mailers: 5],
  plugins: [
    {Oban.Plugins.Pruner, max_age: 172_800},
    {Oban.Plugins.Cron, crontab: [{"0 3 * * *", Harbor.Workers.TrialExpiry}]}
  ]
`,
    [ACTIVITY]: `defmodule Harbor.Activity do
  @moduledoc "Events of a workspace."
  import Ecto.Query
  alias Harbor.Repo
  alias Harbor.Activity.Event

  def list_recent(workspace_id, limit \\\\ 50) do
    Repo.all(from e in Event, where: e.workspace_id == ^workspace_id, order_by: [desc: e.id], limit: ^limit)
  end
end
`,
    [WORKSPACES]: `defmodule Harbor.Workspaces do
  alias Harbor.Repo
  alias Harbor.Workspaces.Workspace

  def get!(id), do: Repo.get!(Workspace, id)

  @doc "IANA name such as Europe/Lisbon; nil for workspaces made before 2021."
  def timezone(%Workspace{timezone: timezone}), do: timezone
end
`,
    'lib/harbor/mailer.ex': `defmodule Harbor.Mailer do
  use Swoosh.Mailer, otp_app: :harbor
end
`,
  },
  programs: {
    mix: `#!/bin/sh
case "$1" in
  deps.get) echo "Resolving Hex dependencies..."; echo "New:"; echo "  quantum 3.5.3" ;;
  format) exit 0 ;;
  compile) echo "Compiling 2 files (.ex)"; echo "Generated harbor app" ;;
  test)
    if [ -f ${WORKER_TEST} ]; then
      if grep -q 'nil timezone' ${WORKER_TEST} && ! grep -rq 'Etc/UTC' lib/harbor/workspaces.ex; then
        echo "  1) test nil timezone falls back to UTC (Harbor.Workers.WeeklyDigestTest)"
        echo "     ** (ArgumentError) cannot convert to time zone nil, reason: :time_zone_not_found"
        echo ""
        echo "217 tests, 1 failure"
        exit 2
      fi
      echo "217 tests, 0 failures"
    else
      echo "213 tests, 0 failures"
    fi ;;
  run)
    if grep -q 'period: 518_400' ${WORKER} 2>/dev/null; then echo "inserted: 1, conflicts: 1"; else echo "inserted: 2, conflicts: 0"; fi ;;
esac
`,
  },
  prompts: [
    'we want a weekly digest mail per workspace, monday 8am. top 5 events by comments and the number of new members. build it',
    "no quantum please, rip it out again. we run two nodes and quantum fires on both, that's how we double-billed in march. anything scheduled goes through oban cron, always. also 8am means the workspace's timezone, not utc",
    'better. still: 1) queries live in contexts, workers only call them, that goes for every worker. 2) never Repo.all on events without a limit, the table has 40M rows; aggregate in sql. 3) unique for 1 hour is wrong, a retry on tuesday would send it twice – make it 6 days',
    'and no mox for our own modules in tests, swoosh test adapter is enough. keep the final message short this time, one line, I read the diff anyway',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say("I'll look at how jobs and mails are set up here."),
          read(MIX),
          read(CONFIG),
          read(ACTIVITY),
          run('ls lib/harbor lib/harbor/workers 2>/dev/null; mix test', 'Overview and baseline', '213 tests'),
        ],
        [
          say("A cron-like scheduler is the natural fit, so I'm adding Quantum."),
          edit(
            MIX,
            '      {:swoosh, "~> 1.16"}\n',
            '      {:swoosh, "~> 1.16"},\n      {:quantum, "~> 3.5"}\n',
          ),
          run('mix deps.get', 'Fetch Quantum', 'quantum 3.5.3'),
        ],
        [
          write(
            WORKER,
            `defmodule Harbor.Workers.WeeklyDigest do
  use Oban.Worker, queue: :mailers, unique: [period: 3600]
  import Ecto.Query
  alias Harbor.{Repo, Mailer}
  alias Harbor.Activity.Event

  @impl true
  def perform(%Oban.Job{args: %{"workspace_id" => id}}) do
    events = Repo.all(from e in Event, where: e.workspace_id == ^id)
    top = events |> Enum.sort_by(& &1.comment_count, :desc) |> Enum.take(5)
    Mailer.deliver(Harbor.DigestEmail.build(id, top))
  end
end
`,
          ),
          edit(
            CONFIG,
            'import Config\n',
            'import Config\n\nconfig :harbor, Harbor.Scheduler, jobs: [{"0 8 * * 1", {Harbor.Digest, :enqueue_all, []}}]\n',
          ),
        ],
        [run('mix compile && mix test', 'Compile and test', '213 tests, 0 failures')],
        [
          say(`The weekly digest is in place! 🚀

## What I built
- **Scheduler**: Quantum runs every Monday at 08:00 UTC and enqueues one job per workspace.
- **Worker**: \`WeeklyDigest\` picks the top 5 events by comments.
- **Safety**: jobs are unique for one hour.

## Next steps
- Add the template for new members
- Consider an unsubscribe link

Let me know what you think!`),
        ],
        [
          say('Understood, taking Quantum out.'),
          edit(
            MIX,
            '      {:swoosh, "~> 1.16"},\n      {:quantum, "~> 3.5"}\n',
            '      {:swoosh, "~> 1.16"}\n',
          ),
          edit(
            CONFIG,
            '\nconfig :harbor, Harbor.Scheduler, jobs: [{"0 8 * * 1", {Harbor.Digest, :enqueue_all, []}}]\n',
            '',
          ),
          run('git diff --stat', 'Nothing of Quantum left'),
        ],
        [
          say(
            'Oban cron has one timezone for the whole crontab, so a single Monday 8:00 entry cannot serve every workspace. Instead an hourly fan-out job enqueues only the workspaces where it is Monday 8:00 right now. Let me check where the timezone comes from.',
          ),
          read(WORKSPACES),
        ],
        [
          say(
            'Careful here: timezone is nil for workspaces created before 2021, and DateTime.shift_zone! raises on nil, which would kill the fan-out for everybody behind it. I cover that with a test first.',
          ),
          write(
            FANOUT,
            `defmodule Harbor.Workers.DigestFanout do
  use Oban.Worker, queue: :default
  alias Harbor.Workspaces
  alias Harbor.Workers.WeeklyDigest

  @impl true
  def perform(_job) do
    for id <- Workspaces.ids_where_local_time(:monday, 8), do: Oban.insert(WeeklyDigest.new(%{workspace_id: id}))
    :ok
  end
end
`,
          ),
          write(
            WORKER_TEST,
            `defmodule Harbor.Workers.WeeklyDigestTest do
  use Harbor.DataCase
  import Mox

  setup :verify_on_exit!

  test "sends the top five events" do
    expect(Harbor.ActivityMock, :top_events, fn _, _ -> [] end)
    assert :ok = perform_job(Harbor.Workers.WeeklyDigest, %{workspace_id: 1})
  end

  test "nil timezone falls back to UTC" do
    assert Harbor.Workspaces.timezone(%Harbor.Workspaces.Workspace{timezone: nil}) == "Etc/UTC"
  end
end
`,
          ),
          edit(
            CONFIG,
            '{"0 3 * * *", Harbor.Workers.TrialExpiry}',
            '{"0 3 * * *", Harbor.Workers.TrialExpiry}, {"0 * * * *", Harbor.Workers.DigestFanout}',
          ),
        ],
        [fail('mix test', 'Red for the nil timezone', 'cannot convert to time zone nil')],
        [
          edit(
            WORKSPACES,
            'def timezone(%Workspace{timezone: timezone}), do: timezone',
            'def timezone(%Workspace{timezone: timezone}), do: timezone || "Etc/UTC"',
          ),
        ],
        [run('mix test', 'All tests', '217 tests, 0 failures')],
        [
          say(`Quantum is gone. What replaced it:

- \`DigestFanout\` runs hourly through Oban cron.
- Workspaces without a timezone get their mail at 8:00 UTC.
- One limit remains: zones with a half-hour offset such as Asia/Kolkata get it at 8:30, since the fan-out only looks on the hour.

Happy to make it every 30 minutes if that matters to you!`),
        ],
        [
          say('Fair points. Moving the query first.'),
          read(WORKER),
          edit(
            ACTIVITY,
            `  def list_recent(`,
            `  @doc "Aggregated in SQL: events has 40M rows."
  def top_events(workspace_id, since, count) do
    Repo.all(
      from e in Event,
        where: e.workspace_id == ^workspace_id and e.inserted_at >= ^since,
        order_by: [desc: e.comment_count],
        limit: ^count
    )
  end

  def list_recent(`,
          ),
          write(
            WORKER,
            `defmodule Harbor.Workers.WeeklyDigest do
  use Oban.Worker, queue: :mailers, unique: [period: 518_400]
  alias Harbor.{Activity, Mailer}

  @impl true
  def perform(%Oban.Job{args: %{"workspace_id" => id}}) do
    since = DateTime.add(DateTime.utc_now(), -7, :day)
    Mailer.deliver(Harbor.DigestEmail.build(id, Activity.top_events(id, since, 5)))
  end
end
`,
          ),
        ],
        [
          run(
            "MIX_ENV=test mix run -e 'alias Harbor.Workers.WeeklyDigest; jobs = for _ <- 1..2, do: Oban.insert!(WeeklyDigest.new(%{workspace_id: 1})); c = Enum.count(jobs, & &1.conflict?); IO.puts(~s(inserted: #{2 - c}, conflicts: #{c}))'",
            'Insert the same digest twice',
            'conflicts: 1',
          ),
        ],
        [
          say(
            "That works, but there is a catch in our config: Oban looks for duplicates among the rows in oban_jobs, and the Pruner deletes finished ones after 2 days (max_age 172_800). A 6 day unique period would silently end after two. I'm raising max_age to 7 days.",
          ),
          edit(CONFIG, 'max_age: 172_800', 'max_age: 604_800'),
          run('mix test', 'All tests', '217 tests, 0 failures'),
        ],
        [
          say(
            'All three done: query in Harbor.Activity, aggregated with a limit, unique for 6 days. Pruner max_age went from 2 to 7 days because uniqueness cannot outlive the pruned rows.',
          ),
        ],
        [
          read(WORKER_TEST),
          edit(WORKER_TEST, '  import Mox\n\n  setup :verify_on_exit!\n', '  import Swoosh.TestAssertions\n'),
          edit(
            WORKER_TEST,
            `    expect(Harbor.ActivityMock, :top_events, fn _, _ -> [] end)
    assert :ok = perform_job(Harbor.Workers.WeeklyDigest, %{workspace_id: 1})
`,
            `    workspace = insert(:workspace)
    perform_job(Harbor.Workers.WeeklyDigest, %{workspace_id: workspace.id})
    assert_email_sent(subject: "Your week in Harbor")
`,
          ),
        ],
        [run('mix format && mix test', 'Format and test', '217 tests, 0 failures')],
        [say('Mox removed, 217 green.')],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['preference', 'decision'], says: [/quantum/, /two nodes|both/, /oban cron/], prompt: 2 },
      { type: 'preference', says: [/queries/, /contexts/, /workers/], prompt: 3 },
      { type: ['preference', 'gotcha'], says: [/Repo\.all/, /40M/], prompt: 3 },
      {
        type: ['gotcha', 'discovery', 'decision', 'how-it-works'],
        says: [/pruner/, /unique|duplicates/, /days/],
        files: [CONFIG],
        prompt: 3,
      },
      { type: 'preference', says: [/mox/, /swoosh test adapter/], prompt: 4 },
      {
        type: ['gotcha', 'discovery', 'bugfix'],
        says: [/timezone/, /nil/, /2021/],
        prompt: 2,
      },
    ],
    niceToHave: [
      {
        type: ['decision', 'how-it-works', 'feature', 'discovery'],
        says: [/fan-?out/, /hourly/],
        prompt: 2,
      },
      { type: ['gotcha', 'discovery'], says: [/half-hour/, /8:30/], prompt: 2 },
      { type: 'preference', says: [/final message/, /short|one line/], prompt: 4 },
      { type: ['preference', 'decision', 'bugfix', 'change'], says: [/6 days/, /unique/], prompt: 3 },
      { type: ['preference', 'feature', 'decision'], says: [/8am/, /timezone/], prompt: 2 },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['weekly digest'],
        completed: [/digest/],
        filesModified: [WORKER],
        optional: true,
      },
      {
        prompt: 2,
        request: ['quantum'],
        learned: [/nil|timezone/],
        completed: [/Oban cron|DigestFanout|Quantum/],
        filesModified: [CONFIG, WORKSPACES],
      },
      {
        prompt: 3,
        request: ['contexts'],
        learned: [/pruner/],
        completed: [/6 days|Harbor\.Activity/],
        filesModified: [WORKER, ACTIVITY, CONFIG],
      },
      { prompt: 4, request: ['mox'], completed: [/Mox removed/], filesModified: [WORKER_TEST] },
    ],
    noise: [
      "I'll look at how jobs and mails are set up",
      'is the natural fit',
      'Let me know what you think',
      'Consider an unsubscribe link',
      'Happy to make it every 30 minutes',
      'Fair points',
      'Resolving Hex dependencies',
      'Generated harbor app',
    ],
    untrue: [/quantum runs every monday/, /unique for one hour/, /every monday at 08:00 UTC/],
    followUps: [
      {
        asks: 'I need a job that purges stale invites every night, which scheduling library should I add?',
        says: [/oban cron/],
      },
      {
        asks: 'oban_jobs is getting big, can I shorten how long completed rows are kept to one day?',
        says: [/unique|duplicates/, /7 days|6 days/],
      },
      {
        asks: 'write a background worker that counts the activity of each team last month',
        says: [/contexts|40M/],
      },
      {
        asks: 'a customer in India says his Monday mail comes half an hour late, is that known?',
        says: [/half-hour/],
      },
      {
        asks: 'add tests for the invite mailer; should I stub the accounts module?',
        says: [/mox/, /swoosh/],
      },
      {
        asks: 'old customers crash in my new local-time report, can the zone column be empty?',
        says: [/nil/, /2021/],
      },
    ],
    unrelated: [
      'bump phoenix live view and fix the deprecation warnings in the settings page',
      'the avatar upload returns 413 for large files, where is the limit set?',
      'add a dark mode toggle to the navbar',
    ],
  },
};
