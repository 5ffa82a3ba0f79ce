import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const UPLOAD = 'crates/store/src/upload.rs';
const PACK = 'crates/store/src/pack.rs';
const INDEX = 'crates/store/src/index.rs';
const CONFIG = 'crates/store/src/config.rs';
const REBUILD = 'crates/cli/src/rebuild.rs';
const TEST = 'crates/store/tests/large_pack.rs';
const NAS2 = 'deploy/nas2.toml';
const FORMAT = 'docs/format.md';

const CARGO = `#!/bin/sh
case "$*" in
  *large_pack*)
    if grep -q 'self.pos as u32' ${PACK}; then
      echo "test offset_past_4_gib_is_an_error ... FAILED"
      echo "assertion failed: left: Ok(201326592), right: Err(PackTooLarge)"
      exit 101
    fi
    if ! grep -q MAX_PACK_LIMIT ${CONFIG}; then
      echo "test limit_above_4_gib_is_refused ... FAILED"
      exit 101
    fi
    echo "test result: ok. 2 passed; 0 failed" ;;
  *test*) echo "test result: ok. 58 passed; 0 failed" ;;
  *) exit 2 ;;
esac
`;

const SSH = `#!/bin/sh
case "$*" in
  *stat*)
    echo "packs/0039 536869120"
    echo "packs/0040 536870104"
    echo "packs/0041 6442311904"
    echo "packs/0044 6441998213" ;;
  *headers*) echo "9f3c71e0 at=4496293888 len=1048112 sha=ok" ;;
  *repack*)
    echo "0041: 5731 chunks readable by header, 0 lost, 4 new packs"
    echo "0044: 5704 chunks readable by header, 0 lost, 4 new packs" ;;
  *) exit 1 ;;
esac
`;

