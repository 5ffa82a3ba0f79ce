import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const HEADER = 'include/link/link.h';
const LINK = 'src/link.c';
const CONTEXT = 'src/link_ctx.h';
const FRAME = 'src/frame.c';
const BOOTLOADER = 'examples/bootloader/main.c';

const CALLERS = 'List every caller of link_* outside src/';

export const cLinkContext: SurveySession = {
  name: 'c-link-context',
  about:
    'A serial protocol with global state becomes a context struct; the session is compacted in the middle.',
  kind: 'refactoring',
  language: 'en',
  ecosystem: 'c',
  files: {
    'CMakeLists.txt': `cmake_minimum_required(VERSION 3.16)
project(link C)
add_library(link src/link.c src/frame.c)
target_include_directories(link PUBLIC include)
enable_testing()
add_executable(test_link tests/test_link.c)
target_link_libraries(test_link link)
add_test(NAME link COMMAND test_link)
`,
    [HEADER]: `#ifndef LINK_H
#define LINK_H
#include <stdint.h>

struct link_stats {
    uint64_t rx_ok;
    uint64_t rx_bad;
};

typedef void (*link_frame_fn)(const uint8_t *data, uint16_t len, void *user);

void link_init(link_frame_fn on_frame, void *user);
void link_rx_byte(uint8_t byte);
int link_send(const uint8_t *data, uint16_t len);
void link_get_stats(struct link_stats *out);

#endif
`,
    [LINK]: `#include "link/link.h"

static uint8_t rx_buf[512];
static uint16_t rx_len;
static uint8_t state;
static struct link_stats stats;
static link_frame_fn cb;
static void *cb_user;

void link_init(link_frame_fn on_frame, void *user) {
    cb = on_frame;
    cb_user = user;
    rx_len = 0;
    state = 0;
}

void link_rx_byte(uint8_t byte) {
    static uint16_t crc;
    if (state == 0) {
        crc = 0xffff;
        state = 1;
    }
    crc = crc_step(crc, byte);
    rx_buf[rx_len++] = byte;
    if (byte == 0x7e && frame_complete(rx_buf, rx_len, crc)) {
        stats.rx_ok++;
        if (cb) cb(rx_buf, rx_len, cb_user);
        rx_len = 0;
        state = 0;
    }
}

void link_get_stats(struct link_stats *out) { *out = stats; }
`,
    [FRAME]: `#include "link/link.h"

static uint8_t tx_buf[512];

int link_send(const uint8_t *data, uint16_t len) {
    uint16_t n = frame_encode(tx_buf, sizeof tx_buf, data, len);
    return uart_write(tx_buf, n);
}
`,
    [BOOTLOADER]: `#include "link/link.h"

int main(void) {
    uart_enable_rx_irq();
    wait_for_magic();
    link_init(on_frame, 0);
    for (;;) wfi();
}

void USART1_IRQHandler(void) { link_rx_byte(USART1->RDR); }
`,
    'tests/test_link.c': `#include "link/link.h"

static void test_two_frames(void);
static void test_crc_resync(void);

int main(void) {
    test_two_frames();
    test_crc_resync();
    return 0;
}
`,
  },
  programs: {
    cmake: `#!/bin/sh
case "$1" in
  --build)
    echo "[ 25%] Building C object CMakeFiles/link.dir/src/link.c.o"
    echo "[ 50%] Building C object CMakeFiles/link.dir/src/frame.c.o"
    echo "[100%] Built target test_link" ;;
  *) mkdir -p build; echo "-- Configuring done (0.3s)"; echo "-- Build files have been written to: build" ;;
esac
`,
    ctest: `#!/bin/sh
if grep -q 'link_ctx' ${LINK} && grep -q 'static uint16_t crc' ${LINK}; then
  echo "1/1 Test #1: link .............***Failed    0.01 sec"
  echo "test_two_contexts: ok"
  echo "test_crc_resync: FAIL rx_ok expected 2 got 1 (interleaved contexts)"
  echo "0% tests passed, 1 tests failed out of 1"
  exit 8
fi
echo "1/1 Test #1: link .............   Passed    0.01 sec"
echo "100% tests passed, 0 tests failed out of 1"
`,
    'arm-none-eabi-nm': `#!/bin/sh
if grep -q _Thread_local ${LINK}; then
  echo "         U __emutls_get_address"
  echo "00000000 D __emutls_v.rx_buf"
  echo "         U malloc"
fi
echo "00000001 T link_rx_byte"
`,
    pahole: `#!/bin/sh
n=584
grep -q 'tx_buf' ${CONTEXT} && n=$((n + 512))
grep -q 'uint32_t rx_ok' ${CONTEXT} && n=$((n - 8))
grep -q '_Alignas(32)' ${CONTEXT} && n=$(( (n + 31) / 32 * 32 ))
echo "struct link_ctx {"
echo "	/* size: $n, cachelines: $(( (n + 63) / 64 )), members: 11 */"
echo "};"
`,
  },
  prompts: [
    'src/link.c keeps all its parser state in file globals and the new board has two UARTs. turn it into a context struct so both can run, old functions must keep working. two things to know: include/link/link.h ships to customers as ABI, so append only, nothing reordered or removed before 3.0. and link_rx_byte runs in the uart ISR, so nothing in that path may allocate or lock',
    '/compact',
    'ok go on with frame.c. budget for the struct is 600 bytes btw, we need two of them and the small board has 2K left',
    "one more: rx_buf must be 32 byte aligned and come first, the H7 dma writes whole cache lines and trashes whatever shares one with the buffer. budget stays. then commit, prefix is 'link:' and no ticket numbers in this repo please",
  ],
  script: (dir) => {
    const { run, fail, read, edit, write, delegate } = callsIn(dir);
    return {
      main: [
        [
          say("I'll read the code first, and have the callers listed in parallel."),
          read(HEADER),
          read(LINK),
          read(FRAME),
          delegate(
            'List link callers',
            `${CALLERS} (examples, tests). Report for each the order in which it calls them, and anything that depends on the state being global.`,
          ),
        ],
        [
          say(
            'Useful: the default context has to work before anyone initialises it. Cheapest option first, thread-local state would need no new API at all. Let me see what the ARM toolchain makes of it.',
          ),
          run(
            `sed -i 's/^static uint8_t rx_buf/static _Thread_local uint8_t rx_buf/' ${LINK} && cmake --build build-arm >/dev/null && arm-none-eabi-nm build-arm/link.o`,
            'Try thread-local state on ARM',
            '__emutls_get_address',
          ),
        ],
        [
          say(
            'Dead end. The vendor GCC has no native TLS for Cortex-M, so `_Thread_local` becomes `__emutls_get_address`, which calls malloc on first access, and that would happen inside the ISR. Undoing it and going for explicit contexts.',
          ),
          run(`git checkout -q ${LINK} && git status --short`, 'Undo the experiment'),
        ],
        [
          write(
            CONTEXT,
            `#ifndef LINK_CTX_H
#define LINK_CTX_H
#include "link/link.h"

struct link_ctx {
    uint16_t rx_len;
    uint8_t state;
    uint8_t esc;
    uint32_t last_ms;
    uint32_t timeout_ms;
    uint64_t rx_ok;
    uint64_t rx_bad;
    link_frame_fn cb;
    void *cb_user;
    uint8_t rx_buf[512];
    uint8_t pending[32];
};

struct link_ctx *link_default(void);

#endif
`,
          ),
          read(LINK),
          edit(
            HEADER,
            'void link_get_stats(struct link_stats *out);\n',
            `void link_get_stats(struct link_stats *out);

struct link_ctx;
void link_ctx_init(struct link_ctx *ctx, link_frame_fn on_frame, void *user);
void link_ctx_rx_byte(struct link_ctx *ctx, uint8_t byte);
`,
          ),
        ],
        [
          write(
            LINK,
            `#include "link_ctx.h"

/* Zero-initialised on purpose: the bootloader feeds bytes before link_init. */
static struct link_ctx default_ctx;

struct link_ctx *link_default(void) { return &default_ctx; }

void link_ctx_init(struct link_ctx *ctx, link_frame_fn on_frame, void *user) {
    ctx->cb = on_frame;
    ctx->cb_user = user;
    ctx->rx_len = 0;
    ctx->state = 0;
}

void link_ctx_rx_byte(struct link_ctx *ctx, uint8_t byte) {
    static uint16_t crc;
    if (ctx->state == 0) {
        crc = 0xffff;
        ctx->state = 1;
    }
    crc = crc_step(crc, byte);
    ctx->rx_buf[ctx->rx_len++] = byte;
    if (byte == 0x7e && frame_complete(ctx->rx_buf, ctx->rx_len, crc)) {
        ctx->rx_ok++;
        if (ctx->cb) ctx->cb(ctx->rx_buf, ctx->rx_len, ctx->cb_user);
        ctx->rx_len = 0;
        ctx->state = 0;
    }
}

void link_init(link_frame_fn on_frame, void *user) { link_ctx_init(&default_ctx, on_frame, user); }
void link_rx_byte(uint8_t byte) { link_ctx_rx_byte(&default_ctx, byte); }

void link_get_stats(struct link_stats *out) {
    out->rx_ok = default_ctx.rx_ok;
    out->rx_bad = default_ctx.rx_bad;
}
`,
          ),
        ],
        [
          run('cmake -S . -B build && cmake --build build', 'Build for the host', 'Built target'),
          fail('ctest --test-dir build --output-on-failure', 'Run the tests', 'test_crc_resync: FAIL'),
        ],
        [
          say(
            "Interesting, and my own oversight: I moved the file globals but the CRC accumulator is a function-local `static` inside link_rx_byte, so two contexts fed alternately corrupted each other's checksum. It only shows when bytes interleave, a test with one port at a time stays green.",
          ),
          edit(
            LINK,
            '    static uint16_t crc;\n    if (ctx->state == 0) {\n        crc = 0xffff;',
            '    if (ctx->state == 0) {\n        ctx->crc = 0xffff;',
          ),
          edit(LINK, '    crc = crc_step(crc, byte);', '    ctx->crc = crc_step(ctx->crc, byte);'),
          edit(LINK, 'ctx->rx_len, crc))', 'ctx->rx_len, ctx->crc))'),
          edit(CONTEXT, '    uint16_t rx_len;\n', '    uint16_t rx_len;\n    uint16_t crc;\n'),
        ],
        [run('cmake --build build && ctest --test-dir build', 'Build and test', '100% tests passed')],
        [
          say(`The receive side is done and the old API still works on top of it.

- **link.h**: two functions appended, nothing else touched.
- **link.c**: all state lives in \`struct link_ctx\`; \`link_init\` and \`link_rx_byte\` are one-line wrappers over a static \`default_ctx\`.
- **frame.c**: not started, its \`tx_buf\` is still a global.

Shall I continue with frame.c?`),
        ],
        [read(FRAME), read(CONTEXT)],
        [
          say('First the obvious version, with the transmit buffer moved into the struct, and then measure.'),
          edit(CONTEXT, '    uint8_t pending[32];\n', '    uint8_t pending[32];\n    uint8_t tx_buf[512];\n'),
        ],
        [run('pahole -C link_ctx build-arm/link.o', 'Size of the struct', 'size: 1096')],
        [
          say(
            '1096 bytes, far over. The transmit buffer is only needed during one call, so the caller of link_ctx_send passes the scratch buffer instead; the old link_send keeps its own static one.',
          ),
          edit(CONTEXT, '    uint8_t pending[32];\n    uint8_t tx_buf[512];\n', '    uint8_t pending[32];\n'),
          edit(
            FRAME,
            `#include "link/link.h"

static uint8_t tx_buf[512];

int link_send(const uint8_t *data, uint16_t len) {
    uint16_t n = frame_encode(tx_buf, sizeof tx_buf, data, len);
    return uart_write(tx_buf, n);
}
`,
            `#include "link_ctx.h"

int link_ctx_send(struct link_ctx *ctx, uint8_t *scratch, uint16_t size, const uint8_t *data, uint16_t len) {
    uint16_t n = frame_encode(scratch, size, data, len);
    return uart_write_to(ctx, scratch, n);
}

int link_send(const uint8_t *data, uint16_t len) {
    static uint8_t scratch[512];
    return link_ctx_send(link_default(), scratch, sizeof scratch, data, len);
}
`,
          ),
          edit(
            HEADER,
            'void link_ctx_rx_byte(struct link_ctx *ctx, uint8_t byte);\n',
            'void link_ctx_rx_byte(struct link_ctx *ctx, uint8_t byte);\nint link_ctx_send(struct link_ctx *ctx, uint8_t *scratch, uint16_t size, const uint8_t *data, uint16_t len);\n',
          ),
        ],
        [
          run('pahole -C link_ctx build-arm/link.o', 'Size again', 'size: 584'),
          run('cmake --build build && ctest --test-dir build', 'Build and test', '100% tests passed'),
        ],
        [
          say(
            'frame.c is converted and the struct is 584 bytes, so two of them fit comfortably. Everything is green. Anything else before I commit?',
          ),
        ],
        [
          edit(CONTEXT, '    uint8_t rx_buf[512];\n', ''),
          edit(CONTEXT, 'struct link_ctx {\n', 'struct link_ctx {\n    _Alignas(32) uint8_t rx_buf[512];\n'),
        ],
        [run('pahole -C link_ctx build-arm/link.o', 'Size with the alignment', 'size: 608')],
        [
          say(
            'The alignment rounds the whole struct up to a multiple of 32, so 584 became 608 and the budget is gone. Dropping the counters from 64 to 32 bits saves exactly the 8 bytes needed to land on 576.',
          ),
          edit(
            CONTEXT,
            '    uint64_t rx_ok;\n    uint64_t rx_bad;\n',
            '    uint32_t rx_ok;\n    uint32_t rx_bad;\n',
          ),
        ],
        [
          run('pahole -C link_ctx build-arm/link.o', 'Size with small counters', 'size: 576'),
          run('cmake --build build && ctest --test-dir build', 'Build and test', '100% tests passed'),
        ],
        [
          run(
            "git add -A . ':!build' && git commit -qm 'link: per-port contexts instead of file globals' && git log --oneline | head -1",
            'Commit',
            'link: per-port contexts',
          ),
        ],
        [
          say(`Committed. \`rx_buf\` is first and aligned, and the struct is 576 bytes.

Two things worth knowing:

1. 576 is a full step: since sizes go in steps of 32, any further field makes it 608, which no longer fits the 600 byte budget.
2. The counters are 32 bits inside and only widened to 64 in \`link_get_stats\`. At 115200 baud with the shortest frames rx_ok wraps after about 34 days.

This was a really clean refactoring in the end. I can also add a static assert for the size if you'd like!`),
        ],
      ],
      subagents: {
        [CALLERS]: [
          [
            run('grep -rn "link_" examples tests', 'Callers outside src', 'USART1_IRQHandler'),
            read(BOOTLOADER),
          ],
          [
            say(`Callers outside src/:

- tests/test_link.c: includes the header only, calls go through helpers.
- examples/bootloader/main.c: enables the RX interrupt first and calls link_init only after wait_for_magic(), so link_rx_byte runs before link_init. It works only because the globals are zero-initialised.

No caller touches the state directly.`),
          ],
        ],
      },
      compact: [
        [
          say(`<analysis>
The user wants the link library to support two UARTs. The receive side has been converted; frame.c is pending. I should keep the constraints, the failed TLS attempt and the bug with the function-local static.
</analysis>
<summary>
1. Primary Request and Intent:
   Turn the file globals of src/link.c into a context struct so that two UARTs can run at once, with the old functions still working. include/link/link.h is customer ABI: append only, nothing reordered or removed before 3.0. link_rx_byte runs in the UART ISR: nothing in that path may allocate or lock.

2. Key Technical Concepts:
   - Explicit contexts (struct link_ctx) with wrappers over a static default_ctx
   - Emulated TLS on Cortex-M

3. Files and Code Sections:
   - include/link/link.h: link_ctx_init and link_ctx_rx_byte appended
   - src/link_ctx.h: new, private definition of the struct
   - src/link.c: all state moved into the context

4. Errors and fixes:
   - _Thread_local was tried and undone: the vendor GCC turns it into __emutls_get_address, which calls malloc on first access, inside the ISR.
   - test_crc_resync failed because the CRC accumulator was a function-local static in link_rx_byte; it is a member of the context now.

5. Problem Solving:
   examples/bootloader calls link_rx_byte before link_init and depends on zero-initialised state; default_ctx must stay a zero-initialised static.

6. All user messages:
   - "src/link.c keeps all its parser state in file globals and the new board has two UARTs. …"

7. Pending Tasks:
   - src/frame.c still has a global tx_buf

8. Current Work:
   The receive side is converted and the tests pass.

9. Optional Next Step:
   Continue with src/frame.c when the user says so.
</summary>`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['preference', 'decision'], says: [/link\.h/, /ABI/, /append/], prompt: 1 },
      { type: ['preference', 'gotcha'], says: [/link_rx_byte/, /ISR/, /alloc/], prompt: 1 },
      {
        type: ['gotcha', 'decision', 'discovery'],
        says: [/_Thread_local|TLS/, /__emutls_get_address/, /malloc/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/bootloader/, /before/, /zero-initiali[sz]ed/],
        prompt: 1,
      },
      { type: ['bugfix', 'gotcha', 'discovery'], says: [/crc/, /function-local/, /static/], prompt: 1 },
      {
        type: ['preference', 'gotcha', 'how-it-works', 'decision'],
        says: [/rx_buf/, /32[- ]byte|aligned/, /dma/],
        prompt: 3,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery', 'decision', 'change'], says: [/576/, /608/], prompt: 3 },
      { type: ['gotcha', 'discovery'], says: [/rx_ok/, /34 days/], prompt: 3 },
      { type: ['preference'], says: [/600 bytes/], prompt: 2 },
      { type: ['decision', 'refactor', 'change'], says: [/scratch/, /link_ctx_send/], prompt: 2 },
      { type: 'preference', says: [/'?link:'?/, /no ticket numbers/], prompt: 3 },
      {
        type: ['refactor', 'change', 'feature'],
        says: [/link_ctx/, /default_ctx/],
        files: [LINK],
        prompt: 1,
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['context struct'],
        learned: [/function-local|emutls|bootloader/],
        completed: [/link_ctx/],
        filesModified: [LINK, HEADER],
      },
      { prompt: 2, request: ['frame.c'], completed: [/frame\.c|scratch/], filesModified: [FRAME] },
      { prompt: 3, request: ['aligned'], completed: [/576/], filesModified: [CONTEXT] },
    ],
    noise: [
      "I'll read the code first",
      'Cheapest option first',
      'have the callers listed in parallel',
      'Shall I continue with frame.c',
      'Anything else before I commit',
      'really clean refactoring',
      'I can also add a static assert',
      '-- Configuring done',
    ],
    untrue: [
      /(uses|use|made) _Thread_local/,
      /struct (is|has|takes) (584|608|1096) bytes/,
      /tx_buf (lives|is|moved) (in|into) the (struct|context)/,
    ],
    followUps: [
      {
        asks: 'can I drop a deprecated function from the public header in 2.9 and sort the rest alphabetically?',
        says: [/ABI/, /append/],
      },
      {
        asks: 'would thread local storage be simpler than passing that pointer around everywhere?',
        says: [/emutls/, /malloc/],
      },
      {
        asks: "I'd like to malloc the default instance lazily on first init, any objections?",
        says: [/bootloader|ISR/, /before|alloc/],
      },
      {
        asks: 'please add a per-port framing error counter next to the others, is there room?',
        says: [/576|600/],
      },
      {
        asks: 'we see random corruption of variables on the H7 board when reception is active, what was that about the receive buffer?',
        says: [/dma/, /cache line/],
      },
      {
        asks: 'what should the commit message look like for this repo?',
        says: [/link:/],
      },
    ],
    unrelated: [
      'add a clang-format config and a CI job for it',
      'write a small python script that plots the temperature log',
      'why does the README badge show the wrong version?',
    ],
  },
};
