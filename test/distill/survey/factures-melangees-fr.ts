import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CONTEXTE = 'src/pdf/contexte.js';
const FACTURE = 'src/pdf/facture.js';
const LOT = 'src/factures/lot.js';
const TARIFS = 'src/tarifs/cache.js';
const TOTAL = 'src/factures/total.js';
const TEST = 'test/facture.test.js';
const TEST_TARIFS = 'test/tarifs.test.js';
const JOURNAL = 'journal/generation.csv';
const MARQUE = 'Passe tout le dossier src au peigne fin';

export const facturesMelangeesFr: SurveySession = {
  name: 'factures melangees fr',
  about:
    "Des clients reçoivent la facture d'un autre; un sous-agent rapporte quatre pistes, dont une que l'agent réfute par un essai.",
  kind: 'bug hunt',
  language: 'fr',
  ecosystem: 'node',
  files: {
    'package.json': '{ "name": "loueur-factures", "private": true, "type": "module" }\n',
    [CONTEXTE]: `// Le client de la facture en cours, pour ne pas le passer partout.
let courant = null;

export const definirClient = (client) => {
  courant = client;
};
export const client = () => courant;
`,
    [FACTURE]: `import { client, definirClient } from './contexte.js';
import { enTete, lignesDe } from './mise-en-page.js';

export async function genererFacture(facture, lire) {
  definirClient(facture.client);
  const lignes = await lire(facture.numero);
  return [enTete(facture.numero, client()), ...lignesDe(lignes)].join('\\n');
}
`,
    'src/pdf/mise-en-page.js': `export const enTete = (numero, client) => \`FACTURE \${numero}\\n\${client.nom}\\n\${client.adresse}\`;
export const lignesDe = (lignes) => lignes.map(({ libelle, cents }) => \`\${libelle.padEnd(40)}\${(cents / 100).toFixed(2)}\`);
`,
    [LOT]: `import { genererFacture } from '../pdf/facture.js';

export const genererLot = (factures, lire) => Promise.all(factures.map((facture) => genererFacture(facture, lire)));
`,
    [TARIFS]: `const connus = new Map();

export async function tarif(agence, article, lire) {
  if (!connus.has(article)) connus.set(article, await lire(agence.grille ?? agence.code, article));
  return connus.get(article);
}
`,
    [TOTAL]: `export const total = (lignes) => lignes.reduce((somme, { prix, jours }) => somme + prix * jours, 0).toFixed(2);
`,
    'config/agences.json': '[{ "code": "PAR" }, { "code": "LYO", "grille": "PAR" }, { "code": "NTE" }]\n',
    [JOURNAL]: `numero,agence,origine,debut,fin
F-3101,PAR,lot,0,40
F-3102,PAR,lot,0,55
F-3103,LYO,lot,0,31
F-3104,NTE,manuel,900,940
F-3105,NTE,manuel,1200,1290
F-3106,PAR,manuel,1250,1310
F-3107,LYO,manuel,2000,2030
`,
  },
  prompts: [
    "gros souci, deux clients nous appellent : ils ont reçu une facture avec le nom et l'adresse de quelqu'un d'autre !! lance un sous-agent qui épluche tout src pendant que tu regardes le pdf. et ne touche surtout pas à la mise en page, le logiciel de la compta relit le pdf ligne par ligne",
    "ouf. corrige aussi le cache des tarifs du coup. attention Lyon est volontairement sur la grille de Paris, c'est un contrat commun, faut que ça reste. les arrondis du total on laisse, le comptable veut retomber sur les mêmes montants que l'an dernier",
    "il me faut la liste des factures à risque pour le dpo, il doit déclarer ça à la cnil sous 72h. à mon avis c'est que les lots de fin de mois, le reste du temps y a pas de concurrence",
  ],
  script: (dir) => {
    const { run, fail, read, edit, write, delegate } = callsIn(dir);
    return {
      main: [
        [
          say('Je confie la fouille de src à un sous-agent et je prends la génération du PDF.'),
          delegate(
            'Chercher les mélanges de clients',
            `${MARQUE} : où les données d'un client peuvent-elles arriver chez un autre ? Donne fichier, mécanisme et gravité de chaque piste, sans rien modifier.`,
          ),
        ],
        [read(FACTURE), read(CONTEXTE), read(LOT), read(TARIFS)],
        [
          say(
            "La piste 1 colle avec le symptôme. La piste 3 me laisse perplexe, je la vérifie par un essai avant d'y toucher.",
          ),
          run(
            `node -e "const p=(v,ms)=>new Promise(r=>setTimeout(r,ms,v)); Promise.all([p('lente',80),p('rapide',5)]).then(r=>console.log(r.join(' puis ')))"`,
            "Promise.all garde-t-il l'ordre",
            'lente puis rapide',
          ),
          write(
            TEST,
            `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { genererLot } from '../src/factures/lot.js';

const facture = (numero, nom) => ({ numero, client: { nom, adresse: \`rue \${nom}\` } });

test('chaque facture du lot porte son propre client', async () => {
  const lire = async (numero) => (await pause(numero === 'A' ? 30 : 5), []);
  const [a, b] = await genererLot([facture('A', 'Alpha'), facture('B', 'Beta')], lire);
  assert.match(a, /Alpha/);
  assert.match(b, /Beta/);
});
`,
          ),
          fail('node --test', 'Reproduire avec deux factures à la fois', 'FACTURE A'),
        ],
        [
          say(
            "Reproduit du premier coup : la facture A sort avec l'en-tête de Beta. `definirClient` écrit dans une variable de module, puis `await lire` rend la main, et la facture suivante écrase le client avant que l'en-tête soit écrit.",
          ),
          edit(FACTURE, "import { client, definirClient } from './contexte.js';\n", ''),
          edit(FACTURE, '  definirClient(facture.client);\n', ''),
          edit(FACTURE, 'client())', 'facture.client)'),
          run(
            `git rm -q ${CONTEXTE} && grep -rn contexte src || echo "plus aucun usage"`,
            'Supprimer la variable globale',
            'plus aucun usage',
          ),
        ],
        [run('node --test', 'Relancer les tests', 'porte son propre client')],
        [
          say(`Trouvé et corrigé.

## La cause
\`${CONTEXTE}\` gardait le client courant dans une variable de module, partagée par toutes les factures en cours. Pendant le \`await\` de la lecture des lignes, une autre facture la remplaçait. Il suffit que deux générations se chevauchent. Le client est maintenant passé en argument, et le fichier est supprimé.

J'ai écarté AsyncLocalStorage : ça marcherait, mais ça cacherait encore la dépendance, et un argument ne peut pas se perdre.

## Le rapport du sous-agent
1. La variable de module : confirmée, c'est la cause.
2. Le cache de \`${TARIFS}\` a pour clé l'article seul, sans l'agence : c'est un vrai défaut, mais il touche les prix et pas les adresses. Pas encore corrigé.
3. « Promise.all mélange les résultats » : je ne suis pas d'accord. Mon essai le montre, l'ordre est celui des entrées, quel que soit le temps de chacune. \`${LOT}\` reste comme il est.
4. \`${TOTAL}\` calcule en flottants : exact, sans lien avec l'incident.

La mise en page n'a pas bougé d'un caractère. N'hésitez pas si vous voulez que je prépare un mot pour les clients.`),
        ],
        [
          read('config/agences.json'),
          write(
            TEST_TARIFS,
            `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tarif } from '../src/tarifs/cache.js';

const lire = async (grille, article) => \`\${grille}-\${article}\`;

test('Nantes ne reçoit pas le tarif de Paris', async () => {
  await tarif({ code: 'PAR' }, 'nacelle', lire);
  assert.equal(await tarif({ code: 'NTE' }, 'nacelle', lire), 'NTE-nacelle');
});

test('Lyon garde la grille de Paris', async () => {
  assert.equal(await tarif({ code: 'LYO', grille: 'PAR' }, 'nacelle', lire), 'PAR-nacelle');
});
`,
          ),
          fail('node --test', 'Le premier doit être rouge', 'Nantes ne reçoit pas le tarif de Paris'),
        ],
        [
          edit(
            TARIFS,
            `  if (!connus.has(article)) connus.set(article, await lire(agence.grille ?? agence.code, article));
  return connus.get(article);
`,
            `  const grille = agence.grille ?? agence.code;
  const cle = JSON.stringify([grille, article]);
  if (!connus.has(cle)) connus.set(cle, await lire(grille, article));
  return connus.get(cle);
`,
          ),
          run('node --test', 'Tous les tests', 'pass 3'),
        ],
        [
          say(
            "C'est corrigé, 3 tests passent. La clé du cache est maintenant la grille plus l'article. J'ai pris la grille et non le code de l'agence : Lyon continue ainsi de partager les entrées de Paris, et un test le fixe. Jusqu'ici, la première agence qui demandait un article après un redémarrage imposait son prix à toutes les autres ; Nantes a donc pu facturer des prix de Paris. Je n'ai pas touché aux arrondis de total.js.",
          ),
        ],
        [
          say(
            'On va le mesurer plutôt que le supposer, le journal contient le début et la fin de chaque génération.',
          ),
          run(`head -4 ${JOURNAL}`, 'Format du journal', 'origine'),
        ],
        [
          write(
            'scripts/chevauchements.mjs',
            `import { readFileSync } from 'node:fs';

const [, ...lignes] = readFileSync('${JOURNAL}', 'utf8').trim().split('\\n');
const factures = lignes.map((ligne) => {
  const [numero, agence, origine, debut, fin] = ligne.split(',');
  return { numero, agence, origine, debut: Number(debut), fin: Number(fin) };
});
const touche = (a, b) => a !== b && a.debut <= b.fin && b.debut <= a.fin;
for (const a of factures) if (factures.some((b) => touche(a, b))) console.log(a.numero, a.origine);
`,
          ),
          run(
            'node scripts/chevauchements.mjs',
            'Factures dont la génération en chevauche une autre',
            'F-3105 manuel',
          ),
        ],
        [
          say(`Non, pas seulement les lots. Sur les 7 factures du journal, 5 ont été générées en même temps qu'une autre :
- F-3101, F-3102 et F-3103, dans le lot ;
- F-3105 et F-3106, lancées à la main par deux agences au même moment.

F-3104 et F-3107 étaient seules et sont donc hors de cause. C'est une liste de factures à risque, pas de fuites prouvées : dans un chevauchement, c'est la dernière démarrée qui impose son nom, celle-là est donc en principe correcte. Pour le DPO je garderais les 5.

Attention, le journal ne garde que 30 jours, il faut en faire une copie avant qu'il tourne. \`scripts/chevauchements.mjs\` donne la liste, à relancer sur la production. Bon courage pour la déclaration !`),
        ],
      ],
      subagents: {
        [MARQUE]: [
          [
            run(
              'grep -rnE "^(let|const) [a-z]+ = (null|new Map)" src',
              "Chercher l'état de module",
              'courant',
            ),
          ],
          [read(CONTEXTE), read(FACTURE), read(TARIFS), read(LOT), read(TOTAL)],
          [
            say(`Quatre pistes, de la plus grave à la moins grave :

1. **${CONTEXTE}** : variable de module \`courant\`, partagée entre générations simultanées. Grave.
2. **${TARIFS}** : le cache a pour clé \`article\` seul, le tarif d'une agence est servi aux autres. Grave.
3. **${LOT}** : Promise.all renvoie les résultats dans l'ordre où ils se terminent, donc le PDF d'un client part avec l'adresse du suivant. Grave, remplacer par une boucle.
4. **${TOTAL}** : sommes en flottants, un centime d'écart possible. Mineur.`),
          ],
        ],
      },
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/variable de module|contexte\.js/, /client/, /await|chevauch|en même temps|simultan|partagée/],
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/mise en page/, /compta/, /ligne par ligne|relit/],
      },
      {
        type: ['discovery', 'decision', 'gotcha', 'how-it-works'],
        says: [/Promise\.all/, /ordre .*entrées|pas d'accord|garde.*ordre/],
      },
      {
        type: ['bugfix', 'gotcha', 'discovery', 'decision', 'change'],
        says: [/cache|clé/, /grille|agence/, /article/],
      },
      {
        type: ['preference', 'decision', 'how-it-works', 'gotcha'],
        says: [/Lyon/, /Paris/, /contrat commun|volontaire/],
      },
      { type: ['preference', 'decision'], says: [/arrondi/, /comptable|mêmes montants/] },
      { type: ['discovery', 'gotcha'], says: [/F-3105/, /F-3106/, /main|manuel|à risque/], prompt: 3 },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/journal/, /30 jours/] },
    ],
    niceToHave: [
      { type: ['decision'], says: [/AsyncLocalStorage/] },
      { type: ['preference', 'discovery', 'decision', 'gotcha'], says: [/cnil/, /72\s?h/] },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/total\.js/, /flottants/] },
      { type: ['feature', 'change', 'discovery', 'how-it-works'], says: [/chevauchements\.mjs/] },
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/Nantes/, /prix de Paris|tarif de Paris/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/facture/, /nom|adresse/],
        learned: [/variable de module|Promise\.all|chevauch/],
        completed: [/argument|supprimé/],
        filesModified: [FACTURE, TEST],
      },
      {
        prompt: 2,
        request: [/cache|tarifs/],
        completed: [/clé|grille/],
        filesModified: [TARIFS, TEST_TARIFS],
      },
      {
        prompt: 3,
        request: [/factures à risque|dpo/],
        learned: [/F-3105|pas seulement les lots|30 jours/],
        filesModified: ['scripts/chevauchements.mjs'],
      },
    ],
    noise: [
      'Je confie la fouille de src',
      "N'hésitez pas si vous voulez que je prépare un mot",
      'Bon courage pour la déclaration',
      'On va le mesurer plutôt que le supposer',
      'Donne fichier, mécanisme et gravité',
      /^ouf\. /m,
    ],
    untrue: [
      /Promise\.all renvoie les résultats dans l'ordre où ils se terminent/,
      /remplacer par une boucle/,
      /c'est que les lots de fin de mois|le reste du temps y a pas de concurrence/,
      /Pas encore corrigé/,
    ],
    followUps: [
      {
        asks: 'je voudrais stocker l’utilisateur connecté dans une variable en haut du fichier plutôt que de le passer à toutes les fonctions du pdf, une objection ?',
        says: [/variable de module|contexte\.js/, /client/],
      },
      {
        asks: 'décale le numéro de facture à droite et ajoute une ligne vide sous le logo',
        says: [/mise en page/, /compta/],
      },
      {
        asks: 'est-ce qu’il faut générer les factures une par une pour que chacun reçoive bien la sienne ?',
        says: [/Promise\.all/, /ordre/],
      },
      {
        asks: 'l’agence lyonnaise a des prix parisiens, je corrige sa configuration ?',
        says: [/Lyon/, /contrat commun|volontaire/],
      },
      {
        asks: 'passe les sommes en entiers pour en finir avec les écarts d’un centime',
        says: [/arrondi/, /comptable|mêmes montants/],
      },
    ],
    unrelated: [
      'ajoute un champ téléphone au formulaire de création d’un engin',
      'quelle différence entre import et require en JavaScript ?',
      'le calendrier des réservations affiche la semaine à partir du dimanche, tu peux regarder ?',
    ],
  },
};
