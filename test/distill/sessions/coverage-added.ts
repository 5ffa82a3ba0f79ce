import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

export const coverageAdded: DistillSession = {
  name: 'dependency, config and commit',
  about: 'A dependency is added, a timeout changed and committed, and two turns teach nothing.',
  files: {
    'package.json': `{
  "name": "mail-relay",
  "private": true,
  "type": "module",
  "scripts": {
    "test": "node --test"
  },
  "devDependencies": {
    "typescript": "^5.9.0"
  }
}
`,
    'config/production.json': `{
  "upstream": "smtp.example.org",
  "timeoutMs": 30000,
  "retries": 2
}
`,
    'config/staging.json': `{
  "upstream": "smtp.staging.example.org",
  "timeoutMs": 30000,
  "retries": 0
}
`,
  },
  prompts: [
    'hi!',
    'add c8 as a dev dependency with a coverage script, 80 % lines needed. no network here, so just the package.json',
    'ok',
    'raise the production timeout to two minutes, large attachments run into it at 30 s. commit both',
    'thanks!!',
  ],
  script: (dir) => {
    const { run, read, edit } = callsIn(dir);
    return {
      main: [
        [say('Hello! What would you like to work on today?')],
        [read('package.json')],
        [
          edit(
            'package.json',
            '    "test": "node --test"\n',
            '    "test": "node --test",\n    "coverage": "c8 --check-coverage --lines 80 node --test"\n',
          ),
          edit('package.json', '    "typescript"', '    "c8": "^10.1.3",\n    "typescript"'),
        ],
        [
          run(
            `node -p "require('./package.json').scripts.coverage"`,
            'Check that it is valid JSON',
            'c8 --check',
          ),
        ],
        [
          say(
            '`c8` (^10.1.3) is a dev dependency now, and `npm run coverage` runs the tests with it and fails below 80 % of lines.\n\nIt is not installed yet: run `npm install` once you are online, which also updates the lockfile.',
          ),
        ],
        [say('Anything else?')],
        [
          run('cat config/production.json config/staging.json', 'Look at the configs', 'smtp.example.org'),
          read('config/production.json'),
        ],
        [edit('config/production.json', '"timeoutMs": 30000', '"timeoutMs": 120000')],
        [
          run(
            'git add -A && git commit -qm "Wait two minutes for large attachments; add coverage" && git log --oneline -1 --stat',
            'Commit',
            '2 files changed',
          ),
        ],
        [
          say(
            'The production timeout (`timeoutMs` in `config/production.json`) is 120000 now, so that large attachments no longer run into it. Staging keeps its 30 seconds. Both changes are committed as "Wait two minutes for large attachments; add coverage".',
          ),
        ],
        [say("You're welcome! Have a nice day.")],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['change', 'feature'], says: ['c8', 'coverage', '80'], files: ['package.json'], prompt: 2 },
      {
        type: 'change',
        says: ['timeout', /120000|two minutes/, 'large attachments'],
        files: ['config/production.json'],
        prompt: 4,
      },
    ],
    niceToHave: [
      { type: 'change', says: ['Wait two minutes for large attachments'], prompt: 4 },
      { type: 'gotcha', says: [/not installed yet|npm install/], prompt: 2 },
    ],
    summaries: [
      {
        prompt: 2,
        request: ['c8'],
        completed: ['coverage'],
        nextSteps: ['npm install'],
        filesModified: ['package.json'],
      },
      {
        prompt: 4,
        request: ['production timeout'],
        completed: [/120000|two minutes/],
        filesModified: ['config/production.json'],
      },
    ],
    noise: ['Anything else', 'Have a nice day', 'What would you like', 'thanks!!', 'smtp.staging', /^hi!$/m],
  },
};
