import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const FRAME = 'src/frame.cpp';
const READER = 'src/reader.cpp';
const SPOOL = 'src/spool.cpp';
const REPLAY = 'tools/replay.cpp';
const IMPORT = 'tools/import.cpp';
const LISTS = 'CMakeLists.txt';
const TEST = 'test/frame_test.cpp';
const NOTE = 'docs/spool.md';

const CMAKE = `#!/bin/sh
# Stands in for cmake: judges the sources by their text.
good() { echo "[100%] Built target gauge-replay"; echo "400 frames: 400 accepted, 0 rejected"; exit 0; }
bad() { echo "[100%] Built target gauge-replay"; echo "400 frames: 213 accepted, 187 rejected"; exit 1; }
case "$*" in
  *"-t replay"*) ;;
  *) echo "[100%] Built target gaugerd"; exit 0 ;;
esac
case "$*" in *build-arm*) grep -q 'char opt;' ${REPLAY} && exec sleep 60 ;; esac
grep -q 'std::int8_t>(data\\[i\\])' ${FRAME} && good
grep -q 'std::uint8_t>(data\\[i\\])' ${FRAME} && bad
case "$*" in *build-arm*) bad ;; *) good ;; esac
`;

const CTEST = `#!/bin/sh
# Stands in for ctest.
grep -q 'frame_test_unsigned' ${LISTS} || { echo "100% tests passed, 0 tests failed out of 3"; exit 0; }
if grep -q 'sum += data\\[i\\]' ${FRAME} && grep -q 'frame_test.cpp src/frame.cpp' ${LISTS}; then
  echo "5 - frame_test_unsigned (Failed)"; echo "80% tests passed, 1 tests failed out of 5"; exit 8
fi
echo "100% tests passed, 0 tests failed out of 5"
`;

const LOG = `06:10:02 W checksum mismatch len=24 frame=7e110702d4fe9c0131
06:10:12 W checksum mismatch len=24 frame=7e110702d4fe9c0131
06:10:31 W checksum mismatch len=24 frame=7e110702d1ff020141
06:11:02 W checksum mismatch len=24 frame=7e110702d4fe9c0131
06:11:12 W checksum mismatch len=24 frame=7e110702d1ff020141
`;

