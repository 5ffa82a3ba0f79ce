import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const SECRETS = 'modules/secrets/main.tf';
const VARS = 'modules/secrets/variables.tf';
const ROTATE = 'lambda/rotate.py';
const ALARMS = 'modules/alarms/main.tf';
const PROD = 'envs/prod.tfvars';

export const rotationSecrets: SurveySession = {
  name: 'rotation secrets',
  about:
    "Questions avant un audit sur le renouvellement du mot de passe de la base ; l'agent se trompe de valeur une fois.",
  kind: 'question',
  language: 'fr',
  ecosystem: 'terraform',
  files: {
    [SECRETS]: `resource "aws_secretsmanager_secret" "db" {
  name = "\${var.env}/facturation/db"
}

resource "aws_secretsmanager_secret_version" "db" {
  secret_id     = aws_secretsmanager_secret.db.id
  secret_string = jsonencode({ username = "app_a", password = random_password.initial.result })
  lifecycle {
    ignore_changes = [secret_string]
  }
}

resource "random_password" "initial" {
  length = 32
}

resource "aws_secretsmanager_secret_rotation" "db" {
  secret_id           = aws_secretsmanager_secret.db.id
  rotation_lambda_arn = var.rotation_lambda_arn
  rotation_rules {
    automatically_after_days = var.rotation_days
  }
}
`,
    [VARS]: `variable "env" { type = string }
variable "rotation_lambda_arn" { type = string }
variable "rotation_days" {
  type    = number
  default = 30
}
`,
    [ROTATE]: `"""Renouvelle le secret en alternant app_a et app_b."""


def handler(event, context):
    current = read(event["SecretId"], "AWSCURRENT")
    other = "app_b" if current["username"] == "app_a" else "app_a"
    password = new_password()
    alter_user(other, password)
    check_login(other, password)
    promote(event["SecretId"], {"username": other, "password": password})
`,
    [ALARMS]: `resource "aws_cloudwatch_metric_alarm" "rotation_failed" {
  count         = var.env == "prod" ? 1 : 0
  alarm_name    = "rotation-failed"
  metric_name   = "Errors"
  namespace     = "AWS/Lambda"
  threshold     = 1
  alarm_actions = [aws_sns_topic.socle.arn]
}

resource "aws_sns_topic_subscription" "socle" {
  topic_arn = aws_sns_topic.socle.arn
  protocol  = "email"
  endpoint  = "equipe-socle@facturation.example"
}
`,
    [PROD]: 'env           = "prod"\nrotation_days = 45\n',
    'envs/staging.tfvars': 'env = "staging"\n',
    'modules/db/main.tf': `resource "aws_db_instance" "main" {
  identifier = "facturation-\${var.env}"
  username   = "maitre"
  password   = var.master_password
}
`,
  },
  prompts: [
    "j'ai un audit jeudi : comment est renouvelé le mot de passe de la base, et est-ce que ça coupe le service ? réponds juste d'après le code, jamais de terraform plan ni apply depuis mon poste, tout passe par Atlantis",
    "t'es sûr pour les 30 jours ? il me semble qu'en prod c'est 45",
    "ok. le compte maître c'est voulu, on a une dérogation de la DSI jusqu'à décembre 2026, pas la peine d'en faire un point. et si la lambda plante, qui est prévenu ?",
    "ah, l'équipe socle n'existe plus depuis janvier, leur liste mail est fermée… note-le, je verrai après l'audit. merci",
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [say('Je lis le module et la lambda.'), read(SECRETS), read(VARS), read(ROTATE)],
        [run('grep -rn "password" modules/db', 'Le compte maître', 'master_password')],
        [
          say(`Voici ce que dit le code.

**Le mécanisme.** Secrets Manager déclenche la lambda \`lambda/rotate.py\` tous les 30 jours. Elle travaille avec deux comptes, \`app_a\` et \`app_b\`, en alternance : elle change le mot de passe du compte *inactif*, vérifie qu'il peut se connecter, puis seulement le publie comme version courante.

**Le service n'est pas coupé.** L'ancien compte garde son mot de passe jusqu'au renouvellement suivant ; les connexions déjà ouvertes et les applications qui ont encore l'ancien secret en cache continuent donc de marcher.

**Un piège dans Terraform.** \`ignore_changes = [secret_string]\` dans \`modules/secrets/main.tf\` n'est pas décoratif : sans cette ligne, le prochain apply remettrait le mot de passe initial dans le secret, et l'application ne pourrait plus se connecter.

**Ce qui n'est pas couvert.** Le compte maître (\`maitre\`, \`modules/db/main.tf\`) n'est jamais renouvelé : son mot de passe vient de \`var.master_password\`. Un auditeur le relèvera sans doute.

Je n'ai rien modifié ni rien lancé.`),
        ],
        [
          say('Je vérifie les valeurs par environnement.'),
          run(
            'grep -rn "rotation_days" envs modules || true',
            'Qui fixe la durée',
            'envs/prod.tfvars:2:rotation_days = 45',
          ),
          read('envs/staging.tfvars'),
        ],
        [
          say(
            "Vous avez raison, je n'avais regardé que la valeur par défaut. En production c'est 45 jours (`envs/prod.tfvars` l'emporte sur le défaut du module) ; les 30 jours ne valent que pour staging, qui ne fixe rien. Conséquence pour l'audit : comme l'ancien compte reste valable jusqu'au renouvellement suivant, un mot de passe de production vit en réalité jusqu'à 90 jours.",
          ),
        ],
        [read(ALARMS)],
        [
          say(`C'est noté pour le compte maître, je le retire des points.

Pour la lambda : l'alarme \`rotation-failed\` existe **seulement en production** (\`count = var.env == "prod" ? 1 : 0\`). Elle publie sur un sujet SNS dont le seul abonné est equipe-socle@facturation.example. En staging, un échec passe donc inaperçu.

Et un échec n'est pas visible autrement : le mot de passe en cours reste valable, l'application ne s'aperçoit de rien.

Voulez-vous que je prépare un correctif ?`),
        ],
        [
          say(
            "Entendu. À retenir : aujourd'hui, personne n'est prévenu si le renouvellement échoue en production, puisque la liste equipe-socle est fermée depuis janvier. À faire après l'audit : remplacer l'abonné du sujet SNS dans `modules/alarms/main.tf`, et activer l'alarme en staging par la même occasion. Bon courage pour jeudi !",
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['how-it-works', 'discovery'], says: ['app_a', 'app_b', /altern|inactif/] },
      { type: ['gotcha', 'how-it-works', 'discovery'], says: [/ignore_changes/, /initial|apply/] },
      { type: ['discovery', 'gotcha', 'how-it-works', 'preference'], says: [/45 jours|\b45\b/, /prod/] },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/90 jours/] },
      { type: ['preference', 'decision', 'gotcha'], says: [/compte maître/, /dérogation/, /décembre 2026/] },
      { type: ['preference'], says: [/Atlantis/, /plan|apply/] },
      {
        type: ['gotcha', 'discovery', 'preference'],
        says: [/socle/, /janvier|fermée|personne n'est prévenu/],
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: [/rotation-failed|alarme/, /seulement en production|staging/],
      },
      { type: ['how-it-works', 'discovery'], says: [/n'est pas coupé|continuent/, /ancien compte/] },
      { type: ['discovery', 'gotcha'], says: [/master_password|compte maître/, /jamais renouvelé/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/audit|mot de passe/],
        learned: [/app_a|ignore_changes|alternance/],
        filesRead: [SECRETS, ROTATE],
      },
      { prompt: 2, request: [/30 jours|45/], learned: [/45/] },
      {
        prompt: 3,
        request: [/lambda|dérogation/],
        learned: [/rotation-failed|staging|SNS/],
        filesRead: [ALARMS],
      },
      { prompt: 4, request: [/socle/], nextSteps: [/SNS|abonné|alarme/] },
    ],
    noise: [
      'Je lis le module et la lambda',
      'Voulez-vous que je prépare',
      'Bon courage pour jeudi',
      'Je vérifie les valeurs',
    ],
    untrue: [
      /lambda[^.]{0,12}\.?(py)?`? tous les 30 jours/,
      /(en prod(uction)?)[^.]{0,20} tous les 30 jours/,
      /Un auditeur le relèvera/,
      /(l'abonné|l'alarme)[^.]{0,40} (a été|est maintenant) (remplacé|activée|corrigé)/,
    ],
    followUps: [
      {
        asks: 'je fais le ménage dans le module secrets, le bloc lifecycle avec ignore_changes a l’air inutile, je le vire ?',
        says: [/initial/, /apply|connecter/],
      },
      {
        asks: 'au pire, combien de temps un mot de passe volé resterait-il utilisable en production ?',
        says: [/90 jours/],
      },
      {
        asks: "le RSSI demande pourquoi l'administrateur de la base garde toujours les mêmes identifiants",
        says: [/dérogation/, /2026/],
      },
      {
        asks: "est-ce qu'on reçoit quelque chose quand la rotation échoue ?",
        says: [/socle|personne n'est prévenu/],
      },
      { asks: 'lance un terraform plan en local pour voir le diff sur prod', says: [/Atlantis/] },
    ],
    unrelated: [
      'explique-moi le format Factur-X en deux phrases, pour la doc des comptables',
      'quelle est la différence entre for_each et count ?',
      "rédige le compte rendu de la rétro de l'équipe facturation",
    ],
  },
};
