import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const PROXY = 'proxy/server.js';
const COMPOSE = 'compose.yaml';

export const germanProxy: DistillSession = {
  name: 'german proxy',
  about:
    'A German-speaking person, English code: a fault without a test, a question, a change of mind, a goodbye.',
  files: {
    'package.json': '{ "name": "bildarchiv", "private": true, "type": "module" }\n',
    [PROXY]: `import { createServer, request } from 'node:http';

const LIMIT = 1024 * 1024;

export function accepts(headers) {
  return Number(headers['content-length'] ?? 0) <= LIMIT;
}

export const server = createServer((incoming, outgoing) => {
  if (!accepts(incoming.headers)) return outgoing.writeHead(413).end();
  incoming.pipe(request({ port: 8081, path: incoming.url, method: incoming.method }));
});
`,
    [COMPOSE]: 'services:\n  proxy:\n    environment:\n      UPLOAD_TIMEOUT: 30s\n',
    'docs/betrieb.md': '# Betrieb\n',
  },
  prompts: [
    'Moin! Beim Hochladen von großen Fotos kommt seit gestern ein 413. Kannst du mal schauen?',
    'ok. mach doch lieber 50 MB statt 20, die Scanner liefern TIFFs. Und ab jetzt bitte Grenzwerte immer über Umgebungsvariablen, nie fest im Code',
    'Wofür ist eigentlich UPLOAD_TIMEOUT?',
    'alles klar, danke dir und schönes Wochenende!',
  ],
  script: (dir) => {
    const { run, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Moin! Ich sehe mir zuerst an, woher der Status kommt.'),
          run('grep -rn 413 proxy', 'Woher kommt 413', PROXY),
          read(PROXY),
        ],
        [
          say('Da ist eine feste Grenze. Ich prüfe noch schnell, ob sie irgendwo dokumentiert ist.'),
          run('grep -rin "grenze\\|limit" docs', 'Ist die Grenze dokumentiert'),
          run('git log -1 --format=%s', 'Letzte Änderung', 'start'),
        ],
        [edit(PROXY, 'const LIMIT = 1024 * 1024;', 'const LIMIT = 20 * 1024 * 1024;')],
        [
          run(
            `node -e "import('./${PROXY}').then(({ accepts }) => console.log(accepts({ 'content-length': '15000000' })))"`,
            'Ein Foto von 15 MB',
            'true',
          ),
        ],
        [
          say(`Gefunden und behoben:

1. Der 413 kommt nicht vom Backend, sondern aus \`accepts()\` in \`${PROXY}\`: dort stand eine feste Grenze von 1 MB.
2. Ich habe \`LIMIT\` auf 20 MB gesetzt.
3. Mit einem Foto von 15 MB habe ich es geprüft, es geht durch.

Achtung: Uploads ohne \`Content-Length\` (chunked) werden gar nicht geprüft, weil \`accepts()\` dann von 0 ausgeht.`),
        ],
        [
          edit(
            PROXY,
            'const LIMIT = 20 * 1024 * 1024;',
            'const LIMIT = Number(process.env.UPLOAD_LIMIT_MB ?? 50) * 1024 * 1024;',
          ),
          edit(
            COMPOSE,
            '      UPLOAD_TIMEOUT: 30s\n',
            '      UPLOAD_TIMEOUT: 30s\n      UPLOAD_LIMIT_MB: 50\n',
          ),
        ],
        [
          say(
            `Erledigt: Die Grenze kommt jetzt aus \`UPLOAD_LIMIT_MB\` (Vorgabe 50) und ist in \`${COMPOSE}\` auf 50 gesetzt. Künftige Grenzwerte lege ich genauso an.`,
          ),
        ],
        [run('grep -rn UPLOAD_TIMEOUT proxy docs', 'Wer liest die Variable'), read(COMPOSE)],
        [
          say(
            `Für nichts mehr: \`UPLOAD_TIMEOUT\` steht nur noch in \`${COMPOSE}\`, im Code liest sie niemand. Vermutlich ist sie beim Umbau des Proxys übrig geblieben. Ich habe nichts geändert.`,
          ),
        ],
        [say('Gern, dir auch ein schönes Wochenende!')],
      ],
    };
  },
  expects: {
    essentials: [
      { type: 'bugfix', says: ['413', 'accepts()', /Grenze|LIMIT/], files: [PROXY], prompt: 1 },
      { type: 'preference', says: [/Grenzwerte/, /Umgebungsvariablen/, /nie fest im Code/], prompt: 2 },
      {
        type: ['discovery', 'how-it-works', 'gotcha'],
        says: ['UPLOAD_TIMEOUT', /niemand|Für nichts/],
        prompt: 3,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery'], says: [/Content-Length/], prompt: 1 },
      { type: ['change', 'feature', 'refactor'], says: ['UPLOAD_LIMIT_MB'], files: [PROXY], prompt: 2 },
      { type: 'decision', says: [/50 MB/], prompt: 2 },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['413'],
        learned: [/feste Grenze|accepts/],
        completed: [/20 MB|LIMIT/],
        filesModified: [PROXY],
      },
      { prompt: 2, request: ['50 MB'], completed: ['UPLOAD_LIMIT_MB'], filesModified: [PROXY, COMPOSE] },
      { prompt: 3, request: ['UPLOAD_TIMEOUT'], learned: [/niemand|nur noch in/] },
    ],
    noise: ['Moin! Ich sehe', 'Wochenende', /noch schnell/, 'incoming.pipe', /^Erledigt/m],
  },
};
