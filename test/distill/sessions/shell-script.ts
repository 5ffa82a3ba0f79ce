import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const SCRIPT = 'bin/nightly-report.sh';

export const shellScript: DistillSession = {
  name: 'shell script',
  about: 'A shell script ends in silence on good days; the cause is a rule of the shell.',
  files: {
    'README.md': '# nightly\n\n`bin/nightly-report.sh LOG` prints the report that is mailed every morning.\n',
    [SCRIPT]: `#!/bin/sh
# Prints how many errors and warnings a log has.
set -eu

log=$1
errors=$(grep -c ' ERROR ' "$log")
warnings=$(grep -c ' WARN ' "$log")

echo "Report for $(basename "$log")"
echo "errors: $errors"
echo "warnings: $warnings"
`,
    'samples/bad-day.log': '01:02 ERROR disk full\n01:03 WARN retrying\n01:04 INFO done\n',
    'samples/good-day.log': '01:02 INFO started\n01:03 WARN slow\n01:04 INFO done\n',
  },
  prompts: ['on days without errors no report arrives at all. why?'],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Let me run it on both samples.'),
          read(SCRIPT),
          run('head samples/*', 'Look at the samples', 'disk full'),
        ],
        [
          run(`sh ${SCRIPT} samples/bad-day.log`, 'A day with errors', 'errors: 1'),
          fail(`sh ${SCRIPT} samples/good-day.log`, 'A day without errors', 'Exit code 1'),
        ],
        [run(`sh -x ${SCRIPT} samples/good-day.log || true`, 'Trace where it ends', 'errors=0')],
        [
          edit(
            SCRIPT,
            `errors=$(grep -c ' ERROR ' "$log")`,
            `# grep ends with 1 when it finds nothing, which set -e takes for a failure.\nerrors=$(grep -c ' ERROR ' "$log" || true)`,
          ),
          edit(SCRIPT, `warnings=$(grep -c ' WARN ' "$log")`, `warnings=$(grep -c ' WARN ' "$log" || true)`),
        ],
        [
          run(
            `sh ${SCRIPT} samples/good-day.log && sh ${SCRIPT} /dev/null`,
            'Good day and empty log',
            'errors: 0',
          ),
        ],
        [
          say(`Fixed in \`${SCRIPT}\`: a day without errors now gives a report with \`errors: 0\`.

The cause is \`set -e\` together with \`grep -c\`: grep prints 0 but *exits with 1* when nothing matches, and under \`set -e\` an assignment \`errors=$(grep …)\` with a failing command ends the script at once, before anything is printed. I added \`|| true\` to both counts.

A side effect to know about: a missing log file also makes grep fail (exit 2) and is now reported as an empty count instead of an error. Cron should check that the file exists.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'gotcha'],
        says: ['set -e', 'grep', /exits? with 1|nothing matches|finds nothing/, '|| true'],
        files: [SCRIPT],
        prompt: 1,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery'], says: [/missing log file|exit 2/] },
      { type: ['gotcha', 'bugfix'], says: ['set -e', 'grep'] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['no report arrives'],
        learned: ['set -e'],
        completed: [/\|\| true|errors: 0/],
        filesModified: [SCRIPT],
      },
    ],
    noise: ['Exit code 1', /^\+ /m, 'disk full', 'run it on both samples'],
  },
};
