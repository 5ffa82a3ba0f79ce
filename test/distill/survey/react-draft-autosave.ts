import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const FORM = 'src/devis/DevisForm.tsx';
const HOOK = 'src/devis/useBrouillon.ts';
const TEST = 'src/devis/useBrouillon.test.ts';
const CLIENT = 'src/api/client.ts';
const SESSION = 'src/auth/session.ts';
const TYPES = 'src/devis/types.ts';

export const reactDraftAutosave: SurveySession = {
  name: 'react-draft-autosave',
  about:
    'Autosave of a quote form; two subagents look around first and find what the main agent never repeats.',
  kind: 'feature',
  language: 'fr',
  ecosystem: 'react',
  files: {
    'package.json': `{
  "name": "devis-web",
  "private": true,
  "scripts": { "test": "vitest run", "typecheck": "tsc --noEmit" },
  "dependencies": { "react": "^18.3.1", "react-hook-form": "^7.52.0" }
}
`,
    [TYPES]: `export interface Devis {
  id: string;
  version: number;
  client: string;
  lignes: { ref: string; quantite: number; prixHt: number }[];
  pieceJointe?: File;
}
`,
    [FORM]: `import { useForm } from 'react-hook-form';
import { patchDevis } from '../api/client';
import type { Devis } from './types';

export function DevisForm({ devis }: { devis: Devis }) {
  const form = useForm<Devis>({ values: devis });

  return (
    <form onSubmit={form.handleSubmit((saisie) => patchDevis(devis.id, saisie))}>
      <input {...form.register('client')} />
      <button type="submit">Enregistrer</button>
    </form>
  );
}
`,
    'src/devis/DevisPage.tsx': `import { useEffect, useState } from 'react';
import { DevisForm } from './DevisForm';
import type { Devis } from './types';

export function DevisPage({ id }: { id: string }) {
  const [devis, setDevis] = useState<Devis>();
  useEffect(() => {
    const charger = () => fetch(\`/api/devis/\${id}\`).then((r) => r.json()).then(setDevis);
    charger();
    const minuteur = setInterval(charger, 30_000);
    return () => clearInterval(minuteur);
  }, [id]);
  return devis ? <DevisForm devis={devis} /> : null;
}
`,
    [CLIENT]: `const enVol = new Map<string, { corps: string; a: number }>();

/** Deux PATCH identiques à moins de 2 s : le second n'est pas envoyé (double-clic). */
export async function patchDevis(id: string, saisie: unknown): Promise<void> {
  const corps = JSON.stringify(saisie);
  const dernier = enVol.get(id);
  if (dernier && dernier.corps === corps && Date.now() - dernier.a < 2000) return;
  enVol.set(id, { corps, a: Date.now() });
  const reponse = await fetch(\`/api/devis/\${id}\`, { method: 'PATCH', body: corps, headers: { 'If-Match': '*' } });
  if (!reponse.ok) throw new Error(String(reponse.status));
}
`,
    [SESSION]: `const PREFIXE = 'dw:';

export function deconnecter(): void {
  for (const cle of Object.keys(localStorage)) if (cle.startsWith(PREFIXE)) localStorage.removeItem(cle);
  location.assign('/login');
}

/** Le jeton expire au bout de 20 min d'inactivité. */
export function surExpiration(): void {
  deconnecter();
}
`,
  },
  programs: {
    pnpm: `#!/bin/sh
h=src/devis/useBrouillon.ts
case "$*" in
  *typecheck*)
    echo 'OK: 0 errors' ;;
  *test*)
    echo ' RUN  v1.6.0'
    if [ ! -f src/devis/useBrouillon.test.ts ]; then echo 'No test files found'; exit 1; fi
    if ! grep -q 'pieceJointe' $h; then
      echo ' FAIL  src/devis/useBrouillon.test.ts > restaure une saisie avec pièce jointe'
      echo 'AssertionError: expected {} to be undefined'
      echo ' Tests  1 failed | 1 passed (2)'
      exit 1
    fi
    echo ' ✓ src/devis/useBrouillon.test.ts (2)'
    echo ' Tests  2 passed (2)' ;;
  *) echo '9.4.0' ;;
esac
`,
  },
  prompts: [
    "DEV-91 : sauvegarde auto du brouillon dans le formulaire de devis, les commerciaux perdent leur saisie dans le train. En local seulement, pas d'appel serveur pour les brouillons (le juridique veut pas de devis non validés en base). Lance des agents pour explorer si tu veux",
    "300 ms c'est trop nerveux, sur les vieilles tablettes ça rame quand on tape : mets 800. Et pas de lib en plus pour ça stp, on a déjà assez de dépendances. Sinon nickel",
  ],
  script: (dir) => {
    const { run, fail, read, edit, write, delegate } = callsIn(dir);
    return {
      main: [
        [
          say(
            'Je lance deux explorations en parallèle : le formulaire et son API d’un côté, le stockage local de l’autre.',
          ),
          delegate(
            'Explorer le formulaire',
            'Explore le formulaire de devis et le client API (src/devis, src/api). Je veux y brancher une sauvegarde automatique de la saisie. Dis-moi ce qui peut gêner. Ne modifie rien.',
          ),
          delegate(
            'Explorer le stockage local',
            'Regarde comment localStorage est utilisé dans src (préfixes, purge, quotas) et ce qui arriverait à un brouillon stocké là. Ne modifie rien.',
          ),
        ],
        [
          say('Merci aux deux agents, j’ai ce qu’il me faut. Je lis le formulaire avant d’écrire le hook.'),
          read(FORM),
          read(TYPES),
        ],
        [
          write(
            HOOK,
            `import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { Devis } from './types';

const DELAI_MS = 300;
const cle = (id: string) => \`brouillon:devis:\${id}\`;

export function lireBrouillon(id: string, version: number): Devis | undefined {
  const brut = localStorage.getItem(cle(id));
  if (!brut) return undefined;
  const brouillon = JSON.parse(brut) as Devis;
  return brouillon.version === version ? brouillon : undefined;
}

export function useBrouillon(id: string, form: UseFormReturn<Devis>): void {
  useEffect(() => {
    let minuteur: ReturnType<typeof setTimeout>;
    const abonnement = form.watch((saisie) => {
      clearTimeout(minuteur);
      minuteur = setTimeout(() => ecrire(id, saisie), DELAI_MS);
    });
    return () => {
      clearTimeout(minuteur);
      abonnement.unsubscribe();
    };
  }, [id, form]);
}

function ecrire(id: string, saisie: unknown): void {
  try {
    localStorage.setItem(cle(id), JSON.stringify(saisie));
  } catch {
    // stockage plein ou interdit : on continue sans brouillon
  }
}

export const oublierBrouillon = (id: string) => localStorage.removeItem(cle(id));
`,
          ),
          write(
            TEST,
            `import { expect, test } from 'vitest';
import { lireBrouillon } from './useBrouillon';

test('ignore un brouillon d’une autre version', () => {
  localStorage.setItem('brouillon:devis:1', '{"version":3}');
  expect(lireBrouillon('1', 4)).toBeUndefined();
});

test('restaure une saisie avec pièce jointe', () => {
  localStorage.setItem('brouillon:devis:1', '{"version":4,"pieceJointe":{}}');
  expect(lireBrouillon('1', 4)?.pieceJointe).toBeUndefined();
});
`,
          ),
        ],
        [fail('pnpm test', 'Tests du hook', 'expected {} to be undefined')],
        [
          say(
            'Ah, bien vu par le test : un `File` passé à `JSON.stringify` devient `{}`, et le formulaire restauré croirait avoir une pièce jointe. Je retire `pieceJointe` du brouillon à l’écriture et à la lecture ; IndexedDB saurait la garder, mais c’est disproportionné ici.',
          ),
          edit(
            HOOK,
            '  const brouillon = JSON.parse(brut) as Devis;\n',
            '  const { pieceJointe: _, ...brouillon } = JSON.parse(brut) as Devis;\n',
          ),
          edit(
            HOOK,
            'function ecrire(id: string, saisie: unknown): void {\n  try {\n    localStorage.setItem(cle(id), JSON.stringify(saisie));',
            'function ecrire(id: string, { pieceJointe: _, ...saisie }: Partial<Devis>): void {\n  try {\n    localStorage.setItem(cle(id), JSON.stringify(saisie));',
          ),
        ],
        [
          run('pnpm test', 'Tests du hook', 'Tests  2 passed'),
          edit(
            FORM,
            "import type { Devis } from './types';\n",
            "import type { Devis } from './types';\nimport { lireBrouillon, oublierBrouillon, useBrouillon } from './useBrouillon';\n",
          ),
          edit(
            FORM,
            '  const form = useForm<Devis>({ values: devis });\n',
            '  const form = useForm<Devis>({ defaultValues: lireBrouillon(devis.id, devis.version) ?? devis });\n  useBrouillon(devis.id, form);\n',
          ),
          edit(
            FORM,
            'patchDevis(devis.id, saisie))}>',
            'patchDevis(devis.id, saisie).then(() => oublierBrouillon(devis.id)))}>',
          ),
        ],
        [run('pnpm typecheck', 'Types', 'OK: 0 errors')],
        [
          say(`La sauvegarde automatique est en place ✅

- **Hook \`useBrouillon\`** : écrit la saisie dans localStorage 300 ms après la dernière frappe, et l’oublie une fois le devis enregistré.
- Un brouillon n’est repris que si sa \`version\` est celle du devis chargé, sinon un collègue qui a modifié le devis entre-temps verrait son travail écrasé en silence.
- Les pièces jointes ne sont pas conservées dans le brouillon.

Limite connue : deux onglets ouverts sur le même devis s’écrasent mutuellement, le dernier qui tape gagne. Je n’ai rien fait contre.

N’hésite pas à me dire si tu veux un petit indicateur « brouillon enregistré » !`),
        ],
        [say('Je passe le délai à 800 ms.'), edit(HOOK, 'const DELAI_MS = 300;', 'const DELAI_MS = 800;')],
        [run('pnpm test', 'Tests', 'Tests  2 passed')],
        [
          run(
            "git add -A && git commit -q -m 'DEV-91 Brouillon local du formulaire de devis' -m 'watch() et non useWatch() : useWatch redessine tout le formulaire à chaque frappe.' && git log --oneline -1",
            'Commit',
            'DEV-91',
          ),
        ],
        [say('C’est fait : 800 ms, aucune dépendance ajoutée, commité.')],
      ],
      subagents: {
        'Explore le formulaire de devis': [
          [
            say('Je parcours le formulaire et le client.'),
            read('src/devis/DevisPage.tsx'),
            read(FORM),
            read(CLIENT),
          ],
          [
            say(`## Formulaire et API

Voici ce que j’ai trouvé :

1. \`DevisForm\` passe le devis par l’option \`values\` de \`useForm\` : à chaque rechargement du devis (polling toutes les 30 s dans la page parente), react-hook-form réinitialise le formulaire et efface toute saisie en cours. Il faut passer à \`defaultValues\`, sinon le brouillon restauré disparaît au premier rafraîchissement.
2. \`patchDevis\` ne renvoie pas un second PATCH identique à moins de 2 s, mais il résout quand même la promesse : un appel ignoré ressemble à un succès, même si le premier a échoué.
3. \`If-Match: *\` désactive de fait le contrôle de version côté serveur.

Rien n’a été modifié. Bonne continuation !`),
          ],
        ],
        'Regarde comment localStorage': [
          [run("grep -rn 'localStorage\\|PREFIXE' src", 'Usages de localStorage', 'PREFIXE'), read(SESSION)],
          [
            say(`**Stockage local : résumé**

- Toutes les clés préfixées \`dw:\` sont purgées à la déconnexion, et l’expiration du jeton (20 min d’inactivité) passe par la même fonction : un brouillon sous \`dw:\` serait perdu dès que le train traverse un tunnel un peu long. Il faut un autre préfixe.
- Contrepartie : hors de \`dw:\` plus rien ne purge les brouillons, donc sur une tablette partagée le commercial suivant peut lire ceux du précédent.
- Sur les iPad de l’agence, Safari en navigation privée lève \`QuotaExceededError\` dès le premier \`setItem\`.

J’espère que cela vous aide à avancer.`),
          ],
        ],
      },
    };
  },
  expects: {
    essentials: [
      { type: ['preference', 'decision'], says: [/brouillons?/, /pas d'appel serveur|juridique/], prompt: 1 },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: ['values', /réinitialise|efface/], prompt: 1 },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: ['dw:', /purg/, /20 min|expiration|déconnexion/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/tablette partagée/, /commercial suivant|précédent/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'decision'],
        says: [/pi[eè]ceJointe|pièce jointe/, /JSON\.stringify|IndexedDB/],
        prompt: 1,
      },
      { type: ['preference', 'change', 'decision'], says: ['800', /tablettes|300/], prompt: 2 },
    ],
    niceToHave: [
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: ['patchDevis', /2 s/, /succès|promesse/],
        files: [CLIENT],
      },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: ['QuotaExceededError', /Safari/] },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/deux onglets/, /écrasent|gagne/], prompt: 1 },
      { type: 'preference', says: [/pas de lib/, /dépendances/], prompt: 2 },
      {
        type: ['feature', 'decision', 'change', 'how-it-works'],
        says: ['useBrouillon', /saisie|version/],
        files: [HOOK],
        prompt: 1,
      },
      {
        type: ['decision', 'gotcha', 'change', 'how-it-works', 'feature'],
        says: ['useWatch', /redessine/],
        prompt: 2,
      },
      {
        type: ['decision', 'how-it-works', 'gotcha', 'feature'],
        says: ['version', /écrasé|collègue/],
        prompt: 1,
      },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: ['If-Match', /contrôle de version/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/sauvegarde auto/],
        completed: [/useBrouillon|sauvegarde automatique/],
        filesModified: [FORM, HOOK],
      },
      { prompt: 2, request: ['800'], completed: ['800'] },
    ],
    noise: [
      'Je lance deux explorations',
      'Merci aux deux agents',
      'Voici ce que j’ai trouvé',
      'Bonne continuation',
      'J’espère que cela vous aide',
      'N’hésite pas à me dire',
      'Sinon nickel',
      'Je parcours le formulaire',
    ],
    untrue: [
      /brouillons? (est|sont) (envoyés?|enregistrés?) (au|sur le) serveur/,
      /sous (le préfixe )?`?dw:`? (est|sont) conservé/,
      /pièces? jointes? (est|sont) conservée/,
    ],
    followUps: [
      {
        asks: 'pourquoi on a pas gardé `values` dans le useForm des devis ? je voudrais rafraîchir les prix en direct',
        says: [/réinitialise|efface/],
      },
      {
        asks: 'un utilisateur se plaint de voir les saisies de son collègue sur l’iPad du showroom',
        says: [/tablette partagée/],
      },
      {
        asks: 'je range une préférence d’affichage dans localStorage, quel nom de clé prendre pour qu’elle survive au logout ?',
        says: ['dw:'],
      },
      {
        asks: 'est-ce qu’on peut synchroniser les devis non finis entre les appareils via l’API ?',
        says: [/juridique|pas d'appel serveur/],
      },
      {
        asks: 'un commercial dit que son PDF disparaît quand il rouvre un devis commencé la veille',
        says: [/pi[eè]ceJointe|pièces? jointes?/],
      },
      {
        asks: 'ajoute lodash.debounce pour temporiser l’écriture, et choisis une durée',
        says: [/800|dépendances/],
      },
    ],
    unrelated: [
      'traduis la page de login en allemand',
      'le build vite sort des chunks de 2 Mo, regarde le découpage des routes',
      'écris un test pour le tri de la liste des clients',
    ],
  },
};
