import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const POLLING = 'src/composables/usePolling.ts';
const WORKER = 'src/composables/ticker.worker.ts';
const ALARMS = 'src/views/AlarmList.vue';
const DETAIL = 'src/views/DeviceDetail.vue';
const LIST = 'src/views/DeviceList.vue';
const MAP = 'src/views/GatewayMap.vue';
const ENERGY = 'src/views/EnergyBoard.vue';
const SPEC = 'tests/usePolling.spec.ts';

/** A page that polls with setInterval, as four of the five do. */
function pollingPage(state: string, path: string): string {
  return `<script setup lang="ts">
import { onMounted, onUnmounted, ref } from 'vue';
import { http } from '../api/http';

const ${state} = ref([]);
let timer = 0;

async function load() {
  ${state}.value = await http.get('${path}');
}

onMounted(() => {
  load();
  timer = window.setInterval(load, 5000);
});
onUnmounted(() => window.clearInterval(timer));
</script>
`;
}

/** The same page after the change. */
function polledPage(state: string, path: string): string {
  return `<script setup lang="ts">
import { ref } from 'vue';
import { http } from '../api/http';
import { usePolling } from '../composables/usePolling';

const ${state} = ref([]);

usePolling(async () => {
  ${state}.value = await http.get('${path}');
}, { interval: 5000 });
</script>
`;
}

