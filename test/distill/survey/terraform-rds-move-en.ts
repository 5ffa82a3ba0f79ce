import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const MAIN = 'live/prod/main.tf';
const PLATFORM = 'modules/platform/rds.tf';
const DATA = 'modules/data/rds.tf';
const MOVED = 'live/prod/moved.tf';

const TERRAFORM = `#!/bin/sh
# Stands in for terraform in live/prod: reads the files and pretends to have a remote state.
case "$1" in -chdir=*) cd "\${1#-chdir=}" || exit 1; shift ;; esac
case "$1" in
  init) echo 'Terraform has been successfully initialized!' ;;
  fmt) ;;
  validate) echo 'Success! The configuration is valid.' ;;
  state) echo 'module.platform.aws_db_instance.ledger'; echo 'module.platform.aws_db_subnet_group.ledger' ;;
  plan)
    if [ ! -f moved.tf ]; then echo 'Plan: 2 to add, 0 to change, 2 to destroy.'; exit 0; fi
    if grep -q 'name  *= "ledger-data"' ../../modules/data/rds.tf; then
      echo '-/+ module.data.aws_db_subnet_group.ledger  name: "ledger" -> "ledger-data" # forces replacement'
      echo 'Plan: 1 to add, 1 to change, 1 to destroy.'; exit 0
    fi
    echo 'module.platform.aws_db_instance.ledger has moved to module.data.aws_db_instance.ledger'
    echo 'Plan: 0 to add, 0 to change, 0 to destroy.' ;;
  force-unlock) touch ../../.git/unlocked; echo 'Terraform state has been successfully unlocked!' ;;
  apply)
    touch apply-started
    echo 'Acquiring state lock. This may take a few moments...'
    sleep 30 ;;
  *) exit 1 ;;
esac
`;

const AWS = `#!/bin/sh
# Stands in for the AWS command line: the lock of the interrupted apply, until it is released.
if [ -f .git/unlocked ]; then echo '{ "Items": [], "Count": 0 }'; exit 0; fi
echo '{ "Items": [{ "LockID": "tally-tfstate/prod", "Info": "ID 7c1e-55aa Who dev@laptop Operation OperationTypeApply" }], "Count": 1 }'
`;

const rds = (name: string) => `resource "aws_db_subnet_group" "ledger" {
  name       = "${name}"
  subnet_ids = var.subnet_ids
}

resource "aws_db_instance" "ledger" {
  identifier           = "ledger"
  instance_class       = "db.r6g.xlarge"
  db_subnet_group_name = aws_db_subnet_group.ledger.name
}
`;

