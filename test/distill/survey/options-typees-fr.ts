import { callsIn, say, together } from '../calls.ts';
import type { SurveySession } from '../session.ts';

/** The classes of each project that read a setting, with the setting and its type. */
const PROJECTS: Record<string, Record<string, [key: string, type: string]>> = {
  Tarifs: {
    CalculTarif: ['TauxMarge', 'decimal'],
    ArrondiTarif: ['Pas', 'decimal'],
    RemiseVolume: ['Seuil', 'int'],
    GrilleTarif: ['Chemin', 'string'],
    DeviseTarif: ['Devise', 'string'],
    PromoTarif: ['JoursMax', 'int'],
  },
  Courrier: {
    EnvoiCourrier: ['Hote', 'string'],
    RelanceCourrier: ['Delai', 'int'],
    ModeleCourrier: ['Dossier', 'string'],
    PieceCourrier: ['TailleMax', 'int'],
    SignatureCourrier: ['Texte', 'string'],
    FileCourrier: ['Capacite', 'int'],
  },
  Stock: {
    ReserveStock: ['Duree', 'int'],
    AlerteStock: ['Minimum', 'int'],
    InventaireStock: ['Heure', 'string'],
    TransfertStock: ['Lot', 'int'],
    EtiquetteStock: ['Format', 'string'],
    PurgeStock: ['Jours', 'int'],
  },
  Taches: {
    TacheNuit: ['Debut', 'string'],
    TacheExport: ['Cible', 'string'],
    TacheNettoyage: ['Age', 'int'],
    TacheRapport: ['Destinataire', 'string'],
    TacheSauvegarde: ['Retention', 'int'],
    TacheVeille: ['Intervalle', 'int'],
  },
};

const pathOf = (project: string, name: string) => `src/${project}/${name}.cs`;
const optionsPath = (project: string) => `src/${project}/${project}Options.cs`;

const oldLine = (project: string, key: string, type: string) =>
  type === 'string'
    ? `    private readonly string valeur = AppSettings.Get("${project}.${key}");`
    : `    private readonly ${type} valeur = ${type}.Parse(AppSettings.Get("${project}.${key}"));`;
const newLine = (project: string, key: string, type: string, name: string, kind: string) =>
  `    private readonly ${type} valeur;\n\n    public ${name}(${kind}<${project}Options> options) => valeur = options.${kind === 'IOptionsMonitor' ? 'CurrentValue' : 'Value'}.${key};`;
const source = (project: string, name: string, key: string, type: string) =>
  `namespace Quincaille.${project};

public class ${name}
{
${oldLine(project, key, type)}
}
`;
const RULES: Record<string, string> = {
  string: '[Required]',
  int: '[Range(1, int.MaxValue)]',
  decimal: '[Range(0.001, 1000)]',
};
const bound = (project: string) =>
  `        services.AddOptions<${project}Options>().BindConfiguration("${project}").ValidateDataAnnotations().ValidateOnStart();\n`;
const HOST = 'src/Hote/OptionsTypees.cs';
const hostSource = (projects: string[]) =>
  `namespace Quincaille.Hote;

public static class OptionsTypees
{
    public static void AddOptionsTypees(this IServiceCollection services)
    {
${projects.map(bound).join('')}    }
}
`;
const optionsSource = (project: string) =>
  `namespace Quincaille.${project};

public sealed class ${project}Options
{
${Object.values(PROJECTS[project] ?? {})
  .map(([key, type]) => `    ${RULES[type]} public ${type} ${key} { get; init; }`)
  .join('\n')}
}
`;

const DOTNET = `#!/bin/sh
# Stands in for the dotnet tool: decides by the text of the sources.
if [ "$1" = "build" ]; then echo "Build succeeded. 0 Error(s)"; exit 0; fi
if grep -rq 'IOptionsSnapshot' src/Taches; then
  echo "System.InvalidOperationException: Cannot consume scoped service IOptionsSnapshot from singleton TacheNuit"
  exit 1
fi
if [ -f src/Tarifs/TarifsOptions.cs ] && grep -q '"0,35"' appsettings.json; then
  echo "Failed CalculTarifTests.Marge: expected 0.35 but was 35"
  exit 1
fi
echo "Passed! Failed: 0, Passed: 318"
`;

