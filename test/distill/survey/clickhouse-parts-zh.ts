import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const USERS = 'clickhouse/users.d/collector.xml';
const MERGE = 'clickhouse/config.d/merge_tree.xml';
const TABLE = 'schema/events.sql';
const RUNBOOK = 'docs/runbook.md';

export const clickhousePartsZh: SurveySession = {
  name: 'clickhouse-parts-zh',
  about:
    '写入报 Too many parts：先怀疑磁盘，实际是采集端逐条写入加按小时分区；调大阈值被否，改异步写入，保留期改成 180 天。',
  kind: 'operations',
  language: 'zh',
  ecosystem: 'clickhouse',
  files: {
    [USERS]: `<clickhouse>
  <profiles>
    <collector>
      <max_insert_threads>4</max_insert_threads>
    </collector>
  </profiles>
</clickhouse>
`,
    [MERGE]: `<clickhouse>
  <merge_tree>
    <parts_to_throw_insert>300</parts_to_throw_insert>
  </merge_tree>
</clickhouse>
`,
    [TABLE]: `CREATE TABLE events
(
    ts DateTime,
    tenant UInt32,
    body String
)
ENGINE = MergeTree
PARTITION BY toStartOfHour(ts)
ORDER BY (tenant, ts)
TTL ts + INTERVAL 90 DAY;
`,
    [RUNBOOK]: '# 值班手册\n',
  },
  programs: {
    'clickhouse-client': `#!/bin/sh
case "$*" in
  *system.disks*) echo "default	1.1 TiB free of 2.0 TiB" ;;
  *"select count()"*) echo "active parts 41" ;;
  *system.parts*) echo "2025051314	287"; echo "2025051315	303" ;;
  *query_log*) echo "inserts/min 4120  avg rows 1.3  client collector/2.7.0"; echo "before 05-11: inserts/min 38  avg rows 9400  client collector/2.6.4" ;;
  *system.errors*) echo "TOO_MANY_PARTS	0 in last 10 min" ;;
  *) echo "ok" ;;
esac
`,
    xmllint: '#!/bin/sh\nexit 0\n',
  },
  prompts: [
    `告警，events 写不进去了，丢数据：

2025.05.13 15:42:07 [ 211 ] <Error> executeQuery: Code: 252. DB::Exception: Too many parts (303 with average size of 1.21 KiB) in table 'default.events'. Merges are processing significantly slower than inserts. (TOO_MANY_PARTS)

先止血再找原因。是不是磁盘满了？`,
    '阈值不要调大，去年调到 3000，合并跟不上，重启花了四十分钟。改回来。用异步写入，wait_for_async_insert 必须是 1，设 0 的时候客户端收到成功但服务挂了数据就没了',
    '好了，恢复了。分区那个下周二维护窗口再做，这次不动表。顺便 TTL 改成 120 天……等下，审计要半年，180 天。写到值班手册里，要短。改完别重启，配置会热加载',
  ],
  script: (dir) => {
    const { run, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          run('clickhouse-client -q "select name, free_space from system.disks"', '看磁盘', '1.1 TiB free'),
          run(
            'clickhouse-client -q "select partition, count() from system.parts where active group by 1"',
            '各分区的 part 数',
            '303',
          ),
        ],
        [say('磁盘没满，还剩 1.1 TiB。先把阈值从 300 提到 600 止血，同时查写入来源。'), read(MERGE)],
        [
          edit(MERGE, '<parts_to_throw_insert>300<', '<parts_to_throw_insert>600<'),
          run(
            'clickhouse-client -q "select client_name, avg(written_rows) from system.query_log group by 1"',
            '谁在写',
            'avg rows 1.3',
          ),
          read(TABLE),
        ],
        [
          say(`原因找到了，跟磁盘无关：

- collector 5 月 11 日升到 2.7.0 之后不再攒批，每分钟 4120 次写入，平均每次只有 1.3 行；2.6.4 的时候是每分钟 38 次、每次 9400 行。每次写入至少产生一个 part。
- 表按 toStartOfHour 分区，不同分区的 part 永远不会合并到一起，所以 part 数下不去。

两个办法：

1. 服务端打开 async_insert，由 ClickHouse 攒批，不用等采集端发版。
2. 采集端回退到 2.6.4，但会丢掉 2.7.0 里的多租户字段。

我建议第一个。您看呢？`),
        ],
        [say('明白，阈值改回 300。'), read(USERS)],
        [
          edit(MERGE, '<parts_to_throw_insert>600<', '<parts_to_throw_insert>300<'),
          edit(
            USERS,
            '      <max_insert_threads>4</max_insert_threads>\n',
            '      <max_insert_threads>4</max_insert_threads>\n      <async_insert>1</async_insert>\n      <wait_for_async_insert>1</wait_for_async_insert>\n      <async_insert_busy_timeout_ms>1000</async_insert_busy_timeout_ms>\n',
          ),
        ],
        [
          run(`xmllint --noout ${USERS} ${MERGE}`, '检查配置'),
          run('clickhouse-client -q "system reload config"', '重新加载', 'ok'),
        ],
        [
          run('clickhouse-client -q "select * from system.errors"', '还有没有报错', '0 in last 10 min'),
          run(
            'clickhouse-client -q "select count() from system.parts where active"',
            'part 数',
            'active parts 41',
          ),
        ],
        [
          say(
            '已恢复：近 10 分钟没有 TOO_MANY_PARTS，活跃 part 从 303 降到 41。代价是每次写入最多多等 1 秒（async_insert_busy_timeout_ms = 1000），采集端的超时要大于这个值，现在是 5 秒，够用。另外异步写入默认不去重，采集端重试会产生重复行。',
          ),
        ],
        [read(TABLE), read(RUNBOOK)],
        [
          edit(TABLE, 'INTERVAL 90 DAY', 'INTERVAL 180 DAY'),
          write(
            RUNBOOK,
            `# 值班手册

## Too many parts
1. 查 system.query_log 的平均写入行数，个位数就是没攒批。
2. 不要调大 parts_to_throw_insert。
3. async_insert = 1，wait_for_async_insert = 1。
`,
          ),
        ],
        [
          run(
            'clickhouse-client -q "alter table events modify ttl ts + interval 180 day settings materialize_ttl_after_modify = 0"',
            '改 TTL',
            'ok',
          ),
        ],
        [
          say(
            'TTL 已改成 180 天，值班手册也写好了，没有重启。改 TTL 时加了 materialize_ttl_after_modify = 0，否则会立刻重写全部历史 part，把磁盘 IO 打满。待办：下周二维护窗口把分区改成按月，需要建新表再 INSERT SELECT 导过去，因为 PARTITION BY 不能 ALTER。辛苦了，有事随时叫我～',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'bugfix', 'gotcha'],
        says: [/2\.7\.0/, /攒批|1\.3 行/],
        prompt: 1,
      },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/toStartOfHour|分区/, /合并/], prompt: 1 },
      { type: ['preference', 'decision'], says: [/阈值/, /调大/, /3000|四十分钟/], prompt: 2 },
      {
        type: ['preference', 'decision'],
        says: [/wait_for_async_insert/, /1/, /数据就没了|客户端收到成功/],
        prompt: 2,
      },
      { type: ['preference', 'decision', 'change'], says: [/180 天/, /审计|TTL/], prompt: 3 },
      { type: ['gotcha', 'discovery'], says: [/materialize_ttl_after_modify/, /重写|IO/], prompt: 3 },
      { type: ['gotcha', 'discovery'], says: [/去重|重复行/, /异步写入/], prompt: 2 },
    ],
    niceToHave: [
      {
        type: ['decision', 'change', 'discovery', 'gotcha'],
        says: [/PARTITION BY/, /不能 ALTER|建新表/],
        prompt: 3,
      },
      { type: ['discovery', 'gotcha'], says: [/磁盘/, /1\.1 TiB|无关/], prompt: 1 },
      { type: ['decision', 'discovery', 'gotcha'], says: [/2\.6\.4/, /多租户/], prompt: 1 },
      {
        type: ['discovery', 'bugfix', 'gotcha', 'decision', 'change'],
        says: [/超时/, /1 秒|1000/],
        prompt: 2,
      },
      { type: ['preference', 'discovery'], says: [/重启/, /热加载/], prompt: 3 },
      { type: ['bugfix', 'change'], says: [/303/, /41/], prompt: 2 },
    ],
    summaries: [
      { prompt: 1, request: [/Too many parts/], learned: [/攒批|分区/] },
      { prompt: 2, request: [/异步写入/], completed: [/恢复|41/], filesModified: [USERS] },
      {
        prompt: 3,
        request: [/TTL/],
        completed: [/180/],
        nextSteps: [/分区|下周二/],
        filesModified: [TABLE, RUNBOOK],
      },
    ],
    noise: [
      'executeQuery: Code: 252',
      '您看呢',
      '辛苦了',
      '有事随时叫我',
      '明白，阈值改回',
      '同时查写入来源',
    ],
    untrue: [
      /120 天(?![\s\S]*180)/,
      /(阈值|parts_to_throw_insert)\S{0,6}(现在|目前|已)?(是|为|提到了) ?600/,
      /原因是磁盘/,
      /(已经|已)(改成|改为)按月/,
    ],
    followUps: [
      { asks: '又报 part 太多了，把上限加大一点行不行？', says: [/阈值|parts_to_throw_insert|调大/] },
      { asks: '想让写入更快，能不能不等落盘就给客户端返回成功？', says: [/wait_for_async_insert/] },
      { asks: '明细数据我们保留多久，为什么这么久？', says: [/180/] },
      { asks: '查询结果里同一条事件出现两次，可能是什么原因？', says: [/去重|重复行/] },
      {
        asks: '缩短历史数据保留时间时要注意什么，会不会影响线上？',
        says: [/materialize_ttl_after_modify|重写/],
      },
    ],
    unrelated: [
      '给后台登录页加验证码',
      '把前端打包工具换成 vite',
      '帮我写一个导出用户列表的脚本，要 xlsx 格式',
    ],
  },
};
