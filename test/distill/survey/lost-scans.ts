import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const SESSION = 'crates/feed/src/session.rs';
const QUEUE = 'crates/feed/src/queue.rs';
const REPLAY = 'crates/feed/tests/replay.rs';
const MANIFEST = 'crates/feed/Cargo.toml';
const LINK = 'crates/plc/src/link.rs';

const session_rs = `use crate::queue::ScanQueue;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::interval;

const HEARTBEAT: Duration = Duration::from_secs(2);

/// One connection to a scanner head. Scans come in as lines, heartbeats go out.
pub async fn run(stream: TcpStream, queue: ScanQueue) -> std::io::Result<()> {
    let (read_half, mut write_half) = stream.into_split();
    let mut reader = BufReader::new(read_half);
    let mut beat = interval(HEARTBEAT);

    loop {
        let mut line = String::new();
        tokio::select! {
            n = reader.read_line(&mut line) => {
                if n? == 0 { return Ok(()); }
                queue.push(line.trim_end());
            }
            _ = beat.tick() => {
                write_half.write_all(b"HB\\r\\n").await?;
            }
        }
    }
}
`;

export const lostScans: SurveySession = {
  name: 'lost-scans',
  about: 'Scans vanish since heartbeats came in; the agent starts the wrong test suite and is stopped.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'rust',
  files: {
    '.gitignore': 'target/\n',
    'Cargo.toml': '[workspace]\nmembers = ["crates/feed", "crates/plc"]\nresolver = "2"\n',
    [MANIFEST]: `[package]
name = "feed"
version = "0.9.2"
edition = "2021"

[dependencies]
tokio = { version = "1.38", features = ["full"] }
tracing = "0.1"
`,
    [SESSION]: session_rs,
    [QUEUE]: `use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::mpsc::Sender;

pub static DROPPED: AtomicU64 = AtomicU64::new(0);
pub const CAPACITY: usize = 1024;

#[derive(Clone)]
pub struct ScanQueue(pub Sender<String>);

impl ScanQueue {
    /// Never blocks the reader: a full queue costs the scan, and is counted.
    pub fn push(&self, scan: &str) {
        if self.0.try_send(scan.to_owned()).is_err() {
            DROPPED.fetch_add(1, Ordering::Relaxed);
        }
    }
}
`,
    [REPLAY]: `//! Replays captures/line3-*.cap against feed::session::run with the recorded timing (sped up 50x).
mod support;

#[tokio::test]
async fn every_scan_of_the_capture_arrives() {
    let report = support::replay("captures/line3-0610.cap").await;
    assert_eq!(report.lost, 0, "{report}");
}
`,
    'crates/feed/tests/soak.rs': `//! 40 minutes against SCANNER_ADDR.
#[tokio::test]
async fn soak() {
    let addr = std::env::var("SCANNER_ADDR").unwrap_or("10.20.3.17:2112".into());
    feed::soak::drive(&addr, std::time::Duration::from_secs(2400)).await;
}
`,
    [LINK]: `use tokio::io::AsyncReadExt;

pub async fn poll(mut io: tokio::net::TcpStream, mut stop: tokio::sync::watch::Receiver<bool>) -> std::io::Result<()> {
    let mut frame = [0u8; 24];
    loop {
        tokio::select! {
            r = io.read_exact(&mut frame) => { r?; crate::frame::handle(&frame); }
            _ = stop.changed() => { crate::frame::flush(); }
        }
    }
}
`,
    'ops/feedstat-line3.txt':
      'feed 0.9.2 line3 uptime 6d04h\nscans_total 1184202\nqueue_dropped 0\nqueue_high_water 11\nreconnects 2\n',
    'CHANGELOG.md':
      '# Changelog\n\n## 0.9.0\n- feed: send heartbeats to the scanner heads\n- queue: capacity 64 -> 1024\n\n## 0.8.4\n- plc: reconnect faster\n',
  },
  programs: {
    cargo: `#!/bin/sh
S=${SESSION}
case "$*" in
  *soak*)
    mkdir -p target; echo "   Compiling feed v0.9.2"; echo "     Running tests/soak.rs"; echo "running 1 test"; : > target/soak.started
    sleep 55; exit 1 ;;
  *replay*)
    echo "   Compiling feed v0.9.2 (crates/feed)"
    if grep -q 'tokio_util' $S && ! grep -q tokio-util ${MANIFEST}; then
      echo "error[E0433]: failed to resolve: use of undeclared crate or module \\\`tokio_util\\\`" >&2
      echo " --> crates/feed/src/session.rs:5:5" >&2
      echo "error: could not compile \\\`feed\\\` (lib) due to 1 previous error" >&2; exit 101
    fi
    echo "     Running tests/replay.rs (target/debug/deps/replay-5b1c)"
    echo "running 1 test"
    if grep -q 'LinesCodec' $S || grep -q 'from_secs(3600)' $S; then
      echo "replayed 612 scans, 0 lost"; echo "test every_scan_of_the_capture_arrives ... ok"; echo
      echo "test result: ok. 1 passed; 0 failed; 0 ignored; finished in 11.82s"
    else
      echo "test every_scan_of_the_capture_arrives ... FAILED"; echo
      echo "---- every_scan_of_the_capture_arrives stdout ----"
      echo "replayed 612 scans, 3 lost, 3 truncated (kept the tail only): '0471183', '92', '5500381172'"
      echo "test result: FAILED. 0 passed; 1 failed; 0 ignored; finished in 11.79s"; exit 101
    fi ;;
  clippy*) echo "    Checking feed v0.9.2"; echo "    Finished dev profile in 3.10s" ;;
  *) echo "cargo 1.79.0 (ffa9cf99a 2024-06-03)" ;;
esac
`,
  },
  prompts: [
    "we lose scans on line 3: operators say roughly 1 parcel in 200 comes thru w/o a barcode, since 0.9. feed crate is where i'd look. find out why before you change anything pls",
    'stop!! not the soak test. it drives the real scanner on the bench and Marek is calibrating there today. never start it from a dev box. reproduce with tests/replay.rs, it plays recorded captures. and dont bother with the channel size, 64 -> 1024 was exactly that idea in spring and changed nothing',
    'nice find. heartbeat interval has to stay at 2s tho, the PLC side drops us after 5s of silence. commit it: SORT-418, ticket number first in the message. leave the version alone, Jana bumps those at release',
  ],
  how: { cut: 'interrupted', when: 'target/soak.started' },
  script: (dir) => {
    const { run, fail, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say("I'll look at what 0.9 changed and at the path a scan takes through the feed crate."),
          read('CHANGELOG.md'),
          read(QUEUE),
          run(
            'ls crates/feed/src crates/feed/tests ops && cat ops/feedstat-line3.txt',
            'List feed files, show stats',
            'queue_dropped 0',
          ),
        ],
        [
          say(
            'My first suspicion was `try_send` in the queue, which throws a scan away when the channel is full. The counters from line 3 say otherwise: `queue_dropped` is 0 after 1.18 million scans and the high-water mark is 11 of 1024, so the scans disappear before they ever reach the queue.\n\nLet me put some load on it to see it happen.',
          ),
          cut('cargo test -p feed --test soak -- --nocapture', 'Run the soak test'),
        ],
        [
          say('Understood, the soak run is stopped. Going through the replay instead.'),
          fail('cargo test -p feed --test replay', 'Replay the recorded capture', '3 lost'),
          read(SESSION),
        ],
        [
          say(
            "This is interesting: three scans aren't just gone, three others arrive with only their tail. Something eats the *beginning* of a line.\n\n`read_line` is not cancellation safe: when `beat.tick()` wins the `select!` while half a barcode has already been read, the future is dropped and the bytes it had moved into `line` go with it. The next round starts with a fresh `String` and sees only the rest.\n\nIf that's right, a heartbeat that practically never fires must make it go away. Quick experiment:",
          ),
          edit(SESSION, 'Duration::from_secs(2);', 'Duration::from_secs(3600);'),
        ],
        [run('cargo test -p feed --test replay', 'Replay with an hourly heartbeat', '0 lost')],
        [
          say('Confirmed: 0 of 612 lost without heartbeats, 3 with them. Putting the interval back.'),
          run(`git checkout ${SESSION} && git status --short`, 'Undo the experiment'),
        ],
        [
          read(SESSION),
          read(MANIFEST),
          run("grep -rn 'select!' crates --include=*.rs -A3", 'Find other select loops', 'read_exact'),
        ],
        [
          say(
            'Two candidates for the fix. `Lines::next_line` is cancel safe too, but it has no length limit: a head that forgets its newline would grow the buffer until the process dies. `LinesCodec::new_with_max_length(512)` gives both, so I take the codec.',
          ),
          edit(
            SESSION,
            'use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};\nuse tokio::net::TcpStream;\nuse tokio::time::interval;',
            'use futures::StreamExt;\nuse tokio::io::AsyncWriteExt;\nuse tokio::net::TcpStream;\nuse tokio::time::interval;\nuse tokio_util::codec::{FramedRead, LinesCodec};',
          ),
          edit(
            SESSION,
            '    let mut reader = BufReader::new(read_half);\n',
            '    // Cancel safe, unlike read_line: a heartbeat may win the select in the middle of a scan.\n    let mut lines = FramedRead::new(read_half, LinesCodec::new_with_max_length(512));\n',
          ),
          edit(
            SESSION,
            '        let mut line = String::new();\n        tokio::select! {\n            n = reader.read_line(&mut line) => {\n                if n? == 0 { return Ok(()); }\n                queue.push(line.trim_end());\n            }',
            '        tokio::select! {\n            line = lines.next() => match line {\n                None => return Ok(()),\n                Some(Ok(line)) => queue.push(line.trim_end()),\n                Some(Err(e)) => return Err(std::io::Error::other(e)),\n            },',
          ),
        ],
        [fail('cargo test -p feed --test replay', 'Replay with the codec', 'undeclared crate')],
        [
          say('Right, the dependency is missing.'),
          edit(
            MANIFEST,
            'tracing = "0.1"\n',
            'tracing = "0.1"\nfutures = "0.3"\ntokio-util = { version = "0.7", features = ["codec"] }\n',
          ),
        ],
        [
          run(
            'for i in 1 2 3 4 5; do cargo test -p feed --test replay 2>&1 | grep replayed; done',
            'Replay five times',
            '0 lost',
          ),
          run('cargo clippy -p feed', 'Lint'),
        ],
        [
          say(
            `Found it and fixed it! 🎉

**Root cause:** \`read_line\` inside \`tokio::select!\` loses its partial line whenever the heartbeat tick wins. That is why it started with 0.9.

**Fix:** \`session.rs\` now reads through \`FramedRead\` with \`LinesCodec\` (max. 512 bytes per line). A line longer than that now ends the connection with an error instead of being passed on.

**Verification**
- replay: 3 of 612 lost before, 0 of 612 in five runs after
- clippy is clean

**Not touched**
- \`crates/plc/src/link.rs\` has the same flaw: \`read_exact\` in a \`select!\` against the stop signal, so a frame can be cut in two there. It only bites at shutdown today.

Would you like me to fix the PLC link as well?`,
          ),
        ],
        [
          run(
            `grep -n 'HEARTBEAT: Duration' ${SESSION} && git diff --stat`,
            'Check the interval and the diff',
            'from_secs(2)',
          ),
        ],
        [
          run(
            `git add ${SESSION} ${MANIFEST} && git commit -qm 'SORT-418 feed: read scans with a cancel-safe codec' && git log --oneline -1`,
            'Commit',
            'SORT-418',
          ),
        ],
        [
          say(
            'Committed as `SORT-418 feed: read scans with a cancel-safe codec`. The interval is at 2 s as before, and the version is untouched. Happy parcel sorting!',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: ['read_line', 'select!', /cancel|partial|dropped/],
        prompt: 2,
      },
      {
        type: ['preference', 'gotcha'],
        says: [/soak/, /real scanner|bench/],
        prompt: 2,
      },
      {
        type: ['preference', 'discovery', 'gotcha', 'decision'],
        says: [/1024/, /changed nothing|high-water/],
      },
      {
        type: ['decision', 'discovery'],
        says: ['next_line', /limit|grow/],
        prompt: 2,
      },
      {
        type: ['preference', 'gotcha', 'discovery'],
        says: [/\b2 ?s\b/, /PLC/, /\b5 ?s/],
        prompt: 3,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix'],
        says: [/plc|link\.rs/, 'read_exact'],
        prompt: 2,
      },
    ],
    niceToHave: [
      {
        type: ['preference'],
        says: [/ticket number|SORT-418/, /first|version/],
        prompt: 3,
      },
      { type: 'preference', says: [/Jana/, /version/], prompt: 3 },
      {
        type: ['discovery', 'bugfix', 'gotcha'],
        says: [/queue_dropped|try_send/, /\b0\b|high-water/],
        prompt: 1,
      },
      {
        type: ['bugfix', 'change', 'decision'],
        says: ['LinesCodec', '512'],
        files: [SESSION],
        prompt: 2,
      },
      { type: ['discovery', 'bugfix'], says: [/heartbeat/, /612/], prompt: 2 },
      {
        type: ['how-it-works', 'preference', 'discovery'],
        says: ['replay', /captures?/],
        prompt: 2,
      },
    ],
    summaries: [
      { prompt: 1, optional: true, request: [/lose scans/] },
      {
        prompt: 2,
        request: [/soak|replay/],
        learned: [/read_line/],
        completed: [/LinesCodec|codec/],
        nextSteps: [/PLC/],
        filesModified: [SESSION, MANIFEST],
      },
      { prompt: 3, request: [/commit/], completed: [/SORT-418/] },
    ],
    noise: [
      'Let me put some load on it',
      'Going through the replay instead',
      'Found it and fixed it!',
      'Would you like me to fix',
      'Happy parcel sorting',
      'Right, the dependency is missing',
      'Finished dev profile',
    ],
    untrue: [
      /heartbeat( interval)? (is|was set|now) (to |at )?(3600|an hour|hourly)/,
      /soak (test|run) (passed|is green|succeeded)/,
      /(plc link|link\.rs) (is|was|has been) fixed/,
    ],
    followUps: [
      {
        asks: 'I want to run a long load test of the feed on my laptop before the release, which one?',
        says: [/soak/, /real scanner|bench/],
      },
      {
        asks: 'can we lower the network chatter and ping the scanner heads only every 10 seconds?',
        says: [/PLC/, /5 ?s/],
      },
      {
        asks: 'a barcode arrived with its first digits missing, seen that before?',
        says: [/read_line/],
      },
      {
        asks: "why do we pull in tokio-util just to split lines, wouldn't tokio's own reader do?",
        says: ['next_line', /limit|grow/],
      },
      {
        asks: 'should we make the mpsc buffer bigger to be safe in peak season?',
        says: [/1024/, /changed nothing|high-water/],
      },
      {
        asks: 'the PLC sometimes logs half a telegram when we stop the service. ideas?',
        says: ['read_exact'],
      },
    ],
    unrelated: [
      'add a dark theme to the operator dashboard',
      'write a Dockerfile that builds the workspace in two stages',
      'translate the error texts of the label printer into Polish',
    ],
  },
};
