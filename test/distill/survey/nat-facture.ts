import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const ENDPOINTS = 'infra/reseau/endpoints.tf';
const ROUTES = 'infra/reseau/routes.tf';

export const natFacture: SurveySession = {
  name: 'nat facture',
  about:
    'Une facture AWS qui double ; un apply lancé depuis le poste est interrompu, et un partenaire filtre les IP.',
  kind: 'operations',
  language: 'fr',
  ecosystem: 'terraform',
  files: {
    [ENDPOINTS]: `resource "aws_vpc_endpoint" "s3" {
  vpc_id            = aws_vpc.principal.id
  service_name      = "com.amazonaws.eu-west-3.s3"
  vpc_endpoint_type = "Gateway"
  route_table_ids   = [aws_route_table.privee["a"].id, aws_route_table.privee["b"].id]
}
`,
    [ROUTES]: `locals {
  zones_privees = ["a", "b", "c"]
}

resource "aws_route_table" "privee" {
  for_each = toset(local.zones_privees)
  vpc_id   = aws_vpc.principal.id
  route {
    cidr_block     = "0.0.0.0/0"
    nat_gateway_id = aws_nat_gateway.commun.id
  }
}
`,
    'infra/reseau/backend.tf': `terraform {
  backend "s3" {
    bucket         = "mercato-tfstate"
    key            = "reseau/terraform.tfstate"
    dynamodb_table = "mercato-tflock"
    region         = "eu-west-3"
  }
}
`,
    'infra/ecs/export_catalogue.tf': `resource "aws_ecs_service" "export_catalogue" {
  name = "export-catalogue"
  network_configuration {
    subnets = [aws_subnet.privee["c"].id]
  }
}
`,
    'README.md': '# mercato-infra\n\nTerraform de la plateforme Mercato (VPC, ECS, RDS).\n',
  },
  programs: {
    aws: `case "$*" in
  *get-cost-and-usage*)
    echo "2026-09  NatGateway-Bytes  910.42 EUR"
    echo "2026-10  NatGateway-Bytes  1841.07 EUR" ;;
  *get-query-results*)
    echo "destination            service        part"
    echo "pl-23ad484a            S3 eu-west-3   71 %"
    echo "52.47.0.0/16           Datadog         9 %"
    echo "pl-ecr                 ECR             4 %"
    echo "autres                                16 %"
    echo "source principale : subnet-0c9 (privee-c), 10.20.48.0/20" ;;
  *describe-vpc-endpoints*)
    echo "vpce-0a41d7 Gateway com.amazonaws.eu-west-3.s3 RouteTableIds: rtb-a1 rtb-b1" ;;
esac
`,
    terraform: `case "$*" in
  *apply*)
    touch apply-en-cours
    echo "aws_vpc_endpoint.s3: Modifying..."
    sleep 55 ;;
  *force-unlock*)
    touch deverrouille
    echo "Terraform state has been successfully unlocked!" ;;
  *plan*)
    if [ -e apply-en-cours ] && [ ! -e deverrouille ]; then
      echo "Error: Error acquiring the state lock"
      echo "  ID: 8f3c2a17-55d0"
      echo "  Operation: OperationTypeApply"
      echo "  Who: poste-de-nadia"
      exit 1
    fi
    echo "  # aws_vpc_endpoint.s3 will be updated in-place"
    echo "Plan: 0 to add, 1 to change, 0 to destroy." ;;
esac
`,
  },
  prompts: [
    'La ligne NAT Gateway est passée de 910 à 1 841 € entre septembre et octobre. Trouve ce qui sort par là et corrige dans infra/reseau, sans créer de ressource payante si possible.',
    "Stop. On ne fait jamais d'apply depuis un poste, c'est Atlantis qui applique, depuis la MR, une fois approuvée. Tu as laissé un verrou ?",
    "Oui, lève le verrou, mais assure-toi avant que rien n'est passé à moitié. Et si, il y a un impact : le bucket distrilog-depot de Distrilog n'accepte que les IP de notre NAT, par aws:SourceIp. Ils doivent d'abord autoriser notre vpce. Karim les appelle, rien ne part avant son feu vert.",
    'Dernier point : Karim propose de mettre aussi un endpoint DynamoDB dans la même MR. Finalement non, on sort de DynamoDB en janvier. Note juste dans le README la règle pour les prochaines zones.',
  ],
  how: { cut: 'interrupted', when: 'apply-en-cours' },
  script: (dir) => {
    const { run, fail, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say(
            "Un doublement d'un mois sur l'autre, ça ressemble à des images Docker tirées en boucle ou à l'agent Datadog trop bavard. Je regarde d'abord les coûts et les flow logs.",
          ),
          run(
            'aws ce get-cost-and-usage --time-period Start=2026-09-01,End=2026-11-01 --granularity MONTHLY',
            'Coût NAT par mois',
            '1841.07',
          ),
          run(
            'aws logs get-query-results --query-id nat-top-destinations',
            'Destinations du trafic NAT',
            '71 %',
          ),
        ],
        [
          say(
            "Ni l'un ni l'autre : ECR fait 4 % et Datadog 9 %. C'est S3, 71 % des octets, presque tout depuis le sous-réseau privee-c. Or S3 devrait passer par l'endpoint gateway.",
          ),
          read(ENDPOINTS),
          read(ROUTES),
          read('infra/ecs/export_catalogue.tf'),
        ],
        [
          say(
            "La zone c a été ajoutée à `zones_privees`, mais `endpoints.tf` énumère les tables de routage à la main et n'a que a et b. `export-catalogue` tourne uniquement en zone c : tous ses octets vers S3 sont donc facturés au NAT. Un endpoint d'interface réglerait ça aussi, mais il coûte par zone et par heure ; l'endpoint gateway est gratuit, il suffit d'y rattacher la table qui manque.",
          ),
          edit(
            ENDPOINTS,
            '[aws_route_table.privee["a"].id, aws_route_table.privee["b"].id]',
            '[for table in aws_route_table.privee : table.id]',
          ),
        ],
        [run('terraform -chdir=infra/reseau plan', 'Plan', '1 to change')],
        [
          say(
            "Une seule modification, sur place, sans impact pour les applications. J'applique dans la foulée.",
          ),
          cut('terraform -chdir=infra/reseau apply -auto-approve', 'Appliquer le changement de réseau'),
        ],
        [
          say('Compris, je ne relance rien. Je vérifie le verrou.'),
          fail('terraform -chdir=infra/reseau plan', 'État du verrou', 'Error acquiring the state lock'),
        ],
        [
          say(
            "Oui, il en reste un : `8f3c2a17-55d0`, posé par l'apply interrompu (table `mercato-tflock`). Tant qu'il est là, Atlantis ne pourra rien planifier sur `reseau`. Je peux le lever avec `force-unlock`, mais je préfère ton accord : l'as-tu ?",
          ),
        ],
        [
          run(
            'aws ec2 describe-vpc-endpoints --filters Name=service-name,Values=com.amazonaws.eu-west-3.s3',
            'Tables rattachées en vrai',
            'rtb-a1 rtb-b1',
          ),
        ],
        [
          say("Toujours a et b seulement : l'apply n'a rien modifié côté AWS. Je lève le verrou."),
          run(
            'terraform -chdir=infra/reseau force-unlock -force 8f3c2a17-55d0',
            'Lever le verrou',
            'successfully unlocked',
          ),
          run('terraform -chdir=infra/reseau plan', 'Plan après déverrouillage', '1 to change'),
        ],
        [
          say(`Verrou levé, et rien n'avait été appliqué : l'endpoint \`vpce-0a41d7\` n'a toujours que les tables a et b, le plan affiche la même modification qu'avant.

Tu as raison pour Distrilog, et je m'étais trompé en annonçant qu'il n'y avait pas d'impact. Par un endpoint gateway, les requêtes arrivent chez S3 avec l'adresse privée de la tâche et non plus avec l'IP du NAT : une condition \`aws:SourceIp\` les refuse toutes (AccessDenied). Leur politique doit accepter \`aws:SourceVpce = vpce-0a41d7\`, **en plus** des IP actuelles le temps de la bascule, sinon le dépôt tombe pendant l'intervalle.

Ordre : Distrilog modifie sa politique → feu vert de Karim → MR approuvée → Atlantis applique.`),
        ],
        [read('README.md')],
        [
          edit(
            'README.md',
            'Terraform de la plateforme Mercato (VPC, ECS, RDS).\n',
            'Terraform de la plateforme Mercato (VPC, ECS, RDS).\n\n## Ajouter une zone privée\n\nAjouter la lettre à `zones_privees` suffit : les endpoints gateway prennent toutes les tables de `aws_route_table.privee`.\nNe jamais énumérer les tables à la main.\n',
          ),
        ],
        [
          say(
            "C'est noté dans `README.md`, section « Ajouter une zone privée » : les endpoints prennent toutes les tables de `aws_route_table.privee`, on ne les énumère plus à la main. Pas d'endpoint DynamoDB. Reste la MR, en attente de Karim. D'après les 71 %, la ligne NAT devrait retomber autour de 550 € par mois une fois le changement appliqué.",
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'bugfix', 'gotcha', 'change'],
        says: [/S3/, /zone c|privee-c/, /NAT/],
      },
      {
        type: ['change', 'bugfix'],
        says: [/route_table|tables de routage|endpoint/, /endpoints\.tf|for table in|toutes les tables/],
        files: [ENDPOINTS],
      },
      {
        type: ['preference', 'decision'],
        says: [/jamais d'apply|apply depuis un poste/, /Atlantis/],
        prompt: 2,
      },
      {
        type: ['preference', 'gotcha', 'discovery', 'decision'],
        says: [/distrilog/, /aws:SourceIp/, /vpce/],
      },
      {
        type: ['preference', 'decision', 'discovery', 'gotcha', 'change'],
        says: [/Karim/, /feu vert/],
      },
      {
        type: ['preference', 'decision'],
        says: [/DynamoDB/, /janvier/],
        prompt: 4,
      },
    ],
    niceToHave: [
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/adresse privée/, /endpoint gateway|aws:SourceIp/],
      },
      {
        type: ['decision', 'discovery'],
        says: [/endpoint d'interface/, /gratuit|coûte/],
      },
      {
        type: ['discovery', 'gotcha', 'change'],
        says: [/verrou/, /8f3c2a17|mercato-tflock|n'avait été appliqué/],
      },
      { type: ['discovery', 'bugfix'], says: [/ECR/, /Datadog/, /4 %|9 %/] },
      { type: ['change', 'preference', 'decision'], says: [/README/, /énumér/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/NAT Gateway/],
        learned: [/S3/],
        filesRead: [ENDPOINTS, ROUTES],
        filesModified: [ENDPOINTS],
      },
      { prompt: 2, request: [/apply|verrou/], learned: [/8f3c2a17|verrou|Atlantis/] },
      {
        prompt: 3,
        request: [/verrou|distrilog/],
        learned: [/aws:SourceIp|adresse privée/],
        completed: [/verrou levé|lève le verrou/],
        nextSteps: [/Karim|Distrilog/],
      },
      {
        prompt: 4,
        request: [/DynamoDB|README/],
        completed: [/README/],
        filesModified: ['README.md'],
      },
    ],
    noise: [
      "J'applique dans la foulée",
      'Je vérifie le verrou',
      'je ne relance rien',
      "je préfère ton accord : l'as-tu",
      "Je regarde d'abord",
      "Ni l'un ni l'autre",
      'Plan: 0 to add',
    ],
    untrue: [
      /sans impact pour les applications/,
      /ressemble à des images Docker tirées en boucle/,
      /agent Datadog trop bavard/,
    ],
    followUps: [
      {
        asks: "Je veux appliquer vite fait une règle de sécurité depuis mon portable, c'est quoi la commande ?",
        says: [/Atlantis/],
      },
      {
        asks: "Pourquoi payait-on autant de trafic sortant à l'automne ?",
        says: [/S3/, /zone c|privee-c/],
      },
      {
        asks: 'Un dépôt chez Distrilog répond AccessDenied depuis ce matin, une idée ?',
        says: [/aws:SourceIp|SourceVpce/],
      },
      {
        asks: 'où en est la MR du réseau, on peut la merger ?',
        says: [/Karim/],
      },
      {
        asks: "J'ouvre une quatrième zone de disponibilité (d). Qu'est-ce que je dois toucher pour que S3 ne repasse pas par la NAT ?",
        says: [/zones_privees|toutes les tables/],
      },
      {
        asks: "On ajoute un gateway endpoint pour DynamoDB, tant qu'on y est ?",
        says: [/janvier/],
      },
      {
        asks: 'should we buy interface endpoints for S3 instead of the gateway kind?',
        says: [/gratuit|coûte par zone/],
      },
    ],
    unrelated: [
      'Passe la rétention des sauvegardes RDS de 7 à 14 jours.',
      'Comment on renomme un service ECS sans coupure ?',
      'Ajoute un tag centre_de_cout = "web" à toutes les ressources du module ecs.',
    ],
  },
};
