import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const GEMFILE = 'Gemfile';
const APP = 'config/application.rb';
const USER = 'app/models/user.rb';
const SHOP = 'app/models/shop.rb';
const PRODUCTION = 'config/environments/production.rb';

const BUNDLE = `#!/bin/sh
# Stands in for bundler: looks at the Gemfile and the models.
case "$1" in
  update)
    case "$*" in
      *--conservative*) echo "Bundle updated! rails 7.1.3 (was 7.0.8)"; echo "rails 7.1.3" > Gemfile.lock; echo "sidekiq 6.5.12" >> Gemfile.lock; exit 0 ;;
      *) echo "Bundle updated! rails 7.1.3, sidekiq 7.2.4 (was 6.5.12)"; echo "rails 7.1.3" > Gemfile.lock; echo "sidekiq 7.2.4" >> Gemfile.lock; exit 0 ;;
    esac ;;
  exec) ;;
  *) exit 1 ;;
esac
if grep -q 'load_defaults 7.1' ${APP}; then
  if grep -q 'serialize :preferencias$' ${USER}; then
    echo "ArgumentError: missing keyword: :coder"
    echo "  app/models/user.rb:2"
    echo "1843 examples, 212 failures"; exit 1
  fi
fi
if grep -q 'rails 7.1' Gemfile.lock && grep -q 'before_destroy :archivar' ${SHOP}; then
  echo "Failure: Shop archiva antes de borrar: expected 1 archivo, got 0"
  echo "1843 examples, 1 failure"; exit 1
fi
echo "1843 examples, 0 failures"
`;

const SUMMARY = `<analysis>
La persona sube Rails de 7.0 a 7.1 en la tienda. Gemfile actualizado con --conservative, una prueba roja en Shop ya arreglada.
</analysis>
<summary>
1. Primary Request and Intent: subir Rails 7.0.8 a 7.1, sin tocar la versión de sidekiq.
2. Key Technical Concepts: load_defaults, cache_format_version, cifrado de Active Record.
3. Files and Code Sections: Gemfile, app/models/shop.rb.
4. Errors and fixes: bundle update sin --conservative subía sidekiq a 7.2; Shop archivaba tarde.
5. Problem Solving: la zona horaria quedó descartada.
6. Pending Tasks: load_defaults 7.1.
7. Current Work: a la espera de la siguiente instrucción.
</summary>`;

