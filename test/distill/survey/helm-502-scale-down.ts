import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const DEPLOYMENT = 'charts/pedidos-api/templates/deployment.yaml';
const HPA = 'charts/pedidos-api/templates/hpa.yaml';
const VALUES = 'charts/pedidos-api/values.yaml';
const HML = 'charts/pedidos-api/values-hml.yaml';

const minutes = ['09:14', '09:41', '10:22', '11:03', '11:57', '14:08', '15:31', '16:49'];

export const helmScaleDown502: SurveySession = {
  name: '502 quando o HPA encolhe',
  about:
    'The cause of 502 answers is found and cured in the chart; the terminal dies in the middle of the upgrade.',
  kind: 'operations',
  language: 'pt',
  ecosystem: 'kubernetes',
  files: {
    'charts/pedidos-api/Chart.yaml': 'apiVersion: v2\nname: pedidos-api\nversion: 1.18.0\n',
    [DEPLOYMENT]: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: pedidos-api
spec:
  template:
    spec:
      terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
      containers:
        - name: api
          image: registry.interno/pedidos-api:{{ .Values.tag }}
          {{- with .Values.lifecycle }}
          lifecycle: {{- toYaml . | nindent 12 }}
          {{- end }}
          resources: {{- toYaml .Values.resources | nindent 12 }}
`,
    [HPA]: `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: pedidos-api
spec:
  minReplicas: {{ .Values.hpa.min }}
  maxReplicas: {{ .Values.hpa.max }}
  behavior:
    scaleDown:
      stabilizationWindowSeconds: {{ .Values.hpa.scaleDownWindow }}
`,
    [VALUES]: `tag: "2026.03.2"
terminationGracePeriodSeconds: 30
lifecycle: {}
hpa:
  min: 3
  max: 12
  scaleDownWindow: 60
resources:
  limits: { cpu: "1", memory: 768Mi }
`,
    [HML]: `tag: "2026.03.4-rc1"
lifecycle: null
hpa:
  min: 3
  max: 6
`,
    'ops/ingress-502.log': `${minutes.flatMap((at) => Array.from({ length: 5 }, (_, n) => `${at}:0${n + 2} 502 POST /v1/pedidos upstream reset by peer`)).join('\n')}\n13:20:44 502 GET /v1/pedidos upstream timed out\n`,
  },
  programs: {
    kubectl: `#!/bin/sh
case "$*" in
  *current-context*) echo "eks-prod-sp" ;;
  *"get events"*) ${minutes.map((at) => `echo "${at}:00 SuccessfulRescale New size: 3; reason: All metrics below target"`).join('; ')} ;;
  *"get pods"*) echo "pedidos-api-6c9d-2xkqp 1/1 Running 0 26h"; echo "pedidos-api-6c9d-8mzlw 1/1 Running 0 26h"; echo "pedidos-api-6c9d-w7rtn 1/1 Running 0 26h" ;;
  *throttled*) echo "nr_periods 918220"; echo "nr_throttled 2754" ;;
  *"logs"*) echo "SIGTERM received, closing listener"; echo "longest request drained: 24.6s" ;;
esac
`,
    helm: `#!/bin/sh
case "$1" in
  template) if grep -q '^lifecycle: null' ${HML}; then echo "terminationGracePeriodSeconds: 45"; else echo "preStop:"; echo "  exec: sleep 15"; fi ;;
  lint) echo "1 chart(s) linted, 0 chart(s) failed" ;;
  history) echo "41 deployed pedidos-api-1.18.0" ;;
  upgrade) echo started > upgrade.started; echo "Release pedidos-api is being upgraded"; sleep 30 ;;
