import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const METER = 'src/meter.c';
const WDT = 'src/wdt.c';
const CONF = 'prj.conf';
const BUDGET = 'docs/ram-budget.md';
const TEST = 'tests/meter/src/main.c';

const WEST = `#!/bin/sh
# Stands in for Zephyr's west: builds report RAM, twister runs the meter suite on the simulator.
if [ "$1" = build ]; then
  if grep -q meter_wq_stack ${METER}; then echo "RAM: 260992 B 256 KB 99.56%"; else echo "RAM: 259072 B 256 KB 98.83%"; fi
  exit 0
fi
if [ "$1" = twister ]; then
  echo "meter.answers_in_30ms PASSED"
  grep -q silent_meter ${TEST} || { echo "1 of 1 passed"; exit 0; }
  if ! grep -q k_work_queue_start ${METER}; then
    echo "meter.silent_meter FAILED: watchdog not fed for 2013 ms (timeout 2000 ms)"; exit 1
  fi
  if grep -q 'METER_STACK 768' ${METER}; then
    echo "meter.silent_meter FAILED: stack overflow on meter_wq, 812 of 768 bytes used"; exit 1
  fi
  echo "meter.silent_meter PASSED (longest gap between feeds 504 ms, meter_wq high water 812 of 1024)"
  echo "2 of 2 passed"; exit 0
fi
exit 2
`;

