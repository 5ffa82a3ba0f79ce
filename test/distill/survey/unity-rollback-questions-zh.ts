import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const ROLLBACK = `using System;

namespace Duel.Net
{
    /// 输入延迟固定 2 帧,最多回滚 7 帧。
    public sealed class RollbackLoop
    {
        const int InputDelay = 2;
        const int MaxRollback = 7;
        readonly StateRing _ring = new StateRing(MaxRollback + 1);

        public void Tick(int frame, FrameInput local)
        {
            _inputs.SetLocal(frame + InputDelay, local);
            var confirmed = _inputs.LastConfirmed();
            if (frame - confirmed > MaxRollback) { Stall(); return; }
            if (_inputs.MispredictedSince(confirmed, out var from))
            {
                _world.Restore(_ring[from]);
                for (var f = from; f < frame; f++) { _world.Step(_inputs[f]); _ring.Save(f, _world); }
            }
            _world.Step(_inputs[frame]);
            _ring.Save(frame, _world);
        }
    }
}
`;

const FIX64 = `namespace Duel.Sim
{
    /// Q32.32。不要在模拟里用 float:Android (ARM) 与 PC (x64) 的 Mathf.Sin 结果不同,2023-11 因此出现过不同步。
    public readonly struct Fix64
    {
        readonly long _raw;
        public static Fix64 Sin(Fix64 x) => SinTable.Lookup(x);
    }
}
`;

const PARTICLES = `namespace Duel.View
{
    public sealed class HitEffect : MonoBehaviour
    {
        public void OnHit(HitEvent e)
        {
            if (!e.Confirmed) return;
            _pool.Spawn(e.Position);
        }
    }
}
`;

