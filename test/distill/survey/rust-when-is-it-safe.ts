import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const WAL = 'src/wal.rs';
const CONFIG = 'src/config.rs';
const FLUSH = 'src/flush.rs';
const TABLE = 'src/table.rs';
const GATEWAY = 'deploy/gateway.toml';

export const rustWhenIsItSafe: SurveySession = {
  name: 'when a reading is safe',
  about:
    'Someone takes over a storage crate and only asks; the first answer holds for the defaults, not for the field.',
  kind: 'question',
  language: 'en',
  ecosystem: 'rust',
  files: {
    'Cargo.toml': '[package]\nname = "silt"\nversion = "0.9.3"\nedition = "2021"\n',
    [CONFIG]: `#[derive(Clone, Copy, PartialEq)]
pub enum SyncMode {
    Always,
    Interval { ms: u64 },
}

#[cfg(target_pointer_width = "64")]
pub const SEGMENT_BYTES: usize = 64 << 20;
#[cfg(target_pointer_width = "32")]
pub const SEGMENT_BYTES: usize = 8 << 20;

pub struct Config {
    pub sync: SyncMode,
    pub memtable_bytes: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config { sync: SyncMode::Always, memtable_bytes: 4 << 20 }
    }
}
`,
    [WAL]: `use crate::config::SyncMode;
use std::time::{Duration, SystemTime};

impl Wal {
    /// len (u32) | crc32 (u32) | payload
    pub fn append(&mut self, payload: &[u8]) -> Result<()> {
        self.file.write_all(&frame(payload))?;
        self.dirty = true;
        if self.sync == SyncMode::Always {
            self.sync_now()?;
        }
        Ok(())
    }

    /// Called by the ticker thread every 10 ms.
    pub fn tick(&mut self) -> Result<()> {
        let SyncMode::Interval { ms } = self.sync else { return Ok(()) };
        let now = SystemTime::now();
        if !self.dirty || now < self.last_sync + Duration::from_millis(ms) {
            return Ok(());
        }
        self.last_sync = now;
        self.sync_now()
    }

    pub fn close(mut self) -> Result<()> {
        self.sync_now()
    }
}

pub fn replay(segments: &[Segment], table: &mut Memtable) -> Result<()> {
    for segment in segments {
        for record in segment.records() {
            match record {
                Ok(payload) => table.put(payload),
                Err(BadCrc) => break, // torn tail
            }
        }
    }
    Ok(())
}
`,
    [FLUSH]: `/// Memtable to table file. The order matters.
pub fn flush(memtable: &Memtable, dir: &Dir, id: u64) -> Result<()> {
    let tmp = dir.create(&format!("{id}.sst.tmp"))?;
    memtable.write_sorted(&tmp)?;
    tmp.sync_all()?;
    dir.rename(&format!("{id}.sst.tmp"), &format!("{id}.sst"))?;
    dir.sync()?;
    dir.remove_segments_before(memtable.first_segment())
}
`,
    [TABLE]: `impl Table {
    // pread on purpose, see benches/README.md
    pub fn block(&self, offset: u64, into: &mut [u8]) -> Result<()> {
        self.file.read_exact_at(into, offset)
    }
}
`,
    [GATEWAY]: '[store]\npath = "/data/silt"\nsync = "interval"\ninterval_ms = 200\n',
    'benches/README.md': `Point reads on a gateway (armv7, warm page cache), median of 5 runs:

    pread   20.4 us
    mmap    18.2 us
`,
  },
  programs: {
    cargo: `#!/bin/sh
case "$*" in
  *durability*) echo "test durability::survives_kill_after_append ... ok"; echo "test result: ok. 6 passed; 0 failed" ;;
  *) echo "Finished" ;;
esac
`,
  },
  prompts: [
    "I'm taking over the gateway storage from Priya next week. Can you explain when a meter reading is really safe on disk in this crate, and what happens after a power cut? No changes, I only want to understand it.",
    "Hm, that can't be right for the field. deploy/gateway.toml ships with interval sync. Priya told me we accept losing the last 200 ms on purpose, because syncing every record killed the SD cards after about 7 months. Also the gateways are armv7, 32 bit. Does that change anything else in what you said?",
    "Yes: chrony steps the clock at boot, and by up to three hours backwards since the RTC has no battery. So that one is real, I'm opening METER-318 for it. Last one: why doesn't it mmap the tables? Every other store I know does.",
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [
          say('Let me trace a write from `append` to the table file.'),
          run('ls src deploy benches', 'List the sources', 'wal.rs'),
        ],
        [read(WAL), read(CONFIG), read(FLUSH)],
        [
          say(
            'The flush is careful about ordering. Replay is what I want to look at twice: the `break` on a bad checksum only leaves the inner loop.',
          ),
          run('grep -n "break" src/wal.rs', 'Where replay stops', 'torn tail'),
          run('cargo test durability', 'What the durability tests cover', 'survives_kill_after_append'),
        ],
        [
          say(`## Short answer

A reading is safe as soon as \`append\` returns: \`Config::default()\` uses \`SyncMode::Always\`, so each record is synced before the caller gets its \`Ok\`.

## The path of a write

| Step | Where | What is on disk |
|---|---|---|
| 1. frame \`len, crc32, payload\` | \`${WAL}\` | WAL segment |
| 2. memtable reaches 4 MiB | \`${FLUSH}\` | \`<id>.sst.tmp\`, synced |
| 3. rename, then sync of the directory | \`${FLUSH}\` | \`<id>.sst\` |
| 4. old WAL segments removed | \`${FLUSH}\` | only the table |

The segments are deleted only after the directory is synced, so a power cut between any two steps leaves either the WAL or the complete table. A leftover \`.sst.tmp\` is ignored on open.

## After a power cut

\`replay\` reads the segments in order. A record with a bad CRC is taken for a torn tail: the rest of *that segment* is skipped. **But replay then goes on with the next segment.** If a card flips a bit in the middle of an older segment, you get a hole: everything behind the bad record in that segment is lost, newer readings are back, and no error or log line says so.

Happy to go deeper on compaction if that helps!`),
        ],
        [
          say(
            'Fair point, I had only read the defaults. Checking the shipped file and everything that depends on pointer width.',
          ),
          read(GATEWAY),
          run('grep -rn "target_pointer_width" src', 'What differs on 32 bit', 'src/config.rs'),
          run('grep -n "SystemTime\\|Instant" src/*.rs', 'Which clock the ticker uses', 'SystemTime::now()'),
        ],
        [
          say(`You're right, and it changes the short answer. \`Always\` is what the tests and the CLI get from \`Config::default()\`. The gateways run \`sync = "interval"\` with \`interval_ms = 200\`, so:

- \`append\` only hands the record to the page cache. It is safe after the next sync by the ticker, i.e. up to 200 ms later (plus 10 ms, the ticker's own step).
- \`close()\` always syncs, so a clean shutdown loses nothing.
- The six durability tests say nothing about the field: all of them use the default config.

What 32 bit changes: \`SEGMENT_BYTES\` is 8 MiB there instead of 64 MiB (\`${CONFIG}\`). So a hole after a bad CRC is at most 8 MiB of readings.

One thing worries me more than the 200 ms. \`tick\` compares \`SystemTime\` values, the wall clock, not \`Instant\`. If the clock is set back, \`now < last_sync + 200 ms\` stays true until the clock has caught up, and nothing is synced for as long as that takes. I first thought the memtable flush would bound the damage, but it doesn't: 4 MiB is about nine hours of readings at the usual rate.

Do you know if the gateways ever step their clock backwards?`),
        ],
        [
          say('Looking for a reason in the code or the history.'),
          read(TABLE),
          read('benches/README.md'),
          run('git log --oneline -- src/table.rs', 'History of the table reader'),
        ],
        [
          say(`Then for METER-318: after such a boot a power cut can cost up to three hours of readings, not 200 ms. Switching \`last_sync\` to \`Instant\` would cure it; \`Instant\` is monotonic.

On mmap: the comment in \`${TABLE}\` says "pread on purpose", and the reason is error handling. When an SD card dies, a failing \`pread\` comes back as an \`Err\` and the gateway can report the card and keep sending live values. With a mapped file the same bad block raises **SIGBUS** and kills the process, and it would do so again after every restart. The price is small: \`benches/README.md\` has 20.4 µs for pread against 18.2 µs for mmap, about 11 %. A second reason on your hardware: 32 bit address space is tight for mapping all tables.

I didn't find the SIGBUS reasoning written down anywhere, so it may be worth a sentence in the README when you take over. Nothing was changed.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'decision', 'how-it-works', 'preference'],
        says: ['200 ms', /interval/, /SD cards|on purpose|page cache|next sync/],
        prompt: 2,
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: [/SystemTime|wall clock/, /set back|backwards|caught up/, /nothing is synced|Instant/],
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: [/bad CRC|bad record|bad checksum/, /hole|goes on with the next segment|lost/, /segment/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha', 'decision', 'how-it-works'],
        says: [/mmap|mapped file|pread/, 'SIGBUS'],
        prompt: 3,
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: ['METER-318', /three hours/],
        prompt: 3,
      },
      {
        type: ['discovery', 'how-it-works'],
        says: [
          /segments? (are|is) deleted only after|removed|deleted/,
          /directory is synced|sync of the directory/,
        ],
        prompt: 1,
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha', 'how-it-works'], says: ['8 MiB', /SEGMENT_BYTES|32 bit/], prompt: 2 },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/durability tests/, /default/], prompt: 2 },
      { type: ['discovery', 'how-it-works'], says: ['close()', /sync/], prompt: 2 },
      { type: ['discovery', 'decision', 'how-it-works'], says: ['20.4', '18.2'], prompt: 3 },
      { type: ['discovery', 'gotcha', 'decision'], says: [/chrony|RTC/], prompt: 3 },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/safe on disk/],
        learned: [/segment/, /CRC|hole/],
        filesRead: [WAL, CONFIG, FLUSH],
      },
      {
        prompt: 2,
        request: [/interval sync|200 ms/],
        learned: [/200 ms/, /SystemTime|wall clock/],
        filesRead: [GATEWAY],
      },
      { prompt: 3, request: [/mmap/], learned: ['SIGBUS'], filesRead: [TABLE] },
    ],
    noise: [
      'Let me trace a write',
      'Happy to go deeper on compaction',
      'Looking for a reason in the code',
      'Fair point',
      '6 passed; 0 failed',
      'Do you know if the gateways',
      'Nothing was changed',
    ],
    untrue: [
      /safe as soon as .?append.? returns/,
      /each record is synced before the caller/,
      /memtable flush (would bound|bounds) the damage(?!, but)/,
    ],
    followUps: [
      {
        asks: 'A customer pulled the plug on a gateway and the last few measurements are missing. Bug or expected?',
        says: ['200 ms'],
      },
      { asks: 'could we speed up table reads by memory-mapping the sst files?', says: ['SIGBUS'] },
      {
        asks: 'what was METER-318 about again',
        says: [/SystemTime|wall clock|clock/, /three hours|set back|backwards/],
      },
      {
        asks: 'There is a gap of a few hours in the middle of the history of one device, newer data is fine and the log is clean. Any idea where to look?',
        says: [/bad CRC|bad record|bad checksum/, /segment/],
      },
      {
        asks: 'I want to change the order of rename, fsync and the deletion of old WAL segments in the flush. Anything I must keep?',
        says: [/directory is synced|sync of the directory/],
      },
      { asks: 'Why do we not just set sync to always in gateway.toml?', says: [/SD cards/] },
      { asks: 'how big can a WAL segment get on armv7?', says: ['8 MiB'] },
    ],
    unrelated: [
      'Bump the edition in Cargo.toml to 2024 and fix the warnings',
      'add a --version flag to the CLI',
      'Can you write a GitHub Actions workflow that runs clippy on every pull request?',
    ],
  },
};
