import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CALC = 'src/Facturation/Calculateur.php';
const HANDLER = 'src/Pointage/ImportPointagesHandler.php';
const MESSENGER = 'config/packages/messenger.yaml';
const MIGRATION = 'migrations/Version20230828101500.php';
const TEST = 'tests/Facturation/CalculateurTest.php';
const HELIOS = 'src/Export/HeliosExport.php';
const CHANGES = 'CHANGELOG.md';
const PHPCS = 'phpcs.xml.dist';

const LOOP = `        if ($famille->remiseFratrie() > 0) {
            foreach ($lignes as &$ligne) {
                $ligne = $ligne->avecRemise($famille->remiseFratrie());
            }
        }
`;

const MAPPED = `        $remise = $famille->remiseFratrie();
        if ($remise > 0) {
            $lignes = array_map(fn (Ligne $l): Ligne => $l->avecRemise($remise), $lignes);
        }
`;

const PHP = `#!/bin/sh
# Stands in for PHP: the console, and PHPUnit on the billing tests.
case "$*" in
  *messenger:failed:show*) echo " [OK] No failed messages were found." ;;
  *"HAVING COUNT"*) echo " [OK] The query yielded an empty result set." ;;
  *"jour IN"*)
    echo " jour         source   pointages"
    echo " 2024-10-16   saisie   412"
    echo " 2024-10-23   saisie   398" ;;
  *lignes-repetees*) echo "factures 2024-10 : 1874, dont 249 avec une ligne repetee" ;;
  *comparer*) echo "249 factures recalculees : 212 meme total, 37 total different (ecart cumule 118,40 EUR)" ;;
  *phpunit*)
    if grep -qs derniereLigne ${TEST} && grep -qF 'as &$ligne' ${CALC}; then
      echo "1) CalculateurTest::derniereLigneAvecRemiseFratrie"
      echo "Failed asserting that '2024-10-24' matches expected '2024-10-25'."
      echo "FAILURES! Tests: 88, Assertions: 301, Failures: 1."
      exit 1
    fi
    echo "OK (88 tests, 301 assertions)" ;;
esac
`;

const PHPCS_PROGRAM = `#!/bin/sh
if ! grep -q DisallowReference ${PHPCS}; then echo "No violations"; exit 0; fi
if ! grep -q HeliosExport ${PHPCS}; then
  echo "FILE: ${HELIOS}"
  echo "  9 | ERROR | Passing by reference is disallowed. (SlevomatCodingStandard.PHP.DisallowReference)"
  exit 1
fi
echo "No violations"
`;