export const pollingZh: SurveySession = {
  name: 'polling zh',
  about: '五个页面的轮询抽成一个 composable；使用者否决了第三方库，又改了两次参数。',
  kind: 'refactoring',
  language: 'zh',
  ecosystem: 'vue',
  files: {
    'package.json': '{ "name": "device-console", "private": true, "type": "module" }\n',
    'src/App.vue': `<template>
  <router-view v-slot="{ Component }">
    <keep-alive include="DeviceDetail,DeviceList"><component :is="Component" /></keep-alive>
  </router-view>
</template>
`,
    'src/api/http.ts':
      "export const http = { get: (path: string) => fetch('/api' + path).then((r) => r.json()) };\n",
    [LIST]: pollingPage('devices', '/devices'),
    [DETAIL]: pollingPage('device', '/devices/current'),
    [MAP]: pollingPage('gateways', '/gateways'),
    [ENERGY]: pollingPage('readings', '/energy'),
    [ALARMS]: `<script setup lang="ts">
import { onMounted, onUnmounted, ref } from 'vue';
import { http } from '../api/http';
import { ring } from '../sound';

const alarms = ref([]);
let timer = 0;

// 告警接口慢的时候要 7 秒，用 setInterval 会把请求堆起来
async function load() {
  const next = await http.get('/alarms?open=1');
  if (next.length > alarms.value.length) ring();
  alarms.value = next;
  timer = window.setTimeout(load, 5000);
}

onMounted(load);
onUnmounted(() => window.clearTimeout(timer));
</script>
`,
    'logs/access-1min.log': [
      ...Array.from(
        { length: 12 },
        (_, n) => `10:31:${String(n * 5).padStart(2, '0')} GET /api/devices/current 200`,
      ),
      ...Array.from(
        { length: 8 },
        (_, n) => `10:31:${String(n * 7).padStart(2, '0')} GET /api/alarms?open=1 200`,
      ),
      '',
    ].join('\n'),
  },
  programs: {
    pnpm: `case "$*" in
  *typecheck*) echo "vue-tsc: 0 errors" ;;
  *test*)
    if ! grep -q onDeactivated src/composables/usePolling.ts; then
      echo "FAIL tests/usePolling.spec.ts > keep-alive 页面离开后停止轮询"
      echo "AssertionError: expected 4 to be 1"
      exit 1
    fi
    echo "Test Files 1 passed (1)"
    echo "Tests $(grep -c "^test(" tests/usePolling.spec.ts) passed" ;;
esac
`,
  },
  prompts: [
    'src/views 下面五个页面都自己写了定时轮询，看着大同小异，想抽成一个 composable。先别写代码，看完告诉我你打算怎么做。',
    'VueUse 不要引，去年安全审计之后前端新增第三方依赖都得走审批，就这点代码自己写。放 src/composables。标签页切到后台就暂停，接口报错就退避，上限 5 分钟。动手吧。',
    '有两个地方我没想清楚。告警页不能暂停，值班同事把它放在副屏，标签页被挡住了也得响铃。另外退避上限 5 分钟太久了，改 60 秒，告警页完全不退避。',
    '可以，worker 只给告警页用。还有后端刚说设备列表 15 秒刷一次就够，其他页面还是 5 秒。',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('先把五个页面都读一遍，它们的实现应该完全一样。'),
          read(LIST),
          read(DETAIL),
          read(ALARMS),
          read(MAP),
          read(ENERGY),
          read('src/App.vue'),
        ],
        [
          say(
            '并不一样：`AlarmList.vue` 用的是 setTimeout 链，上一次请求回来才排下一次。另外 `App.vue` 把两个页面放进了 keep-alive，我怀疑它们离开之后还在发请求，拿日志核对一下。',
          ),
          run("grep -c 'devices/current' logs/access-1min.log", '停在告警页的那一分钟里详情页的请求数', '12'),
        ],
        [
          say(`看完了，没有改动。

**现状**
- 四个页面（DeviceList、DeviceDetail、GatewayMap、EnergyBoard）是 \`setInterval(load, 5000)\`，\`onUnmounted\` 里清掉。
- \`AlarmList.vue\` 是 setTimeout 链。这是有意的：告警接口慢的时候要 7 秒，setInterval 会让请求堆积。
- 顺带发现一个 bug：DeviceList 和 DeviceDetail 在 \`<keep-alive>\` 里，离开页面只触发 \`onDeactivated\`，不触发 \`onUnmounted\`，所以定时器一直在跑。日志里用户停在告警页的一分钟内，详情接口仍被请求了 12 次。

**方案**
统一成 setTimeout 链，五个页面都适用。实现上有两条路：
1. 用 VueUse 的 \`useTimeoutPoll\`，不用自己维护，我倾向这个；
2. 自己写一个 \`usePolling\`，大约 40 行。

想先确认两点：标签页切到后台要不要暂停？接口报错要不要退避？`),
        ],
        [
          say('好，自己写。先写测试，把 keep-alive 那个问题也盖住。'),
          write(
            SPEC,
            `import { expect, test } from 'vitest';

test('上一次请求结束后才排下一次', () => expect(true).toBe(true));
test('keep-alive 页面离开后停止轮询', () => expect(true).toBe(true));
test('标签页隐藏时暂停，回来时立即请求一次', () => expect(true).toBe(true));
test('出错时间隔翻倍，成功后恢复', () => expect(true).toBe(true));
`,
          ),
          write(
            POLLING,
            `import { onMounted, onUnmounted } from 'vue';

const MAX_DELAY = 300_000;

export function usePolling(task: () => Promise<void>, { interval }: { interval: number }) {
  let timer = 0;
  let delay = interval;

  async function tick() {
    try {
      await task();
      delay = interval;
    } catch {
      delay = Math.min(delay * 2, MAX_DELAY);
    }
    timer = window.setTimeout(tick, delay);
  }

  function stop() {
    window.clearTimeout(timer);
  }

  onMounted(tick);
  onUnmounted(stop);
  document.addEventListener('visibilitychange', () => (document.hidden ? stop() : tick()));
}
`,
          ),
        ],
        [fail('pnpm test', '跑 usePolling 的测试', 'expected 4 to be 1')],
        [
          edit(
            POLLING,
            "import { onMounted, onUnmounted } from 'vue';",
            "import { onActivated, onDeactivated, onMounted, onUnmounted } from 'vue';",
          ),
          edit(
            POLLING,
            '  onMounted(tick);\n  onUnmounted(stop);\n',
            '  onMounted(tick);\n  onUnmounted(stop);\n  // keep-alive 里的页面离开时只有 deactivated\n  let left = false;\n  onDeactivated(() => {\n    left = true;\n    stop();\n  });\n  onActivated(() => {\n    if (left) tick();\n    left = false;\n  });\n',
          ),
        ],
        [
          run('pnpm test', '再跑一遍', 'Tests 4 passed'),
          write(LIST, polledPage('devices', '/devices')),
          write(DETAIL, polledPage('device', '/devices/current')),
          write(MAP, polledPage('gateways', '/gateways')),
          write(ENERGY, polledPage('readings', '/energy')),
        ],
        [
          edit(
            ALARMS,
            "import { onMounted, onUnmounted, ref } from 'vue';\nimport { http } from '../api/http';\n",
            "import { ref } from 'vue';\nimport { http } from '../api/http';\nimport { usePolling } from '../composables/usePolling';\n",
          ),
          edit(
            ALARMS,
            'let timer = 0;\n\n// 告警接口慢的时候要 7 秒，用 setInterval 会把请求堆起来\nasync function load() {',
            'usePolling(async () => {',
          ),
          edit(
            ALARMS,
            '  alarms.value = next;\n  timer = window.setTimeout(load, 5000);\n}\n\nonMounted(load);\nonUnmounted(() => window.clearTimeout(timer));\n',
            '  alarms.value = next;\n}, { interval: 5000 });\n',
          ),
          run('pnpm typecheck', '类型检查', '0 errors'),
        ],
        [
          say(`五个页面都换成了 \`${POLLING}\` 里的 \`usePolling\`，4 个测试通过，类型检查没有报错。

- setTimeout 链，请求不会堆积；
- keep-alive 的页面在 \`onDeactivated\` 停、\`onActivated\` 恢复，之前离开页面还在请求的 bug 一并修掉了；
- 标签页隐藏时暂停，出错时间隔翻倍，最长 5 分钟。`),
        ],
        [
          edit(POLLING, 'const MAX_DELAY = 300_000;', 'const MAX_DELAY = 60_000;'),
          edit(
            POLLING,
            'task: () => Promise<void>, { interval }: { interval: number })',
            'task: () => Promise<void>, { interval, critical = false }: { interval: number; critical?: boolean })',
          ),
          edit(
            POLLING,
            'delay = Math.min(delay * 2, MAX_DELAY);',
            'if (!critical) delay = Math.min(delay * 2, MAX_DELAY);',
          ),
          edit(
            POLLING,
            "  document.addEventListener('visibilitychange', () => (document.hidden ? stop() : tick()));",
            "  if (!critical) document.addEventListener('visibilitychange', () => (document.hidden ? stop() : tick()));",
          ),
          edit(ALARMS, '{ interval: 5000 }', '{ interval: 5000, critical: true }'),
        ],
        [run('pnpm test', '跑测试', 'Tests 4 passed')],
        [
          say(`改好了：退避上限 60 秒；\`usePolling\` 多了 \`critical\` 选项，只有告警页打开，既不暂停也不退避。

不过光这样还不够。Chrome 对隐藏超过 5 分钟的标签页会把定时器压到每分钟最多一次，所以副屏上被挡住的告警页实际会变成 60 秒才查一次，最坏晚一分钟响铃。Web Worker 里的定时器不受这个限制，我建议告警页的计时放到 worker 里。WebSocket 更彻底，但要后端配合，这次不提。要做 worker 吗？`),
        ],
        [
          write(
            WORKER,
            "// 隐藏的标签页里主线程的定时器会被 Chrome 压到一分钟一次，worker 不会\nonmessage = ({ data }) => setTimeout(() => postMessage('tick'), data);\n",
          ),
          edit(
            POLLING,
            '    timer = window.setTimeout(tick, delay);',
            '    if (worker) worker.postMessage(delay);\n    else timer = window.setTimeout(tick, delay);',
          ),
          edit(
            POLLING,
            '  let timer = 0;\n',
            "  let timer = 0;\n  const worker = critical ? new Worker(new URL('./ticker.worker.ts', import.meta.url)) : null;\n  if (worker) worker.onmessage = tick;\n",
          ),
          edit(
            POLLING,
            '    window.clearTimeout(timer);',
            '    window.clearTimeout(timer);\n    worker?.terminate();',
          ),
          edit(LIST, '{ interval: 5000 }', '{ interval: 15_000 }'),
        ],
        [run('pnpm test && pnpm typecheck', '测试和类型检查', 'Tests 4 passed')],
        [
          say(`完成。告警页的计时走 \`${WORKER}\`，其他页面仍是主线程的 setTimeout。设备列表 15 秒，其余 5 秒。

没在真机上验证的一点：值班室那台机器用的是 Edge，理论上和 Chrome 同一套节流规则，上线后最好把告警页遮住十分钟看看日志间隔。`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['refactor', 'change', 'feature'],
        says: [/usePolling/, /五个页面|setTimeout/],
        files: [POLLING],
      },
      {
        type: ['preference', 'decision'],
        says: [/VueUse|第三方依赖/, /审批|安全审计/],
        prompt: 2,
      },
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/keep-alive/, /onDeactivated|onUnmounted/],
      },
      {
        type: ['preference', 'decision', 'gotcha', 'change', 'feature'],
        says: [/告警页/, /不能暂停|不暂停/],
      },
      {
        type: ['preference', 'decision', 'change'],
        says: [/退避/, /60 秒/],
      },
      {
        type: ['gotcha', 'discovery', 'decision', 'feature', 'change'],
        says: [/Chrome|节流|隐藏/, /每分钟|一分钟|60 秒才查/, /worker/],
      },
      {
        type: ['preference', 'decision', 'change'],
        says: [/设备列表/, /15 秒/],
        prompt: 4,
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'how-it-works', 'gotcha', 'decision', 'refactor'],
        says: [/AlarmList|告警接口/, /7 秒|堆积/],
      },
      { type: ['preference', 'decision'], says: [/src\/composables/], prompt: 2 },
      { type: ['decision', 'discovery'], says: [/WebSocket/, /后端/] },
      { type: ['discovery', 'gotcha', 'change'], says: [/Edge/] },
      { type: ['preference', 'discovery', 'decision', 'how-it-works'], says: [/值班/, /副屏/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/composable/],
        learned: [/keep-alive|setTimeout/],
        filesRead: [ALARMS, LIST],
      },
      {
        prompt: 2,
        request: [/VueUse|退避/],
        completed: [/usePolling/],
        filesModified: [POLLING, ALARMS],
      },
      {
        prompt: 3,
        request: [/告警页/],
        completed: [/critical|60 秒/],
        filesModified: [POLLING],
      },
      {
        prompt: 4,
        request: [/worker|15 秒/],
        completed: [/worker|15 秒/],
        nextSteps: [/Edge|日志间隔|验证/],
        filesModified: [WORKER, LIST],
      },
    ],
    noise: [
      '先把五个页面都读一遍',
      '拿日志核对一下',
      '先写测试',
      '动手吧',
      '要做 worker 吗',
      '看完了，没有改动',
      'vue-tsc: 0 errors',
    ],
    untrue: [/实现应该完全一样/, /不用自己维护，我倾向这个/, /最长 5 分钟/, /上限 5 分钟(?!太)/],
    followUps: [
      { asks: '轮询出错之后的重试间隔最大是多少？', says: [/60 秒/] },
      {
        asks: '为什么告警页的计时要单独放进 Web Worker，不能直接用 setTimeout？',
        says: [/每分钟|一分钟|60 秒才查/],
      },
      { asks: '我想装个 dayjs 处理时间格式，直接 pnpm add 行吗', says: [/审批/] },
      { asks: '页面放进缓存以后，离开了还在后台不停发请求，该用哪个钩子停掉？', says: [/onDeactivated/] },
      { asks: '省点流量，所有页面在看不见的时候都别刷新了，包括告警', says: [/值班|响铃|不能暂停/] },
      { asks: '设备列表为什么比别的页面刷新慢？', says: [/15 秒/] },
      {
        asks: 'new page needs to refresh its data every few seconds, is there something I should reuse?',
        says: [/usePolling/],
      },
    ],
    unrelated: [
      '登录页的 logo 换成 SVG，深色模式下要反白。',
      '能耗导出 Excel 时日期列变成了数字，帮我看一下。',
      '怎么在本地用 mock 数据启动前端？',
    ],
  },
};
