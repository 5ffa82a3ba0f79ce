import { callsIn, say, together } from '../calls.ts';
import type { DistillSession } from '../session.ts';

/** The routes of a small clinic's server: name, method, whether it asks who is there. */
const ROUTES: [name: string, method: string, guard: string][] = [
  ['appointments-list', 'GET', "requireRole(request, 'staff')"],
  ['appointments-book', 'POST', "requireRole(request, 'patient')"],
  ['appointments-cancel', 'POST', "requireRole(request, 'patient')"],
  ['appointments-move', 'POST', "requireRole(request, 'staff')"],
  ['bills-list', 'GET', "requireRole(request, 'office')"],
  ['bills-send', 'POST', "requireRole(request, 'office')"],
  ['bills-void', 'POST', "requireRole(request, 'office')"],
  ['bills-pdf', 'GET', ''],
  ['doctors-list', 'GET', 'isPublic()'],
  ['doctors-absent', 'POST', "requireRole(request, 'staff')"],
  ['files-upload', 'POST', "requireRole(request, 'patient')"],
  ['files-read', 'GET', "requireRole(request, 'staff')"],
  ['files-share', 'POST', "requireRole(request, 'staff')"],
  ['health', 'GET', 'isPublic()'],
  ['labs-order', 'POST', "requireRole(request, 'staff')"],
  ['labs-result', 'GET', "requireRole(request, 'staff')"],
  ['labs-callback', 'POST', ''],
  ['letters-write', 'POST', "requireRole(request, 'staff')"],
  ['letters-sign', 'POST', "requireRole(request, 'doctor')"],
  ['messages-send', 'POST', "requireRole(request, 'patient')"],
  ['messages-read', 'GET', "requireRole(request, 'patient')"],
  ['patients-find', 'GET', "requireRole(request, 'staff')"],
  ['patients-merge', 'POST', "requireRole(request, 'office')"],
  ['patients-export', 'GET', ''],
  ['recipes-repeat', 'POST', "requireRole(request, 'doctor')"],
  ['rooms-free', 'GET', "requireRole(request, 'staff')"],
  ['stats-month', 'GET', "requireRole(request, 'office')"],
  ['waitlist-add', 'POST', "requireRole(request, 'staff')"],
];

const file = (name: string) => `src/routes/${name}.js`;
const functionName = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

export const routeAudit: DistillSession = {
  name: 'route audit',
  about: 'A long audit with three findings of different weight; the reads themselves are worth nothing.',
  long: true,
  files: {
    'package.json': '{ "name": "clinic", "private": true, "type": "module" }\n',
    'src/guard.js': `export function requireRole(request, role) {
  if (request.user?.role !== role) throw Object.assign(new Error('forbidden'), { status: 403 });
}

/** Says on purpose that anybody may come in. */
export function isPublic() {}
`,
    ...Object.fromEntries(
      ROUTES.map(([name, method, guard]) => [
        file(name),
        [
          "import { isPublic, requireRole } from '../guard.js';",
          `\n/** ${method} /${name.replace('-', '/')} */`,
          `export function ${functionName(name)}(request) {`,
          ...(guard ? [`  ${guard};`] : []),
          `  return { status: 200, body: request.store.${functionName(name)}(request.params) };\n}\n`,
        ].join('\n'),
      ]),
    ),
  },
  prompts: [
    'go through all routes and tell me which ones can be called without being logged in. only look, change nothing',
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    const names = ROUTES.map(([name]) => name);
    const open = ROUTES.filter(([, , guard]) => guard === '').map(([name]) => name);
    return {
      main: [
        [
          say("I'll start with the guard and the list of routes."),
          read('src/guard.js'),
          run('ls src/routes | wc -l', 'Count the routes', '28'),
        ],
        ...together(names.map((name) => read(file(name)))).map((turn, n) =>
          n === 3 ? [say('Halfway through the first half. Going on.'), ...turn] : turn,
        ),
        [read('package.json'), run('git status --short', 'Nothing changed so far')],
        [
          say('I do not trust my eyes with 28 files, so I check each one by a command too.'),
          run(
            'grep -L "  requireRole(" src/routes/*.js',
            'Routes that never ask for a role',
            'src/routes/bills-pdf.js',
          ),
        ],
        ...together(
          names.map((name) =>
            run(
              `node --input-type=module -e "import { ${functionName(name)} as route } from './${file(name)}'; try { console.log('${name}', route({ params: {}, store: new Proxy({}, { get: () => () => 1 }) }).status) } catch (error) { console.log('${name}', error.status) }"`,
              `Call ${name} as nobody`,
              open.includes(name) || name === 'health' || name === 'doctors-list'
                ? `${name} 200`
                : `${name} 403`,
            ),
          ),
          4,
        ),
        [
          say(`I called all 28 routes without a user. Five answer; two of them (\`health\`, \`doctors-list\`) say so on purpose with \`isPublic()\`. That leaves **three open routes**:

1. **\`src/routes/patients-export.js\`** — serious. Anybody can download all patients. The call to \`requireRole\` is missing.
2. **\`src/routes/bills-pdf.js\`** — serious. Bills can be fetched by guessing their number; the mails link to it directly, so a guard would break the links in mails already sent.
3. **\`src/routes/labs-callback.js\`** — has no role because the laboratory's server calls it. It should check the laboratory's signature instead.

The other 23 routes ask for a role and answer 403. Nothing was changed.

**Next steps:** close \`patients-export\` today (role \`office\`), give \`bills-pdf\` signed links, and ask the laboratory for its signing key.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['discovery', 'gotcha'], says: ['patients-export', /requireRole|anybody|open/], prompt: 1 },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: ['bills-pdf', /guessing|mails/] },
      { type: ['discovery', 'gotcha'], says: ['labs-callback', /laboratory/] },
      { type: ['discovery', 'how-it-works'], says: [/28 routes|23 routes/] },
      { type: ['how-it-works', 'discovery'], says: ['isPublic'] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/without being logged in/],
        investigated: [/28 routes|all routes/],
        learned: ['patients-export', 'bills-pdf', 'labs-callback'],
        nextSteps: ['patients-export', /signed links/],
        filesRead: ['src/guard.js', file('labs-callback'), file('waitlist-add')],
      },
    ],
    noise: ['Halfway through', 'trust my eyes', 'new Proxy', 'request.store.'],
  },
};
