import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const MAIN = 'envs/prod/main.tf';
const LOCK_ID = '5c1e9f0a-77b2-d1d4-9a3e-4b0f6c2e8d11';

export const terraformRollback: SurveySession = {
  name: 'terraform-rollback',
  about:
    'A rollback in an incident would have replaced an address that a bank has on its list; Esc comes in time.',
  kind: 'operations',
  language: 'en',
  ecosystem: 'terraform',
  files: {
    '.gitignore': '.terraform/\n*.tfplan\n',
    'README.md': '# infra-shop\n\nTerraform for the shop. State in S3, lock in DynamoDB.\n',
    [MAIN]: `terraform {
  backend "s3" {
    bucket         = "acme-tfstate"
    key            = "shop/prod.tfstate"
    dynamodb_table = "tf-locks"
    region         = "eu-west-1"
  }
}

module "checkout" {
  source  = "registry.acme.io/platform/web-service/aws"
  version = "4.2.0"

  name          = "checkout"
  image_tag     = "2.31.0"
  desired_count = 6
  nat_azs       = ["eu-west-1a"]
}

module "catalog" {
  source  = "registry.acme.io/platform/web-service/aws"
  version = "4.1.3"

  name          = "catalog"
  image_tag     = "1.88.2"
  desired_count = 4
}
`,
    'docs/oncall.md': '# On call\n\nDashboards: https://grafana.acme.example/d/shop\n',
  },
  programs: {
    terraform: `#!/bin/sh
t=envs/prod/.terraform
mkdir -p $t
lock() {
  [ -f $t/lock ] || return 0
  echo 'Error: Error acquiring the state lock' >&2
  echo 'ConditionalCheckFailedException: The conditional request failed' >&2
  echo "Lock Info:" >&2
  echo "  ID:        $(cat $t/lock)" >&2
  echo '  Operation: OperationTypeApply' >&2
  echo '  Who:       oncall@ops-laptop-3' >&2
  exit 1
}
case "$*" in
  *force-unlock*) rm -f $t/lock; echo 'Terraform state has been successfully unlocked!' ;;
  *init*) echo "Downloading registry.acme.io/platform/web-service/aws $(sed -n 's/.*version = "\\(.*\\)"/\\1/p' envs/prod/main.tf | head -1) for checkout..."; echo 'Terraform has been successfully initialized!' ;;
  *"state show"*) echo 'resource "aws_lb_target_group" "this" {'; echo '    deregistration_delay = "300"'; echo '    health_check {'; echo '        healthy_threshold = 3'; echo '        interval          = 30'; echo '        matcher           = "200"'; if [ -f $t/rolled ]; then echo '        path              = "/healthz"'; else echo '        path              = "/livez"'; fi; echo '    }'; echo '}' ;;
  *"apply rollback.tfplan"*) lock; touch $t/rolled
    echo 'module.checkout.aws_lb_target_group.this: Modifying... [id=arn:aws:elasticloadbalancing:eu-west-1:111122223333:targetgroup/checkout]'
    echo 'module.checkout.aws_lb_target_group.this: Modifications complete after 1s'
    echo 'Apply complete! Resources: 0 added, 1 changed, 0 destroyed.' ;;
  *apply*) lock; echo ${LOCK_ID} > $t/lock
    echo 'module.checkout.aws_nat_gateway.this["eu-west-1a"]: Refreshing state... [id=nat-07d1]'
    touch $t/apply.log
    sleep 45 ;;
  *plan*-target*) lock; echo '  # module.checkout.aws_lb_target_group.this will be updated in-place'; echo '      ~ path = "/livez" -> "/healthz"'; echo 'Plan: 0 to add, 1 to change, 0 to destroy.'; echo 'Saved the plan to: rollback.tfplan' ;;
  *plan*) lock
    if grep -q health_check_path envs/prod/main.tf && [ -f $t/rolled ]; then echo 'No changes. Your infrastructure matches the configuration.'; exit 0; fi
    echo '  # module.checkout.aws_lb_target_group.this will be updated in-place'
    echo '  ~ resource "aws_lb_target_group" "this" {'
    echo '      ~ path = "/livez" -> "/healthz"'
    echo '    }'
    echo '  # module.checkout.aws_eip.nat["eu-west-1a"] will be destroyed'
    echo '  # module.checkout.aws_eip.nat[0] will be created'
    echo '  # module.checkout.aws_nat_gateway.this["eu-west-1a"] will be destroyed'
    echo '  # module.checkout.aws_nat_gateway.this[0] will be created'
    echo 'Plan: 2 to add, 1 to change, 2 to destroy.' ;;
  *) echo 'Terraform v1.8.5' ;;
esac
`,
    aws: `#!/bin/sh
case "$*" in
  *describe-target-health*) if [ -f envs/prod/.terraform/rolled ]; then echo '6 healthy'; else echo '6 unhealthy  Target.ResponseCodeMismatch  Health checks failed with these codes: [404]'; fi ;;
  *HealthyHostCount*) echo '14:35:10Z  0'; echo '14:35:40Z  0'; echo '14:36:10Z  0'; echo '14:36:40Z  6' ;;
  *describe-services*) echo 'checkout  running=6 desired=6  taskdef=checkout:214 (image 2.31.0)  steady since 2025-03-11T09:02Z' ;;
  *"logs tail"*) echo '2025-03-12T14:07:31 GET /livez 404 1ms ELB-HealthChecker/2.0'; echo '2025-03-12T14:08:01 GET /livez 404 1ms ELB-HealthChecker/2.0' ;;
  *dynamodb*) echo 'shop/prod.tfstate  OperationTypeApply  oncall@ops-laptop-3  created 2025-03-12T14:21:09Z' ;;
  *describe-addresses*) echo '203.0.113.14  eipalloc-0a9c  associated: nat-07d1 (available)' ;;
  *) echo 'aws-cli/2.16.1' ;;
esac
`,
  },
  how: { cut: 'interrupted', when: 'envs/prod/.terraform/apply.log' },
  prompts: [
    'checkout is throwing 502s since the 14:05 apply in prod, INC-204. find out why and roll it back please, quick',
    'STOP. did you read the plan?? going back to 4.1.3 replaces the nat eip and the acquirer has that ip on their allowlist, takes them 3 business days to change. never -auto-approve in this repo, always plan to a file and show me the destroys first. only the target group now, -target is ok in an incident, otherwise not',
    'ok go. then pin the path so checkout can stay on 4.2, we need its tls policy for the pci audit. and keep the acquirer out of the commit message, that repo is mirrored to the agency',
  ],
  script: (dir) => {
    const { run, fail, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say("On it. Checking the load balancer's view first."),
          run(
            'aws elbv2 describe-target-health --target-group-arn checkout --output text',
            'Target health',
            '[404]',
          ),
          run(
            'aws ecs describe-services --cluster shop --services checkout --output text',
            'Service state',
            'steady since',
          ),
          read(MAIN),
        ],
        [
          say(
            'My first thought was the 2.31.0 image, but the tasks have been steady since yesterday morning and the 502s only began today. So it is not the deploy. The health check itself gets a 404.',
          ),
          run(
            'aws logs tail /ecs/checkout --since 10m | grep HealthChecker',
            'Health check requests',
            'GET /livez 404',
          ),
          run(
            'terraform -chdir=envs/prod state show module.checkout.aws_lb_target_group.this',
            'Target group in the state',
            '/livez',
          ),
        ],
        [
          say(
            'Module web-service 4.2.0 changed the default health check path from `/healthz` to `/livez`, and the checkout app only serves `/healthz`. All six targets went unhealthy, hence the 502s. Rolling the module back to 4.1.3.',
          ),
          edit(MAIN, '  version = "4.2.0"\n', '  version = "4.1.3"\n'),
        ],
        [
          run('terraform -chdir=envs/prod init -upgrade | tail -2', 'Get 4.1.3', 'initialized'),
          run(
            "terraform -chdir=envs/prod plan -no-color | grep -A3 'aws_lb_target_group'",
            'Check the target group in the plan',
            '/healthz',
          ),
        ],
        [
          say('The plan restores `/healthz`. Applying now.'),
          cut('terraform -chdir=envs/prod apply -auto-approve', 'Roll back'),
        ],
        [
          say(
            "You're absolutely right, I only grepped the target group out of the plan and never saw the rest. Checking first whether the address survived.",
          ),
          run(
            'aws ec2 describe-addresses --public-ips 203.0.113.14 --output text',
            'Is the NAT address still there',
            'associated: nat-07d1',
          ),
          fail(
            'terraform -chdir=envs/prod plan -no-color -target=module.checkout.aws_lb_target_group.this -out=rollback.tfplan',
            'Targeted plan',
            'Error acquiring the state lock',
          ),
        ],
        [
          say(
            'The EIP is still allocated and attached. The interrupted apply has left its lock in DynamoDB. Making sure that nobody else is applying before I remove it.',
          ),
          run(
            'aws dynamodb get-item --table-name tf-locks --key shop/prod.tfstate --output text',
            'Who holds the lock',
            'oncall@ops-laptop-3',
          ),
        ],
        [
          say(
            'The lock is held by this laptop (oncall@ops-laptop-3), taken the second my apply started, and nobody else is in there, so it is safe to unlock.',
          ),
          run(
            `terraform -chdir=envs/prod force-unlock -force ${LOCK_ID}`,
            'Remove the stale lock',
            'successfully unlocked',
          ),
          run(
            'terraform -chdir=envs/prod plan -no-color -target=module.checkout.aws_lb_target_group.this -out=rollback.tfplan',
            'Targeted plan',
            '0 to destroy',
          ),
          run(
            "terraform -chdir=envs/prod plan -no-color | grep -E 'destroyed|created|Plan:'",
            'What the full rollback would have done',
            '2 to destroy',
          ),
        ],
        [
          say(`Sorry about that. Nothing was lost: 203.0.113.14 is still attached to the NAT gateway.

**Destroys in the targeted plan: none** (0 to add, 1 to change, 0 to destroy). It only sets the path back to \`/healthz\`.

For the record, the full downgrade would have destroyed the EIP and the NAT gateway: 4.2.0 keys them by AZ name with \`for_each\`, 4.1.x by \`count\` index, and the module's \`moved\` blocks only work forwards. So downgrading web-service from 4.2 to 4.1 always replaces the NAT address.

The plan is saved as \`rollback.tfplan\`. Targets should be healthy about 30 s after the apply. Go?`),
        ],
        [run('terraform -chdir=envs/prod apply rollback.tfplan', 'Apply the saved plan', '0 destroyed')],
        [
          run(
            'sleep 1; aws elbv2 describe-target-health --target-group-arn checkout --output text',
            'Target health',
            '6 healthy',
          ),
          run(
            'aws cloudwatch get-metric-statistics --metric-name HealthyHostCount --period 30 --output text',
            'Healthy targets since the apply at 14:35:10',
            '14:36:40Z  6',
          ),
          edit(
            MAIN,
            '  version = "4.1.3"\n\n  name          = "checkout"\n',
            '  version = "4.2.0"\n\n  # 4.2 defaults to /livez, which the app does not serve\n  health_check_path = "/healthz"\n\n  name          = "checkout"\n',
          ),
        ],
        [
          run('terraform -chdir=envs/prod init -upgrade | tail -1', 'Back to 4.2.0', 'initialized'),
          run(
            'terraform -chdir=envs/prod plan -no-color -out=pin.tfplan',
            'Full plan on 4.2.0',
            'No changes',
          ),
        ],
        [
          run(
            "git add envs && git commit -q -m 'INC-204 Pin the health check path of checkout' && git log --oneline -1",
            'Commit',
            'INC-204',
          ),
        ],
        [
          say(`Checkout is serving again and stays on 4.2.0 with \`health_check_path = "/healthz"\`; a full plan shows no changes.

| | |
|---|---|
| Recovery | 90 s, not the 30 s I announced: healthy_threshold 3 × 30 s interval |
| Destroyed | nothing |
| Commit | INC-204, no mention of third parties |

Still open:

- \`catalog\` is on 4.1.3 and will hit the same \`/livez\` default when it is upgraded; set its path before bumping the version.
- I wanted to put \`prevent_destroy\` on the EIP, but a lifecycle rule cannot be set from outside a module. The address would have to move out of web-service into \`envs/prod\` first.

Great teamwork under pressure! Let me know if you'd like me to draft the postmortem.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['gotcha', 'bugfix', 'discovery', 'how-it-works'],
        says: ['4.2.0', '/livez', '/healthz'],
        prompt: 1,
      },
      { type: ['preference', 'gotcha', 'decision'], says: [/acquirer/, /allowlist/], prompt: 2 },
      { type: 'preference', says: [/never -auto-approve/, /plan to a file|destroys/], prompt: 2 },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/downgrad|moved/, /NAT|EIP/, /for_each|replaces/],
        prompt: 2,
      },
      { type: ['gotcha', 'discovery', 'decision'], says: ['catalog', '/livez'], prompt: 3 },
      { type: ['decision', 'preference'], says: [/4\.2/, /tls policy|pci/], prompt: 3 },
    ],
    niceToHave: [
      { type: ['preference'], says: [/acquirer/, /commit message|mirrored/], prompt: 3 },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'decision'],
        says: ['prevent_destroy', /outside/],
        prompt: 3,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'bugfix'],
        says: [/lock/, /interrupted apply|unlock/],
        prompt: 2,
      },
      { type: ['discovery', 'how-it-works', 'gotcha'], says: [/90 s/, /healthy_threshold|30 s/], prompt: 3 },
      {
        type: ['change', 'bugfix', 'decision'],
        says: ['health_check_path', 'checkout'],
        files: [MAIN],
        prompt: 3,
      },
    ],
    summaries: [
      { prompt: 1, request: ['502'], learned: [/livez/] },
      { prompt: 2, request: [/eip|allowlist|auto-approve/], learned: [/for_each|EIP|NAT|lock/] },
      { prompt: 3, request: ['4.2'], completed: [/health_check_path|4\.2\.0/], filesModified: [MAIN] },
    ],
    noise: [
      'On it.',
      'My first thought was',
      "You're absolutely right",
      'Sorry about that',
      'Great teamwork under pressure',
      "Let me know if you'd like",
      'about 30 s after the apply',
      'ConditionalCheckFailedException',
    ],
    untrue: [
      /checkout (is|was|runs|stays) (now )?(back )?on 4\.1\.3/,
      /(EIP|NAT (address|gateway)) (was|has been) (destroyed|replaced)/,
      /image 2\.31(\.0)? (caused|is the cause|was the cause)/,
    ],
    followUps: [
      { asks: 'bump the catalog service to the current web-service module', says: ['/livez'] },
      {
        asks: 'can we go back one minor on the platform module for the payments stack if 4.2 misbehaves?',
        says: [/NAT|EIP/],
      },
      {
        asks: 'I want to swap the outgoing address of the shop for a cheaper one, who needs to know?',
        says: [/allowlist|acquirer/],
      },
      { asks: 'run the apply for me non-interactively, I am in a meeting', says: [/-auto-approve/] },
      {
        asks: 'how can we protect the public ip from ever being deleted by accident?',
        says: ['prevent_destroy'],
      },
      {
        asks: 'why did we keep checkout on the newer module after the outage instead of staying on the old one?',
        says: [/tls policy|pci/],
      },
    ],
    unrelated: [
      'add a staging environment folder next to prod with its own backend key',
      'format all the .tf files and add a pre-commit config for it',
      'write the tags policy section of the readme',
    ],
  },
};
