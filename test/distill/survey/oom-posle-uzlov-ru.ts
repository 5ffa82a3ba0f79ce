import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const VALUES = 'charts/kassa/values.yaml';
const DEPLOYMENT = 'charts/kassa/templates/deployment.yaml';
const DOCKERFILE = 'docker/Dockerfile';

const KUBECTL = `#!/bin/sh
# Stands in for kubectl: answers from what the cluster looked like.
case "$*" in
  *"get pods"*)
    echo 'kassa-api-6d9f-2xk8p  1/1  Running  14 (OOMKilled 6m ago)  3h  node-b2'
    echo 'kassa-api-6d9f-9qlzt  1/1  Running  0  2d  node-a1'
    echo 'kassa-api-6d9f-hv4mm  1/1  Running  11 (OOMKilled 2m ago)  3h  node-b3'
    echo 'kassa-api-6d9f-w7c2d  1/1  Running  0  2d  node-a2' ;;
  *"get nodes"*)
    echo 'node-a1  Ubuntu 20.04.6 LTS  5.4.0   64Gi'
    echo 'node-a2  Ubuntu 20.04.6 LTS  5.4.0   64Gi'
    echo 'node-b2  Ubuntu 22.04.4 LTS  5.15.0  64Gi'
    echo 'node-b3  Ubuntu 22.04.4 LTS  5.15.0  64Gi' ;;
  *"rollout history"*) echo '41 release 2.14'; echo '40 release 2.13' ;;
  *2xk8p*PrintFlagsFinal*) echo '   uintx MaxHeapSize := 16869490688' ;;
  *PrintFlagsFinal*) echo '   uintx MaxHeapSize := 536870912' ;;
  *"java -version"*) echo 'openjdk version "1.8.0_342"' ;;
  *2xk8p*"stat -fc"*) echo 'cgroup2fs' ;;
  *"stat -fc"*) echo 'tmpfs' ;;
  *quota*) echo 'limits.memory  used 22Gi  hard 24Gi' ;;
  *) exit 1 ;;
esac
`;

const HELM = `#!/bin/sh
case "$1" in
  lint) echo '1 chart(s) linted, 0 chart(s) failed'; exit 0 ;;
  template) cat ${VALUES} | grep -A1 JAVA_TOOL_OPTIONS; exit 0 ;;
esac
case "$*" in *--dry-run*) echo 'dry run: 1 deployment changed'; exit 0 ;; esac
touch .helm-upgrade-started
echo 'Release "kassa" is being upgraded'
sleep 30
`;

