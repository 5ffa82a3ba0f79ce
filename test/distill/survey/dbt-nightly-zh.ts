import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const MODEL = 'models/marts/fct_rides.sql';
const PROFILE = 'profiles.yml';

export const dbtNightlyZh: SurveySession = {
  name: 'dbt nightly zh',
  about: '夜间任务超时，改成增量；用户不让白天全量重建，并更正了回看天数。',
  kind: 'operations',
  language: 'zh',
  ecosystem: 'dbt',
  files: {
    'dbt_project.yml': 'name: bikes\nversion: 1.0.0\n',
    [PROFILE]: 'bikes:\n  outputs:\n    prod:\n      type: redshift\n      threads: 16\n',
    [MODEL]: `{{ config(materialized='table') }}
select ride_id, bike_id, city, started_at, ended_at, fee_cents, updated_at
from {{ ref('stg_rides') }}
left join {{ ref('dim_bike') }} using (bike_id)
`,
    'models/staging/stg_rides.sql': "select * from {{ source('app', 'rides') }} where not is_test\n",
    'logs/nightly-0611.txt': `02:00:04 Running with dbt=1.7.9
02:00:11 1 of 24 START sql table model marts.fct_rides
05:31:52 1 of 24 OK created sql table model marts.fct_rides [SELECT in 12701.20s]
05:40:00 job cancelled: exceeded maintenance window
`,
  },
  programs: {
    dbt: `#!/bin/sh
case "$*" in
  *compile*) echo 'Compiled node fct_rides' ;;
  *full-refresh*) echo 'refused: no' ; exit 1 ;;
  *run*) echo '1 of 1 OK created sql incremental model marts.fct_rides [INSERT 0 184220 in 96.40s]' ;;
  *test*) echo 'Done. PASS=11 WARN=0 ERROR=0 SKIP=0 TOTAL=11' ;;
esac
`,
  },
  prompts: [
    '昨晚 dbt 夜间任务又超时了，日志在 logs/nightly-0611.txt，运营早上看不到报表。帮忙看看怎么缩短。',
    '别在白天跑 full-refresh！这张表 BI 一直在查，重建会锁住，上次客服系统停了四十分钟。只能周日凌晨三点以后跑。另外三天不够，退款最晚十四天后才回写，回看改成 15 天。',
    '可以，试跑一下增量。',
  ],
  script: (dir) => {
    const { run, read, edit } = callsIn(dir);
    return {
      main: [
        [say('先看日志。'), read('logs/nightly-0611.txt'), read(MODEL), read(PROFILE)],
        [run('git log --oneline -5 -- models/marts', '最近的改动'), read('models/staging/stg_rides.sql')],
        [
          edit(
            MODEL,
            "{{ config(materialized='table') }}",
            "{{ config(materialized='incremental', unique_key='ride_id', incremental_strategy='merge') }}",
          ),
          edit(
            MODEL,
            'using (bike_id)\n',
            'using (bike_id)\n{% if is_incremental() %}\nwhere updated_at > (select dateadd(day, -3, max(updated_at)) from {{ this }})\n{% endif %}\n',
          ),
        ],
        [run('dbt compile --select fct_rides', '编译模型', 'Compiled node')],
        [
          say(`瓶颈是 \`fct_rides\`：它每晚整表重建，光这一步就用了 12701 秒（三个半小时），而维护窗口到 05:40 就结束，后面 23 个模型都没机会跑。线程数不是问题，threads 已经是 16。

我把它改成了增量模型：按 \`ride_id\` merge，只处理最近 3 天更新过的行。下一步我现在就跑一次 \`dbt run --full-refresh\` 建好基础表。`),
        ],
        [say('明白，不跑全量。改回看天数。'), edit(MODEL, 'dateadd(day, -3,', 'dateadd(day, -15,')],
        [run('dbt compile --select fct_rides', '重新编译', 'Compiled node')],
        [
          say(`回看窗口已改为 15 天，覆盖退款最晚 14 天的回写。现有的表结构没变，所以增量可以直接接在旧表上，不需要先全量重建。

全量重建只在改列的时候才需要，那时安排在周日 03:00 之后。`),
        ],
        [
          run('dbt run --select fct_rides', '试跑增量', '96.40s'),
          run('dbt test --select fct_rides', '数据检查', 'PASS=11'),
        ],
        [
          say(
            '增量跑完只用了 96 秒，写入 184220 行，11 项检查全部通过。今晚的夜间任务会直接用新模型。还有一点要留意：merge 不会删除行，上游如果物理删除了骑行记录，`fct_rides` 里会一直留着；目前 app 只做软删除，所以没有影响。',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'bugfix', 'gotcha', 'change'],
        says: ['fct_rides', /整表重建|三个半小时|12701/],
        prompt: 1,
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/full-refresh|全量|重建/, /白天|周日/, /锁|BI|周日/],
        prompt: 2,
      },
      {
        type: ['decision', 'gotcha', 'preference', 'change', 'discovery'],
        says: [/15 ?天/, /退款/],
        prompt: 2,
      },
      {
        type: ['change', 'bugfix', 'feature', 'discovery', 'decision'],
        says: [/增量/, /merge|96 秒|ride_id/],
        files: [MODEL],
      },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/merge/, /删除/], prompt: 3 },
    ],
    niceToHave: [
      { type: ['discovery', 'decision'], says: [/threads|线程/, '16'] },
      { type: ['discovery', 'how-it-works', 'decision', 'gotcha'], says: [/改列|表结构/, /全量/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['超时'],
        learned: ['fct_rides'],
        filesRead: ['logs/nightly-0611.txt'],
        filesModified: [MODEL],
      },
      { prompt: 2, request: ['full-refresh'], completed: [/15 ?天/], filesModified: [MODEL] },
      { prompt: 3, request: ['增量'], completed: [/96 秒|184220/] },
    ],
    noise: ['先看日志', 'WARN=0', 'Compiled node', '明白，不跑全量'],
    untrue: [/最近 3 天/, /现在就跑一次/],
    followUps: [
      { asks: 'fct_rides 要加一列，什么时候可以 full-refresh？', says: [/周日/] },
      { asks: '为什么回看窗口是 15 天，能缩短吗', says: [/退款/] },
      { asks: '早上报表没出来，夜里的任务以前卡在哪个模型？', says: [/fct_rides/] },
      { asks: '上游打算直接清掉旧的骑行数据，数仓会同步吗？', says: [/merge/, /删除/] },
      { asks: '把线程数调大能让夜间任务更快吗', says: [/16|fct_rides/] },
    ],
    unrelated: ['给城市维表补一个英文名字段', '怎么在 dbt docs 里隐藏某个模型？', '帮我写一封请假邮件'],
  },
};
