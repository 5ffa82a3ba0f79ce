import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const REQUIREMENTS = 'requirements.txt';
const SETTINGS = 'boutique/settings.py';
const MODELS = 'catalogue/models.py';
const CHANGELOG = 'CHANGELOG.md';

export const django42Fr: SurveySession = {
  name: 'django-42-fr',
  about:
    'Django 3.2 vers 4.2 : une installation qui échoue en silence, le CSRF en rolling, PostgreSQL trop vieux.',
  kind: 'upgrade',
  language: 'fr',
  ecosystem: 'python',
  files: {
    '.gitignore': '.venv/\n__pycache__/\n',
    [REQUIREMENTS]:
      'Django==3.2.25\nacme-auth==1.8.0\npsycopg2-binary==2.9.9\ncelery==5.3.6\nwhitenoise==6.6.0\n',
    [SETTINGS]: `DEBUG = False
ALLOWED_HOSTS = ["boutique.example.fr", "admin.example.fr"]
CSRF_TRUSTED_ORIGINS = ["boutique.example.fr", "admin.example.fr"]
USE_TZ = True
USE_L10N = True
TIME_ZONE = "Europe/Paris"
DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": "boutique"}}
`,
    [MODELS]: `from django.db import models
from django.utils.translation import ugettext_lazy as _


class Produit(models.Model):
    nom = models.CharField(_("nom"), max_length=200)
    prix = models.DecimalField(_("prix"), max_digits=9, decimal_places=2)
`,
    [CHANGELOG]: '# Changelog\n\n## 6.3\n- Export comptable mensuel\n',
    'manage.py': 'from django.core.management import execute_from_command_line\n',
    'deploy/rolling.yml': 'instances: 4\nbatch: 1\npause_minutes: 5\nsession_affinity: none\n',
  },
  programs: {
    pip: `#!/bin/sh
mkdir -p .venv
case "$1" in
  install)
    if grep -q 'Django==4.2' ${REQUIREMENTS} && grep -q 'acme-auth==1' ${REQUIREMENTS}; then
      echo "Collecting Django==4.2.16"; echo "Collecting acme-auth==1.8.0"
      echo "INFO: pip is looking at multiple versions of acme-auth to determine which version is compatible with other requirements. This could take a while."
      echo "ERROR: Cannot install -r requirements.txt (line 2) and Django==4.2.16 because these package versions have conflicting dependencies." >&2
      echo "    acme-auth 1.8.0 depends on Django<4.0 and >=3.2" >&2
      echo "ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/en/latest/topics/dependency-resolution/" >&2
      exit 1
    fi
    auth=$(sed -n 's/^acme-auth==//p' ${REQUIREMENTS})
    echo 4.2.16 > .venv/django; echo "Successfully installed Django-4.2.16 acme-auth-$auth sqlparse-0.5.0" ;;
  index) echo "acme-auth (2.1.0)"; echo "Available versions: 2.1.0, 2.0.4, 2.0.3, 1.8.0" ;;
  *) echo "pip 24.0" ;;
esac
`,
    python: `#!/bin/sh
v=$(cat .venv/django 2>/dev/null || echo 3.2.25)
case "$*" in
  "-m django --version") echo $v ;;
  *migrate*)
    if [ $v = 4.2.16 ]; then echo "django.db.utils.NotSupportedError: PostgreSQL 12 or later is required (found 11.22)." >&2; exit 1; fi
    echo "No planned migration operations." ;;
  *check*)
    if [ $v = 4.2.16 ]; then
      if grep -q ugettext ${MODELS}; then echo "ImportError: cannot import name 'ugettext_lazy' from 'django.utils.translation'" >&2; exit 1; fi
      if ! grep -q 'https://boutique' ${SETTINGS}; then
        echo "SystemCheckError: System check identified some issues:" >&2
        echo "?: (4_0.E001) As of Django 4.0, the values in the CSRF_TRUSTED_ORIGINS setting must start with a scheme (usually http:// or https://)" >&2; exit 1
      fi
    fi
    echo "System check identified no issues (0 silenced)." ;;
  *) echo "Python 3.11.9" ;;
esac
`,
    pytest: `#!/bin/sh
v=$(cat .venv/django 2>/dev/null || echo 3.2.25)
echo "django: version: $v, settings: boutique.settings"
echo "============================= 212 passed in 38.41s ============================="
`,
  },
  prompts: [
    "On passe la boutique de Django 3.2 à la 4.2 LTS : requirements + code, jusqu'à ce que tout soit vert. Pas de tests supprimés ni de skip pour y arriver stp. À savoir : on déploie en rolling sur 4 instances, l'ancienne et la nouvelle version tournent donc ensemble une vingtaine de minutes",
    "Pas la 2.1 d'acme-auth ! Elle active le SSO d'office et nos revendeurs n'ont pas de compte SSO. Reste en 2.0.x. Pour Postgres : la recette est déjà en 14, la prod n'y passe que le 12 décembre, donc pas de mise en prod avant. Note-le dans le CHANGELOG, en français comme le reste",
    'Parfait, merci et bonne journée !',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say("Je commence par l'état des lieux."),
          read(REQUIREMENTS),
          read(SETTINGS),
          read(MODELS),
          read('deploy/rolling.yml'),
        ],
        [edit(REQUIREMENTS, 'Django==3.2.25', 'Django==4.2.16')],
        [
          run(
            'pip install -r requirements.txt 2>/dev/null | tail -1',
            'Installer les dépendances',
            'This could take a while',
          ),
        ],
        [
          say('Installation faite, on vérifie.'),
          run('python manage.py check && pytest -q | tail -1', 'Vérifications et tests', '212 passed'),
        ],
        [
          say(
            "212 tests verts du premier coup, avec un `ugettext_lazy` qui n'existe plus depuis la 4.0 ? C'est trop beau. Je regarde quelle version tourne vraiment.",
          ),
          run('python -m django --version', 'Version de Django', '3.2.25'),
          fail(
            'pip install -r requirements.txt',
            'Réinstaller sans filtre',
            'acme-auth 1.8.0 depends on Django<4.0',
          ),
        ],
        [
          say(
            "Voilà : le pip avait échoué, mais le `| tail -1` avec `2>/dev/null` a masqué l'erreur et le code de retour, et les tests tournaient toujours sous 3.2.25. Le blocage vient d'acme-auth 1.8.0, qui exige Django<4.0.",
          ),
          run('pip index versions acme-auth', 'Versions disponibles', '2.1.0'),
        ],
        [edit(REQUIREMENTS, 'acme-auth==1.8.0', 'acme-auth==2.1.0')],
        [
          run(
            'pip install -r requirements.txt && python -m django --version',
            'Installer',
            'Successfully installed',
          ),
          fail('python manage.py check', 'Vérifier', 'ugettext_lazy'),
        ],
        [edit(MODELS, 'import ugettext_lazy as _', 'import gettext_lazy as _')],
        [fail('python manage.py check', 'Vérifier', '4_0.E001')],
        [
          edit(
            SETTINGS,
            'CSRF_TRUSTED_ORIGINS = ["boutique.example.fr", "admin.example.fr"]',
            'CSRF_TRUSTED_ORIGINS = ["https://boutique.example.fr", "https://admin.example.fr"]',
          ),
          edit(SETTINGS, 'USE_L10N = True\n', ''),
        ],
        [run('python manage.py check && pytest -q', 'Vérifier et tester', 'version: 4.2.16')],
        [
          say(
            "Reste le déploiement. Depuis la 4.1 le cookie CSRF n'est plus masqué, et les notes de version demandent de garder l'ancien format tant que de vieilles instances tournent : comme rolling.yml n'a pas d'affinité de session, un formulaire servi par une 4.2 et posté sur une 3.2 risque un 403 pendant ces vingt minutes. `CSRF_COOKIE_MASKED = True` garde le cookie masqué le temps de la bascule. À retirer avant la 5.0, qui ne connaît plus ce réglage.\n\nJ'ai pensé à activer plutôt l'affinité de session sur le load balancer, mais les sessions déjà ouvertes seraient redistribuées au moment de l'activation, donc on n'y gagne rien.",
          ),
          edit(
            SETTINGS,
            'USE_TZ = True\n',
            '# Le temps du rolling 3.2 -> 4.2 ; à retirer avant Django 5.0.\nCSRF_COOKIE_MASKED = True\nUSE_TZ = True\n',
          ),
          fail(
            'python manage.py migrate --check',
            'Migrations en attente ?',
            'PostgreSQL 12 or later is required',
          ),
        ],
        [
          say(
            `La migration est prête côté code, et je suis très content du résultat ! 🚀

**Ce qui a changé**
- Django 4.2.16, acme-auth 2.1.0 (la 1.8.0 exige Django<4.0)
- \`ugettext_lazy\` → \`gettext_lazy\`
- \`CSRF_TRUSTED_ORIGINS\` avec le schéma \`https://\`
- \`USE_L10N\` retiré (déprécié, vrai par défaut depuis la 4.0)
- \`CSRF_COOKIE_MASKED\` pour la cohabitation

**Point bloquant** : Django 4.2 refuse PostgreSQL 11 (12 minimum), et c'est ce que je trouve ici. La 4.1 l'accepterait encore, mais elle n'a plus de correctifs de sécurité, je la déconseille.

Quelle est la version en prod ? N'hésitez pas si vous avez des questions.`,
          ),
        ],
        [
          say('Compris, je corrige acme-auth.'),
          edit(REQUIREMENTS, 'acme-auth==2.1.0', 'acme-auth==2.0.4'),
          read(CHANGELOG),
        ],
        [
          run('set -o pipefail; pip install -r requirements.txt | tail -1', 'Réinstaller', 'acme-auth-2.0.4'),
          edit(
            CHANGELOG,
            '# Changelog\n\n',
            "# Changelog\n\n## 6.4\n- Django 4.2 LTS. **Pas de mise en prod avant le 12 décembre** : il faut PostgreSQL 12 au moins, la prod est encore en 11.\n- acme-auth reste en 2.0.x : la 2.1 active le SSO d'office.\n\n",
          ),
        ],
        [run('python manage.py check && pytest -q', 'Vérifier et tester', '212 passed')],
        [
          run(
            'git add -A && git commit -qm \'Passage à Django 4.2\' -m "CSRF_COOKIE_MASKED sert au rolling et part avant la 5.0." && git show --stat --format=%s',
            'Commit',
            'Passage à Django 4.2',
          ),
        ],
        [
          say(
            "C'est corrigé et commité : acme-auth 2.0.4, et le CHANGELOG dit d'attendre le 12 décembre. Il reste, après la bascule, à retirer `CSRF_COOKIE_MASKED`. Souhaitez-vous que je prépare un ticket pour ça ?",
          ),
        ],
        [say('Avec plaisir, bonne journée à vous !')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/acme-auth/, /2\.[01]/, /SSO/],
        prompt: 2,
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/12 décembre/, /prod/],
        prompt: 2,
      },
      {
        type: ['decision', 'gotcha', 'discovery'],
        says: ['CSRF_COOKIE_MASKED', /5\.0|bascule|rolling/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'bugfix', 'discovery'],
        says: [/tail -1/, /masqué|échoué/, /3\.2\.25|code de retour/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: [/PostgreSQL 11/, /4\.2/],
        prompt: 1,
      },
      { type: ['preference'], says: [/tests supprimés/, /skip/], prompt: 1 },
    ],
    niceToHave: [
      {
        type: ['decision', 'discovery'],
        says: [/4\.1/, /correctifs de sécurité/],
        prompt: 1,
      },
      {
        type: ['decision', 'discovery'],
        says: [/affinité/, /redistribuées|on n'y gagne rien|403/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix'],
        says: [/acme-auth 1\.8\.0|la 1\.8\.0/, /Django<4\.0/],
        prompt: 1,
      },
      {
        type: ['change', 'feature', 'bugfix', 'gotcha'],
        says: ['CSRF_TRUSTED_ORIGINS', /https|schéma/],
        prompt: 1,
      },
      {
        type: ['change', 'gotcha', 'bugfix', 'discovery'],
        says: ['ugettext_lazy', /gettext_lazy|4\.0/],
        prompt: 1,
      },
      {
        type: ['how-it-works', 'preference', 'discovery', 'gotcha'],
        says: [/rolling/, /4 instances|vingtaine de minutes/],
        prompt: 1,
      },
      { type: ['preference'], says: [/CHANGELOG/, /en français/], prompt: 2 },
      { type: ['change'], says: [/Django 4\.2/], prompt: 2 },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/4\.2 LTS/],
        learned: [/PostgreSQL|CSRF_COOKIE_MASKED|tail/],
        completed: [/4\.2/],
        filesModified: [REQUIREMENTS, SETTINGS, MODELS],
      },
      {
        prompt: 2,
        request: [/acme-auth/],
        completed: [/2\.0\.4/],
        nextSteps: [/CSRF_COOKIE_MASKED/],
        filesModified: [REQUIREMENTS, CHANGELOG],
      },
    ],
    noise: [
      "Je commence par l'état des lieux",
      'Installation faite, on vérifie',
      'je suis très content du résultat',
      "N'hésitez pas si vous avez",
      'Souhaitez-vous que je prépare',
      'Avec plaisir, bonne journée',
      'This could take a while',
    ],
    untrue: [
      /acme-auth (est |passe )?(en|à la) 2\.1/,
      /la prod (est|tourne) (déjà )?(en|sous) (PostgreSQL |Postgres )?14/,
      /installation (faite|réussie) du premier coup/,
    ],
    followUps: [
      {
        asks: 'Dependabot propose acme-auth 2.1.3, je fusionne ?',
        says: [/SSO/],
      },
      {
        asks: 'On peut livrer la 6.4 en production dès cette semaine ?',
        says: [/12 décembre/],
      },
      {
        asks: "À quoi sert cette ligne sur le cookie masqué dans les settings, je peux l'enlever ?",
        says: ['CSRF_COOKIE_MASKED', /5\.0|bascule|rolling/],
      },
      {
        asks: 'La CI est verte mais le paquet ne semble pas avoir été mis à jour, comment est-ce possible ?',
        says: [/tail -1/],
      },
      {
        asks: 'Un stagiaire a encore une base locale en version 11, ça va marcher avec notre Django ?',
        says: [/PostgreSQL 1[12]/],
      },
      {
        asks: 'Trois cas de pytest cassent après ma mise à jour de celery, je les désactive en attendant ?',
        says: [/tests supprimés/, /skip/],
      },
    ],
    unrelated: [
      "Ajoute un champ « poids » à l'export du catalogue fournisseurs",
      'Pourquoi les images des fiches produit sont-elles floues sur mobile ?',
      'Écris une commande manage.py qui purge les paniers abandonnés',
    ],
  },
};
