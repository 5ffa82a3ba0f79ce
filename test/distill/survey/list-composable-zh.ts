import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const MIXIN = 'src/mixins/listMixin.js';
const LIST = 'src/composables/useList.js';
const TEST = 'src/composables/useList.spec.js';
const ORDERS = 'src/views/OrderList.vue';
const MEMBERS = 'src/views/MemberList.vue';
const COUPONS = 'src/views/CouponList.vue';
const REQUEST = 'src/utils/request.js';

const PNPM = `#!/bin/sh
# Stands in for pnpm: judges the list pages by their text.
case "$1" in
  lint) echo "eslint: 0 problems"; exit 0 ;;
  test) ;;
  *) echo " ERR_PNPM_NO_SCRIPT  Missing script: $1"; exit 1 ;;
esac
[ -f ${LIST} ] || { echo " Tests  96 passed (96)"; exit 0; }
if grep -q 'onMounted(load)' ${LIST} && grep -q 'onActivated(load)' ${LIST}; then
  echo " FAIL  useList.spec.js > keep-alive 里首次进入只请求一次"
  echo " AssertionError: expected \\"spy\\" to be called 1 times, but got 2 times"
  echo " Tests  1 failed | 99 passed (100)"; exit 1
fi
if grep -q '进详情再返回' ${TEST} && ! grep -q 'active.value' ${LIST}; then
  echo " FAIL  useList.spec.js > 进详情再返回还停在原来那一页"
  echo " AssertionError: expected 1 to be 3"
  echo " Tests  1 failed | 100 passed (101)"; exit 1
fi
if grep -q '后发先至' ${TEST} && ! grep -q 'seq' ${LIST}; then
  echo " FAIL  useList.spec.js > 后发先至的旧结果要丢掉"
  echo " Tests  1 failed | 101 passed (102)"; exit 1
fi
n=100
grep -q '进详情再返回' ${TEST} && n=101
grep -q '后发先至' ${TEST} && n=102
echo " Tests  $n passed ($n)"
`;

const page = (name: string, api: string, extra: string) => `<script>
import listMixin from '@/mixins/listMixin';
import { ${api} } from '@/api';

export default {
  name: '${name}',
  mixins: [listMixin],
  methods: {
    request: ${api},
${extra}  },
};
</script>

<template>
  <search-bar v-model="query" @search="search" />
  <data-table :rows="rows" :loading="loading" />
  <pager :page="page" :total="total" @change="load" />
</template>
`;

const setupPage = (name: string, api: string, options: string) => `<script setup>
import { useList } from '@/composables/useList';
import { ${api} } from '@/api';

defineOptions({ name: '${name}' });
const { query, rows, total, page, loading, load, search } = useList(${api}${options});
</script>

<template>
  <search-bar v-model="query" @search="search" />
  <data-table :rows="rows" :loading="loading" />
  <pager :page="page" :total="total" @change="load" />
</template>
`;

