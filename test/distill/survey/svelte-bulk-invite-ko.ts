import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const PARSE = 'src/lib/invite/parse-csv.js';
const SEND = 'src/lib/invite/send.js';
const PAGE = 'src/routes/members/invite/+page.svelte';
const TEST = 'test/parse-csv.test.js';

const PARSER = `import * as v from '../valibot-lite.js';

const Row = v.object({ email: v.email(), role: v.picklist(['viewer', 'editor', 'admin']) });

/** Excel in Korea saves CSV as EUC-KR, so bytes that are not UTF-8 are read as that. */
export function decode(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('euc-kr').decode(bytes);
  }
}

export function parseCsv(text) {
  const seen = new Set();
  const rows = [];
  const errors = [];
  const lines = text.replace(/^\\uFEFF/, '').trim().split(/\\r?\\n/).slice(1);
  lines.forEach((line, index) => {
    const [email = '', role = 'viewer'] = line.split(',').map((cell) => cell.trim());
    const row = { email: email.toLowerCase(), role };
    if (!v.is(Row, row)) errors.push({ line: index + 2, email });
    else if (!seen.has(row.email)) rows.push(row);
    seen.add(row.email);
  });
  return { rows, errors };
}
`;

const PARSER_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, parseCsv } from '../src/lib/invite/parse-csv.js';

test('대소문자만 다른 이메일은 한 번만', () => {
  const { rows } = parseCsv('email,role\\nA@x.kr,editor\\na@x.kr,viewer\\n');
  assert.deepEqual(rows, [{ email: 'a@x.kr', role: 'editor' }]);
});

test('잘못된 행은 줄 번호와 함께', () => {
  assert.deepEqual(parseCsv('email,role\\nnope,viewer\\n').errors, [{ line: 2, email: 'nope' }]);
});

test('EUC-KR 파일', () => {
  assert.equal(decode(Uint8Array.from([0xb0, 0xa1])), '가');
});
`;

export const svelteBulkInviteKo: SurveySession = {
  name: 'svelte bulk invite ko',
  about: 'A feature with a correction in the middle, a legal rule in passing and a limit found by measuring.',
  kind: 'feature',
  language: 'ko',
  ecosystem: 'svelte',
  files: {
    'package.json':
      '{ "name": "moim-web", "private": true, "type": "module", "scripts": { "test": "node --test" }, "devDependencies": { "svelte": "5.38.0" } }\n',
    'src/lib/valibot-lite.js': `export const email = () => (x) => /^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$/.test(x);
export const picklist = (values) => (x) => values.includes(x);
export const object = (shape) => (x) => Object.entries(shape).every(([key, check]) => check(x[key]));
export const is = (schema, x) => schema(x);
`,
    'src/lib/api.js': `export const post = (path, body) => fetch(path, { method: 'POST', body: JSON.stringify(body) });
`,
    [PAGE]: `<script>
  import { post } from '$lib/api.js';
  let email = $state('');
</script>

<input bind:value={email} />
<button onclick={() => post('/api/invites', [{ email, role: 'viewer' }])}>초대</button>
`,
    'docs/api-limits.md': '# API 제한\n\n- POST /api/invites: 초당 2회, 요청 크기 64 KB\n',
    'scripts/measure-invites.mjs': `const row = (i) => ({ email: 'member' + i + '@a-rather-long-company-name.co.kr', role: 'viewer' });
for (const n of [200, 500, 1000, 2000]) {
  const bytes = JSON.stringify(Array.from({ length: n }, (_, i) => row(i))).length;
  console.log(n + ' rows: ' + bytes + ' bytes ' + (bytes > 65536 ? '413' : '200'));
}
`,
  },
  prompts: [
    '멤버 초대 페이지에 CSV 일괄 초대 기능 넣어줘. 올리면 미리보기 보여주고 확인 누르면 초대 발송. 파싱은 무조건 브라우저에서만 해야돼, 원본 명단은 서버로 보내지 말라고 법무팀에서 못박았음. 검증은 zod 로 하면 될듯',
    '아 잠깐 zod 말고 valibot 으로 해줘. 저번에 번들 40KB 늘어서 zod 걷어낸거 깜빡했네 ㅋㅋ 그리고 2000명짜리 고객사도 있으니까 한번에 몇명까지 되는지도 확인',
    '좋아 커밋까지 해줘. 커밋 제목은 영어로, 본문은 한국어 ok',
  ],
  script: (dir) => {
    const { run, read, write, edit } = callsIn(dir);
    return {
      main: [
        [read(PAGE), read('src/lib/api.js'), read('package.json'), run('ls src/lib', '라이브러리 목록')],
        [
          say(`시작하기 전에 확인한 내용입니다.

