import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const PARTIAL = 'refunds/partial.py';
const GATEWAY = 'refunds/gateway.py';
const GATEWAY_DOCS = 'docs/gateway.md';
const INDEX = 'migrations/0007_refunds_payment_idx.sql';

const PARTIAL_PY = `import time
import uuid

from refunds.gateway import GatewayTimeout


class RefundTooLarge(Exception):
    pass


def refund_partial(db, gateway, payment_id, amount):
    payment = db.get_payment(payment_id)
    refunded = sum(r["amount"] for r in db.refunds_of(payment_id))
    if refunded + amount > payment["amount"]:
        raise RefundTooLarge(payment_id)

    cents = int(float(amount) * 100)
    for attempt in range(3):
        try:
            key = str(uuid.uuid4())
            result = gateway.refund(payment["gateway_id"], cents, key)
            break
        except GatewayTimeout:
            time.sleep(0.01 * 2**attempt)
    db.save_refund(payment_id, amount, result)
    return result
`;

const PARTIAL_TEST_PY = `import unittest
from decimal import Decimal

from refunds.partial import RefundTooLarge, refund_partial


class FakeGateway:
    def refund(self, gateway_id, cents, key):
        return "rf_1"


class FakeDb:
    def __init__(self):
        self.saved = []

    def get_payment(self, payment_id):
        return {"amount": Decimal("100.00"), "gateway_id": "gw_1"}

    def refunds_of(self, payment_id):
        return self.saved

    def save_refund(self, payment_id, amount, result):
        self.saved.append({"amount": amount})


class PartialTest(unittest.TestCase):
    def test_partial(self):
        self.assertEqual(refund_partial(FakeDb(), FakeGateway(), 1, Decimal("40.00")), "rf_1")

    def test_too_large(self):
        with self.assertRaises(RefundTooLarge):
            refund_partial(FakeDb(), FakeGateway(), 1, Decimal("140.00"))
`;

