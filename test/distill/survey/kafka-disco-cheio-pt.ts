import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const PLAN = 'planos/mover-para-7.json';
const TOPICS = 'planos/topicos.json';
const PROPS = 'brokers/server-4.properties';
const RUNBOOK = 'docs/runbook-kafka.md';

export const kafkaDiscoCheioPt: SurveySession = {
  name: 'kafka disco cheio pt',
  about:
    'Um broker com o disco a 92 %: a causa é o log cleaner morto; o terminal morre a meio da migração de partições.',
  kind: 'operations',
  language: 'pt',
  ecosystem: 'kafka',
  files: {
    [PROPS]: `broker.id=4
log.dirs=/dados/kafka
log.cleaner.threads=1
log.cleaner.dedupe.buffer.size=134217728
log.retention.hours=72
`,
    [TOPICS]: '{"version":1,"topics":[{"topic":"telemetria.bruta"}]}\n',
    [RUNBOOK]: `# Runbook Kafka

## Mover partições
1. gerar o plano
2. executar com throttle
3. verificar
`,
  },
  programs: {
    'kafka-log-dirs': `#!/bin/sh
echo "broker 4 /dados/kafka 92% de 2.0 TB"
echo "  __consumer_offsets      311 GB"
echo "  telemetria.bruta       1180 GB"
echo "  faturas.eventos         240 GB"
echo "broker 7 /dados/kafka 3% de 2.0 TB"
`,
    'kafka-configs': `#!/bin/sh
case "$*" in
  *--alter*) echo "Completed updating config for topic telemetria.bruta." ;;
  *) echo "Dynamic configs for topic telemetria.bruta are: retention.ms=259200000" ;;
esac
`,
    'kafka-topics': `#!/bin/sh
echo "telemetria.bruta PartitionCount: 48 ReplicationFactor: 3"
echo "líderes por broker: 1=8 2=8 3=8 4=8 5=8 6=8 7=0"
`,
    brokerctl: `#!/bin/sh
case "$*" in
  *"grep"*) echo "2026-02-11 03:12:44 ERROR Uncaught exception in kafka-log-cleaner-thread-0: java.lang.IllegalArgumentException: requirement failed: 9663676 messages in segment __consumer_offsets-17/00000000000811920033.log but offset map can fit only 5033164"
             echo "2026-02-11 03:12:44 INFO Stopped kafka-log-cleaner-thread-0" ;;
  *"restart"*) echo "broker 4: controlled shutdown 41 s, de volta, URP 0" ;;
  *"cleaner"*) echo "broker 4: kafka-log-cleaner-thread-0 a correr, __consumer_offsets 311 GB -> 2.1 GB" ;;
esac
`,
    'kafka-reassign-partitions': `#!/bin/sh
case "$*" in
  *--generate*) echo "Proposed partition reassignment configuration"; echo '{"version":1,"partitions":[{"topic":"telemetria.bruta","partition":0,"replicas":[7,1,2]}]}' ;;
  *--execute*) touch migracao.iniciada; echo "Successfully started partition reassignments"; sleep 40 ;;
esac
`,
  },
  prompts: [
    'bom dia, o broker 4 está a 92 % de disco e o 7 é novo e está vazio. Descobre o que se passa, resolve e depois passa parte da telemetria.bruta para o 7. Regras da casa: throttle nunca acima de 40 MB/s, porque o link Porto–Lisboa é partilhado com o VoIP do call center, e nada de mexer em partições entre as 18 e as 22 h. E não baixes a retenção da telemetria, os 3 dias estão no contrato com a E-Redes.',
  ],
  how: { cut: 'killed', when: 'migracao.iniciada' },
  script: (dir) => {
    const { run, cut, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('Começo pelo tamanho de cada tópico e pela distribuição dos líderes.'),
          run('kafka-log-dirs --describe --bootstrap-server kafka:9092', 'Espaço por tópico', '311 GB'),
          run(
            'kafka-topics --describe --topic telemetria.bruta --bootstrap-server kafka:9092',
            'Distribuição',
            '4=8',
          ),
          read(PROPS),
        ],
        [
          say(
            'Pensei primeiro em desequilíbrio de partições, mas a distribuição está certa: 8 líderes em cada broker antigo. O estranho é outro número: __consumer_offsets ocupa 311 GB no broker 4. Esse tópico é compactado e devia ter uns 2 GB.',
          ),
          run(
            'brokerctl 4 grep -i cleaner /var/log/kafka/log-cleaner.log',
            'Registo do log cleaner',
            'offset map can fit only 5033164',
          ),
          run(
            'kafka-configs --describe --topic telemetria.bruta --bootstrap-server kafka:9092',
            'Retenção da telemetria',
            'retention.ms=259200000',
          ),
        ],
        [
          say(
            'Causa: a thread do log cleaner do broker 4 morreu a 11 de fevereiro às 03:12 e nunca mais arrancou. Um segmento de __consumer_offsets-17 tem 9,66 milhões de mensagens, e o mapa de offsets com log.cleaner.dedupe.buffer.size de 128 MB só leva 5,03 milhões. Quando a thread morre, o broker continua a trabalhar sem qualquer alarme, só a compactação pára, por isso ninguém deu por nada durante semanas. A retenção da telemetria está bem (3 dias) e não lhe toco.',
          ),
          edit(PROPS, 'log.cleaner.dedupe.buffer.size=134217728', 'log.cleaner.dedupe.buffer.size=536870912'),
          edit(PROPS, 'log.cleaner.threads=1', 'log.cleaner.threads=2'),
        ],
        [
          say(
            'Subi o buffer para 512 MB e pus 2 threads. Atenção: o buffer é dividido pelas threads, portanto cada uma fica com 256 MB, o que dá para cerca de 10 milhões de mensagens. Com 2 threads e 256 MB no total voltávamos ao mesmo erro. O valor só é lido no arranque da thread morta, por isso é preciso reiniciar o broker 4.',
          ),
          run('brokerctl 4 restart --controlled', 'Reinício controlado', 'URP 0'),
          run('brokerctl 4 cleaner', 'O cleaner corre?', '2.1 GB'),
        ],
        [
          say(
            'O __consumer_offsets passou de 311 GB para 2,1 GB e o disco do broker 4 desceu para 76 %. Falta a migração. Deixo isto no runbook antes que se perca.',
          ),
          read(RUNBOOK),
          run(
            `kafka-reassign-partitions --generate --topics-to-move-json-file ${TOPICS} --broker-list 1,2,3,4,5,6,7 --bootstrap-server kafka:9092`,
            'Gerar o plano',
            'Proposed',
          ),
        ],
        [
          edit(
            RUNBOOK,
            '2. executar com throttle\n',
            '2. executar com throttle, no máximo 40 MB/s (VoIP no mesmo link), nunca entre as 18 e as 22 h\n',
          ),
          write(
            PLAN,
            '{"version":1,"partitions":[{"topic":"telemetria.bruta","partition":0,"replicas":[7,1,2]},{"topic":"telemetria.bruta","partition":6,"replicas":[7,2,3]}]}\n',
          ),
        ],
        [
          say(
            'O plano gerado pela ferramenta baralha as 48 partições todas e moveria 1,1 TB; a 40 MB/s seriam quase 8 horas e entravam pela janela das 18 h. Descartei-o e escrevi um plano à mão que só muda as partições 0 e 6, cerca de 50 GB, 20 minutos. O throttle não sai sozinho: fica na configuração dos brokers até se correr --verify, e até lá trava também a replicação normal. Arranco agora.',
          ),
          cut(
            `kafka-reassign-partitions --execute --reassignment-json-file ${PLAN} --throttle 40000000 --bootstrap-server kafka:9092`,
            'Executar a migração',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'bugfix', 'gotcha'],
        says: [/cleaner/, /morreu|morre/, /5,03|dedupe|__consumer_offsets/],
      },
      { type: ['preference', 'decision'], says: [/40 MB\/s/, /VoIP/] },
      { type: ['preference', 'decision'], says: [/18/, /22 h/, /partições/] },
      { type: ['preference', 'decision'], says: [/retenção/, /E-Redes|contrato/] },
      {
        type: ['gotcha', 'how-it-works', 'discovery', 'change'],
        says: [/buffer/, /dividido|cada uma/, /threads/],
      },
      {
        type: ['gotcha', 'how-it-works', 'discovery'],
        says: [/throttle/, /--verify/, /replicação|fica na configuração/],
      },
      { type: ['change', 'bugfix', 'discovery'], says: [/512 MB|dedupe/, /threads|buffer/], files: [PROPS] },
    ],
    niceToHave: [
      { type: ['decision', 'discovery', 'gotcha'], says: [/plano/, /1,1 TB|8 horas/, /Descart|à mão/] },
      { type: ['gotcha', 'discovery'], says: [/sem qualquer alarme|ninguém deu por nada/] },
      { type: ['bugfix', 'discovery', 'change'], says: [/311 GB/, /2,1 GB|76/] },
      { type: ['change', 'discovery'], says: [/runbook/], files: [RUNBOOK] },
    ],
    summaries: [{ prompt: 1, request: [/broker 4/], filesRead: [PROPS], filesModified: [PROPS, PLAN] }],
    noise: [
      'Começo pelo tamanho de cada tópico',
      'Arranco agora',
      'Deixo isto no runbook',
      'O estranho é outro número',
    ],
    untrue: [
      /migração (está )?(concluída|terminada|completa)/,
      /partições 0 e 6 (já )?(foram|estão) (movidas|no broker 7)/,
      /(causa|culpa)[^.]{0,20}desequilíbrio/,
      /(baixei|reduzi) a retenção/,
    ],
    followUps: [
      {
        asks: 'quero esvaziar o broker 2 hoje ao jantar, a que velocidade posso copiar?',
        says: [/40 MB\/s/, /22 h/],
      },
      {
        asks: 'o disco está outra vez cheio, posso guardar só um dia de dados dos contadores?',
        says: [/E-Redes|contrato/],
      },
      { asks: 'o __consumer_offsets cresceu para 80 GB no broker 5', says: [/cleaner/, /dedupe|buffer/] },
      {
        asks: 'vou pôr 4 threads no log cleaner, preciso de mudar mais alguma coisa?',
        says: [/dividido|cada uma/],
      },
      {
        asks: 'depois de mudar réplicas a sincronização ficou muito lenta, dias depois ainda',
        says: [/throttle/, /--verify/],
      },
    ],
    unrelated: [
      'cria um script que exporta os esquemas do schema registry para uma pasta',
      'como é que se muda a password do Grafana?',
      'escreve uma nota de boas-vindas para o novo colega da equipa de plataforma',
    ],
  },
};