esac
`,
  },
  prompts: [
    'desde ontem o ingress devolve 502 em rajadas na pedidos-api em homologação (ops/ingress-502.log). descobre a causa, corrige no chart e sobe com helm em hml. em produção ninguém mexe antes da janela de quinta às 22h',
  ],
  how: { cut: 'killed', when: 'upgrade.started' },
  script: (dir) => {
    const { run, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Vou ver primeiro em que cluster estou e como os erros se distribuem no tempo.'),
          run('kubectl config current-context', 'Contexto atual', 'eks-prod-sp'),
          run('cut -c1-5 ops/ingress-502.log | sort | uniq -c', '502 por minuto', '5 09:14'),
        ],
        [
          say(
            'Cuidado: o contexto padrão desta máquina é `eks-prod-sp`, ou seja, produção. Todo comando daqui em diante leva `--context eks-hml-sp` explícito.\n\nMinha primeira hipótese é throttling de CPU: o limite é 1 core e os erros vêm em rajadas. Vou medir antes de mexer.',
          ),
          run('kubectl --context eks-hml-sp get pods', 'Reinícios dos pods', '26h'),
          run(
            'kubectl --context eks-hml-sp exec deploy/pedidos-api -- grep throttled cpu.stat',
            'Períodos com throttling',
            'nr_throttled 2754',
          ),
          run(
            'kubectl --context eks-hml-sp get events --field-selector reason=SuccessfulRescale',
            'Eventos do HPA',
            'New size: 3',
          ),
        ],
        [
          say(
            'Não é throttling: 2754 de 918220 períodos dá 0,3 %, e nenhum pod reiniciou em 26 h. O que bate são os eventos do HPA: 40 dos 41 erros 502 caem nos primeiros 10 segundos depois de um scale-down para 3 réplicas. O que sobra (13:20:44, timeout num GET) é outra coisa.',
          ),
          read(DEPLOYMENT),
          read(HPA),
          read(VALUES),
          run(
            'kubectl --context eks-hml-sp logs deploy/pedidos-api --previous',
            'O que o pod faz ao receber SIGTERM',
            'closing listener',
          ),
        ],
        [
          say(`Causa: ao receber SIGTERM a API fecha o listener na hora, mas o nginx do ingress leva alguns segundos até tirar o endpoint da lista. Nesse intervalo ele ainda manda requisições para um pod que já não escuta, e a conexão volta como "reset by peer". Só não aparecia antes porque com \`scaleDownWindow: 60\` o HPA encolhe várias vezes por dia desde que o teste de carga começou ontem.

O que vou fazer no chart:
- \`preStop\` com \`sleep 15\`, para o ingress esquecer o pod antes do SIGTERM
- \`terminationGracePeriodSeconds\` de 30 para 45, porque o preStop conta dentro do prazo e a requisição mais longa drenou em 24,6 s: 15 + 25 não cabem em 30
- \`scaleDownWindow\` de 60 para 300, para não encolher e crescer o dia todo

Descartei subir o mínimo de 3 para 6 réplicas: custaria uns R$ 1.900 por mês e só esconderia o problema, porque qualquer deploy tem o mesmo corte.`),
          edit(VALUES, 'terminationGracePeriodSeconds: 30', 'terminationGracePeriodSeconds: 45'),
          edit(VALUES, 'lifecycle: {}', 'lifecycle:\n  preStop:\n    exec: { command: ["sleep", "15"] }'),
          edit(VALUES, 'scaleDownWindow: 60', 'scaleDownWindow: 300'),
        ],
        [
          run(
            `helm template charts/pedidos-api -f ${HML}`,
            'Conferir o manifesto gerado',
            'terminationGracePeriodSeconds: 45',
          ),
        ],
        [
          say(
            'O prazo saiu com 45, mas o `preStop` não está no manifesto. Deixa eu ver o que o arquivo de hml sobrescreve.',
          ),
          read(HML),
        ],
        [
          say(
            'Achei: `values-hml.yaml` tem `lifecycle: null`, e no Helm um `null` apaga a chave herdada do `values.yaml`. Com isso o preStop nunca chegaria em hml, sem erro nenhum. Tiro a linha.',
          ),
          edit(HML, 'lifecycle: null\n', ''),
        ],
        [
          run(`helm template charts/pedidos-api -f ${HML}`, 'Conferir de novo', 'sleep 15'),
          run('helm lint charts/pedidos-api', 'Lint do chart', '0 chart(s) failed'),
          run('helm history pedidos-api --kube-context eks-hml-sp', 'Revisão atual', '41 deployed'),
        ],
        [
          say(
            'Manifesto certo agora. A revisão atual em hml é a 41, é para ela que se volta se algo der errado. Subindo:',
          ),
          cut(
            `helm upgrade pedidos-api charts/pedidos-api -f ${HML} --kube-context eks-hml-sp --wait --timeout 10m`,
            'Upgrade em homologação',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha', 'how-it-works'],
        says: ['SIGTERM', /listener|não escuta/, /ingress|nginx/],
        prompt: 1,
      },
      {
        type: ['bugfix', 'change', 'decision'],
        says: ['preStop', /sleep 15|"15"/, /45/],
        files: [VALUES],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'how-it-works'],
        says: ['lifecycle', 'null', /apaga|sobrescreve|nunca chegaria/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'preference', 'how-it-works'],
        says: ['eks-prod-sp', /contexto|--context/],
        prompt: 1,
      },
      {
        type: ['decision', 'discovery'],
        says: [/de 3 para 6|mínimo/, /1\.900|esconderia/],
        prompt: 1,
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/produção/, /quinta/, /22h/],
        prompt: 1,
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'gotcha', 'bugfix', 'how-it-works'],
        says: [/40 dos 41|10 segundos/, /scale-down|HPA/],
      },
      { type: ['discovery', 'decision', 'gotcha', 'bugfix'], says: [/throttling/, /0,3/] },
      { type: ['change', 'decision', 'bugfix'], says: [/scaleDownWindow/, '300'] },
      { type: ['discovery', 'gotcha', 'change'], says: [/revisão/, '41'] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['502', /pedidos-api/],
        learned: [/SIGTERM|listener|HPA/],
        completed: [/preStop|terminationGracePeriodSeconds|lifecycle/],
        filesRead: [HPA],
        filesModified: [VALUES, HML],
      },
    ],
    noise: [
      'Vou ver primeiro em que cluster',
      'Deixa eu ver o que o arquivo',
      /Subindo:/,
      '0 chart(s) failed',
      'pedidos-api-6c9d-8mzlw',
      'SuccessfulRescale',
    ],
    untrue: [
      /(causa|problema) (é|era|foi) (o )?throttling/i,
      /hipótese é throttling/,
      /upgrade (foi )?(feito|concluído|aplicado)/,
      /(já )?está no ar em (hml|homologação)/,
      /revisão 42/,
    ],
    followUps: [
      {
        asks: 'por que o chart da pedidos-api espera 15 segundos antes de derrubar o pod?',
        says: [/SIGTERM|endpoint|ingress/],
      },
      {
        asks: 'coloquei um bloco novo no values.yaml e ele simplesmente não aparece no manifesto de hml. já vimos isso?',
        says: ['null', /apaga|sobrescreve|lifecycle/],
      },
      {
        asks: 'posso aumentar o número mínimo de réplicas para evitar erros nos picos?',
        says: [/1\.900|esconderia/],
      },
      { asks: 'rodar kubectl direto nesta máquina é seguro? pra onde ele aponta?', says: ['eks-prod-sp'] },
      {
        asks: 'continuar o trabalho dos 502: o que falta e quando dá pra levar pra produção?',
        says: [/quinta/, /22h/],
      },
      {
        asks: 'can I lower terminationGracePeriodSeconds back to 30 to make rollouts faster?',
        says: [/24,6|15 \+ 25/],
      },
      {
        asks: 'os clientes reclamam de conexões cortadas quando o cluster reduz máquinas à noite. foi CPU?',
        says: [/throttling/, /0,3/],
      },
    ],
    unrelated: [
      'adiciona um label team=checkout em todos os recursos do chart',
      'como eu crio um secret a partir de um arquivo .env?',
      'escreve um README curto para a pasta charts',
    ],
  },
};
