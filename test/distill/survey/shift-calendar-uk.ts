import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const ICS = 'src/ics.js';
const PAGE = 'src/SchedulePage.jsx';
const TEST = 'test/ics.test.js';
const MARKER = 'З’ясуй, у якому часовому поясі';

export const shiftCalendar: SurveySession = {
  name: 'shift calendar',
  about: 'Експорт чергувань у календар: субагент помиляється щодо поясу, нагадування додають і прибирають.',
  kind: 'feature',
  language: 'uk',
  ecosystem: 'javascript',
  files: {
    'package.json': '{ "name": "cherga", "private": true, "type": "module" }\n',
    'docs/api.md': '# API\n\nУсі часи в UTC.\n\n- GET /shifts\n',
    'src/ShiftForm.jsx': `export function ShiftForm({ save }) {
  // Значення поля datetime-local іде на сервер без змін.
  return <input type="datetime-local" onChange={(e) => save({ start: e.target.value })} />;
}
`,
    [PAGE]: `export function SchedulePage({ shifts }) {
  return (
    <main>
      <h1>Чергування</h1>
      <ShiftTable shifts={shifts} />
    </main>
  );
}
`,
    'fixtures/shifts.json': `${JSON.stringify(
      [
        { id: 7, rev: 0, title: 'Денна зміна', start: '2026-03-27T08:00', end: '20:00' },
        {
          id: 8,
          rev: 2,
          title: 'Нічна зміна у відділенні інтенсивної терапії, другий корпус',
          start: '2026-03-28T20:00',
          end: '08:00',
        },
      ],
      null,
      1,
    )}\n`,
    [TEST]: `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { toIcs } from '../src/ics.js';

const ics = toIcs(JSON.parse(readFileSync('fixtures/shifts.json', 'utf8')));

test('the night shift ends on the next day', () => {
  assert.match(ics, /DTEND;TZID=Europe\\/Kyiv:20260329T080000/);
});
test('no line is longer than 75 octets', () => {
  const longest = Math.max(...ics.split('\\r\\n').map((line) => Buffer.byteLength(line)));
  assert.ok(longest <= 75, \`longest line has \${longest} octets\`);
});
test('a shift keeps its UID', () => {
  assert.match(ics, /UID:shift-8@cherga/);
});
`,
  },
  prompts: [
    'додай на сторінку графіка експорт у календар (.ics), тести я вже накидав у test/ics.test.js. хай субагент гляне, в якому поясі ми зберігаємо час. без нових npm-залежностей, бандл і так уже 400 КБ',
    'клас! додай ще нагадування за 15 хвилин до зміни',
    'подумав — ні, прибери нагадування. черговим і так дзвонить бот, два сигнали будуть тільки дратувати. і закоміть, коміти в нас англійською',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write, delegate } = callsIn(dir);
    return {
      main: [
        [
          say('Запускаю субагента, а сам дивлюся на тести.'),
          delegate('Часовий пояс змін', `${MARKER} зберігаються зміни: переглянь docs і src, назви файли.`),
          read(TEST),
          read('fixtures/shifts.json'),
        ],
        [
          say(
            'Субагент каже, що час в UTC, але спирається лише на документацію. У фікстурі денна зміна починається о 08:00, для UTC це було б 10:00 за Києвом. Перевірю форму.',
          ),
          read('src/ShiftForm.jsx'),
          read(PAGE),
        ],
        [
          say(
            'Форма віддає значення `datetime-local` без змін, тобто час київський, без поясу. Документація застаріла. Пишу експорт з TZID.',
          ),
          write(
            ICS,
            `const stamp = (date) => date.toISOString().slice(0, 19).replace(/[-:]/g, '');

/** Lines are folded as RFC 5545 wants it. */
function fold(line) {
  return line.replace(/(.{74})(?=.)/gu, '$1\\r\\n ');
}

/** The shifts as a calendar file; their times are local times in Kyiv. */
export function toIcs(shifts) {
  const events = shifts.flatMap(({ id, rev, title, start, end }) => {
    const from = new Date(\`\${start}:00Z\`);
    const to = new Date(\`\${start.slice(0, 10)}T\${end}:00Z\`);
    if (to <= from) to.setUTCDate(to.getUTCDate() + 1);
    return [
      'BEGIN:VEVENT',
      \`UID:shift-\${id}@cherga\`,
      \`SEQUENCE:\${rev}\`,
      \`DTSTART;TZID=Europe/Kyiv:\${stamp(from)}\`,
      \`DTEND;TZID=Europe/Kyiv:\${stamp(to)}\`,
      \`SUMMARY:\${title}\`,
      'END:VEVENT',
    ];
  });
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR'].map(fold).join('\\r\\n');
}
`,
          ),
        ],
        [fail('node --test', 'Запустити тести', 'longest line has')],
        [
          say(
            'Обмеження RFC 5545 — 75 октетів, а не символів, а кирилиця в UTF-8 займає по два байти. Тому рядок треба ламати за байтами.',
          ),
          edit(
            ICS,
            "  return line.replace(/(.{74})(?=.)/gu, '$1\\r\\n ');\n",
            "  // 75 octets, not characters: a Cyrillic letter takes two.\n  let out = '';\n  let used = 0;\n  for (const letter of line) {\n    const size = new TextEncoder().encode(letter).length;\n    if (used + size > 75) {\n      out += '\\r\\n ';\n      used = 1;\n    }\n    out += letter;\n    used += size;\n  }\n  return out;\n",
          ),
        ],
        [
          run('node --test', 'Тести ще раз', '# pass 3'),
          edit(
            PAGE,
            '      <h1>Чергування</h1>\n',
            "      <h1>Чергування</h1>\n      <button onClick={() => download('shifts.ics', toIcs(shifts))}>Експорт у календар</button>\n",
          ),
          edit(
            PAGE,
            'export function SchedulePage',
            "import { download } from './download.js';\nimport { toIcs } from './ics.js';\n\nexport function SchedulePage",
          ),
          write(
            'src/download.js',
            "/** Offers the text as a file. */\nexport function download(name, text) {\n  const a = document.createElement('a');\n  a.href = URL.createObjectURL(new Blob([text], { type: 'text/calendar' }));\n  a.download = name;\n  a.click();\n}\n",
          ),
        ],
        [
          say(`Готово: на сторінці графіка є кнопка «Експорт у календар», усі 3 тести зелені, нових залежностей немає.

**Що варто знати**
- **Пояс.** Зміни зберігаються в київському часі без поясу: \`ShiftForm\` надсилає значення \`datetime-local\` як є. Фраза «Усі часи в UTC» в \`docs/api.md\` хибна, і субагент на неї купився. Тому в файлі стоїть \`TZID=Europe/Kyiv\`.
- **Довжина рядка.** RFC 5545 рахує 75 октетів, а не символів; кирилиця займає два байти, тож \`fold()\` ламає рядки за байтами.
- **Нічні зміни.** Якщо кінець не пізніший за початок, подія закінчується наступного дня.
- **UID сталий** (\`shift-<id>@cherga\`), а \`SEQUENCE\` дорівнює \`rev\`: повторний імпорт оновлює подію, а не дублює її.

**Розглянув і відкинув:** підписку webcal. Вона оновлювалася б сама, але потребує адреси без входу, а в графіку імена працівників.

docs/api.md я не виправляв. Скажіть, якщо треба.`),
        ],
        [
          say('Додаю VALARM.'),
          edit(
            ICS,
            "      'END:VEVENT',\n",
            "      'BEGIN:VALARM',\n      'ACTION:DISPLAY',\n      'TRIGGER:-PT15M',\n      'END:VALARM',\n      'END:VEVENT',\n",
          ),
        ],
        [run('node --test 2>&1 | grep "^# pass"', 'Тести', '# pass 3')],
        [
          say(
            'Кожна подія тепер має нагадування за 15 хвилин до початку (VALARM з TRIGGER:-PT15M). Тести зелені.',
          ),
        ],
        [
          edit(
            ICS,
            "      'BEGIN:VALARM',\n      'ACTION:DISPLAY',\n      'TRIGGER:-PT15M',\n      'END:VALARM',\n",
            '',
          ),
          run('node --test 2>&1 | grep "^# pass"', 'Тести без нагадувань', '# pass 3'),
        ],
        [
          run(
            'git add -A && git commit -qm "Export shifts as an iCalendar file" && git log --oneline -1',
            'Коміт',
            'Export shifts',
          ),
        ],
        [
          say(
            'Нагадування прибрано: черговим уже дзвонить бот, другий сигнал зайвий. Закомічено англійською: «Export shifts as an iCalendar file».',
          ),
        ],
      ],
      subagents: {
        [MARKER]: [
          [run('grep -rniE "utc|timezone|datetime" docs src', 'Згадки про час', 'Усі часи в UTC')],
          [read('docs/api.md')],
          [
            say(
              'Зміни зберігаються в UTC: так сказано в `docs/api.md` («Усі часи в UTC»). Перед експортом час треба перевести в київський. Інших згадок про пояс, крім поля `datetime-local` у `src/ShiftForm.jsx`, немає.',
            ),
          ],
        ],
      },
    };
  },
  expects: {
    essentials: [
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/київськ/, /datetime-local|без поясу/] },
      { type: ['gotcha', 'discovery'], says: [/docs\/api\.md|Документація/, /UTC/, /хибн|застаріла/] },
      { type: ['gotcha', 'bugfix', 'discovery', 'how-it-works'], says: [/75 октетів/, /байт/] },
      { type: ['preference', 'decision'], says: [/залежност/, /400 КБ/] },
      { type: ['preference', 'decision', 'change'], says: [/нагадування/, /бот/] },
      { type: ['decision', 'discovery'], says: [/webcal/, /без входу|імена/] },
      { type: ['feature', 'change', 'how-it-works'], says: [/календар|ics/i, /кнопка|експорт/i] },
      {
        type: ['how-it-works', 'feature', 'decision', 'gotcha', 'discovery'],
        says: [/UID/, /SEQUENCE|сталий/, /імпорт|оновлює/],
      },
    ],
    niceToHave: [
      { type: ['preference'], says: [/коміти/, /англійською/] },
      {
        type: ['how-it-works', 'feature', 'gotcha', 'discovery'],
        says: [/Нічні зміни|кінець не пізніший/, /наступного дня/],
      },
      { type: ['change', 'discovery', 'gotcha'], says: [/docs\/api\.md/, /не виправляв/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/календар|ics/],
        learned: [/київськ|октетів/],
        completed: [/Експорт у календар|кнопка/],
        filesModified: [ICS, PAGE],
      },
      { prompt: 2, optional: true, request: [/нагадування/] },
      {
        prompt: 3,
        request: [/прибери нагадування/],
        completed: [/прибрано|Закомічено/],
        filesModified: [ICS],
      },
    ],
    noise: ['Запускаю субагента', 'Скажіть, якщо треба', 'Додаю VALARM', 'Перевірю форму'],
    untrue: [
      /Зміни зберігаються в UTC/,
      /Кожна подія тепер має нагадування/,
      /Перед експортом час треба перевести/,
    ],
    followUps: [
      { asks: 'роблю звіт по годинах: час змін у базі в UTC, так?', says: [/київськ/] },
      { asks: 'давай підключимо бібліотеку luxon для роботи з датами', says: [/залежност/, /400 КБ/] },
      { asks: 'люди просять, щоб телефон попереджав їх перед початком чергування', says: [/бот/] },
      {
        asks: 'чому не зробити посилання, яке календар сам періодично підтягує?',
        says: [/webcal/, /без входу|імена/],
      },
      {
        asks: 'якщо змінити зміну й завантажити файл ще раз, чи буде вона в календарі двічі?',
        says: [/UID/, /оновлює|SEQUENCE|сталий/],
      },
    ],
    unrelated: [
      'зміни колір шапки сайту на темно-синій',
      'чим useMemo відрізняється від useCallback?',
      'підготуй шаблон листа про планове вимкнення сервера',
    ],
  },
};