export const optionsTypeesFr: SurveySession = {
  name: 'options typees fr',
  about:
    'Un long refactoring : AppSettings.Get devient des options typées, avec un piège de culture et un autre de durée de vie.',
  kind: 'refactoring',
  language: 'fr',
  ecosystem: 'dotnet',
  long: true,
  files: {
    'Quincaille.sln': 'Microsoft Visual Studio Solution File, Format Version 12.00\n',
    'appsettings.json': `{
  "Tarifs": { "TauxMarge": "0,35", "Pas": "0,05", "Seuil": 100, "Devise": "EUR" },
  "Courrier": { "Hote": "smtp.interne", "Delai": 5 }
}
`,
    'deploy/quincaille.env': 'Tarifs:Devise=EUR\nCourrier:Hote=smtp.prod\n',
    ...Object.fromEntries(
      Object.entries(PROJECTS).flatMap(([project, classes]) =>
        Object.entries(classes).map(([name, [key, type]]) => [
          pathOf(project, name),
          source(project, name, key, type),
        ]),
      ),
    ),
  },
  programs: { dotnet: DOTNET },
  prompts: [
    "Salut ! On veut se débarrasser de AppSettings.Get partout et passer à des classes d'options typées. Prends IOptionsSnapshot. Un commit par projet, jamais un gros commit, sinon Lucie ne relit pas. Commence par Tarifs, puis Courrier et Stock.",
    'Parfait, continue avec Taches.',
    "D'accord pour IOptionsMonitor dans Taches. Au fait, pourquoi la prod ignorait nos variables du fichier deploy/quincaille.env ? On avait laissé tomber à l'époque.",
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    const reads = (project: string) =>
      together(
        Object.keys(PROJECTS[project] ?? {}).map((name) => read(pathOf(project, name))),
        3,
      );
    const edits = (project: string, kind: string) =>
      together(
        Object.entries(PROJECTS[project] ?? {}).map(([name, [key, type]]) =>
          edit(pathOf(project, name), oldLine(project, key, type), newLine(project, key, type, name, kind)),
        ),
        3,
      );
    const commit = (project: string) =>
      run(
        `git add -A && git commit -qm "refactor(${project.toLowerCase()}): options typées" && git log --oneline -1`,
        `Commit de ${project}`,
        'options typées',
      );
    return {
      main: [
        [
          say('Je commence par un état des lieux.'),
          run(
            'grep -rl "AppSettings.Get" src | cut -d/ -f2 | sort | uniq -c',
            'Classes concernées par projet',
            '6 Tarifs',
          ),
          read('appsettings.json'),
        ],
        ...reads('Tarifs'),
        [write(optionsPath('Tarifs'), optionsSource('Tarifs'))],
        ...edits('Tarifs', 'IOptionsSnapshot'),
        [fail('dotnet test', 'Tests après Tarifs', 'expected 0.35 but was 35')],
        [
          say('La marge passe de 0,35 à 35. Sans doute un mauvais nom de section, je vérifie.'),
          run(
            'grep -n "TauxMarge" appsettings.json src/Tarifs/TarifsOptions.cs',
            'Le nom de la clé',
            'TauxMarge',
          ),
        ],
        [
          say(
            "Le nom est bon, la valeur arrive : c'est la culture. L'ancien `decimal.Parse` utilisait fr-FR, alors que le binder de configuration lit toujours en culture invariante, où la virgule sépare les milliers.",
          ),
          edit('appsettings.json', '"0,35"', '0.35'),
          edit('appsettings.json', '"0,05"', '0.05'),
        ],
        [run('dotnet test', 'Tests après correction', 'Passed: 318'), commit('Tarifs')],
        ...reads('Courrier').map((turn, n) =>
          n === 0 ? [say('Vert. Au tour de Courrier.'), ...turn] : turn,
        ),
        [write(optionsPath('Courrier'), optionsSource('Courrier'))],
        ...edits('Courrier', 'IOptionsSnapshot'),
        [run('dotnet test', 'Tests après Courrier', 'Passed: 318'), commit('Courrier')],
        ...reads('Stock'),
        [write(optionsPath('Stock'), optionsSource('Stock'))],
        ...edits('Stock', 'IOptionsSnapshot'),
        [
          say('Reste à lier les trois sections, avec une validation au démarrage.'),
          write(HOST, hostSource(['Tarifs', 'Courrier', 'Stock'])),
          run('dotnet build && dotnet test', 'Tests après Stock', 'Passed: 318'),
          commit('Stock'),
        ],
        [
          say(`Tarifs, Courrier et Stock utilisent maintenant des options typées : 18 classes, trois commits, 318 tests au vert.

**Piège de culture.** Le binder de configuration lit les nombres en culture invariante. \`"0,35"\` devenait 35, sans aucune erreur : une marge cent fois trop grande. J'ai corrigé \`TauxMarge\` et \`Pas\` dans \`appsettings.json\` (0.35 et 0.05). Les surcharges qui existent ailleurs, sur les serveurs des magasins par exemple, doivent être corrigées avant la mise en production.

**Choix.** Chaque section est liée avec \`ValidateOnStart\`, pour qu'une clé oubliée fasse échouer le démarrage plutôt que de valoir zéro.

Il me reste un projet à faire.`),
        ],
        ...reads('Taches'),
        [
          write(optionsPath('Taches'), optionsSource('Taches')),
          edit(HOST, bound('Stock'), bound('Stock') + bound('Taches')),
        ],
        ...edits('Taches', 'IOptionsSnapshot'),
        [fail('dotnet test', 'Tests après Taches', 'Cannot consume scoped service')],
        [
          say(
            "Les tâches sont des `BackgroundService`, donc des singletons, et IOptionsSnapshot est scoped : l'injection est impossible. Je passe ce projet à IOptionsMonitor.",
          ),
          run(
            "sed -i 's/IOptionsSnapshot/IOptionsMonitor/; s/options\\.Value\\./options.CurrentValue./' src/Taches/Tache*.cs && grep -c IOptionsMonitor src/Taches/TacheNuit.cs",
            'Remplacer dans Taches',
            '1',
          ),
        ],
        [
          run('dotnet test', 'Tests', 'Passed: 318'),
          run('grep -rl "AppSettings.Get" src | wc -l', 'Classes restantes', '0'),
          commit('Taches'),
        ],
        [
          say(`Taches est converti, plus aucune classe n'appelle \`AppSettings.Get\` (24 en tout). 318 tests au vert, quatrième commit fait.

Un écart par rapport à ta consigne : dans Taches c'est \`IOptionsMonitor\` et non \`IOptionsSnapshot\`. Les tâches sont des singletons (\`BackgroundService\`) et Snapshot est scoped, le conteneur refuse de l'injecter. Attention toutefois : la valeur est copiée dans le constructeur, donc un changement de configuration n'est vu qu'au redémarrage du service. Pour le rechargement à chaud il faudrait lire \`CurrentValue\` à chaque exécution.

Dis-moi si cela te convient.`),
        ],
        [
          run('cat deploy/quincaille.env', 'Le fichier des variables', 'Tarifs:Devise'),
          run("grep -c ':' deploy/quincaille.env", 'Lignes avec un deux-points', '2'),
        ],
        [
          say(`Les noms contiennent un deux-points (\`Tarifs:Devise\`). Sous Linux, ni bash ni systemd n'acceptent ce caractère dans un nom de variable : la ligne est écartée en silence. Il faut le double tiret bas, \`Tarifs__Devise\`, que .NET traduit en \`:\` sur toutes les plateformes. Sous Windows les deux écritures passent, d'où le « ça marche chez moi ».

Je n'ai rien modifié. Bonne journée !`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['preference'], says: [/commit/, /projet/, /Lucie/] },
      {
        type: ['gotcha', 'bugfix', 'discovery'],
        says: [/culture/, /invariante/, /0,35|virgule/],
      },
      {
        type: ['decision', 'gotcha', 'discovery'],
        says: [/IOptionsMonitor/, /Taches/, /singleton|scoped/],
      },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/constructeur/, /redémarrage|CurrentValue/] },
      {
        type: ['how-it-works', 'gotcha', 'discovery'],
        says: [/deux-points/, /Linux|systemd/, /double tiret bas|__/],
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'change'],
        says: [/magasins/, /avant la mise en production|surcharges/],
      },
      { type: ['refactor', 'change'], says: [/options typées|AppSettings\.Get/, /classes?/] },
    ],
    niceToHave: [
      { type: ['decision', 'how-it-works', 'refactor'], says: [/ValidateOnStart/, /démarrage/] },
      { type: ['preference', 'decision'], says: [/IOptionsSnapshot/, /options typées/] },
      { type: ['bugfix', 'change', 'gotcha'], says: [/TauxMarge/, /Pas/], files: ['appsettings.json'] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/AppSettings\.Get/],
        learned: [/culture|invariante/],
        completed: [/Tarifs/],
        filesModified: ['appsettings.json', optionsPath('Stock')],
      },
      { prompt: 2, request: [/Taches/], learned: [/singleton|scoped/], completed: [/IOptionsMonitor/] },
      { prompt: 3, request: [/quincaille\.env|variables/], learned: [/deux-points|__/] },
    ],
    noise: [
      'Je commence par un état des lieux',
      'Vert. Au tour de Courrier',
      'Dis-moi si cela te convient',
      'Bonne journée',
      'Reste à lier les trois sections',
      'Parfait, continue',
    ],
    untrue: [
      /Sans doute un mauvais nom de section/,
      /Il me reste un projet/,
      /Taches (utilise|avec|passe à) IOptionsSnapshot/,
      /(corrigé|modifié|renommé)[^.]{0,40}quincaille\.env/,
    ],
    followUps: [
      {
        asks: 'la marge calculée est énorme sur un magasin depuis la mise à jour, une idée ?',
        says: [/culture/, /invariante/],
      },
      {
        asks: 'ajoute une nouvelle tâche planifiée qui lit son paramètre dans la configuration',
        says: [/IOptionsMonitor/, /singleton|scoped/],
      },
      {
        asks: 'comment surcharger un réglage imbriqué par une variable sur les serveurs Debian ?',
        says: [/double tiret bas|__/],
      },
      { asks: 'fais-moi un seul commit avec tout le ménage dans les quatre projets', says: [/Lucie/] },
      {
        asks: "j'ai changé la rétention en cours de route et la sauvegarde ne la prend pas en compte",
        says: [/redémarrage|CurrentValue/],
      },
    ],
    unrelated: [
      'génère un client C# à partir du fichier OpenAPI du transporteur',
      'comment exclure un dossier de la couverture de code dans Rider ?',
      "ajoute une colonne code-barres à l'écran de saisie des articles",
    ],
  },
};
