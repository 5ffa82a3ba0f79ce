import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const PORTS = 'src/ports.js';
const README = 'README.md';

export const oddJobs: DistillSession = {
  name: 'odd jobs',
  about:
    'Small things one after the other: questions, a search that finds nothing, git, a typo, a never mind.',
  files: {
    'package.json': '{ "name": "weathervane", "private": true, "type": "module" }\n',
    [README]: '# weathervane\n\nRecieves wind data and draws it.\n',
    [PORTS]:
      'export const DEV_PORT = Number(process.env.VANE_PORT ?? 4870);\nexport const METRICS_PORT = DEV_PORT + 1;\n',
    'src/draw.js': `export const draw = (wind) => \`\${wind.speed} kn\`;\n`,
  },
  prompts: [
    'hey! which port does the dev server use again?',
    'does anything in here still use left-pad?',
    'there is a typo in the readme, "Recieves". fix that',
    'create a branch wind-rose and push it',
    'can you make draw show the direction as well? ... ah no, never mind, leave it',
    'what do you think of the name weathervane?',
    'haha ok. bye',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [say('Hey! Let me check.'), run('grep -rn PORT src', 'Find the port', 'VANE_PORT'), read(PORTS)],
        [
          say(
            '4870, unless `VANE_PORT` says otherwise (see `src/ports.js`). Metrics are always one port above it.',
          ),
        ],
        [
          run('grep -rn "left-pad" --include=*.js --include=package.json .', 'Search for left-pad'),
          run('ls node_modules 2>/dev/null | wc -l', 'Installed packages', '0'),
        ],
        [say('No, nothing uses `left-pad`: neither the sources nor `package.json` mention it.')],
        [edit(README, 'Recieves', 'Receives')],
        [say('Fixed the typo.')],
        [
          run('git checkout -q -b wind-rose && git branch --show-current', 'New branch', 'wind-rose'),
          fail('git push -u origin wind-rose', 'Push it', "'origin' does not appear to be a git repository"),
        ],
        [
          say(
            'I created the branch `wind-rose` and switched to it, but could not push: this clone has no remote called `origin`. Add one with `git remote add origin <url>` and I can push.',
          ),
        ],
        [say('Alright, I leave `draw` as it is.')],
        [
          say(
            "I like it! It's short, it says what the program does, and it has a nice old-fashioned ring to it.",
          ),
        ],
        [say('Bye! 👋')],
      ],
    };
  },
  expects: {
    essentials: [{ type: ['how-it-works', 'discovery'], says: ['4870', 'VANE_PORT'], prompt: 1 }],
    niceToHave: [
      { type: ['discovery', 'how-it-works'], says: ['left-pad', /nothing|no/], prompt: 2 },
      { type: ['change', 'bugfix'], says: [/typo|Receives/], files: [README], prompt: 3 },
      { type: ['discovery', 'gotcha', 'change'], says: [/wind-rose/, /origin|remote/], prompt: 4 },
    ],
    summaries: [
      { prompt: 1, request: ['port'], learned: ['4870'] },
      { prompt: 2, optional: true, request: ['left-pad'] },
      { prompt: 3, optional: true, request: ['typo'], filesModified: [README] },
      { prompt: 4, request: ['wind-rose'], completed: [/wind-rose/] },
    ],
    noise: ['Bye', 'haha', 'old-fashioned', 'never mind', 'Alright', /^Hey/m],
    untrue: [/pushed/],
  },
};