export const pythonRefundReview: SurveySession = {
  name: 'python-refund-review',
  about:
    "Review of a colleague's branch for partial refunds: findings by weight, a question about one of them.",
  kind: 'review',
  language: 'pt',
  ecosystem: 'python',
  files: {
    'refunds/__init__.py': '',
    [GATEWAY]: `class GatewayTimeout(Exception):
    pass


class Gateway:
    def __init__(self, http):
        self.http = http

    def refund(self, gateway_id, cents, key):
        return self.http.post(f"/v2/{gateway_id}/refunds", {"amount": cents}, {"Idempotency-Key": key})
`,
    [GATEWAY_DOCS]: `# Adquirente

- Idempotency-Key: requisições com a mesma chave em até 24 h devolvem a primeira resposta.
- Sandbox: recusa estorno acima do saldo restante (erro 4021).
- Produção: compara cada estorno apenas com o valor original da transação.
- Timeout do lado deles: 12 s; a operação pode ter sido efetivada mesmo assim.
`,
    [INDEX]: 'CREATE INDEX CONCURRENTLY refunds_payment_idx ON refunds (payment_id);\n',
    'pyproject.toml': '[project]\nname = "pagamentos"\nversion = "4.2.0"\n\n[tool.ruff]\nline-length = 100\n',
  },
  programs: {
    gh: `#!/bin/sh
case "$1 $2" in
  "pr view")
    echo "Estorno parcial #231"
    echo "Open • thiago wants to merge 1 commit into main from feat/estorno-parcial"
    echo ""
    echo "  Permite estornar parte do valor. Retry em caso de timeout da adquirente."
    ;;
  "pr checkout")
    git checkout -q -b feat/estorno-parcial
    mkdir -p tests
    touch tests/__init__.py
    cat > ${PARTIAL} <<'PY'
${PARTIAL_PY}PY
    cat > tests/test_partial.py <<'PY'
${PARTIAL_TEST_PY}PY
    git add -A
    git commit -qm "estorno parcial" --author "Thiago <thiago@example.invalid>"
    echo "Switched to a new branch 'feat/estorno-parcial'"
    ;;
  "pr review") echo "✓ Requested changes to pull request #231" ;;
esac
`,
  },
  prompts: [
    'revisa o PR 231 do Thiago pra mim (estorno parcial)? foco em dinheiro e concorrência, estilo deixa pro ruff, nunca comenta isso em review. ordena por gravidade pfv',
    'boa. não entendi bem o 2 – a adquirente não deduplica sozinha? e no 1, o gateway já não barra estorno maior que o saldo? lembro do Thiago ter testado isso',
    'fechou. posta como request changes então, só os bloqueantes. o lock pede com select for update na linha do pagamento, nada de redis: tiramos o redlock ano passado depois do incidente de estorno duplo. e vale pra tudo aqui: valor trafega em centavos inteiros, Decimal só na borda da API, float nunca. ah e o Thiago sai de férias sexta, então quem assume o PR é a Bia',
  ],
  script: (dir) => {
    const { run, fail, read, write } = callsIn(dir);
    return {
      main: [
        [
          say('Vou dar uma olhada no PR e trazer o branch pra cá.'),
          run('gh pr view 231', 'Ver o PR', 'Estorno parcial'),
          run('gh pr checkout 231', 'Trazer o branch', 'feat/estorno-parcial'),
        ],
        [
          run('git diff main --stat && git log main.. --format="%an %s"', 'Tamanho da mudança', 'Thiago'),
          read(PARTIAL),
          read('tests/test_partial.py'),
          read(GATEWAY),
        ],
        [run('python3 -m unittest -q tests.test_partial 2>&1', 'Testes do branch', 'OK')],
        [
          say(
            'Os testes passam, mas o FakeGateway nunca dá timeout, então o laço de retry não é exercitado em nenhum teste. Vou simular um timeout depois de o estorno ter sido efetivado.',
          ),
          run(
            `python3 - <<'PY'
from decimal import Decimal
from refunds.gateway import GatewayTimeout
from refunds.partial import refund_partial
from tests.test_partial import FakeDb

class Slow:
    def __init__(self): self.done = {}
    def refund(self, gid, cents, key):
        first = not self.done
        self.done[key] = cents
        if first: raise GatewayTimeout()
        return "rf"

g = Slow()
refund_partial(FakeDb(), g, 1, Decimal("40.00"))
print("estornos na adquirente:", len(g.done), "total:", sum(g.done.values()))
PY`,
            'Simular timeout com estorno efetivado',
            'estornos na adquirente: 2 total: 8000',
          ),
        ],
        [
          say(
            'Confirmado: R$ 40 viraram R$ 80. A chave de idempotência é gerada dentro do laço de retry, então cada tentativa leva um uuid novo e a adquirente enxerga dois estornos diferentes. Agora os três timeouts seguidos e a conversão pra centavos.',
          ),
          fail(
            `python3 - <<'PY'
from decimal import Decimal
from refunds.gateway import GatewayTimeout
from refunds.partial import refund_partial
from tests.test_partial import FakeDb

class Dead:
    def refund(self, *a): raise GatewayTimeout()

refund_partial(FakeDb(), Dead(), 1, Decimal("40.00"))
PY`,
            'Três timeouts seguidos',
            'UnboundLocalError',
          ),
          run(
            `python3 -c "print([c for c in range(1, 10001) if int(float('%d.%02d' % divmod(c, 100)) * 100) != c][:3], sum(int(float('%d.%02d' % divmod(c, 100)) * 100) != c for c in range(1, 10001)))"`,
            'Quantos valores perdem um centavo',
            '[29, 57, 58]',
          ),
        ],
        [
          say(
            'Até R$ 100,00 são centenas de valores que perdem um centavo no `int(float(amount) * 100)`. Falta a concorrência; também desconfio que a soma em refunds_of não tenha índice.',
          ),
          run('ls migrations && cat migrations/*', 'Índices em refunds', 'refunds_payment_idx'),
          run(
            `python3 - <<'PY'
import threading, time
from decimal import Decimal
from refunds.partial import refund_partial
from tests.test_partial import FakeDb

class G:
    def refund(self, *a):
        time.sleep(0.05)
        return "rf"

db = FakeDb()
ts = [threading.Thread(target=refund_partial, args=(db, G(), 1, Decimal("60.00"))) for _ in range(2)]
[t.start() for t in ts]; [t.join() for t in ts]
print("estornado:", sum(r["amount"] for r in db.saved), "de 100.00")
PY`,
            'Dois estornos ao mesmo tempo',
            'estornado: 120.00 de 100.00',
          ),
        ],
        [
          say(`## Review do PR 231

O índice existe (migração 0007), então retiro essa suspeita. O resto, por gravidade:

### 🔴 Bloqueantes

1. **Corrida na verificação do saldo.** Entre ler \`refunds_of\` e gravar com \`save_refund\` não há lock: dois pedidos simultâneos de R$ 60 passaram e estornaram R$ 120 de um pagamento de R$ 100.
2. **Chave de idempotência nova a cada tentativa.** Timeout depois de efetivado gera estorno duplo. A chave tem que nascer antes do laço e ser gravada junto com o pedido.
3. **\`result\` sem valor após três timeouts.** Dá UnboundLocalError e o estorno, que pode ter sido efetivado, fica sem registro nenhum no banco.

### 🟡 Importante

4. **Centavos via float.** \`int(float(amount) * 100)\` trunca: 0,29 vira 28 centavos.

### ⚪ Nits

5. \`time.sleep\` segura o worker; o projeto não tem outro retry síncrono.

No geral é um PR bem escrito e fácil de ler, parabéns ao Thiago! Quer que eu poste os comentários?`),
        ],
        [say('Deixa eu conferir na documentação em vez de responder de cabeça.'), read(GATEWAY_DOCS)],
        [
          say(`As duas respostas estão no docs/gateway.md:

**Sobre o 2:** deduplica, mas só por chave. A adquirente devolve a primeira resposta quando a Idempotency-Key é a mesma, e isso vale por 24 h. Com uuid novo por tentativa ela não tem como saber. Um retry manual no dia seguinte também não estaria protegido.

**Sobre o 1:** só no sandbox: lá o estorno acima do saldo restante é recusado (erro 4021), e deve ter sido isso que o Thiago viu. Em produção cada estorno é comparado apenas com o valor original da transação, nunca com a soma, ou seja, a nossa verificação é a única barreira.

Faz sentido? Posso detalhar mais se precisar.`),
        ],
        [
          write(
            'review-231.md',
            `Bia, Thiago: três pontos bloqueantes, todos com reprodução.

1. Corrida na verificação do saldo: travar a linha do pagamento com SELECT ... FOR UPDATE antes de somar os estornos. Em produção a adquirente não compara com a soma.
2. Chave de idempotência: gerar uma vez, antes do laço, e persistir junto com o pedido.
3. Depois de três timeouts gravar o estorno como "pendente" em vez de deixar o UnboundLocalError subir.

Valores em centavos inteiros; sem float no caminho.
`,
          ),
        ],
        [
          run(
            'gh pr review 231 --request-changes --body-file review-231.md && rm review-231.md && git checkout -q main',
            'Postar a review',
            'Requested changes',
          ),
        ],
        [
          say(`Postado como request changes, endereçado à Bia.

Incluí o ponto dos centavos numa linha só, já que é regra de vocês. O nit do \`time.sleep\` ficou de fora.

Bom trabalho em equipe! 🙌`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/corrida|simultâneos/, /lock/, /saldo|R\$ 120/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/chave/, /idempotência/, /laço|tentativa/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'how-it-works', 'discovery'],
        says: [/sandbox/, /produção/, /valor original|soma/],
        prompt: 2,
      },
      { type: ['preference', 'decision'], says: [/select for update/, /redis|redlock/], prompt: 3 },
      { type: 'preference', says: [/centavos inteiros/, /float nunca|Decimal só/], prompt: 3 },
      { type: 'preference', says: [/estilo/, /ruff/], prompt: 1 },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/UnboundLocalError/, /timeouts/], prompt: 1 },
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/int\(float\(amount\)/, /trunca|perdem/], prompt: 1 },
      { type: ['gotcha', 'how-it-works', 'discovery'], says: [/Idempotency-Key|chave/, /24 h/], prompt: 2 },
      { type: ['discovery', 'gotcha'], says: [/FakeGateway/, /timeout/], prompt: 1 },
      { type: ['preference', 'decision', 'change', 'discovery'], says: [/Bia/, /PR/], prompt: 3 },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['PR 231'],
        learned: [/lock|chave/],
        filesRead: [GATEWAY],
      },
      { prompt: 2, request: ['deduplica'], learned: [/sandbox|24 h/], filesRead: [GATEWAY_DOCS] },
      { prompt: 3, request: ['request changes'], completed: [/request changes/] },
    ],
    noise: [
      'Vou dar uma olhada no PR',
      'Deixa eu conferir na documentação',
      'parabéns ao Thiago',
      'Quer que eu poste os comentários',
      'Posso detalhar mais se precisar',
      'Bom trabalho em equipe',
      "Switched to a new branch 'feat/estorno-parcial'",
      'também desconfio que a soma em refunds_of não tenha índice',
    ],
    untrue: [
      /(falta|sem) (o |um )?índice/,
      /(em )?produção[^.]{0,30}(barra|recusa) estorno/,
      /lock (com|no|via|em) redis/,
    ],
    followUps: [
      {
        asks: 'preciso serializar os saques da carteira, monto um mutex distribuído ou o quê?',
        says: [/select for update/, /redis|redlock/],
      },
      {
        asks: 'no ambiente de homologação devolver mais que o cliente pagou dá erro, posso confiar nisso e tirar a checagem do nosso lado?',
        says: [/sandbox/, /produção/],
      },
      {
        asks: 'cria o endpoint de taxa de conveniência; que tipo uso pro campo de dinheiro?',
        says: [/centavos inteiros/],
      },
      {
        asks: 'por quanto tempo dá pra repetir a mesma chamada pra adquirente sem risco de duplicar?',
        says: [/24 h/],
      },
      {
        asks: 'olha o pull request da Carla e comenta formatação e nomes também?',
        says: [/ruff/],
      },
      {
        asks: 'com quem falo sobre o estorno parcial, o Thiago não responde',
        says: [/Bia/],
      },
    ],
    unrelated: [
      'atualiza o python do Dockerfile pra 3.12',
      'o relatório mensal de vendas tá demorando muito pra exportar em CSV, investiga',
      'escreve um teste pro parser do arquivo de conciliação',
    ],
  },
};