export const cantineLigneDoubleFr: SurveySession = {
  name: 'cantine ligne double fr',
  about:
    "Des repas en double sur les factures de cantine : l'import des badgeuses est soupçonné, c'est une référence PHP qui traîne.",
  kind: 'bug hunt',
  language: 'fr',
  ecosystem: 'php',
  files: {
    'composer.json':
      '{ "name": "mairie/cantine", "require": { "php": ">=8.2", "symfony/messenger": "6.4.*" } }\n',
    [CALC]: `<?php

namespace App\\Facturation;

final class Calculateur
{
    public function facturer(Famille $famille, Mois $mois): Facture
    {
        $lignes = $this->lignes($famille, $mois);

${LOOP}
        $facture = new Facture($famille, $mois);
        foreach ($lignes as $ligne) {
            $facture->ajouter($ligne);
        }

        return $facture;
    }
}
`,
    [HANDLER]: `<?php

namespace App\\Pointage;

#[AsMessageHandler]
final class ImportPointagesHandler
{
    public function __invoke(ImportPointages $message): void
    {
        foreach ($this->lecteur->lire($message->fichier) as $passage) {
            $this->pointages->enregistrer($passage->enfant, $passage->jour, $passage->service);
        }
    }
}
`,
    [MESSENGER]: `framework:
    messenger:
        transports:
            pointages:
                dsn: 'doctrine://default?queue_name=pointages'
                options:
                    redeliver_timeout: 60
`,
    [MIGRATION]: `<?php

final class Version20230828101500 extends AbstractMigration
{
    public function up(Schema $schema): void
    {
        $this->addSql('CREATE TABLE pointage (id BIGSERIAL, enfant_id INT NOT NULL, jour DATE NOT NULL, service VARCHAR(8) NOT NULL, source VARCHAR(8) NOT NULL)');
        $this->addSql('CREATE UNIQUE INDEX uniq_pointage ON pointage (enfant_id, jour, service)');
    }
}
`,
    [TEST]: `<?php

namespace App\\Tests\\Facturation;

final class CalculateurTest extends TestCase
{
    public function testUnEnfantSansRemise(): void
    {
        $facture = $this->calculateur()->facturer(Familles::unEnfant(), Mois::de('2024-10'));
        self::assertCount(14, $facture->lignes());
    }
}
`,
    [HELIOS]: `<?php

namespace App\\Export;

/** Flux PES pour la trésorerie ; les blocs sont remplis sur place, ils pèsent jusqu'à 80 Mo. */
final class HeliosExport
{
    // phpcs : voir README
    private function remplir(array &$bloc, Facture $facture): void
    {
        $bloc[] = $facture->numero();
    }
}
`,
    [CHANGES]: `# Journal

## 5.3.0 (30 septembre)
- facturation : remise fratrie, 10 % dès le deuxième enfant
- portail : nouvelle page de contact

## 5.2.4 (2 septembre)
- badgeuses : firmware 2.1
`,
    [PHPCS]: `<?xml version="1.0"?>
<ruleset name="cantine">
    <file>src</file>
    <rule ref="PSR12"/>
</ruleset>
`,
    'var/log/worker-octobre.log':
      '[2024-10-04] pointages.INFO: redelivered message 8812\n[2024-10-11] pointages.INFO: redelivered message 9040\n[2024-10-18] pointages.INFO: redelivered message 9377\n',
  },
  programs: {
    php: PHP,
    phpcs: PHPCS_PROGRAM,
    phpstan: '#!/bin/sh\necho " [OK] No errors (level 8)"\n',
  },
  prompts: [
    "depuis lundi la régie a reçu une trentaine de mails de parents : sur la facture d'octobre y a un repas compté deux fois, même jour, deux lignes. tu peux trouver d'où ça vient ? corrige rien pour l'instant, c'est la prod et je dois d'abord prévenir la mairie",
    "mouais. le 16 et le 23 octobre les badgeuses étaient coupées (travaux élec), tout a été saisi à la main et on a des doubles ces jours là aussi. et la petite Lebrun a mangé 14 fois, elle a bien 14 lignes, pas 15... sur les 6 pdf que j'ai ouverts le double est tjs en bas de page",
    "ah oui d'accord. vas y corrige, avec un test. par contre une facture émise on ne la régénère JAMAIS, le titre est déjà parti à la trésorerie : c'est un avoir ou rien. et dis moi combien de factures ont un montant faux",
    "ok pour les avoirs je m'en occupe avec Nadège à la régie. mets un garde fou pour que ce genre de & revienne pas, et commit",
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say("Je vais commencer par regarder l'import des badgeuses et la configuration de la file."),
          read(HANDLER),
          read(MESSENGER),
          run(
            'ls src src/* && tail -5 var/log/worker-octobre.log',
            'Sources et journal du worker',
            'redelivered',
          ),
        ],
        [
          say('Trois messages relivrés en octobre. Je vérifie si certains ont fini en échec.'),
          run('php bin/console messenger:failed:show', 'Messages en échec', 'No failed messages'),
        ],
        [
          say(`J'ai une piste assez nette, et je n'ai touché à rien.

## Ce que je vois

- La file \`pointages\` a un \`redeliver_timeout\` de 60 secondes.
- Le vendredi, le fichier des badgeuses est gros et l'import dure plus longtemps que ça : Messenger croit le worker mort et relivre le message. Le journal montre trois relivraisons en octobre (4, 11 et 18).
- Le double repas vient de l'import : le message relivré est traité une deuxième fois et chaque pointage est enregistré en double.

## Ce que je propose

1. Poser un verrou Symfony Lock autour de l'import, par cantine.
2. Passer \`redeliver_timeout\` à 600.

Voulez-vous que je prépare le correctif sur une branche, sans le déployer ?`),
        ],
        [
          say(
            "Quatorze repas et quatorze lignes : si un pointage était en double, elle en aurait quinze. Donc une date en remplace une autre. Je regarde ce qu'il y a vraiment en base.",
          ),
          run(
            'php bin/console dbal:run-sql "SELECT enfant_id, jour, service FROM pointage WHERE jour >= \'2024-10-01\' GROUP BY enfant_id, jour, service HAVING COUNT(*) > 1"',
            'Pointages en double',
            'empty result set',
          ),
          run(
            "php bin/console dbal:run-sql \"SELECT jour, source, COUNT(*) FROM pointage WHERE jour IN ('2024-10-16', '2024-10-23') GROUP BY jour, source\"",
            'Pointages des jours de coupure',
            'saisie',
          ),
          read(MIGRATION),
        ],
        [
          say(
            "L'import est hors de cause : l'index unique `uniq_pointage` (enfant, jour, service) rejette tout second passage, et il n'y a aucun pointage en double dans la table. Le problème est donc après, au calcul de la facture.",
          ),
          read(CALC),
          read(CHANGES),
        ],
        [
          say(
            "Voilà. La boucle de remise parcourt les lignes par référence et rien ne défait la référence ensuite. Je regarde si l'analyse statique aurait dû le voir.",
          ),
          run('phpstan analyse -l 8 src/Facturation', 'Analyse statique', 'No errors'),
          run('grep -rnE "(as|array) &" src', 'Autres références', 'HeliosExport'),
        ],
        [
          say(`Vos deux remarques changent tout, merci. Ce n'est pas l'import.

**La vraie cause** est dans \`Calculateur::facturer\` :

- La première boucle est un \`foreach ($lignes as &$ligne)\`. À la fin, \`$ligne\` reste une référence vers la dernière case du tableau.
- La deuxième boucle réutilise le même nom sans \`&\`. À chaque tour elle écrit dans cette dernière case ; au dernier tour, la dernière ligne est devenue une copie de l'avant-dernière.
- D'où un nombre de lignes juste, un jour répété tout en bas, et le vrai dernier jour qui disparaît.

**Pourquoi seulement certaines familles.** La boucle par référence ne tourne que pour la remise fratrie, arrivée avec la 5.3.0 du 30 septembre : seules les familles d'au moins deux enfants sont touchées, et rien avant octobre.

**Ce que je retire.** Le verrou que je proposais ne servirait à rien, et \`redeliver_timeout\` peut rester à 60.

PHPStan au niveau 8 ne signale pas ce genre de référence, il ne faut pas compter sur lui.

Est-ce que je corrige ?`),
        ],
        [say("D'abord le test, pour le voir échouer."), read(TEST)],
        [
          edit(
            TEST,
            '    public function testUnEnfantSansRemise(): void',
            `    public function test_derniereLigneAvecRemiseFratrie(): void
    {
        $facture = $this->calculateur()->facturer(Familles::deuxEnfants(), Mois::de('2024-10'));
        self::assertSame('2024-10-25', $facture->lignes()[13]->jour());
    }

    public function testUnEnfantSansRemise(): void`,
          ),
        ],
        [
          fail(
            'php bin/phpunit tests/Facturation',
            'Le test doit échouer',
            "'2024-10-24' matches expected '2024-10-25'",
          ),
        ],
        [
          say(
            "Rouge pour la bonne raison. Un `unset($ligne)` après la boucle suffirait, mais le prochain qui déplace une ligne l'oubliera : je préfère `array_map`, qui n'a pas de référence du tout.",
          ),
          edit(CALC, LOOP, MAPPED),
        ],
        [
          run('php bin/phpunit', 'Toute la suite', 'OK (88 tests'),
          run(
            'php bin/console app:factures:lignes-repetees 2024-10',
            'Factures touchées',
            '249 avec une ligne',
          ),
        ],
        [
          say(
            "Il y a donc 249 factures fausses à reprendre. Attention, une ligne répétée ne change le montant que si les deux repas n'ont pas le même prix, je compare les totaux.",
          ),
          run(
            'php bin/console app:factures:comparer 2024-10 --sans-ecrire',
            'Comparer les totaux',
            '37 total different',
          ),
        ],
        [
          say(`C'est corrigé, et aucune facture n'a été régénérée.

### Le correctif
- \`Calculateur::facturer\` applique la remise fratrie avec \`array_map\` ; il n'y a plus de référence sur \`$ligne\`.
- Le test \`derniereLigneAvecRemiseFratrie\` échouait avant, il passe maintenant (88 tests verts).

### Les factures d'octobre
| | nombre |
|---|---|
| ligne répétée, total juste | 212 |
| montant faux | **37** |

Le chiffre de 249 que je donnais était trop large : seules 37 factures ont un montant faux, pour un écart cumulé de 118,40 €. Ce sont celles où l'un des deux derniers repas est un panier PAI (1,15 € au lieu de 3,80 €) ; pour les 212 autres le prix est le même et seul le jour affiché est inexact.

La commande \`app:factures:comparer 2024-10 --sans-ecrire\` redonne la liste, elle ne modifie rien.

Je peux aussi rédiger un petit mot d'excuse pour les parents si ça vous aide. Bon courage pour le coup de fil à la mairie !`),
        ],
        [say('PHPStan ne le voit pas, je passe par phpcs.'), read(PHPCS), read(HELIOS)],
        [
          edit(
            PHPCS,
            '    <rule ref="PSR12"/>\n',
            '    <rule ref="PSR12"/>\n    <rule ref="SlevomatCodingStandard.PHP.DisallowReference"/>\n',
          ),
        ],
        [fail('phpcs', 'Ce que la règle trouve', 'HeliosExport.php')],
        [
          say(
            "Une seule trouvaille, et elle est voulue : `HeliosExport` passe ses blocs par référence pour ne pas copier 80 Mo. Je l'exclus de la règle plutôt que de le réécrire.",
          ),
          edit(
            PHPCS,
            '    <rule ref="SlevomatCodingStandard.PHP.DisallowReference"/>\n',
            `    <rule ref="SlevomatCodingStandard.PHP.DisallowReference">
        <exclude-pattern>${HELIOS}</exclude-pattern>
    </rule>
`,
          ),
        ],
        [
          run('phpcs && php bin/phpunit', 'phpcs et tests', 'No violations'),
          run(
            'git add -A && git commit -qm "Facturation : plus de référence sur la dernière ligne" && git log --oneline -1',
            'Commit',
            'plus de référence',
          ),
        ],
        [
          say(`C'est commité, rien n'est déployé.

- \`phpcs.xml.dist\` : la règle \`SlevomatCodingStandard.PHP.DisallowReference\` interdit désormais toute référence \`&\` dans \`src\`.
- Exception unique : \`src/Export/HeliosExport.php\`, dont les blocs pèsent jusqu'à 80 Mo et sont remplis sur place.

Reste à faire de votre côté : les 37 avoirs avec Nadège, et le déploiement avant la facturation de novembre. Bonne journée à vous !`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha'],
        says: [/référence|&\$ligne/, /derni[eè]re (case|ligne)|avant-dernière/],
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works', 'bugfix'],
        says: [/uniq_pointage|index unique/, /import|pointage|relivr/],
        prompt: 2,
      },
      {
        type: ['bugfix', 'change', 'decision', 'refactor'],
        says: [/array_map/, /remise|référence|unset/],
        files: [CALC],
        prompt: 3,
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/facture/, /régén[éè]r/, /avoir|titre|trésorerie/],
        prompt: 3,
      },
      {
        type: ['discovery', 'bugfix', 'gotcha', 'change'],
        says: [/\b37\b/, /montant|total|avoir/],
      },
      {
        type: ['discovery', 'gotcha', 'bugfix', 'how-it-works'],
        says: [/fratrie/, /5\.3\.0|deux enfants/],
        prompt: 2,
      },
      {
        type: ['change', 'feature', 'decision', 'gotcha', 'preference'],
        says: [/DisallowReference|phpcs/, /référence|&|interdi/],
        files: [PHPCS],
        prompt: 4,
      },
      {
        type: ['decision', 'gotcha', 'how-it-works', 'discovery', 'change'],
        says: [/Helios/, /80 Mo|référence|exclu|exception/],
        prompt: 4,
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: [/PHPStan/, /niveau 8|ne (signale|le voit) pas/],
      },
      { type: ['discovery', 'gotcha', 'how-it-works', 'bugfix'], says: [/PAI/, /prix|1,15|montant/] },
      { type: ['discovery', 'gotcha', 'how-it-works', 'change'], says: [/factures:comparer/] },
      { type: ['discovery', 'gotcha'], says: [/16/, /23/, /badgeuses|saisi/] },
      {
        type: ['decision', 'gotcha', 'discovery'],
        says: [/redeliver_timeout|verrou/, /rester à 60|ne servirait à rien|peut rester/],
      },
      {
        type: ['decision', 'change', 'preference', 'discovery', 'gotcha'],
        says: [/avoirs/, /Nadège|déploiement/],
      },
    ],
    summaries: [
      { prompt: 1, optional: true, request: [/deux fois|facture/], filesRead: [HANDLER] },
      {
        prompt: 2,
        request: [/badgeuses|Lebrun|double/],
        learned: [/référence|foreach|uniq_pointage/],
        filesRead: [CALC],
      },
      {
        prompt: 3,
        request: [/corrige|avoir|facture/],
        completed: [/array_map|Calculateur|37|corrigé/],
        filesModified: [CALC, TEST],
      },
      {
        prompt: 4,
        request: [/garde fou|avoirs/],
        completed: [/DisallowReference|phpcs|commité/],
        nextSteps: [/avoirs|déploiement/],
        filesModified: [PHPCS],
      },
    ],
    noise: [
      "Je vais commencer par regarder l'import",
      'Rouge pour la bonne raison',
      'Bon courage pour le coup de fil',
      "petit mot d'excuse pour les parents",
      '88 tests verts',
      'Vos deux remarques changent tout',
      'Voulez-vous que je prépare le correctif',
      'Bonne journée à vous',
    ],
    untrue: [
      /(vient|viennent|provient|proviennent) (bien )?de l'import/,
      /(chaque )?pointages? (est|sont|était|étaient) enregistrés? (en double|deux fois)/,
      /(poser|ajouter|mettre) un verrou(?![\s\S]*(à rien|inutile))/,
      /passer .?redeliver_timeout.? à 600/,
      /249 factures (sont )?(fausses|à reprendre|au montant faux)/,
    ],
    followUps: [
      {
        asks: 'pour les foyers lésés cet automne, on relance juste le calcul et on renvoie le pdf ?',
        says: [/avoir/, /régén[éè]r/],
      },
      {
        asks: 'si un lecteur de carte nous envoie deux fois le même fichier, un enfant peut être compté deux fois à midi ?',
        says: [/uniq_pointage|index unique/],
      },
      { asks: 'combien de gens ont vraiment payé une somme erronée à cause de ce souci ?', says: [/\b37\b/] },
      {
        asks: "le linter m'interdit de modifier un tableau sur place dans un foreach, pourquoi on a mis ça ?",
        says: [/référence|&\$ligne/, /derni[eè]re|avant-dernière|DisallowReference/],
      },
      {
        asks: 'pourquoi seuls les parents avec plusieurs gamins inscrits avaient une date bizarre ?',
        says: [/fratrie/],
      },
    ],
    unrelated: [
      'fais une page où les parents téléchargent les menus de la semaine',
      "c'est quoi la différence entre un voter et un firewall dans symfony ?",
      'le logo de la commune est flou dans le bandeau du portail sur iphone',
    ],
  },
};