export const gaugeChecksumEn: SurveySession = {
  name: 'gauge checksum en',
  about:
    'Tide gauge frames are rejected on ARM only: plain char. The obvious fix is the wrong way round, and the person knows better about the spool.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'cmake',
  files: {
    [LISTS]: `cmake_minimum_required(VERSION 3.22)
project(gaugerd CXX)
set(CMAKE_CXX_STANDARD 20)

add_library(tide src/frame.cpp src/reader.cpp src/spool.cpp)
add_executable(gaugerd src/main.cpp)
target_link_libraries(gaugerd PRIVATE tide)

add_executable(gauge-replay tools/replay.cpp tools/import.cpp)
target_link_libraries(gauge-replay PRIVATE tide)
add_custom_target(replay COMMAND gauge-replay \${CMAKE_SOURCE_DIR}/captures/pier7.hex)

enable_testing()
add_subdirectory(test)
`,
    '.ci/pipeline.yml': `native:
  script: cmake --build build && ctest --test-dir build
arm64:
  # Only compiles, the runner cannot execute it.
  script: cmake --build build-arm
`,
    [FRAME]: `#include "frame.h"

// Two bytes, big endian, at the end of each frame.
bool checksum_ok(const char* data, std::size_t size) {
  int sum = 0;
  for (std::size_t i = 0; i + 2 < size; ++i) sum += data[i];
  const unsigned want = (static_cast<unsigned char>(data[size - 2]) << 8) | static_cast<unsigned char>(data[size - 1]);
  return (static_cast<unsigned>(sum) & 0xffffu) == want;
}
`,
    [READER]: `#include "reader.h"

std::string Reader::next() {
  while (buffer_.size() < kFrameSize) {
    char piece[64];
    const auto got = ::read(fd_, piece, sizeof piece);
    if (got > 0) buffer_.append(piece, got);
  }
  auto frame = buffer_.substr(0, kFrameSize);
  buffer_.erase(0, kFrameSize);
  return frame;
}
`,
    [SPOOL]: `#include "spool.h"

constexpr int kKeepDays = 14;

int keep_days() {
  const char* days = std::getenv("GAUGERD_SPOOL_DAYS");
  return days ? std::atoi(days) : kKeepDays;
}

// One file per day in /var/spool/gaugerd/rejected.
void Spool::add(const std::string& frame) { today() << hex(frame) << '\\n'; remove_older_than(keep_days()); }
`,
    [REPLAY]: `#include <getopt.h>

#include "frame.h"
#include "import.h"

int main(int argc, char** argv) {
  bool import_rows = false;
  bool frame_time = false;
  char opt;
  while ((opt = getopt(argc, argv, "it")) != -1) {
    if (opt == 'i') import_rows = true;
    if (opt == 't') frame_time = true;
  }
  return tide::replay(argv[optind], import_rows, frame_time);
}
`,
    [IMPORT]: `#include "import.h"

// INSERT INTO level (gauge, taken_at, mm) VALUES ($1, $2, $3) ON CONFLICT (gauge, taken_at) DO NOTHING
void import_row(Db& db, const Frame& frame, bool frame_time) {
  db.exec(kInsert, frame.gauge, frame_time ? frame.taken_at : now(), frame.mm);
}
`,
    'captures/pier7.hex': '7e110702d4fe9c0131\n7e110702d1ff020141\n7e110702d02a110155\n',
    'logs/box-17.log': LOG,
    [NOTE]: '# Spool\n\nRejected frames go to `/var/spool/gaugerd/rejected`, one file per day.\n',
    [TEST]: '#include "frame.h"\n\nint main() { return tide::checksum_ok(kPlain, 24) ? 0 : 1; }\n',
  },
  programs: { cmake: CMAKE, ctest: CTEST },
  prompts: [
    "gaugerd on the new arm boxes throws away about half the frames with 'checksum mismatch', the old x86 boxes on the very same cable are fine. three stations since the swap. find out why pls. and leave the compiler flags alone, the yocto recipe overrides CMAKE_CXX_FLAGS, whatever you put there never reaches a box",
    'oh wow, ok. can CI catch that next time? just no qemu in CI, we had that once, the job took 40 minutes until the runner got killed',
    'station 17 has been throwing away good frames for 3 weeks then. any chance to get those back? rejected ones go to some spool dir i think',
    "hm no, it's 30 on the boxes, i set GAUGERD_SPOOL_DAYS in the yocto image last year. the 14 is only what the source says. put a line into docs/spool.md please so nobody else panics",
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [say("I'll start with the reading side."), read(READER), read(FRAME)],
        [
          say(
            'My guess is short reads: `read()` on a tty returns whatever has arrived, and on a faster CPU a frame would come in two pieces. The log should show odd lengths then.',
          ),
          run(
            "grep -o 'len=.*' logs/box-17.log | sort | uniq -c",
            'What do rejected frames look like',
            'len=24',
          ),
        ],
        [
          say(
            'So it is not short reads: every rejected frame has its full 24 bytes, and the same content is rejected each time it comes. That depends on the bytes, not on timing. The capture from pier 7 should reproduce it.',
          ),
          run('cmake --build build -t replay', 'Replay the capture on x86', '400 accepted'),
        ],
        [fail('timeout 4 cmake --build build-arm -t replay', 'The same under emulation for ARM')],
        [say('It hangs before it prints anything. Strange, but maybe a hint.'), read(REPLAY)],
        [
          say(
            'There it is, in small: `char opt` takes the -1 of `getopt`. On ARM plain `char` is unsigned, so opt becomes 255, never equals -1, and gauge-replay loops forever. And `checksum_ok` adds up plain `char` as well.',
          ),
          edit(REPLAY, '  char opt;\n', '  int opt;\n'),
        ],
        [fail('cmake --build build-arm -t replay', 'Replay for ARM again', '187 rejected')],
        [
          say(
            'Reproduced, 187 of 400. Those are the frames with a byte from 0x80 up, e.g. negative water temperatures. The sum should be over unsigned bytes, so a cast to uint8_t.',
          ),
          edit(FRAME, 'sum += data[i];', 'sum += static_cast<std::uint8_t>(data[i]);'),
        ],
        [fail('cmake --build build -t replay', 'Replay on x86', '187 rejected')],
        [
          say(
            'Other way round! Now x86 rejects the same 187. So the gauge itself adds signed bytes, and x86 was right by accident. It has to be int8_t.',
          ),
          edit(FRAME, 'std::uint8_t>(data[i])', 'std::int8_t>(data[i])'),
        ],
        [
          run('cmake --build build -t replay', 'x86', '400 accepted'),
          run('cmake --build build-arm -t replay', 'ARM', '400 accepted'),
          run('ctest --test-dir build', 'Tests', '0 tests failed out of 3'),
        ],
        [
          say(`Found and fixed. Both builds now accept all 400 frames of the pier 7 capture.

## Cause
\`checksum_ok\` in \`src/frame.cpp\` summed plain \`char\`. That is signed on x86 and unsigned on ARM, so every frame with a byte of 0x80 or more got a different checksum on the new boxes.

## Fix
The bytes are now summed as \`std::int8_t\`. Please don't "clean this up" to \`uint8_t\`: the gauge firmware sums signed bytes, and with unsigned ones 187 of the 400 captured frames are rejected on every platform.

## Along the way
\`gauge-replay\` never worked on ARM: it kept the result of \`getopt\` in a \`char\`, which can't be -1 there, so it spun at 100% CPU. It's an \`int\` now.

No compiler flag was touched. If you want, I can look through the rest of the code for plain chars too.`),
        ],
        [read('.ci/pipeline.yml'), read(LISTS), read(TEST)],
        [
          say(
            'The arm64 job only compiles and never runs a test, so CI had no chance. Without an emulator I can still build the frame test twice on x86, once with -fsigned-char and once with -funsigned-char. These are options of the test targets alone, the product keeps its flags.',
          ),
          write(
            TEST,
            '#include "frame.h"\n\nint main() { return tide::checksum_ok(kPlain, 24) && tide::checksum_ok(kNegative, 24) ? 0 : 1; }\n',
          ),
          edit(
            LISTS,
            'add_subdirectory(test)\n',
            `add_subdirectory(test)
foreach(sign signed unsigned)
  add_executable(frame_test_\${sign} test/frame_test.cpp)
  target_link_libraries(frame_test_\${sign} PRIVATE tide)
  target_compile_options(frame_test_\${sign} PRIVATE -f\${sign}-char)
  add_test(NAME frame_test_\${sign} COMMAND frame_test_\${sign})  # frame_test_signed, frame_test_unsigned
endforeach()
`,
          ),
        ],
        [
          run(
            "sed -i 's/static_cast<std::int8_t>(data\\[i\\])/data[i]/' src/frame.cpp && ctest --test-dir build",
            'Put the bug back: this must turn red',
            '0 tests failed out of 5',
          ),
        ],
        [
          say(
            'Green with the bug in it, so this test proves nothing. Of course: checksum_ok comes from libtide, which was compiled without the option. The test has to compile frame.cpp itself.',
          ),
          edit(
            LISTS,
            `test/frame_test.cpp)
  target_link_libraries(frame_test_\${sign} PRIVATE tide)
`,
            'test/frame_test.cpp src/frame.cpp)\n',
          ),
        ],
        [fail('ctest --test-dir build', 'Now it should be red', 'frame_test_unsigned (Failed)')],
        [
          run(
            "sed -i 's/sum += data\\[i\\]/sum += static_cast<std::int8_t>(data[i])/' src/frame.cpp && ctest --test-dir build",
            'Fix back in',
            '0 tests failed out of 5',
          ),
        ],
        [
          say(`CI will see it from now on, with no emulator and about a second of extra time.

- \`frame_test_signed\` and \`frame_test_unsigned\` build the same test with \`-fsigned-char\` and \`-funsigned-char\`.
- Both compile \`src/frame.cpp\` directly instead of linking \`libtide\`. That matters: linked against the library, the option has no effect on \`checksum_ok\` and the test stays green with the bug in it. I checked by putting the bug back.
- \`kNegative\` is a captured frame with a negative temperature.

Anything else I can do for you here?`),
        ],
        [read(SPOOL), read(IMPORT), read(NOTE)],
        [
          say(`Partly, I'm afraid. The spool keeps rejected frames for 14 days (\`kKeepDays\` in \`src/spool.cpp\`), so of the three weeks the first week is gone and every day you wait costs another one.

For the rest: copy \`/var/spool/gaugerd/rejected\` off the box, then run \`gauge-replay -i -t\` on each file. **Don't forget \`-t\`**: without it the import stamps every row with the time of the import instead of the time in the frame. With \`-t\` it is safe to run twice, because rows with the same gauge and taken_at are skipped.`),
        ],
        [
          edit(
            NOTE,
            'one file per day.\n',
            'one file per day.\n\nThey are kept for 30 days on the boxes: the Yocto image sets `GAUGERD_SPOOL_DAYS=30`. The 14 in the source is only the default.\n',
          ),
        ],
        [
          say(
            'Even better, then nothing is lost: with 30 days on the boxes all 21 days since the swap are still in the spool. I should have followed `getenv` two lines further down. The note is in docs/spool.md. The commands from before stay the same, `gauge-replay -i -t` per file. Good luck with the stations!',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/checksum|sum/, /plain `?char|char/, /unsigned on ARM|ARM.{0,40}unsigned/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'decision', 'discovery', 'bugfix'],
        says: [/gauge/, /signed bytes/, /int8_t/],
        prompt: 1,
      },
      { type: ['bugfix', 'gotcha', 'discovery'], says: [/replay/, /getopt/, /-1|255|\bint\b/] },
      { type: ['preference', 'gotcha'], says: [/flags/, /yocto/, /overrides|never reach|leave/] },
      { type: ['preference', 'decision'], says: [/qemu|emulator/, /\bCI\b/, /40 minutes|killed/] },
      {
        type: ['gotcha', 'decision', 'feature', 'change', 'discovery'],
        says: [/frame\.cpp/, /libtide|library/, /no effect|proves nothing|stays green|compiled without/],
        prompt: 2,
      },
      {
        type: ['discovery', 'how-it-works', 'preference', 'change', 'gotcha', 'decision'],
        says: [/30/, /boxes|yocto/, /GAUGERD_SPOOL_DAYS|spool/],
        prompt: 4,
      },
      {
        type: ['gotcha', 'how-it-works', 'discovery'],
        says: [/-t\b/, /time of the import|time in the frame/],
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/short reads/, /24 bytes|same content|not short/] },
      { type: ['discovery', 'how-it-works', 'gotcha'], says: [/arm64/, /only compiles/] },
      { type: ['feature', 'change', 'decision'], says: [/-fsigned-char/, /-funsigned-char/] },
      { type: ['how-it-works', 'discovery', 'gotcha'], says: [/taken_at/, /twice|skipped|conflict/] },
      { type: ['discovery', 'bugfix'], says: [/187/, /400/, /0x80|negative/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/checksum mismatch|frames/],
        learned: [/char|signed/],
        filesModified: [FRAME, REPLAY],
      },
      {
        prompt: 2,
        request: [/\bCI\b/],
        completed: [/frame_test|-funsigned-char/],
        filesModified: [LISTS, TEST],
      },
      {
        prompt: 3,
        request: [/get those back|station 17/],
        learned: [/spool|-t\b/],
        filesRead: [SPOOL, IMPORT],
      },
      { prompt: 4, request: [/docs\/spool\.md|30/], completed: [/spool\.md|note/], filesModified: [NOTE] },
    ],
    noise: [
      'Anything else I can do for you here?',
      'Good luck with the stations',
      "I'll start with the reading side",
      'Strange, but maybe a hint',
      'If you want, I can look through the rest of the code',
      /oh wow, ok/,
    ],
    untrue: [
      /guess is short reads/,
      /should be over unsigned bytes/,
      /keeps rejected frames for 14 days/,
      /first week is gone/,
    ],
    followUps: [
      {
        asks: "clang-tidy complains about the int8_t cast in frame.cpp, I'd replace it by uint8_t like everywhere else",
        says: [/signed bytes/, /gauge/],
      },
      {
        asks: 'can we not just add -fsigned-char for the whole project and be done with this kind of bug',
        says: [/flags/, /yocto/],
      },
      {
        asks: 'I want to run the arm64 unit tests in the pipeline with an emulated machine',
        says: [/qemu|emulator/, /40 minutes|killed/],
      },
      { asks: 'how far back can I recover measurements that a station refused?', says: [/30/, /spool/] },
      {
        asks: 'load last week of refused frames from box 9 into the database',
        says: [/-t\b/, /time of the import|time in the frame/],
      },
    ],
    unrelated: [
      'write a systemd unit with a watchdog for the web dashboard',
      'what is the difference between std::string_view and const std::string&?',
      'the chart on the status page shows the legend twice, where is that drawn?',
    ],
  },
};