export const unityRollbackQuestionsZh: SurveySession = {
  name: 'unity-rollback-questions-zh',
  about: 'A newcomer asks how the rollback netcode works; nothing is changed.',
  kind: 'question',
  language: 'zh',
  ecosystem: 'unity',
  files: {
    'Assets/Net/RollbackLoop.cs': ROLLBACK,
    'Assets/Sim/Fix64.cs': FIX64,
    'Assets/View/HitEffect.cs': PARTICLES,
    'Assets/Sim/World.cs':
      'namespace Duel.Sim\n{\n    public sealed class World\n    {\n        // 状态必须是纯值类型:Save 只做 memcpy,引用不会被复制。\n        public WorldState State;\n    }\n}\n',
    'docs/netcode-measurements.csv':
      'delay,rollbacks_per_min,p99_rtt_ms\n0,412,118\n1,190,118\n2,61,118\n3,22,118\n',
  },
  script(projectDir) {
    const { run, read } = callsIn(projectDir);
    return {
      main: [
        [
          say('我先看一下网络和模拟两个目录。'),
          run(
            'ls -R Assets && grep -rn "Rollback" Assets --include=*.cs | head',
            '找回滚相关代码',
            'RollbackLoop',
          ),
        ],
        [read('Assets/Net/RollbackLoop.cs'), read('Assets/Sim/World.cs')],
        [
          say(`回滚的流程是这样的:

1. 本地输入写到 \`frame + 2\`(输入延迟固定 2 帧),对方输入没到时用上一帧的输入预测。
2. 收到真实输入后如果和预测不一致,就从 \`StateRing\` 恢复到那一帧,再重新模拟到当前帧。
3. 最多回滚 7 帧;对方落后超过 7 帧时整局暂停(\`Stall\`),不会继续预测。

要注意的是 \`World.State\` 必须是纯值类型:保存状态只做 memcpy,里面放引用类型的话恢复之后两个状态会指向同一个对象,表现为随机不同步。`),
        ],
        [read('Assets/Sim/Fix64.cs'), read('docs/netcode-measurements.csv')],
        [
          say(
            '两个数字都有来历。定点数 Fix64 是因为 float 在不同平台上结果不一样:Android (ARM) 和 PC (x64) 的 Mathf.Sin 末位不同,2023 年 11 月因此线上出现过不同步,所以模拟代码里禁止用 float 和 Mathf。\n\n输入延迟 2 帧是测出来的:延迟 0 时每分钟回滚 412 次,1 帧 190 次,2 帧 61 次,3 帧 22 次。3 帧虽然回滚更少,但手感测试里玩家能感觉到延迟,所以停在 2 帧——手感这部分文档里没有,是从注释和表里推断的。',
          ),
        ],
        [read('Assets/View/HitEffect.cs')],
        [
          say(
            '不用在模拟里改。特效只在 `HitEvent.Confirmed` 为 true 时播放:预测帧里的命中可能被回滚掉,直接播会出现“没打中却冒血”。所以音效也应该走同一个判断,代价是比画面晚最多 7 帧。',
          ),
        ],
        [say('好的,记住了:表现层一律只看 Confirmed。祝你上手顺利!')],
      ],
    };
  },
  prompts: [
    '刚接手这个项目,回滚这块是怎么跑的?简单讲讲,不用改代码',
    '为什么用定点数不用float?还有输入延迟为啥是2帧,拍脑袋的吗',
    '那我要加命中音效,放在World.Step里播行不行',
    '不是推断,3帧那个确实是主策试玩后否掉的,格斗玩家能感觉出来。另外我们组的规矩:表现层(音效、震动、粒子)一律不许写进 Sim 程序集',
  ],
  expects: {
    essentials: [
      { type: ['how-it-works', 'discovery', 'gotcha'], says: [/7 帧/, /回滚|Stall/], prompt: 1 },
      { type: ['gotcha', 'how-it-works', 'discovery'], says: [/值类型/, /memcpy|引用/], prompt: 1 },
      {
        type: ['how-it-works', 'decision', 'gotcha', 'discovery'],
        says: [/float/, /Mathf|ARM|平台/],
        prompt: 2,
      },
      {
        type: ['how-it-works', 'decision', 'discovery'],
        says: [/2 帧/, /61 次|412 次/],
        prompt: 2,
      },
      {
        type: ['how-it-works', 'gotcha', 'discovery', 'decision'],
        says: [/Confirmed/, /预测|回滚|音效/],
        prompt: 3,
      },
      { type: ['preference', 'decision', 'gotcha'], says: [/表现层/, /Sim/], prompt: 4 },
      { type: ['decision', 'preference', 'discovery', 'gotcha'], says: [/3帧/, /主策|试玩/], prompt: 4 },
    ],
    niceToHave: [
      { type: ['how-it-works', 'discovery'], says: [/StateRing|frame \+ 2|预测/] },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/2023 年 11 月/], prompt: 2 },
      { type: ['preference', 'decision', 'gotcha'], says: [/表现层/, /Confirmed/], prompt: 4 },
    ],
    summaries: [
      { prompt: 1, request: ['回滚'], learned: [/7 帧|回滚/] },
      { prompt: 2, request: ['定点数'], learned: [/float|Fix64/] },
      { prompt: 3, request: ['音效'], learned: ['Confirmed'] },
      { prompt: 4, optional: true },
    ],
    noise: ['祝你上手顺利', '我先看一下'],
    untrue: [/注释和表里推断/, /音效(可以|应该)放在 ?World\.Step/],
    followUps: [
      { asks: '给角色加一个手柄震动,受击的时候震一下', says: [/Confirmed|表现层/] },
      { asks: '抛物线道具的轨迹我想用 Mathf.Sin 算一下,写在 Sim 里', says: [/float/, /Mathf|ARM|平台/] },
      {
        asks: 'players on bad networks complain about rollbacks, should we bump InputDelay to 3?',
        says: [/3帧|3 帧/],
      },
      {
        asks: '我想在 WorldState 里加个 List<Buff> 存身上的增益,帮我写',
        says: [/值类型/],
      },
    ],
    unrelated: ['主菜单的字体在 iPad 上太小了,调一下', '把商店页的价格改成从远程配置读'],
  },
};
