import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const APPLICATION = 'config/application.rb';
const CUSTOMER = 'app/models/customer.rb';
const NOTES = 'docs/UPGRADE.md';
const TOO_LATE = 'config/initializers/cache_format.rb';

export const railsUpgrade: SurveySession = {
  name: 'rails-upgrade',
  about:
    'Rails 7.0 to 7.1 with all framework defaults: the digest of encrypted columns, a cache shared by two versions.',
  kind: 'upgrade',
  language: 'ru',
  ecosystem: 'ruby',
  files: {
    Gemfile: `source "https://rubygems.org"

ruby "3.2.4"

gem "rails", "~> 7.0.8"
gem "pg", "~> 1.5"
gem "redis", "~> 4.8"
gem "sidekiq", "~> 6.5"
gem "acts-as-taggable-on", "~> 9.0"

group :test do
  gem "rspec-rails", "~> 6.1"
end
`,
    'Gemfile.lock': `GEM
  remote: https://rubygems.org/
  specs:
    acts-as-taggable-on (9.0.1)
      activerecord (>= 6.0, < 7.1)
    rails (7.0.8.4)
    sidekiq (6.5.12)
`,
    [APPLICATION]: `require_relative "boot"
require "rails/all"

Bundler.require(*Rails.groups)

module Vitrina
  class Application < Rails::Application
    config.load_defaults 6.1

    config.time_zone = "Moscow"
    config.i18n.default_locale = :ru
  end
end
`,
    'config/environments/production.rb': `Rails.application.configure do
  config.cache_store = :redis_cache_store, { url: ENV.fetch("REDIS_URL"), expires_in: 6.hours }
end
`,
    'config/credentials.yml.enc': 'q1Zb8k0s3yq2E5zvN0mT--Jm4xV--u7Qe2w==\n',
    [CUSTOMER]: `class Customer < ApplicationRecord
  acts_as_taggable_on :segments

  encrypts :phone, deterministic: true
  encrypts :passport

  serialize :preferences, JSON
end
`,
    'lib/ext/money_ext.rb': `class Money
  def to_receipt
    format("%.2f", to_d)
  end
end
`,
    'spec/models/customer_spec.rb': `RSpec.describe Customer do
  fixtures :customers

  it "находит клиента по телефону" do
    expect(Customer.find_by(phone: "+79990001122")).to eq(customers(:anna))
  end

  it "читает паспорт из старого дампа" do
    expect(customers(:anna).passport).to eq("4510 123456")
  end
end
`,
  },
  programs: {
    bundle: `#!/bin/sh
case "$1" in
  update)
    if grep -q '"rails", "~> 7.1' Gemfile && grep -q 'taggable-on", "~> 9' Gemfile; then
      echo "Fetching gem metadata from https://rubygems.org/........." 
      echo "Resolving dependencies..."
      echo "Could not find compatible versions" >&2
      echo "" >&2
      echo "Because every version of acts-as-taggable-on ~> 9.0 depends on activerecord >= 6.0, < 7.1" >&2
      echo "  and rails >= 7.1.3, < 7.2 depends on activerecord = 7.1.3," >&2
      echo "  rails ~> 7.1.3 is incompatible with acts-as-taggable-on ~> 9.0." >&2
      exit 6
    fi
    sed -i 's/rails (7.0.8.4)/rails (7.1.3.4)/; s/acts-as-taggable-on (9.0.1)/acts-as-taggable-on (10.0.0)/; s/>= 6.0, < 7.1/>= 6.1, < 7.2/' Gemfile.lock
    echo "Using rails 7.1.3.4 (was 7.0.8.4)"
    echo "Using acts-as-taggable-on 10.0.0 (was 9.0.1)"
    echo "Bundle updated!"
    ;;
  exec)
    case "$2 $3" in
      "rspec "*)
        if grep -q 'serialize :preferences, JSON' ${CUSTOMER}; then
          echo "DEPRECATION WARNING: Passing the coder as positional argument is deprecated and will be removed in Rails 7.2." >&2
        fi
        if grep -q 'load_defaults 7.1' ${APPLICATION} && ! grep -q 'hash_digest_class = OpenSSL::Digest::SHA1' ${APPLICATION}; then
          echo "Failures:"
          echo "  1) Customer находит клиента по телефону"
          echo "     expected: #<Customer id: 1>"
          echo "          got: nil"
          echo "  2) Customer читает паспорт из старого дампа"
          echo "     ActiveRecord::Encryption::Errors::Decryption"
          echo "  3) Orders::Checkout повторный заказ подтягивает паспорт"
          echo "     ActiveRecord::Encryption::Errors::Decryption"
          echo ""
          echo "412 examples, 3 failures"
          exit 1
        fi
        echo "Finished in 1 minute 48.2 seconds (files took 9.1 seconds to load)"
        echo "412 examples, 0 failures"
        ;;
      "rake zeitwerk:check")
        if grep -q autoload_lib ${APPLICATION}; then
          echo "Hold on, I am eager loading the application."
          echo "rake aborted!"
          echo "Zeitwerk::NameError: expected file lib/ext/money_ext.rb to define constant Ext::MoneyExt, but didn't"
          exit 1
        fi
        echo "Hold on, I am eager loading the application."
        echo "All is good!"
        ;;
      "rails runner")
        if grep -q 'cache_format_version = 7.0' ${APPLICATION}; then echo 7.0; else echo 7.1; fi
        ;;
    esac
    ;;
esac
`,
  },
  prompts: [
    'SHOP-812: поднимаем rails 7.0 → 7.1. заодно load_defaults, он у нас так и висит с 6.1. sidekiq не трогай, остаёмся на 6.5: семёрка хочет redis 6.2, а на проде 6.0. коммиты как всегда – номер тикета впереди, каждый шаг отдельным коммитом',
    'ок. а с кэшем что? поды катятся по одному минут 20, старые и новые сидят на одном редисе. и как долго это потом держать',
    'не, сутки мало: откатиться мы имеем право 7 дней, так что снимаем через неделю после полной раскатки, отдельным MR. запиши это в docs/UPGRADE.md и коммить. спс',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('Начну с того, что сейчас стоит в проекте.'),
          read('Gemfile'),
          read(APPLICATION),
          run('git log --oneline | head -5; grep -rn "encrypts\\|serialize" app', 'История и места риска'),
        ],
        [edit('Gemfile', 'gem "rails", "~> 7.0.8"', 'gem "rails", "~> 7.1.3"')],
        [
          fail(
            'bundle update rails --conservative',
            'Обновить только rails',
            'incompatible with acts-as-taggable-on',
          ),
        ],
        [
          say(
            'acts-as-taggable-on 9.x сверху закрыт на activerecord < 7.1, так что без десятой версии rails не поднимется. Проверю, не задевает ли нас её ломающее изменение.',
          ),
          run(
            'grep -rn "for_context\\|TagList" app lib spec || echo "совпадений нет"',
            'Использования старого API тегов',
            'совпадений нет',
          ),
        ],
        [edit('Gemfile', '"acts-as-taggable-on", "~> 9.0"', '"acts-as-taggable-on", "~> 10.0"')],
        [
          run(
            'bundle update rails acts-as-taggable-on --conservative',
            'Обновить rails и теги',
            'Bundle updated!',
          ),
        ],
        [run('bundle exec rspec', 'Все тесты на старых defaults', '412 examples, 0 failures')],
        [
          say(
            'Со старыми defaults зелено, остался один deprecation: позиционный coder у `serialize`. Поправлю сразу.',
          ),
          read(CUSTOMER),
        ],
        [edit(CUSTOMER, 'serialize :preferences, JSON', 'serialize :preferences, coder: JSON')],
        [
          run(
            'git commit -qam "SHOP-812 rails 7.1.3, acts-as-taggable-on 10" && git log --oneline | head -1',
            'Первый шаг',
            'SHOP-812',
          ),
        ],
        [
          say('Теперь defaults, отдельно от самой версии.'),
          edit(APPLICATION, 'config.load_defaults 6.1', 'config.load_defaults 7.1'),
        ],
        [fail('bundle exec rspec', 'Тесты на defaults 7.1', 'Encryption::Errors::Decryption')],
        [
          say('Первая мысль – тесты взяли не тот ключ. Смотрю, не поменялись ли credentials.'),
          run(
            'git log --oneline -- config/credentials.yml.enc; git status --short config; env | grep -c RAILS_MASTER_KEY || true',
            'Менялись ли ключи',
          ),
        ],
        [
          say(
            'Ключи ни при чём, файл не менялся с первого коммита. Причина в другом: с `load_defaults 7.1` ключи для `encrypts` выводятся через SHA256, а все данные на проде зашифрованы ключами на SHA1, потому что defaults стояли 6.1. И passport хотя бы громко падает, а вот поиск по deterministic-полю не падает вообще: `Customer.find_by(phone:)` молча отдаёт nil, то есть вход по телефону просто перестал бы находить клиентов.',
          ),
          edit(
            APPLICATION,
            '    config.load_defaults 7.1\n',
            '    config.load_defaults 7.1\n\n    # Данные зашифрованы ключами на SHA1 (defaults 6.1); без перешифровки не менять.\n    config.active_record.encryption.hash_digest_class = OpenSSL::Digest::SHA1\n',
          ),
        ],
        [run('bundle exec rspec', 'Тесты с SHA1 для шифрования', '412 examples, 0 failures')],
        [
          say('Заодно попробую новый `autoload_lib`, он в 7.1 рекомендован.'),
          edit(
            APPLICATION,
            '    config.time_zone = "Moscow"\n',
            '    config.autoload_lib(ignore: %w[assets tasks])\n    config.time_zone = "Moscow"\n',
          ),
        ],
        [run('bundle exec rake zeitwerk:check 2>&1 | tail -2', 'Проверка автозагрузки', 'expected file')],
        [
          say(
            'Код возврата ноль – это от `tail`, сама проверка упала. В lib/ext лежат monkey-патчи вроде money_ext.rb, константы по имени файла они не определяют, поэтому autoload_lib для нас не подходит. Откатываю.',
          ),
          edit(
            APPLICATION,
            '    config.autoload_lib(ignore: %w[assets tasks])\n    config.time_zone = "Moscow"\n',
            '    config.time_zone = "Moscow"\n',
          ),
        ],
        [run('bundle exec rake zeitwerk:check', 'Проверка автозагрузки без трубы', 'All is good!')],
        [
          run(
            'git commit -qam "SHOP-812 load_defaults 7.1, шифрование остаётся на SHA1" && git log --oneline | head -2',
            'Второй шаг',
            'load_defaults 7.1',
          ),
        ],
        [
          say(`## Готово: Rails 7.1.3 🎉

Обновление прошло аккуратно, в двух коммитах, как вы просили.

| Что | Было | Стало |
|---|---|---|
| rails | 7.0.8 | 7.1.3.4 |
| acts-as-taggable-on | 9.0.1 | 10.0.0 |
| load_defaults | 6.1 | 7.1 |
| sidekiq | 6.5.12 | без изменений |

**На что обратить внимание**

- \`hash_digest_class\` закреплён на SHA1. Убрать строку можно только после перешифровки customers.
- \`serialize\` теперь с \`coder:\`, предупреждений больше нет.

Все 412 тестов зелёные. Если хотите, могу подготовить и rake-задачу для перешифровки!`),
        ],
        [
          say('Хороший вопрос, проверю, в каком формате пишет новая версия.'),
          read('config/environments/production.rb'),
          run(
            "bundle exec rails runner 'puts ActiveSupport.cache_format_version'",
            'Текущий формат кэша',
            '7.1',
          ),
        ],
        [
          say(
            'Так и есть, формат 7.1. Поды на 7.0 такие записи прочитать не смогут, а редис у них общий. Зафиксирую старый формат инициализатором.',
          ),
          write(TOO_LATE, 'Rails.application.config.active_support.cache_format_version = 7.0\n'),
        ],
        [
          run(
            "bundle exec rails runner 'puts ActiveSupport.cache_format_version'",
            'Подействовало ли',
            '7.1',
          ),
        ],
        [
          say(
            'Не подействовало: cache store создаётся раньше, чем выполняются initializers, поэтому `cache_format_version` имеет смысл задавать только в config/application.rb. Переношу.',
          ),
          run(`rm ${TOO_LATE}`, 'Убрать инициализатор'),
          edit(
            APPLICATION,
            '    config.load_defaults 7.1\n',
            '    config.load_defaults 7.1\n    config.active_support.cache_format_version = 7.0\n',
          ),
        ],
        [
          run(
            "bundle exec rails runner 'puts ActiveSupport.cache_format_version'",
            'Подействовало ли',
            '7.0',
          ),
          run('bundle exec rspec 2>&1 | tail -1', 'Тесты', '0 failures'),
        ],
        [
          say(`Теперь новые поды пишут кэш в формате 7.0, и во время раскатки его читают обе версии.

- Обратная сторона: пока строка стоит, выигрыша от нового формата (меньше размер записей) не будет.
- Держать её предлагаю сутки: записи живут 6 часов, этого хватит с запасом.

Закоммитить?`),
        ],
        [
          write(
            NOTES,
            `# Хвосты обновления на Rails 7.1

- \`cache_format_version = 7.0\` в config/application.rb: снять через неделю после полной раскатки, отдельным MR (окно отката 7 дней).
- \`hash_digest_class = SHA1\`: снять только после перешифровки customers.
`,
          ),
        ],
        [
          run(
            'git add -A && git commit -qm "SHOP-812 формат кэша 7.0 на время раскатки" && git status --short | wc -l',
            'Третий шаг',
          ),
        ],
        [say('Записал и закоммитил. Удачной раскатки!')],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['preference', 'decision'], says: [/sidekiq/, /6\.5/, /redis 6\.2/], prompt: 1 },
      { type: 'preference', says: [/номер тикета/, /отдельным коммитом/], prompt: 1 },
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/SHA1/, /SHA256/, /load_defaults 7\.1/],
        prompt: 1,
      },
      { type: ['gotcha', 'bugfix', 'discovery'], says: [/deterministic/, /молча/, /nil/], prompt: 1 },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'how-it-works'],
        says: [/cache_format_version/, /initializers/, /application\.rb/],
        prompt: 2,
      },
      {
        type: ['preference', 'decision'],
        says: [/через неделю/, /раскатки/, /отдельным MR/],
        prompt: 3,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery', 'change'], says: [/acts-as-taggable-on/, /< 7\.1/], prompt: 1 },
      {
        type: ['gotcha', 'decision', 'discovery'],
        says: [/autoload_lib/, /monkey-патч|lib\/ext/],
        prompt: 1,
      },
      { type: ['change', 'feature'], says: [/load_defaults/, /7\.1/], files: [APPLICATION], prompt: 1 },
      {
        type: ['decision', 'change', 'gotcha', 'how-it-works'],
        says: [/формат/, /7\.0/, /под/],
        prompt: 2,
      },
      { type: ['gotcha', 'decision', 'change'], says: [/SHA1/, /перешифровк/], prompt: 1 },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['SHOP-812', 'rails'],
        learned: ['SHA1'],
        completed: ['7.1'],
        filesModified: ['Gemfile', APPLICATION, CUSTOMER],
      },
      {
        prompt: 2,
        request: ['кэшем'],
        learned: ['cache_format_version'],
        completed: [/7\.0/],
        filesModified: [APPLICATION],
      },
      { prompt: 3, request: [/неделю/], completed: [/закоммитил|UPGRADE/], filesModified: [NOTES] },
    ],
    noise: [
      'Начну с того, что сейчас стоит в проекте',
      'Хороший вопрос',
      'Первая мысль – тесты взяли не тот ключ',
      'Если хотите, могу подготовить',
      'Держать её предлагаю сутки',
      'Удачной раскатки',
      'Обновление прошло аккуратно',
      'Hold on, I am eager loading',
    ],
    untrue: [
      /(снять|убрать|держать)[^.]{0,30}(сутки|через сутки)/,
      /autoload_lib (включён|включен|добавлен|подключ)/,
      /причина[^.]{0,20}в (ключах|credentials|master key)/,
    ],
    followUps: [
      {
        asks: 'обнови сайдкик до последней мажорной, там нужен новый батч-API',
        says: [/6\.5/, /redis 6\.2/],
      },
      {
        asks: 'хочу добавить ещё одно шифрованное поле для ИНН и почистить лишние настройки шифрования, есть подводные камни?',
        says: [/SHA1/, /SHA256|перешифровк/],
      },
      {
        asks: 'когда можно убрать временную настройку формата записей в редисе, которую оставили после обновления фреймворка?',
        says: [/недел|7 дней/],
      },
      {
        asks: 'поменял версию формата кеша файликом в initializers, а значение прежнее, почему?',
        says: [/application\.rb/, /раньше|cache store/],
      },
      {
        asks: 'оформи мои правки коммитами, как у нас принято',
        says: [/номер тикета/],
      },
      {
        asks: 'давай подключим автозагрузку папки lib, чтобы не писать require руками',
        says: [/autoload_lib/, /monkey|константы/],
      },
    ],
    unrelated: [
      'добавь в админку фильтр заказов по дате доставки',
      'почему письмо с чеком уходит без вложения? посмотри OrderMailer',
      'напиши тест на расчёт скидки по промокоду',
    ],
  },
};
