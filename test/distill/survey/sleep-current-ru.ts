import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const POWER = 'app/power.c';
const RADIO = 'app/radio.c';
const BOARD = 'docs/board.md';

const MAKE = `#!/bin/sh
case "$*" in
  "flash STAND=1")
    if [ ! -f .stlink ]; then touch .stlink; echo "Linking kaplya.elf"; echo "Error: ST-Link busy (gdbserver running), nothing written"; exit 2; fi
    cp ${POWER} .flashed; echo "Linking kaplya.elf"; echo "Verified OK, 41216 bytes" ;;
  "test") echo "host tests: 31 passed" ;;
  *) echo "no rule: $*"; exit 2 ;;
esac
`;
const PPK = `#!/bin/sh
f=.flashed
if [ ! -f $f ]; then echo "sleep_avg_uA=1120 tx_per_day=4 tx_avg_uA=1.1"; exit 0; fi
if grep -q 'BOARD_REV_C\\|keep powered' $f; then echo "sleep_avg_uA=2.3 tx_per_day=4 tx_avg_uA=1.1"; exit 0; fi
if grep -q 'DBGMCU->CR = 0' $f; then echo "sleep_avg_uA=1104 tx_per_day=4 tx_avg_uA=1.1"; exit 0; fi
echo "sleep_avg_uA=1120 tx_per_day=4 tx_avg_uA=1.1"
`;

