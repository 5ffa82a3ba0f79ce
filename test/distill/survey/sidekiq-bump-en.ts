import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const GEMFILE = 'Gemfile';
const INIT = 'config/initializers/sidekiq.rb';
const DIGEST = 'app/jobs/nightly_digest_job.rb';
const SCHEDULER = 'lib/digest_scheduler.rb';

const BUNDLE = `#!/bin/sh
case "$*" in
  "update sidekiq")
    if grep -q 'sidekiq", "~> 7' Gemfile; then v=7.3.9; else v=6.5.12; fi
    echo "Fetching sidekiq $v"; echo "Note: sidekiq version is now $v"
    echo "    sidekiq ($v)" > Gemfile.lock ;;
  "exec rspec")
    mkdir -p tmp; echo started > tmp/rspec.log; sleep 60 ;;
  "exec rspec spec/jobs")
    if grep -q 'iso8601' ${SCHEDULER}; then echo "14 examples, 0 failures"; else
      echo "Job arguments to NightlyDigestJob do not serialize to JSON safely: Date"
      echo "14 examples, 0 failures"; fi ;;
  *) echo "unknown: $*"; exit 1 ;;
esac
`;

export const sidekiqBump: SurveySession = {
  name: 'sidekiq bump',
  about: 'A terse person asks for an upgrade, stops it halfway and settles for a smaller one.',
  kind: 'upgrade',
  language: 'en',
  ecosystem: 'ruby',
  files: {
    [GEMFILE]: `source "https://rubygems.org"

gem "rails", "~> 7.0.8"
gem "sidekiq", "~> 6.2.0"
gem "redis-namespace"
`,
    'Gemfile.lock': '    sidekiq (6.2.2)\n',
    [INIT]: `redis = { url: ENV.fetch("REDIS_URL"), namespace: "parish" }

Sidekiq.configure_server { |config| config.redis = redis }
Sidekiq.configure_client { |config| config.redis = redis }
`,
    [DIGEST]: `class NightlyDigestJob
  include Sidekiq::Worker

  def perform(day)
    Digest.for(day).deliver
  end
end
`,
    [SCHEDULER]: `module DigestScheduler
  def self.tick(today = Date.current)
    NightlyDigestJob.perform_async(today)
  end
end
`,
  },
  programs: { bundle: BUNDLE },
  prompts: [
    'sidekiq to 7. run specs',
    'stop. prod redis is 6.0 until july, sidekiq 7 wants 6.2. take 6.5.12 and undo the rest. and never the full rspec, it hits the real mail sandbox. spec/jobs is enough',
    'pin it so dependabot shuts up. comment why',
  ],
  how: { cut: 'interrupted', when: 'tmp/rspec.log' },
  script: (dir) => {
    const { run, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [
          read(GEMFILE),
          read(INIT),
          run('grep -rn "perform_async\\|Sidekiq::" app lib config', 'Find Sidekiq uses', 'NightlyDigestJob'),
        ],
        [say('Three places use Sidekiq. Bumping the gem.'), edit(GEMFILE, '"~> 6.2.0"', '"~> 7.3"')],
        [run('bundle update sidekiq', 'Update sidekiq', '7.3.9')],
        [
          say(
            'Sidekiq 7 talks to Redis through redis-client, which has no namespaces: the `namespace: "parish"` option in `config/initializers/sidekiq.rb` raises an ArgumentError there. I am dropping it for now.',
          ),
          edit(INIT, ', namespace: "parish"', ''),
        ],
        [say('Running the full suite.'), cut('bundle exec rspec', 'Run all specs')],
        [
          say('Stopped. Rolling back to the committed state first.'),
          run('git checkout -- Gemfile Gemfile.lock config && git status --short', 'Undo the upgrade to 7'),
        ],
        [read(GEMFILE), read(SCHEDULER)],
        [edit(GEMFILE, '"~> 6.2.0"', '"6.5.12"')],
        [run('bundle update sidekiq', 'Update sidekiq', '6.5.12')],
        [run('bundle exec rspec spec/jobs', 'Run the job specs', 'do not serialize')],
        [
          say(
            'Green, but 6.5 warns: `DigestScheduler.tick` passes a Date to `NightlyDigestJob`, and Sidekiq arguments must be plain JSON. A Date arrives as a string in `perform`. In 7 the same call raises.',
          ),
          edit(SCHEDULER, 'perform_async(today)', 'perform_async(today.iso8601)'),
          read(DIGEST),
        ],
        [edit(DIGEST, 'Digest.for(day)', 'Digest.for(Date.iso8601(day))')],
        [run('bundle exec rspec spec/jobs', 'Run the job specs', '14 examples, 0 failures')],
        [
          say(`On sidekiq 6.5.12. spec/jobs: 14 examples, 0 failures, no warnings.

- The attempt at 7.3.9 is gone; the initializer still has its namespace.
- \`${SCHEDULER}\` passes the day as an ISO 8601 string, \`${DIGEST}\` parses it. Jobs already queued with the old Date format parse the same way.

For the move to 7 in July: the Redis namespace has to go first. redis-client does not support it, so all queues and the retry set have to be drained or their keys renamed before the switch.`),
        ],
        [
          edit(
            GEMFILE,
            'gem "sidekiq", "6.5.12"',
            '# 7.x needs Redis 6.2; production is on 6.0 until July. Also: drop redis-namespace first.\ngem "sidekiq", "6.5.12"',
          ),
          run('ls .github 2>/dev/null || true', 'Is there a Dependabot config'),
        ],
        [
          say(
            'Pinned to exactly 6.5.12 in the Gemfile, with the reason above it. There is no `.github/dependabot.yml` in this repo, so Dependabot is configured elsewhere; an exact pin alone does not silence it, it needs an `ignore` entry for sidekiq `>= 7` there.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/redis/, /6\.0/, /july/, /6\.2/],
      },
      {
        type: ['preference', 'gotcha'],
        says: [/full rspec/, /never/, /mail sandbox/],
      },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'change'],
        says: [/Date/, /NightlyDigestJob|DigestScheduler|digest_scheduler/, /JSON|ISO ?8601|iso8601/],
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'decision'],
        says: [/redis-client/, /namespace/],
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/dependabot/, /ignore/, /pin/],
      },
    ],
    niceToHave: [
      { type: ['change', 'decision'], says: [/6\.5\.12/, /pinned|sidekiq/] },
      { type: ['gotcha', 'discovery', 'decision'], says: [/drained|keys renamed/, /queues|retry set/] },
      { type: ['discovery', 'change'], says: [/14 examples/] },
    ],
    summaries: [
      { prompt: 1, request: [/sidekiq to 7/] },
      { prompt: 2, request: [/6\.5\.12/], completed: [/6\.5\.12/], nextSteps: [/namespace/] },
      { prompt: 3, request: [/pin/], completed: [/pinned/] },
    ],
    noise: ['Running the full suite', 'Three places use Sidekiq', 'Rolling back to the committed state'],
    untrue: [
      /sidekiq version is now 7/,
      /(upgraded|bumped|now|updated|moved)( sidekiq)? (on|to) (sidekiq )?7/,
      /"~> 7\.3"/,
      /namespace.{0,40}(is|was) (dropped|removed)/,
      /I am dropping it/,
    ],
    followUps: [
      { asks: 'dependabot opened a PR for sidekiq 7.3, merge?', says: [/redis/, /6\.2|6\.0/, /july/] },
      {
        asks: 'what do we have to do before we can go to the next major of our job queue?',
        says: [/namespace/],
      },
      { asks: 'run all the ruby tests once before I push', says: [/mail sandbox/, /spec\/jobs/] },
      { asks: 'I want to hand a Time object to a background job. fine?', says: [/JSON/] },
      { asks: "why's there an exact version in the Gemfile instead of a range", says: [/6\.0/, /july/] },
    ],
    unrelated: [
      'add a favicon to the public pages',
      'what does has_many :through do in Parish',
      'explain what turbo frames do in the sermon editor',
    ],
  },
};
