import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const MAIN = 'envs/prod/logs.tf';
const SHIPPER = 'envs/prod/shipper.tf';

const TERRAFORM = `#!/bin/sh
if [ "$2" = "apply" ]; then echo "Error: state is locked by atlantis"; exit 1; fi
if [ "$1" = "validate" ]; then echo "Success! The configuration is valid."; exit 0; fi
if grep -q 'halden-prod-access-logs' ${MAIN}; then
  echo '-/+ resource "aws_s3_bucket" "logs" { # forces replacement'
  echo 'Plan: 3 to add, 0 to change, 3 to destroy.'
else
  if grep -q 'days = 400' ${MAIN}; then echo '  ~ expiration { days = 365 -> 400 }'; fi
  if grep -q 'buffering_interval = 900' ${SHIPPER}; then echo '  ~ buffering_interval = 60 -> 900'; fi
  echo 'Plan: 0 to add, 2 to change, 0 to destroy.'
fi
`;

export const logBucket: SurveySession = {
  name: 'log bucket',
  about:
    'Costs of a log bucket: the storage class is suspected, the bill says requests; values are corrected on the way.',
  kind: 'operations',
  language: 'en',
  ecosystem: 'terraform',
  files: {
    [MAIN]: `resource "aws_s3_bucket" "logs" {
  bucket = "halden-logs"
}

resource "aws_s3_bucket_lifecycle_configuration" "logs" {
  bucket = aws_s3_bucket.logs.id
  rule {
    id     = "expire"
    status = "Enabled"
    filter {}
    expiration { days = 365 }
  }
}
`,
    [SHIPPER]: `resource "aws_kinesis_firehose_delivery_stream" "access" {
  name        = "access-logs"
  destination = "extended_s3"
  extended_s3_configuration {
    role_arn           = aws_iam_role.firehose.arn
    bucket_arn         = aws_s3_bucket.logs.arn
    buffering_size     = 1
    buffering_interval = 60
  }
}
`,
    'reports/cost-2026-02.csv': `service,usage_type,usd
S3,TimedStorage-ByteHrs,212.40
S3,Requests-Tier1,1893.75
S3,Requests-Tier2,41.12
S3,DataTransfer-Out,17.03
`,
    'README.md': '# halden-infra\n\nOne folder for each environment under envs/.\n',
  },
  programs: { terraform: TERRAFORM },
  prompts: [
    'Hello! The bucket halden-logs costs since some months too much, about 2100 dollar in February. I think we must to put the objects in cheaper storage class, Glacier or so. Can you look? The bill is in reports. Please only make plan and never apply from here, the apply makes Atlantis after the merge.',
    'Ah good that you looked. Then do the buffering. But 5 minutes is too few, take 15 minutes, the security team said me they read this logs only one time in a day. And when you are there: expiration must be 400 days and not 365, our auditor want 13 months. Also please rename bucket to halden-prod-access-logs that it fits the naming.',
    'Oh no, then leave the name like it is! I did not know this. We write it in the README as exception of the naming.',
    'Sorry, one more correction from my side. I asked the auditor again, it is for the payment logs. For the access logs 365 is ok, so please put back the expiration.',
  ],
  script: (dir) => {
    const { run, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say("I'll look at the bill and the configuration before changing the storage class."),
          read('reports/cost-2026-02.csv'),
          read(MAIN),
          read(SHIPPER),
        ],
        [
          run(
            'awk -F, \'NR>1 {s+=$3; print $2, $3} END {print "total", s}\' reports/cost-2026-02.csv',
            'Sum up the bill',
            'Requests-Tier1 1893.75',
          ),
        ],
        [
          say(`The storage class is not the problem. Of about 2,164 dollars in February only 212 are storage; 1,894 are \`Requests-Tier1\`, i.e. PUT requests.

The reason is in \`${SHIPPER}\`: Firehose writes an object every 60 seconds or every 1 MB per partition, so we pay for millions of tiny objects. Moving them to Glacier would make it *more* expensive: each transition is billed as a request, too, and every object below 128 KB carries overhead.

Suggestion: raise the Firehose buffer to 128 MB / 300 seconds (5 minutes). That should cut the PUT requests to roughly a fifth. The price is that logs arrive in the bucket later.`),
        ],
        [
          say('15 minutes is also the maximum Firehose allows (900 s). Making the three changes.'),
          edit(SHIPPER, 'buffering_size     = 1\n', 'buffering_size     = 128\n'),
          edit(SHIPPER, 'buffering_interval = 60', 'buffering_interval = 900'),
          edit(MAIN, 'days = 365', 'days = 400'),
          edit(MAIN, '"halden-logs"', '"halden-prod-access-logs"'),
        ],
        [run('terraform -chdir=envs/prod plan', 'Plan', 'forces replacement')],
        [
          say(`The buffer (128 MB, 900 s) and the expiration are in the files, but please look at the rename before we go on.

**The rename destroys the bucket.** An S3 bucket cannot be renamed; the plan says \`forces replacement\`, 3 to add, 3 to destroy. All existing logs would be lost, or, as the bucket isn't empty, the apply would fail halfway.

Options: leave the name, or create a second bucket and copy everything over (which costs the very requests we want to save). I would leave the name.`),
        ],
        [edit(MAIN, '"halden-prod-access-logs"', '"halden-logs"'), read('README.md')],
        [
          edit(
            'README.md',
            'One folder for each environment under envs/.\n',
            'One folder for each environment under envs/.\n\nNaming: `halden-<env>-<purpose>`. Exception: `halden-logs`, S3 buckets cannot be renamed without being replaced.\n',
          ),
          run('terraform -chdir=envs/prod plan', 'Plan again', '0 to destroy'),
        ],
        [
          say(
            'The name stays `halden-logs`, and the README lists it as an exception of the naming scheme. The plan is now 0 to add, 2 to change, 0 to destroy.',
          ),
        ],
        [
          edit(MAIN, 'days = 400', 'days = 365'),
          run(
            'terraform -chdir=envs/prod plan && terraform validate',
            'Plan once more',
            'configuration is valid',
          ),
        ],
        [
          say(`Put back: access logs expire after 365 days again. The 13 months (400 days) of the auditor concern the payment logs only; those aren't in this file, so somebody should check whether their bucket keeps them that long.

What remains of this change is the Firehose buffer in \`${SHIPPER}\`: 128 MB or 900 s. Not applied; Atlantis does that after the merge. I'd compare \`Requests-Tier1\` on the next monthly bill.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: [/Requests-Tier1|PUT/, /storage/, /1,?89[34]|212/],
      },
      {
        type: ['change', 'decision', 'preference', 'feature'],
        says: [/buffer/, /900|15 minutes/],
      },
      { type: ['preference', 'decision'], says: [/apply/, /atlantis/i, /plan|never|merge/] },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: [/rename/, /replace|destroy/, /bucket/],
      },
      {
        type: ['preference', 'decision', 'gotcha', 'change', 'discovery'],
        says: [/payment logs/, /400|13 months/, /365|auditor/],
      },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: [/glacier/i, /more\W* expensive|128 KB|transition/],
      },
    ],
    niceToHave: [
      {
        type: ['preference', 'discovery', 'decision'],
        says: [/security team/, /one time in a day|once a day/],
      },
      { type: ['decision', 'change', 'preference'], says: [/README/, /exception/] },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/maximum/, /900/] },
      { type: ['discovery', 'gotcha', 'decision'], says: [/payment logs/, /check|keeps/] },
    ],
    summaries: [
      { prompt: 1, request: [/halden-logs/], learned: [/request/i] },
      { prompt: 2, request: [/buffering/], learned: [/rename/] },
      { prompt: 3, request: [/name/], completed: [/README|halden-logs/] },
      { prompt: 4, request: [/expiration/], completed: [/365/], nextSteps: [/Requests-Tier1|payment/] },
    ],
    noise: [
      'Ah good that you looked',
      'Hello!',
      'Making the three changes',
      'please look at the rename before we go on',
    ],
    untrue: [
      /raise the Firehose buffer to 128 MB \/ 300/,
      /expiration[^.,]{0,20}(now|is at|set to|raised to) 400/,
      /365 -> 400/,
      /access logs (expire|are kept|are expired)[^.]{0,20}400/,
      /(bucket|it) (is|was|has been) renamed to/,
    ],
    followUps: [
      { asks: 'why we do not use Glacier for the access logs?', says: [/glacier/i, /request|expensive/] },
      {
        asks: 'Auditor ask how long we hold the access logs in S3, and is it enough for him?',
        says: [/365/, /payment logs/],
      },
      { asks: 'I made a small change in envs/prod, can you bring it live?', says: [/atlantis/i] },
      {
        asks: 'halden-logs does not follow our naming, can I correct it in the tf file?',
        says: [/replace|destroy/],
      },
      {
        asks: 'a colleague say his entries appear in the archive with long delay, is something broken?',
        says: [/900|15 minutes/],
      },
    ],
    unrelated: [
      'how can I read an output from the other state, with terraform_remote_state?',
      'what is the difference of count and for_each?',
      'the pre-commit hook tells that terraform fmt is not found, how do I install it on Mac',
    ],
  },
};
