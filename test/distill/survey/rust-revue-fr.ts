import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const UPLOAD = 'src/upload.rs';
const THUMBS = 'src/thumbs.rs';

export const rustRevueFr: SurveySession = {
  name: 'rust revue fr',
  about: "Relecture d'une branche qui reçoit des photos ; deux défauts bloquants.",
  kind: 'review',
  language: 'fr',
  ecosystem: 'rust',
  files: {
    'Cargo.toml':
      '[package]\nname = "photos-patrimoine"\nversion = "0.3.0"\n\n[dependencies]\naxum = "0.7"\ntokio = "1"\nimage = "0.25"\n',
    [UPLOAD]: `pub async fn upload(State(s): State<App>, mut form: Multipart) -> Result<StatusCode, AppError> {
    while let Some(field) = form.next_field().await? {
        let name = field.file_name().unwrap_or("photo").to_string();
        let bytes = field.bytes().await?;
        tokio::fs::write(s.dir.join(&name), &bytes).await?;
        thumbs::make(&s.dir, &name, &bytes)?;
    }
    Ok(StatusCode::CREATED)
}
`,
    [THUMBS]: `pub fn make(dir: &Path, name: &str, bytes: &[u8]) -> Result<(), AppError> {
    let img = image::load_from_memory(bytes)?;
    img.thumbnail(400, 400).save(dir.join(format!("mini-{name}")))?;
    Ok(())
}
`,
    'src/main.rs': `let app = Router::new()
    .route("/photos", post(upload))
    .layer(DefaultBodyLimit::max(40 * 1024 * 1024));
`,
  },
  programs: {
    cargo: `#!/bin/sh
case "$*" in
  *clippy*) echo 'warning: this function has too many lines'; echo 'Finished dev profile in 12.41s' ;;
  *test*) echo 'test result: ok. 17 passed; 0 failed' ;;
esac
`,
  },
  prompts: [
    "Tu peux relire la branche envoi-photos de Maëlle avant que je la fusionne ? C'est le dépôt de photos par les bénévoles. Ne modifie rien, je lui transmets tes remarques.",
    "Pour la taille, 40 Mo c'est voulu : les scans TIFF des archives départementales font jusqu'à 38 Mo. Le reste je lui transmets. Merci !",
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [say('Je lis les fichiers de la branche.'), read(UPLOAD), read(THUMBS), read('src/main.rs')],
        [
          run('cargo test', 'Lancer les tests', '17 passed'),
          run('cargo clippy', 'Lancer clippy', 'Finished'),
          run('grep -rn "spawn_blocking" src || true', 'Travail bloquant'),
          run('grep -n "image" Cargo.toml', 'Version de image', '0.25'),
        ],
        [run('grep -rn "file_name" src', 'Origine du nom de fichier', 'upload.rs')],
        [
          say(`Je ne fusionnerais pas en l'état. Deux points bloquants, deux mineurs.

**Bloquants**
1. \`upload.rs\` écrit sous le nom envoyé par le client : \`s.dir.join(&name)\` avec un nom absolu ou contenant \`../\` sort du dossier, on peut donc écraser n'importe quel fichier accessible au service. Il faut générer le nom (un UUID) et garder le nom d'origine en base seulement.
2. \`thumbs::make\` décode l'image directement dans la tâche async. Un TIFF de 30 Mo occupe le fil environ 4 secondes ; avec les 2 fils de la machine de production, deux envois suffisent à bloquer tout le serveur, y compris \`/health\`. À passer dans \`tokio::task::spawn_blocking\`.

**Mineurs**
3. La limite de 40 Mo dans \`main.rs\` me paraît trop haute, 10 Mo suffiraient pour des photos.
4. Si la miniature échoue, l'original reste sur le disque sans ligne en base ; il faudrait le supprimer ou écrire d'abord dans un dossier temporaire.

Les 17 tests passent, mais aucun n'envoie de nom de fichier piégé.`),
        ],
        [
          say(
            'Noté, je retire la remarque 3 : la limite de 40 Mo reste, à cause des scans TIFF des archives. Cela rend le point 2 encore plus important, puisque ce sont justement ces fichiers-là qui sont longs à décoder.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/join|nom envoyé/, /\.\.\/|absolu|sort du dossier|écraser/],
        files: [UPLOAD],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha', 'decision'],
        says: [/thumbs::make|décode/, /spawn_blocking|bloquer/],
        files: [THUMBS],
        prompt: 1,
      },
      { type: ['decision', 'preference', 'gotcha', 'discovery'], says: [/40 Mo/, /TIFF|38 Mo/], prompt: 2 },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/miniature/, /original/, /sans ligne en base|temporaire/] },
      { type: ['discovery', 'gotcha', 'decision'], says: [/UUID/] },
      { type: ['discovery', 'gotcha'], says: [/17 tests/, /piégé/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['envoi-photos'],
        learned: [/spawn_blocking|\.\.\/|nom envoyé/],
        filesRead: [UPLOAD, THUMBS, 'src/main.rs'],
      },
      { prompt: 2, request: ['40 Mo'], learned: [/TIFF|40 Mo/] },
    ],
    noise: ['Je lis les fichiers', 'too many lines', 'Merci !', 'test result: ok'],
    untrue: [/10 Mo suffiraient/, /40 Mo\b.{0,40} trop haute/, /(corrigé|remplacé) par spawn_blocking/],
    followUps: [
      { asks: "pourquoi la limite d'envoi est-elle à 40 Mo ? je veux la baisser", says: [/TIFF|38 Mo/] },
      {
        asks: 'où en était la relecture de la branche envoi-photos ?',
        says: [/spawn_blocking|\.\.\/|écraser/],
      },
      {
        asks: 'le serveur ne répond plus au contrôle de santé quand plusieurs bénévoles déposent des images',
        says: [/spawn_blocking/],
      },
      { asks: 'sous quel nom faut-il ranger un fichier reçu ?', says: [/UUID/] },
      { asks: 'on trouve sur le disque des fichiers orphelins absents de la base', says: [/miniature/] },
    ],
    unrelated: [
      'ajoute une page « mentions légales »',
      'passe le projet à l’édition 2024 de Rust',
      'comment changer le port en développement ?',
    ],
  },
};
