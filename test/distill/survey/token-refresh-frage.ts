import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const REFRESH = 'packages/auth/src/refresh.ts';
const LOCK = 'packages/auth/src/lock.ts';
const HTTP = 'packages/auth/src/http.ts';
const CLOCK = 'packages/auth/src/clock.ts';
const KIOSK = 'apps/kiosk/src/main.ts';

export const tokenRefreshFrage: SurveySession = {
  name: 'token-refresh-frage',
  about: 'Nur Fragen zum Token-Refresh in einem TypeScript-Monorepo; geändert wird nichts.',
  kind: 'question',
  language: 'de',
  ecosystem: 'typescript',
  files: {
    'package.json':
      '{ "name": "theke", "private": true, "type": "module", "workspaces": ["packages/*", "apps/*"] }\n',
    [REFRESH]: `import { now } from './clock.ts';
import { withLock } from './lock.ts';
import { store } from './store.ts';

const EARLY_MS = 90_000;
let running: Promise<string> | null = null;

export function accessToken(): Promise<string> {
  const { token, expiresAt } = store.read();
  if (expiresAt - now() > EARLY_MS) return Promise.resolve(token);
  running ??= withLock('refresh', renew).finally(() => { running = null; });
  return running;
}

async function renew(): Promise<string> {
  const before = store.read();
  const answer = await fetch('/oauth/token', { method: 'POST', body: before.refreshToken });
  if (answer.status === 400) { store.clear(); location.assign('/login'); }
  const fresh = await answer.json();
  store.write(fresh);
  return fresh.token;
}
`,
    [LOCK]: `type Work<T> = () => Promise<T>;

export function withLock<T>(name: string, work: Work<T>): Promise<T> {
  const locks = (globalThis as any).navigator?.locks;
  if (!locks) return work();
  return locks.request(name, work);
}
`,
    [HTTP]: `import { accessToken } from './refresh.ts';

export async function call(path: string, init: RequestInit = {}) {
  const send = async () => fetch(path, { ...init, headers: { ...init.headers, Authorization: \`Bearer \${await accessToken()}\` } });
  const answer = await send();
  const repeatable = (init.method ?? 'GET') === 'GET' || new Headers(init.headers).has('Idempotency-Key');
  return answer.status === 401 && repeatable ? send() : answer;
}
`,
    [CLOCK]: `let offset = 0;

/** The tills' clocks are off by minutes; the Date header of the last answer is right. */
export function learn(dateHeader: string) { offset = Date.parse(dateHeader) - Date.now(); }
export function now() { return Date.now() + offset; }
`,
    'packages/auth/src/store.ts': `export const store = {
  read: () => JSON.parse(localStorage.getItem('auth') ?? '{}'),
  write: (value: unknown) => localStorage.setItem('auth', JSON.stringify(value)),
  clear: () => localStorage.removeItem('auth'),
};
`,
    [KIOSK]: `import { call } from '../../../packages/auth/src/http.ts';

window.open('/kiosk/display', 'display');
setInterval(() => call('/api/orders/open'), 5_000);
`,
    'docs/auth.md': `# Auth

Access-Token: 15 min. Refresh-Token: rotierend, jedes gilt genau einmal. Wird ein verbrauchtes Token noch einmal
vorgelegt, widerruft der Server die ganze Familie (Antwort 400).
`,
  },
  programs: {
    tsx: `#!/bin/sh
if grep -q 'return work()' ${LOCK}; then echo "gleichzeitig in der Sperre: 2"; else echo "gleichzeitig in der Sperre: 1"; fi
`,
  },
  prompts: [
    'frage, bitte nix ändern: wie läuft bei uns eigentlich der token refresh, und kann es sein dass sich zwei tabs gegenseitig ausloggen? support meldet das vom kiosk. und bitte kurz, keine romane',
    'ah ok. ios 14, genau das haben die kiosk-ipads, die kriegen wir vor herbst auch nicht ersetzt. noch was: warum wird ein POST nach 401 nicht wiederholt, ist das absicht?',
    'alles klar, danke dir',
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [
          say('Ich schaue mir zuerst an, wo der Refresh passiert.'),
          run(
            'grep -rn "refresh" packages apps --include=*.ts | head -20',
            'Stellen mit refresh suchen',
            'withLock',
          ),
        ],
        [read(REFRESH), read(LOCK), read('docs/auth.md')],
        [
          say(
            'Auf den ersten Blick sieht das sauber aus: `running` sorgt dafür, dass nur ein Refresh gleichzeitig läuft. Aber das ist eine Modulvariable, also gilt sie nur innerhalb eines Tabs. Über Tabs hinweg schützt allein `withLock` – das prüfe ich mal ohne `navigator.locks`.',
          ),
          run(
            `cat > /tmp/zwei-tabs.mjs <<'X'
import { withLock } from '${dir}/${LOCK}';
Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
let gleichzeitig = 0, max = 0;
const arbeit = async () => { max = Math.max(max, ++gleichzeitig); await new Promise((r) => setTimeout(r, 20)); gleichzeitig--; };
await Promise.all([withLock('refresh', arbeit), withLock('refresh', arbeit)]);
console.log('gleichzeitig in der Sperre:', max);
X
tsx /tmp/zwei-tabs.mjs; rm /tmp/zwei-tabs.mjs`,
            'Sperre ohne Web Locks ausprobieren',
            'gleichzeitig in der Sperre: 2',
          ),
        ],
        [read(KIOSK), read(CLOCK)],
        [
          run(
            'grep -rn "learn(" packages apps --include=*.ts',
            'Wer ruft learn auf?',
            'export function learn',
          ),
        ],
        [
          say(`Ja, das kann passieren, allerdings nur auf alten Browsern.

- **Ablauf:** 90 s vor Ablauf holt \`accessToken()\` ein neues Token; \`running\` verhindert Doppelläufe nur innerhalb eines Tabs, zwischen Tabs sperrt \`navigator.locks\`.
- **Ursache der Logouts:** Fehlt die Web Locks API (Safari vor 15.4, also auch iOS 14), führt \`withLock\` die Arbeit einfach ohne Sperre aus. Dann schicken zwei Tabs dasselbe Refresh-Token, der Server widerruft die ganze Token-Familie, und beide landen auf /login. Der Kiosk trifft das ständig, weil er das Kundendisplay als zweites Fenster öffnet.
- **Auch mit Sperre nicht ganz dicht:** \`renew\` prüft nach dem Warten nicht, ob der andere Tab schon erneuert hat, und erneuert ein zweites Mal. Das ist unnötig, loggt aber niemanden aus, weil es den Store frisch liest.
- **Nebenbei gefunden:** \`learn()\` aus clock.ts ruft niemand auf, die Uhrkorrektur ist also wirkungslos; eine Kasse, deren Uhr mehr als 90 s nachgeht, schickt abgelaufene Tokens.

Soll ich einen Fallback über localStorage skizzieren?`),
        ],
        [
          say('Moment, ich sehe in http.ts nach.'),
          read(HTTP),
          run('grep -rn "Idempotency-Key" packages apps docs | head', 'Wer setzt den Schlüssel?', HTTP),
        ],
        [
          say(`Ja, das ist Absicht: Ein POST wird nach 401 nur wiederholt, wenn ein \`Idempotency-Key\` gesetzt ist, sonst könnte eine Bestellung doppelt gebucht werden. GET wird immer einmal wiederholt.

Der Haken: Im ganzen Repo setzt niemand diesen Header, faktisch wird also kein einziger POST wiederholt.

Zu den iPads: Solange iOS 14 im Einsatz ist, hilft nur eine eigene Sperre oder ein einziges Fenster, das den Refresh macht. Sag Bescheid, wenn ich das ausarbeiten soll!`),
        ],
        [say('Gern! 👍')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'how-it-works', 'bugfix'],
        says: [/Web Locks|navigator\.locks/, /ohne Sperre/],
        files: [LOCK],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: [/Refresh-Token/, /widerruft/, /Familie/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/learn/, /ruft niemand|wirkungslos/],
        prompt: 1,
      },
      {
        type: ['how-it-works', 'decision', 'discovery', 'gotcha'],
        says: [/POST/, /Idempotency-Key/, /doppelt/],
        files: [HTTP],
        prompt: 2,
      },
      {
        type: ['discovery', 'gotcha', 'preference'],
        says: [/ipads/, /ios 14/, /herbst/],
        prompt: 2,
      },
    ],
    niceToHave: [
      {
        type: ['how-it-works', 'discovery'],
        says: [/90 s/, /accessToken|running/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/Kiosk/, /Kundendisplay|zweites Fenster/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/renew/, /zweites Mal|prüft nach dem Warten nicht/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/setzt niemand/, /Header|POST/],
        prompt: 2,
      },
      { type: 'preference', says: [/keine romane|bitte kurz/], prompt: 1 },
    ],
    summaries: [
      { prompt: 1, request: [/token refresh/], learned: [/Sperre|Web Locks/] },
      { prompt: 2, request: [/POST/], learned: [/Idempotency-Key/] },
    ],
    noise: [
      'Ich schaue mir zuerst an',
      'Auf den ersten Blick sieht das sauber aus',
      'Soll ich einen Fallback',
      'ich sehe in http.ts nach',
      'Sag Bescheid, wenn',
      'alles klar, danke dir',
    ],
    untrue: [
      /(Fallback|eigene Sperre) (wurde|ist) (eingebaut|umgesetzt|ergänzt)/,
      /running. (schützt|sperrt) (auch )?zwischen Tabs/,
      /POSTs? (wird|werden) nach 401 (immer )?wiederholt/,
    ],
    followUps: [
      {
        asks: 'am kiosk fliegen die leute wieder auf die anmeldeseite, hatten wir da nicht schon eine erklärung?',
        says: [/Sperre/],
      },
      {
        asks: 'eine kasse mit falsch gehender uhr bekommt dauernd 401, wo fange ich an?',
        says: [/learn/],
      },
      {
        asks: 'darf ich in call() bestellungen nach abgelaufenem token einfach nochmal senden?',
        says: [/Idempotency-Key/],
      },
      {
        asks: 'können wir die unterstützung für altes safari rauswerfen?',
        says: [/ios 14/, /herbst/],
      },
      {
        asks: 'was macht der server, wenn ein schon verbrauchtes refresh-token ankommt?',
        says: [/widerruft/],
      },
    ],
    unrelated: [
      'bau bitte einen dunklen modus für die bestellübersicht',
      'stell den build von webpack auf vite um',
      'schreib einen test für die rundung der mehrwertsteuer',
    ],
  },
};
