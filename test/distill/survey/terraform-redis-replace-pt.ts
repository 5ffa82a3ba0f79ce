import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const MODULE = 'modules/cache/main.tf';
const VERSIONS = 'envs/prod/versions.tf';

export const terraformRedisReplacePt: SurveySession = {
  name: 'terraform-redis-replace-pt',
  about:
    'O plan do CI quer recriar o Redis de produção: não é drift, é provider sem lock file; versão travada, prevent_destroy no módulo revertido porque quebra o staging.',
  kind: 'operations',
  language: 'pt',
  ecosystem: 'terraform',
  files: {
    '.gitignore': '.terraform/\n.terraform.lock.hcl\n',
    [MODULE]: `resource "aws_elasticache_replication_group" "this" {
  replication_group_id = var.name
  description          = "sessions"
  node_type            = var.node_type
  num_cache_clusters   = 2
}
`,
    [VERSIONS]: `terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}
`,
    'envs/prod/main.tf': `module "cache" {
  source    = "../../modules/cache"
  name      = "sessions-prod"
  node_type = "cache.r6g.large"
}
`,
    'envs/staging/main.tf': `module "cache" {
  source    = "../../modules/cache"
  name      = "sessions-staging"
  node_type = "cache.t4g.small"
}
`,
    'ci/last-plan.log': `Initializing provider plugins...
- Installed hashicorp/aws v5.82.1 (signed by HashiCorp)
module.cache.aws_elasticache_replication_group.this must be replaced
-/+ resource "aws_elasticache_replication_group" "this" {
      + at_rest_encryption_enabled = true # forces replacement
    }
Plan: 1 to add, 0 to change, 1 to destroy.
`,
  },
  programs: {
    terraform: `#!/bin/sh
lock=envs/prod/.terraform.lock.hcl
case "$*" in
  *"-refresh-only"*) echo 'No changes. Your infrastructure still matches the configuration.' ;;
  *"envs/staging destroy"*)
    if grep -q prevent_destroy modules/cache/main.tf; then
      echo 'Error: Instance cannot be destroyed'
      echo 'Resource module.cache.aws_elasticache_replication_group.this has lifecycle.prevent_destroy set'
      exit 1
    fi
    echo 'Destroy complete! Resources: 1 destroyed.' ;;
  *"providers lock"*)
    printf 'provider "registry.terraform.io/hashicorp/aws" {\\n  version     = "5.31.0"\\n  constraints = "5.31.0"\\n}\\n' > $lock
    echo 'Success! Terraform has updated the lock file.' ;;
  *plan*)
    if [ -f $lock ]; then echo 'No changes. Your infrastructure matches the configuration.'; exit 0; fi
    cat ci/last-plan.log ;;
  *version*) echo 'Terraform v1.7.5'; echo '+ provider registry.terraform.io/hashicorp/aws v5.31.0' ;;
  *) echo "terraform $*"; exit 1 ;;
esac
`,
  },
  prompts: [
    'O pipeline parou na aprovação: o plan de produção quer DESTRUIR e recriar o Redis de sessões. Ninguém mexeu nesse módulo há meses. Descobre por quê antes que alguém aprove essa desgraça',
    'Trava em 5.31.0 agora. A migração pra criptografia a gente faz na janela de sábado 14/09, com snapshot. Põe também uma proteção pra esse recurso nunca ser destruído. E só lembrando: apply em produção só pelo pipeline, ninguém roda na mão',
    'o destroy noturno do staging quebrou por causa do prevent_destroy, desfaz só essa parte por favor',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Vou ver o log do plan e o módulo.'),
          run('cat ci/last-plan.log', 'Log do último plan do CI', 'forces replacement'),
          read(MODULE),
          read(VERSIONS),
        ],
        [
          say(
            'O atributo que força a recriação é `at_rest_encryption_enabled`. Hipótese mais provável: alguém ligou a criptografia pelo console e isto é drift. Um refresh-only confirma ou descarta.',
          ),
          run('terraform -chdir=envs/prod plan -refresh-only', 'Procurar drift', 'No changes'),
        ],
        [
          say(
            'Sem drift nenhum, hipótese descartada. Então a diferença vem da ferramenta, não da AWS. Comparando versões:',
          ),
          run('terraform -chdir=envs/prod version', 'Versão local do provider', 'v5.31.0'),
          run('grep -n "lock" .gitignore', 'O lock file está versionado?', '.terraform.lock.hcl'),
        ],
        [
          say(`Achei.

| Onde | Provider aws | Resultado do plan |
|---|---|---|
| Minha máquina | 5.31.0 | sem mudanças |
| CI | 5.82.1 | recria o Redis |

A restrição em \`versions.tf\` é \`>= 5.0\` e o \`.terraform.lock.hcl\` está no \`.gitignore\`, então cada execução do CI baixa o provider mais novo. A 5.82.1 passou a preencher \`at_rest_encryption_enabled = true\` quando o módulo não define nada, e esse atributo não pode ser alterado num grupo existente.

Opções:
1. Travar o provider em 5.31.0 e versionar o lock file (volta ao estado de ontem, sem risco)
2. Definir \`at_rest_encryption_enabled = false\` explicitamente (resolve este recurso, mas o próximo provider pode surpreender com outro)
3. Aceitar a recriação numa janela de manutenção (todas as sessões caem)

Recomendo a 1 agora. Como prefere seguir?`),
        ],
        [read('.gitignore')],
        [
          edit(VERSIONS, 'version = ">= 5.0"', 'version = "5.31.0"'),
          edit('.gitignore', '.terraform/\n.terraform.lock.hcl\n', '.terraform/\n'),
          edit(
            MODULE,
            '  num_cache_clusters   = 2\n',
            '  num_cache_clusters   = 2\n\n  lifecycle {\n    prevent_destroy = true\n  }\n',
          ),
        ],
        [run('terraform -chdir=envs/prod providers lock', 'Gerar o lock file', 'Success')],
        [run('terraform -chdir=envs/prod plan', 'Plan com o provider travado', 'No changes')],
        [
          run(
            'git add .gitignore envs && git commit -qm "fix(prod): trava o provider aws em 5.31.0 e versiona o lock file" && git add -A && git commit -qm "feat(cache): impede a destruição do redis" && git log --oneline -2',
            'Dois commits',
            'impede a destruição',
          ),
        ],
        [
          say(
            'Pronto: provider travado em 5.31.0, lock file versionado, plan de produção limpo. O `prevent_destroy` ficou no módulo `cache`. Não rodei apply, isso fica com o pipeline. Pendente: janela de 14/09 para recriar com criptografia, com snapshot antes.',
          ),
        ],
        [
          fail(
            'terraform -chdir=envs/staging destroy -auto-approve',
            'Reproduzir o erro do staging',
            'Instance cannot be destroyed',
          ),
        ],
        [
          say(
            'Confirmado: staging usa o mesmo módulo e é destruído toda noite. Pensei em ligar o `prevent_destroy` por variável, mas o Terraform só aceita valor literal dentro de `lifecycle`. Reverto o commit.',
          ),
          run('git revert --no-edit HEAD && git log --oneline -1', 'Reverter só o prevent_destroy', 'Revert'),
        ],
        [run('terraform -chdir=envs/staging destroy -auto-approve', 'Staging de novo', 'Destroy complete')],
        [
          say(`Revertido; o lock do provider continua.

Fica o registro: \`prevent_destroy\` não aceita variável, então num módulo compartilhado vale para todos os ambientes. Se quiserem a proteção só em produção, o caminho é negar \`elasticache:DeleteReplicationGroup\` numa política IAM da role do pipeline de produção.

Qualquer coisa é só chamar!`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha'],
        says: [/lock/, /5\.82\.1|provider mais novo/, /\.gitignore|>= 5\.0/],
        prompt: 1,
      },
      {
        type: ['decision', 'bugfix', 'change'],
        says: [/5\.31\.0/, /trav/],
        prompt: 2,
      },
      {
        type: ['decision', 'change', 'discovery', 'preference'],
        says: [/14\/09/, /criptografia/, /snapshot/],
        prompt: 2,
      },
      { type: 'preference', says: [/apply/, /pipeline/, /produção/], prompt: 2 },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: [/prevent_destroy/, /variável|literal/],
        prompt: 3,
      },
      {
        type: ['change', 'bugfix', 'gotcha', 'decision'],
        says: [/prevent_destroy/, /staging/, /revert|desfaz|noturno|noite/],
        prompt: 3,
      },
    ],
    niceToHave: [
      { type: ['discovery'], says: [/drift/, /sem |descartad|refresh-only/], prompt: 1 },
      { type: ['discovery', 'gotcha', 'decision'], says: [/at_rest_encryption_enabled/], prompt: 1 },
      { type: ['discovery', 'decision', 'gotcha'], says: [/IAM/, /DeleteReplicationGroup/], prompt: 3 },
    ],
    summaries: [
      { prompt: 1, request: [/Redis/], learned: [/lock|5\.82\.1/] },
      { prompt: 2, request: [/5\.31\.0/], completed: [/travad/], filesModified: [VERSIONS, '.gitignore'] },
      { prompt: 3, request: [/prevent_destroy/], completed: [/revert/] },
    ],
    noise: [
      'Vou ver o log',
      'Como prefere seguir',
      'Qualquer coisa é só chamar',
      'Comparando versões:',
      'desgraça',
      'signed by HashiCorp',
    ],
    untrue: [
      /(?<!não )(foi|era) (um )?drift\b/,
      /prevent_destroy (está|continua|ficou) ativo/,
      /apply (foi )?(executado|rodado) em produção/,
    ],
    followUps: [
      { asks: 'posso subir o provider aws pra última versão?', says: [/5\.31\.0/] },
      {
        asks: 'por que o arquivo de lock está no git se antes era ignorado?',
        says: [/5\.82\.1|mais novo|lock/],
      },
      {
        asks: 'quero proteger o banco contra remoção no módulo compartilhado com uma flag por ambiente, dá?',
        says: [/prevent_destroy/, /literal|variável/],
      },
      { asks: 'tem pressa aqui, rodo o apply de prod da minha máquina?', says: [/pipeline/] },
      { asks: 'quando vamos cifrar os dados do cache de sessões?', says: [/14\/09/] },
    ],
    unrelated: [
      'cria um bucket S3 para os relatórios do financeiro',
      'adiciona a tag cost-center em todas as lambdas',
      'escreve um Makefile com os alvos fmt e validate',
    ],
  },
};
