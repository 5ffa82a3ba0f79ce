import { callsIn, say, together } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const ROUTES = [
  'orders',
  'customers',
  'pallets',
  'scanners',
  'shipments',
  'returns',
  'carriers',
  'labels',
  'zones',
  'bins',
  'suppliers',
  'invoices',
  'users',
  'shifts',
  'counts',
  'alerts',
  'reports',
  'prices',
  'docks',
  'trucks',
  'batches',
  'files',
];

const WITH_FILTER = ['orders', 'pallets', 'shipments', 'returns', 'bins', 'batches'];

const EXTRACTORS = ['tenant', 'session', 'device', 'locale', 'paging', 'trace', 'client', 'warehouse'];

const pathOf = (name: string) => `crates/api/src/routes/${name}.rs`;
const captureOf = (name: string) => (name === 'files' ? '*path' : ':id');
const listOf = (name: string) =>
  WITH_FILTER.includes(name)
    ? 'async fn list(filter: Option<Query<Filter>>) -> Json<Page> {\n    page(filter.map(|q| q.0)).await\n}\n'
    : 'async fn list() -> Json<Page> {\n    page(None).await\n}\n';

const routeFile = (name: string) => `use axum::{extract::Query, routing::get, Json, Router};

pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/${name}", get(list))
        .route("/${name}/${captureOf(name)}", get(show))
}

${listOf(name)}`;

const extractorFile = (name: string) => `use axum::{async_trait, extract::FromRequestParts};

#[async_trait]
impl<S: Send + Sync> FromRequestParts<S> for Current${name} {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Self::from_headers(&parts.headers)
    }
}
`;

const CARGO = `#!/bin/sh
case "$1" in
  tree) echo "api v0.1.0"; echo "├── axum v0.7.9"; echo "├── axum-extra v0.9.6"; echo "└── tower-http v0.5.2"; exit 0 ;;
  clippy) echo "    Finished dev profile in 21.40s"; exit 0 ;;
esac
if [ "$1" = check ]; then for c in libc tokio hyper tower matchit serde serde_json http-body sqlx axum-core axum axum-extra; do echo "    Checking $c"; done; fi
if grep -rq '#\\[async_trait\\]' crates/api/src/extract; then
  cat <<'OUT'
    Checking api v0.1.0
error[E0195]: lifetime parameters or bounds on associated function \`from_request_parts\` do not match the trait declaration
 --> crates/api/src/extract/tenant.rs:7:13
  |
7 |     async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
  |             ^^^^^^^^^^^^^^^^^^ lifetimes do not match associated function in trait
error: could not compile \`api\` (lib) due to 8 previous errors
OUT
  exit 101
fi
if [ "$1" = check ]; then echo "    Finished dev profile [unoptimized + debuginfo] target(s) in 38.12s"; exit 0; fi
if grep -rqE '"/[a-z]+/[:*]' crates/api/src/routes; then
  cat <<'OUT'
     Running tests/orders.rs (target/debug/deps/orders-5f1c)
running 6 tests
thread 'main' panicked at crates/api/src/routes/orders.rs:6:10:
Path segments must not start with \`:\`. For capture groups, use \`{capture}\`. If you meant to literally match a segment starting with a colon, call \`without_v07_checks\` on the router.
test result: FAILED. 0 passed; 6 failed; 0 ignored
error: test failed, to rerun pass \`-p api --test orders\`
OUT
  exit 101
fi
for last; do :; done
echo "     Running tests/$last.rs (target/debug/deps/$last-5f1c)"
echo "running 6 tests"
echo "test result: ok. 6 passed; 0 failed; 0 ignored; finished in 1.92s"
`;