export const terraformRdsMoveEn: SurveySession = {
  name: 'terraform rds move en',
  about:
    'A database moves between modules without being recreated; the person stops an apply from the laptop.',
  kind: 'operations',
  language: 'en',
  ecosystem: 'terraform',
  files: {
    [MAIN]: `module "platform" {
  source     = "../../modules/platform"
  subnet_ids = var.subnet_ids
}
`,
    'live/staging/main.tf':
      'module "platform" {\n  source     = "../../modules/platform"\n  subnet_ids = var.subnet_ids\n}\n',
    'live/prod/backend.tf':
      'terraform {\n  backend "s3" {\n    bucket         = "tally-tfstate"\n    dynamodb_table = "tally-tflock"\n  }\n}\n',
    [PLATFORM]: rds('ledger'),
    'modules/platform/network.tf': 'resource "aws_vpc" "main" {\n  cidr_block = "10.20.0.0/16"\n}\n',
    'atlantis.yaml': 'version: 3\nprojects:\n  - dir: live/prod\n    apply_requirements: [approved]\n',
  },
  programs: { terraform: TERRAFORM, aws: AWS },
  prompts: [
    "We're splitting the platform module. Move the ledger RDS instance and its subnet group into a new modules/data, prod only for now. The instance must not be recreated under any circumstances, that's the ledger of record and a restore takes about 5 hours.",
    'STOP. Nobody applies prod from a laptop, applies only go through Atlantis on the merged PR. Did that leave a lock behind? And check whether anything was changed.',
    'ok, phew. one more thing: add a guard so the instance cannot be destroyed by accident, then commit on a branch, I open the PR myself.',
  ],
  how: { cut: 'interrupted', when: 'live/prod/apply-started' },
  script: (dir) => {
    const { run, cut, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          read(MAIN),
          read(PLATFORM),
          run(
            'terraform -chdir=live/prod init && terraform -chdir=live/prod state list',
            'What is in the state',
            'aws_db_subnet_group.ledger',
          ),
        ],
        [
          say(
            'The state has both resources under module.platform. I copy the file and wire up the new module.',
          ),
          write(DATA, rds('ledger-data')),
          edit(
            MAIN,
            '  subnet_ids = var.subnet_ids\n}\n',
            '  subnet_ids = var.subnet_ids\n}\n\nmodule "data" {\n  source     = "../../modules/data"\n  subnet_ids = var.subnet_ids\n}\n',
          ),
          run(
            `git rm -q ${PLATFORM} && terraform -chdir=live/prod plan`,
            'Plan without moved blocks',
            '2 to destroy',
          ),
        ],
        [
          say('As expected that would destroy and recreate, so moved blocks are needed.'),
          write(
            MOVED,
            `moved {
  from = module.platform.aws_db_instance.ledger
  to   = module.data.aws_db_instance.ledger
}

moved {
  from = module.platform.aws_db_subnet_group.ledger
  to   = module.data.aws_db_subnet_group.ledger
}
`,
          ),
          run('terraform -chdir=live/prod plan', 'Plan with moved blocks', 'forces replacement'),
        ],
        [
          say(
            'The subnet group is still replaced: I had renamed it to ledger-data, and the name of an `aws_db_subnet_group` is immutable, so a rename forces replacement and takes the instance with it. It has to stay "ledger" even though it now lives in the data module.',
          ),
          edit(DATA, 'name       = "ledger-data"', 'name       = "ledger"'),
          run(
            'terraform -chdir=live/prod fmt && terraform -chdir=live/prod validate && terraform -chdir=live/prod plan',
            'Plan again',
            '0 to add, 0 to change, 0 to destroy',
          ),
        ],
        [
          say('The plan is clean, nothing but the move. Applying it now.'),
          cut('terraform -chdir=live/prod apply -auto-approve', 'Apply the move'),
        ],
        [
          say('Sorry about that. Checking the lock and the state, read-only.'),
          run('aws dynamodb scan --table-name tally-tflock', 'Is the state locked', 'Who dev@laptop'),
        ],
        [
          run(
            'terraform -chdir=live/prod state list',
            'Addresses in the state',
            'module.platform.aws_db_instance.ledger',
          ),
          read('live/prod/backend.tf'),
          read('atlantis.yaml'),
        ],
        [
          say(
            'The lock is ours (dev@laptop, 7c1e-55aa) and no other run is going on, so it is safe to release.',
          ),
          run(
            'terraform -chdir=live/prod force-unlock -force 7c1e-55aa && rm -f live/prod/apply-started',
            'Release my own lock',
            'successfully unlocked',
          ),
          run('aws dynamodb scan --table-name tally-tflock', 'The lock is gone', '"Count": 0'),
        ],
        [
          say(`Nothing was changed in AWS or in the state: both resources are still listed under \`module.platform\`, so the apply was stopped before it wrote anything.

It did leave a lock in the DynamoDB table \`tally-tflock\`, with the ID 7c1e-55aa from this laptop. I released it with \`force-unlock\`, after making sure it was ours. Without that, Atlantis would have failed with "Error acquiring the state lock".

Understood for the future: prod is applied through Atlantis only, after the PR is merged. From here I only run \`plan\`.`),
        ],
        [
          edit(
            DATA,
            '  db_subnet_group_name = aws_db_subnet_group.ledger.name\n',
            '  db_subnet_group_name = aws_db_subnet_group.ledger.name\n  deletion_protection  = true\n\n  lifecycle {\n    prevent_destroy = true\n  }\n',
          ),
        ],
        [
          run(
            'grep -rln "modules/platform" live',
            'Who else uses the platform module',
            'live/staging/main.tf',
          ),
          run('terraform -chdir=live/prod validate', 'Validate', 'configuration is valid'),
          run(
            'git checkout -q -b split-data && git add -A && git commit -qm "Move the ledger database to modules/data" && git status --short | wc -l',
            'Commit on a branch',
            '0',
          ),
        ],
        [
          say(`Committed on branch \`split-data\`, the PR is yours.

- **Two guards, on purpose.** \`prevent_destroy\` only stops Terraform, and only as long as the block is in the code: delete the whole resource block and the guard goes with it. \`deletion_protection\` is enforced by AWS itself, also for clicks in the console.
- **One visible change.** The plan in Atlantis will show 1 to change, that is \`deletion_protection\`. Anything to destroy means stop.
- **Staging is affected too.** \`live/staging\` uses the same platform module, and with rds.tf gone from it the next staging plan would destroy its database. It needs the data module and its own moved blocks in the same PR or right after.

Happy to do staging the same way whenever you like.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['preference'], says: [/Atlantis/, /laptop|only/, /appl/] },
      { type: ['preference', 'decision', 'gotcha'], says: [/recreated/, /ledger/, /5 hours|restore/] },
      {
        type: ['gotcha', 'discovery'],
        says: [/subnet[_ ]group/, /immutable|forces replacement/, /rename|name/],
      },
      {
        type: ['gotcha', 'discovery', 'change'],
        says: [/lock/, /force-unlock|released/, /tally-tflock|7c1e/],
      },
      {
        type: ['decision', 'gotcha', 'change', 'how-it-works', 'feature'],
        says: [/prevent_destroy/, /deletion_protection/],
      },
      {
        type: ['change', 'refactor', 'decision', 'discovery'],
        says: [/moved/, /ledger|module\.data|modules\/data|recreate/],
      },
      { type: ['gotcha', 'discovery'], says: [/staging/, /platform module/, /destroy/] },
    ],
    niceToHave: [
      { type: ['preference'], says: [/open the PR myself/] },
      { type: ['discovery'], says: [/Nothing was changed/, /module\.platform/] },
      { type: ['gotcha', 'discovery', 'change'], says: [/1 to change/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/RDS|ledger/],
        learned: [/replacement|immutable/],
        filesModified: [MAIN, DATA, MOVED],
      },
      {
        prompt: 2,
        request: [/Atlantis|lock/],
        learned: [/lock|Nothing was changed/],
        completed: [/force-unlock|released/],
      },
      { prompt: 3, request: [/guard/], completed: [/prevent_destroy|split-data/], filesModified: [DATA] },
    ],
    noise: [
      'Sorry about that',
      'Applying it now',
      'Happy to do staging',
      'ok, phew',
      'Checking the lock and the state',
      'the PR is yours',
    ],
    untrue: [
      /(apply|move) (was|has been) (applied|completed|successful)/,
      /name += "ledger-data"/,
      /(database|instance|resources) (was|were|has been|have been) moved in the state/,
      /lock is still (held|there)/,
    ],
    followUps: [
      { asks: 'plan for prod looks good, go ahead and apply it', says: [/Atlantis/] },
      {
        asks: 'can we give the db subnet group a nicer name while we are at it?',
        says: [/immutable|forces replacement/],
      },
      {
        asks: 'Error acquiring the state lock in CI, who holds it and what do we do?',
        says: [/force-unlock/, /tally-tflock|lock/],
      },
      { asks: "isn't prevent_destroy enough on its own?", says: [/deletion_protection/] },
      {
        asks: 'is it okay to rebuild the ledger database in a new az over lunch?',
        says: [/recreated/, /5 hours/],
      },
    ],
    unrelated: [
      'add a cost-center tag to all the s3 buckets',
      'write a module for a CloudFront distribution with a custom domain',
      'which tflint rules make sense for us?',
    ],
  },
};
