import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const JOB = 'src/main/java/com/huoyun/OrderSummaryJob.java';
const CONF = 'conf/order-summary.yaml';
const SINK = 'src/main/java/com/huoyun/DorisSink.java';

export const flinkChuangkouZh: SurveySession = {
  name: 'flink chuangkou zh',
  about: '三个关于订单汇总作业的问题：夜里窗口不触发、迟到数据、从 savepoint 扩容。全程不改代码。',
  kind: 'question',
  language: 'zh',
  ecosystem: 'flink',
  files: {
    [JOB]: `package com.huoyun;

public class OrderSummaryJob {
  public static void main(String[] args) throws Exception {
    var env = StreamExecutionEnvironment.getExecutionEnvironment();
    var orders = env.fromSource(
        kafkaSource("orders"),
        WatermarkStrategy.<Order>forBoundedOutOfOrderness(Duration.ofSeconds(10))
            .withTimestampAssigner((o, t) -> o.createdAt()),
        "orders").uid("orders-source");
    orders
        .keyBy(Order::depotId)
        .window(TumblingEventTimeWindows.of(Time.minutes(5)))
        .aggregate(new SumFee())
        .sinkTo(DorisSink.create()).uid("doris-sink");
    env.execute("order-summary");
  }
}
`,
    [SINK]: `package com.huoyun;

/** Upsert by (depot_id, window_start). */
public class DorisSink {
  static Sink<Summary> create() { return DorisSinkBuilder.unique("dws.order_summary").build(); }
}
`,
    [CONF]: `parallelism: 8
state.backend: rocksdb
execution.checkpointing.interval: 60s
execution.checkpointing.mode: EXACTLY_ONCE
`,
  },
  programs: {
    flink: `#!/bin/sh
case "$*" in
  *checkpoints*) echo "completed=1440 failed=0 last_duration=3.1s state=2.4GB" ;;
  *watermarks*) echo "subtask watermarks 02:00: 01:59:48 01:59:47 00:41:05 01:59:49 01:59:48 00:40:58 01:59:47 01:59:49"; echo "window operator input watermark: 00:40:58" ;;
  *info*) echo "Flink 1.18.1, max parallelism 128 (default)" ;;
esac
`,
    'kafka-get-offsets': `#!/bin/sh
echo "orders 16 partitions, records between 00:45 and 02:00:"
for p in 0 1 2 3 4 6 7 8 9 10 11 12 14 15; do echo "orders:$p +$((4000 + p * 37))"; done
echo "orders:5 +0"
echo "orders:13 +0"
`,
  },
  prompts: [
    '订单汇总作业每天凌晨 0:40 左右窗口就不触发了，早上 7 点又自己恢复，为什么？我怀疑是 checkpoint 一直失败。先只回答，代码别动，上线窗口是周四，平时不许改生产作业',
    '原来如此。那加了 withIdleness 之后，迟到的数据怎么办，allowedLateness 设多大合适？注意财务每天 02:30 锁账，之后 dws.order_summary 当天分区一行都不能再写，去年因为这个被审计点过名',
    '明白。最后问一下：周四想顺便把并行度从 8 提到 16，能直接从 savepoint 恢复吗？另外停作业必须用 stop --savepoint，不要 cancel，上次有人 cancel 之后 Kafka 事务悬挂，下游卡了 15 分钟',
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [
          say('先验证 checkpoint 的猜测，再看作业代码。'),
          run('flink checkpoints order-summary', 'checkpoint 统计', 'failed=0'),
          read(JOB),
          read(CONF),
        ],
        [
          say('checkpoint 没有问题：24 小时 1440 次全部成功，平均 3.1 秒。接下来看 watermark。'),
          run('flink watermarks order-summary', '各子任务的 watermark', '00:40:58'),
          run('kafka-get-offsets orders 00:45 02:00', '各分区的数据量', 'orders:13 +0'),
        ],
        [
          say(`## 结论

不是 checkpoint，而是**空闲分区拖住了 watermark**。

## 原因

- 窗口算子的 watermark 取所有输入的最小值。凌晨 2 点时 8 个子任务里有 6 个已经到 01:59，另外两个停在 00:41，所以整体停在 00:40:58，之后的窗口都不触发。
- 停住的两个子任务读的是分区 5 和 13。orders 按城市分区，这两个分区只有乌鲁木齐和拉萨的仓库，0:40 以后没有订单，早上 7 点开工才有新数据，于是作业“自己恢复”。
- 代码里的 WatermarkStrategy 没有调用 \`withIdleness\`，没有数据的分区永远不会被标记为空闲。

## 数据有没有丢

没有。数据都留在窗口状态里，只是晚出结果，代价是夜里状态会涨到 2.4 GB 左右。

建议周四加上 \`withIdleness(Duration.ofSeconds(60))\`。代码我没有动。`),
        ],
        [
          read(SINK),
          run(
            'grep -n "allowedLateness\\|sideOutput" -r src || echo "都没有设置"',
            '现有的迟到处理',
            '都没有设置',
          ),
        ],
        [
          say(`先说一个陷阱：\`withIdleness\` 会带来新的迟到数据。分区被标记为空闲后，watermark 就不再等它；如果它只是上游卡了两分钟，恢复后的数据已经落在 watermark 之后。现在作业既没有 allowedLateness 也没有侧输出，**这些数据会被直接丢弃，没有任何日志**。

建议：

- \`allowedLateness\` 设 20 分钟。Doris 表按 (depot_id, window_start) 主键覆盖，重复触发只会更新同一行，不会重复计数。
- 不建议设成几个小时：窗口状态要一直保留到迟到期结束，按现在的量每多 1 小时大约多 0.6 GB，而且会撞上 02:30 的锁账。
- 比 20 分钟更晚的走 \`sideOutputLateData\`，写到单独的补录表，由财务第二天处理。
- 锁账不能只靠 allowedLateness 保证，因为它算的是事件时间；作业积压时，02:30 以后照样可能写当天分区。需要在 DorisSink 里按处理时间判断，超过 02:30 的一律转到补录表。

如果需要，我可以把这些整理成周四的变更单。`),
        ],
        [
          run('flink info order-summary', '版本和最大并行度', 'max parallelism 128'),
          run(`grep -n "uid(" ${JOB}`, '哪些算子有 uid', 'orders-source'),
        ],
        [
          say(`并行度本身没问题：最大并行度是默认的 128，8 改 16 可以恢复；orders 正好 16 个分区，再往上加就有子任务没有分区可读，没有意义。

但有一个前提没满足：**窗口算子没有设 uid**，只有 source 和 sink 有。没有 uid 时 Flink 按作业图的结构生成 ID，周四如果同时加侧输出，图一变，ID 就变，窗口状态对不上，恢复会报错；如果有人加 \`--allowNonRestoredState\` 硬启动，窗口里的数据就悄悄丢了。

所以要分两步走：

1. 第一次发布只改并行度，图不变，用 \`stop --savepoint\` 停、从 savepoint 启动。
2. 加 uid 和侧输出放在第二次发布，选窗口刚清空的时刻，并且从 Kafka 回退 10 分钟重放。

更正一下我前面的说法：\`withIdleness\` 不改变作业图，可以和第一步一起上。停作业一律用 stop，不用 cancel，我记住了。祝周四上线顺利！`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'how-it-works', 'gotcha'],
        says: [/watermark/, /空闲|最小值|没有数据的分区/, /分区|窗口/],
      },
      { type: ['preference', 'decision'], says: [/周四/, /不许改|上线窗口|生产/] },
      { type: ['preference', 'gotcha', 'decision'], says: [/02:30/, /锁账/, /不能|分区/] },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/withIdleness/, /迟到/, /丢弃|侧输出|watermark/],
      },
      { type: ['decision', 'how-it-works', 'discovery'], says: [/allowedLateness/, /20 分钟/] },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/uid/, /窗口/, /状态|恢复/] },
      { type: ['preference', 'gotcha', 'decision'], says: [/stop/, /cancel/, /15 分钟|事务|savepoint/] },
      {
        type: ['gotcha', 'how-it-works', 'discovery', 'decision'],
        says: [/锁账|02:30/, /事件时间/, /处理时间|DorisSink/],
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/乌鲁木齐|拉萨/, /分区/] },
      { type: ['discovery', 'gotcha'], says: [/checkpoint/, /1440|全部成功|没有问题/] },
      { type: ['how-it-works', 'discovery', 'decision', 'gotcha'], says: [/16 个分区/, /并行度|子任务/] },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/allowNonRestoredState/, /丢/] },
      { type: ['how-it-works', 'discovery', 'gotcha', 'decision'], says: [/0\.6 GB/] },
    ],
    summaries: [
      { prompt: 1, request: [/窗口/], learned: [/watermark|空闲/], filesRead: [JOB, CONF] },
      {
        prompt: 2,
        request: [/allowedLateness|迟到/],
        learned: [/20 分钟|侧输出|withIdleness/],
        filesRead: [SINK],
      },
      { prompt: 3, request: [/并行度|savepoint/], learned: [/uid/] },
    ],
    noise: [
      '祝周四上线顺利',
      '如果需要，我可以',
      '先验证 checkpoint 的猜测',
      '接下来看 watermark',
      '我记住了',
    ],
    untrue: [
      /(因为|由于|原因是) ?checkpoint/,
      /(已经|已)(加上|修改|添加)[^。]{0,10}withIdleness/,
      /窗口算子已(经)?(有|设)/,
    ],
    followUps: [
      { asks: '半夜报表停更，到上班时间又好了，是哪儿的问题', says: [/watermark/, /空闲/] },
      { asks: '帮我把费用字段的修复今天下午就发到线上作业', says: [/周四/] },
      { asks: '凌晨三点想补刷昨天的汇总表，可以直接写吗', says: [/02:30/, /锁账/] },
      { asks: '怎么安全地停掉 order-summary？', says: [/cancel/, /savepoint/] },
      { asks: '改了拓扑之后从快照启动报 state 对不上', says: [/uid/] },
    ],
    unrelated: [
      '给司机端的登录页加一个深色主题',
      'maven 怎么换成公司内部的镜像源',
      '写一个脚本批量重命名合同扫描件',
    ],
  },
};
