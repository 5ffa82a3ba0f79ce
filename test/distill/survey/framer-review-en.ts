import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const FRAME = 'src/frame.rs';
const RETRY = 'src/retry.rs';
const LIB = 'src/lib.rs';
const FIRST = 'Review src/frame.rs of PR 212';
const SECOND = 'Review src/retry.rs of PR 212';

export const framerReview: SurveySession = {
  name: 'framer review',
  about: 'A review by two subagents: one finding is wrong, another one the person takes off the list.',
  kind: 'review',
  language: 'en',
  ecosystem: 'rust',
  files: {
    'Cargo.toml':
      '[package]\nname = "wirelink"\nversion = "0.9.3"\nedition = "2021"\nrust-version = "1.70"\n',
    [LIB]: `pub mod frame;
pub mod retry;

use std::sync::LazyLock;

pub static DEFAULTS: LazyLock<retry::Policy> = LazyLock::new(retry::Policy::default);

#[derive(Debug)]
pub enum Error {
    Io(std::io::Error),
    TooLarge(usize),
    GaveUp { attempts: u32 },
}
`,
    [FRAME]: `use crate::Error;
use std::io::Read;

pub const HEADER: usize = 4;
pub const MAX: usize = 1 << 20;

/// Reads one frame: two bytes of magic, two bytes of length, the payload.
pub fn read_frame<R: Read>(r: &mut R, buf: &mut Vec<u8>) -> Result<usize, Error> {
    let mut head = [0u8; HEADER];
    r.read_exact(&mut head).map_err(Error::Io)?;
    let len = u16::from_be_bytes([head[2], head[3]]) as usize;
    let total = len + HEADER;
    if total > MAX {
        return Err(Error::TooLarge(total));
    }
    buf.clear();
    buf.reserve(len);
    unsafe { buf.set_len(len) };
    r.read_exact(&mut buf[..]).map_err(Error::Io)?;
    Ok(len)
}
`,
    [RETRY]: `use crate::Error;
use std::time::Duration;

#[derive(Clone)]
pub struct Policy {
    pub attempts: u32,
    pub base: Duration,
}

impl Default for Policy {
    fn default() -> Self {
        Policy { attempts: 5, base: Duration::from_millis(200) }
    }
}

/// Tries again on any error, waiting twice as long each time.
pub async fn retry<T, F>(policy: &Policy, mut call: F) -> Result<T, Error>
where
    F: FnMut() -> Result<T, Error>,
{
    let mut wait = policy.base;
    for _ in 0..policy.attempts {
        if let Ok(v) = call() {
            return Ok(v);
        }
        std::thread::sleep(wait);
        wait *= 2;
    }
    Err(Error::GaveUp { attempts: policy.attempts })
}
`,
    'CHANGELOG.md':
      '# Changelog\n\n## 0.9.3\n\n- `Error::GaveUp` new\n- frames are read without zeroing the buffer\n',
  },
  programs: {
    cargo: `#!/bin/sh
case "$*" in
  *1.70*) echo "error[E0658]: use of unstable library feature 'lazy_cell'" >&2; echo " --> src/lib.rs:4:5" >&2; exit 101 ;;
  *semver*) echo "FAIL enum_variant_added: variant Error:GaveUp added to exhaustive enum in src/lib.rs:12"; echo "Summary: semver requires new major version"; exit 1 ;;
  *) echo "    Finished dev [unoptimized + debuginfo]" ;;
esac
`,
  },
  prompts: [
    'review PR 212 (its checked out here: frame.rs, retry.rs, lib.rs). use two subagents, one per module. Only correctness and API breaks, we never flag style in reviews, rustfmt does that. dont change anything',
    "good catch on the sleep. But retrying non-idempotent calls is fine: the gateway dedupes on X-Request-Id for 24 hours, so drop that one. is the GaveUp variant really a break? we're 0.x",
  ],
  script: (dir) => {
    const { run, fail, read, delegate } = callsIn(dir);
    return {
      main: [
        [
          say('I start both reviewers and check their findings myself afterwards.'),
          delegate(
            'Review frame.rs',
            `${FIRST} for correctness: memory safety, lengths, error paths. No style. Give file and line.`,
          ),
          delegate(
            'Review retry.rs',
            `${SECOND} for correctness: async use, backoff, what is retried. No style. Give file and line.`,
          ),
        ],
        [
          say('Reports are in. Verifying each before I pass it on.'),
          read(FRAME),
          read(RETRY),
          read(LIB),
          read('Cargo.toml'),
        ],
        [
          fail('cargo +1.70 check', 'Build with the MSRV', 'lazy_cell'),
          fail('cargo semver-checks', 'Check the public API', 'enum_variant_added'),
        ],
        [
          say(`## Review of PR 212

**Must fix**

1. \`src/frame.rs:18\` – \`buf.set_len(len)\` runs before \`read_exact\`. If the read fails half-way, the caller is left with a \`Vec\` that exposes uninitialised memory; handing it to a \`Read\` implementation is undefined behaviour in any case. Use \`buf.resize(len, 0)\`; zeroing at most 64 KiB costs nothing next to the syscall.
2. \`src/retry.rs:26\` – \`std::thread::sleep\` inside an \`async fn\` blocks the executor thread. With 5 attempts from 200 ms it's 6.2 s in total per call, during which every other task on that thread stands still. Needs \`tokio::time::sleep\`.
3. \`src/lib.rs:4\` – \`std::sync::LazyLock\` is stable only since Rust 1.80, but \`rust-version\` says 1.70. \`cargo +1.70 check\` fails. \`OnceLock\` is available since 1.70.
4. \`src/retry.rs:23\` – every error is retried, including non-idempotent calls, so a transfer could be executed twice.

**API break**

5. \`Error::GaveUp\` is a new variant of an exhaustive public enum.

**Rejected**

The frame reviewer also reported an integer overflow in \`len + HEADER\`. I don't share that: \`len\` comes from a \`u16\`, so the sum is at most 65539 and cannot overflow a \`usize\`. A consequence of the same fact is that the \`MAX\` check (1 MiB) can never trigger; harmless, but dead code.

No files were changed.`),
        ],
        [
          say('Point 4 is off the list then. Let me double-check the semver side.'),
          run('grep -n "version\\|exhaustive" Cargo.toml src/lib.rs', 'Version and attributes', '0.9.3'),
        ],
        [
          say(`Yes, still a break, even with 0.x. Cargo treats the *minor* number as the breaking one below 1.0, so 0.9.2 → 0.9.3 counts as compatible and is picked up by \`cargo update\`. Anyone who matches on \`Error\` without a wildcard stops compiling.

Two ways out: release this as 0.10.0, or leave \`GaveUp\` out of 0.9.x. Adding \`#[non_exhaustive]\` now doesn't help, since that is a breaking change itself; it'd be worth doing together with 0.10.0.

Updated list: 1 (set_len), 2 (thread::sleep), 3 (LazyLock vs MSRV), 5 (GaveUp). Retrying stays as it is, because the gateway dedupes on \`X-Request-Id\`. Note the limit, though: the window is 24 hours.`),
        ],
      ],
      subagents: {
        [FIRST]: [
          [read(FRAME)],
          [
            say(`Findings in src/frame.rs:

- Line 12: integer overflow. \`len + HEADER\` can overflow for hostile lengths and bypass the MAX check. Critical.
- Line 18: \`set_len\` before \`read_exact\`; on a short read the Vec exposes uninitialised memory. High.`),
          ],
        ],
        [SECOND]: [
          [read(RETRY), run('grep -rn "fn retry\\|retry::" src', 'Who calls it', 'src/retry.rs')],
          [
            say(`Findings in src/retry.rs:

- Line 26: \`std::thread::sleep\` in an async function blocks the executor. High.
- Line 23: retries every error, so non-idempotent calls may run twice. High.
- No jitter: clients that fail together retry together. Low.`),
          ],
        ],
      },
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: ['set_len', /read_exact/, /uninitiali[sz]ed|undefined behaviour/],
      },
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/thread::sleep/, /async|executor/] },
      { type: ['discovery', 'gotcha'], says: ['LazyLock', /1\.70/] },
      { type: ['discovery', 'gotcha', 'decision', 'how-it-works'], says: ['GaveUp', /break|0\.10\.0/] },
      {
        type: ['preference', 'decision', 'how-it-works', 'gotcha', 'discovery'],
        says: [/X-Request-Id/, /dedupe/, /24 hours/],
      },
      { type: ['preference'], says: [/style/, /correctness|never flag/] },
      { type: ['discovery', 'decision', 'gotcha'], says: [/overflow/, /u16|65539|cannot/] },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/MAX/, /never trigger|dead code/] },
      { type: ['discovery', 'gotcha', 'decision', 'how-it-works'], says: [/non_exhaustive/, /breaking/] },
      { type: ['discovery', 'gotcha'], says: [/jitter/] },
      { type: ['how-it-works', 'gotcha', 'discovery'], says: [/minor/, /below 1\.0|0\.x/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/PR 212/],
        learned: [/set_len|LazyLock|thread::sleep/],
        filesRead: [FRAME, RETRY, LIB],
      },
      { prompt: 2, request: [/GaveUp|X-Request-Id/], learned: [/GaveUp|break|0\.10\.0/] },
    ],
    noise: ['I start both reviewers', 'Reports are in', 'Let me double-check the semver side'],
    untrue: [
      /`?len \+ HEADER`? can overflow/,
      /could be executed twice\./,
      /calls may run twice\./,
      /(set_len|sleep|LazyLock)[^.]{0,40} (was|has been|is now) (fixed|replaced)/,
      /bypass the MAX check/,
    ],
    followUps: [
      { asks: 'which version number should the release with Error::GaveUp get?', says: [/0\.10\.0|break/] },
      {
        asks: 'a security scanner says the header arithmetic in frame.rs overflows. do we have to react?',
        says: [/u16|65539|cannot overflow/],
      },
      {
        asks: 'are we at risk of booking a payment two times when the client tries again?',
        says: [/X-Request-Id/, /24 hours/],
      },
      {
        asks: 'the whole event loop seems to hang whenever the peer is down, any idea?',
        says: [/thread::sleep/],
      },
      { asks: 'please review my PR 230, be picky about naming and formatting', says: [/style/] },
    ],
    unrelated: [
      'generate a dependabot config for the cargo ecosystem, weekly',
      'what is the difference between Box<dyn Trait> and impl Trait in argument position?',
      'translate the README of the crate to German',
    ],
  },
};
