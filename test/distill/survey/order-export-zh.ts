import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CSV = 'src/export/csv.js';
const JOB = 'src/export/job.js';
const TEST = 'test/export.test.js';

export const orderExport: SurveySession = {
  name: '订单导出',
  about: '给运营做订单导出：上限和推送方式被纠正，乱码和身份证号是两个不同的原因，手机号必须脱敏。',
  kind: 'feature',
  language: 'zh',
  ecosystem: 'node',
  files: {
    'package.json': '{ "name": "dingdan-admin", "private": true, "type": "module" }\n',
    'src/orders.js': `export const columns = ['orderNo', 'buyer', 'phone', 'idCard', 'amount'];

export async function* orders(count) {
  for (let i = 1; i <= count; i++)
    yield { orderNo: 'D' + i, buyer: '张伟', phone: '13800138000', idCard: '440106199001011234', amount: 99.5 };
}
`,
    'src/server.js': "// Express app, behind the company's API gateway\n",
  },
  prompts: [
    '订单列表要加一个导出，运营用 Excel 打开。数据量最多 5 万行吧。先把导出这块写出来，前端我自己接',
    'websocket 不行，公司网关不支持长连接，改成轮询。另外我记错了，上限是 10 万行。也别考虑 exceljs，去年 10 万行把 512M 的容器打爆过',
    '运营反馈两个问题：中文乱码，身份证号变成 4.40106E+17。应该都是编码的问题吧？',
    '还有，手机号导出必须脱敏，中间四位打星号，合规要求的，以后所有导出都这样。身份证先不用动',
    '好，先这样，谢谢',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [say('先看一下现有的订单代码。'), read('src/orders.js'), read('src/server.js')],
        [
          write(
            CSV,
            `const cell = (value) => '"' + String(value ?? '').replaceAll('"', '""') + '"';

/** One line of the file after the other, so that memory stays flat. */
export async function* csvLines(columns, rows) {
  yield columns.map(cell).join(',') + '\\r\\n';
  for await (const row of rows) yield columns.map((name) => cell(row[name])).join(',') + '\\r\\n';
}
`,
          ),
          write(
            JOB,
            `import { csvLines } from './csv.js';

export const MAX_ROWS = 50_000;

/** Pushes the progress over a websocket. */
export async function exportJob(columns, rows, { write, push }) {
  let n = 0;
  for await (const line of csvLines(columns, rows)) {
    if (n++ > MAX_ROWS) throw new RangeError('too many rows');
    await write(line);
    if (n % 1000 === 0) push(n);
  }
}
`,
          ),
          write(
            TEST,
            `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLines } from '../src/export/csv.js';
import { columns, orders } from '../src/orders.js';

async function text(count) {
  let all = '';
  for await (const line of csvLines(columns, orders(count))) all += line;
  return all;
}

test('one line per order', async () => {
  assert.equal((await text(3)).trim().split('\\r\\n').length, 4);
});
`,
          ),
        ],
        [run('node --test test/', '跑测试', 'one line per order')],
        [
          say(`导出的核心写好了：

- \`${CSV}\`：\`csvLines()\` 是异步生成器，逐行输出，内存不随行数增长。
- \`${JOB}\`：\`exportJob()\` 上限 5 万行，每 1000 行通过 WebSocket 推送一次进度。

如果需要真正的 .xlsx，可以换成 exceljs，要不要我试一下？`),
        ],
        [
          say('明白，改成轮询，上限改成 10 万。'),
          edit(JOB, 'MAX_ROWS = 50_000', 'MAX_ROWS = 100_000'),
          edit(
            JOB,
            '/** Pushes the progress over a websocket. */\n',
            'export const progress = new Map();\n\n/** The progress is kept for GET /exports/:id; the gateway closes long connections. */\n',
          ),
          edit(JOB, 'exportJob(columns, rows, { write, push })', 'exportJob(id, columns, rows, { write })'),
          edit(JOB, 'push(n);', 'progress.set(id, n);'),
        ],
        [
          run(
            `node -e "import('./src/export/job.js').then(async ({exportJob, progress}) => { const {orders, columns} = await import('./src/orders.js'); let b = 0; await exportJob('a', columns, orders(100000), {write: (l) => { b += l.length }}); console.log('progress', progress.get('a'), 'under100MB', process.memoryUsage().heapUsed < 100e6) })"`,
            '10 万行实测内存',
            'progress 100000 under100MB true',
          ),
        ],
        [
          say(
            '改好了。进度放在 `progress` 里，前端轮询 `GET /exports/:id`，建议间隔 2 秒；WebSocket 已经去掉，因为公司网关不支持长连接。上限是 10 万行，实测 10 万行堆内存不到 100 MB。注意 `progress` 是进程内的 Map，如果以后后端起多个实例，轮询可能打到另一个实例上，那时要换成 Redis。',
          ),
        ],
        [
          say('不一定是同一个原因，我先看文件的头几个字节和身份证那一列的内容。'),
          run(
            `node -e "import('./src/export/csv.js').then(async ({csvLines}) => { const {orders, columns} = await import('./src/orders.js'); let s=''; for await (const l of csvLines(columns, orders(1))) s+=l; console.log(Buffer.from(s).subarray(0,3).toString('hex'), s.includes('440106199001011234')) })"`,
            '检查 BOM 和身份证号',
            '226f72 true',
          ),
        ],
        [
          edit(
            CSV,
            "  yield columns.map(cell).join(',')",
            "  // Excel takes a file without BOM for GBK.\n  yield '\\uFEFF' + columns.map(cell).join(',')",
          ),
          edit(
            CSV,
            `const cell = (value) => '"' + String(value ?? '').replaceAll('"', '""') + '"';`,
            `// Excel keeps 15 digits of a number; a leading tab makes it text.
const cell = (value) => '"' + String(value ?? '').replace(/^(?=\\d{12,}$)/, '\\t').replaceAll('"', '""') + '"';`,
          ),
        ],
        [run('node --test test/', '跑测试', 'one line per order')],
        [
          say(`是两个不同的原因，只有乱码和编码有关：

1. **中文乱码**：文件没有 BOM,Excel 会按 GBK 打开。现在文件开头写了 UTF-8 BOM。
2. **身份证号**：文件里的内容是对的，是 Excel 把超过 11 位的数字按科学计数法显示，而且只保留 15 位有效数字，存一次盘后三位就变成 0。现在 12 位以上的纯数字前面加一个制表符，Excel 就当文本处理。

代价：如果有程序读这个 CSV，要先去掉字段开头的制表符。`),
        ],
        [
          say('我按 11 位手机号的格式来打星号。'),
          edit(
            CSV,
            ".replace(/^(?=\\d{12,}$)/, '\\t')",
            ".replace(/(1\\d{2})\\d{4}(\\d{4})/, '$1****$2').replace(/^(?=\\d{12,}$)/, '\\t')",
          ),
          edit(
            TEST,
            "test('one line per order'",
            `test('phones are masked, id cards are not', async () => {
  const all = await text(1);
  assert.match(all, /138\\*{4}8000/);
  assert.match(all, /440106199001011234/);
});

test('one line per order'`,
          ),
        ],
        [fail('node --test test/', '跑测试', 'phones are masked')],
        [
          say('测试红了：按格式匹配会误伤身份证号，里面正好有一段像手机号的数字。改成按字段名脱敏。'),
          edit(CSV, ".replace(/(1\\d{2})\\d{4}(\\d{4})/, '$1****$2')", ''),
          edit(
            CSV,
            '/** One line of the file',
            `const mask = { phone: (value) => String(value).replace(/^(\\d{3})\\d{4}/, '$1****') };

/** One line of the file`,
          ),
          edit(CSV, 'cell(row[name])', 'cell(mask[name] ? mask[name](row[name]) : row[name])'),
        ],
        [run('node --test test/', '跑测试', '# pass 2')],
        [
          say(
            `手机号已经脱敏：\`${CSV}\` 里的 \`mask\` 按字段名处理，\`phone\` 输出成 138****8000。一开始我按 11 位数字的格式去匹配，结果把身份证号也打了星号，所以改成按字段名；以后新增手机号字段（比如收货人电话）要在 \`mask\` 里登记，否则会明文导出。身份证号没有动。两个测试都通过。`,
          ),
        ],
        [say('不客气，有问题随时找我。')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/websocket/i, /网关/, /长连接/],
      },
      { type: ['preference', 'decision', 'change', 'feature'], says: [/10 万行/, /上限/] },
      { type: ['preference', 'decision', 'gotcha'], says: [/exceljs/, /512M|打爆/] },
      { type: ['bugfix', 'gotcha', 'discovery', 'how-it-works'], says: [/BOM/, /GBK|乱码/] },
      {
        type: ['bugfix', 'gotcha', 'discovery', 'how-it-works'],
        says: [/身份证号/, /科学计数法|15 位/, /制表符|文本/],
      },
      { type: ['preference', 'decision'], says: [/手机号/, /脱敏/, /合规|所有导出/] },
      {
        type: ['gotcha', 'decision', 'feature', 'bugfix', 'discovery', 'how-it-works', 'change'],
        says: [/mask|字段名/, /登记|误伤|身份证/],
      },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/progress/, /多个实例|进程内/, /Redis/] },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/制表符/, /去掉|程序读/] },
      { type: ['discovery', 'feature', 'change', 'how-it-works'], says: [/csvLines|逐行/, /内存|生成器/] },
      { type: ['discovery', 'feature', 'change'], says: [/100 MB/] },
      { type: ['feature', 'change', 'decision', 'how-it-works'], says: [/轮询/, /GET \/exports|2 秒/] },
    ],
    summaries: [
      { prompt: 1, request: [/导出/], completed: [/csvLines|exportJob/] },
      { prompt: 2, request: [/轮询/], completed: [/轮询|10 万/] },
      { prompt: 3, request: [/乱码/], learned: [/BOM|科学计数法/] },
      { prompt: 4, request: [/脱敏/], completed: [/脱敏|mask/], filesModified: [CSV, TEST] },
      { prompt: 5, optional: true },
    ],
    noise: [
      '有问题随时找我',
      '先看一下现有的订单代码',
      '要不要我试一下',
      '明白，改成轮询',
      '我先看文件的头几个字节',
    ],
    untrue: [
      /上限 ?5 ?万行/,
      /MAX_ROWS = 50_000/,
      /通过 WebSocket 推送/,
      /我按 11 位手机号的格式来打星号/,
      /身份证号?(也)?(已|已经)脱敏/,
    ],
    followUps: [
      { asks: '导出进度能不能用 websocket 推给前端？', says: [/网关/, /长连接/] },
      { asks: '财务也要一份退款记录的下载，里面有客户联系方式，要注意什么？', says: [/脱敏/] },
      { asks: '直接换成 exceljs 生成 xlsx 行不行？', says: [/512M|打爆/] },
      { asks: '银行卡号在表格里末尾几位都成零了，怎么办？', says: [/15 位|制表符/] },
      { asks: '后端扩成三个 pod 以后进度条一会儿有一会儿没有', says: [/progress|进程内/, /Redis|实例/] },
    ],
    unrelated: [
      '登录页的验证码图片太小，放大一点',
      '帮我写一个 ESLint 配置，禁止 var',
      'Promise.all 和 Promise.allSettled 有什么区别？',
    ],
  },
};
