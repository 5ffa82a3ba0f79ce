import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const SERVICE = 'src/Promo/PromoCodeService.php';
const REPOSITORY = 'src/Promo/PromoCodeRepository.php';
const CALCULATOR = 'src/Promo/DiscountCalculator.php';
const MIGRATION = 'migrations/Version20251103_PromoCodes.php';
const RACE = 'tools/race.php';
const REVIEW = 'docs/review/MR-214.md';

const SAFETY = 'Проверь безопасность и гонки в src/Promo';
const MONEY = 'Проверь расчёт денег и миграцию';

export const promoReview: SurveySession = {
  name: 'promo-review',
  about:
    'Ревью промокодов в PHP-магазине: два субагента находят гонку, сравнение через ==, float в деньгах; одна находка ложная, одну снимает человек.',
  kind: 'review',
  language: 'ru',
  ecosystem: 'php',
  files: {
    'composer.json': '{ "name": "lavka/shop", "require": { "php": ">=8.2", "doctrine/dbal": "^4.0" } }\n',
    [SERVICE]: `<?php

namespace Lavka\\Promo;

final class PromoCodeService
{
    public function __construct(private PromoCodeRepository $codes) {}

    public function redeem(string $input, int $orderId): bool
    {
        foreach ($this->codes->active() as $code) {
            if ($code['code'] == $input) {
                if ($code['used'] >= $code['usage_limit']) {
                    return false;
                }
                $this->codes->setUsed($code['id'], $code['used'] + 1);
                $this->codes->attach($code['id'], $orderId);
                return true;
            }
        }
        return false;
    }
}
`,
    [REPOSITORY]: `<?php

namespace Lavka\\Promo;

use Doctrine\\DBAL\\Connection;

final class PromoCodeRepository
{
    private const SORTABLE = ['code', 'used', 'expires_at'];

    public function __construct(private Connection $db) {}

    public function list(string $sort): array
    {
        $sort = in_array($sort, self::SORTABLE, true) ? $sort : 'code';
        return $this->db->fetchAllAssociative("SELECT * FROM promo_codes ORDER BY $sort");
    }

    public function active(): array
    {
        return $this->db->fetchAllAssociative('SELECT * FROM promo_codes WHERE expires_at > NOW()');
    }

    public function setUsed(int $id, int $used): void
    {
        $this->db->update('promo_codes', ['used' => $used], ['id' => $id]);
    }

    public function attach(int $id, int $orderId): void
    {
        $this->db->update('orders', ['promo_code_id' => $id], ['id' => $orderId]);
    }
}
`,
    [CALCULATOR]: `<?php

namespace Lavka\\Promo;

final class DiscountCalculator
{
    /** @param array<array{price: float, qty: int}> $lines */
    public function total(array $lines, float $percent): float
    {
        $sum = 0.0;
        foreach ($lines as $line) {
            $sum += round($line['price'] * $line['qty'] * (1 - $percent / 100), 2);
        }
        return $sum;
    }
}
`,
    [MIGRATION]: `<?php

final class Version20251103_PromoCodes extends AbstractMigration
{
    public function up(Schema $schema): void
    {
        $this->addSql('CREATE TABLE promo_codes (id INT AUTO_INCREMENT PRIMARY KEY, code VARCHAR(32), used INT, usage_limit INT, expires_at DATETIME)');
        $this->addSql('ALTER TABLE orders ADD promo_code_id INT DEFAULT NULL');
    }
}
`,
    [RACE]: '<?php // 20 parallel redemptions of a code with usage_limit = 1, on sqlite\n',
  },
  programs: {
    php: `#!/bin/sh
case "$*" in
  *race.php*) echo "usage_limit=1, parallel=20, redeemed=7" ;;
  *0e*) echo "bool(true)" ;;
  *total*) echo "by line: 1016.97  by total: 1016.99" ;;
  *-l*) echo "No syntax errors detected" ;;
  *) echo "PHP 8.2.24 (cli)" ;;
esac
`,
  },
  prompts: [
    'глянь промокоды (src/Promo + миграция) перед мержем, это MR 214. код не трогай, только ревью. деньги у нас только int в копейках, float в ревью не пропускаем. параллельно смотри, черная пятница через 2 недели',
    'по миграции не согласен: прод уже на mysql 8.0.36, там instant add column, таблица не лочится. убери из блокеров. остальное запиши в docs/review/MR-214.md, по-русски, только блокеры и почему',
  ],
  script: (dir) => {
    const { run, read, write, delegate } = callsIn(dir);
    return {
      main: [
        [
          say('Посмотрю объём изменений и разделю ревью на две части.'),
          run('wc -l src/Promo/*.php migrations/*.php', 'Объём кода', 'total'),
        ],
        [
          delegate(
            'Безопасность и гонки',
            `${SAFETY}: SQL, сравнения, параллельные запросы. Ничего не меняй, верни находки с доказательством.`,
          ),
          delegate(
            'Деньги и миграция',
            `${MONEY} промокодов: округление, типы, блокировки таблиц. Ничего не меняй, верни находки с доказательством.`,
          ),
        ],
        [
          say('Оба отчёта пришли. Инъекцию перепроверю сам, выглядит сомнительно.'),
          read(REPOSITORY),
          run(`grep -n "SORTABLE" ${REPOSITORY}`, 'Как проверяется сортировка', 'in_array'),
        ],
        [
          say(
            'Находка про SQL-инъекцию ложная: `$sort` перед подстановкой проходит строгий in_array по белому списку SORTABLE, чужая строка туда не попадёт. Снимаю её.',
          ),
          run(`php -r 'var_dump("0e1234" == "0e9999");'`, 'Проверить сравнение', 'bool(true)'),
        ],
        [
          say(`## Ревью MR 214

Мержить пока **нельзя**, четыре блокера:

1. **Гонка в redeem().** Лимит проверяется и увеличивается разными запросами, при 20 параллельных запросах код с лимитом 1 погасился 7 раз. В чёрную пятницу это прямые убытки. Нужен один атомарный UPDATE с условием \`used < usage_limit\` и проверкой числа строк.
2. **Сравнение через ==.** Коды вида 0e1234 и 0e9999 PHP считает равными, чужой код подойдёт. Нужно ===.
3. **Деньги во float.** DiscountCalculator считает во float и округляет построчно; на чеке из трёх строк расхождение 2 копейки с суммой, которую считает 1С.
4. **Миграция.** ALTER TABLE orders заблокирует таблицу на 12 млн строк примерно на четыре минуты.

Мелочь: \`active()\` тянет все активные коды в память и перебирает их в цикле, при 50 тысячах кодов это будет заметно.

Отличная в целом работа у автора! Хотите, подготовлю патчи?`),
        ],
        [
          say(
            'Согласен: ADD COLUMN в конец таблицы с 8.0.12 выполняется как INSTANT, без копирования. Проверю, что в миграции нет ничего, что этому мешает.',
          ),
          read(MIGRATION),
          run(
            `grep -n "AFTER\\|FIRST\\|UNIQUE\\|FOREIGN" ${MIGRATION} || echo "ничего"`,
            'Что мешало бы INSTANT',
            'ничего',
          ),
        ],
        [
          write(
            REVIEW,
            `# MR 214: промокоды

1. Гонка в PromoCodeService::redeem(): лимит проверяется и увеличивается разными запросами (20 параллельных, лимит 1, погашено 7).
2. Сравнение кода через ==: строки вида 0e… равны друг другу.
3. DiscountCalculator: float и построчное округление, расхождение с 1С; деньги только int в копейках.
`,
          ),
        ],
        [
          say(
            'Записал три блокера в `docs/review/MR-214.md`, миграцию убрал: внешнего ключа и AFTER в ней нет, так что INSTANT сработает. Но если автор добавит к promo_code_id внешний ключ, блокировка orders вернётся. Если что, обращайтесь!',
          ),
        ],
      ],
      subagents: {
        [SAFETY]: [
          [read(SERVICE), read(REPOSITORY)],
          [
            say('Проверяю гонку готовым скриптом.'),
            run('php tools/race.php', 'Параллельное погашение', 'redeemed=7'),
          ],
          [
            say(`Находки:

- **Критично:** redeem() читает used, сравнивает с usage_limit и пишет новое значение отдельным UPDATE без блокировки. tools/race.php: лимит 1, 20 параллельных, погашено 7.
- **Критично:** \`==\` в redeem(): числовые строки вида 0e… PHP приводит к нулю, и они равны.
- **Критично:** SQL-инъекция в PromoCodeRepository::list(), \`$sort\` подставляется в запрос.
- **Важно:** attach() не проверяет, что у заказа ещё нет промокода: второй код молча затирает первый, а used у обоих уже увеличен.`),
          ],
        ],
        [MONEY]: [
          [read(CALCULATOR), read(MIGRATION)],
          [
            run(
              `php -r 'require "src/Promo/DiscountCalculator.php"; /* total, 3 lines, 15% */'`,
              'Сравнить округление',
              'by total: 1016.99',
            ),
          ],
          [
            say(`Находки:

- DiscountCalculator::total() работает с float и округляет каждую строку: 1016.97 против 1016.99, если скидку считать от суммы чека. 1С считает от суммы чека, значит, сверка не сойдётся.
- Миграция: ALTER TABLE orders, 12 млн строк; на MySQL 5.7 это копирование таблицы, около 4 минут блокировки.
- percent нигде не ограничен сверху: при 120 итог отрицательный.`),
          ],
        ],
      },
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/лимит|usage_limit/, /20 параллельн/, /7/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/0e/, /==|равны/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/1С/, /округл|float|суммы чека/],
        prompt: 1,
      },
      { type: 'preference', says: [/int в копейках/, /float/], prompt: 1 },
      {
        type: ['decision', 'discovery', 'gotcha', 'preference'],
        says: [/mysql 8|8\.0\.12|INSTANT/, /instant/, /лочится|без копирования|миграци/],
        prompt: 2,
      },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/attach/, /затирает|второй код/],
        prompt: 1,
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'decision', 'gotcha'],
        says: [/инъекци/, /ложн|белому списку/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: [/внешний ключ/, /orders|блокировка/],
        prompt: 2,
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/percent/, /120|отрицательн/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/active\(\)/, /память|50 тысяч/],
        prompt: 1,
      },
      {
        type: ['change', 'feature'],
        says: [/MR-214\.md/, /три блокера|блокер/],
        files: [REVIEW],
        prompt: 2,
      },
    ],
    summaries: [
      { prompt: 1, request: [/промокод/], learned: [/гонк|лимит/] },
      {
        prompt: 2,
        request: [/миграци/],
        completed: [/MR-214/],
        filesModified: [REVIEW],
      },
    ],
    noise: [
      'разделю ревью на две части',
      'Оба отчёта пришли',
      'Проверяю гонку готовым скриптом',
      'Отличная в целом работа',
      'Хотите, подготовлю патчи',
      'Если что, обращайтесь',
      'заблокирует таблицу на 12 млн строк',
    ],
    untrue: [
      /(есть|найдена|уязвим\S*) SQL-инъекци/,
      /(исправлен|заменён|заменили|переписан)\S* (гонк|redeem|на ===)/,
      /миграци\S* (остаётся|является|остался) блокер/,
    ],
    followUps: [
      {
        asks: 'маркетинг жалуется, что одноразовым купоном воспользовались несколько человек, как такое возможно?',
        says: [/20 параллельн|разными запросами|usage_limit/],
      },
      {
        asks: 'бухгалтерия видит разницу в пару копеек в заказах со скидкой, где искать?',
        says: [/1С/],
      },
      {
        asks: 'хочу хранить цену товара как double, так можно?',
        says: [/копейках/],
      },
      {
        asks: 'можно ли днём накатить новую колонку на таблицу заказов в проде?',
        says: [/instant/],
      },
      {
        asks: 'покупатель ввёл два купона подряд на один заказ, что произойдёт?',
        says: [/затирает|attach/],
      },
      {
        asks: 'сканер ругается на ORDER BY с переменной в репозитории промокодов, чинить?',
        says: [/белому списку|ложн/],
      },
    ],
    unrelated: [
      'добавь отправку письма после смены пароля',
      'обнови phpstan до второй версии и подними уровень',
      'сделай выгрузку каталога в yml для маркетплейса',
    ],
  },
};