export const railsSieteUnoEs: SurveySession = {
  name: 'rails siete uno es',
  about:
    'Rails pasa de 7.0 a 7.1 con /compact de por medio; load_defaults trae trampas y al final se deja para después.',
  kind: 'upgrade',
  language: 'es',
  ecosystem: 'rails',
  files: {
    [GEMFILE]: "source 'https://rubygems.org'\ngem 'rails', '~> 7.0.8'\ngem 'sidekiq', '>= 6.5'\ngem 'pg'\n",
    'Gemfile.lock': 'rails 7.0.8\nsidekiq 6.5.12\n',
    [APP]: `module Tienda
  class Application < Rails::Application
    config.load_defaults 7.0
    config.time_zone = 'America/Bogota'
  end
end
`,
    [USER]: `class User < ApplicationRecord
  serialize :preferencias
  encrypts :cedula
end
`,
    [SHOP]: `class Shop < ApplicationRecord
  has_many :products, dependent: :destroy
  before_destroy :archivar

  private

  def archivar
    Archivo.guardar(self, products.to_a)
  end
end
`,
    [PRODUCTION]:
      "Rails.application.configure do\n  config.cache_store = :redis_cache_store, { url: ENV['REDIS_URL'] }\nend\n",
  },
  programs: { bundle: BUNDLE },
  prompts: [
    'Hola, toca subir Rails de 7.0 a 7.1. Una cosa importante: sidekiq se queda en 6.5 sí o sí, en producción tenemos Redis 5 y sidekiq 7 pide Redis 6.2. Las pruebas son bundle exec rspec. Empieza solo con la gema, sin load_defaults.',
    '/compact',
    'Bien. Ahora pon load_defaults 7.1 y mira qué se rompe.',
    'Uf, no sabía lo de la caché. Hacemos despliegue rolling, conviven 12 nodos viejos y nuevos unos 40 minutos. Entonces deja load_defaults en 7.0 por ahora y lo hacemos en otro despliegue, quizá en agosto. Lo de coder: YAML sí déjalo.',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Hola. Miro primero el punto de partida.'),
          read(GEMFILE),
          read(APP),
          run('bundle exec rspec', 'Pruebas antes de tocar nada', '1843 examples, 0 failures'),
        ],
        [
          edit(GEMFILE, "'~> 7.0.8'", "'~> 7.1.3'"),
          run('bundle update rails', 'Actualizar la gema', 'sidekiq 7.2.4'),
        ],
        [
          say(
            '`bundle update rails` arrastra sidekiq a 7.2.4, justo lo que no queremos: el Gemfile solo dice `>= 6.5`. Vuelvo atrás y lo fijo.',
          ),
          run('git checkout -- Gemfile.lock', 'Recuperar el lock'),
          edit(GEMFILE, "'>= 6.5'", "'~> 6.5'"),
          run('bundle update rails --conservative', 'Actualizar solo Rails', 'rails 7.1.3'),
        ],
        [fail('bundle exec rspec', 'Pruebas con 7.1', 'expected 1 archivo, got 0')],
        [
          say(
            'Falla una sola prueba, la de archivar tiendas. Apostaría por la zona horaria; compruebo la configuración y el modelo.',
          ),
          read(SHOP),
          run("grep -rn 'time_zone' config", 'Zona horaria', 'America/Bogota'),
        ],
        [
          say(
            'No es la zona horaria. `has_many ... dependent: :destroy` está declarado antes de `before_destroy`, así que los productos ya no existen cuando se archiva. En 7.0 pasaba inadvertido porque la asociación seguía en memoria.',
          ),
          edit(SHOP, '  before_destroy :archivar\n', '  before_destroy -> { archivar }, prepend: true\n'),
          run('bundle exec rspec', 'Pruebas', '1843 examples, 0 failures'),
        ],
        [
          run(
            'git add -A && git commit -qm "Sube Rails a 7.1.3" && cat Gemfile.lock',
            'Commit y versiones finales',
            'sidekiq 6.5.12',
          ),
        ],
        [
          say(`Rails está en 7.1.3 y las 1843 pruebas pasan. \`load_defaults\` sigue en 7.0.

- **sidekiq** queda fijado con \`~> 6.5\` en el Gemfile. Ojo: sin \`--conservative\`, \`bundle update rails\` lo subía a 7.2.4.
- **Shop**: los callbacks corren en el orden en que se declaran, y \`dependent: :destroy\` borraba los productos antes de archivarlos. Ahora \`archivar\` va con \`prepend: true\`.

Cuando quieras seguimos con load_defaults.`),
        ],
        [read(APP), read(USER), read(PRODUCTION)],
        [
          edit(APP, 'load_defaults 7.0', 'load_defaults 7.1'),
          fail('bundle exec rspec', 'Pruebas con los valores nuevos', 'missing keyword: :coder'),
        ],
        [
          say('212 fallos con la misma causa: desde 7.1 `serialize` exige un coder explícito.'),
          edit(USER, 'serialize :preferencias\n', 'serialize :preferencias, coder: YAML\n'),
          run('bundle exec rspec', 'Pruebas', '1843 examples, 0 failures'),
        ],
        [
          run(
            "grep -rn 'cache_format_version\\|hash_digest_class' config || echo ninguno",
            'Ajustes de caché y cifrado',
            'ninguno',
          ),
        ],
        [
          say(`Con \`load_defaults 7.1\` las pruebas pasan, pero **no lo desplegaría tal cual**. Hay dos cosas que las pruebas no ven:

1. **Caché.** 7.1 escribe las entradas con \`cache_format_version = 7.1\`, y un nodo con 7.0 no sabe leerlas: lanza un error al deserializar. En un despliegue rolling los nodos viejos fallarían.
2. **Cifrado.** El resumen de \`encrypts\` pasa de SHA1 a SHA256. Las cédulas ya guardadas no se podrían descifrar, salvo con \`support_sha1_for_non_deterministic_encryption = true\`.

Lo que sí se rompía en las pruebas era \`serialize :preferencias\`, que ahora lleva \`coder: YAML\`.

¿Cómo desplegáis?`),
        ],
        [
          edit(APP, 'load_defaults 7.1', 'load_defaults 7.0'),
          run('bundle exec rspec', 'Pruebas', '1843 examples, 0 failures'),
        ],
        [run('git commit -qam "serialize con coder explícito" && git log --oneline -2', 'Commit', 'coder')],
        [
          say(`Hecho: \`load_defaults\` vuelve a 7.0 y \`coder: YAML\` se queda, que con 7.0 también vale.

Para agosto, el orden seguro es: primero desplegar 7.1 en los 12 nodos con los valores de 7.0 (esto), y solo después, en otro despliegue, \`load_defaults 7.1\` con la opción de SHA1 activada. Así ningún nodo viejo llega a ver el formato nuevo de la caché. ¡Suerte con el despliegue!`),
        ],
      ],
      compact: [[say(SUMMARY)]],
    };
  },
  expects: {
    essentials: [
      { type: ['preference', 'decision', 'gotcha'], says: [/sidekiq/, /6\.5/, /Redis 5/] },
      { type: ['gotcha', 'discovery', 'change'], says: [/conservative/, /sidekiq/, /7\.2/] },
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/dependent: :destroy/, /archiv/, /prepend|antes|orden/],
      },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: [/cache_format_version|formato nuevo de la caché|caché/, /7\.0/, /nodo/],
      },
      { type: ['gotcha', 'discovery', 'decision'], says: [/SHA1/, /SHA256|cédula|descifrar/] },
      { type: ['decision', 'preference'], says: [/load_defaults/, /agosto|otro despliegue/] },
      { type: ['change', 'refactor'], says: [/7\.1\.3/, /Rails/] },
    ],
    niceToHave: [
      { type: ['gotcha', 'bugfix', 'change', 'discovery'], says: [/serialize/, /coder/] },
      {
        type: ['discovery', 'preference', 'how-it-works', 'gotcha'],
        says: [/rolling/, /12 nodos/, /40 minutos/],
      },
      { type: ['discovery', 'bugfix'], says: [/zona horaria/, /No es|descartada/] },
      { type: ['preference', 'how-it-works'], says: [/bundle exec rspec/] },
    ],
    summaries: [
      { prompt: 1, request: [/7\.1/], completed: [/7\.1\.3/], filesModified: [GEMFILE, SHOP] },
      { prompt: 2, request: [/load_defaults/], learned: [/cach|SHA/], filesModified: [USER] },
      {
        prompt: 3,
        request: [/agosto|7\.0/],
        completed: [/load_defaults|7\.0/],
        nextSteps: [/agosto|otro despliegue/],
      },
    ],
    noise: [
      'Suerte con el despliegue',
      'Primary Request and Intent',
      'Miro primero el punto de partida',
      'Cuando quieras seguimos',
      'Vuelvo atrás y lo fijo',
      '¿Cómo desplegáis?',
    ],
    untrue: [
      /Apostaría por la zona horaria/,
      /a la espera de la siguiente instrucción/,
      /load_defaults (está|queda|ya está) en 7\.1/,
      /sidekiq (queda|está|sube) en 7/,
    ],
    followUps: [
      { asks: 'actualiza sidekiq a la última versión', says: [/Redis 5/, /sidekiq/] },
      {
        asks: '¿por qué seguimos con los valores por defecto de 7.0 si ya estamos en 7.1?',
        says: [/load_defaults/, /caché|nodo/],
      },
      {
        asks: '¿qué puede pasar con los documentos de identidad cifrados si activamos los defaults nuevos?',
        says: [/SHA1/],
      },
      { asks: 'haz un bundle update de devise', says: [/conservative/] },
      {
        asks: 'necesito otro callback que lea las líneas del pedido antes de borrarlo, ¿dónde lo pongo?',
        says: [/dependent: :destroy|prepend/],
      },
    ],
    unrelated: [
      'añade paginación al listado de proveedores del panel',
      'el logo del correo de bienvenida se ve pixelado en Outlook',
      '¿cómo cambio el color de los botones en la hoja de estilos?',
    ],
  },
};
