import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const GUIDE = 'docs/contributing.md';

export const docsPnpm: DistillSession = {
  name: 'docs with pnpm',
  about: 'A guide is written; the person corrects which package manager it names.',
  files: {
    'README.md': '# tide-tables\n\nTide tables for small harbours.\n',
    'package.json': `{
  "name": "tide-tables",
  "private": true,
  "type": "module",
  "engines": { "node": ">=20" },
  "scripts": { "test": "node --test", "tides": "node src/tides.js" }
}
`,
    'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
    'src/tides.js': "console.log('06:12 high 3.4 m');\n",
  },
  prompts: [
    'write a short contributing guide in docs/ and link it from the readme',
    'no, always use pnpm in this repo, never npm. npm install writes a package-lock.json and breaks CI',
    'thanks, perfect',
  ],
  script: (dir) => {
    const { run, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say("I'll check what is there."),
          run('ls', 'List the project', 'pnpm-lock.yaml'),
          read('package.json'),
          read('README.md'),
        ],
        [
          write(
            GUIDE,
            `# Contributing

1. Install Node 20 or newer.
2. Run \`npm install\`.
3. Run \`npm test\` before you open a pull request.

Tide data comes from the harbour office once a year; never correct it by hand.
`,
          ),
          edit(
            'README.md',
            'small harbours.\n',
            'small harbours.\n\nSee [how to contribute](docs/contributing.md).\n',
          ),
        ],
        [
          say(
            'I wrote `docs/contributing.md` (install, test, where tide data comes from) and linked it from `README.md`.',
          ),
        ],
        [
          say('I should have seen the lockfile. Changing the guide.'),
          edit(GUIDE, '`npm install`', '`pnpm install --frozen-lockfile`'),
          edit(GUIDE, '`npm test`', '`pnpm test`'),
        ],
        [run('grep -rn "npm " docs README.md', 'Check what is named now', 'pnpm install --frozen-lockfile')],
        [
          say(
            'The guide names pnpm only: `pnpm install --frozen-lockfile` and `pnpm test`. I will use pnpm here from now on.',
          ),
        ],
        [say("You're welcome!")],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'preference',
        says: [/always use pnpm/, /never npm|npm install/, /package-lock|breaks CI/],
        prompt: 2,
      },
      { type: ['change', 'feature'], says: [/contributing/], files: [GUIDE] },
    ],
    niceToHave: [{ type: 'change', says: ['pnpm'], files: [GUIDE], prompt: 2 }],
    summaries: [
      { prompt: 1, request: ['contributing guide'], completed: [GUIDE], filesModified: [GUIDE, 'README.md'] },
      { prompt: 2, request: ['pnpm'], completed: ['pnpm'], filesModified: [GUIDE] },
    ],
    noise: [
      "You're welcome",
      'I should have seen',
      'thanks, perfect',
      'harbour office once a year',
      /check what is there/,
    ],
  },
};
