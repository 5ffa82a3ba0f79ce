import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const FEE = 'settle/fee.py';
const BATCH = 'settle/batch.py';
const REFUND = 'settle/refund.py';
const PREVIEW = 'tools/preview.py';
const QUERY = 'dashboard/daily_fee.sql';
const DATA = 'data/2026-02-11.csv';

const AMOUNTS = [
  17900, 8900, 23500, 1250, 4900, 45500, 4900, 17900, 59000, 1250, 45500, 12500, 1250, 4900, 23500, 23500,
  4900, 12500, 4900, 45500, 23500, 1250, 59000, 4900, 12500, 59000, 1250, 59000, 59000, 23500, 1250, 12500,
  1250, 45500, 8900, 13900, 23500, 8900, 45500, 4900,
];

export const jeongsanChai: SurveySession = {
  name: 'jeongsan-chai',
  about: 'A question: why the settlement and the dashboard differ by some won a day; nothing is changed.',
  kind: 'question',
  language: 'ko',
  ecosystem: 'python',
  files: {
    '.gitignore': '__pycache__/\n',
    'settle/__init__.py': '',
    [FEE]: `from decimal import ROUND_HALF_EVEN, Decimal

RATE = Decimal("0.029")
VAT = Decimal("0.1")


def fee(amount: int) -> int:
    return int((Decimal(amount) * RATE).quantize(Decimal(1), ROUND_HALF_EVEN))


def vat(fee_won: int) -> int:
    return int(fee_won * VAT)
`,
    [BATCH]: `import csv
import sys

from settle.fee import fee, vat


def totals(path):
    fees = vats = 0
    with open(path, encoding="utf-8") as f:
        for row in csv.DictReader(f):
            won = fee(int(row["amount"]))
            fees += won
            vats += vat(won)
    return fees, vats


if __name__ == "__main__":
    fees, vats = totals(sys.argv[1])
    print(f"fee={fees} vat={vats} total={fees + vats}")
`,
    [REFUND]: `from settle.fee import fee, vat


def refund(amount: int) -> tuple[int, int]:
    won = fee(-amount)
    return won, vat(won)
`,
    [PREVIEW]: `import sys

# 영업팀 견적용
amount = float(sys.argv[1])
print(round(amount * 0.029 * 1.1))
`,
    [QUERY]: `SELECT paid_on,
       ROUND(SUM(amount) * 0.029)              AS fee,
       ROUND(ROUND(SUM(amount) * 0.029) * 0.1) AS vat
  FROM payments
 GROUP BY paid_on;
`,
    [DATA]: `id,amount\n${AMOUNTS.map((amount, at) => `T${String(at + 1).padStart(3, '0')},${amount}`).join('\n')}\n`,
  },
  programs: {
    psql: `#!/bin/sh
echo 'psql: error: connection to server at "dash-db" (10.20.0.8), port 5432 failed: Connection refused' >&2
exit 2
`,
  },
  prompts: [
    '정산 배치 금액이랑 대시보드 금액이 매일 10원 안팎으로 안 맞는데 왜 그런지 설명 좀 부탁해요. 2/11 데이터로 보면 될 듯. 코드는 건드리지 말고 설명만요~ 참고로 금액 계산에 float 쓰는 건 우리 팀 금지입니다',
    '아하 그렇군요. 재무팀에 물어보니 계약서 기준이 건별 절사라서 배치가 맞대요. 대시보드는 지금 안 고치고 4월 v2 배포 때 같이 바꾸기로 했어요. 근데 환불도 똑같이 절사되나요??',
    '넵 감사합니다 ㅎㅎ',
  ],
  script: (dir) => {
    const { run, read, fail } = callsIn(dir);
    return {
      main: [
        [
          say('먼저 양쪽 계산 코드를 확인해 보겠습니다.'),
          run('git ls-files', '파일 목록 확인', QUERY),
          run(
            'grep -rnE "round|ROUND|quantize|float|int\\(" --include=*.py --include=*.sql .',
            '반올림하는 곳 찾기',
            'ROUND_HALF_EVEN',
          ),
        ],
        [read(FEE), read(BATCH), read(QUERY)],
        [
          say(
            '배치는 ROUND_HALF_EVEN(은행가 반올림)이고 SQL은 일반 반올림이네요. 반올림 방식 차이가 원인일 것 같습니다. 실제 데이터로 재 보죠.',
          ),
          run(`python3 -m settle.batch ${DATA}`, '배치 결과 계산', 'fee=24156 vat=2403 total=26559'),
          fail(`psql service=dash -f ${QUERY}`, '대시보드 쿼리 실행', 'Connection refused'),
        ],
        [
          say('대시보드 DB에는 여기서 접속이 안 되니 SQL 식을 파이썬으로 옮겨서 계산합니다.'),
          run(
            `python3 - <<'PY'
import csv
from decimal import Decimal, ROUND_HALF_UP
rows = [int(r["amount"]) for r in csv.DictReader(open("${DATA}"))]
up = lambda d: int(d.quantize(Decimal(1), ROUND_HALF_UP))
f = up(sum(rows) * Decimal("0.029")); v = up(f * Decimal("0.1"))
print("dashboard", f, v, f + v)
each = [up(x * Decimal("0.029")) for x in rows]
print("batch half-up", sum(each), sum(int(x * Decimal("0.1")) for x in each))
PY`,
            '대시보드 식과 HALF_UP을 재현',
            'dashboard 24156 2416 26572',
          ),
        ],
        [
          say(
            '제 가설이 틀렸습니다. 수수료 합계는 배치와 대시보드 모두 24,156원으로 똑같고, 차이 13원은 전부 부가세에서 나옵니다. 배치를 HALF_UP으로 바꾸면 수수료만 24,160원으로 오히려 어긋납니다.',
          ),
          run('grep -rn "preview" --include=*.py settle; git status --short', 'preview.py를 쓰는 곳 확인'),
        ],
        [
          say(
            `## 결론

꼼꼼하게 확인해 봤습니다! 원인은 **부가세를 자르는 단위**입니다.

- **배치** (\`settle/fee.py\`): 부가세를 건별로 원 미만 절사합니다. 40건에서 평균 0.3원씩 버려져 2,403원이 됩니다.
- **대시보드** (\`daily_fee.sql\`): 하루 합계에 한 번만 반올림해서 2,416원이 됩니다.

따라서 차이는 거래 건수에 비례해 커지고, 이론상 한 건에 최대 0.9원까지 벌어집니다.

| | 수수료 | 부가세 | 합계 |
|---|---|---|---|
| 배치 | 24,156 | 2,403 | 26,559 |
| 대시보드 | 24,156 | 2,416 | 26,572 |

그리고 하나 더: \`tools/preview.py\`(영업팀 견적용)는 float로 계산하고 있어 팀 규칙에 어긋납니다. 정산 배치에서는 쓰지 않으니 이번 차이와는 무관합니다.

더 궁금한 점 있으시면 편하게 말씀해 주세요 😊`,
          ),
        ],
        [say('환불 코드를 보겠습니다.'), read(REFUND)],
        [
          say('음수라서 절사 방향이 중요합니다. 전액 환불과 부분 환불을 둘 다 돌려 볼게요.'),
          run(
            `python3 - <<'PY'
from settle.fee import fee, vat
from settle.refund import refund
bad = [a for a in range(100, 60001, 50) if refund(a) != (-fee(a), -vat(fee(a)))]
print("full refund mismatches:", len(bad))
print("8900:", vat(fee(8900)), "2 x 4450:", 2 * refund(4450)[1])
print("floor:", -258 // 10, "int:", int(-25.8))
PY`,
            '환불 상쇄 여부 확인',
            'full refund mismatches: 0\n8900: 25 2 x 4450: -24',
          ),
        ],
        [
          say(
            `네, 환불도 건별로 절사됩니다. 다만 조심할 점이 두 가지 있습니다.

1. 전액 환불은 원 결제와 정확히 상쇄됩니다. \`int()\`가 0 쪽으로 자르기 때문인데, 이걸 \`// 10\`으로 바꾸면 음수에서 -26이 되어 환불마다 1원씩 틀어지니 주의가 필요합니다.
2. 부분 환불은 상쇄되지 않을 수 있습니다. 8,900원을 4,450원씩 두 번 환불하면 부가세 25원 중 24원만 돌아가고 1원이 남습니다. 이 1원을 처리하는 코드는 아직 없습니다.

대시보드를 4월 v2에서 맞추실 때 도움이 되면 좋겠습니다. 필요하시면 테스트 케이스도 만들어 드릴까요?`,
          ),
        ],
        [say('네, 좋은 하루 보내세요!')],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['discovery', 'how-it-works', 'gotcha'], says: [/부가세/, /건별/, /절사/], prompt: 1 },
      {
        type: ['discovery', 'gotcha'],
        says: [/HALF_UP|수수료 합계/, /24,1(56|60)/, /부가세에서|어긋/],
        prompt: 1,
      },
      { type: 'preference', says: [/float/, /금지/], prompt: 1 },
      { type: ['decision', 'preference'], says: [/대시보드/, /4월/, /v2/], prompt: 2 },
      { type: ['gotcha', 'discovery'], says: [/부분 환불|4,450/, /1원이 남|상쇄되지 않/], prompt: 2 },
    ],
    niceToHave: [
      {
        type: ['decision', 'preference', 'discovery'],
        says: [/재무팀/, /건별 절사/, /배치가 맞/],
        prompt: 2,
      },
      { type: ['gotcha', 'how-it-works', 'discovery'], says: [/int\(\)/, /\/\/ 10/, /음수/], prompt: 2 },
      { type: ['discovery', 'gotcha'], says: [/preview\.py/, /float/], prompt: 1 },
      {
        type: ['discovery', 'how-it-works'],
        says: [/대시보드|daily_fee/, /합계에 한 번만 반올림/],
        prompt: 1,
      },
      { type: ['discovery', 'how-it-works'], says: [/건수에 비례/, /0\.9원/], prompt: 1 },
    ],
    summaries: [
      { prompt: 1, request: [/대시보드/, /정산/], learned: [/부가세/] },
      { prompt: 2, request: [/환불/], learned: [/환불/] },
    ],
    noise: [
      '먼저 양쪽 계산 코드를 확인해 보겠습니다',
      '반올림 방식 차이가 원인일 것 같습니다',
      '꼼꼼하게 확인해 봤습니다',
      '편하게 말씀해 주세요',
      '테스트 케이스도 만들어 드릴까요',
      '좋은 하루 보내세요',
      '환불 코드를 보겠습니다',
    ],
    untrue: [
      /반올림 방식 차이가 원인(이다|입니다|임)/,
      /(수정|변경)(했습니다|함|하였)/,
      /대시보드를 (고쳤|수정했)/,
    ],
    followUps: [
      {
        asks: '하루치 VAT 총액이 화면이랑 배치 결과랑 십몇 원 차이 나는데 버그인가요?',
        says: [/부가세/, /건별|한 번만/],
      },
      { asks: 'daily_fee.sql 지금 바로 고쳐서 올려도 될까?', says: [/4월/] },
      { asks: '고객이 한 주문을 두 번 나눠서 취소했더니 세금이 1원 안 맞아요', says: [/부분 환불|4,450/] },
      { asks: 'fee.py에 은행가 반올림 말고 일반 반올림 쓰면 차이가 없어질까?', says: [/HALF_UP|24,156/] },
      { asks: '새 수수료 모듈 짜는데 그냥 실수형으로 계산해도 돼?', says: [/float/] },
      { asks: 'vat 함수의 int를 정수 나눗셈으로 바꿔서 더 간단하게 정리해 줘', says: [/음수/] },
    ],
    unrelated: [
      '로그인 API에 요청 제한 걸어 주세요',
      'README에 로컬 실행 방법 추가해 줘',
      'CI에서 테스트가 너무 느린데 병렬로 돌릴 수 있나?',
    ],
  },
};
