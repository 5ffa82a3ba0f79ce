import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const MAIN = 'src/main.rs';
const READER = 'src/reader.rs';
const BATCHER = 'src/batcher.rs';
const SINK = 'src/sink.rs';
const SCHEMA = 'schema/readings.sql';
const DEPLOY = 'deploy/values.yaml';

export const tokioRelayQuestions: SurveySession = {
  name: 'tokio-relay-questions',
  about:
    'Four questions about a telemetry relay; nothing is changed, one answer of the agent is corrected by the next.',
  kind: 'question',
  language: 'en',
  ecosystem: 'rust',
  files: {
    'Cargo.toml':
      '[package]\nname = "relay"\nversion = "1.9.2"\nedition = "2021"\n\n[dependencies]\ntokio = { version = "1.37", features = ["full"] }\ntokio-util = "0.7"\nzstd = "0.13"\n',
    [MAIN]: `#[tokio::main(worker_threads = 2)]
async fn main() -> anyhow::Result<()> {
    let stop = CancellationToken::new();
    let (tx, rx) = mpsc::channel(1024);
    let batcher = tokio::spawn(batcher::run(rx, Sink::from_env()?, stop.clone()));
    let listener = TcpListener::bind("0.0.0.0:7070").await?;
    let mut term = signal(SignalKind::terminate())?;
    loop {
        tokio::select! {
            _ = term.recv() => break,
            Ok((stream, _)) = listener.accept() => {
                tokio::spawn(reader::serve(stream, tx.clone(), stop.clone()));
            }
        }
    }
    stop.cancel();
    let _ = timeout(Duration::from_secs(10), batcher).await;
    Ok(())
}
`,
    [READER]: `pub async fn serve(stream: TcpStream, tx: mpsc::Sender<Reading>, stop: CancellationToken) -> anyhow::Result<()> {
    let mut frames = Framed::new(stream, LinesCodec::new_with_max_length(512));
    loop {
        tokio::select! {
            _ = stop.cancelled() => return Ok(()),
            Some(line) = frames.next() => {
                let reading = Reading::parse(&line?)?;
                let id = reading.id;
                tx.send(reading).await?;
                frames.send(format!("ok {id}")).await?;
            }
            else => return Ok(()),
        }
    }
}
`,
    [BATCHER]: `const BATCH: usize = 5000;

pub async fn run(mut rx: mpsc::Receiver<Reading>, sink: Sink, stop: CancellationToken) {
    let mut batch = Vec::with_capacity(BATCH);
    let mut tick = interval(Duration::from_secs(1));
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            _ = stop.cancelled() => break,
            Some(reading) = rx.recv() => {
                batch.push(reading);
                if batch.len() < BATCH { continue }
            }
            _ = tick.tick() => {}
        }
        sink.insert(std::mem::take(&mut batch)).await;
    }
    sink.insert(batch).await;
}
`,
    [SINK]: `impl Sink {
    pub async fn insert(&self, batch: Vec<Reading>) {
        if batch.is_empty() { return }
        let rows = batch.len() as u64;
        let body = spawn_blocking(move || zstd::encode_all(&to_rows(&batch)[..], 9)).await.unwrap().unwrap();
        for wait in [1, 4, 16] {
            if self.post(body.clone()).await.is_ok() { return }
            sleep(Duration::from_secs(wait)).await;
        }
        counter!("relay_dropped_rows").increment(rows);
    }
}
`,
    [SCHEMA]:
      'CREATE TABLE readings (device UInt64, ts DateTime64(3), value Float64)\nENGINE = ReplacingMergeTree ORDER BY (device, ts) PARTITION BY toYYYYMM(ts);\n',
    [DEPLOY]:
      'replicas: 2\nresources:\n  limits: { cpu: "2", memory: 256Mi }\nterminationGracePeriodSeconds: 30\n',
    'ops/rates.txt': 'readings per second and pod, may 2026\nmedian 1900\np99 2600\nmax 3100\n',
  },
  programs: {
    cargo: `#!/bin/sh
case "$*" in
  *bench*) echo "encode/5000   time: [37.9 ms 38.4 ms 39.1 ms]"; echo "encode/50000  time: [402 ms 411 ms 420 ms]" ;;
  *) echo "error: no such command"; exit 101 ;;
esac
`,
  },
  prompts: [
    "i'm new on this one. how does a reading get from the tcp socket into clickhouse? just explain, don't change anything",
    'and on a rolling deploy? do we lose readings or not',
    'hm. but the devices buffer 10 minutes and resend whatever we didn\'t confirm, so shouldn\'t that be fine? also vlad wants an unbounded channel because send().await "blocks", what do you think',
    'clear, thx. then the loss at shutdown stays as is, protocol v2 will confirm after the insert and until then product can live with it. last one: would BATCH = 50_000 give clickhouse fewer parts to merge?',
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [
          say("I'll follow the path from the listener down."),
          read(MAIN),
          read(READER),
          read(BATCHER),
          read(SINK),
        ],
        [
          say(`There are three stages, joined by one channel.

**1. Reader** (\`src/reader.rs\`), one task per connection. Lines of at most 512 bytes are parsed and put into an \`mpsc\` channel of 1024. Right after that the device gets \`ok <id>\`.

**2. Batcher** (\`src/batcher.rs\`), a single task for the whole process. It collects until it has 5000 readings or a second has passed, then hands the batch to the sink and *waits* for it. Ticks missed meanwhile are not made up for (\`MissedTickBehavior::Delay\`).

**3. Sink** (\`src/sink.rs\`) compresses with zstd level 9 in \`spawn_blocking\` and posts to ClickHouse, with up to three attempts and pauses of 1, 4 and 16 seconds. After the third failure the batch is thrown away and only \`relay_dropped_rows\` counts up.

The waiting in stage 2 is the backpressure of the whole thing: while ClickHouse is slow nobody empties the channel, \`tx.send().await\` suspends the readers, they stop reading their sockets, TCP windows close and the devices keep their data. When the process ends, the batcher flushes what it holds, so a shutdown is clean.`),
        ],
        [
          say('That last sentence I should check against the cancel order before you rely on it.'),
          run(
            `grep -n 'stop\\.\\|timeout' ${MAIN} ${READER} ${BATCHER}`,
            'Where the token is used',
            'stop.cancelled() => break',
          ),
          read(DEPLOY),
        ],
        [
          say(`Yes, you lose some; "a shutdown is clean" was too kind of me.

On SIGTERM main cancels one token that readers and batcher share. The batcher's \`select!\` is \`biased\` with the cancel branch first, so it leaves the loop at once and inserts its current batch, but never drains \`rx\`. Up to 1024 readings still in the channel are dropped with it. And they were already answered with \`ok\`.

There's a second hole. Main grants the batcher 10 seconds, while the sink's retries alone take 21. If ClickHouse is unreachable during a deploy, the last batch of up to 5000 goes too, without even touching the \`relay_dropped_rows\` counter, since the process exits first. Kubernetes would have given 30 seconds, so that 10 is our own limit.`),
        ],
        [
          read(SCHEMA),
          run('cat ops/rates.txt', 'Readings per second', 'max 3100'),
          run("grep -n 'memory' deploy/values.yaml", 'Memory of a pod', '256Mi'),
        ],
        [
          say(`No, unfortunately. The confirmation goes out when a reading enters the *channel*, not when ClickHouse has it. From the device's view the lost 1024 are done, so it deletes them and resends nothing. Resending covers only what never got an \`ok\`. (What does get resent is harmless: the table is a ReplacingMergeTree on \`(device, ts)\`, duplicates disappear in merges. Until then a plain \`count()\` is too high, you need \`FINAL\`.)

About Vlad's idea: I'd say no.

- \`send().await\` suspends the task, it does not block a thread. With two worker threads that distinction matters, and the code has it right.
- That suspension *is* the backpressure. Unbounded, readers would keep accepting and confirming while ClickHouse is down.
- In numbers: 2600 readings/s at p99, around 200 bytes each, is about 0.5 MB/s. The pod has 256 Mi, so an outage of seven or eight minutes ends in an OOM kill, and everything in memory is lost although it was confirmed, over a million readings instead of 1024.

A larger bound would be a compromise, but each slot more is one more confirmed reading to lose on exit.`),
        ],
        [
          run('cargo bench --bench encode', 'Cost of compression by batch size', 'encode/50000'),
          run(`grep -n 'BATCH\\|interval' ${BATCHER}`, 'Both limits of a batch', 'from_secs(1)'),
        ],
        [
          say(`It would change nothing at all. A batch ends at BATCH **or after one second**, and the busiest second you ever recorded had 3100 readings, so even today's 5000 is never reached; it is the tick that ends every batch. Each pod makes one insert a second, two pods make two parts a second.

If parts are the worry, lengthen the tick. Five seconds means a fifth of the parts, at a price: data shows up later and 13000 instead of 2600 readings sit in the batch when a pod dies hard. BATCH would have to grow along with it, otherwise 5000 becomes the limit after two seconds.

Compression is no obstacle to that, 38 ms for 5000 rows, 411 ms for 50000, and it runs in \`spawn_blocking\`, off the two workers. Without that wrapper it would stall half of the runtime for that time.

Alternatively \`async_insert=1\` on the ClickHouse side, then the server does the collecting. I have not tested that here. Feel free to ask more.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['how-it-works', 'discovery'],
        says: [/channel/, /1024/, /batch/, /5000|second/],
        prompt: 1,
      },
      {
        type: ['how-it-works', 'discovery', 'gotcha', 'decision'],
        says: [/backpressure/, /send/, /suspend|wait|stop reading|TCP/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/SIGTERM|shutdown|deploy|cancel/, /1024|drain/, /channel|rx/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'how-it-works', 'discovery'],
        says: [/confirm|`?ok\b|acknowledg|ack/, /channel/, /ClickHouse|insert|resen[dt]/],
        prompt: 3,
      },
      {
        type: ['decision', 'discovery', 'gotcha'],
        says: [/unbounded/, /256|OOM|memory/],
        prompt: 3,
      },
      {
        type: ['decision', 'preference', 'gotcha'],
        says: [
          /v2/,
          /after the insert|confirm|shutdown|loss/,
          /stays|as is|product|accept|until then|live with/,
        ],
        prompt: 4,
      },
      {
        type: ['discovery', 'how-it-works', 'gotcha', 'decision'],
        says: [/BATCH|5000|50[_,]?000/, /tick|one second|1 second|interval/, /never|3100|nothing/],
        prompt: 4,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/10[ -]s/, /21/, /retr|attempt/] },
      {
        type: ['gotcha', 'how-it-works', 'discovery'],
        says: [/relay_dropped_rows/, /third|three|retries|thrown away|dropped/],
      },
      { type: ['gotcha', 'how-it-works', 'discovery'], says: [/ReplacingMergeTree/, /FINAL|duplicates/] },
      {
        type: ['how-it-works', 'discovery', 'decision'],
        says: [/spawn_blocking/, /compress|zstd/, /worker|stall|ms/],
      },
      {
        type: ['decision', 'discovery', 'how-it-works', 'gotcha'],
        says: [/five seconds|5 s|longer tick|lengthen/, /parts/],
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/clickhouse|reading/],
        learned: [/batch|channel|backpressure/],
        filesRead: [READER, BATCHER, SINK],
      },
      { prompt: 2, request: [/deploy/], learned: [/1024|drain|10 seconds/] },
      {
        prompt: 3,
        request: [/unbounded|resend/],
        learned: [/backpressure|OOM|confirm/],
        filesRead: [SCHEMA],
      },
      { prompt: 4, request: [/BATCH|v2/], learned: [/tick|never reached|3100/] },
    ],
    noise: [
      "I'll follow the path",
      'Feel free to ask more',
      "i'm new on this one",
      'before you rely on it',
      'too kind of me',
      'clear, thx',
    ],
    untrue: [
      /(so )?a shutdown is clean(?!["'”`])/,
      /devices (will )?resend (everything|all|the lost)/,
      /(batches|a batch) (usually |always )?(end|fill|close)s? (at|with|by reaching) 5000/,
      /(?<!v2.{0,80})(readings?|devices) (is|are|get) confirmed (only )?(after|once) (the insert|ClickHouse)/,
      /channel (was|is|has been) (made |now )?unbounded/,
      /(was|were|got) (fixed|changed) in (src\/)?batcher/,
    ],
    followUps: [
      {
        asks: 'after each rollout there is a tiny gap in the charts of all devices. known?',
        says: [/1024/, /drain|rx|channel/],
      },
      {
        asks: "I'd like to fix that batcher drops what's queued when the pod stops, any reason not to?",
        says: [/v2/],
      },
      {
        asks: 'can I make mpsc::channel(1024) much bigger so bursts never slow down the clients?',
        says: [/backpressure|suspend/, /confirmed|OOM/],
      },
      {
        asks: 'clickhouse complains about too many parts, what is the knob in our code?',
        says: [/tick|one second/, /never reached|BATCH/],
      },
      {
        asks: 'when the database is down for an hour, what happens to the data of the meters exactly?',
        says: [/1, 4 and 16|21|relay_dropped_rows|thrown away/],
      },
    ],
    unrelated: [
      'add a --version flag to the binary',
      'what is the difference between Arc and Rc?',
      'set up dependabot for the repo please',
    ],
  },
};
