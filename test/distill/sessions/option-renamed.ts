import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const CLEAN = 'bin/clean-uploads.mjs';

export const optionRenamed: DistillSession = {
  name: 'option renamed',
  about: 'A feature grows over four prompts and is renamed on the way; memory must know the last state.',
  files: {
    'package.json': '{ "name": "uploads", "private": true, "type": "module" }\n',
    [CLEAN]: `import { readdirSync, rmSync } from 'node:fs';

const old = readdirSync('uploads').filter((name) => name.endsWith('.part'));
for (const name of old) rmSync(\`uploads/\${name}\`);
console.log(\`\${old.length} removed\`);
`,
    'uploads/a.part': 'half a picture\n',
    'uploads/b.png': 'a picture\n',
  },
  prompts: [
    'give clean-uploads an option --simulate that only prints what it would remove',
    'continue',
    'call it --dry-run, that is what all our other scripts use',
    'run it once for real',
  ],
  script: (dir) => {
    const { run, read, edit } = callsIn(dir);
    return {
      main: [
        [read(CLEAN)],
        [
          edit(
            CLEAN,
            `for (const name of old) rmSync(\`uploads/\${name}\`);`,
            `const simulate = process.argv.includes('--simulate');
for (const name of old) {
  if (simulate) console.log(\`would remove \${name}\`);
  else rmSync(\`uploads/\${name}\`);
}`,
          ),
        ],
        [say('The option is in place. I have not tried it yet; shall I go on?')],
        [run(`node ${CLEAN} --simulate && ls uploads`, 'Try the option', 'would remove a.part')],
        [
          say(
            `\`node ${CLEAN} --simulate\` prints "would remove a.part" and leaves the file alone. One flaw: the last line still says "1 removed".`,
          ),
        ],
        [
          run(
            'sed -i.bak "s/--simulate/--dry-run/; s/simulate/dryRun/g" bin/clean-uploads.mjs && rm bin/clean-uploads.mjs.bak',
            'Rename the option',
          ),
          run(`node ${CLEAN} --dry-run`, 'Try it under its new name', 'would remove a.part'),
        ],
        [
          say(
            `Renamed: the option of \`${CLEAN}\` is \`--dry-run\` now, like in your other scripts. \`--simulate\` no longer exists.`,
          ),
        ],
        [run(`node ${CLEAN} && ls uploads`, 'Clean up for real', '1 removed')],
        [say('Done: 1 file (`a.part`) was removed, `b.png` is still there.')],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['feature', 'change', 'preference'], says: ['--dry-run', /clean-uploads/], title: [/dry-run/] },
    ],
    niceToHave: [
      { type: ['feature', 'change'], says: ['--simulate', /clean-uploads/], prompt: 1 },
      { type: ['preference', 'change'], says: ['--dry-run', /all our other scripts/], prompt: 3 },
      { type: ['gotcha', 'discovery'], says: [/1 removed/, /still says|flaw/], prompt: 2 },
    ],
    summaries: [
      { prompt: 1, request: ['--simulate'], filesModified: [CLEAN] },
      { prompt: 2, learned: [/1 removed|would remove/] },
      { prompt: 3, request: ['--dry-run'], completed: ['--dry-run'] },
      { prompt: 4, optional: true, completed: [/removed/] },
    ],
    noise: ['shall I go on', 'process.argv'],
  },
};
