import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const TRIGGER = `trigger OpportuniteCommission on Opportunity (after update) {
    if (CommissionService.dejaPasse) return;
    CommissionService.dejaPasse = true;
    CommissionService.calculer(Trigger.new, Trigger.oldMap);
}
`;

const SERVICE = `public without sharing class CommissionService {
    public static Boolean dejaPasse = false;

    public static void calculer(List<Opportunity> opps, Map<Id, Opportunity> anciens) {
        List<Commission__c> lignes = new List<Commission__c>();
        for (Opportunity o : opps) {
            if (o.StageName != 'Closed Won') continue;
            Bareme__c b = [SELECT Taux__c FROM Bareme__c WHERE Pays__c = :o.Pays__c WITH USER_MODE LIMIT 1];
            lignes.add(new Commission__c(Opportunite__c = o.Id, Montant__c = o.Amount * b.Taux__c));
        }
        insert lignes;
    }
}
`;

const TEST = `@isTest
private class CommissionServiceTest {
    @isTest static void calculeUneCommission() {
        insert new Bareme__c(Pays__c = 'FR', Taux__c = 0.05);
        Opportunity o = new Opportunity(Name = 'x', StageName = 'Prospecting', CloseDate = Date.today(), Amount = 100, Pays__c = 'FR');
        insert o;
        o.StageName = 'Closed Won';
        update o;
        System.assertEquals(1, [SELECT count() FROM Commission__c]);
    }
}
`;

const SF = `#!/bin/sh
case "$*" in
  *"apex run test"*)
    echo "Outcome              Passed"
    echo "Tests Ran            1"
    echo "Org Wide Coverage    78%"
    echo "CommissionService    91%" ;;
  *"data import bulk"*) echo "System.LimitException: Too many SOQL queries: 101"; exit 1 ;;
  *"data query"*) printf 'NAME        TOTAL\\nFR          2\\nBE          0\\nCH          1\\n' ;;
esac
`;

const BASE = 'force-app/main/default';

