import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CI = '.github/workflows/ci.yml';
const NIGHTLY = '.github/workflows/nightly.yml';
const RELEASE = '.github/workflows/release.yml';
const DOCS_WORKFLOW = '.github/workflows/docs.yml';
const CHANGED = 'scripts/changed-packages.sh';
const GATE = 'scripts/gate.sh';
const SOAK = 'scripts/soak.sh';
const GUIDE = 'docs/ci.md';

const TEST_SCRIPT = '#!/usr/bin/env bash\nset -euo pipefail\necho "ok"\n';

export const newcomerAsksAboutCi: SurveySession = {
  name: 'newcomer asks about ci',
  about: 'Three questions of a newcomer about the checks of a pull request; nothing is changed.',
  kind: 'question',
  language: 'en',
  ecosystem: 'shell',
  files: {
    'README.md': '# parcel-tools\n\nShell tools around labels, rates and tracking.\n',
    [CI]: `name: ci
on: pull_request
jobs:
  plan:
    runs-on: ubuntu-24.04
    outputs:
      packages: \${{ steps.changed.outputs.packages }}
    steps:
      - uses: actions/checkout@v4
        with:
          ref: \${{ github.event.pull_request.head.sha }}
          fetch-depth: 50
      - run: git fetch -q --depth=50 origin +main:refs/remotes/origin/main
      - id: changed
        run: echo "packages=$(bash scripts/changed-packages.sh)" >> "$GITHUB_OUTPUT"
  test:
    needs: plan
    runs-on: ubuntu-24.04
    strategy:
      matrix:
        package: \${{ fromJSON(needs.plan.outputs.packages) }}
    steps:
      - uses: actions/checkout@v4
      - run: bash packages/\${{ matrix.package }}/test.sh
  publish-preview:
    needs: test
    if: github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4
      - run: bash scripts/publish-preview.sh
        env:
          PREVIEW_KEY: \${{ secrets.PREVIEW_KEY }}
  gate:
    needs: [test, publish-preview]
    if: always()
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4
      - run: bash scripts/gate.sh \${{ join(needs.*.result, ' ') }}
`,
    [NIGHTLY]: `name: nightly
on:
  schedule:
    - cron: '40 1 * * *'
jobs:
  soak:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4
      - run: bash scripts/soak.sh | tee soak.log
      - uses: actions/upload-artifact@v4
        with:
          name: soak
          path: soak.log
`,
    [RELEASE]: `name: release
on:
  push:
    tags: ['v*']
defaults:
  run:
    shell: bash
jobs:
  release:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4
      - run: bash scripts/publish.sh | tee publish.log
`,
    [DOCS_WORKFLOW]: `name: docs
on:
  pull_request:
    paths: ['docs/**']
jobs:
  links:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4
      - run: bash scripts/check-links.sh
`,
    [CHANGED]: `#!/usr/bin/env bash
# Prints a JSON list of the packages that a pull request touches.
set -euo pipefail
base=\${BASE:-origin/main}

json() { sort -u | sed 's/.*/"&"/' | paste -sd, | sed 's/.*/[&]/'; }
everything() { ls packages | json; }

if ! fork_point=$(git merge-base "$base" HEAD 2>/dev/null); then
  everything
  exit 0
fi
changed=$(git diff --name-only "$fork_point" HEAD)
if grep -q '^shared/' <<<"$changed"; then
  everything
else
  sed -n 's|^packages/\\([^/]*\\)/.*|\\1|p' <<<"$changed" | json
fi
`,
    [GATE]: `#!/usr/bin/env bash
# The one required check. Arguments: the results of the jobs it needs.
set -euo pipefail
for result in "$@"; do
  case $result in
    success | skipped) ;;
    *) echo "gate: a job ended with $result"; exit 1 ;;
  esac
done
echo "gate: open"
`,
    [SOAK]: `#!/usr/bin/env bash
set -uo pipefail
failed=0
for case in rates-eu rates-us track-bulk label-burst; do
  if [[ $case == *bulk || $case == *burst ]]; then echo "FAIL $case"; failed=1; else echo "PASS $case"; fi
done
exit "$failed"
`,
    [GUIDE]: `# CI

A pull request runs the tests of the packages it changes **and of every package that depends on them**.
The checkout has the full history.
`,
    'packages/address/test.sh': TEST_SCRIPT,
    'packages/label/test.sh': TEST_SCRIPT,
    'packages/rates/test.sh': TEST_SCRIPT,
    'packages/track/test.sh': TEST_SCRIPT,
    'shared/retry.sh': 'retry() { for _ in 1 2 3; do "$@" && return; sleep 1; done; return 1; }\n',
  },
  prompts: [
    "hi! first week here :) my PR comes from my fork and 'publish-preview' is grey/skipped, on Dana's PR it ran. did I break something and will it block my merge? pls only explain, don't edit anything: the workflows belong to Marek's platform team, changes there go through a PLAT ticket",
    'ah ok, makes sense! next one: I only touched packages/label but "plan" started all 4 packages. docs/ci.md says dependents are tested as well, so do the other three depend on label??',
    'you were right, I was 83 commits behind. rebased, now only label runs. last question: nightly is green every single day but the soak.log I downloaded from last night has FAIL lines in it. is that expected?',
    'super helpful thank you!! I will open the PLAT ticket myself',
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [
          say("Welcome! I'll look at the workflow that defines that job."),
          run('ls .github/workflows scripts', 'List workflows and scripts', 'nightly.yml'),
          read(CI),
        ],
        [
          say(
            'The condition is right there on the job. Let me see what the gate does with a skipped result.',
          ),
          read(GATE),
        ],
        [
          run(
            'bash scripts/gate.sh success skipped; bash scripts/gate.sh success cancelled || true',
            'Try the gate with a skipped and a cancelled job',
            'gate: open',
          ),
          read(DOCS_WORKFLOW),
        ],
        [
          say(`You didn't break anything, and it won't block you.

**Why it is skipped.** \`publish-preview\` only runs when the head repository is this repository. GitHub does not hand secrets to pull requests from forks, so without \`PREVIEW_KEY\` the job could only fail; the \`if:\` skips it on purpose. Dana pushes branches to the main repository, hence the difference.

**Why it doesn't block.** The only required check is \`gate\`, and it accepts \`success\` and \`skipped\`; I tried it with both, and it closes on \`cancelled\`.

One thing that trips people up here: a job skipped by \`if:\` reports success, but a whole workflow skipped by a \`paths:\` filter leaves its check pending forever. That is why \`docs\` (filtered on \`docs/**\`) must never be made a required check.

If you want a preview for your PR, someone with write access can push your branch to the main repository. Happy to explain any other job!`),
        ],

        [say('Let me read how the list is computed.'), read(CHANGED), read(GUIDE)],
        [
          say(
            'My first guess was the `shared/` rule, but you say you only touched label. There is no dependency graph in this script at all, so let me run it on a clean clone.',
          ),
          run(
            'd=$(mktemp -d) && git clone -q . "$d/deep" && cd "$d/deep" && git checkout -qb label-typo && echo "# typo" >> packages/label/test.sh && git commit -qam typo && bash scripts/changed-packages.sh',
            'Run the script for a branch that changes label only',
            '["label"]',
          ),
        ],
        [
          say(
            'Only label, so the other three are not dependents. What is left is the fallback: no merge base. I can force that with a main that has moved on by more than the fetch depth.',
          ),
          run(
            'd=$(mktemp -d) && git clone -q . "$d/deep" && cd "$d/deep" && git checkout -qb label-typo && echo "# typo" >> packages/label/test.sh && git commit -qam typo && git checkout -q main && for i in $(seq 60); do git commit -q --allow-empty -m "main $i"; done && git clone -q --depth 50 --no-single-branch -b label-typo "file://$d/deep" "$d/shallow" && cd "$d/shallow" && bash scripts/changed-packages.sh',
            'The same with main 60 commits ahead and a clone of depth 50',
            '["address","label","rates","track"]',
          ),
        ],
        [
          say(`No, nothing depends on label in CI terms. What you see is a fallback:

1. \`plan\` fetches only 50 commits of your branch and of main.
2. If your branch left main more than 50 commits ago, \`git merge-base\` finds no common ancestor in that shallow history, and \`changed-packages.sh\` silently falls back to all packages.
3. I reproduced it: main 60 commits ahead gives all four, a fresh branch gives only \`label\`.

So: **rebase onto main** and it should shrink to one.

By the way, \`docs/ci.md\` is wrong on two counts: the checkout is not the full history, and dependents are not tested. If you change \`label\` and \`track\` uses it, CI will not notice; only a change under \`shared/\` runs everything. Let me know how the rebase goes!`),
        ],

        [
          say('Good to hear. FAIL in the log of a green run is suspicious. Let me look.'),
          read(NIGHTLY),
          read(SOAK),
        ],
        [
          say(
            '`soak.sh` does exit with 1 when a case fails, so the status gets lost on the way. Let me compare the two ways a runner starts bash.',
          ),
          run(
            'bash -e -c \'bash scripts/soak.sh | tee /dev/null\'; echo "without pipefail: $?"; bash -eo pipefail -c \'bash scripts/soak.sh | tee /dev/null\'; echo "with pipefail: $?"',
            'Exit status of the piped soak test with and without pipefail',
            'with pipefail: 1',
          ),
          run(
            'grep -n "shell:\\|tee" .github/workflows/*.yml',
            'Which workflows pipe and which set a shell',
            'release.yml',
          ),
        ],
        [
          say(`No, that is a real hole. **The nightly cannot go red.**

| started as | exit status of \`soak.sh \\| tee\` |
|---|---|
| \`bash -e\` (what Actions uses when no \`shell:\` is given) | 0 |
| \`bash -eo pipefail\` (what it uses with an explicit \`shell: bash\`) | 1 |

\`nightly.yml\` sets no shell, so \`tee\` decides the status and the failure of the soak test is swallowed. \`release.yml\` pipes into \`tee\` as well, but it sets \`defaults.run.shell: bash\` and is therefore safe.

So \`track-bulk\` and \`label-burst\` fail in the soak test, and nobody can say since when, because old artifacts expire. I left everything as it is, as you asked. For the ticket, the fix is one line: \`shell: bash\` on the soak step; expect the nightly to turn red right away.

Want me to draft the ticket text for you?`),
        ],

        [say("You're welcome, and enjoy the first week! 🎉")],
      ],
    };
  },
  expects: {
    essentials: [
      { type: 'preference', says: [/Marek|platform team/, /PLAT/], prompt: 1 },
      {
        type: ['how-it-works', 'discovery', 'gotcha', 'decision'],
        says: [/fork/, /secrets/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'how-it-works', 'discovery'],
        says: [/paths/, /pending/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'how-it-works', 'discovery', 'bugfix'],
        says: [/50 commits/, /all packages|all four|merge.base/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'how-it-works', 'discovery'],
        says: [/dependents are not tested/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'bugfix'],
        says: [/nightly/, /tee|pipefail/, /shell/],
        prompt: 3,
      },
    ],
    niceToHave: [
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/gate/, /skipped/, /required/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/track-bulk/, /label-burst/],
        prompt: 3,
      },
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/release\.yml/, /safe|shell: bash/],
        prompt: 3,
      },
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/shared\//, /everything/],
        prompt: 2,
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/docs\/ci\.md/, /wrong/],
        prompt: 2,
      },
    ],
    summaries: [
      { prompt: 1, request: ['publish-preview'], learned: [/secrets|skipped/] },
      {
        prompt: 2,
        request: [/packages\/label|plan/],
        learned: [/50 commits|merge-base|falls? back/],
      },
      {
        prompt: 3,
        request: ['nightly'],
        learned: [/tee|pipefail|shell/],
        nextSteps: [/ticket|shell: bash/],
      },
    ],
    noise: [
      "I'll look at the workflow",
      'Happy to explain any other job',
      'Let me know how the rebase goes',
      'Want me to draft the ticket text',
      'enjoy the first week',
      'super helpful thank you',
      'My first guess was',
      'FAIL in the log of a green run is suspicious',
    ],
    untrue: [
      /nightly(\.yml)? (is|was|has been) (now )?fixed/,
      /(added|set) `?shell: bash`? (to|in|on) (the soak step|`?nightly)/,
      /every package that depends on them/,
    ],
    followUps: [
      {
        asks: 'an outside contributor complains that his branch gets no preview deployment, what do I tell him?',
        says: [/secrets/],
      },
      {
        asks: 'can I make the link checker from the docs workflow mandatory for merging?',
        says: [/pending/],
      },
      {
        asks: 'why does an old branch of mine run the whole test matrix although the diff is one line?',
        says: [/50 commits/],
      },
      {
        asks: 'can we trust a green soak result from last night?',
        says: [/tee|pipefail/],
      },
      {
        asks: 'I want to bump the checkout action in ci.yml, whom do I have to ask?',
        says: [/PLAT/],
      },
      {
        asks: 'if I break something in rates, will CI run the packages that use it too?',
        says: [/dependents|not tested|shared/],
      },
    ],
    unrelated: [
      'write a bash completion for the label command',
      'the retry helper should back off exponentially, please change it',
      'add a German section to the README',
    ],
  },
};
