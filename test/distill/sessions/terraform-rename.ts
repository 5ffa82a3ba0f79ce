import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const DATABASE = 'infra/database.tf';
const MOVED = 'infra/moved.tf';

const DESTROYS = `Terraform will perform the following actions:

  # aws_db_instance.main will be destroyed
  # (because aws_db_instance.main is not in configuration)
  - resource "aws_db_instance" "main" {
      - allocated_storage = 200 -> null
    }

  # aws_db_instance.ledger will be created
  + resource "aws_db_instance" "ledger" {
      + allocated_storage = 200
    }

Plan: 1 to add, 0 to change, 1 to destroy.`;

export const terraformRename: DistillSession = {
  name: 'terraform rename',
  about: 'Terraform by an agent of few words: a rename that would destroy a database, and a firm rule.',
  files: {
    [DATABASE]: `resource "aws_db_instance" "ledger" {
  identifier        = "ledger-prod"
  engine            = "postgres"
  engine_version    = "15.4"
  allocated_storage = 200
}
`,
    'infra/outputs.tf': 'output "database_host" {\n  value = aws_db_instance.main.address\n}\n',
    'infra/backend.tf': 'terraform {\n  backend "s3" {\n    bucket = "ledger-state"\n  }\n}\n',
  },
  prompts: [
    'I renamed the db resource from main to ledger and now the plan wants to destroy the database?! fix',
    'stop. never run terraform apply in this repo, only plan. applies go through the pipeline',
    'and whats the engine version in prod?',
    'k thx',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          read(DATABASE),
          fail(
            'terraform -chdir=infra validate',
            'Validate',
            'Error: Reference to undeclared resource\n\n  on outputs.tf line 2, in output "database_host":\n   2:   value = aws_db_instance.main.address\n\nA managed resource "aws_db_instance" "main" has not been declared in the root module.',
          ),
        ],
        [edit('infra/outputs.tf', 'aws_db_instance.main.address', 'aws_db_instance.ledger.address')],
        [run('terraform -chdir=infra plan -no-color', 'Plan', DESTROYS)],
        [write(MOVED, 'moved {\n  from = aws_db_instance.main\n  to   = aws_db_instance.ledger\n}\n')],
        [
          run(
            'terraform -chdir=infra plan -no-color',
            'Plan again',
            '  # aws_db_instance.main has moved to aws_db_instance.ledger\n\nPlan: 0 to add, 0 to change, 0 to destroy.',
          ),
        ],
        [
          say(
            'Added a `moved` block in `infra/moved.tf` and fixed the output; the plan is 0/0/0 now. Applying next if you want.',
          ),
        ],
        [run('git status --short', 'What is changed', ` M infra/outputs.tf\n?? ${MOVED}`)],
        [say('Understood, plan only.')],
        [run('grep engine_version infra/*.tf', 'Look it up', '  engine_version    = "15.4"')],
        [say('15.4 (`infra/database.tf`).')],
        [say('👍')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'gotcha', 'change'],
        says: [/moved/, /ledger|rename/, /destroy/],
        files: [MOVED],
        prompt: 1,
      },
      { type: 'preference', says: [/never run terraform apply/, /only plan|pipeline/], prompt: 2 },
    ],
    niceToHave: [{ type: ['how-it-works', 'discovery'], says: ['15.4'], prompt: 3 }],
    summaries: [
      {
        prompt: 1,
        request: [/destroy the database/],
        completed: [/moved/],
        filesModified: ['infra/outputs.tf', MOVED],
      },
      { prompt: 2, request: ['terraform apply'] },
      { prompt: 3, optional: true, request: ['engine version'], learned: ['15.4'] },
    ],
    noise: ['Understood, plan only', /k thx/, /👍/, 'allocated_storage', 'Applying next'],
  },
};
