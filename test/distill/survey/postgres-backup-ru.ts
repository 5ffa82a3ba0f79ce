import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

export const postgresBackupRu: SurveySession = {
  name: 'postgres-backup-ru',
  about:
    'Бэкапы PostgreSQL по cron: пустые дампы из-за конвейера без pipefail, правила заказчика по ходу дела, степень сжатия изменена после замера',
  kind: 'operations',
  language: 'ru',
  ecosystem: 'postgresql',
  files: {
    'bin/pg-backup.sh': `#!/bin/bash
# Ночной дамп базы billing.
set -e
. /etc/default/pg-backup 2>/dev/null || . ./etc/pg-backup.env

STAMP=$(date +%F)
OUT="$BACKUP_DIR/billing-$STAMP.sql.zst"

mkdir -p "$BACKUP_DIR"
pg_dump -h "$PGHOST" billing | zstd -q -19 -f -o "$OUT"
find "$BACKUP_DIR" -name 'billing-*.sql.zst' -mtime +14 -delete
echo "backup ok: $OUT"
`,
    'etc/pg-backup.env': 'BACKUP_DIR=./var/backups\nPGHOST=db1.int\n',
    'etc/cron.d/pg-backup':
      '# m h dom mon dow user command\n30 2 * * * postgres /opt/backup/bin/pg-backup.sh\n',
    'docs/runbook.md':
      '# Бэкапы\n\nДампы billing лежат на backup1 в /srv/backups. Восстановление: zstd -dc файл | psql billing_restore\n',
    'log/backup-2024-09-10.log':
      'pg_dump: error: connection to server at "db1.int", port 5432 failed: FATAL: the database system is in recovery mode\nbackup ok: /srv/backups/billing-2024-09-10.sql.zst\n',
    'log/ls-backups.txt':
      '-rw-r----- 1 postgres 4815162342 billing-2024-09-08.sql.zst\n-rw-r----- 1 postgres 4816002177 billing-2024-09-09.sql.zst\n-rw-r----- 1 postgres 13 billing-2024-09-10.sql.zst\n-rw-r----- 1 postgres 13 billing-2024-09-11.sql.zst\n',
    '.gitignore': 'var/\n',
  },
  programs: {
    pg_dump: `#!/bin/sh
case "$*" in
  *db1.int*)
    echo 'pg_dump: error: connection to server at "db1.int", port 5432 failed: FATAL: the database system is in recovery mode' >&2
    exit 1 ;;
esac
echo "-- PostgreSQL database dump"
echo "CREATE TABLE invoices (id bigint);"
echo "-- PostgreSQL database dump complete"
`,
    zstd: `#!/bin/sh
out=; test=0
while [ $# -gt 0 ]; do
  case "$1" in
    -o) out=$2; shift ;;
    -t|-dc) test=1 ;;
  esac
  last=$1; shift
done
if [ $test = 1 ]; then cat "$last"; exit 0; fi
cat > "$out"
`,
    'bench-zstd': `#!/bin/sh
echo "level  time      size"
echo "  19   3h 52m    4.8 GB"
echo "   9   0h 41m    5.4 GB"
echo "   3   0h 17m    6.3 GB"
`,
    'pg-lag': `#!/bin/sh
if grep -q 'db2' etc/pg-backup.env; then echo "db2.int: replication lag 4 s"; else echo "db1.int: primary"; fi
`,
  },
  script(projectDir) {
    const { run, fail, read, edit } = callsIn(projectDir);
    return {
      main: [
        [
          say('Сейчас посмотрю скрипт, расписание и последние логи.'),
          read('bin/pg-backup.sh'),
          read('etc/cron.d/pg-backup'),
          run('cat log/ls-backups.txt log/backup-2024-09-10.log', 'Размеры дампов и лог', 'recovery mode'),
        ],
        [
          say(
            'Дампы за 10 и 11 сентября весят по 13 байт, при этом в логе «backup ok». Первая мысль: на backup1 кончилось место. Проверю, воспроизведя запуск.',
          ),
          run('bash bin/pg-backup.sh; df -h . | tail -1', 'Запустить скрипт как cron', 'backup ok'),
        ],
        [
          say(`Место ни при чём, причина другая.

**Причина.** В скрипте \`set -e\`, но нет \`set -o pipefail\`. Когда \`pg_dump\` падает, код возврата конвейера берётся у \`zstd\`, а он успешно сжимает пустоту: получается файл на 13 байт и сообщение «backup ok». 10 сентября db1 был в recovery mode, и с тех пор дампы пустые.

**Что ещё опасно.** \`find -mtime +14 -delete\` выполняется и после неудачного дампа: ещё 12 дней, и удалились бы последние хорошие копии.

Могу исправить скрипт прямо сейчас. Делать?`),
        ],
        [
          say(
            'Правлю: pipefail, временный файл, проверка архива и удаление старых копий только после успеха.',
          ),
          edit('bin/pg-backup.sh', 'set -e\n', 'set -euo pipefail\n'),
          edit(
            'bin/pg-backup.sh',
            'pg_dump -h "$PGHOST" billing | zstd -q -19 -f -o "$OUT"\n',
            `pg_dump -h "$PGHOST" billing | zstd -q -19 -f -o "$OUT.part"
# Полный дамп кончается этой строкой.
zstd -dc "$OUT.part" | tail -5 | grep -q 'PostgreSQL database dump complete'
mv "$OUT.part" "$OUT"
`,
          ),
          edit('bin/pg-backup.sh', '-mtime +14 -delete', '-mtime +35 -delete'),
        ],
        [
          read('etc/pg-backup.env'),
          fail('bash bin/pg-backup.sh', 'Теперь сбой должен быть виден', 'recovery mode'),
        ],
        [
          say('Сбой теперь виден: скрипт выходит с ошибкой и ничего не удаляет. Переключаю дамп на реплику.'),
          edit('etc/pg-backup.env', 'PGHOST=db1.int', 'PGHOST=db2.int'),
          run('bash bin/pg-backup.sh && pg-lag', 'Дамп с реплики', 'replication lag 4 s'),
        ],
        [
          say(`Готово, дамп с реплики проходит.

- \`set -euo pipefail\`: падение \`pg_dump\` роняет весь скрипт
- дамп пишется в \`.part\` и переименовывается, только если в конце есть строка «PostgreSQL database dump complete»
- старые копии удаляются после успешного дампа, срок хранения 35 дней вместо 14, как требует аудит
- источник теперь db2.int (реплика, отставание 4 секунды), мастер не нагружаем

Сжатие пока прежнее, zstd -19.`),
        ],
        [
          say('Замерю уровни сжатия на копии базы, прежде чем менять.'),
          run('bench-zstd', 'Замер уровней zstd на 61 ГБ', '0h 41m'),
        ],
        [
          say('Уровень 19 идёт 3 ч 52 мин и в окно не помещается. Уровень 9 укладывается с запасом. Меняю.'),
          edit('bin/pg-backup.sh', 'zstd -q -19 -f', 'zstd -q -9 -f'),
          edit('etc/cron.d/pg-backup', '30 2 * * * postgres', '10 1 * * * postgres'),
          run('bash bin/pg-backup.sh && cat etc/cron.d/pg-backup', 'Проверить', '10 1 * * *'),
        ],
        [
          say(`Сделано. Замер на базе в 61 ГБ:

| уровень | время | размер |
|---|---|---|
| 19 | 3 ч 52 мин | 4,8 ГБ |
| 9 | 41 мин | 5,4 ГБ |
| 3 | 17 мин | 6,3 ГБ |

Поставил \`zstd -9\`: 41 минута вместо почти четырёх часов ценой 0,6 ГБ. Запуск перенёс на 01:10, так что дамп заканчивается около 01:51, до начала закрытия дня в 04:00.

Осталось: на сервере разложить файлы через Ansible, я руками ничего не трогал. И стоит раз в месяц пробовать восстановление в billing_restore. Если что, обращайтесь, хорошего дня!`),
        ],
      ],
    };
  },
  prompts: [
    'ночные бэкапы billing какие-то подозрительные, глянь размеры в log/. пока ничего не меняй, только разберись',
    'да, чини. хранить надо 35 дней, это требование аудита. и дампы снимаем только с реплики db2, мастер ночью не трогаем. на серверах руками ничего не правим, всё через ansible',
    'ещё: в 4:00 начинается закрытие дня, бэкап к этому времени обязан закончиться. сейчас он иногда до шести идёт. замерь и поправь',
  ],
  expects: {
    essentials: [
      {
        type: ['bugfix', 'gotcha', 'discovery', 'how-it-works'],
        says: [/pipefail/, /13 байт|пуст|код возврата|конвейер/],
        files: ['bin/pg-backup.sh'],
      },
      { type: ['preference', 'decision', 'change', 'gotcha'], says: [/35 дней/, /аудит/], prompt: 2 },
      { type: ['preference', 'decision', 'change'], says: [/реплик/, /db2/], prompt: 2 },
      { type: ['preference', 'decision'], says: [/ansible/i], prompt: 2 },
      {
        type: ['decision', 'change', 'discovery', 'gotcha', 'bugfix'],
        says: [/zstd|уров/, /-9|уровень 9|\b9\b/, /41 ?мин|0h 41m|41 минут/],
        prompt: 3,
      },
      {
        type: ['preference', 'decision', 'gotcha', 'change', 'how-it-works'],
        says: [/0?4:00/, /закрыти/],
        prompt: 3,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery', 'bugfix', 'change'], says: [/удал|delete/, /неудачн|успе|хорош|14/] },
      { type: ['bugfix', 'change', 'feature', 'how-it-works'], says: [/\.part|dump complete/], prompt: 2 },
      { type: ['change', 'decision'], says: [/0?1:10|10 1 \* \* \*/], prompt: 3 },
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/recovery mode/] },
      { type: ['discovery', 'decision', 'change'], says: [/восстановлени|billing_restore/] },
    ],
    summaries: [
      { prompt: 1, request: [/бэкап/], learned: [/pipefail|13 байт|recovery/] },
      {
        prompt: 2,
        request: [/35 дней|реплик|чини/],
        completed: [/pipefail|35|db2/],
        filesModified: ['bin/pg-backup.sh'],
      },
      { prompt: 3, request: [/4:00|закрытие|замер/], completed: [/-9|01:10|41/] },
    ],
    noise: [
      /сейчас посмотрю/,
      /делать\?/,
      /могу исправить скрипт прямо сейчас/,
      /хорошего дня/,
      /если что, обращайтесь/,
      /замерю уровни/,
    ],
    untrue: [
      /(?<!не )кончилось место(?!.{0,40}(не подтверд|ни при чём|отпал|не при))/,
      /сжатие пока прежнее/,
      /(срок хранения|хранится|хранятся|храним) 14 дней/,
    ],
    followUps: [
      {
        asks: 'почему у нас в скрипте бэкапа стоит zstd -9, а не максимальное сжатие?',
        says: [/41|3 ?ч 52|3h 52m/],
      },
      { asks: 'место кончается, можно держать копии только две недели?', says: [/35/, /аудит/] },
      { asks: 'откуда брались крошечные файлы дампов при успешном логе?', says: [/pipefail/] },
      { asks: 'к какому часу ночной дамп должен быть готов?', says: [/0?4:00/] },
      { asks: 'я зайду по ssh на backup1 и подправлю скрипт, ок?', says: [/ansible/i] },
    ],
    unrelated: [
      'добавь индекс на invoices по customer_id',
      'настрой алерты в Grafana на количество соединений к pgbouncer',
      'переведи runbook на английский',
    ],
  },
};
