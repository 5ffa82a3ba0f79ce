import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const HOLD = 'src/lib/hold.mjs';
const COMPOSABLE = 'src/composables/useHold.js';
const BAR = 'src/components/HoldBar.vue';
const TEST = 'test/hold.test.mjs';
const VI = 'src/locales/vi.json';

export const vueSeatCountdownVi: SurveySession = {
  name: 'vue-seat-countdown-vi',
  about:
    'Đồng hồ đếm ngược giữ ghế: setInterval chạy sai khi tab ẩn, lệch giờ máy khách, thời hạn lấy từ server, 10 phút đổi thành 8.',
  kind: 'feature',
  language: 'vi',
  ecosystem: 'vue',
  files: {
    'package.json': '{ "name": "dat-ve", "type": "module", "dependencies": { "vue": "^3.4.0" } }\n',
    [COMPOSABLE]: `import { ref } from 'vue';

export function useHold() {
  const seats = ref([]);
  return { seats };
}
`,
    [BAR]: `<template>
  <div class="hold-bar">
    <slot />
  </div>
</template>
`,
    [VI]: '{\n  "checkout.title": "Thanh toán"\n}\n',
    'server/config.yaml': 'hold:\n  minutes: 10\n',
  },
  programs: {
    curl: `#!/bin/sh
case "$*" in
  *api/holds*) cat <<'END'
HTTP/1.1 201 Created
Date: Tue, 11 Jun 2024 08:00:00 GMT
Content-Type: application/json

{"id":"h_77","seats":["C12","C13"],"holdUntil":"2024-06-11T08:10:00Z"}
END
  ;;
  *) exit 7 ;;
esac
`,
  },
  prompts: [
    'Thêm đồng hồ đếm ngược giữ ghế ở trang thanh toán nhé, khách giữ ghế được 10 phút. Hết giờ thì đưa khách về trang chọn ghế',
    'QA báo trên máy của họ vừa vào đã hiện 14:02, trong khi máy tôi hiện đúng 10:00. Xem giúp, tôi nghi API trả sai thời hạn',
    'Ok. Bên rạp vừa đổi ý: 8 phút chứ không phải 10, vì suất hot ghế bị giữ lâu quá. Số phút chỉ được nằm ở server thôi, đừng hard-code ở frontend. Với lại chữ hiển thị phải qua i18n, không viết thẳng tiếng Việt vào template',
    'commit lại cho tôi, đừng push, nhánh này tôi còn rebase',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [say('Để mình xem composable và component hiện có.'), read(COMPOSABLE), read(BAR)],
        [
          say('Cách đơn giản nhất là mỗi giây trừ đi một. Mình viết phần logic tách khỏi Vue để test được.'),
          write(
            HOLD,
            `const HOLD_SECONDS = 600;

export function createCountdown() {
  let left = HOLD_SECONDS;
  return {
    tick: () => {
      left = Math.max(0, left - 1);
      return left;
    },
  };
}
`,
          ),
          write(
            TEST,
            `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCountdown } from '../src/lib/hold.mjs';

test('a hidden tab that ticks once a minute still shows the right time', () => {
  let now = Date.parse('2024-06-11T08:00:00Z');
  const countdown = createCountdown({ until: '2024-06-11T08:10:00Z', now: () => now });
  for (let minute = 0; minute < 5; minute++) {
    now += 60_000;
    countdown.tick();
  }
  assert.equal(countdown.tick(), 300);
});
`,
          ),
        ],
        [fail(`node --test ${TEST}`, 'chạy test', 'a hidden tab that ticks once a minute')],
        [
          say(
            'Đúng như test cho thấy, đếm từng tick không ổn: khi tab bị ẩn, trình duyệt chỉ cho setInterval chạy khoảng một lần mỗi phút, nên khách quay lại sẽ thấy còn 9 phút trong khi ghế đã mất. Phải tính từ mốc hết hạn `holdUntil` mà server trả về.',
          ),
          read(HOLD),
        ],
        [
          write(
            HOLD,
            `export function createCountdown({ until, now = Date.now }) {
  const end = Date.parse(until);
  return { tick: () => Math.max(0, Math.round((end - now()) / 1000)) };
}
`,
          ),
        ],
        [run(`node --test ${TEST}`, 'chạy lại test', 'pass 1')],
        [
          edit(
            COMPOSABLE,
            `  const seats = ref([]);
  return { seats };
`,
            `  const seats = ref([]);
  const left = ref(null);
  function start(hold, onEnd) {
    const countdown = createCountdown({ until: hold.holdUntil });
    const timer = setInterval(() => {
      left.value = countdown.tick();
      if (left.value > 0) return;
      clearInterval(timer);
      onEnd();
    }, 1000);
  }
  return { seats, left, start };
`,
          ),
          edit(
            BAR,
            '    <slot />',
            '    <p v-if="left !== null">Còn {{ left }} giây giữ ghế</p>\n    <slot />',
          ),
        ],
        [
          edit(
            COMPOSABLE,
            "import { ref } from 'vue';",
            "import { ref } from 'vue';\nimport { createCountdown } from '../lib/hold.mjs';",
          ),
        ],
        [
          say(
            'Xong phần đếm ngược. `createCountdown` tính thời gian còn lại từ `holdUntil`, hết giờ thì gọi `onEnd` để về trang chọn ghế. Bạn thử trên trình duyệt xem sao nhé 🙂',
          ),
        ],
        [
          say('Mình gọi thử API xem thời hạn trả về thế nào.'),
          run('curl -si -X POST http://localhost:3000/api/holds', 'gọi API giữ ghế', 'holdUntil'),
        ],
        [
          say(
            'API không sai: header Date là 08:00:00 và `holdUntil` là 08:10:00, đúng 10 phút. Vậy chênh lệch nằm ở máy QA: đồng hồ máy đó chậm khoảng 4 phút, mà mình lại lấy `Date.now()` của máy khách trừ đi. Mình viết test tái hiện.',
          ),
          read(TEST),
        ],
        [
          edit(
            TEST,
            '  assert.equal(countdown.tick(), 300);\n});\n',
            `  assert.equal(countdown.tick(), 300);
});

test('a client clock that is four minutes slow changes nothing', () => {
  const slow = Date.parse('2024-06-11T07:56:00Z');
  const countdown = createCountdown({
    until: '2024-06-11T08:10:00Z',
    serverDate: 'Tue, 11 Jun 2024 08:00:00 GMT',
    now: () => slow,
  });
  assert.equal(countdown.tick(), 600);
});
`,
          ),
        ],
        [fail(`node --test ${TEST}`, 'test phải đỏ', 'four minutes slow')],
        [
          edit(
            HOLD,
            `export function createCountdown({ until, now = Date.now }) {
  const end = Date.parse(until);
`,
            `export function createCountdown({ until, serverDate, now = Date.now }) {
  const skew = serverDate ? Date.parse(serverDate) - now() : 0;
  const end = Date.parse(until) - skew;
`,
          ),
        ],
        [run(`node --test ${TEST}`, 'test', 'pass 2')],
        [
          edit(
            COMPOSABLE,
            'createCountdown({ until: hold.holdUntil })',
            'createCountdown({ until: hold.holdUntil, serverDate: hold.date })',
          ),
        ],
        [
          say(`Đã sửa. Tóm lại:

- **API trả đúng**, nghi ngờ ban đầu không phải
- Nguyên nhân: đồng hồ máy QA chậm 4 phút, còn code so \`holdUntil\` với giờ của máy khách
- Giờ độ lệch được tính một lần từ header \`Date\` của response rồi bù vào mốc hết hạn

Lưu ý: nếu API chạy khác domain thì trình duyệt giấu header Date, server phải thêm \`Access-Control-Expose-Headers: Date\`, không thì độ lệch luôn bằng 0.`),
        ],
        [read('server/config.yaml'), read(VI), read(BAR)],
        [
          edit('server/config.yaml', 'minutes: 10', 'minutes: 8'),
          edit(
            VI,
            '  "checkout.title": "Thanh toán"',
            '  "checkout.title": "Thanh toán",\n  "checkout.hold": "Còn {seconds} giây giữ ghế"',
          ),
          edit(BAR, 'Còn {{ left }} giây giữ ghế', "{{ $t('checkout.hold', { seconds: left }) }}"),
        ],
        [run(`grep -rnE "600|10 phút" src || echo "không còn số cứng"`, 'tìm số cứng', 'không còn số cứng')],
        [
          say(
            'Thời gian giữ ghế giờ là 8 phút, chỉ khai báo ở `server/config.yaml` (hold.minutes); frontend không còn con số nào. Chữ trên thanh đếm ngược đã chuyển sang khóa `checkout.hold`. Bạn có muốn mình thêm bản tiếng Anh luôn không?',
          ),
        ],
        [
          run(
            'git add -A && git commit -qm "Countdown for held seats, based on the server clock" && git status -sb | head -1',
            'commit, không push',
            'main',
          ),
        ],
        [say('Đã commit, chưa push. Chúc bạn rebase suôn sẻ!')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: [/tab/, /ẩn/, /setInterval/],
        prompt: 1,
      },
      {
        type: ['bugfix', 'discovery'],
        says: [/đồng hồ/, /chậm|máy khách|lệch/, /Date/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/Access-Control-Expose-Headers/],
        prompt: 2,
      },
      {
        type: ['decision', 'change', 'preference'],
        says: [/8 phút/, /rạp|suất hot|giữ lâu/],
        prompt: 3,
      },
      {
        type: 'preference',
        says: [/server/, /hard-code|frontend/],
        prompt: 3,
      },
      { type: 'preference', says: [/i18n/, /template/], prompt: 3 },
    ],
    niceToHave: [
      {
        type: ['feature', 'change'],
        says: [/holdUntil/, /createCountdown|đếm ngược/],
        files: [HOLD],
      },
      { type: ['discovery'], says: [/API/, /không sai|trả đúng|đúng 10 phút/], prompt: 2 },
      { type: ['preference'], says: [/push/, /rebase/], prompt: 4 },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/đếm ngược/],
        completed: [/holdUntil|createCountdown|đếm ngược/],
        filesModified: [HOLD, COMPOSABLE],
      },
      {
        prompt: 2,
        request: [/14:02|QA/],
        learned: [/chậm|lệch|đồng hồ/],
        filesModified: [HOLD],
      },
      {
        prompt: 3,
        request: [/8 phút/],
        completed: [/8 phút|checkout\.hold/],
        filesModified: ['server/config.yaml', VI, BAR],
      },
      { prompt: 4, optional: true, request: [/commit/] },
    ],
    noise: [
      'Để mình xem composable',
      'Bạn thử trên trình duyệt xem sao nhé',
      'Bạn có muốn mình thêm bản tiếng Anh',
      'Chúc bạn rebase suôn sẻ',
      'Mình gọi thử API',
    ],
    untrue: [/(nguyên nhân|lỗi) (là|do|nằm ở) API/, /frontend (khai báo|giữ) (số phút|600)/, /đã push/],
    followUps: [
      { asks: 'khách được giữ chỗ bao lâu, sửa con số đó ở file nào?', says: [/8 phút/] },
      {
        asks: 'chuyển API sang domain riêng xong đồng hồ ở checkout lại sai trên vài máy, vì sao?',
        says: [/Expose-Headers/],
      },
      { asks: 'làm đồng hồ flash sale thì mỗi giây trừ 1 được không?', says: [/setInterval/, /ẩn/] },
      { asks: 'thêm dòng chữ báo lỗi vào component, viết luôn trong html nhé?', says: [/i18n/] },
      { asks: 'hồi trước QA thấy 14 phút là do đâu?', says: [/chậm|lệch/] },
    ],
    unrelated: [
      'thêm bộ lọc theo thể loại phim ở trang chủ',
      'nâng vite lên bản mới nhất',
      'viết script xuất danh sách email khách đăng ký nhận tin',
    ],
  },
};
