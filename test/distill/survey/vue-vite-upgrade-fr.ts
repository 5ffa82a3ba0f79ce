import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

export const vueViteUpgradeFr: SurveySession = {
  name: 'vue-vite-upgrade-fr',
  about:
    'Passage de Vite 4 à Vite 6 dans un projet Vue : une fausse piste (legacy-peer-deps), sass figé avec sa raison, /compact au milieu',
  kind: 'upgrade',
  language: 'fr',
  ecosystem: 'vue',
  files: {
    'package.json': `{
  "name": "portail-adherents",
  "private": true,
  "scripts": {
    "dev": "vite",
    "build": "vite build",
    "test": "vitest run"
  },
  "dependencies": {
    "vue": "3.4.38",
    "@mutuelle/ui-kit": "2.7.1"
  },
  "devDependencies": {
    "@vitejs/plugin-vue": "4.6.2",
    "sass": "1.77.8",
    "vite": "4.5.3",
    "vitest": "0.34.6"
  }
}
`,
    'vite.config.js': `import { defineConfig } from 'vite';
import vue from '@vitejs/plugin-vue';

export default defineConfig({
  plugins: [vue()],
  server: {
    port: 5173,
    proxy: { '/api': 'http://localhost:8081' },
  },
  define: {
    'process.env.API_URL': JSON.stringify(process.env.API_URL),
  },
});
`,
    'src/main.js':
      "import { createApp } from 'vue';\nimport App from './App.vue';\nimport './styles/theme.scss';\n\ncreateApp(App).mount('#app');\n",
    'src/App.vue': '<template>\n  <main class="portail">Espace adhérent</main>\n</template>\n',
    'src/styles/theme.scss':
      "@import '@mutuelle/ui-kit/scss/variables';\n\n.portail {\n  color: $couleur-principale;\n}\n",
    '.gitlab-ci.yml': 'image: node:18.17\n\nbuild:\n  script:\n    - npm ci\n    - npm run build\n',
    '.nvmrc': '18.17\n',
  },
  programs: {
    npm: `#!/bin/sh
has() { grep -q "$1" package.json; }
case "$1 $2" in
  "install "*|"install"*)
    if has '"vite": "6' && has '"@vitejs/plugin-vue": "4'; then
      case "$*" in
        *--legacy-peer-deps*) echo "added 212 packages in 9s"; exit 0 ;;
      esac
      echo "npm error code ERESOLVE"
      echo "npm error peer vite@\\"^4.0.0 || ^5.0.0\\" from @vitejs/plugin-vue@4.6.2"
      exit 1
    fi
    echo "added 214 packages in 11s"
    ;;
  "run build")
    if ! has '"vite": "6'; then
      echo "vite v4.5.3 building for production..."
      echo "built in 14.20s"
      exit 0
    fi
    if has '"@vitejs/plugin-vue": "4'; then
      echo "vite v6.0.7 building for production..."
      echo "[vite:vue] Cannot read properties of undefined (reading 'ssr')"
      exit 1
    fi
    if has '"sass": "1.8'; then
      echo "vite v6.0.7 building for production..."
      echo "[sass] Undefined variable \\$couleur-principale, from @mutuelle/ui-kit/scss/_variables.scss (mixed-decls)"
      exit 1
    fi
    if ! grep -q 'legacy' vite.config.js; then
      echo "vite v6.0.7 building for production..."
      echo "[vite:css] [sass] Can't find stylesheet to import: @mutuelle/ui-kit/scss/variables (modern-compiler API ignores the 'sass' field)"
      exit 1
    fi
    echo "vite v6.0.7 building for production..."
    echo "built in 6.10s"
    ;;
  "test "*|"test")
    if has '"vite": "6' && has '"vitest": "0'; then
      echo "TypeError: vite.createServer: 'ws' option is not supported by vitest 0.34.6"
      exit 1
    fi
    echo "Test Files  18 passed (18)"
    ;;
esac
`,
  },
  script(projectDir) {
    const { run, fail, read, edit } = callsIn(projectDir);
    return {
      main: [
        [
          say("Je commence par l'état des lieux : versions, configuration et durée de build de référence."),
          read('package.json'),
          read('vite.config.js'),
          read('.gitlab-ci.yml'),
          run('npm run build', 'Build de référence', 'built in 14.20s'),
          run('npm test', 'Tests de référence', '18 passed'),
        ],
        [
          say('Référence : build en 14,2 s, 18 fichiers de test verts. Je monte Vite seul pour commencer.'),
          edit('package.json', '"vite": "4.5.3"', '"vite": "6.0.7"'),
        ],
        [fail('npm install', 'Installer Vite 6', 'ERESOLVE')],
        [
          say(
            "Conflit de peer dependency avec @vitejs/plugin-vue 4.6.2. Un `--legacy-peer-deps` devrait suffire, le plugin n'a sans doute qu'une contrainte trop stricte.",
          ),
          run('npm install --legacy-peer-deps', 'Installer en ignorant les peers', 'added 212'),
          fail('npm run build', 'Build', "reading 'ssr'"),
        ],
        [
          say(
            "Mauvaise piste : l'installation passe, mais le build casse dans le plugin (`Cannot read properties of undefined (reading 'ssr')`). La contrainte de plugin-vue 4 est réelle, il faut la version 5. J'abandonne `--legacy-peer-deps`.",
          ),
          edit('package.json', '"@vitejs/plugin-vue": "4.6.2"', '"@vitejs/plugin-vue": "5.2.1"'),
          edit('package.json', '"vitest": "0.34.6"', '"vitest": "2.1.8"'),
        ],
        [
          run('npm install', 'Installer', 'added 214'),
          fail('npm run build', 'Build', "Can't find stylesheet to import"),
        ],
        [
          say(`Bonne avancée, mais le build n'est pas encore vert. Où nous en sommes :

- \`@vitejs/plugin-vue\` passé en 5.2.1 : la 4.6.2 n'est pas compatible avec Vite 6, et \`--legacy-peer-deps\` ne fait que masquer l'erreur jusqu'au build
- \`vitest\` passé en 2.1.8, la 0.34 ne sait pas démarrer Vite 6
- reste une erreur Sass : Vite 6 utilise par défaut l'API moderne de Sass, qui ne trouve plus \`@mutuelle/ui-kit/scss/variables\`

Je peux soit garder l'ancienne API Sass par configuration, soit réécrire les imports du thème. Que préférez-vous ?`),
        ],
        [
          say(
            "Entendu. J'essaie d'abord en montant aussi sass, au cas où la version récente réglerait la résolution.",
          ),
          edit('package.json', '"sass": "1.77.8"', '"sass": "1.83.0"'),
          edit(
            'vite.config.js',
            '  plugins: [vue()],\n',
            "  plugins: [vue()],\n  css: { preprocessorOptions: { scss: { api: 'legacy' } } },\n",
          ),
        ],
        [run('npm install', 'Installer', 'added 214'), fail('npm run build', 'Build', 'Undefined variable')],
        [
          say(
            'sass 1.83 casse le ui-kit : ses variables sont déclarées après des règles imbriquées, et le changement mixed-decls les rend introuvables. Je reviens à 1.77.8 et je la fige, sans chevron.',
          ),
          edit('package.json', '"sass": "1.83.0"', '"sass": "1.77.8"'),
          run('npm install', 'Installer', 'added 214'),
        ],
        [run('npm run build', 'Build', 'built in 6.10s'), run('npm test', 'Tests', '18 passed')],
        [
          say(`Le build passe sous Vite 6.0.7 : **6,1 s au lieu de 14,2 s**, et les 18 fichiers de test sont verts.

## Ce qui est figé
- \`sass\` reste à 1.77.8 exactement : à partir de 1.8x, \`@mutuelle/ui-kit\` 2.7.1 ne compile plus (mixed-decls, « Undefined variable $couleur-principale »). À débloquer quand l'équipe design publiera la 3.0 du ui-kit.
- \`css.preprocessorOptions.scss.api: 'legacy'\` dans vite.config.js : l'API moderne ne résout pas le champ \`sass\` du paquet ui-kit.

Voulez-vous que je m'occupe de la CI ensuite ?`),
        ],
        [
          say('Je mets la CI et .nvmrc à jour.'),
          read('.nvmrc'),
          read('.gitlab-ci.yml'),
          run('grep -rn "18.17" .gitlab-ci.yml .nvmrc', 'Chercher les versions de Node', 'node:18.17'),
        ],
        [
          edit('.gitlab-ci.yml', 'image: node:18.17', 'image: node:20.18'),
          edit('.nvmrc', '18.17', '20.18'),
          run('git diff --stat && npm run build', 'Vérifier', 'built in 6.10s'),
        ],
        [
          say(`C'est fait : la CI et \`.nvmrc\` sont en Node 20.18. Vite 6 n'accepte plus que Node 18, 20 et 22+, donc la 21 des postes de dev n'est pas prise en charge.

Je n'ai touché ni au proxy \`/api\` ni au port 5173. Rien n'est commité, comme demandé. Bonne continuation, et n'hésitez pas si la CI fait des siennes !`),
        ],
      ],
      compact: [
        [
          say(`<analysis>
La conversation porte sur la montée de Vite 4 à Vite 6 d'un portail Vue.
</analysis>
<summary>
1. Primary Request: passer portail-adherents de Vite 4.5.3 à Vite 6, sans commit, sans toucher au proxy /api ni au port 5173.
2. Key Technical Concepts: Vite 6, plugin-vue 5, vitest 2, API Sass legacy.
3. Files: package.json (vite 6.0.7, plugin-vue 5.2.1, vitest 2.1.8, sass 1.77.8 figé), vite.config.js (scss api legacy).
4. Errors: --legacy-peer-deps masque l'incompatibilité de plugin-vue 4 ; sass 1.83 casse @mutuelle/ui-kit 2.7.1.
5. Pending Tasks: mettre la CI à jour vers Node 20.
6. Current Work: build vert en 6,1 s, 18 fichiers de test verts.
</summary>`),
        ],
      ],
    };
  },
  prompts: [
    'on passe le portail de vite 4 à vite 6. tu ne commites rien, je relis tout moi-même avant. et pas touche au proxy /api ni au port 5173, le sso est enregistré dessus',
    "garde l'ancienne api, on ne réécrit pas le thème : l'équipe design sort le ui-kit 3.0 en mars et ça sautera à ce moment-là",
    '/compact',
    'oui vas y pour la ci, node 20, la 18 est en fin de vie',
  ],
  expects: {
    essentials: [
      {
        type: ['decision', 'gotcha', 'discovery', 'change', 'bugfix'],
        says: [/sass/, /1\.77\.8/, /ui-kit|mixed-decls|couleur-principale/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'decision', 'change'],
        says: [/plugin-vue/, /legacy-peer-deps|compatible|ssr/],
        prompt: 1,
      },
      {
        type: ['decision', 'gotcha', 'discovery', 'bugfix', 'change', 'how-it-works'],
        says: [/api/, /legacy|ancienne|moderne/, /sass|scss|thème/],
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/5173|proxy/, /sso|pas touche|ni au port/],
        prompt: 1,
      },
      { type: ['preference', 'decision'], says: [/commit/], prompt: 1 },
      {
        type: ['discovery', 'change', 'feature', 'decision'],
        says: [/6[,.]10? ?s/, /14[,.]20? ?s/],
        prompt: 2,
      },
    ],
    niceToHave: [
      { type: ['change', 'decision', 'gotcha', 'discovery', 'preference'], says: [/node/, /20/], prompt: 3 },
      { type: ['change', 'gotcha', 'discovery', 'decision', 'bugfix'], says: [/vitest/, /2\.1\.8|0\.34/] },
      { type: ['decision', 'discovery', 'gotcha'], says: [/ui-kit/, /3\.0/, /mars|design/] },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/\b21\b/, /node|postes/i], prompt: 3 },
      { type: ['change', 'feature', 'decision'], says: [/vite/, /6\.0\.7|vite 6/] },
    ],
    summaries: [
      { prompt: 1, request: [/vite 6/], learned: [/plugin-vue|sass/] },
      { prompt: 2, request: [/ancienne api|ui-kit/], completed: [/sass|legacy|6[,.]1/] },
      { prompt: 3, request: [/\bci\b|node 20/], completed: [/20\.18|node 20|nvmrc/] },
    ],
    noise: [
      /je commence par l'état des lieux/,
      /bonne avancée/,
      /que préférez-vous/,
      /voulez-vous que je m'occupe/,
      /bonne continuation/,
      /n'hésitez pas/,
      /Primary Request/,
    ],
    untrue: [
      /legacy-peer-deps`? devrait suffire/,
      /contrainte trop stricte/,
      /(monté|passé|passer|mis à jour)[^.]{0,20}sass[^.]{0,12}1\.83/,
    ],
    followUps: [
      { asks: 'dependabot propose sass 1.85, je peux merger ?', says: [/1\.77\.8/, /ui-kit|mixed-decls/] },
      {
        asks: "npm install me sort un ERESOLVE, je force avec l'option qui ignore les peers ?",
        says: [/plugin-vue/, /build|masque|ssr/],
      },
      {
        asks: 'je voudrais lancer le serveur de dev sur 3000, un problème ?',
        says: [/5173/, /sso|proxy|ni au port/],
      },
      {
        asks: "à quoi sert ce réglage legacy pour le scss dans la config, et quand est-ce qu'on pourra l'enlever ?",
        says: [/ui-kit/],
      },
      {
        asks: 'combien de temps a-t-on gagné à la compilation avec la montée de version ?',
        says: [/6[,.]10? ?s/],
      },
    ],
    unrelated: [
      'ajoute une page « mes remboursements » avec un tableau paginé',
      "corrige les fautes d'orthographe dans les messages du formulaire de contact",
      'branche vue-i18n pour avoir le portail en breton',
    ],
  },
};
