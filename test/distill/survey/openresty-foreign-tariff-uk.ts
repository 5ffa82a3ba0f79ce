import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const TARIFF = 'lua/brama/tariff.lua';
const ACCESS = 'lua/brama/access.lua';
const CONF = 'conf/nginx.conf';
const SPEC = 'spec/tariff_spec.lua';

const RESTY = `#!/bin/sh
# Stands in for OpenResty's command line: two light threads, the second starts while the first waits for Redis.
[ "$1" = "spec/run.lua" ] || { echo "resty: cannot open $1" >&2; exit 1; }
if grep -q 'ngx.ctx' ${TARIFF}; then
  echo "tariff: 5 ok"
  grep -q 'interleaved' ${SPEC} && echo "tariff: interleaved requests keep their own tariff: ok"
  exit 0
fi
echo "tariff: 5 ok"
if grep -q 'interleaved' ${SPEC}; then
  echo "tariff: interleaved requests keep their own tariff: FAILED"
  echo "  expected UAH/retail, got PLN/wholesale"
  exit 1
fi
`;

export const openrestyForeignTariffUk: SurveySession = {
  name: 'openresty foreign tariff uk',
  about: 'Customers see prices of another customer; the cache is suspected first and cleared by a count.',
  kind: 'bug hunt',
  language: 'uk',
  ecosystem: 'lua',
  files: {
    [CONF]: `worker_processes 4;
events { worker_connections 4096; }
http {
  lua_package_path "/opt/brama/lua/?.lua;;";
  lua_code_cache on;
  lua_shared_dict limits 16m;
  proxy_cache_path /var/cache/brama keys_zone=pages:32m max_size=2g;
  server {
    listen 8080;
    location /catalog/ {
      access_by_lua_file lua/brama/access.lua;
      proxy_cache pages;
      proxy_cache_key "$host$request_uri|$tariff";
      proxy_pass http://catalog;
    }
    location @paywall {
      content_by_lua_block { require("brama.paywall").render() }
    }
  }
}
`,
    [TARIFF]: `local redis = require "brama.redis"

local M = {}
local current = {}

function M.resolve(customer_id)
  current.customer = customer_id
  current.currency = "UAH"
  current.group = "retail"
  local row = redis.hgetall("customer:" .. customer_id)
  if row.currency then current.currency = row.currency end
  if row.group then current.group = row.group end
  return current
end

function M.key()
  return current.currency .. "/" .. current.group
end

return M
`,
    [ACCESS]: `local tariff = require "brama.tariff"
local auth = require "brama.auth"

local id = auth.customer()
tariff.resolve(id)
local plan = auth.plan(id)
if plan.blocked then return ngx.exec("@paywall") end
ngx.var.tariff = tariff.key()
ngx.req.set_header("X-Tariff", tariff.key())
`,
    'lua/brama/paywall.lua': `local tariff = require "brama.tariff"

local M = {}

function M.render()
  ngx.status = 402
  ngx.say("Тариф ", tariff.key(), " вимкнено")
end

return M
`,
    [SPEC]: `-- five cases, one request at a time
return { "default", "currency", "group", "unknown customer", "key" }
`,
    'spec/run.lua': 'require("spec.tariff_spec")\n',
    'logs/wrong-prices.log': `2026-10-29T09:14:02 customer=4411 want=UAH/retail got=PLN/wholesale worker=2 X-Cache=MISS
2026-10-29T09:14:02 customer=9020 want=PLN/wholesale got=PLN/wholesale worker=2 X-Cache=MISS
2026-10-29T09:31:47 customer=1187 want=UAH/retail got=EUR/retail worker=0 X-Cache=MISS
2026-10-29T10:02:10 customer=3350 want=UAH/partner got=UAH/retail worker=3 X-Cache=MISS
2026-10-29T10:40:55 customer=8102 want=EUR/retail got=UAH/retail worker=1 X-Cache=MISS
`,
  },
  programs: { resty: RESTY },
  prompts: [
    'привіт. з четверга пів дюжини клієнтів пожалілись що бачать чужі ціни (роздріб бачив оптові злоті!). я майже певна що це proxy_cache ключ кривий, глянь. логи в logs/wrong-prices.log. на моєму ноуті не відтворюєтся взагалі',
    'ок, лагодь. тільки нових lua_shared_dict не додавай: на edge-машинах памʼяті в обріз, все що ділиться між воркерами спочатку погоджуємо з Олегом. і тест щоб ловив саме паралельні запити',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('Спершу подивлюся на логи та конфіг, потім на модуль тарифів.'),
          read('logs/wrong-prices.log'),
          read(CONF),
        ],
        [
          run(
            "grep -o 'X-Cache=[A-Z]*' logs/wrong-prices.log | sort | uniq -c",
            'Чи хибні відповіді взагалі були з кешу',
            '5 X-Cache=MISS',
          ),
        ],
        [
          say(
            'Кеш відпадає: усі пʼять хибних відповідей мають X-Cache=MISS, тобто прийшли напряму від каталогу, а `$tariff` і так є частиною ключа. Отже, тариф неправильний ще до кешу.',
          ),
          read(TARIFF),
          read(ACCESS),
          run('ls lua/brama && cat lua/brama/paywall.lua', 'Хто ще користується тарифом', 'paywall.lua'),
        ],
        [
          run('resty spec/run.lua', 'Наявні тести', 'tariff: 5 ok'),
          run('git log --oneline -5', 'Останні зміни'),
        ],
        [
          say(`Знайшла, і це не \`proxy_cache\`.

## Причина

У \`${TARIFF}\` таблиця \`local current = {}\` живе на рівні модуля. При \`lua_code_cache on\` модуль завантажується один раз на воркер, тож \`current\` спільна для **всіх запитів цього воркера**. \`redis.hgetall\` віддає керування (yield), і поки запит A чекає на Redis, запит B перезаписує ту саму таблицю. Далі A читає через \`tariff.key()\` тариф B.

## Чому не відтворюється локально

У dev-конфізі \`lua_code_cache off\`: модуль завантажується заново на кожен запит, і спільного стану просто немає. Тобто будь-який баг зі станом модуля на ноутбуці невидимий.

## Чому тепер

З четверга увімкнули перевірку плану (\`auth.plan\`), це друге очікування між \`resolve\` і \`key\`, тому вікно стало ширшим. Помилка була й раніше, але рідкісна.

Кеш винен лише в тому, що хибна відповідь потім лежить у ньому під чужим ключем до 10 хвилин.

Лагодити?`),
        ],
        [
          say(
            'Перенесу стан у ngx.ctx: він свій у кожного запиту і не потребує памʼяті, спільної для воркерів.',
          ),
          read(SPEC),
        ],
        [
          write(
            SPEC,
            `-- five cases, one request at a time
local cases = { "default", "currency", "group", "unknown customer", "key" }

-- Two light threads: the second resolves while the first waits for Redis.
cases[#cases + 1] = "interleaved requests keep their own tariff"

return cases
`,
          ),
        ],
        [fail('resty spec/run.lua', 'Новий тест має впасти', 'expected UAH/retail, got PLN/wholesale')],
        [
          edit(TARIFF, 'local current = {}\n\n', ''),
          edit(
            TARIFF,
            '  current.customer = customer_id\n  current.currency = "UAH"\n  current.group = "retail"\n',
            '  local current = { customer = customer_id, currency = "UAH", group = "retail" }\n  ngx.ctx.tariff = current\n',
          ),
          edit(
            TARIFF,
            '  return current.currency .. "/" .. current.group',
            '  local current = ngx.ctx.tariff\n  return current.currency .. "/" .. current.group',
          ),
        ],
        [run('resty spec/run.lua', 'Тести після зміни', 'keep their own tariff: ok')],
        [
          say(
            'Є ще одне місце: access.lua робить `ngx.exec("@paywall")`, а внутрішній редирект обнуляє ngx.ctx, тож paywall.lua впав би на nil.',
          ),
          read('lua/brama/paywall.lua'),
        ],
        [
          edit(
            'lua/brama/paywall.lua',
            '  ngx.status = 402',
            '  -- ngx.exec clears ngx.ctx.\n  tariff.resolve(require("brama.auth").customer())\n  ngx.status = 402',
          ),
        ],
        [
          run(
            'resty spec/run.lua && git commit -qam "fix(tariff): keep the tariff in ngx.ctx, not in the module" && git log --oneline -1',
            'Ще раз тести й коміт',
            'fix(tariff)',
          ),
        ],
        [
          say(`Готово.

- Тариф тепер лежить у \`ngx.ctx.tariff\`, окремо для кожного запиту; модульної змінної більше немає.
- **Увага:** \`ngx.exec\` (внутрішній редирект) очищає \`ngx.ctx\`. Тому \`paywall.lua\` визначає тариф заново, інакше сторінка 402 падала б на nil. Так само буде з кожним новим \`ngx.exec\` або \`error_page\`.
- Новий тест пускає два запити впереміш: до зміни він був червоний (\`PLN/wholesale\` замість \`UAH/retail\`), тепер зелений.
- Нових \`lua_shared_dict\` не додавала.

Після викочування треба один раз очистити \`/var/cache/brama\`, бо хибні сторінки ще можуть лежати в кеші.

Якщо захочете, можу пройтися й по інших модулях.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'bugfix',
        says: ['ngx.ctx', /модул/, /запит/, /tariff|тариф/],
        files: [TARIFF],
        prompt: 2,
      },
      {
        type: ['discovery', 'bugfix', 'gotcha', 'how-it-works'],
        says: ['lua_code_cache', 'off', /локально|ноутбу|dev-конф/],
      },
      {
        type: ['gotcha', 'bugfix', 'discovery'],
        says: ['ngx.exec', 'ngx.ctx', /очищає|обнуляє/],
      },
      {
        type: ['preference', 'decision'],
        says: ['lua_shared_dict', /Олег/, /погодж/],
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/кеш/i, 'MISS'] },
      { type: ['discovery', 'bugfix'], says: ['auth.plan', /вікно|очікування/] },
      { type: ['gotcha', 'change', 'discovery', 'bugfix'], says: ['/var/cache/brama', /очистити/] },
      {
        type: ['discovery', 'bugfix', 'gotcha', 'how-it-works'],
        says: ['current', /спільн|перезапису/, /воркер/],
        prompt: 1,
      },
      { type: ['bugfix', 'change', 'feature'], says: [/тест/, /впереміш|паралельн/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['чужі ціни'],
        learned: [/current|модул/, /воркер|запит/],
        filesRead: [TARIFF, CONF],
      },
      {
        prompt: 2,
        completed: ['ngx.ctx'],
        nextSteps: ['/var/cache/brama'],
        filesModified: [TARIFF, 'lua/brama/paywall.lua', SPEC],
      },
    ],
    noise: [/Лагодити\?/, /Якщо захочете/, 'Спершу подивлюся', 'worker=2 X-Cache'],
    untrue: [/причина[^.]{0,40}(proxy_cache|ключ[іа]? кешу)/, /додала новий lua_shared_dict/],
    followUps: [
      {
        asks: 'чому на машині розробника не видно гонок у lua-коді, а на проді вони є?',
        says: ['lua_code_cache'],
      },
      {
        asks: 'хочу зберігати лічильник спроб входу так, щоб його бачили всі воркери nginx. можна завести новий словник?',
        says: [/Олег/],
      },
      {
        asks: 'після перенаправлення на іншу location зникають дані запиту, attempt to index nil. що це?',
        says: ['ngx.exec', 'ngx.ctx'],
      },
      {
        asks: 'де тримати дані, що стосуються одного клієнта, поки обробляється його звернення?',
        says: ['ngx.ctx'],
      },
    ],
    unrelated: [
      'додай gzip для json-відповідей у нашому nginx',
      'напиши README про те, як збирати docker-образ',
      'онови версію luacheck у CI',
    ],
  },
};