현재 \`${PAGE}\` 는 한 명씩만 초대합니다. 계획은 이렇습니다.

1. \`${PARSE}\`: 브라우저에서만 파싱·검증 (원본 파일은 네트워크로 나가지 않음)
2. 미리보기 표: 정상 행 / 오류 행
3. 확인 시 이메일·역할만 \`POST /api/invites\` 로 전송

그런데 \`package.json\` 에 zod 가 없고 대신 \`src/lib/valibot-lite.js\` 가 있습니다. zod 를 새로 설치할까요?`),
        ],
        [
          say('valibot 으로 진행합니다. 먼저 한 요청에 몇 명까지 들어가는지 재 보겠습니다.'),
          read('docs/api-limits.md'),
          run('node scripts/measure-invites.mjs', '요청 크기 측정', '1000 rows: 70891 bytes 413'),
        ],
        [
          say(
            '1000명만 돼도 약 71 KB 라서 64 KB 제한에 걸려 413 이 납니다. 500명은 35 KB 라 이메일이 더 길어도 여유가 있으니 500명씩 나누겠습니다.',
          ),
          write(PARSE, PARSER),
          write(TEST, PARSER_TEST),
          write(
            SEND,
            `import { post } from '../api.js';

/** 64 KB per request: 500 rows stay below it even with long addresses. */
const CHUNK = 500;
/** The API takes two requests a second. */
const PAUSE_MS = 600;

export async function sendInvites(rows, wait = (ms) => new Promise((done) => setTimeout(done, ms))) {
  for (let at = 0; at < rows.length; at += CHUNK) {
    if (at > 0) await wait(PAUSE_MS);
    await post('/api/invites', rows.slice(at, at + CHUNK));
  }
}
`,
          ),
        ],
        [run('node --test', '테스트', 'pass 3')],
        [
          edit(
            PAGE,
            "  let email = $state('');\n",
            "  import { decode, parseCsv } from '$lib/invite/parse-csv.js';\n  import { sendInvites } from '$lib/invite/send.js';\n  let email = $state('');\n  let preview = $state(null);\n  const pick = async (event) => {\n    preview = parseCsv(decode(await event.target.files[0].arrayBuffer()));\n  };\n",
          ),
          edit(
            PAGE,
            '초대</button>\n',
            '초대</button>\n<input type="file" accept=".csv" onchange={pick} />\n{#if preview}\n  <p>{preview.rows.length}명, 오류 {preview.errors.length}건</p>\n  <button onclick={() => sendInvites(preview.rows)}>확인</button>\n{/if}\n',
          ),
        ],
        [run('node --test && git status --short', '다시 테스트', PAGE)],
        [
          say(`일괄 초대가 동작합니다. 테스트 3개 통과.

**알아두실 점**
- 요청당 **500명씩** 나눠 보냅니다. 한 요청이 64 KB 를 넘으면 API 가 413 을 돌려주고(1000명 = 약 71 KB, 500명 = 35 KB), 초당 2회 제한이 있어서 사이에 600 ms 를 쉽니다. 2000명이면 약 2초 걸립니다.
- 한국어 엑셀은 CSV 를 EUC-KR 로 저장합니다. UTF-8 로 엄격하게 읽어 보고 실패하면 EUC-KR 로 다시 읽습니다. BOM 도 제거합니다.
- 이메일은 소문자로 바꿔서 중복을 제거하고, 같은 주소가 두 번 나오면 **먼저 나온 행의 역할**이 남습니다.
- 검증은 valibot 이고 zod 는 쓰지 않았습니다.

**아직 안 된 것**: 중간에 한 묶음이 실패하면 나머지가 발송되지 않고, 어디까지 보냈는지 화면에 표시되지 않습니다. 재시도 화면이 필요합니다.

더 필요한 게 있으면 말씀해 주세요!`),
        ],
        [
          run(
            'git add -A && git commit -qm "feat(web): invite members in bulk from a CSV file" -m "원본 명단은 브라우저 밖으로 나가지 않는다. 64 KB 제한 때문에 500명씩 나눠 보낸다." && git log --oneline -1',
            '커밋',
            'feat(web): invite members',
          ),
        ],
        [say('커밋했습니다: `feat(web): invite members in bulk from a CSV file`')],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['preference', 'decision'], says: [/브라우저/, /법무|서버로 보내지|원본/] },
      { type: ['preference', 'decision'], says: ['zod', 'valibot'] },
      {
        type: ['feature', 'gotcha', 'decision', 'discovery'],
        says: [/500\s?명/, /64 KB/, '413'],
      },
      { type: ['feature', 'gotcha', 'discovery', 'decision'], says: ['EUC-KR', 'UTF-8'] },
    ],
    niceToHave: [
      { type: ['preference', 'decision'], says: [/커밋 제목/, /영어/] },
      { type: ['feature', 'decision', 'gotcha'], says: [/소문자|중복/, /먼저 나온|역할/] },
      { type: ['gotcha', 'feature', 'discovery', 'change'], says: [/실패하면/, /재시도|어디까지|나머지/] },
      { type: ['feature', 'gotcha', 'discovery', 'decision'], says: [/초당 2회/, '600'] },
      { type: 'feature', says: [/일괄 초대|bulk/], files: [PARSE] },
    ],
    summaries: [
      { prompt: 1, request: ['일괄 초대'], filesRead: [PAGE] },
      {
        prompt: 2,
        request: ['valibot'],
        learned: [/413|64 KB/],
        completed: [/500명|일괄 초대/],
        nextSteps: [/재시도/],
        filesModified: [PARSE, SEND, PAGE],
      },
      { prompt: 3, optional: true, completed: [/커밋|bulk/] },
    ],
    noise: [/말씀해 주세요/, /설치할까요/, 'bytes 413', '시작하기 전에'],
    untrue: [/zod 를? ?(새로 )?설치했/, /원본 (파일|명단)을 서버로 (전송|업로드)합니다/],
    followUps: [
      { asks: '폼 입력 체크하는 라이브러리 뭐 쓰고 있어? 스키마 하나 추가하려고', says: ['valibot'] },
      { asks: '고객이 올린 직원 목록 파일을 백엔드에 보관해도 돼?', says: [/법무|서버로 보내지|브라우저/] },
      { asks: '사람이 많을 때 초대 API 가 too large 로 거절하는데 몇 개씩 끊어야 하지?', says: [/500/] },
      { asks: '엑셀에서 내보낸 파일 한글이 깨져요', says: ['EUC-KR'] },
    ],
    unrelated: [
      '다크 모드 토글 버튼 헤더에 추가해줘',
      'svelte 5.39 로 올리고 타입 에러 고쳐줘',
      '로그인 세션 만료 시간을 30분으로 늘려줘',
    ],
  },
};
