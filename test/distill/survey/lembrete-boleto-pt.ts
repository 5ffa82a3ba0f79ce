import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const LEMBRETE = 'cobranca/lembretes.py';
const FILA = 'cobranca/fila.py';
const TESTE = 'tests/test_lembretes.py';

export const lembreteBoleto: SurveySession = {
  name: 'lembrete de boleto',
  about:
    'Um lembrete de vencimento: dias corridos viram dias úteis, um horário errado vem do UTC e não do horário de verão.',
  kind: 'feature',
  language: 'pt',
  ecosystem: 'python',
  files: {
    'cobranca/__init__.py': '',
    [FILA]: `"""Fila de mensagens. O worker chama pode_enviar() antes de cada envio."""
from datetime import datetime


def pode_enviar(agora=None):
    agora = agora or datetime.utcnow()
    return True
`,
    'cobranca/feriados.py': `from datetime import date

FIXOS = {(1, 1), (4, 21), (5, 1), (9, 7), (10, 12), (11, 2), (11, 15), (11, 20), (12, 25)}


def feriado(dia: date) -> bool:
    return (dia.month, dia.day) in FIXOS
`,
    'tests/__init__.py': '',
    'requirements.txt': 'celery==5.4.0\n',
  },
  prompts: [
    'preciso do lembrete de boleto por whatsapp, 3 dias antes do vencimento. a fila já existe (cobranca/fila.py). só em dia útil e só entre 9h e 18h, o jurídico não abre mão disso. ah, e nada de biblioteca de feriado, usa o nosso feriados.py',
    'opa, são 3 dias ÚTEIS, não corridos. e sexta-feira santa tem que contar como feriado. corpus christi não, aqui a gente trabalha',
    'em homologação saiu um lembrete às 6h40 da manhã!! deve ser horário de verão, dá uma olhada',
    'boa. sobe isso amanhã, hoje é dia de fechamento e ninguém faz deploy no dia 30',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [say('Vou ver o que já existe.'), read(FILA), read('cobranca/feriados.py')],
        [
          write(
            LEMBRETE,
            `from datetime import date, timedelta

from .feriados import feriado


def dia_util(dia: date) -> bool:
    return dia.weekday() < 5 and not feriado(dia)


def data_do_lembrete(vencimento: date) -> date:
    """Três dias antes do vencimento; se não for dia útil, o dia útil anterior."""
    dia = vencimento - timedelta(days=3)
    while not dia_util(dia):
        dia -= timedelta(days=1)
    return dia
`,
          ),
          edit(FILA, '    return True\n', '    return 9 <= agora.hour < 18\n'),
          write(
            TESTE,
            `import unittest
from datetime import date, datetime

from cobranca.fila import pode_enviar
from cobranca.lembretes import data_do_lembrete


class Lembretes(unittest.TestCase):
    def test_cai_no_dia_util_anterior(self):
        self.assertEqual(data_do_lembrete(date(2026, 3, 18)), date(2026, 3, 13))

    def test_janela(self):
        self.assertFalse(pode_enviar(datetime(2026, 3, 4, 18, 0)))


if __name__ == '__main__':
    unittest.main()
`,
          ),
        ],
        [run('python3 -m unittest 2>&1 | tail -3', 'Roda os testes', 'OK')],
        [
          say(`Pronto, primeira versão:

- \`data_do_lembrete()\` em \`${LEMBRETE}\`: três dias corridos antes do vencimento; caindo em fim de semana ou feriado, volta para o dia útil anterior.
- \`pode_enviar()\` em \`${FILA}\` só libera das 9h às 18h (18h00 já não envia).

Para disparar pensei em duas opções: uma task agendada no Celery beat ou um cron na máquina. Fui de **Celery beat**: o cron roda só em uma das máquinas e ninguém percebe quando ela cai; o beat já é monitorado. Posso seguir assim?`),
        ],
        [
          say(
            'Certo, conto em dias úteis. A sexta-feira santa depende da Páscoa, então calculo com o algoritmo de Gauss em vez de uma tabela.',
          ),
          edit(
            LEMBRETE,
            `    """Três dias antes do vencimento; se não for dia útil, o dia útil anterior."""
    dia = vencimento - timedelta(days=3)
    while not dia_util(dia):
        dia -= timedelta(days=1)
    return dia
`,
            `    """Três dias úteis antes do vencimento."""
    dia, faltam = vencimento, 3
    while faltam:
        dia -= timedelta(days=1)
        faltam -= dia_util(dia)
    return dia
`,
          ),
          edit(
            'cobranca/feriados.py',
            `def feriado(dia: date) -> bool:
    return (dia.month, dia.day) in FIXOS
`,
            `def pascoa(ano: int) -> date:
    a, b, c = ano % 19, ano // 100, ano % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    l = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * l) // 451
    n = h + l - 7 * m + 114
    return date(ano, n // 31, n % 31 + 1)


def feriado(dia: date) -> bool:
    # Corpus Christi fica de fora: a empresa trabalha nesse dia.
    return (dia.month, dia.day) in FIXOS or dia == pascoa(dia.year) - timedelta(days=2)
`,
          ),
        ],
        [
          fail(
            'python3 -c "from datetime import date; from cobranca.lembretes import data_do_lembrete as d; print(d(date(2026, 4, 7)))"',
            'Confere a Páscoa de 2026',
            'NameError',
          ),
        ],
        [
          edit(
            'cobranca/feriados.py',
            'from datetime import date\n',
            'from datetime import date, timedelta\n',
          ),
        ],
        [
          run(
            'python3 -c "from datetime import date; from cobranca.lembretes import data_do_lembrete as d; print(d(date(2026, 4, 7)))"',
            'Confere a Páscoa de 2026',
            '2026-04-01',
          ),
          run('python3 -m unittest 2>&1 | tail -3', 'Roda os testes', 'OK'),
        ],
        [
          say(
            'Corrigido: o lembrete agora sai três dias **úteis** antes do vencimento. A sexta-feira santa conta como feriado (calculada a partir da Páscoa), Corpus Christi não, porque vocês trabalham nesse dia. Exemplo: boleto com vencimento em 07/04/2026 tem lembrete em 01/04, pulando a sexta-feira santa do dia 3 e o fim de semana.',
          ),
        ],
        [
          say('Antes de culpar o horário de verão, vou medir: o Brasil não tem horário de verão desde 2019.'),
          run(
            `python3 -c "from datetime import datetime, timezone; from zoneinfo import ZoneInfo; from cobranca.fila import pode_enviar; u = datetime(2026, 3, 4, 9, 40); print(pode_enviar(u), u.replace(tzinfo=timezone.utc).astimezone(ZoneInfo('America/Sao_Paulo')).strftime('%H:%M'))"`,
            'O que a fila vê às 6h40',
            'True 06:40',
          ),
        ],
        [
          edit(
            FILA,
            'from datetime import datetime\n',
            'from datetime import datetime\nfrom zoneinfo import ZoneInfo\n',
          ),
          edit(FILA, 'datetime.utcnow()', "datetime.now(ZoneInfo('America/Sao_Paulo'))"),
        ],
        [run('python3 -m unittest 2>&1 | tail -3', 'Roda os testes', 'OK')],
        [
          say(`Não era horário de verão. \`pode_enviar()\` usava \`datetime.utcnow()\`, e às 6h40 de Brasília são 9h40 em UTC, dentro da janela. A janela inteira estava deslocada três horas: enviava das 6h às 15h.

Agora a fila usa o fuso \`America/Sao_Paulo\`. O container de homologação roda em UTC e o de produção também, então o problema teria aparecido lá do mesmo jeito. Meu teste não pegou porque passava a hora pronta para a função.`),
        ],
        [
          say(
            'Combinado, fica para amanhã. Nada foi publicado. Para amanhã faltam: o merge, a entrada da task no Celery beat e um envio de teste em homologação depois das 9h.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['preference', 'decision', 'feature', 'change', 'bugfix'],
        says: [/3 dias|três dias/, /úteis/],
      },
      {
        type: ['preference', 'decision', 'change', 'feature', 'gotcha'],
        says: [/corpus christi/i, /sexta-feira santa/i],
      },
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/utc/i, /pode_enviar|janela|fila/, /6h40|três horas|America\/Sao_Paulo/],
      },
      { type: ['preference', 'decision'], says: [/9h/, /18h/, /jurídico/] },
      { type: ['preference', 'decision'], says: [/biblioteca de feriado/, /feriados\.py/] },
      { type: ['preference'], says: [/deploy/, /dia 30|fechamento/] },
      { type: ['decision'], says: [/celery beat/i, /cron/] },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery'], says: [/teste não pegou|hora pronta/] },
      { type: ['discovery', 'gotcha'], says: [/horário de verão/, /2019|não era/] },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/container/, /utc/i] },
      { type: ['change', 'feature', 'decision', 'how-it-works'], says: [/Páscoa/, /Gauss|calculad/] },
    ],
    summaries: [
      { prompt: 1, request: [/lembrete/], completed: [/pode_enviar|9h/], filesModified: [LEMBRETE, FILA] },
      { prompt: 2, request: [/úteis/i], completed: [/úteis/] },
      { prompt: 3, request: [/6h40/], learned: [/utc/i], completed: [/Sao_Paulo/] },
      { prompt: 4, optional: true, nextSteps: [/celery beat|merge/i] },
    ],
    noise: [
      'Vou ver o que já existe',
      'Posso seguir assim',
      /\bopa,/,
      'Combinado, fica para amanhã',
      'NameError',
    ],
    untrue: [
      /três dias corridos antes do vencimento/,
      /(causa|culpa) (foi|era|é) o horário de verão/,
      /(?<!nada )(foi|está) (publicado|em produção)/,
      /caindo em fim de semana ou feriado, volta/,
    ],
    followUps: [
      { asks: 'corpus christi tá faltando no feriados.py, adiciono?', says: [/corpus christi/i, /trabalha/] },
      {
        asks: 'a mensagem de aviso de cobrança está saindo em horário estranho, isso já aconteceu antes?',
        says: [/utc/i],
      },
      { asks: 'posso subir a correção hoje? é dia 30', says: [/fechamento|ninguém faz deploy/] },
      {
        asks: 'dá pra instalar o pacote holidays e apagar essa conta toda?',
        says: [/biblioteca de feriado|feriados\.py/],
      },
      { asks: 'por que a gente não dispara isso pelo crontab da máquina?', says: [/celery beat/i] },
    ],
    unrelated: [
      'cria um endpoint que devolve o saldo do cliente em json',
      'o logo no pdf da nota está cortado, arruma a margem',
      'qual a diferença entre select_related e prefetch_related?',
    ],
  },
};