export const listComposableZh: SurveySession = {
  name: 'list composable zh',
  about: '运营后台的 listMixin 改成组合式函数，keep-alive 带来两个坑，另外修掉搜索结果串掉的老问题。',
  kind: 'refactoring',
  language: 'zh',
  ecosystem: 'vue',
  files: {
    'package.json':
      '{ "name": "yunying-admin", "private": true, "dependencies": { "vue": "3.4.38", "vue-router": "4.4.3", "axios": "1.7.7" } }\n',
    [MIXIN]: `export default {
  data: () => ({ query: {}, rows: [], total: 0, page: 1, size: 20, loading: false }),
  created() {
    this.load(1);
  },
  methods: {
    formatParams(params) {
      return params;
    },
    search() {
      return this.load(1);
    },
    async load(page = this.page) {
      this.loading = true;
      const params = this.formatParams({ ...this.query, page, size: this.size });
      const { rows, total } = await this.request(params);
      Object.assign(this, { rows, total, page, loading: false });
    },
  },
};
`,
    [ORDERS]: page(
      'OrderList',
      'fetchOrders',
      '    formatParams(params) {\n      return { ...params, minAmount: Math.round(params.minAmount * 100), maxAmount: Math.round(params.maxAmount * 100) };\n    },\n',
    ),
    [MEMBERS]: page('MemberList', 'fetchMembers', ''),
    [COUPONS]: page('CouponList', 'fetchCoupons', ''),
    [REQUEST]: `import axios from 'axios';

const http = axios.create({ baseURL: '/api', timeout: 15000 });

// 只透传 params，其余配置都不接。
export const get = (url, params) => http.get(url, { params }).then(({ data }) => data.result);
`,
    'src/App.vue':
      '<template>\n  <router-view v-slot="{ Component }">\n    <keep-alive include="OrderList,MemberList,CouponList"><component :is="Component" /></keep-alive>\n  </router-view>\n</template>\n',
  },
  programs: { pnpm: PNPM },
  prompts: [
    'listMixin 已经没人看得懂了，改成组合式函数吧。先改订单和会员两个页面，优惠券那个下周大促要用，先别碰。别引新依赖啊，vueuse 也不行，上次加个包安全审计走了三个星期',
    '不对啊，翻到第3页点进详情再返回，又跑回第1页了，以前不会这样',
    '好了。还有个老毛病，搜索框打字快的时候结果会串，一会儿是前一个词的。一起修掉吧。另外以后 composables 里统一返回 ref，不要整个 reactive 扔出来，新人一解构就丢响应式，查半天',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('先把 mixin 和用到它的页面都过一遍。'),
          ...[MIXIN, ORDERS, MEMBERS].map(read),
          run('grep -rln "listMixin" src', '哪些地方用到了 listMixin', 'CouponList.vue'),
          read('src/App.vue'),
        ],
        [read('package.json'), run('pnpm test', '改之前的基线', '96 passed')],
        [
          say(
            '有个隐藏的约定：页面里写一个同名的 formatParams 就会悄悄盖掉 mixin 里的那个。订单页就是靠它把金额从元换成分，会员页没写，走的是默认。新函数里我把它做成显式参数 transform。',
          ),
          write(
            LIST,
            `import { onActivated, onMounted, ref, watch } from 'vue';
import { useRoute } from 'vue-router';

export function useList(request, { size = 20, transform = (params) => params } = {}) {
  const route = useRoute();
  const query = ref({ ...route.query });
  const rows = ref([]);
  const total = ref(0);
  const page = ref(1);
  const loading = ref(false);

  async function load(to = page.value) {
    loading.value = true;
    const result = await request(transform({ ...query.value, page: to, size }));
    rows.value = result.rows;
    total.value = result.total;
    page.value = to;
    loading.value = false;
  }
  const search = () => load(1);

  watch(() => route.query, (next) => {
    query.value = { ...next };
    load(1);
  });
  onMounted(load);
  onActivated(load);

  return { query, rows, total, page, loading, load, search };
}
`,
          ),
          write(
            TEST,
            `import { expect, test, vi } from 'vitest';
import { mountInKeepAlive } from '@/test/mount';
import { useList } from './useList';

test('keep-alive 里首次进入只请求一次', async () => {
  const request = vi.fn(async () => ({ rows: [], total: 0 }));
  await mountInKeepAlive(() => useList(request));
  expect(request).toHaveBeenCalledTimes(1);
});
`,
          ),
          fail('pnpm test', '跑测试', 'called 1 times, but got 2 times'),
        ],
        [
          say(
            '原因清楚了：页面在 keep-alive 里，首次挂载时 onMounted 和 onActivated 都会触发，所以请求了两次。只留 onActivated 也不行，将来不进 keep-alive 的页面就不会加载了。改成 onMounted 负责首次，onActivated 跳过第一次。',
          ),
          edit(
            LIST,
            '  onMounted(load);\n  onActivated(load);\n',
            '  let first = true;\n  onMounted(() => load());\n  onActivated(() => {\n    if (!first) load();\n    first = false;\n  });\n',
          ),
          run('pnpm test', '再跑一遍', '100 passed'),
        ],
        [
          write(
            ORDERS,
            setupPage(
              'OrderList',
              'fetchOrders',
              ', {\n  transform: (params) => ({ ...params, minAmount: Math.round(params.minAmount * 100), maxAmount: Math.round(params.maxAmount * 100) }),\n}',
            ),
          ),
          write(MEMBERS, setupPage('MemberList', 'fetchMembers', '')),
          run('pnpm lint && pnpm test', '检查和测试', '100 passed'),
        ],
        [
          say(`订单页和会员页已经换成 \`useList\`，100 个测试全过。

### 怎么用
- \`useList(request, { size, transform })\`，请求函数是第一个参数，不再靠 \`this.request\` 这种约定。
- \`transform\` 代替原来的 formatParams。订单页用它把元换成分，**漏掉的话金额筛选会差 100 倍，而且不报错**。
- 组件名要用 \`defineOptions({ name })\` 写出来：keep-alive 的 include 是按组件名匹配的，App.vue 里写的就是这几个名字。

### 没动的
- 优惠券页还在用 listMixin，所以 mixin 文件先留着，等大促结束再迁、再删。
- 没有新增依赖。

如果需要，我也可以顺手把分页组件一起整理一下。`),
        ],
        [say('先写个用例把它复现出来。'), read(TEST), read(LIST)],
        [
          edit(
            TEST,
            "test('keep-alive 里首次进入只请求一次'",
            "test('进详情再返回还停在原来那一页', async () => {\n  const { list, go } = await mountInKeepAlive(() => useList(async () => ({ rows: [], total: 90 })));\n  await list.load(3);\n  await go('/orders/17');\n  await go('/orders');\n  expect(list.page.value).toBe(3);\n});\n\ntest('keep-alive 里首次进入只请求一次'",
          ),
          fail('pnpm test', '应该是红的', 'expected 1 to be 3'),
        ],
        [
          say(
            '复现了。页面被 keep-alive 缓存后并没有销毁，里面的 watch 还活着：进详情时全局的 route.query 变成空，缓存着的列表页也收到了，就执行了 load(1)。mixin 时代没有监听路由，所以没这个问题，是我加的 watch 带进来的。',
          ),
          edit(
            LIST,
            '  const loading = ref(false);\n',
            '  const loading = ref(false);\n  const active = ref(true);\n',
          ),
          edit(LIST, '(next) => {\n', '(next) => {\n    if (!active.value) return;\n'),
          edit(
            LIST,
            '  let first = true;\n',
            '  let first = true;\n  onBeforeRouteLeave(() => { active.value = false; });\n',
          ),
          edit(LIST, '  onActivated(() => {\n', '  onActivated(() => {\n    active.value = true;\n'),
          edit(LIST, 'import { useRoute }', 'import { onBeforeRouteLeave, useRoute }'),
          run('pnpm test', '跑测试', '101 passed'),
        ],
        [
          say(
            '修好了，返回后停在第 3 页。离开页面时 `active` 置为 false，路由的 watch 在这期间直接返回。这里必须用 `onBeforeRouteLeave`，用 `onDeactivated` 来不及：它在新页面渲染完才执行，而 route.query 在那之前就已经变了。以后任何放进 keep-alive 的页面，只要监听了路由，都要留意这一点。抱歉，这个是我改出来的。',
          ),
        ],
        [read(REQUEST), run('grep -rn "debounce" src || echo "没有防抖"', '有没有防抖', '没有防抖')],
        [
          run(
            'grep -rn "reactive(" src/composables || echo "没有 reactive"',
            '现有的组合式函数',
            '没有 reactive',
          ),
        ],
        [
          say(
            '本来想用 AbortController 取消旧请求，但 request.js 里的 get 只透传 params，signal 传不进去，要改就得动全站的请求封装。用序号就够了：只认最后一次发出的请求。',
          ),
          edit(
            TEST,
            "test('keep-alive 里首次进入只请求一次'",
            "test('后发先至的旧结果要丢掉', async () => {\n  const { list, answer } = await mountWithSlowRequest();\n  list.search();\n  list.search();\n  answer(2, ['新']);\n  answer(1, ['旧']);\n  expect(list.rows.value).toEqual(['新']);\n});\n\ntest('keep-alive 里首次进入只请求一次'",
          ),
          fail('pnpm test', '先看它变红', '后发先至的旧结果要丢掉'),
        ],
        [
          edit(
            LIST,
            '  async function load(to = page.value) {\n',
            '  let seq = 0;\n  async function load(to = page.value) {\n    const mine = ++seq;\n',
          ),
          edit(
            LIST,
            '    rows.value = result.rows;\n',
            '    if (mine !== seq) return;\n    rows.value = result.rows;\n',
          ),
          run('pnpm lint && pnpm test', '检查和测试', '102 passed'),
        ],
        [
          say(`搞定，102 个测试全过。

结果串掉是因为先发的请求后回来，把新结果盖住了。\`load\` 现在带一个序号 seq，返回时不是最后一次的就丢掉，loading 也只由最后一次来关。没加防抖，防抖只会让问题少出现，治不了根。优惠券页还在 mixin 上，**那边这个问题依旧存在**，等迁移的时候自然就好了。

\`useList\` 本来返回的就是一组 ref，符合统一返回 ref 的约定；我搜了一下 composables 目录，目前没有别的函数返回 reactive。祝大促顺利！`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['preference', 'decision'], says: [/依赖/, /vueuse/, /审计/] },
      { type: ['preference', 'decision', 'change'], says: [/优惠券/, /大促/] },
      {
        type: ['gotcha', 'how-it-works', 'discovery', 'decision'],
        says: [/formatParams|transform/, /元换成分/],
      },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'how-it-works'],
        says: [/onMounted/, /onActivated/, /两次|都会触发/],
      },
      {
        type: ['gotcha', 'bugfix', 'discovery'],
        says: [/keep-alive/, /watch|监听/, /route|路由/],
        prompt: 2,
      },
      { type: ['gotcha', 'bugfix', 'decision', 'discovery'], says: [/seq|序号/, /最后一次/], prompt: 3 },
      { type: ['preference'], says: [/composables/, /ref/, /reactive|解构/] },
      { type: ['decision', 'gotcha', 'discovery'], says: [/AbortController/, /signal|params|request\.js/] },
    ],
    niceToHave: [
      { type: ['gotcha', 'how-it-works', 'decision'], says: [/onBeforeRouteLeave/, /onDeactivated/] },
      { type: ['gotcha', 'how-it-works'], says: [/defineOptions|组件名/, /include/] },
      { type: ['refactor', 'change', 'feature'], says: [/useList/, /订单/, /会员/] },
      { type: ['decision'], says: [/防抖/, /治不了根|少出现/] },
      { type: ['gotcha', 'discovery'], says: [/优惠券/, /依旧存在/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/listMixin|组合式函数/],
        completed: [/useList/],
        filesModified: [LIST, TEST, ORDERS, MEMBERS],
      },
      {
        prompt: 2,
        request: [/第\s?3\s?页|第\s?1\s?页/],
        learned: [/keep-alive|watch|onBeforeRouteLeave/],
        completed: [/返回后停在|active/],
        filesModified: [LIST, TEST],
      },
      { prompt: 3, request: [/搜索|结果会串/], completed: [/seq|序号/], filesModified: [LIST, TEST] },
    ],
    noise: [
      '先把 mixin 和用到它的页面都过一遍',
      '我也可以顺手把分页组件一起整理一下',
      '先写个用例把它复现出来',
      '祝大促顺利',
      '抱歉，这个是我改出来的',
      '已经没人看得懂了',
    ],
    untrue: [],
    followUps: [
      { asks: '我想装个 lodash-es 来做深拷贝，直接 pnpm add 可以吗？', says: [/依赖/, /审计/] },
      {
        asks: '退款列表页也要做成缓存的，里面会根据地址栏参数刷新，写的时候要注意什么？',
        says: [/keep-alive/, /watch|监听|onBeforeRouteLeave/],
      },
      {
        asks: '准备新写一个 useDict，把整个状态包成一个对象给页面用',
        says: [/composables|统一返回/, /reactive|解构/],
      },
      {
        asks: '订单按价格区间过滤出来的数据不对，差了很多，可能是哪里的问题？',
        says: [/transform|formatParams/, /元换成分/],
      },
      {
        asks: '切换条件太快时前面的请求能不能直接取消掉，而不是等它回来？',
        says: [/AbortController/, /signal|params/],
      },
    ],
    unrelated: [
      '把登录页的背景图换成新的，图片在 assets 里',
      'CSS 里 flex 和 grid 分别适合什么场景？',
      '首页看板的折线图在深色主题下看不清，帮忙调一下颜色',
    ],
  },
};
