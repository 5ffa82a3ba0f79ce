import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const REDEEM = 'internal/coupon/redeem.go';
const LOCK = 'internal/coupon/lock.go';
const BATCH = 'internal/coupon/batch.go';
const TEST = 'internal/coupon/redeem_test.go';
const CONCURRENCY = '审查 MR 1207 的并发与锁';
const TESTS = '审查 MR 1207 的测试和错误处理';

const GO = `#!/bin/sh
# Stands in for go.
case "$1" in
  version) echo 'go version go1.22.4 linux/amd64' ;;
  vet) echo 'ok' ;;
  test)
    case "$*" in
      *-race*) echo 'ok  	mall/internal/coupon	2.913s' ;;
      *) echo 'ok  	mall/internal/coupon	0.412s' ;;
    esac ;;
  *) exit 2 ;;
esac
`;

const PROBE = `node -e '
let owner = null, used = 0;
const log = (t, s) => console.log(t + "s " + s);
owner = "A"; log(0, "A 加锁, TTL 5s");
owner = null; log(5, "锁过期");
owner = "B"; log(6, "B 加锁");
owner = null; log(7, "A 调用 DEL, 删掉了 B 的锁");
owner = "C"; log(8, "C 加锁, B 还没结束");
used = 2; console.log("同一张券核销次数 " + used);
'`;