export const sleepCurrent: SurveySession = {
  name: 'ток сна',
  about:
    'Датчик быстро садит батарею: радио и отладка отпадают по замерам, виноваты подтяжки I2C на обесточенный сенсор.',
  kind: 'bug hunt',
  language: 'ru',
  ecosystem: 'embedded-c',
  files: {
    [POWER]: `#include "stm32l0xx.h"
#include "board.h"

void power_enter_stop(void)
{
    gpio_reset(SENSOR_EN); /* sensor off while we sleep */
    PWR->CR |= PWR_CR_LPSDSR;
    SCB->SCR |= SCB_SCR_SLEEPDEEP_Msk;
    __WFI();
    gpio_set(SENSOR_EN);
}
`,
    [RADIO]: `#include "radio.h"

#define TX_PERIOD_S (6 * 3600)

void radio_tick(uint32_t now)
{
    if (now - last_tx >= TX_PERIOD_S) radio_send_status();
}
`,
    [BOARD]: `# Board

| rev | I2C pull-ups | supply of pull-ups |
|-----|--------------|--------------------|
| B   | 4.7k         | VSENS (after the load switch) |
| C   | 4.7k         | VBAT |
`,
    'hal/README': 'Vendor HAL 1.12.\n',
  },
  programs: { make: MAKE, ppk: PPK },
  prompts: [
    'датчик протечки живёт три месяца вместо трёх лет. думаю радио слишком часто просыпается. стенд 1 подключён, на нём ppk, меряй сколько надо. стенд 2 не трогать вообще, он на сертификации. в hal/ ничего не править, это вендорское',
    'ёмкость у нас 2400, две ячейки параллельно, а не 1200. в остальном согласен. сделай так: на rev C сенсор остаётся под питанием, на rev B как было, там подтяжки после ключа',
    'закоммить. и допиши в docs/board.md что в rev D подтяжки надо вернуть за ключ',
  ],
  script: (dir) => {
    const { run, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Сначала замер, потом гипотезы.'),
          run('ppk --stand 1', 'Ток на стенде 1', 'sleep_avg_uA=1120'),
          read(RADIO),
          read(POWER),
        ],
        [
          say(
            'Радио отпадает: четыре передачи в сутки, в среднем 1,1 мкА. А вот во сне плата ест 1,12 мА вместо пары микроампер. Первое подозрение — не выключен отладочный домен (DBGMCU), он держит тактирование в STOP.',
          ),
          edit(
            POWER,
            '    PWR->CR |= PWR_CR_LPSDSR;\n',
            '    DBGMCU->CR = 0;\n    PWR->CR |= PWR_CR_LPSDSR;\n',
          ),
        ],
        [
          run('make flash STAND=1 2>&1 | head -1', 'Прошить стенд 1', 'Linking'),
          run('ppk --stand 1', 'Ток после правки', 'sleep_avg_uA=1120'),
        ],
        [
          say(
            'Ток не изменился ни на микроампер, это странно. Проверю, прошилась ли плата: вывод я обрезал через head.',
          ),
          run('make flash STAND=1', 'Прошить ещё раз, с полным выводом', 'Verified OK'),
          run('ppk --stand 1', 'Ток после настоящей прошивки', 'sleep_avg_uA=1104'),
        ],
        [
          say('Вот теперь честно: DBGMCU даёт всего 16 мкА, основная утечка не там. Смотрю схему питания.'),
          read(BOARD),
        ],
        [
          say(
            'На rev C подтяжки I2C висят на VBAT, а сенсор мы во сне обесточиваем. Проверяю: оставлю сенсор включённым.',
          ),
          edit(
            POWER,
            '    gpio_reset(SENSOR_EN); /* sensor off while we sleep */\n',
            '    /* keep powered */\n',
          ),
          run('make flash STAND=1', 'Прошить опыт', 'Verified OK'),
        ],
        [run('ppk --stand 1', 'Ток с включённым сенсором', 'sleep_avg_uA=2.3')],
        [
          say(`Нашёл. Радио ни при чём, и отладочный домен почти ни при чём (16 мкА из 1120).

Причина в схеме rev C: подтяжки I2C по 4,7 кОм запитаны от VBAT, а сенсор во сне обесточен ключом. Через защитные диоды обесточенного сенсора линии SDA и SCL тянутся к земле, и через две подтяжки постоянно течёт около 1,1 мА. Если сенсор оставить под питанием, весь ток сна падает до 2,3 мкА: сам сенсор в простое берёт 0,2 мкА. То есть «экономия» на выключении сенсора и сажала батарею.

При ёмкости 1200 мА·ч старый ток даёт 45 дней, что не вполне сходится с вашими тремя месяцами.

Отдельно про грабли: первая прошивка не записалась (ST-Link был занят gdbserver), а make за пайпом с head этого не показал, и я чуть не отбросил гипотезу по замеру старой прошивки. После прошивки надо видеть «Verified OK».

Сейчас в power.c лежит опытный вариант. Оставлять сенсор включённым всегда или по ревизии?`),
        ],
        [
          edit(
            POWER,
            '    /* keep powered */\n',
            '#if !defined(BOARD_REV_C)\n    gpio_reset(SENSOR_EN); /* rev B: the pull-ups are behind the switch */\n#endif\n',
          ),
          run('make flash STAND=1 && make test', 'Прошить и прогнать тесты', 'host tests: 31 passed'),
        ],
        [run('ppk --stand 1', 'Контрольный замер', 'sleep_avg_uA=2.3')],
        [
          say(
            'Сделано. В power_enter_stop() сенсор выключается только на rev B, на rev C (BOARD_REV_C) остаётся под питанием; DBGMCU->CR = 0 оставил, это честные 16 мкА. Контрольный замер на стенде 1: 2,3 мкА. С ёмкостью 2400 мА·ч всё сходится: 2400 / 1,12 — это 89 дней, ваши три месяца. Теперь сон и радио вместе берут 3,4 мкА, и срок ограничивает уже саморазряд батареи, а не плата. Rev B я не мерил, её на стенде нет.',
          ),
        ],
        [
          edit(
            BOARD,
            '| C   | 4.7k         | VBAT |\n',
            '| C   | 4.7k         | VBAT |\n\nRev D: move the pull-ups back behind the load switch (VSENS). On rev C they leak 1.1 mA through an unpowered sensor.\n',
          ),
          run(
            'git add app docs && git commit -qm "Keep the sensor powered in stop mode on rev C" && git log --oneline -1',
            'Коммит',
            'Keep the sensor powered',
          ),
        ],
        [
          say(
            'Закоммичено, в docs/board.md добавлено требование к rev D: подтяжки I2C вернуть за ключ, на VSENS.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha', 'how-it-works'],
        says: [/подтяж/, /VBAT/, /обесточен/],
      },
      {
        type: ['decision', 'preference', 'bugfix', 'change'],
        says: [/rev C/, /rev B/, /под питанием/],
      },
      { type: ['preference', 'gotcha'], says: [/стенд 2/, /сертификаци/] },
      { type: ['preference', 'gotcha'], says: [/hal/, /вендор|не править/] },
      { type: ['gotcha', 'discovery'], says: [/прошивк/, /Verified OK|ST-Link/, /пайп|head|gdbserver/] },
      {
        type: ['preference', 'discovery', 'how-it-works', 'gotcha', 'change', 'bugfix'],
        says: [/2400/, /ячейки|ёмкость/],
      },
      { type: ['discovery', 'bugfix', 'change', 'gotcha'], says: [/2,3 мкА/, /сон|сна|замер/] },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/радио/i, /1,1 мкА|ни при чём|отпадает/] },
      { type: ['discovery', 'gotcha', 'change'], says: [/DBGMCU|отладочный домен/, /16 мкА/] },
      { type: ['decision', 'change', 'preference', 'gotcha'], says: [/rev D/, /за ключ/] },
      { type: ['gotcha', 'discovery'], says: [/rev B/i, /не мерил/] },
      { type: ['discovery', 'how-it-works', 'gotcha'], says: [/саморазряд/] },
    ],
    summaries: [
      { prompt: 1, request: [/датчик протечки/], learned: [/подтяж/] },
      { prompt: 2, request: [/2400/], completed: [/rev C/], filesModified: [POWER] },
      { prompt: 3, request: [/закоммить|rev D/], completed: [/rev D|board\.md/] },
    ],
    noise: [
      'Сначала замер, потом гипотезы',
      'Смотрю схему питания',
      'Проверю, прошилась ли плата',
      'Оставлять сенсор включённым всегда или по ревизии',
    ],
    untrue: [
      /(ёмкост\S* (—|-|равна|батареи) ?)1200/,
      /1200 мА·ч старый ток даёт/,
      /Первое подозрение[^.]*STOP\.(?![\s\S]*16 мкА)/,
      /причина[^.]{0,30}(в радио|DBGMCU|отладочн)/,
      /лежит опытный вариант/,
    ],
    followUps: [
      {
        asks: 'почему на rev C сенсор не выключаем во сне, это же экономия?',
        says: [/подтяж/, /1,1 мА|VBAT|обесточен/],
      },
      { asks: 'прошей новую версию на все стенды', says: [/стенд 2/, /сертификаци/] },
      { asks: 'схемотехники спрашивают, что исправить в следующей плате', says: [/подтяж/, /за ключ/] },
      {
        asks: 'после заливки поведение не поменялось вообще, что может быть?',
        says: [/Verified OK|ST-Link/],
      },
      { asks: 'посчитай, на сколько хватит батареи, если передавать каждый час', says: [/2400/] },
    ],
    unrelated: [
      'как в git посмотреть, кто последним менял строку?',
      'сделай шаблон для changelog, как в keepachangelog',
      'чем volatile отличается от atomic в си?',
    ],
  },
};
