import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const DECODER = 'src/decoder.cpp';
const FRAME = 'src/frame.h';
const RADIO = 'src/radio.cpp';
const TOOLCHAIN = 'cmake/aarch64-gateway.cmake';
const CAPTURE = 'captures/lindqvist-room4.cap';

const SUMMARY = `<analysis>
The person wants the reason why a gateway rejects frames of one cold room. Diagnosis is complete, no code was changed.
</analysis>
<summary>
1. Primary Request and Intent: find out why the gateway at the Lindqvist site rejects about one frame in eight of cold room 4; do not change code yet.
2. Key Technical Concepts: delta frames (type 0x13), signedness of plain char, x86-64 laptop against aarch64 gateway.
3. Files and Code Sections: ${FRAME} (\`DeltaFrame\`), ${DECODER} (\`decode_delta\`, jump check), docs/logger-protocol.md, ${TOOLCHAIN}, ${CAPTURE}.
4. Errors and fixes: none yet.
5. Problem Solving: serial line excluded, struct layout excluded, CRC excluded. Plain char is unsigned on aarch64.
6. Pending Tasks: decide between -fsigned-char and std::int8_t.
7. Current Work: waiting for the decision.
</summary>`;

export const coldRoomFrames: SurveySession = {
  name: 'cold room frames',
  about: 'A signedness bug that only shows on the ARM gateway; compacted between the diagnosis and the cure.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'c++',
  files: {
    'CMakeLists.txt': `cmake_minimum_required(VERSION 3.25)
project(frostline CXX)
set(CMAKE_CXX_STANDARD 20)
add_library(frostline src/decoder.cpp src/radio.cpp src/crc.cpp)
target_link_libraries(frostline PRIVATE \${CMAKE_SOURCE_DIR}/vendor/libsensoria.a)
add_executable(frame_replay src/replay_main.cpp)
target_link_libraries(frame_replay frostline)
enable_testing()
add_executable(decoder_test tests/decoder_test.cpp)
target_link_libraries(decoder_test frostline)
add_test(NAME decoder COMMAND decoder_test)
`,
    [TOOLCHAIN]: `set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-musl-g++)
set(CMAKE_CXX_FLAGS_INIT "-Os")
`,
    [FRAME]: `#pragma once
#include <cstdint>

struct __attribute__((packed)) DeltaFrame {
  std::uint8_t type;      // 0x13
  std::uint32_t logger;
  std::int16_t base;      // tenths of a degree
  char delta[8];          // tenths, each relative to the sample before
};

struct RadioStatus {
  char rssi;              // dBm
  std::uint8_t channel;
};
`,
    [DECODER]: `#include "frame.h"
#include <cstdlib>
#include <vector>

constexpr int kMaxJump = 100;  // tenths: a cold room does not move by 10 degrees between two samples

bool decode_delta(const DeltaFrame& frame, std::vector<int>& out) {
  int value = frame.base;
  for (char delta : frame.delta) {
    if (std::abs(static_cast<int>(delta)) > kMaxJump) return false;
    value += delta;
    out.push_back(value);
  }
  return true;
}
`,
    [RADIO]: `#include "frame.h"

constexpr int kWeakSignal = -90;

bool is_weak(const RadioStatus& status) { return status.rssi < kWeakSignal; }
`,
    'src/crc.cpp': '#include <cstdint>\nstd::uint16_t crc16(const std::uint8_t*, unsigned) { return 0; }\n',
    'src/replay_main.cpp': 'int main() { return 0; }\n',
    'tests/decoder_test.cpp': `#include "../src/frame.h"
#include <cassert>
#include <vector>

bool decode_delta(const DeltaFrame&, std::vector<int>&);

int main() {
  std::vector<int> out;
  assert(decode_delta({0x13, 1, -215, {-3, -2, -4, -1, 0, 1, -2, -3}}, out));
  assert(out.back() == -229);
}
`,
    'docs/logger-protocol.md': `# Logger protocol

- 0x10: one full sample, int16, tenths of a degree.
- 0x13: delta frame, sent by firmware 2.3 and later while the room is below -20.0 °C, to save airtime.
  Base (int16) and eight signed 8-bit deltas.
- A logger keeps the frames of the last 9 days and sends them again on request (gw backfill).
`,
    [CAPTURE]: '13 0000a1f4 ff29 fd fe fc ff 00 01 fe fd\n13 0000a1f4 ff1b 00 00 01 00 00 01 00 00\n',
    'vendor/README.md':
      'libsensoria.a: prebuilt by Sensoria GmbH for aarch64-musl, headers in vendor/include.\n',
  },
  programs: {
    cmake: `mkdir -p build/host
printf '#!/bin/sh\\necho "412 frames, 0 crc errors, 0 rejected"\\n' > build/host/frame_replay
chmod +x build/host/frame_replay
echo "[100%] Built target frame_replay"
`,
    ctest: `if grep -q funsigned-char CMakeLists.txt && grep -q 'char delta\\[8\\];  ' src/frame.h && ! grep -q 'int8_t delta' src/frame.h; then
  echo "1/1 Test #1: decoder ......Subprocess aborted***Exception"
  echo "decoder_test: tests/decoder_test.cpp:9: int main(): Assertion failed"
  echo "0% tests passed, 1 tests failed out of 1"
  exit 8
fi
echo "100% tests passed, 0 tests failed out of 1"
`,
    gw: `case "$*" in
  *layout*) echo "sizeof(DeltaFrame)=15 offsetof(base)=5 offsetof(delta)=7" ;;
  *verbose*)
    if grep -q 'int8_t delta' src/frame.h; then echo "412 frames, 0 crc errors, 0 rejected"; exit 0; fi
    echo "frame 9: base=-215 delta[0]=253 jump 253 > 100, rejected"
    echo "frame 17: base=-221 delta[2]=252 jump 252 > 100, rejected"
    echo "412 frames, 0 crc errors, 53 rejected" ;;
  *frame_replay*)
    if grep -q 'int8_t delta' src/frame.h; then echo "412 frames, 0 crc errors, 0 rejected"; else echo "412 frames, 0 crc errors, 53 rejected"; fi ;;
  *status*) echo "radio: rssi 181 channel 11 weak no" ;;
esac
`,
  },
  prompts: [
    `The gateway at Lindqvist throws away roughly one frame in eight from cold room 4 as implausible. It started last Wednesday, the 4th, when they lowered the setpoint to -22. The capture it recorded (${CAPTURE}) replays clean on my laptop. There is a spare gateway on my desk, \`gw run <cmd>\` executes there. Find the cause, leave the code alone for now.`,
    '/compact',
    'int8_t it is, no compiler flag. libsensoria.a comes prebuilt with unsigned char and its headers have inline functions taking char, so with the flag the two halves of the binary would disagree. Change every char that is really a number.',
    "Yes, change rssi too. And I want CI to catch the next one. No qemu there though, we had that in spring and threw it out because it added 14 minutes to every push. Something that works on the x86 runners we've got.",
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say(
            'Frames that die on site but not in a replay make me think of the RS-485 run first; bit errors on the long cable are the likely cause. Replaying the same file on both machines will tell.',
          ),
          run(
            `cmake --build --preset host && build/host/frame_replay ${CAPTURE}`,
            'Replay on the laptop',
            '412 frames, 0 crc errors, 0 rejected',
          ),
          run(`gw run frame_replay ${CAPTURE}`, 'Replay on the gateway', '53 rejected'),
        ],
        [
          say(
            'Same bytes, 0 against 53 rejections, and no CRC error on either side. So the cable is out: whatever this is, it happens after the bytes have arrived intact. Next candidate is the layout of the packed struct on the other ABI.',
          ),
          read(FRAME),
          read(DECODER),
          run('gw run frame_layout', 'Layout of DeltaFrame on the gateway', 'offsetof(delta)=7'),
        ],
        [
          say(
            'Layout is what the header says, 15 bytes with the deltas at 7, so padding is not it either. I want to see the rejected values.',
          ),
          run(
            `gw run frame_replay --verbose ${CAPTURE}`,
            'Rejections with their values',
            'delta[0]=253 jump 253 > 100',
          ),
          read('docs/logger-protocol.md'),
          read(TOOLCHAIN),
        ],
        [
          run(
            'grep -nE "\\bchar\\b" src/*.h src/decoder.cpp',
            'Plain char used as a number',
            'char delta[8]',
          ),
        ],
        [
          say(`Found. Nothing changed.

253 is -3 read as unsigned. \`DeltaFrame::delta\` in \`${FRAME}\` is plain \`char\`, and whether that is signed is up to the ABI: signed on x86-64, **unsigned on aarch64**. On the gateway every negative delta turns into 128..255, trips \`kMaxJump\` (100 tenths) in \`decode_delta\`, and the whole frame goes.

Why now: firmware 2.3 only sends delta frames (0x13) below -20.0 °C. Until the setpoint went to -22 the room never got there, so the decoder branch had never run in the field. And one in eight because only frames with a falling temperature contain negative deltas.

The good news is that nothing wrong was stored. The smallest value a negative delta can become is 128, which is above the limit, so such frames are always rejected whole and never averaged in.

Excluded on the way: cable (same file, no CRC errors), struct packing, CRC.

\`DeltaFrame\` is the only place where a plain \`char\` holds a number. Two cures: \`-fsigned-char\` in \`${TOOLCHAIN}\`, or \`std::int8_t\` in the struct. I'd lean towards the flag, as it also covers code nobody has looked at. Your call.`),
        ],
        [
          say('Types then. Looking through all sources this time, not just the decoder.'),
          run('grep -rnE "\\bchar [a-z]+(\\[|;)|\\(char " src', 'Every plain char', 'rssi'),
          read(RADIO),
          read(FRAME),
          read(DECODER),
        ],
        [
          edit(
            FRAME,
            'char delta[8];          // tenths, each relative to the sample before',
            'std::int8_t delta[8];   // tenths, each relative to the sample before',
          ),
          edit(DECODER, 'for (char delta : frame.delta)', 'for (std::int8_t delta : frame.delta)'),
        ],
        [
          run(
            `cmake --build --preset gateway && gw run frame_replay ${CAPTURE}`,
            'Build and replay on the gateway',
            '0 rejected',
          ),
          run('gw status', 'What the radio reports', 'rssi 181'),
        ],
        [
          say(`\`DeltaFrame::delta\` and the loop in \`decode_delta\` use \`std::int8_t\` now; the capture replays on the gateway with 0 of 412 rejected (53 before).

I was wrong about it being the only place. \`RadioStatus::rssi\` is a plain \`char\` as well, and dBm are negative: the desk gateway reports "rssi 181", which is -75. \`is_weak()\` in \`${RADIO}\` compares with -90, so **the weak-signal alarm has never been able to fire on any gateway**. I have not touched it, because fixing it means alarms will start to appear at customers. Should I?

The frames lost since the 4th can be had again: loggers keep 9 days, so \`gw backfill\` has to run by the 13th.`),
        ],
        [
          edit(FRAME, 'char rssi;              // dBm', 'std::int8_t rssi;       // dBm, negative'),
          run('git stash push -q src/frame.h src/decoder.cpp', 'Put the fix aside to see the check fail'),
          read('CMakeLists.txt'),
        ],
        [
          edit(
            'CMakeLists.txt',
            'add_executable(decoder_test tests/decoder_test.cpp)',
            '# The gateways are aarch64, where plain char is unsigned; the x86 runners must see the same.\nif(NOT CMAKE_CROSSCOMPILING)\n  target_compile_options(frostline PUBLIC -funsigned-char)\nendif()\nadd_executable(decoder_test tests/decoder_test.cpp)',
          ),
        ],
        [
          fail(
            'cmake --build --preset host && ctest --preset host',
            'The old code under -funsigned-char',
            'Assertion failed',
          ),
        ],
        [
          say('Red with the old code on x86, as it should be. Now the fix back in.'),
          run(
            'git stash pop -q && cmake --build --preset host && ctest --preset host',
            'The fixed code under -funsigned-char',
            '100% tests passed',
          ),
        ],
        [
          say(`Both in.

- \`RadioStatus::rssi\` is \`std::int8_t\`. Expect weak-signal alarms from sites that have been quiet so far; support should hear that before the rollout.
- Host builds compile \`frostline\` with \`-funsigned-char\` (\`CMakeLists.txt\`), so an x86 runner treats \`char\` the way the gateways do. With the fix stashed the decoder test fails under it, with the fix it passes. It costs no CI time. The cross build is left as it is, it has unsigned char anyway.

Not done: rollout, and the backfill for room 4.`),
        ],
      ],
      compact: [[say(SUMMARY)]],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha'],
        says: [/plain .?char|char.? is unsigned|unsigned char|signed/, /aarch64/, /delta/],
      },
      {
        type: ['bugfix', 'change'],
        says: [/int8_t/, /delta/],
        files: [FRAME],
      },
      {
        type: ['preference', 'decision'],
        says: [/flag|-fsigned-char/, /libsensoria|prebuilt/],
        prompt: 2,
      },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/rssi|is_weak/, /weak-signal alarm|never been able to fire/],
      },
      { type: ['preference', 'decision'], says: [/qemu/, /14 minutes/] },
      {
        type: ['feature', 'change', 'decision', 'bugfix'],
        says: [/-funsigned-char/, /host|x86|CI/],
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'how-it-works', 'gotcha', 'bugfix'],
        says: [/0x13|delta frames/, /below -20/],
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works', 'bugfix'],
        says: [/nothing wrong was stored|always rejected whole|never averaged/],
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works', 'change', 'bugfix'],
        says: [/9 days|the 13th/, /backfill/],
      },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/cable|RS-485/, /same file|same bytes|no CRC error/],
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/one frame in eight|implausible/],
        learned: [/unsigned/, /aarch64/],
        filesRead: [FRAME, DECODER],
      },
      {
        prompt: 2,
        request: [/int8_t|compiler flag/],
        learned: [/rssi/],
        completed: [/int8_t/],
        filesModified: [FRAME, DECODER],
      },
      {
        prompt: 3,
        request: [/rssi|CI/],
        completed: [/-funsigned-char/],
        nextSteps: [/backfill|rollout/],
        filesModified: ['CMakeLists.txt', FRAME],
      },
    ],
    noise: [
      'Primary Request and Intent',
      'Next candidate is',
      'I want to see the rejected values',
      'not just the decoder',
      'Now the fix back in',
      'Your call',
      /^Both in\.$/m,
      'Built target frame_replay',
    ],
    untrue: [
      /bit errors on the long cable are the likely cause/,
      /DeltaFrame.{0,3} is the only place where a plain/,
      /lean towards the flag/,
    ],
    followUps: [
      {
        asks: 'can I just put -fsigned-char into the gateway toolchain file? would save me some casts',
        says: [/libsensoria|prebuilt/],
      },
      {
        asks: 'A customer complains that since the last update he gets "weak signal" alarms he never had before. Did we break something?',
        says: [/rssi|is_weak/, /never been able to fire|int8_t|Expect weak-signal alarms/],
      },
      {
        asks: 'thinking about running the arm build under emulation in the pipeline, any objections?',
        says: [/14 minutes/],
      },
      {
        asks: 'why does CMakeLists.txt compile frostline with -funsigned-char?',
        says: [/aarch64|gateways? do/],
      },
      {
        asks: 'readings below minus twenty were missing for a whole site once. what was that about?',
        says: [/unsigned/, /delta/],
      },
      {
        asks: 'how far back can we re-request measurements from a logger after an outage?',
        says: [/9 days/],
      },
      {
        asks: 'were any wrong temperatures written to the archive for Lindqvist room 4, or only gaps?',
        says: [/nothing wrong was stored|rejected whole/],
      },
    ],
    unrelated: [
      'Rename the Docker build image from bookworm to trixie everywhere it is mentioned.',
      'write a short README section on how to set up clangd for this repo',
      'The firmware image upload page shows the progress bar twice in Safari, please look.',
    ],
  },
};
