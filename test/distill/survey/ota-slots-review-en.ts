import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const BOOT = 'boot/slots.c';
const VERIFY = 'boot/verify.c';
const DOWNLOAD = 'app/ota_download.c';
const TRAILER = 'boot/trailer.h';

const FLASH = 'Review the flash handling and the slot swap in boot/';
const CRYPTO = 'Review signature and version checks in boot/verify.c';

export const otaSlotsReviewEn: SurveySession = {
  name: 'ota-slots-review-en',
  about:
    'Review of an A/B firmware update in C: two subagents report, one finding is wrong, one is waved off by the person, nothing is changed.',
  kind: 'review',
  language: 'en',
  ecosystem: 'c',
  files: {
    [TRAILER]: `#define TRAILER_MAGIC 0x0A7A51DEu
struct trailer {
    uint32_t magic;
    uint32_t version;
    uint8_t  attempts;
    uint8_t  confirmed;
};
`,
    [BOOT]: `#include "trailer.h"

static struct trailer t;

void mark_pending(int slot, uint32_t version) {
    t.magic = TRAILER_MAGIC;
    t.version = version;
    t.attempts = 0;
    t.confirmed = 0;
    flash_erase(TRAILER_ADDR, SECTOR);
    flash_write(TRAILER_ADDR, &t, sizeof t);
}

int pick_slot(void) {
    flash_read(TRAILER_ADDR, &t, sizeof t);
    if (t.magic != TRAILER_MAGIC) return SLOT_A;
    if (t.confirmed) return SLOT_B;
    t.attempts++;
    flash_erase(TRAILER_ADDR, SECTOR);
    flash_write(TRAILER_ADDR, &t, sizeof t);
    return t.attempts > 3 ? SLOT_A : SLOT_B;
}
`,
    [VERIFY]: `int image_ok(const struct image *img) {
    uint8_t digest[32];
    sha256(img->body, img->length, digest);
    if (memcmp(digest, img->digest, 32) != 0) return 0;
    return ed25519_verify(img->sig, img->digest, 32, PUBKEY);
}
`,
    [DOWNLOAD]: `int ota_chunk(const uint8_t *buf, size_t len) {
    static size_t at;
    if (at + len > SLOT_SIZE) return -1;
    watchdog_feed();
    flash_write(SLOT_B_ADDR + at, buf, len);
    at += len;
    return 0;
}
`,
    'sim/power_cut.py': 'print("cut power at every flash operation of an update")\n',
  },
  programs: {
    make: `#!/bin/sh
case "$*" in
  *power-cut*) echo "512 cuts, 9 boots without a valid trailer, 9 fell back to slot A with version 41" ;;
  *size*) echo "boot: 15872 of 16384 bytes" ;;
  *) echo "built" ;;
esac
`,
  },
  prompts: [
    "can you review the A/B update code before we burn it into 3000 units on the 12th? boot/ and app/ota_download.c. read only, don't touch the code. house rules so you don't flag the wrong things: no malloc in the bootloader, ever, and the bootloader has to stay under 16 KB because the sector is write protected in the field, we can NOT ship a second bootloader. worst first please",
    "ok the memcmp thing: timing doesn't matter there, the digest is public and it's not a secret comparison, drop it. the trailer one scares me. how would you do it, two options max. oh and our numbering: findings get an id like OTA-1 so we can refer to them in the tracker",
    "two copies then, sequence number. not the log, it's too much code for what's left. i'll have Marek write it, don't bother. thanks, really helpful, coffee's on me",
  ],
  script: (dir) => {
    const { run, read, delegate } = callsIn(dir);
    return {
      main: [
        [
          say("I'll split this: flash and power loss on one side, crypto on the other."),
          run('wc -l boot/*.c app/*.c', 'Size of the code', 'total'),
          run('make size', 'Size of the bootloader', '15872 of 16384'),
        ],
        [
          delegate(
            'Flash and slot swap',
            `${FLASH}. Assume power can go at any instruction. Change nothing.`,
          ),
          delegate('Signature checks', `${CRYPTO}. Change nothing, give evidence.`),
        ],
        [
          say('Both are back. The claim about an overflow in ota_chunk looks off, checking it myself.'),
          read(DOWNLOAD),
          read(BOOT),
        ],
        [
          say(`Nothing was changed. Worst first:

**1. Power loss between erase and write of the trailer bricks the choice of slot.** \`pick_slot\` erases the only trailer and then writes it again on every unconfirmed boot. In the power cut simulation 9 of 512 cuts left no valid trailer, and the device silently went back to slot A with version 41.

**2. No protection against downgrade.** \`image_ok\` never looks at the version, so a correctly signed old image with known holes is accepted. The trailer stores the version, nobody compares it.

**3. The length is not signed.** \`img->length\` is read from the header before anything is verified; a length past the slot makes sha256 read beyond flash and the watchdog resets in a loop.

**4. memcmp in image_ok is not constant time.**

One report was wrong: ota_chunk does not overflow, \`at + len > SLOT_SIZE\` is checked before the write and len is at most 1024. There is a smaller problem there though: \`at\` is static and never reset, so a second download attempt after a dropped connection starts in the middle and needs a reboot.

The bootloader has 512 bytes left, which limits how these can be fixed. Happy to walk through any of them.`),
        ],
        [
          say('Agreed on memcmp. While at it I want to see who starts the watchdog.'),
          run('grep -rn "watchdog" boot app', 'Who uses the watchdog', 'app/ota_download.c'),
          run('make size', 'Room that is left', '15872'),
        ],
        [
          say(`OTA-4 (memcmp) is dropped. The rest keep their order as OTA-1 to OTA-3, the static offset is OTA-5.

A correction to OTA-3: I wrote that the watchdog resets in a loop. It cannot, nothing in boot/ starts the watchdog. The device just hangs until someone pulls the battery, which is worse.

For OTA-1, two ways:

- **Two trailer copies in two sectors with a sequence number and a CRC.** Always write the older one; at boot the valid copy with the higher number wins. About 180 bytes of code.
- **An append-only log in one sector.** Fewer erases, so it wears better, but it needs a scan and a compaction, roughly 600 bytes. That does not fit into the 512 bytes that are left.

I lean to the two copies. One trap with them: the sequence number wraps, compare with a signed difference and not with >.`),
        ],
        [say('Good choice, and good luck to Marek. Enjoy the coffee!')],
      ],
      subagents: {
        [FLASH]: [
          [read(BOOT), read(TRAILER), read(DOWNLOAD)],
          [
            say('Running the simulation.'),
            run('make power-cut', 'Simulate power cuts', '9 boots without a valid trailer'),
          ],
          [
            say(`Findings:

- pick_slot() and mark_pending() erase the single trailer sector before writing it. 9 of 512 simulated cuts leave it empty.
- attempts is written with an erase each boot; the sector is rated for 10,000 erases, a device in a reboot loop of 20 seconds wears it out in under three days.
- ota_chunk() can overflow slot B.`),
          ],
        ],
        [CRYPTO]: [
          [read(VERIFY), run('grep -n "version" boot/*.c', 'Who compares versions', 'version')],
          [
            say(`Findings:

- image_ok() ignores the version: downgrade to any signed image is possible.
- length comes from the unsigned header and is used before verification.
- memcmp on the digest is not constant time.
- ed25519_verify is called correctly and its result is checked by the caller.`),
          ],
        ],
      },
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/trailer/, /erase/, /9 of 512|power/i],
        prompt: 1,
      },
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/downgrade|old image/, /version/], prompt: 1 },
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/length/, /sign|verif/, /header|slot/], prompt: 1 },
      { type: 'preference', says: [/malloc/, /bootloader/], prompt: 1 },
      {
        type: ['preference', 'gotcha'],
        says: [/16 KB/, /write protected|second bootloader/],
        prompt: 1,
      },
      {
        type: 'decision',
        says: [/two (trailer )?copies/, /log|sequence number/],
        prompt: 3,
      },
      {
        type: ['decision', 'preference'],
        says: [/memcmp|timing/, /public|dropped|not a secret/],
        prompt: 2,
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/static/, /never reset|reboot/], prompt: 1 },
      { type: ['discovery', 'gotcha'], says: [/10,000 erases/, /three days|attempts/], prompt: 1 },
      { type: ['discovery', 'decision', 'gotcha'], says: [/ota_chunk/, /does not overflow/], prompt: 1 },
      {
        type: ['gotcha', 'decision', 'discovery'],
        says: [/sequence number wraps/, /signed difference/],
        prompt: 2,
      },
      { type: 'preference', says: [/OTA-1/, /findings/], prompt: 2 },
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/watchdog/, /hangs|nothing in boot/], prompt: 2 },
      { type: ['decision', 'discovery', 'gotcha'], says: [/512 bytes/, /600 bytes|left/], prompt: 2 },
    ],
    summaries: [
      { prompt: 1, request: [/review/], learned: [/trailer/], filesRead: [BOOT, DOWNLOAD] },
      { prompt: 2, request: [/memcmp/], learned: [/copies|log|512 bytes/] },
      { prompt: 3, optional: true, request: [/two copies/] },
    ],
    noise: [
      "I'll split this",
      'Both are back',
      'Running the simulation',
      'Happy to walk through',
      'Enjoy the coffee',
      "coffee's on me",
      'looks off, checking it myself',
    ],
    untrue: [
      /ota_chunk(\(\))? (can|may|does) overflow/,
      /(fixed|added|implemented|changed) .{0,30}(trailer|version check|sequence number)/,
      /watchdog resets in a loop(?![\s\S]*(cannot|nothing in boot))/,
      /(boot\/|app\/)\S+\.c was changed/,
    ],
    followUps: [
      {
        asks: 'a unit in the field went back to the old firmware after someone pulled the plug mid update, is that possible?',
        says: [/trailer/],
      },
      {
        asks: 'could an attacker flash a release from last year that we signed ourselves?',
        says: [/version/, /signed|downgrade|image_ok/],
      },
      { asks: 'how much room do I have for new code in the boot sector?', says: [/512 bytes|16 KB/] },
      { asks: 'can I allocate the decompression buffer on the heap at boot?', says: [/malloc/] },
      {
        asks: 'why did we not go for a journal when storing the slot state?',
        says: [/600 bytes|too much code|does not fit/],
      },
    ],
    unrelated: [
      'the temperature on the display should be in Fahrenheit for US models',
      'set up clang-format for the app folder',
      'add a unit test for the CAN bus parser',
    ],
  },
};