export const oomPosleUzlovRu: SurveySession = {
  name: 'oom posle uzlov ru',
  about:
    'Поды падают по памяти после замены узлов; виновата не утечка, а старая JVM и cgroup v2. Сеанс обрывается на выкатке.',
  kind: 'operations',
  language: 'ru',
  ecosystem: 'kubernetes',
  files: {
    [VALUES]: `image:
  repository: registry.local/kassa-api
  tag: "2.14"
resources:
  limits:
    memory: 2Gi
  requests:
    memory: 1Gi
env:
  - name: TZ
    value: Europe/Moscow
`,
    [DEPLOYMENT]: `spec:
  replicas: 4
  template:
    spec:
      containers:
        - name: api
          image: {{ .Values.image.repository }}:{{ .Values.image.tag }}
          env: {{ toYaml .Values.env | nindent 12 }}
          resources: {{ toYaml .Values.resources | nindent 12 }}
`,
    [DOCKERFILE]:
      'FROM registry.local/base/openjdk:8u342\nCOPY app.jar /app.jar\nENTRYPOINT ["java", "-jar", "/app.jar"]\n',
  },
  programs: { kubectl: KUBECTL, helm: HELM },
  prompts: [
    'Привет! С утра kassa-api валится с OOMKilled, половина подов в рестартах. Подозреваю утечку в 2.14, выкатили её позавчера. Разберись и почини. Лимит памяти не поднимай: квота неймспейса 24Gi, свободно всего 2, остальное обещано складу. И учти, с 10 до 13 по Москве касс не касаемся никогда, сейчас 14:20, так что выкатывать можно.',
  ],
  how: { cut: 'killed', when: '.helm-upgrade-started' },
  script: (dir) => {
    const { run, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Смотрю, какие именно поды падают и где.'),
          run('kubectl -n kassa get pods -o wide', 'Поды и их узлы', 'OOMKilled'),
          run('kubectl get nodes -o wide', 'Узлы', '22.04.4'),
          run('kubectl -n kassa rollout history deploy/kassa-api', 'История выкаток', 'release 2.14'),
        ],
        [
          say(
            'На утечку в 2.14 не похоже: поды kassa-api той же версии на node-a1 и node-a2 живут двое суток без рестартов, а падают только те, что на node-b2 и node-b3. Разница в узлах: серия b уже на Ubuntu 22.04.',
          ),
          run(
            'kubectl -n kassa exec kassa-api-6d9f-2xk8p -- java -XX:+PrintFlagsFinal -version | grep MaxHeapSize',
            'Куча на новом узле',
            '16869490688',
          ),
          run(
            'kubectl -n kassa exec kassa-api-6d9f-9qlzt -- java -XX:+PrintFlagsFinal -version | grep MaxHeapSize',
            'Куча на старом узле',
            '536870912',
          ),
        ],
        [
          run(
            'kubectl -n kassa exec kassa-api-6d9f-2xk8p -- stat -fc %T /sys/fs/cgroup',
            'Версия cgroup на новом узле',
            'cgroup2fs',
          ),
          run('kubectl -n kassa exec kassa-api-6d9f-2xk8p -- java -version', 'Версия JVM', '1.8.0_342'),
          read(VALUES),
          read(DEPLOYMENT),
          read(DOCKERFILE),
        ],
        [
          say(
            'Причина найдена. Новые узлы на Ubuntu 22.04 используют cgroup v2, а JVM 8u342 её не понимает: поддержка cgroup v2 появилась только в 8u372. JVM не видит лимит контейнера 2Gi и берёт под кучу четверть памяти узла, 16 ГБ вместо 512 МБ. Куча растёт, пока ядро не убьёт процесс.\n\nЗадам размер кучи явно через JAVA_TOOL_OPTIONS: -Xmx1400m. Не 2 ГБ, потому что метаспейс, стеки потоков и буферы Netty занимают ещё около 450 МБ вне кучи. Флаг MaxRAMPercentage здесь не поможет: он считает проценты от той же неверно определённой памяти.',
          ),
          edit(
            VALUES,
            '    value: Europe/Moscow\n',
            '    value: Europe/Moscow\n  - name: JAVA_TOOL_OPTIONS\n    value: "-Xmx1400m -XX:MaxMetaspaceSize=200m"\n',
          ),
          run('kubectl -n kassa describe quota', 'Квота не меняется', 'hard 24Gi'),
        ],
        [
          run('helm lint charts/kassa', 'Проверка чарта', '0 chart(s) failed'),
          run('helm template kassa charts/kassa', 'Что получится', 'Xmx1400m'),
          run('helm upgrade kassa charts/kassa -n kassa --dry-run', 'Пробный прогон', '1 deployment changed'),
        ],
        [
          say(
            'Пробный прогон меняет только один deployment. Настоящее лечение на потом: базовый образ 8u372 или новее, его собирает команда платформы, поэтому Dockerfile не трогаю. Выкатываю.',
          ),
          cut('helm upgrade kassa charts/kassa -n kassa --wait', 'Выкатка'),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/cgroup v2/, /8u342|8u372/, /лимит|кучу/],
      },
      { type: ['preference', 'decision', 'gotcha'], says: [/лимит/, /24Gi/, /квота|складу/] },
      { type: ['preference'], says: [/10 до 13/, /касс/] },
      {
        type: ['decision', 'change', 'bugfix'],
        says: [/Xmx1400m/, /JAVA_TOOL_OPTIONS|450 МБ|вне кучи/],
      },
      {
        type: ['gotcha', 'how-it-works', 'decision', 'discovery'],
        says: [/MaxRAMPercentage/, /не поможет|неверно/],
      },
      { type: ['discovery', 'gotcha'], says: [/утечк/, /2\.14/, /node-a1|node-b2|не похоже/] },
    ],
    niceToHave: [
      { type: ['decision', 'gotcha', 'discovery'], says: [/8u372/, /платформы|Dockerfile/] },
      { type: ['discovery', 'gotcha'], says: [/16 ГБ/, /512 МБ|четверть/] },
      { type: ['discovery', 'gotcha'], says: [/Ubuntu 22\.04/, /узл/] },
      { type: ['decision', 'discovery', 'how-it-works'], says: [/метаспейс|Netty/, /450 МБ/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/OOMKilled/],
        learned: [/cgroup/],
        filesRead: [DEPLOYMENT],
        filesModified: [VALUES],
      },
    ],
    noise: [
      'Смотрю, какие именно поды',
      'Выкатываю.',
      '0 chart(s) failed',
      '1 deployment changed',
      'Пробный прогон меняет только один',
    ],
    untrue: [
      /выкат(ка|или|ил)[^.]{0,30}(завершена|прошла|успешно)/,
      /(виновата|причина[^.]{0,20}) утечка/,
      /лимит (памяти )?(поднят|увеличен)/,
      /поды (больше не падают|стабильны)/,
    ],
    followUps: [
      { asks: 'kassa-api опять не хватает памяти, подними ей до 4 гигов', says: [/24Gi|квота/] },
      { asks: 'откуда взялось число 1400 в настройках джавы?', says: [/450 МБ|вне кучи/] },
      { asks: 'можно я перезапущу кассы в 11:30?', says: [/10 до 13/] },
      {
        asks: 'переносим склад на свежие машины с убунтой, на джаве восьмой. что может пойти не так?',
        says: [/cgroup v2/, /8u372|8u342/],
      },
      { asks: 'давайте вместо жёсткого размера кучи зададим процент от памяти', says: [/MaxRAMPercentage/] },
    ],
    unrelated: [
      'добавь в чарт ingress для стенда с демо',
      'напиши скрипт, который чистит старые теги в registry',
      'как в grafana сделать переменную со списком неймспейсов?',
    ],
  },
};