export const apexCommissionsRevueFr: SurveySession = {
  name: 'apex-commissions-revue-fr',
  about:
    'A change to commissions is reviewed with a second reader; one finding is withdrawn, one accepted as it is.',
  kind: 'review',
  language: 'fr',
  ecosystem: 'salesforce',
  files: {
    [`${BASE}/triggers/OpportuniteCommission.trigger`]: TRIGGER,
    [`${BASE}/classes/CommissionService.cls`]: SERVICE,
    [`${BASE}/classes/CommissionServiceTest.cls`]: TEST,
    'docs/partages.md':
      'Les commerciaux externes (portail) ne voient pas les opportunités des autres. Le calcul des commissions doit les voir toutes.\n',
    'sfdx-project.json': '{ "sourceApiVersion": "60.0" }\n',
  },
  programs: { sf: SF },
  script(projectDir) {
    const { run, fail, read, delegate } = callsIn(projectDir);
    return {
      main: [
        [
          say('Je lis le trigger et le service, et je fais relire les tests en parallèle.'),
          read(`${BASE}/triggers/OpportuniteCommission.trigger`),
          read(`${BASE}/classes/CommissionService.cls`),
          delegate(
            'Relire les tests',
            `RELIRE-TESTS: lis ${BASE}/classes/CommissionServiceTest.cls, lance les tests et dis ce qu'ils ne couvrent pas.`,
          ),
        ],
        [
          say(
            "La requête SOQL sur Bareme__c est dans la boucle : je vérifie qu'un import en masse dépasse bien la limite, dans la sandbox uniquement. Je regarde aussi les barèmes présents.",
          ),
          fail(
            'sf data import bulk --sobject Opportunity --file data/200-opps.csv --target-org revue',
            'Importer 200 opportunités dans la sandbox',
            'Too many SOQL queries: 101',
          ),
          run(
            'sf data query -q "SELECT Pays__c, count(Id) FROM Bareme__c GROUP BY Pays__c" --target-org revue',
            'Barèmes par pays',
            'BE          0',
          ),
          read('docs/partages.md'),
        ],
        [
          say(`Revue de la branche commissions, rien n'a été modifié.

Bloquant
1. SOQL dans la boucle (CommissionService.calculer) : à partir de 101 opportunités gagnées dans la même transaction, LimitException « Too many SOQL queries: 101 ». Reproduit avec un import de 200 lignes. Il faut lire les barèmes une fois, dans une Map par pays.
2. Double commission : le trigger ne compare pas avec Trigger.oldMap. Toute modification d'une opportunité déjà gagnée recrée une Commission__c.
3. Le drapeau statique dejaPasse coupe le deuxième lot : un import de plus de 200 lignes passe en plusieurs lots dans la même transaction, seul le premier est calculé.

À discuter
4. « without sharing » : la classe ignore les partages.
5. Contrôle d'accès (FLS) absent sur Bareme__c.

Relecture des tests (un point de l'autre relecteur est faux : sans SeeAllData=true un test ne voit que ses propres données, les barèmes de l'org ne jouent pas) : un seul cas, une seule opportunité ; rien en masse, rien sur une deuxième modification, rien sur un pays sans barème. Pour la Belgique il n'y a aucun barème : la requête lève QueryException « List has no rows ».`),
        ],
        [
          say('Je revérifie le point 5.'),
          run(
            `grep -n "USER_MODE" ${BASE}/classes/CommissionService.cls`,
            'Mode de la requête',
            'WITH USER_MODE',
          ),
        ],
        [
          say(
            "Vous avez raison, je retire le point 5 : la requête porte WITH USER_MODE, qui applique déjà le CRUD et le FLS. Je m'étais trompé. En revanche USER_MODE cause autre chose : un commercial du portail sans lecture sur Bareme__c fait échouer le calcul entier.\n\nPoint 4 : without sharing reste, c'est voulu, docs/partages.md dit que le calcul doit voir toutes les opportunités. Je ne le compte plus comme défaut ; un commentaire dans la classe suffirait.",
          ),
        ],
        [
          say(
            "Verdict : à refuser en l'état, pour les points 1, 2 et 3. L'ordre que je propose à Thomas : d'abord la comparaison avec oldMap (2), parce qu'elle paie deux fois, puis la Map des barèmes (1), puis un Set<Id> des opportunités traitées à la place du booléen (3). Le pays sans barème doit lever une erreur lisible, pas donner un taux de 0.",
          ),
        ],
      ],
      subagents: {
        'RELIRE-TESTS': [
          [
            read(`${BASE}/classes/CommissionServiceTest.cls`),
            run(
              'sf apex run test --tests CommissionServiceTest --target-org revue',
              'Lancer les tests',
              '91%',
            ),
          ],
          [
            say(
              "Un seul test, il passe ; couverture de CommissionService 91 %, mais trompeuse : une seule opportunité. Pas de cas en masse (200 lignes), pas de deuxième modification d'une opportunité gagnée, pas de pays sans barème. Par ailleurs les tests voient sûrement les barèmes réels de l'org, donc le résultat dépend de l'org.",
            ),
          ],
        ],
      },
    };
  },
  prompts: [
    "relis la branche commissions de Thomas stp. tu ne corriges rien, juste la revue, c'est lui qui corrige. et jamais d'import de test ailleurs que dans la sandbox « revue », la dernière fois quelqu'un a payé des vraies commissions",
    "le 5 m'étonne, t'as vu le USER_MODE ? et pour le 4 c'est voulu, cf. docs/partages.md",
    'ok. verdict ? et pour un pays sans barème : erreur, surtout pas 0, la compta a déjà eu le cas avec la Belgique',
  ],
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/SOQL/, /boucle|101/, /barème|Bareme|LimitException|Map/],
        prompt: 1,
      },
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/oldMap/, /double|recrée|deux fois|déjà gagnée/] },
      {
        type: ['discovery', 'gotcha', 'bugfix', 'how-it-works'],
        says: [/dejaPasse|drapeau statique|booléen/, /lot|Set<Id>/],
      },
      {
        type: ['decision', 'how-it-works', 'preference', 'discovery', 'gotcha'],
        says: [/without sharing/, /voulu|reste|toutes les opportunités/],
        prompt: 2,
      },
      { type: ['decision', 'preference', 'gotcha'], says: [/sans barème/, /erreur/, /\b0\b/], prompt: 3 },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/sandbox/, /revue/, /import|vraies commissions/],
        prompt: 1,
      },
    ],
    niceToHave: [
      { type: ['discovery', 'how-it-works', 'gotcha'], says: [/SeeAllData/] },
      { type: ['preference', 'decision'], says: [/corrige/] },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/USER_MODE/] },
      { type: ['discovery', 'gotcha'], says: [/couverture|un seul (test|cas)|en masse/] },
      { type: ['decision', 'discovery'], says: [/refuser|verdict|Thomas/] },
      { type: ['discovery', 'gotcha'], says: [/Belgique|QueryException/] },
    ],
    summaries: [
      { prompt: 1, request: [/commissions/], learned: [/SOQL|oldMap|dejaPasse/] },
      { prompt: 2, request: [/USER_MODE/], learned: [/USER_MODE|without sharing/] },
      { prompt: 3, request: [/verdict/] },
    ],
    noise: ['Je lis le trigger et le service', 'Je revérifie le point 5'],
    untrue: [
      /tests voient (sûrement )?les barèmes/,
      /résultat (des tests )?dépend de l'org/,
      /FLS\)? (est )?absent/,
      /contrôle d'accès.{0,10} (absent|manque)/,
      /without sharing.{0,30} (est un défaut|doit être retiré|à supprimer|à corriger)/,
      /(a été|est) corrigée?s?(?! par)/,
      /(a été|est) (approuvée?|acceptée?|validée?|fusionnée?)/,
      /taux de 0 (pour|par défaut)/,
      /tests couvrent.{0,30}(en masse|deuxième)/,
    ],
    followUps: [
      {
        asks: 'pourquoi CommissionService ignore les règles de partage, on le passe en with sharing ?',
        says: [/voulu|toutes les opportunités|without sharing/],
      },
      {
        asks: 'qu’est-ce que Thomas devait encore changer sur le trigger OpportuniteCommission ?',
        says: [/oldMap|SOQL|dejaPasse|booléen/],
      },
      {
        asks: 'je veux charger 500 opportunités pour voir les commissions, dans quelle org ?',
        says: [/sandbox|« revue »/],
      },
      {
        asks: 'un client au Luxembourg, aucun barème saisi : que doit faire le calcul de commission ?',
        says: [/erreur/],
      },
      {
        asks: 'un import de 1000 lignes ne crée que 200 commissions, une idée ?',
        says: [/dejaPasse|drapeau|lot/],
      },
    ],
    unrelated: [
      'ajoute un champ téléphone sur la page du compte',
      'comment on renomme un onglet Lightning ?',
      'traduis les libellés du portail en néerlandais',
    ],
  },
};