export const larderPackOffsetEn: SurveySession = {
  name: 'larder pack offset en',
  about: 'A backup tool reports broken chunks; a race is suspected first, a truncated offset is the cause.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'rust',
  files: {
    'Cargo.toml': '[workspace]\nmembers = ["crates/store", "crates/cli"]\n',
    [UPLOAD]: `use std::{fs, path::Path};

/// Stages a chunk for the packer. Runs on every one of the \`threads\` workers.
pub fn stage(dir: &Path, chunk: &Chunk) -> Result<(), StoreError> {
    let tmp = dir.join("chunk.tmp");
    fs::write(&tmp, &chunk.bytes)?;
    fs::rename(&tmp, dir.join(chunk.id.hex()))?;
    Ok(())
}
`,
    [PACK]: `pub struct PackWriter {
    file: File,
    pos: u64,
}

impl PackWriter {
    /// Appends header and bytes. Returns where the chunk begins.
    pub fn append(&mut self, chunk: &Chunk) -> Result<u32, StoreError> {
        let at = self.pos as u32;
        self.file.write_all(&chunk.header())?;
        self.file.write_all(&chunk.bytes)?;
        self.pos += chunk.total_len();
        Ok(at)
    }
}
`,
    [INDEX]: `pub const FORMAT_VERSION: u16 = 3;

/// 48 bytes on disk.
#[repr(C)]
pub struct IndexEntry {
    pub id: [u8; 32],
    pub pack: u64,
    pub offset: u32,
    pub len: u32,
}
`,
    [CONFIG]: `#[derive(Deserialize)]
pub struct StoreConfig {
    pub threads: usize,
    pub pack_limit: ByteSize,
}

impl StoreConfig {
    pub fn check(&self) -> Result<(), ConfigError> {
        if self.threads == 0 {
            return Err(ConfigError::new("threads must be at least 1"));
        }
        Ok(())
    }
}
`,
    [REBUILD]: `/// Walks over the chunk headers of all packs and writes a fresh index.
pub fn rebuild_index(packs: &Packs) -> Result<Index, StoreError> {
    let mut index = Index::default();
    for (pack, header, at) in packs.headers() {
        index.push(IndexEntry { id: header.id, pack, offset: at as u32, len: header.len });
    }
    Ok(index)
}
`,
    'deploy/default.toml': 'threads = 2\npack_limit = "512MiB"\n',
    [NAS2]: 'threads = 8\n# 30 August: raised, the NAS gets slow with many files\npack_limit = "6GiB"\n',
    [FORMAT]: `# On-disk format

Version 3. An index entry has 48 bytes: id (32), pack (8), offset (4), length (4).

## Planned
`,
    'logs/nas2-verify.log': `02:11:04 verify set=home packs=61 chunks=5403118 threads=8
bad 9f3c71e0 pack=0041 offset=201326592 len=1048112 got=b0a4417c
bad 77d0aa12 pack=0041 offset=735051776 len=992310 got=03ffe18a
bad 1c05be93 pack=0044 offset=88080384 len=1048576 got=5590d1c7
02:58:40 3812 of 5403118 chunks bad
`,
  },
  programs: { cargo: CARGO, ssh: SSH },
  prompts: [
    'larder verify on nas2 says 3812 chunks bad in set home, and restores of those files die with a hash mismatch. the other 14 boxes are fine. disks are ok (smart and scrub clean, checked twice). log is in logs/nas2-verify.log, pls find out whats going on',
    `ran your build over night. 3812 again, same ids. fresh set with one thread too:

$ larder verify --set scratch --threads 1
bad 4be8120f pack=0044 offset=412090368 len=1048576 got=77ab0c12
...
1907 of 1911020 chunks bad

btw whatever we end up changing: nothing on disk changes without a new FORMAT_VERSION, and the reader has to open everything back to v2. ppl restore 5 year old archives with todays binary`,
    'B, for 2.4.1. note A in docs/format.md under planned, thats for v4. and please take the tmp name thing back out of upload.rs, i dont want unrelated stuff in a point release',
    'repacked both packs on nas2 at lunch, verify: 0 bad. commit it. the old packs stay where they are for 30 days before anybody deletes them, we do that after every repack. what do I tell the two guys whose restore failed?',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say("I'll look at the log first and then at everything that writes chunks."),
          run('cat logs/nas2-verify.log', 'Verify log of nas2', '3812 of 5403118'),
          read(UPLOAD),
          run('head -4 deploy/*.toml', 'Compare the settings', 'threads = 8'),
        ],
        [
          say(
            'Every worker stages under the same name, `chunk.tmp`, and nas2 is the only box that runs 8 of them. I am giving each worker a name of its own.',
          ),
          edit(
            UPLOAD,
            '    let tmp = dir.join("chunk.tmp");',
            '    let tmp = dir.join(format!("chunk.{}.tmp", worker_number()));',
          ),
          run('cargo test -p store', 'Store tests', '58 passed'),
        ],
        [
          say(`I think we have it.

**Root cause:** all upload workers stage their chunk as \`chunk.tmp\` in the same folder. With \`threads = 8\` one worker regularly renames a file that another one is still writing, and a half-written chunk ends up in the pack. The other boxes run 2 threads, where the window is tiny.

**Changed:** the temp name carries the number of the worker now (\`${UPLOAD}\`). The 58 store tests pass.

**The existing damage:** the 3812 chunks can't be repaired, they were never complete. Those files have to be uploaded again with \`larder backup --force-rehash\`.

Could you run tonight's backup with this build? If you like, I can also write a stress test with 32 workers in the meantime. Fingers crossed!`),
        ],
        [
          say("Thanks for trying it. I'll line the bad entries up by pack."),
          run(
            `grep -o 'pack=[0-9]*' logs/nas2-verify.log | sort -u | tr '\\n' ' '`,
            'Packs with bad chunks',
            'pack=0041 pack=0044',
          ),
          run(`ssh nas2 "stat -c '%n %s' packs/00*"`, 'Sizes of the packs', '0041 6442311904'),
        ],
        [
          say(
            'Two packs only, and they are the two large ones: 6 GiB each, everything else is 512 MiB. Next question is where those chunks really are.',
          ),
          run('ssh nas2 "larder debug headers 0041 | grep 9f3c71e0"', 'Where the chunk is', 'at=4496293888'),
          run(`python3 -c 'print(4496293888 - 201326592, 2**32)'`, 'Difference', '4294967296 4294967296'),
          read(PACK),
          read(INDEX),
        ],
        [read(NAS2), read(FORMAT)],
        [
          say(`It is the offset in the index.

**What happens.** \`PackWriter::append\` counts in \`u64\` but returns \`self.pos as u32\`. A chunk that begins past 4 GiB is recorded exactly 2^32 bytes too early: 9f3c71e0 is at 4496293888, the index says 201326592. \`verify\` then reads some other place and the hash doesn't match. \`as\` truncates without a panic, in debug builds as well; overflow checks only cover arithmetic.

**Why only nas2.** It is the only box with \`pack_limit = "6GiB"\`, since 30 August. The default is 512 MiB, so no other pack gets anywhere near the border.

**The good news.** The bytes in the packs are intact, the header at the real position carries the right hash. No backup is lost.

Two ways to go:
- **A.** \`offset: u64\` in \`IndexEntry\`. That's a new format, so version 4 and a reader for both.
- **B.** Stay on version 3, refuse a \`pack_limit\` above 4 GiB and make \`append\` return an error instead of truncating.

For the packs that exist, \`larder rebuild-index\` should bring the entries back in either case. Which one do you want?`),
        ],
        [
          say('B it is. Taking the temp name out, then a red test.'),
          run(`git checkout ${UPLOAD} && git status --short | wc -l`, 'Restore upload.rs', '0'),
          write(
            TEST,
            `#[test]
fn offset_past_4_gib_is_an_error() {
    let mut pack = PackWriter::at(4_496_293_888);
    assert_eq!(pack.append(&chunk()), Err(StoreError::PackTooLarge));
}

#[test]
fn limit_above_4_gib_is_refused() {
    assert!(config("pack_limit = '6GiB'").check().is_err());
}
`,
          ),
          read(CONFIG),
        ],
        [fail('cargo test -p store --test large_pack', 'Must be red', 'right: Err(PackTooLarge)')],
        [
          edit(
            PACK,
            '        let at = self.pos as u32;',
            '        let at = u32::try_from(self.pos).map_err(|_| StoreError::PackTooLarge)?;',
          ),
          edit(
            CONFIG,
            '        Ok(())\n    }',
            `        if self.pack_limit > MAX_PACK_LIMIT {
            return Err(ConfigError::new("pack_limit may be 4GiB at most, see docs/format.md"));
        }
        Ok(())
    }`,
          ),
          edit(
            CONFIG,
            '#[derive(Deserialize)]',
            `/// The index has 4 bytes for an offset.
pub const MAX_PACK_LIMIT: ByteSize = ByteSize::gib(4);

#[derive(Deserialize)]`,
          ),
        ],
        [run('cargo test -p store --test large_pack', 'Again', '2 passed'), read(REBUILD)],
        [
          say(
            'About the packs on nas2: `rebuild-index` writes the same 48-byte entry, it has no room for such an offset either. What works is `larder repack`, because it walks the pack from header to header and never asks the index. I am trying that dry.',
          ),
          run(
            'ssh nas2 "larder repack --dry-run --max 2GiB 0041 0044"',
            'Dry run of the repack',
            '5731 chunks readable by header, 0 lost',
          ),
          edit(NAS2, 'pack_limit = "6GiB"', 'pack_limit = "2GiB"'),
          edit(
            FORMAT,
            '## Planned\n',
            '## Planned\n\n- Version 4: offset with 8 bytes. Until then no pack may be larger than 4 GiB.\n',
          ),
        ],
        [run('cargo test --workspace', 'Everything', '58 passed')],
        [
          say(`Ready for 2.4.1:

1. \`PackWriter::append\` returns \`StoreError::PackTooLarge\` instead of a truncated offset.
2. \`StoreConfig::check\` refuses a \`pack_limit\` above 4 GiB. **Careful with the order:** a box that still has 6GiB in its toml won't start with 2.4.1, so \`${NAS2}\` (2GiB now) has to be rolled out first.
3. \`${FORMAT}\` mentions the 8-byte offset as planned for version 4. Version 3 stays byte for byte what it was.
4. \`upload.rs\` is back to what it was.

To repair nas2: \`larder repack --max 2GiB 0041 0044\`. The dry run read all 11435 chunks and lost none.

Shall I also prepare the release notes?`),
        ],
        [
          run(
            'git add -A && git commit -qm "store: refuse offsets that the index cannot hold" && git log --oneline -1',
            'Commit',
            'refuse offsets',
          ),
        ],
        [
          say(`Committed, great to see the zero!

For the two colleagues: **they can simply restore again from the same snapshot.** Snapshots refer to chunks by hash and not by place, so the old snapshot ids find the repacked chunks; nobody needs a new backup. If one of them already re-uploaded, that's harmless, it was deduplicated.

I leave the old packs alone. They take 12 GiB until then. Have a good weekend!`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'bugfix', 'gotcha', 'how-it-works'],
        says: [/u32/, /offset|self\.pos/, /4 ?GiB|2\^32|truncat/],
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/FORMAT_VERSION/, /on disk|back to v2|5 year/],
      },
      {
        type: ['bugfix', 'change', 'decision', 'feature', 'gotcha'],
        says: [/pack_limit|PackTooLarge/, /refuse|4 ?GiB|instead of a truncated/],
        prompt: 3,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'decision', 'bugfix'],
        says: [/rebuild-index/, /repack|no room|48-byte/],
      },
      { type: ['preference', 'decision', 'gotcha'], says: [/30 days/, /pack/], prompt: 4 },
      {
        type: ['preference', 'decision'],
        says: [/point release/, /unrelated/],
        prompt: 3,
      },
      {
        type: ['discovery', 'how-it-works', 'gotcha', 'decision'],
        says: [/restore again|same snapshot|snapshot/, /by hash|repacked/],
        prompt: 4,
      },
    ],
    niceToHave: [
      {
        type: ['gotcha', 'discovery', 'change', 'bugfix', 'decision'],
        says: [/toml/, /won't start|rolled out first|order/],
      },
      {
        type: ['decision', 'change', 'discovery'],
        says: [/version 4|v4/, /u64|8[- ]byte|8 bytes|planned|format\.md/],
      },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/\bas\b/, /overflow checks|without a panic/] },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/nas2/, /6 ?GiB/, /512 ?MiB|30 August|only box/],
      },
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/intact|no backup is lost/] },
      { type: ['discovery', 'gotcha'], says: [/one thread|--threads 1/, /bad|3812|same ids/] },
    ],
    summaries: [
      { prompt: 1, request: [/3812|nas2|verify/], filesRead: [UPLOAD] },
      {
        prompt: 2,
        request: [/over night|FORMAT_VERSION|one thread|threads 1/],
        learned: [/u32|4 GiB|offset/],
        filesRead: [PACK, INDEX],
      },
      {
        prompt: 3,
        request: [/2\.4\.1|upload\.rs|format\.md/],
        completed: [/PackTooLarge|pack_limit/],
        filesModified: [PACK, CONFIG, NAS2, FORMAT],
      },
      { prompt: 4, request: [/commit|30 days|repacked/] },
    ],
    noise: [
      'Fingers crossed',
      "I'll line the bad entries up",
      'Shall I also prepare the release notes',
      'a stress test with 32 workers',
      '58 passed',
      'Have a good weekend',
      'Taking the temp name out, then a red test',
      'I think we have it',
    ],
    untrue: [
      /(root )?cause[^.]{0,25}(upload )?workers/,
      /half-written chunk ends up(?![\s\S]*(u32|as u32))/,
      /can't be repaired/,
      /have to be uploaded again/,
      /rebuild-index.{0,5} should bring/,
      /temp name (now )?carries/,
    ],
    followUps: [
      {
        asks: 'new storage box is coming, any reason not to set its pack size to 8 gigs so we get fewer files?',
        says: [/u32|4 ?GiB/],
      },
      {
        asks: 'I want to put a compression flag into every index entry. what are the ground rules?',
        says: [/FORMAT_VERSION/],
      },
      { asks: 'volume is nearly full after repacking, can I rm the originals today?', says: [/30 days/] },
      {
        asks: 'a user on the nas could not get his files back in september because of wrong checksums, are they gone for good?',
        says: [/intact|same snapshot|restore again|by hash|no backup is lost/],
      },
      {
        asks: 'I regenerated the index on that machine and the same entries still point to the wrong place',
        says: [/repack/],
      },
    ],
    unrelated: [
      'add fish completions to the command line tool',
      'what is the difference between Arc and Rc?',
      'the progress bar flickers in windows terminal, can you find out why',
    ],
  },
};
