import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const WORKER = 'src/LabelWorker/JobPump.cs';
const CARRIER = 'src/LabelWorker/CarrierClient.cs';
const TESTS = 'tests/LabelWorker.Tests/JobPumpTests.cs';
const LOG = 'logs/staging-0506.log';

const SKIP = `if (await _store.IsPrintedAsync(job.Id, ct))
        {
            _log.LogInformation("skipped {Job}: already printed", job.Id);
            return;
        }
`;

const WORKER_BEFORE = `namespace LabelWorker;

public sealed class JobPump(ILabelStore _store, ICarrierClient _carrier, ILogger<JobPump> _log)
{
    private readonly SemaphoreSlim _gate = new(8, 8);

    public async Task HandleAsync(Job job, CancellationToken ct)
    {
        await _gate.WaitAsync(ct);
        _log.LogInformation("slot acquired {Job}", job.Id);
        ${SKIP}
        try
        {
            var label = await _carrier.CreateLabelAsync(job, ct);
            await _store.SaveAsync(job.Id, label, ct);
        }
        finally
        {
            _gate.Release();
            _log.LogInformation("slot released {Job}", job.Id);
        }
    }
}
`;

const CARRIER_BEFORE = `namespace LabelWorker;

public sealed class CarrierClient(HttpClient _http, ILogger<CarrierClient> _log) : ICarrierClient
{
    private const int MaxAttempts = 5;

    public async Task<Label> CreateLabelAsync(Job job, CancellationToken ct)
    {
        for (var attempt = 1; ; attempt++)
        {
            using var response = await _http.PostAsJsonAsync("/v2/labels", job, ct);
            if (response.StatusCode != HttpStatusCode.TooManyRequests)
                return await Label.ReadAsync(response, ct);
            if (attempt == MaxAttempts) throw new CarrierBusyException(job.Id);

            var wait = response.Headers.RetryAfter?.Delta ?? TimeSpan.FromSeconds(2);
            _log.LogWarning("429 from carrier, Retry-After: {Wait}", wait);
            await Task.Delay(wait, ct);
        }
    }
}
`;

const TESTS_BEFORE = `namespace LabelWorker.Tests;

public class JobPumpTests
{
    [Fact]
    public async Task Saves_the_label()
    {
        var world = new PumpWorld();
        await world.Pump.HandleAsync(new Job("a"), default);
        Assert.Single(world.Saved);
    }
}
`;

const SKIP_TEST = `
    [Fact]
    public async Task Skipped_jobs_give_their_slot_back()
    {
        var world = new PumpWorld(printed: job => job.StartsWith("old"));
        for (var i = 0; i < 9; i++)
            await world.Pump.HandleAsync(new Job($"old{i}"), default).WaitAsync(TimeSpan.FromSeconds(5));
    }
`;

const WAIT_TEST = `
    [Fact]
    public async Task Never_waits_longer_than_the_cap()
    {
        var carrier = new CarrierWorld(retryAfter: TimeSpan.FromHours(1));
        await Assert.ThrowsAsync<CarrierBusyException>(() => carrier.Client.CreateLabelAsync(new Job("a"), default));
        Assert.All(carrier.Waits, wait => Assert.True(wait <= CarrierClient.MaxWait));
    }
`;

const TIMES =
  '00:00:03 00:00:03 00:00:04 00:07:31 00:12:10 00:19:58 00:26:40 00:33:02 00:41:17 00:55:49 01:04:22 01:11:36 01:20:05 01:38:51 01:52:13 02:06:44 02:21:09 02:40:30 02:58:12 03:12:44'.split(
    ' ',
  );

const DOTNET = `#!/bin/sh
built=.git/dotnet-built
state() {
  t=$(grep -n 'try$' ${WORKER} | head -1 | cut -d: -f1)
  p=$(grep -n IsPrintedAsync ${WORKER} | head -1 | cut -d: -f1)
  skip=bad; [ "$t" -lt "$p" ] && skip=good
  cap=none; grep -q 'MaxWait' ${CARRIER} && cap=good
  echo "$skip $cap"
}
case "$1" in
  build) state > $built; echo "Build succeeded."; echo "    0 Warning(s)"; echo "    0 Error(s)" ;;
  test)
    case "$*" in *--no-build*) ;; *) state > $built; echo "  LabelWorker.Tests -> bin/Debug/net8.0/LabelWorker.Tests.dll" ;; esac
    read skip cap < $built
    total=11
    failed=""
    if grep -q Skipped_jobs ${TESTS}; then total=$((total + 1)); [ $skip = good ] || failed=Skipped_jobs_give_their_slot_back; fi
    if grep -q Never_waits ${TESTS}; then total=$((total + 1)); [ $cap = good ] || failed=Never_waits_longer_than_the_cap; fi
    if [ -n "$failed" ]; then
      echo "  Failed LabelWorker.Tests.JobPumpTests.$failed [5 s]"
      echo "  Error Message:"; echo "   System.TimeoutException : The operation has timed out."
      echo "Failed!  - Failed:     1, Passed:    $((total - 1)), Skipped:     0, Total:    $total, Duration: 5 s - LabelWorker.Tests.dll (net8.0)"
      exit 1
    fi
    echo "Passed!  - Failed:     0, Passed:    $total, Skipped:     0, Total:    $total, Duration: 812 ms - LabelWorker.Tests.dll (net8.0)" ;;
  *) echo "8.0.404" ;;
esac
`;