export const zephyrWatchdogResetEn: SurveySession = {
  name: 'zephyr watchdog reset en',
  about: 'Field units reboot; the battery and then the radio are suspected, the shared work queue is guilty.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'zephyr',
  files: {
    [CONF]: `CONFIG_WATCHDOG=y
CONFIG_LOG=y
CONFIG_LOG_MODE_DEFERRED=y
CONFIG_LOG_BUFFER_SIZE=1024
CONFIG_LORA=y
CONFIG_SYSTEM_WORKQUEUE_STACK_SIZE=2048
`,
    [WDT]: `#include <zephyr/drivers/watchdog.h>

#define WDT_TIMEOUT_MS 2000
#define WDT_FEED_MS 500

static void feed(struct k_work *work)
{
	wdt_feed(wdt, channel);
	k_work_schedule(k_work_delayable_from_work(work), K_MSEC(WDT_FEED_MS));
}

static K_WORK_DELAYABLE_DEFINE(feed_work, feed);
`,
    [METER]: `#include <zephyr/kernel.h>
#include "modbus.h"

#define METER_TRIES 5
#define METER_WAIT_MS 400

static void poll(struct k_work *work)
{
	for (int i = 0; i < METER_TRIES; i++) {
		if (modbus_read(METER_ADDR, &sample, K_MSEC(METER_WAIT_MS)) == 0) {
			publish(&sample);
			return;
		}
	}
	LOG_WRN("meter silent");
}

static K_WORK_DEFINE(poll_work, poll);

void meter_tick(void)
{
	k_work_submit(&poll_work);
}
`,
    'src/radio.c': `#include <zephyr/drivers/lora.h>

/* own thread, priority 5 */
static void radio_thread(void)
{
	while (1) {
		k_msgq_get(&tx_queue, &frame, K_FOREVER);
		lora_send(dev, frame.data, frame.len);
	}
}
`,
    [TEST]: `#include <zephyr/ztest.h>

ZTEST(meter, test_answers_in_30ms)
{
	fake_modbus_delay(30);
	meter_tick();
	zassert_true(published_within(100));
}
`,
    [BUDGET]: `# RAM budget (256 KB)

| what | bytes |
| --- | --- |
| radio thread stack | 2048 |
| system work queue stack | 2048 |
| LoRa buffers | 4096 |
`,
    'dumps/oslo-0113.txt': 'fw=2.8.0 RESETREAS=0x00000002 vbat_min=3.41 meter=kamstrup-382 last_tx=41s_ago\n',
    'dumps/oslo-0207.txt': 'fw=2.8.0 RESETREAS=0x00000002 vbat_min=3.38 meter=kamstrup-382 last_tx=12s_ago\n',
    'dumps/oslo-0209.txt': 'fw=2.8.0 RESETREAS=0x00000002 vbat_min=3.44 meter=kamstrup-382 last_tx=55s_ago\n',
    'dumps/oslo-0380.txt': 'fw=2.8.0 RESETREAS=0x00000002 vbat_min=3.40 meter=kamstrup-382 last_tx=29s_ago\n',
    'CHANGELOG.md': `## 2.8.0
- meter: poll from a work item, removes the meter thread and saves 1.5 KB

## 2.7.3
- radio: EU868 duty cycle
`,
  },
  programs: { west: WEST },
  prompts: [
    'Some 40 of the 600 nodes in Oslo reboot 3 to 5 times a day since 2.8.0. Bench units never do. My money is on the cheap battery batch, i.e. brown-out. Dumps are in dumps/. Have a look before I phone the supplier and shout at them',
    'ha, ok, no shouting. Please fix it. Two constraints: the watchdog timeout stays at 2 s, that number is in the ATEX dossier and touching it means recertification. And RAM: any new stack is 1 KB at most and gets a line in docs/ram-budget.md, no exceptions',
    'nice. last thing, just out of curiosity: why do the final log lines before a reset never make it into the dumps? would have saved me a week',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say("I'll start with the reset reasons, they settle the battery question quickly."),
          run('cat dumps/*.txt', 'All dumps', 'RESETREAS=0x00000002'),
          run(
            "grep -ho 'meter=[a-z0-9-]*' dumps/*.txt | sort | uniq -c",
            'Which meters',
            '4 meter=kamstrup-382',
          ),
        ],
        [
          say(
            'RESETREAS is 0x2 in all four dumps, that is the watchdog. After a brown-out the nRF52840 leaves the register at 0, and the battery never went below 3.38 V. So not the batteries. My guess is now the radio driver: `lora_send` blocks during long frames and could keep the feed from running.',
          ),
          read('src/radio.c'),
          read(WDT),
        ],
        [
          say(
            'The radio is out too: it has its own thread at priority 5, below the work queue, and the last transmission was 12 to 55 seconds before the reset. What changed in 2.8.0?',
          ),
          run('cat CHANGELOG.md', 'Changes in 2.8.0', 'poll from a work item'),
          read(METER),
        ],
        [run('west twister -T tests/meter', 'Existing suite', '1 of 1 passed')],
        [
          say(`It's not the batteries, please don't call the supplier.

**Cause.** 2.8.0 moved the meter poll from its own thread to the system work queue. \`poll()\` tries 5 times and waits 400 ms each, so with a meter that doesn't answer it blocks the queue for 2.0 s. The watchdog is fed by a work item on the same queue every 500 ms, so it starves, and the timeout is 2 s.

**Why only those 40.** All the dumps come from nodes with a Kamstrup 382. That meter goes deaf for a few seconds while it closes its hourly register. The bench meter answers within 30 ms, so the test suite never sees a silent meter.

**What I'd rule out.** Feeding the watchdog from a timer interrupt would stop the resets, but then a hung thread would never be noticed any more, which is the whole point of the watchdog.

The clean fix is a separate queue for the meter. Shall I?`),
        ],
        [say('Test first: a meter that stays silent.'), read(TEST)],
        [
          edit(
            TEST,
            'ZTEST(meter, test_answers_in_30ms)',
            `ZTEST(meter, test_silent_meter)
{
	fake_modbus_silent();
	meter_tick();
	zassert_true(longest_feed_gap() < 1000);
}

ZTEST(meter, test_answers_in_30ms)`,
          ),
          fail('west twister -T tests/meter', 'Must be red', 'not fed for 2013 ms'),
        ],
        [
          say("Red for the right reason. Now the queue; I'll try 768 bytes of stack."),
          edit(
            METER,
            '#define METER_WAIT_MS 400\n',
            `#define METER_WAIT_MS 400
#define METER_STACK 768

/* Not the system work queue: that one feeds the watchdog, and poll() may block for 2 s. */
static K_THREAD_STACK_DEFINE(meter_wq_stack, METER_STACK);
static struct k_work_q meter_wq;
`,
          ),
          edit(
            METER,
            'void meter_tick(void)\n{\n\tk_work_submit(&poll_work);\n}',
            `void meter_init(void)
{
	k_work_queue_start(&meter_wq, meter_wq_stack, METER_STACK, K_PRIO_PREEMPT(8), NULL);
}

void meter_tick(void)
{
	k_work_submit_to_queue(&meter_wq, &poll_work);
}`,
          ),
        ],
        [fail('west twister -T tests/meter', 'Suite with the new queue', '812 of 768')],
        [
          say('768 is too small, Modbus needs 812 bytes. 1024 is still within your limit.'),
          edit(METER, '#define METER_STACK 768', '#define METER_STACK 1024'),
          read(BUDGET),
        ],
        [
          edit(BUDGET, '| LoRa buffers', '| meter work queue stack | 1024 |\n| LoRa buffers'),
          run('west twister -T tests/meter && west build', 'Suite and RAM', '2 of 2 passed'),
        ],
        [
          run(
            'git add -A && git commit -qm "fix(meter): poll on a queue of its own so that the watchdog is fed" && git show --stat HEAD | tail -4',
            'Commit',
            'docs/ram-budget.md',
          ),
        ],
        [
          say(`Fixed and committed.

- The meter poll runs on its own work queue \`meter_wq\` now; the feed stays on the system queue. With a silent meter the longest gap between two feeds is 504 ms.
- Stack of \`meter_wq\`: 1024 bytes, in \`docs/ram-budget.md\`. 768 overflows (812 bytes used), so there's no point in trimming it.
- The timeout is untouched at 2000 ms.
- RAM is at 99.56 % now, 1152 bytes left. The next feature that needs a stack won't fit.
- New test \`test_silent_meter\`; it was red before (2013 ms without a feed).

General rule of thumb for this code base: nothing that waits longer than about 1 s may run on the system work queue, because the watchdog feed lives there.

Let me know if you'd like a release note as well.`),
        ],
        [run('grep -n LOG_ prj.conf', 'Log settings', 'LOG_MODE_DEFERRED')],
        [
          say(
            'Because of `CONFIG_LOG_MODE_DEFERRED`. In that mode a log call only puts the message into a 1 KB ring buffer in RAM, and a low priority thread prints it later. On a watchdog reset nobody flushes the buffer, so whatever was in it is gone; that is typically the last 10 to 20 lines, the interesting ones. Switching to `LOG_MODE_IMMEDIATE` is not a good idea here: it prints in the context of the caller and would stretch the Modbus timing. The usual way out is to put the buffer into a noinit section that survives a warm reset and to print it at boot. I have changed nothing.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'bugfix', 'gotcha'],
        says: [/system (work )?queue/, /poll/, /starve|2\.0 s|blocks/, /watchdog/],
      },
      { type: ['preference', 'decision', 'gotcha'], says: [/ATEX/, /2 s|2000/, /timeout/] },
      { type: ['preference', 'decision'], says: [/1 KB/, /ram-budget/, /stack/] },
      {
        type: ['bugfix', 'change'],
        says: [/meter_wq|own (work )?queue|queue of its own/, /meter/],
        files: [METER],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'bugfix', 'preference', 'decision'],
        says: [/nothing that waits|longer than about 1 s/, /system work queue/],
      },
      { type: ['gotcha', 'discovery', 'change', 'bugfix'], says: [/RAM/, /99\.56|1152/] },
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/LOG_MODE_DEFERRED|deferred/, /buffer/, /flush|gone|reset/],
        prompt: 3,
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/Kamstrup/, /deaf|hourly register/] },
      {
        type: ['decision', 'discovery', 'gotcha'],
        says: [/timer interrupt/, /hung thread|never be noticed/],
      },
      { type: ['discovery', 'how-it-works'], says: [/RESETREAS/, /brown-?out|0x2/] },
      { type: ['gotcha', 'discovery', 'decision', 'bugfix', 'change'], says: [/768/, /812/] },
      { type: ['gotcha', 'decision', 'how-it-works', 'discovery'], says: [/IMMEDIATE/, /Modbus|caller/] },
    ],
    summaries: [
      { prompt: 1, request: [/reboot|Oslo/], learned: [/work queue/], filesRead: [METER, WDT] },
      { prompt: 2, request: [/fix/], completed: [/meter_wq|queue/], filesModified: [METER, BUDGET, TEST] },
      { prompt: 3, request: [/log lines/], learned: [/DEFERRED|deferred/] },
    ],
    noise: [
      'settle the battery question quickly',
      'Red for the right reason',
      'Shall I?',
      "Let me know if you'd like a release note",
      'no shouting',
      'What changed in 2.8.0?',
    ],
    untrue: [
      /My guess is now the radio driver/,
      /(cause|caused by|due to)[^.]{0,30}(brown-?out|batter)/,
      /(switched|set|changed) to .?(CONFIG_)?LOG_MODE_IMMEDIATE/,
    ],
    followUps: [
      {
        asks: 'could we simply raise WDT_TIMEOUT_MS to 5000 for the slow sites?',
        says: [/ATEX/],
      },
      {
        asks: 'I want to write settings to flash from a k_work handler, takes about 1.5 s worst case. ok?',
        says: [/system work queue/, /watchdog/],
      },
      { asks: 'add a thread for the BLE provisioning, give it 2 KB', says: [/1 KB/, /ram-budget/] },
      {
        asks: 'a unit died in the field and the log just stops before anything interesting',
        says: [/deferred/, /buffer/],
      },
      { asks: 'how much memory do we still have on the nRF?', says: [/99\.56|1152/] },
    ],
    unrelated: [
      'bump the copyright year in all source headers',
      'which clang-format version does the CI image ship?',
      'write a python script that converts our CSV key list into QR codes for the labels',
    ],
  },
};
