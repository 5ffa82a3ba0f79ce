import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

export const goIdempotencyZh: SurveySession = {
  name: 'go-idempotency-zh',
  about:
    '下单接口加幂等：代理列出三个方案，用户选 PostgreSQL 表；并发测试暴露先查后插的竞态；保留时间从 24 小时改成 72 小时',
  kind: 'feature',
  language: 'zh',
  ecosystem: 'go',
  files: {
    'go.mod': 'module git.example.cn/trade/orderd\n\ngo 1.22\n\nrequire github.com/jackc/pgx/v5 v5.5.5\n',
    'cmd/orderd/main.go': `package main

import (
	"log"
	"net/http"

	"git.example.cn/trade/orderd/internal/order"
)

func main() {
	store := order.MustOpen()
	http.Handle("/v1/orders", order.NewHandler(store))
	log.Fatal(http.ListenAndServe(":8080", nil))
}
`,
    'internal/order/handler.go': `package order

import (
	"encoding/json"
	"net/http"
)

type Handler struct {
	store *Store
}

func NewHandler(s *Store) *Handler { return &Handler{store: s} }

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req CreateRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, "bad json", http.StatusBadRequest)
		return
	}
	id, err := h.store.Create(r.Context(), req)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusCreated)
	json.NewEncoder(w).Encode(map[string]int64{"order_id": id})
}
`,
    'internal/order/store.go': `package order

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

type CreateRequest struct {
	UserID int64  \`json:"user_id"\`
	SKU    string \`json:"sku"\`
	Qty    int    \`json:"qty"\`
}

type Store struct {
	pool *pgxpool.Pool
}

// Create 在一个事务里写 orders 和 order_items。
func (s *Store) Create(ctx context.Context, req CreateRequest) (int64, error) {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback(ctx)
	var id int64
	err = tx.QueryRow(ctx, "INSERT INTO orders (user_id) VALUES ($1) RETURNING id", req.UserID).Scan(&id)
	if err != nil {
		return 0, err
	}
	if _, err = tx.Exec(ctx, "INSERT INTO order_items (order_id, sku, qty) VALUES ($1, $2, $3)", id, req.SKU, req.Qty); err != nil {
		return 0, err
	}
	return id, tx.Commit(ctx)
}
`,
    'internal/apierr/apierr.go': `package apierr

import (
	"encoding/json"
	"net/http"
)

// Write 输出统一的错误体：{"code": "...", "message": "..."}。
func Write(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]string{"code": code, "message": message})
}
`,
    'migrations/0007_order_items.sql':
      'CREATE TABLE order_items (\n  order_id bigint NOT NULL REFERENCES orders(id),\n  sku text NOT NULL,\n  qty int NOT NULL\n);\n',
    'deploy/deployment.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: orderd\nspec:\n  replicas: 4\n',
  },
  programs: {
    go: `#!/bin/sh
case "$1" in
  vet|build) exit 0 ;;
  test)
    echo "?   	git.example.cn/trade/orderd/cmd/orderd	[no test files]"
    if [ ! -f internal/order/idempotency_test.go ]; then
      echo "?   	git.example.cn/trade/orderd/internal/order	[no test files]"
      exit 0
    fi
    if ! grep -q 'ON CONFLICT' internal/order/idempotency.go; then
      echo "=== RUN   TestConcurrentSameKey"
      echo "    idempotency_test.go:31: 50 concurrent requests with one key: got 3 orders, want 1"
      echo "--- FAIL: TestConcurrentSameKey (0.41s)"
      echo "FAIL	git.example.cn/trade/orderd/internal/order	0.874s"
      exit 1
    fi
    echo "ok  	git.example.cn/trade/orderd/internal/order	0.912s"
    ;;
esac
`,
  },
  script(projectDir) {
    const { run, fail, read, edit, write } = callsIn(projectDir);
    return {
      main: [
        [
          say('我先看一下下单接口现在的写法和部署方式。'),
          read('internal/order/handler.go'),
          read('internal/order/store.go'),
          run('cat deploy/deployment.yaml && ls migrations', '查看部署和迁移', 'replicas: 4'),
        ],
        [
          say('再确认一下代码里有没有现成的 Redis 或幂等相关的东西。'),
          run(
            'grep -rniE "redis|idempot" --include=*.go --include=go.mod . || echo 没有找到',
            '查找 redis 或幂等代码',
            '没有找到',
          ),
          run('go test ./...', '跑一遍现有测试', 'no test files'),
        ],
        [
          say(`看完了。重复订单的原因很直接：\`Store.Create\` 每次都无条件 INSERT，客户端超时后重试，服务端其实第一次已经提交成功，于是同一笔购买出现两张订单。

客户端在请求头里带 \`Idempotency-Key\`，服务端有三种存法：

**方案 A：进程内 map + 互斥锁**
- 优点：改动最小，半天搞定
- 缺点：orderd 有 4 个副本，重试落到别的 pod 就失效

**方案 B:PostgreSQL 表 idempotency_keys**
- 优点：和订单在同一个事务里提交，要么都有要么都没有；没有新依赖
- 缺点：每次下单多一次写，需要定期清理过期的 key

**方案 C:Redis SETNX**
- 优点：快，TTL 自动过期
- 缺点：多一个依赖；Redis 写成功而事务回滚时，key 会挡住合法的重试

我个人倾向 B 或 C。你看选哪个？`),
        ],
        [
          say('好，按方案 B 来。先看一下 apierr 的接口。'),
          read('internal/apierr/apierr.go'),
          read('migrations/0007_order_items.sql'),
        ],
        [
          say('先写迁移、存储和并发测试。'),
          write(
            'migrations/0008_idempotency_keys.sql',
            'CREATE TABLE idempotency_keys (\n  user_id bigint NOT NULL,\n  key text NOT NULL,\n  body_sha256 bytea NOT NULL,\n  order_id bigint,\n  created_at timestamptz NOT NULL DEFAULT now(),\n  PRIMARY KEY (user_id, key)\n);\nCREATE INDEX ON idempotency_keys (created_at);\n',
          ),
          write(
            'internal/order/idempotency.go',
            `package order

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

const keyRetention = 24 * time.Hour

var ErrKeyReused = errors.New("idempotency key reused with another body")

// claim 返回已有的订单号；没有则占住这个 key。
func claim(ctx context.Context, tx pgx.Tx, userID int64, key string, sum []byte) (int64, bool, error) {
	var id int64
	err := tx.QueryRow(ctx, "SELECT order_id FROM idempotency_keys WHERE user_id=$1 AND key=$2", userID, key).Scan(&id)
	if err == nil {
		return id, true, nil
	}
	_, err = tx.Exec(ctx, "INSERT INTO idempotency_keys (user_id, key, body_sha256) VALUES ($1, $2, $3)", userID, key, sum)
	return 0, false, err
}
`,
          ),
          write(
            'internal/order/idempotency_test.go',
            'package order\n\nimport "testing"\n\n// 50 个并发请求带同一个 key，只能有一张订单。\nfunc TestConcurrentSameKey(t *testing.T) {\n\trunConcurrent(t, 50, "k-1", 1)\n}\n',
          ),
        ],
        [fail('go test -race ./...', '跑并发测试', 'got 3 orders, want 1')],
        [
          say(
            '并发测试红了：50 个并发请求用同一个 key，生成了 3 张订单。我起初怀疑是连接池没有用同一个事务，先看一下 pool 的用法。',
          ),
          run('grep -n "pool\\|Begin\\|Commit" internal/order/store.go', '查看事务边界', 'tx.Commit(ctx)'),
        ],
        [
          say(
            '事务边界没问题，和连接池无关。真正的原因是 claim 先 SELECT 再 INSERT:READ COMMITTED 下两个事务都查不到对方未提交的行，于是都往下走。改成 `INSERT ... ON CONFLICT DO NOTHING`，让后来者在唯一索引上等前一个事务提交，再读它的 order_id。',
          ),
          edit(
            'internal/order/idempotency.go',
            `	var id int64
	err := tx.QueryRow(ctx, "SELECT order_id FROM idempotency_keys WHERE user_id=$1 AND key=$2", userID, key).Scan(&id)
	if err == nil {
		return id, true, nil
	}
	_, err = tx.Exec(ctx, "INSERT INTO idempotency_keys (user_id, key, body_sha256) VALUES ($1, $2, $3)", userID, key, sum)
	return 0, false, err
`,
            `	tag, err := tx.Exec(ctx, "INSERT INTO idempotency_keys (user_id, key, body_sha256) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", userID, key, sum)
	if err != nil || tag.RowsAffected() == 1 {
		return 0, false, err
	}
	var id int64
	var old []byte
	err = tx.QueryRow(ctx, "SELECT order_id, body_sha256 FROM idempotency_keys WHERE user_id=$1 AND key=$2", userID, key).Scan(&id, &old)
	if err == nil && string(old) != string(sum) {
		return 0, false, ErrKeyReused
	}
	return id, true, err
`,
          ),
          edit(
            'internal/order/handler.go',
            `	id, err := h.store.Create(r.Context(), req)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
`,
            `	id, err := h.store.CreateOnce(r.Context(), r.Header.Get("Idempotency-Key"), req)
	if errors.Is(err, ErrKeyReused) {
		apierr.Write(w, http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REUSED", "同一个 key 的请求内容不一致")
		return
	}
	if err != nil {
		apierr.Write(w, http.StatusInternalServerError, "INTERNAL", "下单失败")
		return
	}
`,
          ),
          edit(
            'internal/order/handler.go',
            '		http.Error(w, "bad json", http.StatusBadRequest)\n',
            '		apierr.Write(w, http.StatusBadRequest, "BAD_JSON", "请求体不是合法 JSON")\n',
          ),
          edit(
            'internal/order/handler.go',
            '	"encoding/json"\n	"net/http"\n',
            '	"encoding/json"\n	"errors"\n	"net/http"\n\n	"git.example.cn/trade/orderd/internal/apierr"\n',
          ),
          edit(
            'internal/order/store.go',
            '// Create 在一个事务里写 orders 和 order_items。\nfunc (s *Store) Create(ctx context.Context, req CreateRequest) (int64, error) {\n',
            '// CreateOnce 在一个事务里占住 key，并写 orders 和 order_items。\nfunc (s *Store) CreateOnce(ctx context.Context, key string, req CreateRequest) (int64, error) {\n',
          ),
          edit(
            'internal/order/store.go',
            '	var id int64\n	err = tx.QueryRow(',
            '	id, done, err := claim(ctx, tx, req.UserID, key, digest(req))\n	if done || err != nil {\n		return id, err\n	}\n	err = tx.QueryRow(',
          ),
        ],
        [run('go vet ./... && go test -race ./...', '再跑一遍测试', 'ok  ')],
        [
          say(`幂等已经做好，测试全绿。🎉

## 改了什么
- 新表 \`idempotency_keys\`(迁移 0008)，主键是 \`(user_id, key)\`，不同用户的 key 互不影响
- \`claim\` 用 \`INSERT ... ON CONFLICT DO NOTHING\` 占 key，和订单在同一个事务里提交
- 同一个 key 但请求体不同，返回 422 \`IDEMPOTENCY_KEY_REUSED\`
- handler 里的 \`http.Error\` 全部换成 \`apierr.Write\`

## 注意
先查后插在 READ COMMITTED 下有竞态，并发测试里 50 个请求生成过 3 张订单，所以不要把 claim 改回先 SELECT 的写法。

key 目前保留 24 小时。如果需要，我可以顺便把 README 也补上。`),
        ],
        [
          say('明白，24 小时确实盖不住离线重试。我改一下常量，再把清理任务加上。'),
          edit(
            'internal/order/idempotency.go',
            'const keyRetention = 24 * time.Hour',
            '// 移动端离线重试最长 3 天。\nconst keyRetention = 72 * time.Hour',
          ),
          write(
            'internal/order/cleanup.go',
            `package order

import "context"

// Cleanup 分批删除过期的 key，一批 1000 行，免得长事务挡住 autovacuum。
func (s *Store) Cleanup(ctx context.Context) error {
	const q = "DELETE FROM idempotency_keys WHERE ctid IN (SELECT ctid FROM idempotency_keys WHERE created_at < now() - $1::interval LIMIT 1000)"
	for {
		tag, err := s.pool.Exec(ctx, q, keyRetention.String())
		if err != nil || tag.RowsAffected() < 1000 {
			return err
		}
	}
}
`,
          ),
        ],
        [run('go vet ./... && go test -race ./...', '跑测试', 'ok  ')],
        [
          say(`改好了：

- 保留时间改为 72 小时，因为移动端离线队列最长 3 天后还会重试
- 新增 \`internal/order/cleanup.go\`,\`Store.Cleanup\` 每批删 1000 行，避免长事务挡住 autovacuum

还没做的：\`Cleanup\` 还没有接到定时任务上，要在 main.go 里或者用 CronJob 调用。有问题随时叫我，祝上线顺利！`),
        ],
      ],
    };
  },
  prompts: [
    '客户端超时重试会下出两张一样的订单，要给下单接口加幂等。先别写代码，列几个方案给我选',
    '选 B 吧。redis 明年 Q1 要整体下线，不要再加依赖了。另外错误返回一律走 internal/apierr，别直接 http.Error，前端靠 code 判断的',
    '24 小时不够，app 的离线队列最长 3 天才重试，改一下。清理也顺手写了吧',
  ],
  expects: {
    essentials: [
      {
        type: ['decision', 'feature', 'change'],
        says: [/方案 ?B|PostgreSQL|idempotency_keys|Postgres/, /redis/, /下线|依赖/],
      },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'how-it-works', 'decision'],
        says: [/先查后插|先 ?SELECT|SELECT 再 INSERT/, /READ COMMITTED|竞态|并发|ON CONFLICT/],
        files: ['internal/order/idempotency.go'],
        prompt: 2,
      },
      { type: ['preference', 'decision', 'gotcha'], says: [/apierr/, /http\.Error|code|错误/], prompt: 2 },
      {
        type: ['decision', 'change', 'preference', 'gotcha', 'feature', 'how-it-works', 'discovery'],
        says: [/72|3 天/, /离线|移动端|app/],
        prompt: 3,
      },
      {
        type: ['discovery', 'gotcha', 'bugfix', 'how-it-works', 'feature'],
        says: [/重试/, /INSERT|两张|重复/],
        prompt: 1,
      },
    ],
    niceToHave: [
      {
        type: ['feature', 'change', 'decision', 'how-it-works'],
        says: [/422|IDEMPOTENCY_KEY_REUSED|请求体不同/],
      },
      { type: ['decision', 'discovery', 'gotcha', 'how-it-works'], says: [/4 个副本|副本|pod/] },
      {
        type: ['feature', 'change', 'decision', 'gotcha', 'how-it-works'],
        says: [/cleanup|清理|1000/],
        prompt: 3,
      },
      {
        type: ['feature', 'change', 'how-it-works', 'decision'],
        says: [/user_id, key|迁移 0008|0008|Idempotency-Key/],
      },
      { type: ['decision', 'gotcha', 'discovery'], says: [/SETNX/, /回滚|挡住/] },
    ],
    summaries: [
      { prompt: 1, request: [/幂等/] },
      { prompt: 2, request: [/apierr|选 B/], completed: [/idempotency_keys|ON CONFLICT|apierr|422/] },
      { prompt: 3, request: [/24 小时|离线|3 天/], completed: [/72|cleanup/] },
    ],
    noise: [
      /我先看一下/,
      /再确认一下代码里/,
      /你看选哪个/,
      /我个人倾向/,
      /有问题随时叫我/,
      /祝上线顺利/,
      /顺便把 README 也补上/,
      /测试全绿/,
    ],
    untrue: [
      /(目前|只|默认|key|记录)[^。，]{0,6}保留(时间)?(为|是)? ?24 小时/,
      /(原因|怀疑)[^。，]{0,6}是连接池/,
    ],
    followUps: [
      { asks: '幂等记录为什么存数据库，当时怎么没用 redis？', says: [/redis/, /下线|依赖/] },
      {
        asks: '想把占 key 那段简化成先看看有没有再写进去，会有问题吗',
        says: [/竞态|READ COMMITTED|ON CONFLICT|3 张/],
      },
      { asks: '新接口报错时响应体该怎么返回？', says: [/apierr/] },
      { asks: 'idempotency_keys 里的数据多久之后可以删', says: [/72|3 天/] },
      { asks: '用户反馈过一次购买扣了两单，根源是什么', says: [/重试/] },
    ],
    unrelated: [
      '把 Dockerfile 的基础镜像换成 distroless',
      '帮我给 order_items 加一个折扣字段的迁移',
      '接入 OpenTelemetry，导出 trace 到公司的 collector',
    ],
  },
};
