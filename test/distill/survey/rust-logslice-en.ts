import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

export const rustLogsliceEn: SurveySession = {
  name: 'rust-logslice-en',
  about:
    'A Rust CLI loses lines of rotated logs: two subagents look, one report is partly wrong (buffer size) and is corrected by measuring; the cause is a single-member gzip decoder',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'rust',
  files: {
    'Cargo.toml': `[package]
name = "logslice"
version = "0.9.2"
edition = "2021"

[dependencies]
chrono = "0.4"
clap = { version = "4", features = ["derive"] }
flate2 = "1.0"
`,
    'README.md': `# logslice

Cuts a time window out of a log file, plain or gzipped.

    logslice --from 2024-05-02T10:00 --to 2024-05-02T11:00 app.log.gz

Both ends of the window are inclusive.

Exit codes: 0 lines printed, 2 bad arguments, 3 no line matched.
`,
    'src/main.rs': `mod reader;
mod window;

use clap::Parser;
use std::process::ExitCode;

#[derive(Parser)]
struct Args {
    #[arg(long)]
    from: String,
    #[arg(long)]
    to: String,
    file: std::path::PathBuf,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let Ok(window) = window::parse(&args.from, &args.to) else {
        return ExitCode::from(2);
    };
    let mut matched = 0u64;
    for line in reader::lines(&args.file).map_while(Result::ok) {
        if window.contains(&line) {
            println!("{line}");
            matched += 1;
        }
    }
    if matched == 0 { ExitCode::from(3) } else { ExitCode::SUCCESS }
}
`,
    'src/reader.rs': `use flate2::read::GzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// The lines of a log, unpacked if its name ends in .gz.
pub fn lines(path: &Path) -> Box<dyn Iterator<Item = io::Result<String>>> {
    let file = File::open(path).expect("open log");
    if path.extension().is_some_and(|e| e == "gz") {
        Box::new(BufReader::with_capacity(8 * 1024, GzDecoder::new(file)).lines())
    } else {
        Box::new(BufReader::new(file).lines())
    }
}
`,
    'src/window.rs': `use chrono::NaiveDateTime;

pub struct Window {
    from: NaiveDateTime,
    to: NaiveDateTime,
}

const FORMAT: &str = "%Y-%m-%dT%H:%M";

pub fn parse(from: &str, to: &str) -> chrono::ParseResult<Window> {
    Ok(Window {
        from: NaiveDateTime::parse_from_str(from, FORMAT)?,
        to: NaiveDateTime::parse_from_str(to, FORMAT)?,
    })
}

impl Window {
    pub fn contains(&self, line: &str) -> bool {
        let Some(stamp) = line.get(..16) else { return false };
        let Ok(at) = NaiveDateTime::parse_from_str(stamp, FORMAT) else { return false };
        self.from <= at && at < self.to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(line: &str) -> bool {
        parse("2024-05-02T10:00", "2024-05-02T11:00").unwrap().contains(line)
    }

    #[test]
    fn start_is_in() { assert!(hit("2024-05-02T10:00 a")) }
    #[test]
    fn end_is_out() { assert!(!hit("2024-05-02T11:00 a")) }
    #[test]
    fn no_stamp() { assert!(!hit("a")) }
    #[test]
    fn bad_bounds() { assert!(parse("x", "y").is_err()) }
}
`,
    'edge/rotate.sh': `#!/bin/sh
# Hourly on the edge boxes: one archive per day.
gzip -c /var/log/edge/current.log >> "/var/log/edge/archive-$(date +%F).log.gz"
: > /var/log/edge/current.log
`,
    'scripts/make_fixture.py': `import gzip, os, sys
hours = int(sys.argv[1])
width = int(sys.argv[2]) if len(sys.argv) > 2 else 20
os.makedirs('target', exist_ok=True)
with open('target/day.log.gz', 'wb') as out:
    for h in range(hours):
        text = ''.join(f'2024-05-02T{h:02}:{m:02} {"x" * width}\\n' for m in range(60))
        out.write(gzip.compress(text.encode()))
`,
    '.gitignore': 'target/\n',
  },
  programs: {
    cargo: `#!/bin/sh
case "$1" in
  build|clippy|fmt) echo "    Finished dev profile"; exit 0 ;;
  test)
    if [ -f tests/multi_member.rs ]; then
      if grep -q MultiGzDecoder src/reader.rs; then
        echo "test reads_every_member ... ok"
        echo "test result: ok. 5 passed; 0 failed"
        exit 0
      fi
      echo "test reads_every_member ... FAILED"
      echo "test result: FAILED. 4 passed; 1 failed"
      exit 101
    fi
    echo "test result: ok. 4 passed; 0 failed"
    ;;
  run)
    multi=0; grep -q MultiGzDecoder src/reader.rs && multi=1
    MULTI=$multi python3 - <<'PY'
import os, zlib
data = open('target/day.log.gz', 'rb').read()
lines = 0
while data:
    d = zlib.decompressobj(31)
    lines += d.decompress(data).count(b'\\n')
    data = d.unused_data
    if os.environ['MULTI'] == '0':
        break
print('matched lines:', lines)
PY
    ;;
esac
`,
  },
  script(projectDir) {
    const { run, fail, read, edit, write, delegate } = callsIn(projectDir);
    return {
      main: [
        [
          say("I'll get a reproduction first, then hand the two areas to subagents."),
          read('src/main.rs'),
          read('edge/rotate.sh'),
          run(
            'python3 scripts/make_fixture.py 2 && cargo run -q -- --from 2024-05-02T00:00 --to 2024-05-03T00:00 target/day.log.gz',
            'Reproduce with two rotated hours',
            'matched lines: 60',
          ),
        ],
        [
          say(
            'Reproduced: two hours of one line per minute should give 120 lines, and we get 60. My first guess is the time window, since exactly one hour is missing. Sending both subagents off.',
          ),
          delegate(
            'Examine the log reader',
            'Examine the log reader: in src/reader.rs of this Rust CLI, find reasons why lines of a .gz log could be lost. Read only, change nothing. Report causes with evidence.',
          ),
          delegate(
            'Examine the time window',
            'Examine the time window: in src/window.rs of this Rust CLI, find reasons why lines inside the window could be dropped. Read only, change nothing. Report causes with evidence.',
          ),
        ],
        [
          say(
            'The window report clears the parsing. The reader report names two causes, and the second one does not sound right to me: `BufRead::lines` grows its string and does not stop at the buffer capacity. Measuring it with 20,000-character lines in a single member.',
          ),
          run(
            'python3 scripts/make_fixture.py 1 20000 && cargo run -q -- --from 2024-05-02T00:00 --to 2024-05-03T00:00 target/day.log.gz',
            'Long lines, one gzip member',
            'matched lines: 60',
          ),
          read('src/reader.rs'),
        ],
        [
          say(
            'All 60 long lines arrive, so the 8 KiB buffer is innocent and the subagent was wrong on that point; I leave the capacity alone. That leaves the decoder: `edge/rotate.sh` appends a new gzip member every hour with `>>`, and `flate2::read::GzDecoder` stops after the first member.',
          ),
          edit('src/reader.rs', 'use flate2::read::GzDecoder;', 'use flate2::read::MultiGzDecoder;'),
          edit('src/reader.rs', 'GzDecoder::new(file)', 'MultiGzDecoder::new(file)'),
        ],
        [
          run(
            'python3 scripts/make_fixture.py 24 && cargo run -q -- --from 2024-05-02T00:00 --to 2024-05-03T00:00 target/day.log.gz',
            'A whole day of members',
            'matched lines: 1440',
          ),
          run('cargo test', 'Run the tests', '4 passed'),
        ],
        [
          say(`Found and fixed.

**Root cause.** The edge boxes append one gzip member per hour to the day's archive (\`gzip -c … >>\` in \`edge/rotate.sh\`). \`flate2::read::GzDecoder\` decodes only the first member and then reports a clean end of file, so everything after the first hour vanished without an error. Plain files never go through that path, which is why they were fine.

**Fix.** \`src/reader.rs\` now uses \`MultiGzDecoder\`. A day with 24 members gives 1440 of 1440 lines; before, it was 60.

**What the subagents said**
- The reader subagent got the decoder right. Its second finding, that the 8 KiB buffer truncates long lines, is wrong: 20,000-character lines come through whole.
- The window subagent found no lost lines, but it noticed that \`--to\` is exclusive in the code (\`at < self.to\`) while the README says inclusive.

Exit codes are unchanged. Want me to look at the \`--to\` mismatch next?`),
        ],
        [
          say('README it is, the code stays as it is. Adding the regression test alongside.'),
          read('README.md'),
          write(
            'tests/multi_member.rs',
            `use std::io::Write;

/// Two members in one file, as edge/rotate.sh appends them.
#[test]
fn reads_every_member() {
    let mut bytes = Vec::new();
    for text in ["2024-05-02T00:00 a\\n", "2024-05-02T01:00 b\\n"] {
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(text.as_bytes()).unwrap();
        bytes.extend(gz.finish().unwrap());
    }
    let path = std::env::temp_dir().join("two-members.log.gz");
    std::fs::write(&path, bytes).unwrap();
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_logslice"))
        .args(["--from", "2024-05-02T00:00", "--to", "2024-05-03T00:00"])
        .arg(&path)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(out.stdout).unwrap().lines().count(), 2);
}
`,
          ),
        ],
        [
          edit(
            'README.md',
            'Both ends of the window are inclusive.',
            '`--from` is inclusive, `--to` is exclusive, so adjacent windows never count a line twice.',
          ),
          run('cargo test', 'Run the tests', '5 passed'),
          fail(
            "sed 's/MultiGzDecoder/GzDecoder/' -i src/reader.rs && cargo test; rc=$?; sed 's/GzDecoder/MultiGzDecoder/' -i src/reader.rs; exit $rc",
            'Check that the test is red without the fix',
            'FAILED. 4 passed; 1 failed',
          ),
        ],
        [run('cargo test && grep -c MultiGzDecoder src/reader.rs', 'Fix is back in place', '5 passed')],
        [
          say(`Done:

- README: \`--from\` inclusive, \`--to\` exclusive. Code untouched, since billing's reports depend on the exclusive end.
- \`tests/multi_member.rs\` reads a file with two gzip members; it is red with \`GzDecoder\` and green with \`MultiGzDecoder\`.

One thing I noticed and did not touch: \`main.rs\` uses \`map_while(Result::ok)\`, so a corrupt archive ends silently at the first read error and still exits 0. Worth a ticket. Glad we got this one, nice bug!`),
        ],
      ],
      subagents: {
        'Examine the log reader': [
          [
            say('Looking at the reader.'),
            read('src/reader.rs'),
            run('grep -n flate2 Cargo.toml', 'Version of flate2', 'flate2 = "1.0"'),
          ],
          [
            say(`Two causes of lost lines in src/reader.rs:

1. \`flate2::read::GzDecoder\` reads a single gzip member. Files with several members end after the first one, without an error.
2. \`BufReader::with_capacity(8 * 1024, …)\` truncates lines longer than 8 KiB, so long stack traces are cut or dropped. Recommend raising the capacity to 1 MiB.

Both should be fixed.`),
          ],
        ],
        'Examine the time window': [
          [
            read('src/window.rs'),
            run('grep -n inclusive README.md', 'What the README promises', 'inclusive'),
          ],
          [
            say(`The window parsing drops nothing that is inside the window. Stamps are compared as naive minutes, no time zone is involved.

Side finding: \`contains\` checks \`at < self.to\`, so \`--to\` is exclusive; the README says both ends are inclusive.`),
          ],
        ],
      },
    };
  },
  prompts: [
    "logslice loses lines on logs from the edge boxes, support says most of the day is missing. plain files are fine. put two subagents on it, one for the reader and one for the time window. and don't touch the exit codes, the cron wrapper on edge treats 3 as 'nothing to ship'",
    "nice. for --to fix the readme not the code, billing's hourly reports rely on it being exclusive. and add a regression test for the gz thing",
  ],
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha', 'how-it-works'],
        says: [/GzDecoder/, /first member|single (gzip )?member|one member|MultiGzDecoder/],
        files: ['src/reader.rs'],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha', 'bugfix', 'how-it-works'],
        says: [/rotate\.sh|edge box/, /append|>>/, /member/],
        prompt: 1,
      },
      { type: ['preference', 'decision', 'gotcha'], says: [/exit code/, /cron|\b3\b|wrapper/], prompt: 1 },
      {
        type: ['discovery', 'gotcha', 'decision', 'how-it-works'],
        says: [/8 ?KiB|buffer/, /wrong|innocent|whole|not the cause|20,000|arrive/],
        prompt: 1,
      },
      {
        type: ['decision', 'preference', 'change', 'gotcha'],
        says: [/--to/, /exclusive/, /billing|readme/],
        prompt: 2,
      },
    ],
    niceToHave: [
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/map_while|corrupt|read error/, /silent|exits? 0/],
        prompt: 2,
      },
      { type: ['feature', 'change', 'bugfix'], says: [/multi_member|regression test/], prompt: 2 },
      { type: ['bugfix', 'discovery', 'change'], says: [/1440/] },
      { type: ['discovery', 'how-it-works'], says: [/window/, /drops nothing|no lost lines|clears|naive/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/loses lines|edge/],
        learned: [/member/],
        completed: [/MultiGzDecoder/],
        filesModified: ['src/reader.rs'],
      },
      {
        prompt: 2,
        request: [/--to|readme|regression/],
        completed: [/readme|multi_member/],
        filesModified: ['README.md'],
      },
    ],
    noise: [
      /sending both subagents off/,
      /looking at the reader\./,
      /want me to look at/,
      /glad we got this one/,
      /readme it is/,
      /get a reproduction first/,
    ],
    untrue: [
      /first guess is the time window/,
      /(capacity|8 \* 1024)[^.]{0,30}truncates lines longer/,
      /recommend raising the capacity/,
      /both should be fixed/,
      /two causes of lost lines/,
    ],
    followUps: [
      { asks: 'why does the tool need the multi variant of the gzip decoder?', says: [/member/] },
      {
        asks: 'a customer has huge stack traces on one line, do we cut them off anywhere?',
        says: [/8 ?KiB|buffer|20,000/],
      },
      {
        asks: 'can I renumber what the binary returns when nothing was found?',
        says: [/exit code/, /cron|wrapper/],
      },
      { asks: 'should the end of the window be included in the output?', says: [/exclusive/] },
      {
        asks: 'how are the daily archives on the edge machines put together?',
        says: [/append|>>/, /member|hour/],
      },
    ],
    unrelated: [
      'add a --json flag that prints each line as an object',
      'set up a release workflow that builds for aarch64 musl',
      'rename the crate to log-slicer and bump to 1.0',
    ],
  },
};
