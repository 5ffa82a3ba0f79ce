import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const OTP = 'src/otp.mjs';
const LIMIT = 'src/resend-limit.mjs';
const TEST = 'test/resend-limit.test.mjs';

export const otpResendHi: SurveySession = {
  name: 'otp-resend-hi',
  about: 'OTP दोबारा भेजने पर रोक: विकल्पों में से Redis चुना गया, INCR+EXPIRE की जगह SET NX EX, 30 सेकंड बाद में 45 हुआ।',
  kind: 'feature',
  language: 'hi',
  ecosystem: 'node',
  files: {
    'package.json': '{ "name": "login", "type": "module", "dependencies": { "ioredis": "^5.4.0" } }\n',
    [OTP]: `export async function sendOtp(redis, sms, phone) {
  const code = String(Math.floor(100000 + Math.random() * 900000));
  await redis.set('otp:' + phone, code, 'EX', 300);
  await sms.send(phone, 'Your code is ' + code);
  console.log('otp sent to ' + phone);
  return { sent: true };
}
`,
    'deploy/login.yaml': 'kind: Deployment\nspec:\n  replicas: 4\n',
  },
  prompts: [
    'भाई OTP resend पर कोई रोक नहीं है, कल किसी ने 4000 SMS भिजवा दिए, 900 रुपये का बिल। एक cooldown लगाओ, 30 सेकंड ठीक है। पहले बताओ कहाँ रखोगे, सीधे code मत लिखना',
    'Redis वाला करो। और हाँ, log में पूरा phone number कभी नहीं, सिर्फ़ आख़िरी 4 अंक, compliance ने लिखित में दिया है',
    '30 कम है यार, gateway वाले बोल रहे हैं DLT की वजह से SMS पहुँचने में 40 सेकंड तक लगते हैं, लोग दो बार दबा देते हैं। 45 कर दो। commit भी कर देना, हमारे यहाँ message हमेशा english में होता है और ticket number आख़िर में (LOGIN-88)',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [say('पहले मौजूदा code और deployment देखता हूँ।'), read(OTP), read('deploy/login.yaml')],
        [
          say(`तीन रास्ते हैं:

| तरीका | फ़ायदा | दिक़्क़त |
|---|---|---|
| Process की memory में Map | सबसे आसान | login के 4 pod चलते हैं, हर pod अपनी गिनती रखेगा और हमलावर को चार गुना SMS मिलेंगे |
| Postgres में last_sent_at | टिकाऊ | हर OTP पर एक और write, और users table पर lock |
| Redis में key, TTL के साथ | OTP वैसे भी वहीं है, key अपने आप मिटती है | Redis गिरा तो login भी रुकेगा |

मेरी सलाह तीसरा है। आप बताइए, किसके साथ आगे बढ़ूँ?`),
        ],
        [
          say('ठीक है, Redis। पहले INCR और फिर EXPIRE से लिखता हूँ।'),
          write(
            LIMIT,
            `const COOLDOWN_SECONDS = 30;

export async function mayResend(redis, phone) {
  const count = await redis.incr('otp-wait:' + phone);
  await redis.expire('otp-wait:' + phone, COOLDOWN_SECONDS);
  return count === 1;
}
`,
          ),
          write(
            TEST,
            `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayResend } from '../src/resend-limit.mjs';

function fakeRedis() {
  const keys = new Map();
  return {
    ttl: (key) => keys.get(key)?.ttl,
    incr: async (key) => {
      const value = (keys.get(key)?.value ?? 0) + 1;
      keys.set(key, { value, ttl: keys.get(key)?.ttl });
      return value;
    },
    expire: async () => {
      throw new Error('connection lost');
    },
    set: async (key, value, _ex, ttl, nx) => {
      if (nx && keys.has(key)) return null;
      keys.set(key, { value, ttl });
      return 'OK';
    },
  };
}

test('a lost connection locks nobody out for ever', async () => {
  const redis = fakeRedis();
  await mayResend(redis, '+919812345678').catch(() => false);
  assert.notEqual(redis.ttl('otp-wait:+919812345678'), undefined);
});
`,
          ),
        ],
        [fail(`node --test ${TEST}`, 'test चलाओ', 'a lost connection locks nobody out for ever')],
        [
          say(
            'यही डर था: INCR और EXPIRE दो अलग command हैं। बीच में connection टूटा तो key बिना TTL के रह जाती है और वह user हमेशा के लिए OTP से बाहर हो जाता है। इसलिए एक ही atomic command लूँगा, SET NX EX।',
          ),
          read(LIMIT),
        ],
        [
          edit(
            LIMIT,
            `  const count = await redis.incr('otp-wait:' + phone);
  await redis.expire('otp-wait:' + phone, COOLDOWN_SECONDS);
  return count === 1;
`,
            `  return (await redis.set('otp-wait:' + phone, '1', 'EX', COOLDOWN_SECONDS, 'NX')) === 'OK';
`,
          ),
          edit(OTP, "'otp sent to ' + phone", "'otp sent to ******' + phone.slice(-4)"),
        ],
        [
          edit(
            OTP,
            '  const code = String(',
            "  if (!(await mayResend(redis, phone))) return { sent: false, reason: 'wait' };\n  const code = String(",
          ),
        ],
        [
          edit(
            OTP,
            'export async function sendOtp',
            "import { mayResend } from './resend-limit.mjs';\n\nexport async function sendOtp",
          ),
        ],
        [run(`node --test ${TEST}`, 'फिर से test', 'pass 1')],
        [
          say(`हो गया। \`sendOtp\` अब पहले \`mayResend\` पूछता है और 30 सेकंड के अंदर दूसरी बार \`{ sent: false, reason: 'wait' }\` लौटाता है। Log में अब सिर्फ़ आख़िरी 4 अंक जाते हैं।

एक बात ध्यान रखिए: रोक phone number पर है, IP पर नहीं। अलग-अलग number पर SMS bombing अब भी हो सकती है, उसके लिए gateway पर IP limit चाहिए।

चाहें तो वह भी कर दूँ?`),
        ],
        [read(LIMIT)],
        [edit(LIMIT, 'COOLDOWN_SECONDS = 30', 'COOLDOWN_SECONDS = 45')],
        [
          run(`node --test ${TEST}`, 'test', 'pass 1'),
          run(
            'git add -A && git commit -qm "feat(otp): wait 45 seconds before a code is sent again (LOGIN-88)" && git log --oneline -1',
            'commit',
            'LOGIN-88',
          ),
        ],
        [
          say(
            'Cooldown अब 45 सेकंड है और commit हो गया। App का countdown अभी भी 30 दिखाता है, mobile टीम को बताना बाक़ी है। और कुछ हो तो बोलिएगा, शुभ रात्रि!',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['decision', 'gotcha'],
        says: [/4 pod/, /memory|Map/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'decision', 'bugfix', 'discovery'],
        says: [/EXPIRE/, /TTL/, /SET NX EX|हमेशा के लिए/],
        prompt: 2,
      },
      { type: 'preference', says: [/log/, /4 अंक/], prompt: 2 },
      {
        type: ['decision', 'preference', 'change'],
        says: [/45/, /DLT|40 सेकंड/],
        prompt: 3,
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/IP/, /phone number/, /bombing|limit/],
        prompt: 2,
      },
      { type: 'preference', says: [/commit|message/, /english/, /ticket/], prompt: 3 },
    ],
    niceToHave: [
      { type: ['feature', 'change'], says: [/mayResend/, /wait|sendOtp/], files: [OTP], prompt: 2 },
      { type: ['decision', 'discovery'], says: [/Postgres/, /write|lock/], prompt: 1 },
      { type: ['discovery', 'gotcha'], says: [/countdown/, /30/, /mobile/], prompt: 3 },
      { type: ['discovery', 'feature', 'decision'], says: [/4000 SMS/], prompt: 1 },
    ],
    summaries: [
      { prompt: 1, request: [/cooldown/], learned: [/pod|Redis/] },
      { prompt: 2, request: [/Redis/], completed: [/mayResend|आख़िरी 4/], filesModified: [OTP, LIMIT] },
      { prompt: 3, request: [/45/], completed: [/45/], nextSteps: [/mobile/], filesModified: [LIMIT] },
    ],
    noise: [
      'deployment देखता हूँ',
      'किसके साथ आगे बढ़ूँ',
      'चाहें तो वह भी कर दूँ',
      'शुभ रात्रि',
      'यही डर था',
      '+919812345678',
    ],
    untrue: [/INCR (और|\+) EXPIRE (का )?(इस्तेमाल|उपयोग) (होता|किया गया) है/, /IP limit (लग|जोड़|लगा)/],
    followUps: [
      { asks: 'user कितनी देर बाद दोबारा कोड मंगा सकता है और इतना ही क्यों?', says: [/45/] },
      { asks: 'rate limiter के लिए local variable में counter रख लूँ?', says: [/pod/] },
      { asks: 'debug के लिए मोबाइल नंबर print करवा दूँ क्या', says: [/4 अंक/] },
      {
        asks: 'एक ग्राहक को कोड मिलना हमेशा के लिए बंद हो गया था, redis key में expiry नहीं थी?',
        says: [/EXPIRE|SET NX EX/],
      },
      { asks: 'कोई अलग अलग नंबरों पर SMS भेजकर पैसे खर्च करा रहा है, हमने इसे रोका था ना?', says: [/IP/] },
    ],
    unrelated: [
      'profile page पर avatar upload जोड़ो',
      'eslint को नए version पर ले जाओ',
      'order history में pagination चाहिए',
    ],
  },
};