export const couponLockReviewZh: SurveySession = {
  name: 'coupon lock review zh',
  about: '用两个子代理审查优惠券核销的合并请求；一个误报被排除，一个问题被作者解释掉；代码不动。',
  kind: 'review',
  language: 'zh',
  ecosystem: 'go',
  files: {
    'go.mod': 'module mall\n\ngo 1.22\n',
    [LOCK]: `package coupon

func (l *Lock) Acquire(ctx context.Context, key string) (bool, error) {
	return l.rdb.SetNX(ctx, key, 1, 5*time.Second).Result()
}

func (l *Lock) Release(ctx context.Context, key string) error {
	return l.rdb.Del(ctx, key).Err()
}
`,
    [REDEEM]: `package coupon

func (s *Service) Redeem(ctx context.Context, code string, orderID int64) error {
	ok, err := s.lock.Acquire(ctx, "coupon:"+code)
	if err != nil {
		return err
	}
	if !ok {
		return ErrBusy
	}
	defer s.lock.Release(ctx, "coupon:"+code)
	c, err := s.repo.Find(ctx, code)
	if err != nil {
		return err
	}
	if c.UsedBy != 0 {
		return ErrUsed
	}
	if err := s.risk.Check(ctx, orderID); err != nil {
		return err
	}
	return s.repo.MarkUsed(ctx, code, orderID)
}
`,
    [BATCH]: `package coupon

func (s *Service) RedeemAll(ctx context.Context, codes []string, orderID int64) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, code := range codes {
		g.Go(func() error { return s.Redeem(ctx, code, orderID) })
	}
	return g.Wait()
}
`,
    [TEST]: `package coupon

func TestRedeem(t *testing.T) {}
func TestRedeemUsed(t *testing.T) {}
`,
    'review/1207.md':
      'MR 1207: 优惠券核销加分布式锁\n作者: 陈昊\n- 新增 lock.go\n- Redeem 先加锁再核销\n- 新增批量核销 RedeemAll\n',
  },
  programs: { go: GO },
  prompts: [
    '帮我审一下 MR 1207，说明在 review/1207.md。开两个子代理，一个看并发，一个看测试和错误处理。只报会出事故的问题，命名、格式这类小问题一律不要提，上次提了二十条陈昊很烦。不要改代码。',
    '陈昊回复了：1 和 2 认。第 3 条不用改，批量核销一次最多 5 张，网关层已经限死了，连接池有 200。另外他想把锁的 TTL 从 5 秒改成 60 秒来解决第 1 条，你觉得行吗?',
    '好，那就定条件更新。最后给我一句话结论，我贴到 MR 里，谢谢',
  ],
  script: (dir) => {
    const { run, read, delegate } = callsIn(dir);
    return {
      main: [
        [
          read('review/1207.md'),
          run('git log --oneline -2 && ls internal/coupon', '看看有哪些文件', 'lock.go'),
        ],
        [
          delegate('并发审查', `${CONCURRENCY}。文件：${LOCK}、${REDEEM}、${BATCH}。列出问题和严重程度。`),
          delegate('测试审查', `${TESTS}。文件：${REDEEM}、${TEST}。列出缺失的测试和被吞掉的错误。`),
        ],
        [
          say('两份结果我先自己核实一遍，再交给你。'),
          read(LOCK),
          read(REDEEM),
          run(PROBE, '模拟锁过期的时间线', '同一张券核销次数 2'),
        ],
        [
          read(BATCH),
          run('go version && grep "^go " go.mod', 'Go 版本', 'go 1.22'),
          run('go test -race ./internal/coupon', '竞态检测', 'ok'),
        ],
        [
          say(`## MR 1207 审查结果

**会出事故**

1. **释放锁时不校验持有者。** \`Release\` 直接 DEL。如果风控 \`risk.Check\` 超过 TTL 的 5 秒，A 的锁已过期、B 已加锁，A 结束时会删掉 B 的锁，C 又能进来。按时间线模拟，同一张券核销了 2 次。
2. **ctx 取消后锁不释放。** \`defer Release(ctx)\` 用的是请求的 ctx，用户断开后 ctx 已取消，DEL 发不出去，这张券要等 TTL 到期才能再用。应该用 \`context.WithoutCancel(ctx)\`。
3. **RedeemAll 没有并发上限。** 一次传几百张券会打满数据库连接池，建议 \`g.SetLimit\`。

**排除的误报**

子代理报告 RedeemAll 的循环变量 \`code\` 被闭包共享。这在 Go 1.22 不成立：go.mod 写的是 go 1.22，循环变量每次迭代都是新的。

代码没有改动。`),
        ],
        [
          say('先确认一下 MarkUsed 的调用方式。'),
          run('grep -rn "MarkUsed" internal', '谁在调用 MarkUsed', 'redeem.go'),
        ],
        [
          say(`第 3 条撤回：网关限制一次最多 5 张，连接池 200，打不满。

**TTL 改成 60 秒我不建议。** 它只是把窗口变小，没有消除；而且和第 2 条叠加后更糟：ctx 一取消，券会被锁住整整 60 秒，用户重试一直得到 ErrBusy。

更可靠的做法是不依赖锁保证正确性，在数据库里做条件更新：\`UPDATE coupon SET used_by = ? WHERE code = ? AND used_by = 0\`，影响行数为 0 就返回 ErrUsed。这样即使锁失效也不会重复核销，Redis 锁只用来减少无谓的竞争。`),
        ],
        [
          say(
            '结论：**暂不合并**。核销的正确性改由数据库条件更新(used_by = 0)保证，锁的释放改用 context.WithoutCancel，TTL 保持 5 秒；这两处改完即可合并。不客气，祝合并顺利!',
          ),
        ],
      ],
      subagents: {
        [CONCURRENCY]: [
          [read(LOCK), read(REDEEM), read(BATCH)],
          [
            say(`发现：
- 高：Release 不校验持有者，锁过期后会误删别人的锁。
- 高：RedeemAll 的循环变量 code 被所有 goroutine 共享，会重复核销最后一张券。
- 中：RedeemAll 没有并发上限。`),
          ],
        ],
        [TESTS]: [
          [read(REDEEM), run('grep -c "^func Test" internal/coupon/redeem_test.go', '测试数量', '2')],
          [
            say(`发现：
- 高：defer Release 使用请求的 ctx，取消后释放失败，错误还被 defer 吞掉。
- 中：两个测试都是空的，没有断言，也没有覆盖 ErrBusy 和锁过期。`),
          ],
        ],
      },
    };
  },
  expects: {
    essentials: [
      { type: 'preference', says: [/小问题|命名/, /不要提|事故/] },
      { type: ['discovery', 'gotcha'], says: [/Release/, /DEL|持有者/, /过期/] },
      { type: ['discovery', 'gotcha'], says: [/ctx/, /取消/, /WithoutCancel|释放/] },
      { type: ['decision', 'gotcha', 'discovery', 'preference'], says: [/5 张/, /网关/, /连接池/] },
      { type: ['decision', 'gotcha', 'discovery'], says: [/TTL/, /60 秒/, /不建议|窗口|更糟/] },
      { type: ['decision', 'discovery'], says: [/条件更新/, /used_by/] },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/循环变量/, /1\.22/, /不成立|新的/] },
      { type: ['discovery', 'gotcha'], says: [/测试/, /空的|断言/] },
      { type: ['decision', 'discovery', 'change'], says: [/暂不合并/] },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/risk\.Check/, /5 秒/] },
    ],
    summaries: [
      { prompt: 1, request: [/1207/], learned: [/Release|锁/], filesRead: [LOCK, REDEEM, BATCH] },
      { prompt: 2, request: [/TTL/], learned: [/条件更新|60 秒/] },
      { prompt: 3, request: [/结论/], learned: [/条件更新|暂不合并/], optional: true },
    ],
    noise: [
      '祝合并顺利',
      '两份结果我先自己核实一遍',
      '先确认一下 MarkUsed',
      '列出问题和严重程度',
      '代码没有改动',
    ],
    untrue: [
      /code 被所有 goroutine 共享/,
      /一次传几百张券/,
      /建议 .?g\.SetLimit/,
      /TTL (已)?改为 ?60 ?秒/,
      /已(经)?(修复|修改)了?(代码|lock\.go|redeem\.go)/,
    ],
    followUps: [
      { asks: '把优惠券的锁时间调到一分钟', says: [/60 秒/, /TTL/] },
      { asks: '有客户说一张券用了两回，可能是哪里的问题?', says: [/过期/, /锁/] },
      { asks: '批量用券要不要加个并发限制?', says: [/5 张/, /网关/] },
      { asks: '再帮我看看 MR 1215，提点意见', says: [/小问题|命名/] },
      { asks: '防止重复核销最终靠的是 redis 还是 mysql?', says: [/条件更新|used_by/] },
    ],
    unrelated: [
      '给商品列表接口加一个按价格排序的参数',
      '帮我写个 Makefile，把 protobuf 生成放进去',
      '本地怎么用 docker compose 起一个 kafka?',
    ],
  },
};
