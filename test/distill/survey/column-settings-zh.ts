import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const VIEW = 'src/views/order/OrderList.vue';
const USER = 'src/stores/user.js';
const COLUMNS = 'src/views/order/columns.js';
const SETTINGS = 'src/composables/useColumnSettings.js';
const SPEC = 'src/composables/__tests__/useColumnSettings.spec.js';

const first = `import { computed, ref } from 'vue'

const KEY = 'orders:columns'

// 存的是「隐藏」的列：以后新加的列默认就会显示出来
export function useColumnSettings(columns) {
  const defaults = columns.slice(8).map((c) => c.prop)
  const saved = localStorage.getItem(KEY)
  const hidden = ref(saved ? JSON.parse(saved) : defaults)

  const isVisible = (col) => col.locked || !hidden.value.includes(col.prop)
  const visible = computed(() => columns.filter(isVisible))

  function toggle(prop) {
    const next = hidden.value.includes(prop)
      ? hidden.value.filter((p) => p !== prop)
      : [...hidden.value, prop]
    hidden.value = next
    localStorage.setItem(KEY, JSON.stringify(next))
  }

  return { visible, isVisible, toggle }
}
`;

export const columnSettingsZh: SurveySession = {
  name: 'column-settings-zh',
  about: '订单列表的列显示设置：el-table 的列错位、共用电脑、userId 还没加载完。',
  kind: 'feature',
  language: 'zh',
  ecosystem: 'vue',
  files: {
    'package.json': `{
  "name": "shop-admin",
  "private": true,
  "scripts": { "dev": "vite", "build": "vite build", "lint": "eslint src", "test:unit": "vitest run" },
  "dependencies": { "element-plus": "2.7.3", "pinia": "2.1.7", "vue": "3.4.27", "vue-router": "4.3.2" },
  "devDependencies": { "vite": "5.2.11", "vitest": "1.6.0" }
}
`,
    [COLUMNS]: `export default [
  { prop: 'orderNo', label: '订单号', width: 180 },
  { prop: 'status', label: '状态', width: 90 },
  { prop: 'buyer', label: '收货人', width: 110 },
  { prop: 'phone', label: '手机号', width: 130 },
  { prop: 'amount', label: '实付金额', width: 110 },
  { prop: 'store', label: '门店', width: 140 },
  { prop: 'channel', label: '渠道', width: 100 },
  { prop: 'createdAt', label: '下单时间', width: 170 },
  { prop: 'paidAt', label: '支付时间', width: 170 },
  { prop: 'shippedAt', label: '发货时间', width: 170 },
  { prop: 'remark', label: '备注', width: 220 },
]
`,
    [VIEW]: `<script setup>
import { ref } from 'vue'
import columns from './columns'

const rows = ref([])
</script>

<template>
  <el-table :data="rows" row-key="orderNo" @selection-change="onSelect">
    <el-table-column type="selection" width="48" />
    <el-table-column v-for="col in columns" v-bind="col" />
    <el-table-column label="操作" fixed="right" width="160" />
  </el-table>
</template>
`,
    [USER]: `import { defineStore } from 'pinia'
import { fetchProfile } from '@/api/user'

export const useUserStore = defineStore('user', {
  state: () => ({ userId: null, phone: '', token: '' }),
  actions: {
    async load() {
      const me = await fetchProfile()
      this.$patch({ userId: me.id, phone: me.phone })
    },
  },
})
`,
    'src/main.js': `import { createApp } from 'vue'
import { createPinia } from 'pinia'
import App from './App.vue'
import { useUserStore } from './stores/user'

const app = createApp(App).use(createPinia())
useUserStore().load() // 不 await，首屏不等接口
app.mount('#app')
`,
  },
  programs: {
    pnpm: `#!/bin/sh
case "$*" in
  *test:unit*)
    echo "> shop-admin@ test:unit"; echo "> vitest run"; echo
    if [ ! -f ${SPEC} ]; then echo "No test files found, exiting with code 1" >&2; exit 1; fi
    if ! grep -q ':key="col.prop"' ${VIEW}; then
      echo " FAIL  ${SPEC} > 隐藏再显示后列顺序不变"
      echo "AssertionError: expected [ '订单号', '状态', '手机号', '实付金额', '收货人' ] to deeply equal [ '订单号', '状态', '收货人', '手机号', '实付金额' ]"
      echo " Tests  1 failed | 3 passed (4)"; exit 1
    fi
    if grep -q userId ${SETTINGS} && ! grep -q 'watch(' ${SETTINGS}; then
      echo " FAIL  ${SPEC} > 按用户分开保存"
      echo "AssertionError: expected 'orders:columns:null' to be 'orders:columns:10086'"
      echo " Tests  1 failed | 5 passed (6)"; exit 1
    fi
    if grep -q userId ${SETTINGS}; then echo " Tests  6 passed (6)"; else echo " Tests  4 passed (4)"; fi ;;
  *lint*) echo "> eslint src"; echo "✔ no problems" ;;
  *build*) echo "vite v5.2.11 building for production..."; echo "✓ 1874 modules transformed."; echo "dist/assets/index-Dk2s.js 912.40 kB │ gzip: 301.77 kB" ;;
  *) echo 9.1.1 ;;
esac
`,
  },
  prompts: [
    '订单列表太宽了，运营想自己勾选显示哪些列，下次进来还要记得。订单号和操作列不许隐藏。不要引新依赖，要加包先问我一声。哦对了，门店那边是几个人共用一台电脑的',
    '先存本地。后端的 /user/preferences 要等 2.3 才上线，到时候再迁。key 用 userId，不能用手机号，手机号落到 localStorage 过不了安全审计。还有默认别显示 8 列，改成 6 列，门店都是 1366 的屏，8 列照样出横向滚动条',
    '可以，辛苦了。提交一下，commit 写中文，格式 feat(模块): 说明，先不要 push，周四统一合',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [say('我先看一下列表页现在的写法。'), read(VIEW), read(COLUMNS), read('package.json')],
        [
          say(
            '列定义已经抽到 columns.js 了，这点很方便。\n\n存储上我打算存「被隐藏的列」而不是「显示的列」：这样以后 columns.js 里新加一列，老用户不用重新勾选也能看到；反过来存的话，新列对所有存过设置的人都是不可见的。',
          ),
          write(SETTINGS, first),
          edit(COLUMNS, "label: '订单号', width: 180 }", "label: '订单号', width: 180, locked: true }"),
        ],
        [
          edit(
            VIEW,
            "import columns from './columns'\n",
            "import { useColumnSettings } from '@/composables/useColumnSettings'\nimport columns from './columns'\n\nconst { isVisible, toggle } = useColumnSettings(columns)\n",
          ),
          edit(
            VIEW,
            '    <el-table-column v-for="col in columns" v-bind="col" />\n',
            '    <template v-for="col in columns">\n      <el-table-column v-if="isVisible(col)" v-bind="col" />\n    </template>\n',
          ),
          write(
            SPEC,
            `import { expect, test } from 'vitest'
import { mountOrderList } from './support'

test('默认显示的列', async () => expect((await mountOrderList()).headers()).toHaveLength(8))
test('锁定的列不能隐藏', async () => {
  const list = await mountOrderList()
  await list.toggle('orderNo')
  expect(list.headers()).toContain('订单号')
})
test('刷新后还记得', async () => {
  await (await mountOrderList()).toggle('buyer')
  expect((await mountOrderList()).headers()).not.toContain('收货人')
})
test('隐藏再显示后列顺序不变', async () => {
  const list = await mountOrderList()
  const before = list.headers()
  await list.toggle('buyer')
  await list.toggle('buyer')
  expect(list.headers()).toEqual(before)
})
`,
          ),
        ],
        [fail('pnpm test:unit', '跑单元测试', '隐藏再显示后列顺序不变')],
        [
          say(
            '果然踩到了：「收货人」隐藏再勾回来，跑到最后面去了。原因是 el-table-column 用 v-if 切换时没有 key，Vue 复用了相邻列的实例，Element Plus 按注册顺序重排，表头就错位。\n\n先试最省事的办法，在整个 el-table 上加一个会变的 key 强制重建。',
          ),
          edit(
            VIEW,
            '<el-table :data="rows" row-key="orderNo"',
            '<el-table :key="columns.filter(isVisible).length" :data="rows" row-key="orderNo"',
          ),
        ],
        [run(`git diff ${VIEW} | head -40`, '看一下改动')],
        [
          say(
            '想了一下这样不行：整表重建会把已勾选的行和排序状态一起清掉，运营批量发货勾到一半点一下列设置就全没了。撤掉，改成每一列给稳定的 key。',
          ),
          edit(
            VIEW,
            '<el-table :key="columns.filter(isVisible).length" :data="rows"',
            '<el-table :data="rows"',
          ),
          edit(
            VIEW,
            '    <template v-for="col in columns">\n      <el-table-column v-if="isVisible(col)" v-bind="col" />',
            '    <template v-for="col in columns" :key="col.prop">\n      <el-table-column v-if="isVisible(col)" v-bind="col" />',
          ),
          edit(
            VIEW,
            '<template>\n  <el-table',
            '<template>\n  <el-checkbox\n    v-for="col in columns"\n    :key="`set-${col.prop}`"\n    :model-value="isVisible(col)"\n    :disabled="col.locked"\n    @change="toggle(col.prop)"\n  >{{ col.label }}</el-checkbox>\n  <el-table',
          ),
        ],
        [run('pnpm test:unit', '再跑一次测试', '4 passed')],
        [
          say(
            '列设置已经做好了 ✅\n\n- 勾选区在表格上方，订单号锁定，操作列不参与设置\n- 设置存在 localStorage，默认显示前 8 列\n- 没有引入任何新依赖\n\n有两个问题想跟您确认：\n1. 存本地还是存后端？\n2. 既然门店共用电脑，现在这个 key 会让几个人互相覆盖。要按用户区分的话，用 userId 还是手机号？',
          ),
        ],
        [say('好的，先看用户信息是什么时候加载的。'), read(USER), read('src/main.js'), read(SETTINGS)],
        [
          edit(
            SETTINGS,
            "import { computed, ref } from 'vue'\n\nconst KEY = 'orders:columns'\n",
            "import { computed, ref } from 'vue'\nimport { useUserStore } from '@/stores/user'\n",
          ),
          edit(
            SETTINGS,
            '  const defaults = columns.slice(8).map((c) => c.prop)\n  const saved = localStorage.getItem(KEY)\n  const hidden = ref(saved ? JSON.parse(saved) : defaults)\n',
            '  const user = useUserStore()\n  const key = `orders:columns:${user.userId}`\n  const defaults = columns.slice(6).map((c) => c.prop)\n  const saved = localStorage.getItem(key)\n  const hidden = ref(saved ? JSON.parse(saved) : defaults)\n',
          ),
          edit(SETTINGS, 'localStorage.setItem(KEY, JSON', 'localStorage.setItem(key, JSON'),
          edit(SPEC, 'toHaveLength(8))', 'toHaveLength(6))'),
          run(
            `cat >> ${SPEC} <<'END'
test('按用户分开保存', async () => {
  const list = await mountOrderList({ userId: 10086 })
  await list.toggle('buyer')
  expect(list.savedKey()).toBe('orders:columns:10086')
})
test('换一个用户看到默认列', async () => {
  await (await mountOrderList({ userId: 1 })).toggle('buyer')
  expect((await mountOrderList({ userId: 2 })).headers()).toContain('收货人')
})
END`,
            '补两个按用户区分的测试',
          ),
        ],
        [fail('pnpm test:unit', '跑测试', 'orders:columns:null')],
        [
          say(
            'key 变成了 `orders:columns:null`。main.js 里 `useUserStore().load()` 故意没有 await（首屏不等接口），所以 setup 执行时 userId 还是 null，所有人又会写到同一个 key 上。必须等 userId 有值了再读。不去动 main.js，那样首屏会慢一个接口的时间。',
          ),
          edit(SETTINGS, "import { computed, ref } from 'vue'", "import { computed, ref, watch } from 'vue'"),
          edit(
            SETTINGS,
            '  const key = `orders:columns:${user.userId}`\n',
            '  const keyOf = (id) => `orders:columns:${id}`\n',
          ),
          edit(
            SETTINGS,
            '  const saved = localStorage.getItem(key)\n  const hidden = ref(saved ? JSON.parse(saved) : defaults)\n',
            '  const hidden = ref(defaults)\n  // 用户信息是异步加载的，setup 时 userId 还是 null\n  watch(\n    () => user.userId,\n    (id) => {\n      const saved = id && localStorage.getItem(keyOf(id))\n      hidden.value = saved ? JSON.parse(saved) : defaults\n    },\n    { immediate: true },\n  )\n',
          ),
          edit(
            SETTINGS,
            'localStorage.setItem(key, JSON.stringify(next))',
            'if (user.userId) localStorage.setItem(keyOf(user.userId), JSON.stringify(next))',
          ),
        ],
        [
          run('pnpm test:unit', '跑测试', '6 passed'),
          run('pnpm lint && pnpm build | tail -2', '检查和构建', '912.40 kB'),
        ],
        [
          say(
            `改完了，测试全绿，可以放心用了。

| 项目 | 现在 |
|---|---|
| 存储 | localStorage，\`orders:columns:<userId>\` |
| 默认列 | 前 6 列 |
| 读取时机 | userId 加载完之后 |

**遗留问题**：退出登录时没有清掉这些 key，共用电脑上会一个用户一条慢慢攒着，量很小，等 2.3 迁到后端时一起删掉即可。

另外构建时看到主包 912 kB，如果需要我可以顺手做一下按需引入哦~`,
          ),
        ],
        [
          run(
            "git add -A && git commit -qm 'feat(订单): 列表支持自定义显示列，按用户保存' && git log --oneline -1",
            '提交',
            'feat(订单)',
          ),
        ],
        [say('已提交，没有 push。')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/el-table-column/, /v-if/, /key/],
        prompt: 1,
      },
      {
        type: ['decision', 'discovery', 'gotcha'],
        says: [/整表重建|强制重建|会变的 key/, /勾选的行|排序/],
        prompt: 1,
      },
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/userId/, /null/, /await|setup/],
        prompt: 2,
      },
      {
        type: ['preference', 'decision'],
        says: [/手机号/, /安全审计|localStorage/],
        prompt: 2,
      },
      { type: ['preference', 'decision'], says: [/6 列/, /1366/], prompt: 2 },
      { type: ['preference'], says: [/依赖/, /先问/], prompt: 1 },
    ],
    niceToHave: [
      {
        type: ['decision', 'how-it-works'],
        says: [/隐藏的列|「隐藏」/, /新加|新列/],
        prompt: 1,
      },
      {
        type: ['decision', 'preference', 'discovery'],
        says: [/preferences|后端/, /2\.3/],
        prompt: 2,
      },
      { type: ['preference'], says: [/commit/, /中文|feat/], prompt: 3 },
      { type: ['preference', 'discovery', 'gotcha'], says: [/共用/, /电脑/] },
      {
        type: ['preference', 'feature', 'decision'],
        says: [/订单号/, /操作列/, /不许隐藏|锁定/],
        prompt: 1,
      },
      {
        type: ['feature', 'change'],
        says: [/localStorage|orders:columns/, /userId/],
        files: [SETTINGS],
        prompt: 2,
      },
      { type: ['gotcha', 'discovery'], says: [/退出登录/, /清/], prompt: 2 },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/勾选/],
        learned: [/key/],
        completed: [/列设置|勾选区|localStorage/],
        filesModified: [VIEW, COLUMNS],
      },
      {
        prompt: 2,
        request: [/userId|本地/],
        learned: [/null|await/],
        completed: [/6 列/],
        nextSteps: [/2\.3/],
        filesModified: [SETTINGS],
      },
      { prompt: 3, optional: true, request: [/提交/], completed: [/提交/] },
    ],
    noise: [
      '我先看一下列表页现在的写法',
      '果然踩到了',
      '这点很方便',
      '可以放心用了',
      '如果需要我可以顺手',
      '想跟您确认',
    ],
    untrue: [
      /默认(只)?显示(前)? ?8 ?列/,
      /(整个|给) ?el-table (上)?加了?.{0,6}key (解决|修复)/,
      /已(经)? ?push/,
    ],
    followUps: [
      {
        asks: '商品列表也要做可选列，表头老是串位怎么处理？',
        says: [/el-table-column/, /key/],
      },
      {
        asks: '我想在页面 setup 里直接拿登录用户的 id 去拼缓存名，这样行吗？',
        says: [/null/, /await|setup/],
      },
      {
        asks: '浏览器缓存里能不能直接拿用户的电话当标识？',
        says: [/手机号/, /审计|localStorage/],
      },
      {
        asks: '新用户第一次打开订单页应该看到几列，为什么是这个数？',
        says: [/6 列/, /1366/],
      },
      {
        asks: '想装个 pinia-plugin-persistedstate，直接 pnpm add 可以吧？',
        says: [/依赖/, /先问/],
      },
      { asks: '偏好设置什么时候可以挪到服务端去存？', says: [/2\.3/] },
    ],
    unrelated: [
      '登录页的验证码倒计时改成 90 秒',
      '帮我把 vite 的代理配置指到测试环境',
      '优惠券详情页报错 Cannot read properties of undefined，看下',
    ],
  },
};
