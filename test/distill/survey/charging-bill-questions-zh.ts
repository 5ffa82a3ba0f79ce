import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const HANDLERS = 'apps/ocpp/handlers.py';
const MODELS = 'apps/charging/models.py';
const RECEIVERS = 'apps/billing/receivers.py';
const TASKS = 'apps/billing/tasks.py';
const PRICING = 'apps/billing/pricing.py';
const RETRY = 'apps/billing/management/commands/retry_charges.py';
const CRONTAB = 'deploy/crontab';
const EXPORT = 'apps/reports/sql/daily_settlement.sql';
const SETTINGS = 'config/settings.py';

const PSQL = `#!/bin/sh
case "$*" in
  *"SHOW timezone"*) echo " UTC" ;;
  *"AT TIME ZONE"*) echo " 2025-03-11 | 1284" ;;
  *) echo " 2025-03-11 | 1247" ;;
esac
`;

export const chargingBillQuestionsZh: SurveySession = {
  name: 'charging bill questions zh',
  about: '新人问充电账单怎么产生：重试的说法被下一个问题推翻，最后查到日结报表的时区。',
  kind: 'question',
  language: 'zh',
  ecosystem: 'django',
  files: {
    [HANDLERS]: `class StopTransactionHandler:
    def handle(self, charger, payload):
        session = ChargingSession.objects.get(charger=charger, transaction_id=payload["transactionId"])
        session.close(meter_stop=payload["meterStop"], ended_at=parse(payload["timestamp"]))
`,
    [MODELS]: `class ChargingSession(models.Model):
    charger = models.ForeignKey(Charger, on_delete=models.PROTECT)
    transaction_id = models.IntegerField()
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, db_index=True)

    def close(self, meter_stop, ended_at):
        self.meter_stop = meter_stop
        self.ended_at = ended_at
        self.save(update_fields=["meter_stop", "ended_at"])
        transaction.on_commit(lambda: session_closed.send(sender=ChargingSession, session=self))
`,
    [RECEIVERS]: `@receiver(session_closed)
def enqueue_bill(sender, session, **kwargs):
    # 桩断网重连以后会补发 MeterValues，等一等再算
    bill_session.apply_async((session.id,), countdown=120)
`,
    [TASKS]: `@shared_task(acks_late=True)
def bill_session(session_id):
    session = ChargingSession.objects.get(pk=session_id)
    bill, created = Bill.objects.get_or_create(session=session, defaults={"lines": price(session)})
    if not created and bill.status == Bill.PAID:
        return
    try:
        charge(bill)  # 先扣钱包余额，不够再走微信免密
    except PaymentError as e:
        bill.mark_unpaid(reason=str(e))
`,
    [PRICING]: `SERVICE_FEE = Decimal("0.45")
MAX_GAP = timedelta(minutes=10)


def price(session):
    lines = defaultdict(Decimal)
    for a, b in pairwise(session.meter_values.order_by("at")):
        kwh = b.kwh - a.kwh
        if b.at - a.at > MAX_GAP:
            lines[cheapest(a.at, b.at)] += kwh
            continue
        for tariff, share in split_by_tariff(a.at, b.at):
            lines[tariff] += kwh * share
    total = sum(lines.values())
    return [(t.name, money(k * t.rate)) for t, k in lines.items()] + [("service", money(total * SERVICE_FEE))]


def money(x):
    return x.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
`,
    [RETRY]: `class Command(BaseCommand):
    def handle(self, **options):
        for bill in Bill.objects.filter(status=Bill.UNPAID, attempts__lt=5):
            try:
                charge(bill)
            except PaymentError:
                bill.attempts = F("attempts") + 1
                bill.save(update_fields=["attempts"])
        for bill in Bill.objects.filter(status=Bill.UNPAID, attempts__gte=5):
            bill.mark_arrears()
            bill.user.freeze("arrears")
`,
    [CRONTAB]: `*/15 * * * * cd /srv/charge && venv/bin/python manage.py retry_charges
10 1 * * *   cd /srv/charge && psql -f apps/reports/sql/daily_settlement.sql
`,
    [EXPORT]: `SELECT DATE(ended_at) AS day, COUNT(*), SUM(amount)
FROM charging_session JOIN billing_bill USING (session_id)
GROUP BY DATE(ended_at);
`,
    [SETTINGS]: `TIME_ZONE = "Asia/Shanghai"
USE_TZ = True
CELERY_TASK_ACKS_LATE = True
CELERY_BROKER_URL = "redis://redis:6379/0"
`,
  },
  programs: { psql: PSQL },
  prompts: [
    '刚接手这个项目，想先搞懂一件事：用户拔枪之后账单是怎么出来的？从桩上报到扣到钱中间经过哪些代码',
    '懂了。那跨电价时段的怎么算，比如21:50充到22:30，22点开始是谷电',
    '你前面说扣款失败celery会重试三次，我翻了下tasks.py，PaymentError 在函数里就被接住了呀，而且装饰器上只有 acks_late。那谁来重试？',
    '还有个事，财务每天对账都差几十单。合同写的是按北京时间的结束时间归日，他们就这么算的。我们这边日结报表是按什么归的？先别改代码，报表下周由老周接手',
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [
          say('好的，我先从桩上报的入口开始看。'),
          run('grep -rln "StopTransaction\\|bill_session\\|session_closed" apps', '找相关文件', TASKS),
          read(HANDLERS),
          read(MODELS),
        ],
        [
          say('`close()` 里是在事务提交之后才发信号的，所以接收方读到的一定是已落库的数据。接着看计费这边。'),
          read(RECEIVERS),
          read(TASKS),
        ],
        [
          say('扣款可能失败，看看配置里有没有重试。'),
          run('grep -n CELERY config/settings.py', '看 Celery 配置', 'CELERY_TASK_ACKS_LATE'),
        ],
        [
          say('配置里打开了 `CELERY_TASK_ACKS_LATE`，所以失败的任务会自动重新执行。扣款的顺序再确认一下。'),
          run('grep -n "钱包" apps/billing/tasks.py', '扣款顺序', '微信免密'),
        ],
        [
          say(`这条链路其实挺清楚的，我按顺序讲：

1. **桩上报**：充电桩发 \`StopTransaction\`，由 \`apps/ocpp/handlers.py\` 找到会话并调用 \`ChargingSession.close()\`。
2. **发信号**：\`close()\` 写入结束电量和时间，在 \`transaction.on_commit\` 里发出 \`session_closed\`。
3. **入队**：\`apps/billing/receivers.py\` 把 \`bill_session\` 任务放进 Celery，延迟 120 秒才执行。原因是桩断网重连后会补发 MeterValues，太早算就会少算电量。
4. **出账**：\`bill_session\` 用 \`get_or_create\` 建账单，每个会话只有一张，任务重复执行也不会出两张账单。
5. **扣款**：先扣钱包余额，余额不够再走微信免密支付。
6. **失败**：扣款失败时 Celery 会自动重试三次，之后账单标成未付。

所以用户拔枪后大约两分钟才能看到账单，这是正常的，不是故障。

需要的话我可以再画一张时序图给你。`),
        ],
        [
          say('我来看一下计价的代码。'),
          read(PRICING),
          run(
            'grep -rn "MeterValueSampleInterval" apps config || echo "没有配置，桩默认 60 秒"',
            '上报间隔',
            '60',
          ),
        ],
        [
          say(`不是按总时长平均分的，是按电表读数一段一段算。

- 桩每 60 秒上报一次 MeterValues，\`pricing.py\` 取相邻两次读数之间的电量，落在哪个时段就按哪个电价算。
- 只有恰好跨过 22:00 的那一小段（最多 60 秒）才按时间比例拆分。你的例子里，22:00 前后各用多少度，基本就是电表的真实值。
- 如果两次读数相隔超过 10 分钟（比如断网），这一整段按其中最便宜的电价计，也就是让利给用户。
- 服务费固定每度 0.45 元，不分峰谷。
- 四舍五入只在最后每一行做一次（\`ROUND_HALF_UP\` 到分），中间过程都是 Decimal，不要在中途取整，否则和总额会差一分钱。

这样讲清楚吗？`),
        ],
        [
          say('问得好，我去核对一下谁会再碰未付的账单。'),
          run('grep -rn "UNPAID" apps --include=*.py', '谁处理未付账单', 'retry_charges.py'),
          read(RETRY),
          read(CRONTAB),
        ],
        [
          say(`你看得很仔细，我第一次的说法要更正。

**实际情况**

- \`bill_session\` 自己接住 \`PaymentError\`，只把账单标成未付就结束了；Celery 这一层对扣款失败一次都不重试。
- \`acks_late\` 管的是另一件事：worker 中途崩溃时消息会重新投递。这也是 \`get_or_create\` 必须保留的原因。
- 真正的重试在 \`manage.py retry_charges\`，由 \`deploy/crontab\` 每 15 分钟跑一次，每张账单最多 5 次。
- 满 5 次以后账单变成欠费（arrears），同时冻结用户，冻结后不能再启动充电。

算下来，从第一次失败到冻结最快大约 75 分钟。客服问"用户为什么突然充不了电"，先查 \`Bill.attempts\`。

抱歉刚才说得太快了。`),
        ],
        [
          say('不改代码，只查。先看报表的 SQL 和数据库时区。'),
          read(EXPORT),
          read(SETTINGS),
          run('psql -Atc "SHOW timezone"', '数据库时区', 'UTC'),
        ],
        [
          say(
            '我怀疑是 `JOIN billing_bill` 把还没出账的充电漏掉了，先不带 JOIN 数一遍，再换成北京时间数一遍。',
          ),
          run(
            `psql -c "SELECT DATE(ended_at), COUNT(*) FROM charging_session WHERE DATE(ended_at) = '2025-03-11' GROUP BY 1"`,
            '按现在的算法',
            '1247',
          ),
          run(
            `psql -c "SELECT (ended_at AT TIME ZONE 'Asia/Shanghai')::date, COUNT(*) FROM charging_session GROUP BY 1"`,
            '按北京时间',
            '1284',
          ),
        ],
        [
          say(`找到差异了，代码我没有动。

**原因**：\`daily_settlement.sql\` 用的是 \`DATE(ended_at)\`，而数据库会话的时区是 UTC，于是北京时间 0:00 到 8:00 结束的充电都被归到了前一天。\`settings.py\` 里的 \`TIME_ZONE\` 只对 Django 的 ORM 生效，这份报表是 crontab 直接用 psql 跑的，绕过了 Django。后台管理页面走 ORM，所以那边的日期是对的。JOIN 不是原因，不带 JOIN 数出来也是 1247。

**量级**：3 月 11 日现在的报表是 1247 单，按北京时间是 1284 单，差 37 单，跟财务说的"几十单"吻合。

**给老周的建议**

1. 改成按 \`ended_at AT TIME ZONE 'Asia/Shanghai'\` 取日期。
2. 过滤条件要写成时间范围，不要对列套函数，不然 \`ended_at\` 上的索引用不上。
3. 历史报表要重跑才会一致，先和财务约好从哪天开始。

要不要我顺手写一份交接说明？祝工作顺利！`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/bill_session/, /120 ?秒|两分钟/, /MeterValues|Celery|补发/],
        prompt: 1,
      },
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/读数|MeterValues/, /时段|电价/, /60 ?秒|按时间比例|拆分|相邻/],
        prompt: 2,
      },
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/retry_charges/, /15 ?分钟/, /5 ?次/],
        prompt: 3,
      },
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/PaymentError|扣款失败/, /不重试|标成未付|接住/],
        prompt: 3,
      },
      {
        type: ['how-it-works', 'discovery', 'gotcha', 'bugfix'],
        says: [/daily_settlement|日结|报表/, /UTC/, /前一天|0:00|时区/],
        prompt: 4,
      },
      {
        type: ['preference', 'decision', 'gotcha', 'discovery', 'how-it-works'],
        says: [/北京时间/, /合同|财务/, /归日|结束时间/],
        prompt: 4,
      },
      { type: ['how-it-works', 'gotcha', 'discovery'], says: [/5 ?次|欠费|arrears/, /冻结/], prompt: 3 },
      { type: ['how-it-works', 'gotcha', 'discovery'], says: [/acks_late/, /崩溃|重新投递/], prompt: 3 },
    ],
    niceToHave: [
      { type: ['how-it-works', 'gotcha', 'discovery'], says: [/10 ?分钟/, /最便宜|让利/] },
      { type: ['how-it-works', 'gotcha', 'discovery'], says: [/ROUND_HALF_UP|四舍五入|取整|0\.45|服务费/] },
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/钱包|on_commit|StopTransaction|session_closed|get_or_create/],
      },
      { type: ['gotcha', 'decision', 'discovery', 'how-it-works'], says: [/索引|AT TIME ZONE/, /ended_at/] },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/1284|37 ?单/] },
      { type: ['decision', 'preference', 'discovery'], says: [/老周/, /报表|交接|AT TIME ZONE/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/账单/],
        learned: [/bill_session|120|session_closed|MeterValues/],
        filesRead: [TASKS, HANDLERS],
      },
      { prompt: 2, request: [/时段|电价|谷电/], learned: [/读数|60|MeterValues/], filesRead: [PRICING] },
      { prompt: 3, request: [/重试/], learned: [/retry_charges|15 ?分钟/], filesRead: [RETRY, CRONTAB] },
      { prompt: 4, request: [/财务|报表/], learned: [/UTC|前一天/], filesRead: [EXPORT] },
    ],
    noise: [
      '我先从桩上报的入口开始看',
      '画一张时序图',
      '这样讲清楚吗',
      '你看得很仔细',
      '抱歉刚才说得太快了',
      '顺手写一份交接说明',
      '祝工作顺利',
    ],
    untrue: [
      /(?<!(不是|并非|并不是|以为)[^。\n]{0,8})Celery[^。\n]{0,6}(?<!不会)自动重试(三|3) ?次/,
      /失败的任务会自动重新执行/,
      /JOIN[^。\n]{0,25}漏掉(?![\s\S]*(不是|无关))/,
    ],
    followUps: [
      {
        asks: '有客户投诉充电桩扫码启动不了，说账号被锁了，是什么规则触发的？',
        says: [/冻结/, /5 ?次|欠费|arrears/],
      },
      { asks: '拔枪后一分钟用户还看不到要付多少钱，是不是队列堵了？', says: [/120 ?秒|两分钟/] },
      { asks: '半夜十二点多充完的单子在日报里跑到哪一天去了？为什么', says: [/UTC/, /前一天/] },
      { asks: '桩掉线了半个小时，这段电量按峰价还是谷价收费？', says: [/最便宜|让利/] },
      { asks: '想把付款失败后再次扣款的频率调高一点，该动哪里？', says: [/retry_charges|crontab/] },
    ],
    unrelated: [
      '帮我把首页地图的聚合图标换成公司新配色',
      'Django 的 select_related 和 prefetch_related 有什么区别？',
      '给运营写一个导入站点照片的脚本，从压缩包里读',
    ],
  },
};
