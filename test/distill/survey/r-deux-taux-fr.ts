import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const REPORT = 'rapport/reachat.qmd';
const METRICS = 'R/indicateurs.R';
const APP = 'app/app.R';
const LOAD = 'R/charger.R';

const RSCRIPT = `#!/bin/sh
case "$2" in
  *reachat_rapport*statut*) echo "[1] 0.139" ;;
  *reachat_rapport*months*) echo "[1] 0.126" ;;
  *reachat_rapport*) echo "[1] 0.124" ;;
  *reachat_app*) echo "[1] 0.141" ;;
  *table*) printf 'livré remboursé  offert\\n 48213      2904     611\\n' ;;
  *) echo "Error: unexpected input" >&2; exit 1 ;;
esac
`;

export const rDeuxTauxFr: SurveySession = {
  name: 'r deux taux fr',
  about: 'Questions only: why two figures of one indicator differ, and what a cache would have to know.',
  kind: 'question',
  language: 'fr',
  ecosystem: 'r',
  files: {
    [METRICS]: `# Taux de réachat : part des clients avec au moins deux commandes dans la fenêtre.

reachat_rapport <- function(cmd, fin, jours = 90) {
  cmd |>
    dplyr::filter(date > fin - jours, date <= fin) |>
    dplyr::count(client) |>
    dplyr::summarise(taux = mean(n >= 2)) |>
    dplyr::pull(taux)
}

reachat_app <- function(cmd, fin) {
  cmd |>
    dplyr::filter(statut != "remboursé") |>
    dplyr::filter(date > fin %m-% months(3), date <= fin) |>
    dplyr::count(client) |>
    dplyr::summarise(taux = mean(n >= 2)) |>
    dplyr::pull(taux)
}
`,
    [REPORT]: `---
title: Réachat, hebdomadaire
format: pdf
---

\`\`\`{r}
source("../R/indicateurs.R"); source("../R/charger.R")
reachat_rapport(charger(), fin = params$fin)
\`\`\`
`,
    [APP]: `library(shiny)
source("../R/indicateurs.R"); source("../R/charger.R")

server <- function(input, output) {
  cmd <- reactive(charger())
  output$taux <- renderText(scales::percent(reachat_app(cmd(), input$fin), accuracy = 0.1))
}
`,
    [LOAD]: `# Le dépôt SFTP de la logistique est remplacé chaque matin vers 6 h 15, parfois une seconde fois dans la journée.
charger <- function(chemin = "/donnees/commandes.parquet") arrow::read_parquet(chemin)
`,
    'deploy/shinyproxy.yml': `proxy:
  container-backend: docker
  specs:
    - id: reachat
      container-image: registre/reachat:2.4
      seats-per-container: 5
      minimum-seats-available: 10
      container-volumes: ["/srv/donnees:/donnees:ro", "/srv/cache:/cache"]
`,
  },
  programs: { Rscript: RSCRIPT },
  prompts: [
    "Bonjour, une question avant le comité de jeudi : le rapport PDF donne 12,4 % de réachat et le tableau de bord 14,1 % pour la même semaine. D'où vient l'écart ? Ne change rien au code stp, je veux juste comprendre",
    "Merci, limpide. Pour info c'est le chiffre du rapport qui fait foi, il est validé par le contrôle de gestion : si un jour on aligne, c'est l'appli qu'on aligne sur le rapport, jamais l'inverse. Autre question : l'appli met 8 s à afficher le taux. Est-ce qu'un simple bindCache(input$fin) suffirait ?",
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [read(METRICS), read(REPORT), read(APP), read(LOAD)],
        [
          say(
            "Les deux fonctions diffèrent sur deux points : le filtre sur le statut et la fenêtre. Je mesure l'effet de chacun séparément.",
          ),
          run("Rscript -e 'reachat_rapport(charger(), fin)'", 'Chiffre du rapport', '0.124'),
          run("Rscript -e 'reachat_app(charger(), fin)'", "Chiffre de l'appli", '0.141'),
          run(
            `Rscript -e 'reachat_rapport(dplyr::filter(charger(), statut != "remboursé"), fin)'`,
            'Rapport sans les remboursés',
            '0.139',
          ),
          run(
            "Rscript -e 'reachat_rapport(charger(), fin, jours = fin - fin %m-% months(3))'",
            'Rapport avec trois mois calendaires',
            '0.126',
          ),
          run("Rscript -e 'table(charger()$statut)'", 'Répartition des statuts', '2904'),
        ],
        [
          say(`L'écart (1,7 point) a deux causes, et l'une pèse presque tout :

| Différence | Effet mesuré |
|---|---|
| L'appli retire les commandes \`remboursé\` **avant** de compter les clients | +1,5 pt |
| L'appli prend 3 mois calendaires, le rapport 90 jours glissants | +0,2 pt |

Pourquoi retirer les remboursements fait *monter* le taux : les clients dont l'unique commande a été remboursée disparaissent du dénominateur. Il y a 2 904 commandes remboursées sur environ 51 700.

Aucune des deux définitions n'est un bug en soi ; elles s'appellent simplement pareil. À noter aussi : les commandes \`offert\` (611) comptent comme un achat dans **les deux** chiffres, ce qui surprendra peut-être le comité.

Je n'ai rien modifié.`),
        ],
        [
          read('deploy/shinyproxy.yml'),
          run('grep -n "charger" -r R app rapport', 'Qui charge les données', LOAD),
        ],
        [
          say(`Non, pas tel quel, pour deux raisons.

**1. La clé est incomplète.** \`bindCache(input$fin)\` ne dépend que de la date choisie. Or \`commandes.parquet\` est remplacé vers 6 h 15, et parfois une seconde fois dans la journée : l'appli servirait le taux d'avant. Il faut ajouter la date de modification du fichier à la clé : \`bindCache(input$fin, file.mtime(chemin))\`.

**2. Le cache par défaut ne sera presque jamais chaud.** Par défaut il vit en mémoire, par processus R. Avec \`seats-per-container: 5\` et au moins 10 places libres, ShinyProxy fait tourner plusieurs conteneurs, chacun avec le sien. Un \`cachem::cache_disk("/cache")\` est partagé entre eux, et \`/srv/cache\` est déjà monté.

Cela dit, les 8 s viennent surtout de \`read_parquet\` qui lit toutes les colonnes ; \`col_select = c(client, date, statut)\` serait à essayer d'abord, avant tout cache. Je ne l'ai pas mesuré.

Dites-moi si vous voulez que je prépare l'un ou l'autre.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'how-it-works', 'gotcha'],
        says: [/rembours/, /dénominateur|avant\W+de compter/, /1,5/],
        prompt: 1,
      },
      {
        type: ['discovery', 'how-it-works', 'gotcha'],
        says: [/3 mois calendaires/, /90 jours/],
      },
      {
        type: ['decision', 'preference'],
        says: [/rapport/, /fait foi/, /jamais l'inverse|contrôle de gestion|aligne/],
      },
      {
        type: ['discovery', 'how-it-works', 'gotcha', 'decision'],
        says: ['bindCache', /file\.mtime|date de modification|6 h 15/],
        prompt: 2,
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'how-it-works', 'gotcha', 'decision'],
        says: ['cache_disk', /conteneur|processus/],
      },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: ['offert', /deux/] },
      { type: ['discovery', 'gotcha', 'how-it-works', 'decision'], says: ['col_select', /8 s|colonnes/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['12,4 %'],
        learned: [/rembours/],
        filesRead: [METRICS, APP],
      },
      {
        prompt: 2,
        request: ['bindCache'],
        learned: [/clé|modification|conteneur/],
        filesRead: ['deploy/shinyproxy.yml'],
      },
    ],
    noise: ['Dites-moi si', 'Je mesure', 'limpide', '[1] 0.139'],
    untrue: [
      /(ajouté|mis en place|activé)[^.]{0,30}(bindCache|cache_disk)/,
      /(corrigé|aligné) (le|la|les) (rapport|calcul|filtre)/,
      /l'appli qui fait foi/,
    ],
    followUps: [
      {
        asks: 'un directeur me dit que nos deux pourcentages de clients fidèles ne collent pas, on lui répond quoi ?',
        says: [/rembours/],
      },
      {
        asks: 'je dois unifier le calcul de fidélité entre le Shiny et le PDF, lequel est la référence ?',
        says: [/fait foi|jamais l'inverse/],
      },
      {
        asks: 'comment accélérer le dashboard sans afficher de valeurs périmées quand le fichier de la logistique est remplacé ?',
        says: [/file\.mtime|date de modification/],
      },
    ],
    unrelated: [
      'Ajoute un graphique des ventes par région dans le rapport trimestriel',
      'renv::restore échoue sur le paquet sf, il manque libgdal',
      'Traduis le README en anglais',
    ],
  },
};