export const axumEightHundredSv: SurveySession = {
  name: 'axum-eight-hundred-sv',
  about: 'A web framework upgrade through thirty files, with about a hundred calls.',
  kind: 'upgrade',
  language: 'sv',
  ecosystem: 'rust',
  long: true,
  files: {
    'Cargo.toml':
      '[workspace.dependencies]\naxum = "0.7"\naxum-extra = "0.9"\ntower-http = "0.5"\nasync-trait = "0.1"\n',
    ...Object.fromEntries(ROUTES.map((name) => [pathOf(name), routeFile(name)])),
    ...Object.fromEntries(
      EXTRACTORS.map((name) => [`crates/api/src/extract/${name}.rs`, extractorFile(name)]),
    ),
  },
  programs: { cargo: CARGO },
  script(projectDir) {
    const { run, fail, read, edit } = callsIn(projectDir);
    const extractor = (name: string) => `crates/api/src/extract/${name}.rs`;
    return {
      main: [
        [
          say('Jag börjar med att se vad som beror på axum.'),
          run('cargo tree -p api --depth 1', 'Visa beroenden', 'axum v0.7.9'),
          read('Cargo.toml'),
        ],
        [
          edit('Cargo.toml', 'axum = "0.7"\naxum-extra = "0.9"', 'axum = "0.8"\naxum-extra = "0.10"'),
          fail('cargo check -p api', 'Kompilera', '8 previous errors'),
        ],
        [
          say(
            'Åtta fel, alla samma: axum 0.8 har egna `async fn` i traits, så `#[async_trait]` på våra extractors ger fel livstider. Det är bara att ta bort attributet.',
          ),
          ...EXTRACTORS.map((name) => read(extractor(name))),
        ],
        ...together(
          EXTRACTORS.map((name) => edit(extractor(name), '#[async_trait]\nimpl', 'impl')),
          4,
        ),
        [run('cargo check -p api', 'Kompilera', 'Finished')],
        [fail('cargo test -p api --test orders', 'Kör ett test', 'panicked')],
        [
          say(
            'Viktigt: kompileringen är grön men servern panikar vid start. Sökvägarna `/:id` och `/*path` heter `/{id}` och `/{*path}` i 0.8, och det kontrolleras först när routern byggs. `cargo check` säger alltså ingenting om rutterna.\n\n`without_v07_checks` löser det inte: då blir `/:id` en bokstavlig sökväg och allt svarar 404. Jag går igenom alla 22 filer.',
          ),
          run('grep -rnE "/[:*][a-z]+" crates/api/src/routes | wc -l', 'Räkna rutter', '22'),
        ],
        ...together(
          ROUTES.map((name) => read(pathOf(name))),
          6,
        ),
        ...together(
          ROUTES.map((name) =>
            edit(
              pathOf(name),
              `"/${name}/${captureOf(name)}"`,
              name === 'files' ? `"/${name}/{*path}"` : `"/${name}/{id}"`,
            ),
          ),
          6,
        ),
        [
          run('grep -rnE "/[:*][a-z]+" crates/api/src/routes || echo inga kvar', 'Kontrollera', 'inga kvar'),
          run('cargo test -p api --test orders', 'Kör ett test', '6 passed'),
        ],
        [
          say(`axum 0.8 är inne och orders är grön.

* \`#[async_trait]\` borttaget från åtta extractors
* 22 rutter har ny syntax. Obs: fel syntax syns inte vid kompilering, bara som panik vid start
* sex listor använder \`Option<Query<Filter>>\`. I 0.8 ger en trasig query 400, i 0.7 blev det tyst \`None\`. Vill ni behålla det gamla beteendet?`),
        ],
        ...together(
          WITH_FILTER.map((name) =>
            edit(
              pathOf(name),
              'filter: Option<Query<Filter>>) -> Json<Page> {\n    page(filter.map(|q| q.0))',
              'filter: Result<Query<Filter>, QueryRejection>) -> Json<Page> {\n    page(filter.ok().map(|q| q.0))',
            ),
          ),
          6,
        ),
        [run('cargo check -p api', 'Kompilera', 'Finished')],
        [
          say(
            'Klart i alla sex listor: de tar `Result<Query<Filter>, QueryRejection>` och `.ok()`, så en trasig query blir `None` precis som förut. `OptionalQuery` ur axum-extra dög inte, den svarar också 400 på `?page=`.',
          ),
        ],
        ...ROUTES.map((name) => [run(`cargo test -p api --test ${name}`, `Testa ${name}`, '6 passed')]),
        [say('Alla 22 testbinärer gröna, körda en i taget (132 tester).')],
        [
          run('cargo clippy -p api -- -D warnings', 'Clippy', 'Finished'),
          run(
            'git add crates/api/src/routes && git commit -qm "refactor(api): ny ruttsyntax" && git add -A && git commit -qm "build: axum 0.8" && git log --oneline -2',
            'Två commits',
          ),
        ],
        [
          say(
            'Två commits: ruttsyntaxen för sig, resten för sig. tower-http lät jag ligga på 0.5, den fungerar med axum 0.8. Kvar att göra: smoke mot stage innan ni släpper. Ha det fint!',
          ),
        ],
      ],
    };
  },
  prompts: [
    'uppgradera axum till 0.8 i crates/api, rör inte tower-http om det går',
    'ja behåll det gamla! de gamla handskannrarna skickar ?page= tomt och kan inte uppdateras, får dom 400 så låser dom sig mitt i plocket',
    'kör alla integrationstester nu. en binär i taget, dom delar databas och tömmer varandras tabeller om man kör parallellt',
    'snyggt, committa. mekaniska ändringar alltid i egen commit så man slipper granska dom. och inget släpps utan smoke mot stage',
  ],
  expects: {
    essentials: [
      {
        type: ['gotcha', 'discovery', 'bugfix', 'how-it-works', 'change'],
        says: [/\{id\}|syntax/, /panik/, /start/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: ['without_v07_checks', /404|bokstavlig/],
        prompt: 1,
      },
      {
        type: ['decision', 'preference', 'gotcha', 'change'],
        says: [/handskannrarna/, /\?page=|400/],
        prompt: 2,
      },
      {
        type: ['change', 'bugfix', 'decision', 'gotcha', 'discovery'],
        says: [/QueryRejection|OptionalQuery/],
        prompt: 2,
      },
      {
        type: ['preference', 'gotcha', 'decision'],
        says: [/i taget/, /databas|tabeller/],
        prompt: 3,
      },
      { type: ['preference', 'decision'], says: [/mekaniska ändringar/, /commit/], prompt: 4 },
      { type: ['preference', 'decision', 'gotcha'], says: [/smoke mot stage/], prompt: 4 },
    ],
    niceToHave: [
      {
        type: ['gotcha', 'discovery', 'bugfix', 'change', 'how-it-works', 'refactor'],
        says: ['async_trait'],
        prompt: 1,
      },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/Option<Query/, /400/], prompt: 1 },
      { type: ['change', 'feature'], says: [/axum 0\.8/] },
      { type: ['preference', 'decision', 'discovery'], says: ['tower-http'] },
      { type: ['discovery', 'change'], says: [/22 testbinärer/], prompt: 3 },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['axum'],
        learned: [/panik|async_trait/],
        completed: [/axum 0\.8|22 rutter|extractors/],
        filesModified: ['Cargo.toml', 'crates/api/src/routes/orders.rs'],
      },
      { prompt: 2, request: ['handskannrarna'], completed: [/QueryRejection|sex listor/] },
      { prompt: 3, optional: true, completed: [/22 testbinärer/] },
      { prompt: 4, request: ['commit'], nextSteps: [/smoke/] },
    ],
    noise: ['Ha det fint', 'Jag börjar med'],
    untrue: [
      /OptionalQuery (löser|används)/,
      /without_v07_checks löser det(?! inte)/,
      /tower-http (är|ligger) (nu )?på 0\.6/,
    ],
    followUps: [
      {
        asks: 'lägg till en rutt för att hämta en enskild ställplats, /slots/:id, i api:t',
        says: [/\{id\}|syntax/, /panik/],
      },
      {
        asks: 'list handlers silently ignore a bad query string, clean that up and answer 400 with a proper error',
        says: [/handskannrarna/],
      },
      {
        asks: 'ci tar evigheter, kan vi köra integrationstesterna med nextest i åtta trådar?',
        says: [/i taget/, /databas|tabeller/],
      },
      {
        asks: 'byt namn på modulen bins till locations överallt i crates/api och committa',
        says: [/mekaniska ändringar/],
      },
    ],
    unrelated: [
      'skriv om README så att en ny kollega kan sätta upp postgres lokalt',
      'etikettskrivaren i Borås skriver ut å som ?, hitta felet i zpl-mallen',
    ],
  },
};