const COUNTERS = `#!/bin/sh
echo "[System.Runtime]"
echo "    ThreadPool Queue Length                              0"
echo "    ThreadPool Thread Count                             14"
echo "    Monitor Lock Contention Count                        0"
echo "[Npgsql]"
echo "    Busy Connections                                     0"
`;

export const labelWorkerStallEn: SurveySession = {
  name: 'label-worker-stall-en',
  about:
    'A worker stops without an error: leaked semaphore slots first, an unlimited Retry-After second; compacted in between.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'dotnet',
  files: {
    [WORKER]: WORKER_BEFORE,
    [CARRIER]: CARRIER_BEFORE,
    [TESTS]: TESTS_BEFORE,
    [LOG]: nightLog(),
    'LabelWorker.sln': 'Microsoft Visual Studio Solution File, Format Version 12.00\n',
    'src/LabelWorker/appsettings.json':
      '{ "Queue": { "Prefetch": 200, "LeaseSeconds": 300 }, "ConnectionStrings": { "Labels": "Host=labels-db;Maximum Pool Size=10" } }\n',
    '.gitignore': 'bin/\nobj/\n',
  },
  programs: { dotnet: DOTNET, 'dotnet-counters': COUNTERS },
  prompts: [
    "the label worker on staging stops picking up jobs after some hours. no exception, health endpoint stays green, restart helps. log of the night is logs/staging-0506.log. find the actual cause pls, and don't give me a watchdog that restarts it, we had one and it hid this for months. a hung instance (pid 4711) is still up if you want to look at it",
    '/compact',
    "your fix is on staging, way better, but last night it stood still again from 00:00 to 01:00 sharp and then came back by itself. log has 8x '429 from carrier, Retry-After: 01:00:00' at 00:00:03. carrier does maintenance at midnight. whatever that wait is, put a cap on it, 30s should do",
    'hmm sorry just reread the carrier contract: we must back off at least 40s after a 429 or they block the api key. so make it 45. then commit, we squash anyway, subject starts with the component like "worker: ..."',
  ],
  script: (dir) => {
    const { run, fail, read, edit, delegate } = callsIn(dir);
    return {
      main: [
        [
          say("I'll look at the pump and the hung process, and have the log counted in parallel."),
          read(WORKER),
          run(
            'dotnet-counters collect --process-id 4711 --duration 00:00:05 --format console',
            'Counters of the hung process',
            'ThreadPool Queue Length',
          ),
          delegate(
            'Count slots in the log',
            `LOGCOUNT: In ${LOG}, compare how often a slot is acquired and released, and say what sets the jobs without a release apart. Report anything else that looks odd.`,
          ),
        ],
        [
          say(
            'My first guess was thread pool starvation, but the counters refute it: queue length 0, 14 threads, and no busy Npgsql connections. The process is idle, not overloaded. It waits for something nobody will signal.\n\nThe log count points at the gate: every job without a release is a skipped one. In JobPump.HandleAsync the early return for already printed jobs sits between WaitAsync and the try, so it never reaches the finally and each skipped job leaks one of the 8 slots. After the eighth skipped job the pump waits forever, silently.',
          ),
          read(TESTS),
        ],
        [
          edit(
            TESTS,
            '        Assert.Single(world.Saved);\n    }\n',
            `        Assert.Single(world.Saved);\n    }\n${SKIP_TEST}`,
          ),
        ],
        [fail('dotnet test', 'Reproduce with nine skipped jobs', 'Skipped_jobs_give_their_slot_back')],
        [
          say(
            'Reproduced. Two ways to fix it. Moving the check in front of the gate looks tidier, but then all 200 prefetched jobs would query the database at once and the pool has only 10 connections. So the check stays behind the gate and goes inside the try.',
          ),
          edit(
            WORKER,
            `        ${SKIP}\n        try\n        {\n`,
            `        try\n        {\n        ${SKIP}\n`,
          ),
        ],
        [fail('dotnet test --no-build', 'Run the tests again', 'Skipped_jobs_give_their_slot_back')],
        [
          say('Still red? Ah, no: --no-build runs the dll from before my edit. Building properly this time.'),
          run('dotnet test', 'Build and test', 'Passed:    12'),
        ],
        [
          say(
            [
              '## Root cause found 🎯',
              '',
              'The worker ran out of slots: jobs that were already printed returned without releasing the semaphore. Excellent detective work by the log count, too!',
              '',
              '- **Why it was silent:** a lost slot throws nothing, and the health endpoint only checks that the queue connection is open, so it stays green while the pump is stuck.',
              '- **Why the hours varied:** it takes eight redelivered jobs, however long that takes.',
              '- **Tests:** 12 of 12 pass.',
              '',
              'Would you like me to extend the health check as well?',
            ].join('\n'),
          ),
        ],
        // after /compact
        [
          say("Midnight to one o'clock sharp smells like the header itself. Let me read the client."),
          read(CARRIER),
          run(`grep -n "429" ${LOG}`, 'Earlier 429s', 'Retry-After: 01:00:00'),
          run('cat src/LabelWorker/appsettings.json', 'Queue settings', 'LeaseSeconds'),
        ],
        [
          say(
            'Confirmed. CarrierClient obeys Retry-After without any limit, and the Task.Delay runs while the job holds its slot in the gate: eight 429s with one hour each and the whole pump sleeps for an hour.\n\nI considered giving the slot back during the wait. That is not safe: the queue lease is 300 seconds, so with more jobs parked than slots the lease runs out, the job is redelivered and the label is printed twice. Capping the wait it is.',
          ),
          edit(
            CARRIER,
            '    private const int MaxAttempts = 5;\n',
            '    private const int MaxAttempts = 5;\n    public static readonly TimeSpan MaxWait = TimeSpan.FromSeconds(30);\n',
          ),
          edit(
            CARRIER,
            '            _log.LogWarning("429',
            '            if (wait > MaxWait) wait = MaxWait;\n            _log.LogWarning("429',
          ),
          read(TESTS),
        ],
        [edit(TESTS, `${SKIP_TEST}`, `${SKIP_TEST}${WAIT_TEST}`)],
        [run('dotnet test', 'Build and test', 'Passed:    13')],
        [
          say(
            'The wait is capped at 30 seconds now.\n\nOne consequence you should know: with 5 attempts a job now gives up after about two minutes, so during the midnight maintenance jobs will land in the dead-letter queue, and as far as I can see nothing consumes labels-dlq. That part is unsolved.\n\nHappy to draft a requeue job if that helps!',
          ),
        ],
        [
          say('Makes sense. 45 seconds still fits: four waits are 180 s, below the 300 s lease.'),
          edit(CARRIER, 'TimeSpan.FromSeconds(30)', 'TimeSpan.FromSeconds(45)'),
        ],
        [run('dotnet test 2>&1 | tail -1', 'Test', 'Passed:    13')],
        [
          run(
            'git add -A && git commit -q -m "worker: give slots back for skipped jobs, cap Retry-After at 45 s" && git log --oneline -1',
            'Commit',
            'worker: give slots back',
          ),
        ],
        [say('Done, 45 s it is.')],
      ],
      subagents: {
        LOGCOUNT: [
          [
            run(
              `for w in "slot acquired" "slot released" skipped; do echo "$w: $(grep -c "$w" ${LOG})"; done; tail -3 ${LOG}`,
              'Count',
              'slot acquired: 20',
            ),
          ],
          [
            say(
              '20 slots acquired, 12 released. The 8 jobs without a release are exactly the 8 that were logged as "skipped: already printed". The last slot was acquired at 03:12:44, nothing after that. Also odd: two carrier responses at midnight carry a Retry-After of one hour.',
            ),
          ],
        ],
      },
      compact: [
        [
          say(
            `<analysis>
The person reported a stall of the label worker; I found and fixed a slot leak. No further work is pending.
</analysis>
<summary>
1. Primary Request and Intent: Find the actual cause why the label worker on staging stops picking up jobs after some hours. No watchdog that restarts it.
2. Key Technical Concepts: SemaphoreSlim with 8 slots, early return before try/finally, xUnit.
3. Files and Code Sections: ${WORKER} (skip check moved into the try), ${TESTS} (Skipped_jobs_give_their_slot_back).
4. Errors and fixes: dotnet test --no-build ran a stale dll.
5. Problem Solving: thread pool starvation ruled out with dotnet-counters; slot leak reproduced and fixed.
6. All user messages: the report of the stall.
7. Pending Tasks: none.
8. Current Work: the fix is done, 12 tests pass, not committed yet.
9. Optional Next Step: extend the health check if the person wants it.
</summary>`,
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha'],
        says: [
          /skipped|already printed/,
          /slot|semaphore/,
          /leak|without releasing|never reaches the finally/,
        ],
        prompt: 1,
      },
      { type: ['preference', 'decision'], says: [/watchdog/, /hid this|months|restart/], prompt: 1 },
      {
        type: ['bugfix', 'discovery', 'gotcha'],
        says: [/Retry-After/, /without any limit|holds its slot|sleeps/],
        files: [CARRIER],
        prompt: 2,
      },
      {
        type: ['decision', 'preference', 'change'],
        says: [/45/, /40 ?s|block the api key|contract/],
        prompt: 3,
      },
      {
        type: ['decision', 'gotcha', 'discovery'],
        says: [/lease/, /300 s/, /twice|redelivered|not safe/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/dead-letter|labels-dlq/, /nothing consumes|unsolved|give/],
        prompt: 2,
      },
    ],
    niceToHave: [
      {
        type: ['decision', 'gotcha', 'discovery'],
        says: [/200/, /10 connections/, /gate|check|once/],
        prompt: 1,
      },
      {
        type: ['discovery', 'bugfix', 'gotcha'],
        says: [/starvation/, /refute|ruled out|queue length 0/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/health endpoint/, /queue connection|green/],
        prompt: 1,
      },
      { type: ['gotcha', 'discovery'], says: [/--no-build/, /dll/], prompt: 1 },
      { type: ['preference'], says: [/subject|squash/, /component|worker:/], prompt: 3 },
      { type: ['discovery', 'bugfix', 'gotcha'], says: [/20 slots acquired/, /12 released/], prompt: 1 },
      { type: ['change', 'bugfix'], says: [/cap/, /45 s/], prompt: 3 },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/stops picking up jobs/],
        learned: [/slot|semaphore/],
        completed: [/slot|try|releas|12/],
        filesModified: [WORKER, TESTS],
      },
      {
        prompt: 2,
        request: [/00:00|cap/],
        learned: [/Retry-After|lease|dead-letter/],
        filesModified: [CARRIER],
      },
      { prompt: 3, request: [/45|40s/], completed: [/45/], filesModified: [CARRIER] },
    ],
    noise: [
      'Root cause found',
      'Excellent detective work',
      'Would you like me to extend',
      'Happy to draft a requeue job',
      'Still red?',
      'Primary Request and Intent',
      'smells like the header itself',
      'Let me read the client',
    ],
    untrue: [
      /cause (is|was) thread ?pool starvation/,
      /health check (was|is now|has been) extended/,
      /(gives?|releases?) (back )?(the|its) slot (back )?during the wait/,
      /capped at 30/,
    ],
    followUps: [
      {
        asks: 'pump hangs again in production, can we just let systemd bounce it when idle for 10 minutes?',
        says: [/watchdog/],
      },
      {
        asks: 'I want to shorten the pause after a rate limit answer to 20 seconds, ok?',
        says: [/40 ?s|45/, /contract|api key|back off|429/],
      },
      {
        asks: 'customers miss labels from orders around midnight, where could those have ended up?',
        says: [/dead-letter|dlq/],
      },
      {
        asks: 'could we free the semaphore while a request is sleeping, to get more throughput?',
        says: [/lease/, /twice|redelivered|300 s/],
      },
      {
        asks: 'what made the staging instance freeze without any exception in May?',
        says: [/skipped|already printed/, /slot|semaphore/],
      },
      {
        asks: 'refactoring JobPump: may I do the IsPrinted lookup before taking a slot?',
        says: [/10 connections/],
      },
    ],
    unrelated: [
      'bump the target framework in all csproj files to net9.0',
      'add an editorconfig with our C# naming rules',
      'the pdf template needs the new company logo, where are the templates?',
    ],
  },
};

/** 20 jobs take a slot, and the 8 that are skipped never give it back; the last of them is the end of it. */
function nightLog(): string {
  const lines: string[] = [];
  for (let job = 0; job < 20; job++) {
    const time = TIMES[job];
    const id = `L-${7300 + job}`;
    lines.push(`${time} info: JobPump slot acquired ${id}`);
    if ([1, 4, 6, 9, 11, 14, 16, 19].includes(job))
      lines.push(`${time} info: JobPump skipped ${id}: already printed`);
    else if (job === 0 || job === 2)
      lines.push(`${time} warn: CarrierClient 429 from carrier, Retry-After: 01:00:00`);
    else lines.push(`${time} info: JobPump slot released ${id}`);
    if (job === 9)
      lines.push(
        '01:00:04 info: JobPump slot released L-7300',
        '01:00:05 info: JobPump slot released L-7302',
      );
  }
  return `${lines.join('\n')}\n`;
}
